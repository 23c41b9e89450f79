//! Rules about errata of a system with one mode, and about what else a case rests on.

use super::*;

const ONE: &str = "vectors/episode/receipt-chain/one.json";
const EPISODE: &str = "contracts/rulings/episode.json";

/// The corpus with a law of another system, two rulings of it, one of them an erratum, and a case that rests on that.
fn single() -> BTreeMap<String, String> {
    let mut files = corpus();
    let place = r#"{"document":"d","section":"s"}"#;
    let ruling = |id: &str, more: &str| {
        format!(
            r#"{{"id":"{id}","point":"p","places":[{place}],"text":"t","code":"c","behaviour":"lawful","ruling":"l","stands":"silent"{more}}}"#
        )
    };
    let erratum = ruling("EP-4", r#","erratum":true"#);
    for (path, text) in [
        (
            ONE,
            format!(
                r#"{{"id":"episode/receipt-chain/one","op":"canon.bytes","args":{{"profile":"episode"}},"spec":{place},"force":"ruling EP-5","rationale":"r","flags":[],"provenance":"ruling EP-4","in":{{"doc":{{"text":"1"}}}},"expect":{{"is":"accept"}},"agreement":"verdict"}}"#
            ),
        ),
        (
            "contracts/laws/episode/receipt-chain.json",
            format!(
                r#"{{"slug":"episode/receipt-chain","title":"t","statement":"s","spec":{place},"origin":"text","position":1,"operations":["canon.bytes"],"fewer":"small"}}"#
            ),
        ),
        (
            "contracts/episode/system.json",
            r#"{"name":"episode","title":"t","documents":[],"rulings":["EP"],"position":2}"#.to_owned(),
        ),
        (EPISODE, format!(r#"{{"system":"episode","rulings":[{erratum},{}]}}"#, ruling("EP-5", ""))),
    ] {
        files.insert(path.to_owned(), text);
    }
    files
}

/// Replaces `from` in one file; some finding then lies in `file` at `pointer` and says `message`.
fn check(edited: &str, from: &str, to: &str, file: &str, pointer: &str, message: &str) {
    expect(&run(edited_single(edited, from, to)), file, pointer, message);
}

fn edited_single(edited: &str, from: &str, to: &str) -> BTreeMap<String, String> {
    let mut files = single();
    let text = files.get_mut(edited).unwrap();
    assert!(text.contains(from), "{from} does not occur in {edited}");
    *text = text.replacen(from, to, 1);
    files
}

const DECIDED: &str = r#""provenance":"ruling EP-4","#;

#[test]
fn of_one_mode() {
    assert_eq!(run(single()), []);
    check(ONE, "ruling EP-4", "ruling EP-5", EPISODE, "/rulings/0", "no vector rests on EP-4");
    let excluded = r#""erratum":true,"excluded":"cannot be""#;
    check(EPISODE, r#""erratum":true"#, excluded, EPISODE, "/rulings/0", "says that there can be none");
    // A case rests on a ruling that decides it, that it cites, or that it names beside these.
    for (from, to) in [
        (DECIDED, r#""provenance":"ruling EP-5","rulings":["EP-4"],"#.to_owned()),
        (r#"{"document":"d","section":"s"}"#, r#"{"document":"Assize rulings","section":"EP-4"}"#.to_owned()),
    ] {
        let mut files = edited_single(ONE, from, &to);
        let text = files.get_mut(ONE).unwrap();
        *text = text.replacen("ruling EP-4", "hand", 1);
        assert_eq!(run(files), []);
    }
}

#[test]
fn excluded() {
    let mut files = edited_single(EPISODE, r#""erratum":true"#, r#""erratum":true,"excluded":"cannot be""#);
    let text = files.get_mut(ONE).unwrap();
    *text = text.replacen("ruling EP-4", "ruling EP-5", 1);
    assert_eq!(run(files), []);
}

/// A ruling may decide a case of another system, which does not rest on it in the sense of its own.
#[test]
fn another_system() {
    let mut files = single();
    let text = files.get_mut(GOOD_LAW).unwrap();
    assert!(text.contains("ruling NUM-02"));
    *text = text.replacen("ruling NUM-02", "ruling EP-4", 1);
    assert_eq!(run(files.clone()), []);
    let text = files.get_mut(ONE).unwrap();
    *text = text.replacen("ruling EP-4", "ruling EP-5", 1);
    expect(&run(files), EPISODE, "/rulings/0", "no vector rests on EP-4");
}

#[test]
fn further_rulings() {
    for (listed, message) in [
        (r#"["EP-6"]"#, "no ruling EP-6"),
        (r#"["NUM-02"]"#, "is of another system"),
        (r#"["EP-4"]"#, "named by `provenance` or `spec`"),
    ] {
        check(ONE, DECIDED, &format!(r#"{DECIDED}"rulings":{listed},"#), ONE, "/rulings/0", message);
    }
    check(ONE, DECIDED, &format!(r#"{DECIDED}"rulings":["EP-5","EP-5"],"#), ONE, "/rulings/1", "EP-5 comes twice");
    let row = r#""provenance":"ruling NUM-02","rulings":["NUM-02"],"#;
    check(GOOD_LAW, r#""provenance":"ruling NUM-02","#, row, GOOD_LAW, "/rulings/0", "a row of the behaviour table");
    assert_eq!(run(edited_single(ONE, DECIDED, &format!(r#"{DECIDED}"rulings":["EP-5"],"#))), []);
}

/// Two modes are a matter of one system.
#[test]
fn reference() {
    let ruling = r#""ruling":"l""#;
    let by_mode = r#""ruling":{"law":"l","reference":"r"}"#;
    check(EPISODE, ruling, by_mode, EPISODE, "/rulings/0/ruling", "is not of type \"string\"");
    let row = r#""erratum":true,"modes":"same""#;
    check(EPISODE, r#""erratum":true"#, row, EPISODE, "/rulings/0/modes", "False schema");
    check(RULINGS, by_mode, ruling, RULINGS, "/rulings/0/ruling", "is not of type \"object\"");
}

/// How code weighs fits what the text says of the point.
#[test]
fn behaviour() {
    let at = "/rulings/0/behaviour";
    let weighed = r#""behaviour":"lawful""#;
    let (text, ruling) = (r#""behaviour":"against-text""#, r#""behaviour":"against-ruling""#);
    let parts = r#""behaviour":{"lawful":"a","against-text":"b"}"#;
    for fits in [text, ruling, parts] {
        assert_eq!(run(edited_single(EPISODE, weighed, fits)), [], "{fits}");
    }
    check(EPISODE, weighed, r#""behaviour":{"lawful":"a"}"#, EPISODE, at, "");
    check(EPISODE, &format!("{weighed},"), "", EPISODE, "/rulings/0", "\"behaviour\" is a required property");
    let mut files = edited_single(EPISODE, weighed, ruling);
    let said = files.get_mut(EPISODE).unwrap();
    *said = said.replacen(r#""stands":"silent""#, r#""stands":"says""#, 1);
    expect(&run(files), EPISODE, at, "and the text says it");
    // The second ruling is not an erratum; until a case rests on it, it cannot be one.
    let second = |files: &mut BTreeMap<String, String>| {
        let text = files.get_mut(EPISODE).unwrap();
        *text = text.replace(weighed, r#""behaviour":"against-text""#);
    };
    let mut files = edited_single(ONE, "ruling EP-5", "spec");
    second(&mut files);
    assert!(run(files).iter().all(|finding| !finding.to_string().contains("is not an erratum")));
    let mut files = single();
    second(&mut files);
    expect(&run(files), EPISODE, "/rulings/1/behaviour", "and is not an erratum");
}
