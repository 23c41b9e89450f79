use super::*;

fn read(text: &[u8], layout: Layout) -> Vec<Entry> {
    Manifest::new(text, layout).unwrap().map(Result::unwrap).collect()
}

fn asked(kind: &str, paths: &[&str], options: &[(&str, Value)]) -> Asked {
    Asked {
        kind: kind.to_owned(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
        options: options.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
    }
}

#[test]
fn both_layouts_ask_the_same() {
    let lines = read(
        b"\xef\xbb\xbf{\"kind\":\"pack\",\"paths\":[\"p\"]}\r\n\n  \n{\"kind\":\"pair\",\"paths\":[\"a\",\"b, \\\"c\\\"\"],\"options\":{\"mode\":\"law\"}}",
        Layout::Lines,
    );
    let table = read(b"kind,path,path2,mode\r\npack,p,,\r\n\r\n\r\npair,a,\"b, \"\"c\"\"\",law\r\n", Layout::Csv);
    let due = [asked("pack", &["p"], &[]), asked("pair", &["a", "b, \"c\""], &[("mode", "law".into())])];
    for (read, numbers) in [(lines, [1, 4]), (table, [2, 5])] {
        let places: Vec<_> = read.iter().map(|entry| (entry.row, entry.line)).collect();
        assert_eq!(places, [(1, numbers[0]), (2, numbers[1])]);
        assert_eq!(read.into_iter().map(|entry| entry.asked.unwrap()).collect::<Vec<_>>(), due);
    }
}

#[test]
fn a_line_that_cannot_be_understood_ends_nothing() {
    let long = "x".repeat(LINE + 1);
    let text = format!(
        "{{\"kind\":1}}\n{long}\n{{}}\n{{\"kind\":\"k\",\"paths\":[],\"more\":1}}\n[\"k\",[]]\n{{\"kind\":\"k\",\"paths\":[],\"options\":{{\"a\":1,\"a\":2}}}}\n{{\"kind\":\"k\",\"paths\":[]}}\n"
    );
    let read = read(text.as_bytes(), Layout::Lines);
    let said: Vec<_> = read.iter().map(|entry| entry.asked.as_ref().err().map(|why| why.message.as_str())).collect();
    assert_eq!(
        said,
        [
            Some("line 1, column 9: invalid type: integer `1`, expected a string"),
            Some("line 2: longer than the limit of 1048576 bytes"),
            Some("line 3, column 2: missing field `kind`"),
            Some("line 4, column 29: unknown field `more`, expected one of `kind`, `paths`, `options`"),
            Some("line 5: no JSON object"),
            Some("line 6, column 46: the option \"a\" is given twice"),
            None
        ]
    );
}

#[test]
fn rows_of_a_table_have_its_columns() {
    let read = read(b"path,kind\na\n,k\n\"a,k\n\xff,k\na,k\n", Layout::Csv);
    let said: Vec<_> = read.iter().map(|entry| entry.asked.as_ref().err().map(|why| why.message.as_str())).collect();
    assert_eq!(
        said,
        [
            Some("line 2: 1 fields, where the first line names 2"),
            Some("line 3: no kind or no path"),
            Some("line 4: a quote is opened and not closed on this line"),
            Some("line 5: not in UTF-8"),
            None
        ]
    );
    for header in ["", "kind", "kind,path,kind", "kind,path,", "kind,path,x,x", "\"kind,path"] {
        assert!(matches!(Manifest::new(header.as_bytes(), Layout::Csv), Err(ManifestError::Header(_))), "{header}");
    }
}

#[test]
fn a_manifest_has_the_digest_of_its_bytes() {
    let text = b"\n{\"kind\":\"k\",\"paths\":[]}\r\n\n";
    let mut manifest = Manifest::new(&text[..], Layout::Lines).unwrap();
    let entry = manifest.next().unwrap().unwrap();
    assert!(manifest.next().is_none());
    assert_eq!(manifest.digest(), Digest::of(text));
    assert_eq!(entry.id, Digest::of(b"{\"kind\":\"k\",\"paths\":[]}"));
}
