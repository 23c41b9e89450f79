//! Each planted fault is caught by its rule, and nothing is found without one.

use std::collections::BTreeSet;

use assize_probe::{
    Options, probe,
    report::Verdict,
    revision::REVISIONS,
    rules::{Force, RULES},
};

use crate::{
    fixture::{FAULTS, faults::Fault},
    support::{fixtures, probed},
};

/// The rules that a probe finds broken, without what is only noted.
fn broken(fault: &'static str, envelopes: bool, revision: &str) -> BTreeSet<String> {
    let report = probed(fixtures(fault, envelopes), revision);
    let found = report.findings.iter().filter(|finding| finding.force != Force::Note);
    found.map(|finding| finding.rule.clone()).collect()
}

#[test]
fn nothing_is_found_without_a_fault() {
    for envelopes in [false, true] {
        for revision in REVISIONS {
            let report = probed(fixtures("", envelopes), revision);
            let notes: Vec<_> =
                report.findings.iter().map(|finding| (finding.rule.as_str(), finding.force, finding.times)).collect();
            let owed: &[_] = if envelopes { &[] } else { &[("reply/envelope-carried", Force::Note, 1)] };
            assert_eq!(notes, owed, "{revision}: {:#?}", report.findings);
            assert_eq!(report.verdict, Verdict::Conforms, "{revision}: {report:#?}");
            assert!(report.not_judged.is_empty() && report.not_called.is_empty(), "{revision}: {report:#?}");
            let spoken = &report.conversations[0];
            assert_eq!((spoken.spoken.as_deref(), spoken.tools, spoken.calls), (Some(revision), 2, 4), "{revision}");
            assert_eq!(report.envelopes.carried, if envelopes { 2 } else { 0 });
        }
    }
}

#[test]
fn every_planted_fault_is_caught_by_its_rule_and_by_no_other() {
    let names: BTreeSet<_> = FAULTS.iter().map(|fault| fault.name).collect();
    assert_eq!(names.len(), FAULTS.len(), "a name is given twice");
    let mut wrong = Vec::new();
    for Fault { name, rule, besides, envelopes, shows } in FAULTS {
        for revision in REVISIONS {
            let found = broken(name, *envelopes, revision);
            let shows = shows.0 <= revision && revision <= shows.1;
            let allowed: BTreeSet<&str> = besides.iter().copied().chain([*rule]).collect();
            if found.contains(*rule) != shows {
                wrong.push(format!(
                    "{name} at {revision}: {rule} {}, {found:?}",
                    if shows { "is missed" } else { "is found" }
                ));
            }
            if found.iter().any(|rule| !allowed.contains(rule.as_str())) {
                wrong.push(format!("{name} at {revision}: found besides: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_has_a_fault_that_shows_wherever_the_rule_stands() {
    // What is broken over HTTP alone is planted behind a listener.
    for row in RULES.iter().filter(|row| !row.rule.starts_with("http-")) {
        for revision in REVISIONS.into_iter().filter(|revision| row.stands_in(revision)) {
            let shows =
                |fault: &Fault| fault.rule == row.rule && fault.shows.0 <= revision && revision <= fault.shows.1;
            assert!(FAULTS.iter().any(shows), "no fault of {} shows at {revision}", row.rule);
        }
    }
    let laws = [
        "result-sound",
        "envelope-carried",
        "content-present",
        "flag-agrees",
        "schema-covers-envelope",
        "no-protocol-error",
        "trace-distinct",
    ];
    for law in laws {
        assert!(FAULTS.iter().any(|fault| fault.rule == format!("reply/{law}")), "no fault breaks reply/{law}");
    }
}

#[test]
fn a_trace_id_is_compared_over_all_conversations() {
    let options = Options { yes: true, ..Options::default() };
    let report = probe(&mut fixtures("one-trace-id", true), &options);
    let times: u64 = report
        .findings
        .iter()
        .filter(|finding| finding.rule == "reply/trace-distinct")
        .map(|finding| finding.times)
        .sum();
    // Ten answers carry it, and the first is none too many.
    assert_eq!((report.envelopes.carried, times), (10, 9), "{:#?}", report.findings);
}

#[test]
fn what_is_not_read_only_is_not_called_without_leave() {
    let report = probe(&mut fixtures("", false), &Options::default());
    // Annotations come with the second revision.
    let calls: Vec<_> = report.conversations.iter().map(|conversation| conversation.calls).collect();
    assert_eq!(calls, [0, 4, 4, 4, 4, 0]);
    let why: BTreeSet<_> = report.not_called.iter().map(|left| left.why.as_str()).collect();
    assert_eq!(why, ["not annotated read-only: --yes calls it"].into());
}

#[test]
fn forces_decide_the_verdict() {
    let verdict = |fault| probed(fixtures(fault, false), "2025-11-25").verdict;
    assert_eq!(verdict("no-text-copy"), Verdict::Conforms);
    assert_eq!(verdict("sum-as-text"), Verdict::Violates);
    assert_eq!(verdict("refuses-versions"), Verdict::Conforms);
    assert_eq!(verdict("silent"), Verdict::Incomplete);
    // Who ends at a line that is not JSON breaks a SHOULD, and nothing is left to be asked.
    assert_eq!(verdict("dies-of-nonsense"), Verdict::Conforms);
    assert_eq!(verdict("silent-and-chatty"), Verdict::Violates);
    assert_eq!(probed(fixtures("status-of-another", true), "2025-11-25").verdict, Verdict::Violates);
}
