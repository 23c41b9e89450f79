//! Rules about a case among its neighbours.

use super::*;

#[test]
fn ids() {
    check(GOOD_LAW, "float-ban/good-law", "float-ban/goodlaw", "/id", "the id is");
    check(GOOD_LAW, "float-ban/good-law", "float-ban/bad-law", "/id", "which another file holds");
    for name in ["Good", "good--law", "good_law", "-good", "deep/good"] {
        let path = format!("vectors/sovereign/float-ban/{name}.json");
        let mut files = corpus();
        files.insert(path.clone(), files[GOOD_LAW].clone());
        expect(&run(files), &path, "/id", "no id");
    }
}

#[test]
fn flags_provenance_and_rows() {
    check(GOOD_LAW, "FloatSpelling", "NoSuchFlag", "/flags/0", "no flag NoSuchFlag");
    check(GOOD_LAW, r#"["FloatSpelling"]"#, r#"["FloatSpelling","FloatSpelling"]"#, "/flags/1", "comes twice");
    check(GOOD_LAW, "ruling NUM-02", "comparator", "/provenance", "reference mode alone");
    check(GOOD_LAW, "ruling NUM-02", "ruling NUM-03", "/provenance", "no row NUM-03");
    check(GOOD_LAW, "ruling NUM-02", "verifier", "/provenance", "does not match");
    check(GOOD_LAW, r#""rows":["NUM-02"]"#, r#""rows":["NUM-99"]"#, "/rows/0", "no row NUM-99");
    check(GOOD_LAW, r#"["NUM-02"]"#, r#"["NUM-02","NUM-02"]"#, "/rows", "twice");
}

#[test]
fn twins() {
    let twin = r#""twin":"sovereign/float-ban/good-law","#;
    check(BAD_LAW, twin, "", "", "names no twin");
    check(BAD_REFERENCE, r#""twin":"sovereign/float-ban/good-reference","#, "", "", "expects reject and names no twin");
    check(BAD_LAW, "good-law", "gone-law", "/twin", "no vector");
    check(BAD_LAW, "good-law", "bad-law", "/twin", "the case itself");
    check(BAD_LAW, "good-law", "good-reference", "/twin", "asks another question");
    check(BAD_LAW, r#"{"text":"1.0"}"#, r#"{"json":1}"#, "/twin", "the very same input");
    check_in(GOOD_LAW, "EQUIVALENT", "DIVERGENT", BAD_LAW, "/twin", "expects DIVERGENT");
}

#[test]
fn pairs() {
    check(GOOD_LAW, "good-reference", "gone", "/pair", "no vector");
    check(GOOD_LAW, "good-reference", "bad-reference", "/pair", "in return");
    check(GOOD_LAW, r#"{"text":"1"}"#, r#"{"text":"1 "}"#, "/pair", "other input");
    check(GOOD_LAW, r#""bundle_a":{"text":"{}"}"#, r#""bundle_a":{"base64":"e30K"}"#, "/pair", "other input");
    check(GOOD_LAW, r#""mode":"law""#, r#""mode":"reference""#, "/pair", "not the other mode");
    let mut files = corpus();
    for path in [BAD_LAW, BAD_REFERENCE] {
        let text = files.get_mut(path).unwrap();
        *text = text.replace(r#""rows":["NUM-02"],"#, "");
    }
    expect(&run(files), BAD_LAW, "/pair", "outside the errata");
}
