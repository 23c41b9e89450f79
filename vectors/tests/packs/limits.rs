//! Stated limits of the verifier, at their edges.

use assize_packs::pack::RECEIPTS;
use assize_verifier::{
    episode::{Phase, contract, limits},
    finding::Severity,
};

use super::{
    bad_input::{exceeds, fails, matches},
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

/// A pack with so many lines that are not receipts.
fn lines(count: usize) -> Memory {
    let mut pack = scenes::tool_like();
    pack.put(RECEIPTS, "0\n".repeat(count));
    relist(&mut pack);
    pack.into()
}

#[test]
fn the_number_of_receipts() {
    exceeds(&lines(limits::RECEIPTS + 1), Phase::Pack, RECEIPTS);
    let found = fails(&lines(limits::RECEIPTS), Phase::Pack, RECEIPTS);
    assert!(found.findings.iter().all(|found| found.finding.code != Some("A_LIMIT")), "each line was read");
}

#[test]
fn the_number_of_steps() {
    let codes = |count: usize| {
        let steps = vec!["0"; count].join(",");
        contract(format!("{{\"replay_script\":{{\"steps\":[{steps}]}}}}").as_bytes()).unwrap_err().codes()
    };
    assert_eq!(codes(limits::STEPS), ["A_SCHEMA"]);
    assert_eq!(codes(limits::STEPS + 1), ["A_LIMIT"]);
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
