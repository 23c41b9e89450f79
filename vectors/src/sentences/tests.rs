//! Each fault of a register is found: a small whole one, one fault at a time.

use serde_json::{Value, json};

use super::*;
use crate::store::Store;

/// A case that is accepted; with something to compare, or not.
fn accepted(name: &str, agreement: &str) -> (String, String) {
    case(name, &json!({"is": "accept", "out": {"advice": []}}), agreement)
}

fn rejected(name: &str) -> (String, String) {
    case(name, &json!({"is": "reject", "codes": ["reply/code-shape"]}), "verdict")
}

fn case(name: &str, expect: &Value, agreement: &str) -> (String, String) {
    let id = format!("reply/{name}");
    let place = json!({"document": "d", "section": "s"});
    let case = json!({
        "id": id, "op": "reply.code", "spec": place, "force": "spec", "rationale": "r", "flags": [], "provenance": "hand",
        "in": {"code": {"text": "x"}}, "expect": expect, "agreement": agreement,
    });
    (format!("vectors/{id}.json"), case.to_string())
}

fn law(slug: &str, section: &str, more: (&str, Value)) -> (String, String) {
    let mut law = json!({
        "slug": slug, "title": "t", "statement": "s", "spec": {"document": "d", "section": section}, "origin": "text",
        "position": 1,
    });
    law[more.0] = more.1;
    (format!("contracts/laws/{slug}.json"), law.to_string())
}

/// Two laws with cases, one that nothing can judge, and one of another system that rests on a place of the same document.
fn corpus() -> Corpus {
    let asked = || ("operations", json!(["reply.code"]));
    let files = [
        law("reply/code-shape", "s", asked()),
        law("reply/code-unique", "nowhere", asked()),
        law("canon/form", "bytes", asked()),
        law("reply/enforced", "s", ("unjudged", json!("It leaves no trace."))),
        rejected("code-shape/no-hyphen"),
        rejected("code-shape/two-hyphens"),
        accepted("code-shape/a-code", "located"),
        accepted("code-shape/another-code", "verdict"),
        rejected("code-unique/twice"),
        rejected("code-unique/thrice"),
    ];
    let corpus = Corpus::load(&Store::memory(files.iter().map(|(path, text)| (path.as_str(), text.as_str()))));
    assert!(corpus.errors.is_empty(), "{:?}", corpus.errors);
    corpus
}

fn whole() -> Value {
    json!({
        "system": "reply",
        "documents": [{
            "title": "d", "version": null, "sha256": null, "note": "n",
            "places": [
                {"section": "s", "about": "a", "sentences": [
                    {"n": 1, "says": "form", "laws": ["reply/code-shape"]},
                    {"n": 2, "says": "both", "laws": ["reply/code-shape", "reply/code-unique"], "cases": ["twice", "hyphen"]},
                    {"n": 3, "says": "review", "laws": ["reply/enforced"]},
                    {"n": 4, "says": "taste", "unjudged": "Taste leaves no trace."},
                ]},
                {"section": "heading", "about": "a", "sentences": []},
            ],
        }],
        "beyond": [{"law": "reply/code-unique", "why": "w"}],
    })
}

fn register(file: &Value) -> Register {
    Register::new(&[serde_json::from_value(file.clone()).unwrap()], &corpus())
}

/// The whole register without the law beyond it, which a sentence names.
fn sound() -> Value {
    let mut file = whole();
    file["beyond"] = json!([]);
    file
}

/// A change of the sound register, and what is found then.
#[track_caller]
fn finds(change: impl FnOnce(&mut Value), expected: &[&str]) {
    let mut file = sound();
    change(&mut file);
    assert_eq!(register(&file).faults(), expected);
}

/// A change of one sentence.
#[track_caller]
fn finds_in(n: usize, change: impl FnOnce(&mut Value), expected: &str) {
    let expected = format!("d, s, sentence {n}: {expected}");
    finds(|file| change(&mut file["documents"][0]["places"][0]["sentences"][n - 1]), &[&expected]);
}

#[test]
fn a_whole_register_counts_what_holds_each_sentence() {
    let register = register(&sound());
    assert_eq!(register.faults(), [""; 0]);
    let counts: Vec<_> = register.rows.iter().map(|row| (row.counts.cases, row.counts.can_fail)).collect();
    // Of code-shape's four cases the one that is accepted, with nothing compared, cannot fail.
    assert_eq!(counts, [(4, 3), (3, 3), (0, 0), (0, 0)]);
    let laws: Vec<_> = register.rows[1].laws.iter().map(|law| (law.law.as_str(), law.counts.cases)).collect();
    assert_eq!(laws, [("reply/code-shape", 2), ("reply/code-unique", 1)]);
    let reasons: Vec<_> = register.rows.iter().map(|row| row.unjudged.as_deref()).collect();
    assert_eq!(reasons, [None, None, Some("It leaves no trace."), Some("Taste leaves no trace.")]);
}

#[test]
fn a_law_has_a_sentence_or_a_reason() {
    finds(
        |file| file["documents"][0]["places"][0]["sentences"][2] = json!({"n": 3, "says": "x", "unjudged": "y"}),
        &["reply/enforced: no sentence names it"],
    );
    finds(
        |file| {
            let bytes = json!({"section": "bytes", "about": "a", "sentences": []});
            file["documents"][0]["places"].as_array_mut().unwrap().push(bytes);
        },
        &["canon/form: no sentence names it"],
    );
    finds(|file| *file = whole(), &["reply/code-unique: a sentence names it, and it is beyond all"]);
    finds(
        |file| file["beyond"] = json!([{"law": "reply/input", "why": "w"}]),
        &["reply: no law is called reply/input"],
    );
}

#[test]
fn a_sentence_has_a_law_or_a_reason() {
    finds_in(4, |sentence| *sentence = json!({"n": 4, "says": "x"}), "no law holds it, and no reason says why");
    finds_in(1, |sentence| sentence["unjudged"] = json!("y"), "laws hold it, and a reason says why none does");
    finds(
        |file| file["documents"][0]["places"][0]["sentences"][3]["n"] = json!(5),
        &["d, s, sentence 5: number 4 is due"],
    );
}

#[test]
fn what_a_sentence_names_is_there() {
    finds_in(
        1,
        |sentence| sentence["laws"] = json!(["reply/code-shape", "reply/code-shpae"]),
        "no law is called reply/code-shpae",
    );
    finds_in(
        2,
        |sentence| sentence["cases"] = json!(["twice", "hyphen", "dash", "unique/t"]),
        "no case has dash in its name",
    );
    finds_in(2, |sentence| sentence["cases"] = json!(["hyphen", "a-code"]), "no case of reply/code-unique judges it");
}

#[test]
fn a_sentence_has_enough_cases_or_says_why_not() {
    finds_in(
        2,
        |sentence| sentence["cases"] = json!(["no-hyphen", "twice", "another-code"]),
        "2 cases that can fail hold it, and 3 are due",
    );
    finds_in(1, |sentence| sentence["thin"] = json!("y"), "it is not thin");
    finds_in(4, |sentence| sentence["thin"] = json!("y"), "it is not thin");
    let mut file = sound();
    let sentence = &mut file["documents"][0]["places"][0]["sentences"][1];
    (sentence["cases"], sentence["thin"]) = (json!(["no-hyphen", "twice"]), json!("y"));
    assert_eq!(register(&file).faults(), [""; 0]);
}

#[test]
fn a_document_is_registered_as_a_whole() {
    finds(
        |file| drop(file["documents"][0]["places"][1].as_object_mut().unwrap().remove("sentences")),
        &["d, heading: no sentences are registered"],
    );
    let mut file = whole();
    for place in file["documents"][0]["places"].as_array_mut().unwrap() {
        drop(place.as_object_mut().unwrap().remove("sentences"));
    }
    assert_eq!(register(&file).faults(), ["reply: laws beyond sentences that are not registered"]);
    assert!(register(&file).rows.is_empty());
    file["beyond"] = json!([]);
    assert_eq!(register(&file).faults(), [""; 0]);
}
