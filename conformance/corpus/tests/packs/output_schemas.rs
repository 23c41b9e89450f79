//! Output schemas: which are applied, what of a trace they notice, and where. A breach is told of, and decides nothing
//! (`facts/episode.md` ruling 31).
//!
//! Whether a value breaks a schema is what the draft-07 specification says of its keywords.

use assize_packs::{Episode, Outcome, step};
use assize_verifier::{episode::limits, law::Law};
use serde_json::json;

use crate::{
    bad_input::{CONTRACT, matches},
    memory::Memory,
};

const TRACE: &str = "recorded_traces/out.json";

/// Where a trace is remarked on; its root where the schema was not applied. Both as their compact texts.
fn noticed(schema: &str, trace: &str) -> Vec<String> {
    let mut emit = step::emit("out", "list", "in");
    emit["output_schema"] = serde_json::from_str(schema).unwrap();
    let outcome = Outcome::pass(serde_json::from_str(trace).unwrap());
    let episode =
        Episode::new(&[("seed", "0\n")], [(step::load("in", "seed"), Outcome::pass(json!(0))), (emit, outcome)]);
    let mut pack = episode.sealed();
    // Without white space, so that the schema is as long as its compact text.
    pack.put(CONTRACT, episode.contract.to_string());
    pack.put(TRACE, trace);
    let remarks = matches(&Memory::from(pack)).findings;
    let remarks = remarks.into_iter().filter(|found| found.finding.law == Law::ReplayComparison);
    let places = remarks.map(|found| {
        assert_eq!(found.file, TRACE);
        found.finding.pointer.as_str().to_owned()
    });
    places.collect()
}

/// A schema is applied as long as its length and that of the trace multiply to the limit at most.
#[test]
fn the_work_of_an_output_schema() {
    const LENGTH: usize = 1 << 14;
    assert_eq!((LENGTH * LENGTH) as u64, limits::SCHEMA_WORK);
    let schema = |filling: usize| json!({"description": "d".repeat(filling), "items": {"type": "number"}}).to_string();
    let schema = schema(LENGTH - schema(0).len());
    let trace = |length: usize| json!(["x".repeat(length - r#"[""]"#.len())]).to_string();
    assert_eq!(noticed(&schema, &trace(LENGTH)), ["/0"], "applied");
    assert_eq!(noticed(&schema, &trace(LENGTH + 1)), [""], "not applied");
}

/// Wherever the reference stands, and even where nothing follows it.
#[test]
fn a_schema_that_refers_to_a_schema_is_not_applied() {
    let number = json!({"type": "number"});
    let refers = json!({"properties": {"n": {"$ref": "#/definitions/number"}}});
    let schemas = [
        json!({"properties": {"n": number}}),
        json!({"definitions": {"number": number}, "properties": refers["properties"]}),
        json!({"definitions": {"number": number}, "allOf": [true, refers]}),
        json!({"properties": {"n": number}, "examples": [[{"$ref": 7}]]}),
    ];
    let places = schemas.map(|schema| noticed(&schema.to_string(), r#"{"n":"x"}"#));
    assert_eq!(places, [["/n"], [""], [""], [""]]);
}

#[test]
fn numbers_are_judged_as_they_stand() {
    for (schema, trace, places) in [
        (r#"{"minimum":18446744073709551615}"#, "18446744073709551614", true),
        (r#"{"minimum":18446744073709551615}"#, "18446744073709551615", false),
        (r#"{"maximum":-9007199254740993}"#, "-9007199254740992", true),
        (r#"{"maximum":-9007199254740993}"#, "-9007199254740993", false),
        (r#"{"minimum":2}"#, "1.5", true),
        (r#"{"minimum":1}"#, "1.5", false),
        (r#"{"maximum":-2}"#, "-1.5", true),
        (r#"{"multipleOf":3}"#, "10", true),
        (r#"{"multipleOf":3}"#, "-9", false),
        (r#"{"multipleOf":0.5}"#, "1.25", true),
        (r#"{"const":2}"#, "3", true),
        (r#"{"enum":[2.0,5]}"#, "2", false),
    ] {
        let expected: &[&str] = if places { &["/0"] } else { &[] };
        assert_eq!(noticed(&format!(r#"{{"items":{schema}}}"#), &format!("[{trace}]")), expected, "{schema} {trace}");
    }
}

#[test]
fn patterns_are_applied() {
    assert_eq!(noticed(r#"{"items":{"pattern":"^a[0-9]+$"}}"#, r#"["a1","b1"]"#), ["/1"]);
}
