use assize_corpus::{agreement::Judgement, store::Store};

use super::*;
use DriftKind::{ChangedClass, Stale, UnexpectedPass, Unmatched};

const LAW: &str = r#"{"slug":"canon/episode","title":"t","statement":"s","spec":{"document":"d","section":"s"},
    "origin":"text","position":1,"operations":["canon.bytes"],"retired":["canon/episode/gone"],
    "renamed":{"canon/old/a":"canon/episode/a","canon/old/b":"canon/episode/b","canon/old/none":"canon/episode/none"}}"#;

/// A suite of these ids, none of which loads: the file looks at ids alone.
fn suite(ids: &[&str]) -> Suite {
    let files = ids.iter().map(|id| (format!("vectors/{id}.json"), "{"));
    let suite =
        Suite::load(&Store::memory(files.chain([("contracts/laws/canon/episode.json".to_owned(), LAW)]))).unwrap();
    assert_eq!(suite.len(), ids.len(), "{:?}", suite.faults);
    suite
}

fn results(outcomes: &[(&str, Outcome)]) -> Vec<CaseResult> {
    let one = |(id, outcome): &(&str, Outcome)| CaseResult {
        id: (*id).to_owned(),
        judgement: Judgement::noted(*outcome, "n"),
        rationale: String::new(),
        took: None,
    };
    outcomes.iter().map(one).collect()
}

/// A file with one entry for each class and list of patterns, which stand in lines 2, 7, 12 and so on.
fn file(entries: &[(&str, &str)]) -> Expectations {
    let entry = |(outcome, cases): &(&str, &str)| {
        format!("[[failure]]\ncases = [{cases}]\noutcome = '{outcome}'\nreason = 'r'\nlink = 'l'\n")
    };
    let text: String = entries.iter().map(entry).collect();
    Expectations::parse("known.toml", text.as_bytes()).unwrap()
}

const IDS: [&str; 5] = ["canon/episode/a", "canon/episode/a-b", "canon/episode/b", "reply/codes/a", "reply/codes/b"];

type Seen<'s> = (DriftKind, usize, Option<&'s str>);

#[track_caller]
fn check(
    entries: &[(&str, &str)],
    outcomes: &[(&str, Outcome)],
    statuses: &[(&str, Expectation)],
    drifts: &[Seen<'_>],
) -> ExpectationsInfo {
    let (got, info) = file(entries).apply(&suite(&IDS), &results(outcomes)).unwrap();
    let got: Vec<_> = got.iter().map(|(id, status)| (id.as_str(), *status)).collect();
    assert_eq!(got, statuses);
    let seen: Vec<Seen<'_>> = info.drifts.iter().map(|it| (it.kind, it.line, it.case.as_deref())).collect();
    assert_eq!(seen, drifts, "{:#?}", info.drifts);
    assert_eq!(info.expected, statuses.iter().filter(|(_, status)| *status == Expectation::Expected).count());
    assert_eq!(info.entries, entries.len());
    info
}

#[test]
fn failures_are_expected_by_class() {
    let info = check(
        &[("WRONG-OUTPUT", "'canon/episode/a', 'canon/episode/a-b'"), ("CRASH", "'reply'")],
        &[
            ("canon/episode/a", Outcome::WrongOutput),
            ("canon/episode/a-b", Outcome::WrongCode),
            ("canon/episode/b", Outcome::Fault),
            ("reply/codes/a", Outcome::Crash),
            ("reply/codes/b", Outcome::Crash),
        ],
        &[
            ("canon/episode/a", Expectation::Expected),
            ("canon/episode/a-b", Expectation::Unexpected),
            ("canon/episode/b", Expectation::Unexpected),
            ("reply/codes/a", Expectation::Expected),
            ("reply/codes/b", Expectation::Expected),
        ],
        &[(ChangedClass, 2, Some("canon/episode/a-b"))],
    );
    let drift = &info.drifts[0];
    assert_eq!(drift.pattern, "canon/episode/a-b");
    assert!(drift.message.contains("WRONG-OUTPUT") && drift.message.contains("is WRONG-CODE"), "{drift:?}");
}

#[test]
fn a_pass_among_failures_is_named_and_a_pattern_without_failures_is_stale() {
    check(
        &[("CRASH", "'canon/*'"), ("CRASH", "'reply/codes/?'")],
        &[
            ("canon/episode/a", Outcome::Pass),
            ("canon/episode/a-b", Outcome::Crash),
            ("canon/episode/b", Outcome::Pass),
            ("reply/codes/a", Outcome::Pass),
            ("reply/codes/b", Outcome::Pass),
        ],
        &[
            ("canon/episode/a", Expectation::Stale),
            ("canon/episode/a-b", Expectation::Expected),
            ("canon/episode/b", Expectation::Stale),
            ("reply/codes/a", Expectation::Stale),
            ("reply/codes/b", Expectation::Stale),
        ],
        &[(UnexpectedPass, 2, Some("canon/episode/a")), (UnexpectedPass, 2, Some("canon/episode/b")), (Stale, 7, None)],
    );
}

#[test]
fn what_was_not_asked_says_nothing() {
    let silent = [("canon/episode/a", Outcome::NotRun), ("canon/episode/b", Outcome::NotApplicable)];
    check(&[("CRASH", "'canon/episode'")], &silent, &[], &[]);
    check(&[("CRASH", "'canon/episode'")], &[("reply/codes/a", Outcome::Pass)], &[], &[]);
    // The rest of the pattern passes: stale as far as this run can tell, and the message says how far that is.
    let info = check(
        &[("CRASH", "'canon/episode'")],
        &[("canon/episode/a", Outcome::NotRun), ("canon/episode/b", Outcome::Pass)],
        &[("canon/episode/b", Expectation::Stale)],
        &[(Stale, 2, None)],
    );
    assert!(info.drifts[0].message.contains("1 of 3 cases"), "{info:?}");
}

#[test]
fn a_failure_of_another_class_keeps_a_pattern_from_being_stale() {
    check(
        &[("CRASH", "'reply/codes'")],
        &[("reply/codes/a", Outcome::Timeout), ("reply/codes/b", Outcome::Pass)],
        &[("reply/codes/a", Expectation::Unexpected), ("reply/codes/b", Expectation::Stale)],
        &[(UnexpectedPass, 2, Some("reply/codes/b")), (ChangedClass, 2, Some("reply/codes/a"))],
    );
}

#[test]
fn a_pattern_that_names_nothing_is_unmatched() {
    let info = check(
        &[("CRASH", "'reply/code/a'"), ("CRASH", "'canon/episode/gone'"), ("CRASH", "'zz*', 'reply/codes/a'")],
        &[("reply/codes/a", Outcome::Crash)],
        &[("reply/codes/a", Expectation::Expected)],
        &[(Unmatched, 2, None), (Unmatched, 7, None), (Unmatched, 12, None)],
    );
    let messages: Vec<_> = info.drifts.iter().map(|drift| drift.message.as_str()).collect();
    assert!(messages[0].contains("did you mean reply/codes/a"), "{messages:?}");
    assert!(messages[1].contains("retired"), "{messages:?}");
    assert!(messages[2].contains("correct or remove"), "{messages:?}");
}

#[test]
fn a_former_id_names_its_case() {
    for patterns in ["'canon/old'", "'canon/old/*'", "'canon/old/a', 'canon/old/?'", "'canon/old/a', 'canon/episode/b'"]
    {
        check(
            &[("CRASH", patterns)],
            &[("canon/episode/a", Outcome::Crash), ("canon/episode/b", Outcome::Crash)],
            &[("canon/episode/a", Expectation::Expected), ("canon/episode/b", Expectation::Expected)],
            &[],
        );
    }
    check(
        &[("CRASH", "'canon/old/none'"), ("CRASH", "'canon/ol'")],
        &[],
        &[],
        &[(Unmatched, 2, None), (Unmatched, 7, None)],
    );
}

#[test]
fn patterns_of_one_entry_may_overlap() {
    check(
        &[("CRASH", "'canon/episode', 'canon/episode/a'")],
        &[
            ("canon/episode/a", Outcome::Pass),
            ("canon/episode/b", Outcome::Timeout),
            ("canon/episode/a-b", Outcome::Crash),
        ],
        &[
            ("canon/episode/a", Expectation::Stale),
            ("canon/episode/a-b", Expectation::Expected),
            ("canon/episode/b", Expectation::Unexpected),
        ],
        &[(UnexpectedPass, 2, Some("canon/episode/a")), (ChangedClass, 2, Some("canon/episode/b")), (Stale, 2, None)],
    );
}

#[test]
fn two_entries_for_one_case_are_an_error_even_where_it_was_not_asked() {
    let file = file(&[("CRASH", "'reply/codes', 'canon/episode/b'"), ("CRASH", "'canon/*'")]);
    let error = file.apply(&suite(&IDS), &[]).unwrap_err();
    assert_eq!(
        error.to_string(),
        r#"known.toml:7:10: "canon/*" names canon/episode/b, and so does "canon/episode/b" in line 2"#
    );
    assert!(error.help().contains("one entry"));
}

#[test]
fn a_large_file_over_a_large_suite_gets_few_hints() {
    let ids: Vec<String> = (0..600).map(|n| format!("canon/law-{}/case-{n:04}", n % 5)).collect();
    let suite = suite(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    let one = |n: usize| match n % 3 {
        0 => format!("'{}'", ids[n]),
        1 => format!("'*/case-{n:04}'"),
        _ => format!("'canon/law-{}/gone-{n:04}'", n % 5),
    };
    let cases: Vec<String> = (0..90).map(one).collect();
    let file = file(&[("CRASH", &cases.join(", "))]);
    let all: Vec<_> = ids.iter().map(|id| (id.as_str(), Outcome::Crash)).collect();
    let results = results(&all);
    let (statuses, info) = file.apply(&suite, &results).unwrap();
    assert_eq!((statuses.len(), info.expected, info.drifts.len()), (600, 60, 30));
    let hints = info.drifts.iter().filter(|drift| drift.message.contains("did you mean")).count();
    assert_eq!(hints, 10, "each hint looks at every id");
}
