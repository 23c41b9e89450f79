//! `contracts/authority/tables`.

use assize_verifier::{
    authority::{Inputs, Outcome, Reading, Run, dag, end, run, version},
    canon::{Profile, canonicalize},
    digest::Digest,
};
use serde_json::{Map, Value, json};

use super::{rows, text, texts};

/// A lawful policy with room for everything.
fn policy() -> Map<String, Value> {
    let bounds = rows("authority", "policy-bounds").into_iter();
    bounds.map(|row| (text(&row, "field"), Value::from(row["least"].as_u64().expect("a number") + 100))).collect()
}

fn inputs(change: impl Fn(&mut Value)) -> Value {
    let mut inputs = json!({
        "run_id": "r", "seed_text": "tea", "pin": null, "ts_base": "T0", "policy": policy(),
        "interpretations": [{"name": "a", "assumptions": ["x"], "intent_summary": "s"}],
    });
    change(&mut inputs);
    inputs
}

fn parsed(inputs: &Value) -> Option<Inputs> {
    Inputs::parse(inputs.to_string().as_bytes()).ok()
}

fn ran(change: impl Fn(&mut Value)) -> Run {
    run(&parsed(&inputs(change)).expect("lawful inputs"))
}

fn records(run: &Run) -> Vec<Value> {
    run.records().map(|record| serde_json::from_slice(record).expect("JSON")).collect()
}

fn names(object: &Value) -> Vec<String> {
    let mut names: Vec<_> = object.as_object().expect("an object").keys().cloned().collect();
    names.sort();
    names
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

fn canonical(value: &Value) -> Vec<u8> {
    canonicalize(Profile::Authority, value.to_string().as_bytes()).expect("a form").as_slice().to_vec()
}

#[test]
fn records_have_their_members_and_hash_some() {
    let record =
        end(b"[]".as_slice(), &Reading::default()).expect("an end").append("t", "note", b"[1]").expect("a form");
    let record: Value = serde_json::from_slice(&record).expect("JSON");
    assert_eq!(names(&record), sorted(texts("authority", "evidence-record", "member")));
    let hashed = rows("authority", "evidence-record").into_iter().filter(|row| row["hashed"] == true);
    let hashed: Map<_, _> = hashed.map(|row| (text(&row, "member"), record[&text(&row, "member")].clone())).collect();
    assert_eq!(record["record_hash"], Digest::of(&canonical(&hashed.into())).to_hex());
}

#[test]
fn policies_are_bounded() {
    for row in rows("authority", "policy-bounds") {
        let (field, least) = (text(&row, "field"), row["least"].as_i64().expect("a number"));
        let with = |value: i64| parsed(&inputs(|inputs| inputs["policy"][&field] = value.into())).is_some();
        assert!(with(least) && !with(least - 1), "{row}");
        let without = inputs(|inputs| drop(inputs["policy"].as_object_mut().map(|policy| policy.remove(&field))));
        assert!(parsed(&without).is_none(), "{row}");
    }
    for row in rows("authority", "policy-texts") {
        let with =
            |value: &str| parsed(&inputs(|inputs| inputs["policy"][&text(&row, "field")] = value.into())).is_some();
        assert!(with(&text(&row, "text")) && !with("other") && parsed(&inputs(|_| {})).is_some(), "{row}");
    }
}

#[test]
fn refusals_say_why_in_order() {
    let member = |holds: &str| {
        let rows = rows("authority", "refusal-report");
        text(rows.iter().find(|row| row["holds"] == holds).expect("a row"), "member")
    };
    let (reason_codes, policy_suggestions) = (member("codes"), member("suggestions"));
    // Nothing is proposed, and no step is allowed but the least.
    let run = ran(|inputs| {
        inputs["interpretations"] = json!([]);
        inputs["policy"]["max_steps"] = 1.into();
    });
    let report = records(&run).last().expect("a record")["payload"]["refusal"].clone();
    assert_eq!(names(&report), sorted(texts("authority", "refusal-report", "member")));
    let given = rows("authority", "refusals").into_iter().filter(|row| row["limit"] != "contradiction_budget");
    let given: Vec<_> = given.collect();
    let suggestions: Vec<_> = given.iter().map(|row| row["suggestion"].clone()).collect();
    assert_eq!(report[&policy_suggestions], Value::from(suggestions));
    let codes = report[&reason_codes].as_array().expect("codes");
    let codes: Vec<_> = codes.iter().map(|code| code.as_str().unwrap().split(':').next().unwrap()).collect();
    assert_eq!(codes, given.iter().map(|row| row["reason"].as_str().unwrap()).collect::<Vec<_>>());
    let contradicted = ran(|inputs| {
        let one = |name: &str| json!({"name": name, "assumptions": ["x"], "intent_summary": "s"});
        inputs["interpretations"] = json!([one("a"), one("b")]);
        inputs["policy"]["contradiction_budget"] = 0.into();
    });
    let rows = rows("authority", "refusals");
    let row = rows.iter().find(|row| row["limit"] == "contradiction_budget").expect("a row");
    let report = records(&contradicted).last().expect("a record")["payload"]["refusal"].clone();
    assert_eq!(report[&reason_codes][0], format!("{}:1>0", text(row, "reason")));
    assert_eq!(report[&policy_suggestions][0], row["suggestion"]);
}

#[test]
fn kinds_of_the_graph_are_declared_and_bound() {
    let undeclared = |ops: &Value| dag("r", ops.to_string().as_bytes()).expect("a list").findings.len();
    for kind in texts("authority", "node-kinds", "kind") {
        let node = |kind: &str| json!([{"node": {"kind": kind, "payload": 0}}]);
        assert_eq!((undeclared(&node(&kind)), undeclared(&node(&format!("{kind}s")))), (0, 1), "{kind}");
    }
    let node = json!({"node": {"kind": texts("authority", "node-kinds", "kind")[0], "payload": 0}});
    let other = json!({"node": {"kind": texts("authority", "node-kinds", "kind")[0], "payload": 1}});
    for row in rows("authority", "edge-kinds") {
        let edge = |from: u8, to: u8| json!({"edge": {"kind": row["kind"], "from": from, "to": to}});
        let ops = json!([node, other, edge(0, 0), edge(0, 1), edge(1, 0)]);
        let report = dag("r", ops.to_string().as_bytes()).expect("a list");
        assert_eq!(report.findings.len(), 0, "{row}");
        assert_eq!(
            (report.results[2].is_ok(), report.results[4].is_ok()),
            (row["loops"] == true, row["cycles"] == true)
        );
    }
}

#[test]
fn runs_leave_their_records_and_artefacts() {
    let refused = ran(|inputs| inputs["interpretations"] = json!([]));
    for (run, outcome) in [(ran(|_| {}), Outcome::Success), (refused, Outcome::Refusal)] {
        assert_eq!(run.outcome(), outcome);
        let due: Vec<_> =
            rows("authority", "run-records").into_iter().filter(|row| row["outcome"] == outcome.name()).collect();
        let records = records(&run);
        assert_eq!(records.len(), due.len());
        for (record, row) in records.iter().zip(due) {
            assert_eq!(record["kind"], row["kind"]);
            let members = row["payload"].as_array().expect("a list").iter().map(|one| one.as_str().unwrap().to_owned());
            assert_eq!(names(&record["payload"]), sorted(members.collect()), "{row}");
        }
    }
    let blueprint = records(&ran(|_| {})).last().expect("a record")["payload"]["blueprint"].clone();
    assert_eq!(blueprint["invariants"], json!(texts("authority", "dag-invariants", "invariant")));
}

#[test]
fn sources_are_declared() {
    for source in texts("authority", "proposal-sources", "source") {
        let advisories = |source: &str| ran(|inputs| inputs["proposal_source"] = source.into()).advisories().len();
        assert_eq!((advisories(&source), advisories(&format!("{source}s"))), (0, 1), "{source}");
    }
}

#[test]
fn goldens_lock_their_members() {
    let members: Map<_, _> = texts("authority", "goldens", "member").into_iter().map(|name| (name, 1.into())).collect();
    let places = |golden: &Map<String, Value>| {
        let release = |version: &str| json!({"version": version, "goldens": {"g": golden}, "artifact_fields": {}});
        let change = json!({"earlier": release("1.0.0"), "later": release("1.0.1"), "documented": true});
        let found = version(change.to_string().as_bytes()).expect("a change of version");
        found.into_iter().map(|one| (one.law.slug(), one.pointer.as_str().to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(places(&members), []);
    for missing in members.keys() {
        let mut golden = members.clone();
        golden.remove(missing);
        assert_eq!(places(&golden), [("authority/goldens", format!("/later/goldens/g/{missing}"))]);
    }
}
