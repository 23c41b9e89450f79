//! What typed results say beyond the answer of an operation: held to the documents of a run, and to what went in.

use assize_verifier::{
    authority::{self, Assumed, Inputs, Layout, Level, Reading, Run, replay},
    finding::{Finding, Severity},
};
use serde_json::{Value, json};

use super::forge::payload;
use super::tampering::Ledger;

/// A run over three interpretations. Costs are those of ruling AU-30: ten for an assumption, five more for each
/// further holder, one for a code point of the summary.
fn run(source: &str, max_interpretations: usize, max_nodes: usize, max_steps: usize) -> Run {
    let inputs = json!({
        "run_id": "r",
        "seed_text": "seed",
        "pin": null,
        "policy": {
            "max_interpretations": max_interpretations, "max_nodes": max_nodes, "max_depth": 3,
            "contradiction_budget": 1, "max_steps": max_steps,
        },
        "interpretations": [
            {"name": "dear", "assumptions": ["a", "b"], "intent_summary": "123456"},
            {"name": "middle", "assumptions": ["c", "a"], "intent_summary": "12345"},
            {"name": "cheap", "assumptions": ["d", "e"], "intent_summary": "1"},
        ],
        "ts_base": "T",
        "proposal_source": source,
    });
    authority::run(&Inputs::parse(inputs.to_string().as_bytes()).unwrap())
}

fn value(text: &[u8]) -> Value {
    serde_json::from_slice(text).unwrap()
}

fn places(findings: &[Finding]) -> Vec<(&'static str, &str)> {
    findings.iter().map(|finding| (finding.law.slug(), finding.pointer.as_str())).collect()
}

#[test]
fn candidates_in_their_order_and_how_many_are_kept() {
    let run = run("llm", 2, 9, 9);
    let found: Vec<_> = run.candidates().iter().map(|one| (one.name.as_str(), one.cost, one.kept)).collect();
    assert_eq!(found, [("cheap", 21, true), ("middle", 30, true), ("dear", 31, false)]);
}

/// The last record's payload is the object of all artefacts.
#[test]
fn artefacts_are_those_of_the_last_record() {
    let run = run("llm", 2, 9, 9);
    let last = value(run.records().last().unwrap());
    let artifacts = run.artifacts().iter().map(|(name, text)| ((*name).to_owned(), value(text)));
    assert_eq!(last["payload"], Value::Object(artifacts.collect()));
    let names: Vec<_> = run.artifacts().iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["blueprint", "verification"]);
}

/// The report of a refusal says why, and what the caller may do.
#[test]
fn a_refusal_gives_the_reasons_of_its_report() {
    let run = run("llm", 2, 9, 1);
    let report = value(&run.artifacts()[0].1);
    assert_eq!(json!(run.reason_codes().collect::<Vec<_>>()), report["reason_codes"]);
    assert_eq!(json!(run.policy_suggestions().collect::<Vec<_>>()), report["policy_suggestions"]);
    assert_eq!(report["reason_codes"].as_array().unwrap().len(), 1);
}

#[test]
fn a_golden_counts_nodes_by_kind() {
    let run = run("llm", 2, 9, 9);
    let golden = run.golden().unwrap();
    let kinds: Vec<_> = golden.node_kinds.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
    assert_eq!(kinds, [("assumption", 2), ("interpretation", 1), ("seed", 1)]);
    assert_eq!((golden.node_count, golden.edge_count, golden.interpretation.as_str()), (4, 3, "cheap"));
}

/// Rulings AU-22, AU-23 and AU-33: accepted, with a warning. A run has four nodes here and five steps.
#[test]
fn limits_that_do_not_bind_and_unknown_sources_are_warned_of() {
    for source in ["llm", "retrieval", "heuristic"] {
        assert_eq!(places(run(source, 2, 4, 5).advisories()), []);
    }
    let run = run("oracle", 2, 3, 4);
    let expected = [
        ("authority/policy-bounds", "/policy/max_nodes"),
        ("authority/policy-bounds", "/policy/max_steps"),
        ("authority/proposal-boundary", "/proposal_source"),
    ];
    assert_eq!(places(run.advisories()), expected);
    assert!(run.advisories().iter().all(|finding| finding.severity == Severity::Warning));
}

/// Ruling AU-37: kinds that are not declared get ids all the same, and are told of.
#[test]
fn kinds_that_are_not_declared_are_told_of() {
    let ops = json!([
        {"node": {"kind": "claim", "payload": 1}}, {"node": {"kind": "wish", "payload": 2}},
        {"edge": {"kind": "refines", "from": 0, "to": 1}}, {"edge": {"kind": "hopes", "from": 0, "to": 1}},
    ]);
    let report = authority::dag("r", ops.to_string().as_bytes()).unwrap();
    assert!(report.results.iter().all(Result::is_ok));
    let law = "authority/dag-invariants";
    assert_eq!(places(&report.findings), [(law, "/1/node/kind"), (law, "/3/edge/kind")]);
}

/// A chain that holds is cut after its last record, or has a record too many: that of index 5, however many follow it.
#[test]
fn where_a_run_is_cut_and_where_it_is_too_long() {
    for count in [0, 1, 2, 4, 6, 7, 9_000] {
        let ledger = Ledger::new((0..count).map(payload), Layout::Lines);
        let found = replay(ledger.text.as_slice(), &Assumed::default(), &Reading::default()).unwrap();
        let breach = found.outcome.unwrap_err();
        let (record, offset) = if count > 5 { (5, ledger.records[5].start) } else { (count, ledger.text.len()) };
        assert_eq!((breach.level, breach.record, breach.offset), (Level::Derivation, record, offset as u64), "{count}");
        assert_eq!(places(&[breach.finding]), [("authority/run-records", format!("/{record}").as_str())]);
    }
}

/// Of a record that does not continue the chain, what stands there and what would have to.
#[test]
fn what_is_stored_and_what_is_expected() {
    let ledger = Ledger::new((0..3).map(payload), Layout::Array);
    let hash = |record: usize| std::str::from_utf8(&ledger.text[ledger.members[record][6].clone()]).unwrap();
    let text = std::str::from_utf8(&ledger.text).unwrap();
    let text = text.replacen(&format!(r#""parent":"{}""#, hash(1)), r#""parent":null"#, 1);
    let breach = authority::chain(text.as_bytes(), &Reading::default()).unwrap().breach.unwrap();
    assert_eq!(places(&[breach.finding]), [("authority/parent-linkage", "/2/parent")]);
    assert_eq!((breach.stored.as_deref(), breach.expected), (Some("null"), Some(format!("\"{}\"", hash(1)))));
}
