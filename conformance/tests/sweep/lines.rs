//! What a manifest may not ask is a row, and nothing is read or written for it elsewhere.

use std::{fs, path::Path};

use super::{copied, rows, sweep};

#[test]
fn a_bad_line_is_a_row_that_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("inner");
    copied(Path::new(super::EXAMPLES), &inner);
    fs::copy(inner.join("reply/lawful.json"), folder.path().join("outside.json")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../outside.json", inner.join("link.json")).unwrap();
    let envelope = |path: &str| format!(r#"{{"kind":"envelope","paths":["{path}"]}}"#);
    let pack = |options: &str| format!(r#"{{"kind":"pack","paths":["pack/lawful"],"options":{{{options}}}}}"#);
    let absolute = folder.path().join("outside.json");
    let lines = [
        (envelope("reply/lawful.json"), ""),
        ("{".to_owned(), "line 2, column 1: EOF while parsing an object"),
        (r#"{"kind":"packs","paths":["pack/lawful"]}"#.to_owned(), r#"no kind of artefact is called "packs""#),
        (r#"{"kind":"pair","paths":["pair/equal.json"]}"#.to_owned(), "a pair has 2 of `paths`, not 1"),
        (envelope("../outside.json"), "leads out of the folder of the sweep"),
        (envelope(absolute.to_str().unwrap()), "leads out of the folder of the sweep"),
        #[cfg(unix)]
        (envelope("link.json"), "a link leads out of the folder of the sweep"),
        (envelope("reply/gone.json"), "gone.json: cannot be read: No such file or directory"),
        (envelope("reply"), "is a folder, not a file"),
        (envelope("-"), "-: cannot be read: No such file or directory"),
        (envelope("--format"), "--format: cannot be read: No such file or directory"),
        (envelope(""), "leads out of the folder of the sweep"),
        (pack(r#""output":"x""#), r#"a pack has no option "output""#),
        (pack(r#""pack-only":"perhaps""#), r#"the option "pack-only" is true or false, not "perhaps""#),
        (pack(r#""numbers":"x""#), "invalid value 'x' for '--numbers <NUMBERS>'"),
        (pack(r#""now":"never""#), "`now` is a time of RFC 3339"),
        (pack(r#""require-claims":true"#), "--pack-only"),
        (pack(r#""now":["2036-01-01T00:00:00Z","2036-01-01T00:00:00Z"]"#), "cannot be used multiple times"),
        (r#"{"kind":"home","paths":["home/lawful"],"options":{"before":"../outside.json"}}"#.to_owned(), "leads out"),
        (pack(r#""numbers":null,"pack-only":false"#), ""),
    ];
    let text: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    fs::write(inner.join("m.jsonl"), text).unwrap();
    sweep(folder.path(), &["inner/m.jsonl", "--out", "out"]).exits(3);
    let rows = rows(&folder.path().join("out"));
    assert_eq!(rows.len(), lines.len());
    for ((line, (asked, said)), row) in (1..).zip(&lines).zip(&rows) {
        assert_eq!(row["line"], line);
        if said.is_empty() {
            assert_eq!((&row["exit_code"], row.get("error")), (&0.into(), None), "{row}");
            continue;
        }
        assert_eq!((&row["verdict"], &row["exit_code"]), (&"unreadable".into(), &3.into()), "{asked} {row}");
        assert!(row["error"].as_str().unwrap().contains(said), "{asked}: {row}");
        assert!(!row["help"].as_str().unwrap().is_empty());
    }
    // With another root the same paths are below it.
    fs::write(folder.path().join("m.jsonl"), format!("{}\n", envelope("outside.json"))).unwrap();
    sweep(folder.path(), &["m.jsonl", "--root", "inner", "--out", "other"]).exits(3);
    sweep(folder.path(), &["m.jsonl", "--root", ".", "--out", "other", "--restart"]).exits(0);
}

#[test]
fn results_never_lie_in_what_they_are_about() {
    let folder = tempfile::tempdir().unwrap();
    copied(&Path::new(super::EXAMPLES).join("home/lawful"), &folder.path().join("home"));
    fs::write(folder.path().join("m.jsonl"), "{\"kind\":\"home\",\"paths\":[\"home\"]}\n").unwrap();
    sweep(folder.path(), &["m.jsonl", "--out", "home/out"]).exits(3);
    let rows = rows(&folder.path().join("home/out"));
    assert!(rows[0]["error"].as_str().unwrap().contains("the results of the sweep lie in it"), "{rows:?}");
}

#[test]
fn a_command_line_that_cannot_be_meant_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.csv"), "path\nx\n").unwrap();
    fs::create_dir(folder.path().join("f")).unwrap();
    for (line, code, said) in [
        ("", 64, "<MANIFEST>"),
        ("m.jsonl", 64, "--out"),
        ("--folder f --out out", 64, "--kind"),
        ("m.csv --folder f --kind pack --pattern * --out out", 64, "cannot be used with"),
        ("--folder f --kind pac --pattern * --out out", 64, "did you mean pack, pair?"),
        ("--folder f --kind pair --pattern * --out out", 64, "--against"),
        ("--folder f --kind pack --against x --pattern * --out out", 64, "--against"),
        ("--folder f --kind pack --set x --pattern * --out out", 64, "NAME=VALUE"),
        ("m.csv --out out", 3, "the columns `kind` and `path` are needed"),
        ("m.csv --root gone --out out", 3, "gone: cannot be opened as a folder"),
        ("gone.jsonl --out out", 3, "gone.jsonl: cannot be read"),
        ("--folder gone --kind pack --pattern * --out out", 3, "gone: cannot be opened as a folder"),
    ] {
        let args: Vec<_> = line.split_whitespace().collect();
        sweep(folder.path(), &args).exits(code).complains(&[said]);
        assert!(!folder.path().join("out").exists(), "{line}");
    }
}
