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
}

#[test]
fn declarations() {
    check(LAW, r#","fewer":"small""#, "", "", "fewer than 25");
    check(LAW, "sovereign/float-ban", "sovereign/float-bar", "/slug", "the slug is");
    let position = r#""position":1"#;
    let retired = |id: &str| format!(r#"{position},"retired":["{id}"]"#);
    check(LAW, position, &retired("sovereign/float-ban/good-law"), "/retired/0", "retired and in use");
    check(LAW, position, &retired("sovereign/other/a"), "/retired/0", "not an id of this law");
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

#[test]
fn register() {
    let rows = r#""rows":{"NUM-02":{"modes":"differ"}"#;
    check(
        ERRATA,
        rows,
        r#""rows":{"NUM-02":{"modes":"differ"},"NUM-03":{"modes":"same"}"#,
        "/rows/NUM-03",
        "covers NUM-03 in mode law",
    );
    check(
        ERRATA,
        rows,
        r#""rows":{"NUM-02":{"modes":"differ"},"NUM-03":{"modes":"differ"}"#,
        "/rows/NUM-03",
        "no erratum says so",
    );
    check(ERRATA, rows, r#""rows":{"NUM-02":{"modes":"same"}"#, "/errata/0", "no row in which");
    check(ERRATA, r#"["sovereign/float-ban/bad-law"]"#, "[]", "/errata/0/vectors/law", "lists no vector in mode law");
    check(ERRATA, "float-ban/bad-law", "float-ban/gone", "/errata/0/vectors/law/0", "no vector");
    check(ERRATA, "float-ban/bad-law", "float-ban/bad-reference", "/errata/0/vectors/law/0", "does not ask mode law");
    check(
        ERRATA,
        "float-ban/bad-law",
        "float-ban/good-law",
        "/errata/0/vectors/law/0",
        "is not listed under the other mode",
    );
    check_in(BAD_LAW, r#""rows":["NUM-02"],"#, "", ERRATA, "/errata/0/vectors/law/0", "does not name NUM-02");
    let mut files = corpus();
    let text = files.get_mut(ERRATA).unwrap();
    let erratum = text.split_once(":[").unwrap().1.rsplit_once("],\"rows\"").unwrap().0.to_owned();
    *text = text.replacen(":[", &format!(":[{erratum},"), 1);
    expect(&run(files), ERRATA, "/errata/1", "comes twice");
    let excluded = r#""rows":{"NUM-02":{"modes":"differ"},"NUM-03":{"modes":"same","excluded":"cannot be"}"#;
    let mut files = corpus();
    let text = files.get_mut(ERRATA).unwrap();
    *text = text.replacen(rows, excluded, 1);
    assert_eq!(run(files), []);
    // An operation without modes covers a row on which they agree, and no other.
    let shown = |modes: &str| {
        let mut files = corpus();
        let text = files.get_mut(ERRATA).unwrap();
        *text = text.replacen(rows, &format!(r#"{rows},"NUM-03":{{"modes":"{modes}"}}"#), 1);
        let text = r#"{"id":"sovereign/float-ban/canon","op":"canon.bytes","args":{"profile":"jcs"},"spec":{"document":"d","section":"s"},"rationale":"r","flags":[],"provenance":"hand","rows":["NUM-03"],"in":{"doc":{"text":"1"}},"expect":{"is":"accept"},"agreement":"verdict"}"#;
        files.insert("vectors/sovereign/float-ban/canon.json".to_owned(), text.to_owned());
        run(files)
    };
    let uncovered = |found: &[LintFinding]| found.iter().any(|finding| finding.message.contains("covers NUM-03"));
    assert!(uncovered(&shown("differ")) && !uncovered(&shown("same")));
}

/// The corpus with the faulty input asked in law mode alone, and the register saying why.
fn alone() -> BTreeMap<String, String> {
    let mut files = corpus();
    files.remove(BAD_REFERENCE);
    edit(&mut files, BAD_LAW, r#""pair":"sovereign/float-ban/bad-reference","#, "");
    let why = r#""reference":[]},"excluded":"left out of reference mode"}"#;
    edit(&mut files, ERRATA, r#""reference":["sovereign/float-ban/bad-reference"]}}"#, why);
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
    let listed = r#""law":["sovereign/float-ban/bad-law"]"#;
    check(ERRATA, listed, r#""law":[]"#, BAD_LAW, "", "no erratum lists it");
    check(BAD_LAW, r#""rows":["NUM-02"],"#, "", ERRATA, "/errata/0/vectors/law/0", "does not name NUM-02");
    let why = r#","excluded":"left out of reference mode""#;
    check(ERRATA, why, "", ERRATA, "/errata/0/vectors/reference", "lists no vector in mode reference");
    let reference = r#""reference":["sovereign/float-ban/good-reference"]"#;
    check(ERRATA, r#""reference":[]"#, reference, ERRATA, "/errata/0/excluded", "says that there can be none");
    // A case of reference mode shows a difference together with its pair alone.
    let mut files = corpus();
    edit(&mut files, BAD_REFERENCE, r#""pair":"sovereign/float-ban/bad-law","#, "");
    expect(&run(files), ERRATA, "/errata/0/vectors/reference/0", "is not listed under the other mode");
    // The accepted neighbour of a listed case shows no difference, and another case that stands alone does not go free.
    let mut files = alone();
    files.remove(GOOD_REFERENCE);
    edit(&mut files, GOOD_LAW, r#""pair":"sovereign/float-ban/good-reference","#, "");
    edit(&mut files, ERRATA, r#""modes":"differ""#, r#""modes":"differ","excluded":"left out of reference mode""#);
    assert_eq!(run(files.clone()), []);
    let other = files[GOOD_LAW].replacen("good-law", "other-law", 1);
    files.insert("vectors/sovereign/float-ban/other-law.json".to_owned(), other);
    expect(&run(files), "vectors/sovereign/float-ban/other-law.json", "", "no erratum lists it");
}
