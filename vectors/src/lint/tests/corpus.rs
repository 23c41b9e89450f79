//! Rules about files, layout, declarations and registers.

use super::*;

#[test]
fn files() {
    let add = |path: &str, text: &str| {
        let mut files = corpus();
        files.insert(path.to_owned(), text.to_owned());
        run(files)
    };
    let stray = "vectors/sovereign/float-ban/notes.txt";
    expect(&add(stray, "x"), stray, "", "nothing reads this file");
    let pack = "vectors/sovereign/float-ban/other.pack/a.json";
    expect(&add(pack, "{}"), pack, "", "nothing reads this file");
    assert_eq!(add("vectors/README.md", "x"), []);
    let broken = "vectors/sovereign/float-ban/broken.json";
    expect(&add(broken, "{\"id\":"), broken, "line 1 column 6", "EOF");
    let (common, stray) = (format!("{}common.json", operation::FOLDER), format!("{}none.json", operation::FOLDER));
    let mut files = corpus();
    files.remove(&common);
    expect(&run(files), &common, "the file", "no such file");
    expect(&add(&stray, "{}"), &stray, "the file", "no system with laws");
    let mut files = corpus();
    files.remove("contracts/interface/vector.schema.json");
    expect(&run(files), "contracts/interface/vector.schema.json", "", "absent");
}

#[test]
fn schema_and_layout() {
    check(GOOD_LAW, r#""rationale":"r""#, r#""rationale":"""#, "/rationale", "shorter than 1 character");
    check(LAW, r#""position":1"#, r#""position":-1"#, "line 1 column 125", "invalid value");
    check(LAW, r#""origin":"text""#, r#""origin":"rumour""#, "/origin", "not one of");
    check(SYSTEM, r#"["NUM"]"#, r#"["num"]"#, "/rulings/0", "does not match");
    check(
        GOOD_LAW,
        r#""rationale":"r","flags":["FloatSpelling"]"#,
        r#""flags":["FloatSpelling"],"rationale":"r""#,
        "",
        "out of order",
    );
    let mut files = corpus();
    files.insert("vectors/flags.json".to_owned(), " {\"FloatSpelling\":{}} ".to_owned());
    let found = lint(&Store::memory(files));
    expect(&found, GOOD_LAW, "", "not laid out");
    // Laid out, it would have the square of its bytes.
    let mut deep = corpus();
    deep.insert("vectors/flags.json".to_owned(), format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    expect(&lint(&Store::memory(deep)), "vectors/flags.json", "", "nested deeper than 128 levels");
}

#[test]
fn tables() {
    const TYPES: &str = "contracts/reply/tables/types.json";
    check(TYPES, r#""terminal": true"#, r#""terminal": 1"#, "/rows/1/terminal", "not of type");
    check(TYPES, r#""fault": "Nobody", "#, "", "/rows/0", "required");
    check(TYPES, r#""action": "escalate""#, r#""action": "stop""#, "/keys", "another text in every row");
    check(TYPES, r#""rows": ["#, r#""lines": ["#, "", "required");
    let schema = "contracts/reply/tables/types.schema.json";
    let mut files = corpus();
    files.remove(schema);
    expect(&run(files), schema, "", "absent");
    let operations = "contracts/interface/operations/reply.json";
    let named = "contracts/interface/operations/";
    check_in(operations, r#""column": "letter""#, r#""column": "number""#, named, "values", "no column number");
}

#[test]
fn declarations() {
    check(LAW, r#","fewer":"small""#, "", "", "fewer than 25");
    check(LAW, "sovereign/float-ban", "sovereign/float-bar", "/slug", "the slug is");
    let position = r#""position":1"#;
    let retired = |id: &str| format!(r#"{position},"retired":["{id}"]"#);
    check(LAW, position, &retired("sovereign/float-ban/good-law"), "/retired/0", "retired and in use");
    check(LAW, position, &retired("sovereign/other/a"), "/retired/0", "not an id of this law");
    let renamed = |former: &str, now: &str| format!(r#"{position},"renamed":{{"{former}":"{now}"}}"#);
    for (former, now, message) in [
        ("sovereign/float-ban/good-law", "sovereign/float-ban/bad-law", "a former id and in use"),
        ("sovereign/old/good-law", "sovereign/other/good-law", "not an id of this law"),
        ("sovereign/old/good-law", "sovereign/float-ban/none", "no case is called so"),
    ] {
        check(LAW, position, &renamed(former, now), "/renamed", message);
    }
    let mut both = renamed("sovereign/float-ban/gone", "sovereign/float-ban/good-law");
    both.push_str(r#","retired":["sovereign/float-ban/gone"]"#);
    check(LAW, position, &both, "/renamed", "is retired, and leads to a case");
    let named = r#""operations":["sovereign.compare"]"#;
    check(
        LAW,
        named,
        r#""operations":["sovereign.compare","sovereign.none"]"#,
        "/operations/1",
        "no operation sovereign.none",
    );
    let unjudged = format!("{named},\"fewer\":\"small\"");
    check(LAW, &unjudged, r#""unjudged":"no artefact shows it""#, "/unjudged", "no operation can judge");
    check(LAW, named, &format!(r#"{named},"unjudged":"why""#), "/operations", "");
    check(LAW, &format!(",{named}"), "", "", "operations");
    let mut files = corpus();
    let other = "contracts/laws/sovereign/other.json";
    let more = r#"{"slug":"sovereign/other","title":"t","statement":"s","spec":{"document":"d","section":"s"},"origin":"text","position":2,"unjudged":"why"}"#;
    files.insert(other.to_owned(), more.to_owned());
    assert_eq!(run(files.clone()), [], "a law that is not judged owes no folder");
    let same = renamed("sovereign/old/a", "sovereign/float-ban/good-law");
    let mut twice = files.clone();
    *twice.get_mut(LAW).unwrap() = twice[LAW].replacen(position, &same, 1);
    assert_eq!(run(twice.clone()), [], "a former id that leads to a case");
    twice.insert(
        other.to_owned(),
        more.replacen(r#""position":2"#, r#""position":2,"renamed":{"sovereign/old/a":"sovereign/other/a"}"#, 1),
    );
    expect(&run(twice), LAW, "/renamed", "a former id of sovereign/other too");
    files.insert(other.to_owned(), more.replacen(r#""unjudged":"why""#, named, 1));
    expect(&run(files), other, "", "sovereign/other has no folder");
    let mut files = corpus();
    files.remove(LAW);
    expect(&run(files), LAW, "", "a law that is not declared");
    let mut files = corpus();
    for number in 0..20 {
        let text = files[GOOD_LAW].replacen("good-law", &format!("more-{number}"), 1);
        files.insert(format!("vectors/sovereign/float-ban/more-{number}.json"), text);
    }
    // What does not load counts too: it is a case that somebody wrote.
    files.insert("vectors/sovereign/float-ban/broken.json".to_owned(), "{".to_owned());
    expect(&run(files), LAW, "/fewer", "25 cases are no longer few");
}

#[test]
fn systems() {
    check(SYSTEM, r#""name":"sovereign""#, r#""name":"other""#, "/name", "not called as its folder");
    let mut files = corpus();
    let other = "contracts/other/system.json";
    files.insert(other.to_owned(), files[SYSTEM].replacen(r#""sovereign""#, r#""other""#, 1));
    let found = run(files);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(found[0].pointer == "/rulings" && found[0].message.contains("are called NUM too"), "{found:#?}");
    let mut files = corpus();
    files.remove(SYSTEM);
    expect(&run(files), LAW, "/slug", "no system sovereign");
}

/// The small corpus with one more row.
fn with_row(more: &str) -> BTreeMap<String, String> {
    let mut files = corpus();
    edit(&mut files, RULINGS, "}]}", &format!("}},{}]}}", row("NUM-03", more)));
    files
}

#[test]
fn rows() {
    let same = run(with_row(r#""modes":"same""#));
    for mode in ["law", "reference"] {
        expect(&same, RULINGS, "/rulings/1", &format!("covers NUM-03 in mode {mode}"));
    }
    let differ = run(with_row(r#""modes":"differ""#));
    for mode in ["law", "reference"] {
        expect(&differ, RULINGS, "/rulings/1", &format!("in mode {mode} tells the modes apart on NUM-03"));
    }
    assert_eq!(run(with_row(r#""modes":"same","excluded":"cannot be""#)), []);
    check_in(RULINGS, r#""modes":"differ""#, r#""modes":"same""#, BAD_LAW, "/pair", "outside the errata");
    check(RULINGS, r#""modes":"differ""#, r#""modes":"differ","erratum":true"#, "/rulings/0/erratum", "as it is");
    for (member, said) in [("text", r#""text":"t""#), ("code", r#""code":"c""#)] {
        check(
            RULINGS,
            said,
            &format!(r#""{member}":null"#),
            &format!("/rulings/0/{member}"),
            "does not say what parts",
        );
    }
    // Both cases of a pair name the rows on which they part.
    for path in [BAD_LAW, BAD_REFERENCE] {
        check_in(path, r#""rows":["NUM-02"],"#, "", BAD_LAW, "/rows", "names other rows");
    }
    let mut files = corpus();
    for path in [BAD_LAW, BAD_REFERENCE] {
        edit(&mut files, path, r#""rows":["NUM-02"],"#, "");
    }
    expect(&run(files), RULINGS, "/rulings/0", "no vector in mode law tells");
    let mut files = corpus();
    edit(&mut files, RULINGS, "}]}", &format!("}},{}]}}", row("NUM-02", r#""modes":"differ""#)));
    expect(&run(files), RULINGS, "/rulings/1", "comes twice");
    // An operation without modes covers a row on which they agree, and no other.
    let shown = |modes: &str| {
        let mut files = with_row(&format!(r#""modes":"{modes}""#));
        let text = r#"{"id":"sovereign/float-ban/canon","op":"canon.bytes","args":{"profile":"episode"},"spec":{"document":"d","section":"s"},"force":"spec","rationale":"r","flags":[],"provenance":"hand","rows":["NUM-03"],"in":{"doc":{"text":"1"}},"expect":{"is":"accept"},"agreement":"verdict"}"#;
        files.insert("vectors/sovereign/float-ban/canon.json".to_owned(), text.to_owned());
        run(files)
    };
    let uncovered = |found: &[LintFinding]| found.iter().any(|finding| finding.message.contains("covers NUM-03"));
    assert!(uncovered(&shown("differ")) && !uncovered(&shown("same")));
}

/// The corpus with the faulty input asked in law mode alone, and its row saying why.
fn alone() -> BTreeMap<String, String> {
    let mut files = corpus();
    files.remove(BAD_REFERENCE);
    edit(&mut files, BAD_LAW, r#""pair":"sovereign/float-ban/bad-reference","#, "");
    let why = r#""modes":"differ","alone":"reports","excluded":"left out of reference mode""#;
    edit(&mut files, RULINGS, r#""modes":"differ""#, why);
    files
}

fn edit(files: &mut BTreeMap<String, String>, file: &str, from: &str, to: &str) {
    let text = files.get_mut(file).unwrap();
    assert!(text.contains(from), "{from} does not occur in {file}");
    *text = text.replacen(from, to, 1);
}

#[test]
fn law_mode_alone() {
    assert_eq!(run(alone()), []);
    let check = |edited: &str, from: &str, to: &str, file: &str, pointer: &str, message: &str| {
        let mut files = alone();
        edit(&mut files, edited, from, to);
        expect(&run(files), file, pointer, message);
    };
    check(RULINGS, r#""alone":"reports","#, "", BAD_LAW, "", "no erratum says why");
    check(BAD_LAW, r#""rows":["NUM-02"],"#, "", BAD_LAW, "", "no erratum says why");
    check(BAD_LAW, r#""rows":["NUM-02"],"#, "", RULINGS, "/rulings/0/alone", "no vector asks law mode alone");
    let why = r#","excluded":"left out of reference mode""#;
    check(RULINGS, why, "", RULINGS, "/rulings/0", "no vector in mode reference");
    check(RULINGS, r#""modes":"differ""#, r#""modes":"same""#, RULINGS, "/rulings/0/alone", "False schema");
    let excluded = r#""modes":"differ","excluded":"cannot be""#;
    check_in(RULINGS, r#""modes":"differ""#, excluded, BAD_LAW, "/pair", "outside the errata");
    // A case of reference mode shows a difference together with its pair alone.
    let mut files = corpus();
    edit(&mut files, BAD_REFERENCE, r#""pair":"sovereign/float-ban/bad-law","#, "");
    expect(&run(files), BAD_LAW, "/pair", "does not name this case in return");
    // The accepted neighbour of such a case shows no difference, and another case that stands alone does not go free.
    let mut files = alone();
    files.remove(GOOD_REFERENCE);
    edit(&mut files, GOOD_LAW, r#""pair":"sovereign/float-ban/good-reference","#, "");
    assert_eq!(run(files.clone()), []);
    let other = files[GOOD_LAW].replacen("good-law", "other-law", 1).replacen(r#""rows":["NUM-02"],"#, "", 1);
    files.insert("vectors/sovereign/float-ban/other-law.json".to_owned(), other);
    expect(&run(files), "vectors/sovereign/float-ban/other-law.json", "", "no erratum says why");
}
