use assize_verifier::{episode::StepState, finding::Finding, json::JsonPointer, law::Law};

use super::*;

/// A verification with nothing in it.
fn bare(verdict: Verdict, phase: Phase) -> Verification {
    Verification {
        verdict,
        phase,
        episode_claim: (verdict != Verdict::IntegrityFail).then_some(true),
        steps_replayed: 0,
        steps_matched: 0,
        divergences: Vec::new(),
        findings: Vec::new(),
        replay_result: "{}".to_owned(),
        details: "{}".to_owned(),
        steps: Vec::<StepState>::new(),
        signer: None,
        attested_claim: None,
    }
}

fn finding(file: &str, pointer: &str, severity: Severity) -> PackFinding {
    let finding =
        Finding::error(Law::named("episode/completeness"), JsonPointer::from_text(pointer), "is \u{1b}[2Jwrong");
    let finding = if severity == Severity::Warning { finding.as_warning() } else { finding.with_code("A_VALUE") };
    PackFinding { file: file.to_owned(), finding }
}

#[test]
fn a_match_says_what_it_does_not_pin() {
    let mut found = bare(Verdict::Match, Phase::Replay);
    (found.steps_replayed, found.steps_matched) = (3, 3);
    (found.episode_claim, found.signer) = (Some(false), Some("ab".repeat(32)));
    found.attested_claim = Some("N/A".to_owned());
    let wanted = format!(
        "\
run\\n1
  phase 1  script validation   passed
  phase 2  pack integrity      passed
  phase 3  completeness        passed
  phase 4  replay comparison   passed: 3 of 3 traces match

MATCH: run\\n1: receipt_integrity PASS, claim_check PASS
  episode claim  FAIL: not every step passed when it was recorded; the verdict does not depend on that
  pack's claims  N/A as attested; the verdict does not depend on that
  signer         {signer}
  warning: any key may sign a pack; whoever signs it anew gets the same verdict. Pin the key with --signer.
",
        signer = "ab".repeat(32)
    );
    assert_eq!(episode("run\n1", &found, &[], false, Paint::Plain), wanted);
    let pinned = episode("run\n1", &found, &[], true, Paint::Plain);
    assert!(pinned.ends_with("abab, as demanded\n"), "{pinned}");
}

#[test]
fn an_integrity_failure_stops_where_it_is_and_errors_come_first() {
    let mut found = bare(Verdict::IntegrityFail, Phase::Completeness);
    found.findings = vec![
        finding("a.json", "", Severity::Warning),
        finding("receipt_pack.jsonl", "/3/output_hash", Severity::Error),
    ];
    let wanted = "\
p
  phase 1  script validation   passed
  phase 2  pack integrity      passed
  phase 3  completeness        failed
  phase 4  replay comparison   not reached

1 error
  receipt_pack.jsonl /3/output_hash: is \\u{1b}[2Jwrong (episode/completeness) [A_VALUE]

1 warning
  a.json: is \\u{1b}[2Jwrong (episode/completeness)

INTEGRITY_FAIL: p: receipt_integrity FAIL, claim_check N/A
  episode claim  not judged
";
    assert_eq!(episode("p", &found, &[], false, Paint::Plain), wanted);
}

#[test]
fn a_divergence_is_explained_by_what_the_pack_holds() {
    let divergence = |step_id: &str, vanishes| Divergence {
        step_id: step_id.to_owned(),
        expected: "sha256:11".to_owned(),
        observed: "sha256:22".to_owned(),
        tier: "A",
        vanishes_under_other_form: vanishes,
    };
    let place = |pointer: &str, expected: Option<&str>| crate::cli::difference::Difference {
        pointer: pointer.to_owned(),
        expected: expected.map(ToOwned::to_owned),
        observed: Some("2".to_owned()),
    };
    let differences =
        crate::cli::difference::Differences { places: vec![place("/a/0", Some("1")), place("", None)], more: true };
    let input = Source::Input { reference: "nums\u{7}.json".to_owned() };
    let explained = [
        Explained {
            recorded: Some(input.clone()),
            against: Some(input),
            differences: Some(differences),
            trace: Some("2".to_owned()),
            trace_is: None,
        },
        Explained::default(),
        Explained {
            recorded: Some(Source::Assertion { assertion_passed: true }),
            trace_is: Some(Source::Assertion { assertion_passed: false }),
            ..Explained::default()
        },
        Explained { trace: Some("[2]".to_owned()), ..Explained::default() },
    ];
    let found = [divergence("in", false), divergence("n", true), divergence("ok", false), divergence("x", false)];
    let wanted = "
4 divergences
  in
    expected sha256:11
    observed sha256:22
    the receipt stands for the input nums\\u{7}.json as it lies in the pack
    the trace parts from the input nums\\u{7}.json as it lies in the pack at
      /a/0: 1 there, 2 in the trace
      the document: nothing there, 2 in the trace
      and other places
  n
    expected sha256:11
    observed sha256:22
    the hashes agree if numbers are written in the other form: see --numbers; the output is the same
  ok
    expected sha256:11
    observed sha256:22
    the receipt stands for {\"assertion_passed\":true}
    the trace holds {\"assertion_passed\":false}
  x
    expected sha256:11
    observed sha256:22
    what the receipt stands for is not in the pack: only its hash is
    trace [2]
";
    assert_eq!(divergences(&found, &explained, Paint::Plain), wanted);
}

#[test]
fn what_is_too_much_is_counted() {
    let found = vec![finding("f", "/0", Severity::Error); LONG + 7];
    let shown = findings(&found, Paint::Plain);
    assert_eq!(shown.matches("is \\u{1b}[2Jwrong").count(), LONG);
    assert!(shown.ends_with("  and 7 more, all of them in the JSON document\n"), "{shown}");
    let mut long = finding("f", "/0", Severity::Error);
    long.finding.message = "ü".repeat(10_000);
    let shown = findings([&long], Paint::Plain);
    assert_eq!(shown, format!("\n1 error\n  f /0: {}... (episode/completeness) [A_VALUE]\n", "ü".repeat(600)));
}

#[test]
fn errors_of_a_divergence_are_told_once() {
    let mut found = bare(Verdict::Diverge, Phase::Replay);
    found.findings = vec![finding("recorded_traces/s.json", "", Severity::Error), finding("x", "", Severity::Warning)];
    let shown = episode("p", &found, &[], false, Paint::Plain);
    assert!(shown.contains("1 warning\n  x: ") && !shown.contains("1 error"), "{shown}");
}
