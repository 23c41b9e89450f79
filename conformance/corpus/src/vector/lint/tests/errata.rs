//! Rules about errata of a system with one mode.

use super::*;

const ONE: &str = "vectors/episode/receipt-chain/one.json";

/// The corpus with a law of another system, a case that rests on a ruling, and the erratum that lists it.
fn single() -> BTreeMap<String, String> {
    let mut files = corpus();
    let place = r#"{"document":"d","section":"s"}"#;
    let erratum = r#"{"id":"EP-04","system":"episode","document":"d","sections":["s"],"text":"t","code":"c","ruling":{"law":"l"},"vectors":{"law":["episode/receipt-chain/one"]}}"#;
    for (path, text) in [
        (
            ONE,
            format!(
                r#"{{"id":"episode/receipt-chain/one","op":"canon.bytes","args":{{"profile":"jcs"}},"spec":{place},"rationale":"r","flags":[],"provenance":"ruling EP-4","in":{{"doc":{{"text":"1"}}}},"expect":{{"is":"accept"}},"agreement":"verdict"}}"#
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
    ] {
        files.insert(path.to_owned(), text);
    }
    let text = files.get_mut(ERRATA).unwrap();
    *text = text.replacen(r#"],"rows""#, &format!(r#",{erratum}],"rows""#), 1);
    files
}

/// Replaces `from` in one file; some finding then lies in `file` at `pointer` and says `message`.
fn check(edited: &str, from: &str, to: &str, file: &str, pointer: &str, message: &str) {
    let mut files = single();
    let text = files.get_mut(edited).unwrap();
    assert!(text.contains(from), "{from} does not occur in {edited}");
    *text = text.replacen(from, to, 1);
    expect(&run(files), file, pointer, message);
}

#[test]
fn of_one_mode() {
    assert_eq!(run(single()), []);
    let listed = r#""law":["episode/receipt-chain/one"]}"#;
    let none = r#""law":[]}"#;
    check(ERRATA, listed, none, ERRATA, "/errata/1/vectors/law", "EP-04 lists no vector");
    // The spelling of the number does not matter.
    check(ERRATA, listed, none, ONE, "/provenance", "rests on the ruling of EP-04");
    let excluded = format!(r#"{listed},"excluded":"cannot be""#);
    check(ERRATA, listed, &excluded, ERRATA, "/errata/1/excluded", "says that there can be none");
    check(ERRATA, "receipt-chain/one", "receipt-chain/gone", ERRATA, "/errata/1/vectors/law/0", "no vector episode/");
    let other = r#""law":["sovereign/float-ban/bad-law"]}"#;
    check(ERRATA, listed, other, ERRATA, "/errata/1/vectors/law/0", "is of another system");
}

#[test]
fn excluded() {
    let mut files = single();
    let text = files.get_mut(ERRATA).unwrap();
    *text = text.replacen(r#""law":["episode/receipt-chain/one"]}"#, r#""law":[]},"excluded":"cannot be""#, 1);
    let text = files.get_mut(ONE).unwrap();
    *text = text.replacen("ruling EP-4", "ruling EP-5", 1);
    assert_eq!(run(files), []);
}

/// A ruling may decide a case of another system, which the register of the ruling's own need not list.
#[test]
fn another_system() {
    let mut files = single();
    let text = files.get_mut(GOOD_LAW).unwrap();
    assert!(text.contains("ruling NUM-02"));
    *text = text.replacen("ruling NUM-02", "ruling EP-4", 1);
    assert_eq!(run(files), []);
}

/// Reference mode has a ruling and cases in a system of two modes, and in no other.
#[test]
fn reference() {
    let ruling = r#""ruling":{"law":"l"}"#;
    check(
        ERRATA,
        ruling,
        r#""ruling":{"law":"l","reference":"r"}"#,
        ERRATA,
        "/errata/1/ruling/reference",
        "False schema",
    );
    let listed = r#""law":["episode/receipt-chain/one"]"#;
    let both = format!(r#"{listed},"reference":[]"#);
    check(ERRATA, listed, &both, ERRATA, "/errata/1/vectors/reference", "False schema");
    check(ERRATA, r#","reference":"r""#, "", ERRATA, "/errata/0/ruling", "\"reference\" is a required property");
    let pairs = r#","reference":["sovereign/float-ban/bad-reference"]"#;
    check(ERRATA, pairs, "", ERRATA, "/errata/0/vectors", "\"reference\" is a required property");
    // The erratum of one system does not speak for a row of the other.
    let rows = r#""rows":{"NUM-02":{"modes":"differ"}"#;
    let more = r#""rows":{"NUM-02":{"modes":"differ"},"EP-04":{"modes":"differ"}"#;
    check(ERRATA, rows, more, ERRATA, "/rows/EP-04", "no erratum says so");
}
