//! Stated limits of the verifier, at their edges.

use assize_packs::{Episode, Outcome, pack::RECEIPTS, step};
use assize_verifier::{
    episode::{Phase, contract, limits},
    finding::Severity,
    law::Law,
};
use serde_json::json;

use crate::{
    bad_input::{CONTRACT, exceeds, fails, matches},
    consistency::errors,
    memory::Memory,
    scenes::{self, relist},
};

#[test]
fn one_receipt() {
    let padded = |length: usize| {
        let mut pack = scenes::tool_like();
        let text = pack.text(RECEIPTS).to_owned();
        let (first, rest) = text.split_once('\n').unwrap();
        let blank = " ".repeat(length - first.len());
        pack.put(RECEIPTS, format!("{{{blank}{}\n{rest}", first.strip_prefix('{').unwrap()));
        relist(&mut pack);
        Memory::from(pack)
    };
    matches(&padded(limits::RECEIPT_BYTES));
    exceeds(&padded(limits::RECEIPT_BYTES + 1), Phase::Pack, RECEIPTS);
}

/// A pack with so many lines that are no receipts.
fn lines(count: usize) -> Memory {
    let mut pack = scenes::tool_like();
    pack.put(RECEIPTS, "0\n".repeat(count));
    relist(&mut pack);
    pack.into()
}

#[test]
fn the_number_of_receipts() {
    exceeds(&lines(limits::RECEIPTS + 1), Phase::Pack, RECEIPTS);
}

#[test]
fn the_number_of_steps() {
    let steps = vec!["0"; limits::STEPS + 1].join(",");
    let refused = contract(format!("{{\"replay_script\":{{\"steps\":[{steps}]}}}}").as_bytes()).unwrap_err();
    assert_eq!(refused.codes(), ["A_LIMIT"]);
}

/// Each line is an error; beyond the limit they are counted in one more finding, which is of no file.
#[test]
fn the_number_of_findings() {
    let found = fails(&lines(limits::FINDINGS + 5), Phase::Pack, RECEIPTS);
    assert_eq!(errors(&found), limits::FINDINGS);
    let of_no_file: Vec<_> = found.findings.iter().filter(|found| found.file.is_empty()).collect();
    assert_eq!(of_no_file.len(), 1);
    assert_eq!(of_no_file[0].finding.severity, Severity::Warning);
    let few = fails(&lines(1), Phase::Pack, RECEIPTS);
    assert!(few.findings.iter().all(|found| !found.file.is_empty()));
}

/// An output schema that a trace breaks at `/0`: applied as long as their lengths multiply to the limit at most.
#[test]
fn the_work_of_an_output_schema() {
    const LENGTH: usize = 1 << 14;
    assert_eq!((LENGTH * LENGTH) as u64, limits::SCHEMA_WORK);
    let noticed = |length: usize| {
        let item = "x".repeat(length - r#"[""]"#.len());
        let schema = |filling: usize| json!({"description": "d".repeat(filling), "items": {"type": "number"}});
        let mut emit = step::emit("out", "list", "in");
        emit["output_schema"] = schema(LENGTH - schema(0).to_string().len());
        let episode = Episode::new(
            &[("seed", "0\n")],
            [(step::load("in", "seed"), Outcome::pass(json!(0))), (emit, Outcome::pass(json!([item.clone()])))],
        );
        let mut pack = episode.sealed();
        // Without white space, so that the schema is as long as its compact text.
        pack.put(CONTRACT, episode.contract.to_string());
        pack.put("recorded_traces/out.json", json!([item]).to_string());
        let found = matches(&Memory::from(pack)).findings;
        let found = found.into_iter().filter(|found| found.finding.law == Law::ReplayComparison);
        found.map(|found| (found.file, found.finding.pointer.as_str().to_owned())).collect::<Vec<_>>()
    };
    let at = |pointer: &str| vec![("recorded_traces/out.json".to_owned(), pointer.to_owned())];
    assert_eq!(noticed(LENGTH), at("/0"), "applied");
    assert_eq!(noticed(LENGTH + 1), at(""), "not applied");
}
