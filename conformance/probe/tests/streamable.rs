//! The probe over Streamable HTTP: the fixture behind a listener, each fault of its transport caught by its rule.

use std::{collections::BTreeSet, sync::atomic::AtomicBool, time::Duration};

use assize_probe::{
    Options, Report,
    http::{Client, Limits},
    probe,
    report::Verdict,
    revision::{REVISIONS, STREAMABLE},
    rules::{Force, RULES},
};

use crate::{
    fixture::FAULTS,
    listener::{CARRIAGE, Listener, Manner},
};

static STOP: AtomicBool = AtomicBool::new(false);
/// A limit that must not expire.
const LONG: Duration = Duration::from_secs(300);

fn revisions() -> impl Iterator<Item = &'static str> {
    REVISIONS.into_iter().filter(|revision| *revision >= STREAMABLE)
}

fn asked(listener: &Listener, revisions: Vec<String>, limits: Limits) -> Report {
    let mut client = Client::new(&listener.url(), limits, &STOP).unwrap();
    probe(&mut client, &Options { yes: true, revisions, ..Options::default() })
}

fn probed(manner: Manner, revision: &str) -> Report {
    let limits = Limits { first: LONG, later: LONG, longest: 1 << 20 };
    asked(&Listener::start(manner), vec![revision.to_owned()], limits)
}

fn broken(report: &Report) -> BTreeSet<&str> {
    report.findings.iter().filter(|finding| finding.force != Force::Note).map(|finding| finding.rule.as_str()).collect()
}

#[test]
fn nothing_is_found_without_a_fault() {
    for streams in [false, true] {
        for revision in revisions() {
            let report = probed(Manner { streams, ..Manner::default() }, revision);
            assert_eq!(broken(&report), BTreeSet::new(), "{revision}: {:#?}", report.findings);
            assert_eq!(report.verdict, Verdict::Conforms, "{revision}: {report:#?}");
            let spoken = &report.conversations[0];
            assert_eq!((spoken.spoken.as_deref(), spoken.tools, spoken.calls), (Some(revision), 2, 4), "{revision}");
            let ended = if revision < "2026-07-28" {
                "a DELETE of the session was answered by status 204"
            } else {
                "there was no session to end"
            };
            assert_eq!(spoken.ended, ended, "{revision}");
        }
    }
}

#[test]
fn every_fault_of_the_transport_is_caught_by_its_rule_and_by_no_other() {
    let mut wrong = Vec::new();
    for &(fault, rule, shows) in CARRIAGE {
        for revision in revisions() {
            let report = probed(Manner { fault, ..Manner::default() }, revision);
            let found = broken(&report);
            let due: BTreeSet<&str> =
                (shows.0 <= revision && revision <= shows.1).then_some(rule).into_iter().collect();
            if found != due {
                wrong.push(format!("{fault} at {revision}: {found:?}, and not {due:?}: {:#?}", report.findings));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for row in RULES.iter().filter(|row| row.rule.starts_with("http-")) {
        for revision in revisions().filter(|revision| row.stands_in(revision)) {
            let shows =
                CARRIAGE.iter().any(|(_, rule, shows)| *rule == row.rule && shows.0 <= revision && revision <= shows.1);
            assert!(shows, "no fault of {} shows at {revision}", row.rule);
        }
    }
}

#[test]
fn faults_of_messages_are_found_as_over_pipes() {
    // Of those that hang or die there is nothing to compare.
    let named =
        ["both", "id-as-text", "latin1", "no-text-copy", "unknown-as-result", "flagged-success", "one-trace-id"];
    for fault in FAULTS.iter().filter(|fault| named.contains(&fault.name)) {
        for streams in [false, true] {
            let manner = Manner { server: fault.name, envelopes: fault.envelopes, streams, ..Manner::default() };
            let report = probed(manner, "2025-11-25");
            assert_eq!(broken(&report), [fault.rule].into(), "{}: {:#?}", fault.name, report.findings);
        }
    }
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let soon = Duration::from_millis(1);
    let limits = Limits { first: soon, later: soon, longest: 1 << 20 };
    let report =
        asked(&Listener::start(Manner { fault: "silent", ..Manner::default() }), vec![STREAMABLE.to_owned()], limits);
    assert_eq!(report.verdict, Verdict::Unusable, "{report:#?}");
}

#[test]
fn no_more_is_read_than_a_message_may_have() {
    for (fault, streams) in [("endless", false), ("endless", true)] {
        let report = probed(Manner { fault, streams, ..Manner::default() }, "2025-06-18");
        assert_eq!(report.verdict, Verdict::Incomplete, "{report:#?}");
        let note = report.conversations[0].note.as_deref();
        assert_eq!(note, Some("a line is longer than is taken"), "{report:#?}");
    }
}

#[test]
fn nothing_is_followed_to_another_place() {
    let elsewhere = Listener::start(Manner::default());
    let led = Listener::start(Manner { redirects: Some(elsewhere.url()), ..Manner::default() });
    let limits = Limits { first: LONG, later: LONG, longest: 1 << 20 };
    let report = asked(&led, vec![STREAMABLE.to_owned()], limits);
    assert_eq!(report.verdict, Verdict::Unusable, "{report:#?}");
    assert_eq!(elsewhere.asked(), 0);
}
