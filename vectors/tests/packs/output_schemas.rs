//! Output schemas: which are applied, what of a trace they notice, and where. A breach is told of, and decides nothing
//! (ruling EP-31).
//!
//! Whether a value breaks a schema is what the draft-07 specification says of its keywords.

use assize_packs::{
    Episode, Outcome, Stage,
    canon::{hash, sha256},
    step,
};
use assize_verifier::{
    episode::{Numbers, Options, Verdict, Verification, limits, verify},
    law::Law,
};
use serde_json::json;

use super::{
    bad_input::{CONTRACT, matches},
    consistency::OPTIONS,
    memory::Memory,
};

const TRACE: &str = "recorded_traces/out.json";

/// One input, and one output with this schema.
fn episode(schema: &str, trace: &str) -> Episode {
    let mut emit = step::emit("out", "list", "in");
    emit["output_schema"] = serde_json::from_str(schema).unwrap();
    let outcome = Outcome::pass(serde_json::from_str(trace).unwrap());
    Episode::new(&[("seed", "0\n")], [(step::load("in", "seed"), Outcome::pass(json!(0))), (emit, outcome)])
}

/// Where the trace is remarked on; at its root where the schema was not applied.
fn remarks(found: &Verification) -> Vec<&str> {
    let remarks = found.findings.iter().filter(|found| found.finding.law == Law::named("episode/replay-comparison"));
    let places = remarks.map(|found| {
        assert_eq!(found.file, TRACE);
        found.finding.pointer.as_str()
    });
    places.collect()
}

/// The same of a pack with this schema and this trace, both without white space.
fn noticed(schema: &str, trace: &str) -> Vec<String> {
    let episode = episode(schema, trace);
    let mut pack = episode.sealed();
    // As the schema is counted.
    pack.put(CONTRACT, episode.contract.to_string());
    pack.put(TRACE, trace);
    remarks(&matches(&Memory::from(pack))).into_iter().map(str::to_owned).collect()
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
    for (schema, number, breaks) in [
        (r#"{"minimum":2}"#, "1.5", true),
        (r#"{"minimum":1}"#, "1.5", false),
        (r#"{"maximum":-2}"#, "-1.5", true),
        (r#"{"multipleOf":3}"#, "10", true),
        (r#"{"multipleOf":3}"#, "-9", false),
        (r#"{"multipleOf":0.5}"#, "1.25", true),
        // Less than any double, and not 0 all the same.
        (r#"{"multipleOf":1}"#, "1e-400", true),
        (r#"{"multipleOf":1}"#, "0e-400", false),
        (r#"{"const":2}"#, "3", true),
        (r#"{"enum":[2.0,5]}"#, "2", false),
    ] {
        let expected: &[&str] = if breaks { &["/0"] } else { &[] };
        assert_eq!(noticed(&format!(r#"{{"items":{schema}}}"#), &format!("[{number}]")), expected, "{schema} {number}");
    }
}

/// In the number form of the public tool integers of any size stand in a trace; no double holds these two.
#[test]
fn integers_are_not_rounded() {
    for (limit, number) in
        [("1.8446744073709552e19", "18446744073709551615"), ("-9007199254740992.0", "-9007199254740993")]
    {
        for (keyword, breaks) in [("exclusiveMaximum", false), ("minimum", true)] {
            let schema = format!(r#"{{"items":{{"{keyword}":{limit}}}}}"#);
            let trace = format!("[{number}]");
            let episode = episode(&schema, &trace);
            let mut pack = episode.planted(Stage::Written, |pack| {
                let hashed = format!("sha256:{}", sha256(trace.as_bytes()));
                let (out, close) = (pack.step("out"), pack.close());
                pack.set(close, "outputs_hash", hash(&json!([{"step_id": "out", "output_hash": hashed}])));
                pack.set(out, "output_hash", hashed);
            });
            pack.put(TRACE, trace.as_str());
            let found = verify(&Memory::from(pack), &Options { numbers: Numbers::Assay, ..OPTIONS }).unwrap();
            assert_eq!(found.verdict, Verdict::Match, "{:?}", found.findings);
            let expected: &[&str] = if breaks { &["/0"] } else { &[] };
            assert_eq!(remarks(&found), expected, "{schema} {number}");
        }
    }
}

#[test]
fn patterns_are_applied() {
    assert_eq!(noticed(r#"{"items":{"pattern":"^a[0-9]+$"}}"#, r#"["a1","b1"]"#), ["/1"]);
}
