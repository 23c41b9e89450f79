//! The kernel target reaches what its operations can say, and the verifier gives the oracle's answers.
//!
//! `ASSIZE_RUNS` sets the number of scenarios (default 2,000), `ASSIZE_SEED` the stream. With fewer than about 2,000 some
//! answers are too rare for the tests. A scenario is run once in Python and some dozens of times in memory.

mod registry;

use std::collections::BTreeMap;

use assize_fuzzing::oracles::kernel::{Outcome, agree, outputs, run, within};
use assize_fuzzing::oracles::steps::{in_any_order, one_by_one, operations};
use assize_fuzzing::target::Target;
use assize_fuzzing::targets::KernelScenario;
use assize_inputs::seed::noise;
use assize_verifier::kernel::{Issues, MemoryHome, Report};
use serde_json::{Value, json};

use crate::stream::setting;

fn ran(operations: &str) -> Report {
    match run(&mut MemoryHome::default(), operations.as_bytes()) {
        Outcome::Ran(report) => report,
        other => panic!("{other:?}"),
    }
}

#[test]
fn scenarios_reach_every_answer_and_are_answered_alike() {
    let mut tally: BTreeMap<String, u64> = BTreeMap::new();
    let mut count = |what: String| *tally.entry(what).or_default() += 1;
    let first = setting("ASSIZE_SEED", 1) << 32;
    for seed in 0..setting("ASSIZE_RUNS", 2_000) {
        let octets = noise(first + seed, (seed % 1_024) as usize);
        let input = KernelScenario::decode(&octets).expect("every string stands for a scenario");
        KernelScenario::check(&input).unwrap_or_else(|why| panic!("{why}\n{}", input.operations.escape_ascii()));
        count(format!("settled {}", input.settled));
        match run(&mut MemoryHome::default(), &input.operations) {
            Outcome::Refused(codes) => codes.into_iter().for_each(&mut count),
            Outcome::Failed(_) => count("failed".to_owned()),
            Outcome::Ran(report) => {
                for step in &report.steps {
                    count(format!("{} {:?}", step.op, step.outcome));
                    step.issues.as_slice().iter().for_each(|issue| count(format!("{} {}", step.op, issue.code)));
                }
            }
        }
    }
    let stages = ["stage_triplet", "stage_deletions", "validate_links", "promote", "finish_run", "execute_turn"];
    let others = [
        "authorize_tool_call",
        "compare_runs",
        "read_triplet",
        "emit_event",
        "validate_triplet",
        "resolve_capability",
        "start_run",
        "replay_run",
        "write_trace_artifacts",
    ];
    // What reading references refuses is too rare for a number.
    let mut due = vec!["read_refs Some(Pass)".to_owned()];
    for op in stages.into_iter().chain(others) {
        due.push(format!("{op} Some(Pass)"));
        due.push(format!("{op} Some(Fail)"));
    }
    due.extend(["crash None", "write_file None", "remove_path None", "make_dir None"].map(str::to_owned));
    due.extend(["A_INPUT", "A_JSON", "settled true", "settled false"].map(str::to_owned));
    for (op, codes) in [
        ("stage_triplet", &["E_BASE_SHAPE_INVALID_MANIFEST_VALUE", "E_CANONICALIZATION_ERROR"][..]),
        ("validate_links", &["E_LSI_ORPHAN_REFERENCE"]),
        (
            "promote",
            &[
                "I_PROMOTION_PASS",
                "I_REF_MULTISOURCE",
                "E_LSI_PROMOTION_FAILED",
                "E_LSI_CORRUPT_RECORD",
                "E_TOMBSTONE_INVALID",
            ],
        ),
        (
            "execute_turn",
            &[
                "E_BASE_SHAPE_MISSING_RUN_ID",
                "E_BASE_SHAPE_INVALID_MANIFEST_VALUE",
                "E_BASE_SHAPE_INVALID_BODY_VALUE",
                "E_BASE_SHAPE_INVALID_LINKS_VALUE",
                "E_BASE_SHAPE_INVALID_REFERENCE",
                "E_DTO_LINKS_UNKNOWN_KEY",
                "E_DTO_LINKS_WRONG_CONTAINER_SHAPE",
                "E_TYPED_REF_MISMATCH",
                "E_RELATIONSHIP_INCOMPATIBLE",
                "E_RELATIONSHIP_CARDINALITY_VIOLATION",
                "E_POLICY_RAW_ID_FORBIDDEN",
                "E_DETERMINISM_VIOLATION",
                "E_LSI_ORPHAN_REFERENCE",
                "E_CAPABILITY_DENIED",
                "I_CAPABILITY_SKIPPED",
            ],
        ),
        (
            "authorize_tool_call",
            &["E_CAPABILITY_NOT_RESOLVED", "E_SIDE_EFFECT_UNDECLARED", "E_PERMISSION_DENIED", "E_CAPABILITY_DENIED"],
        ),
        ("compare_runs", &["E_REPLAY_EQUIVALENCE_FAILED"]),
        ("emit_event", &["E_BASE_SHAPE_INVALID_MANIFEST_VALUE"]),
        ("resolve_capability", &["I_CAPABILITY_SKIPPED", "E_BASE_SHAPE_INVALID_MANIFEST_VALUE"]),
        ("write_trace_artifacts", &["E_BASE_SHAPE_INVALID_MANIFEST_VALUE", "E_CANONICALIZATION_ERROR"]),
        ("replay_run", &["E_REPLAY_EQUIVALENCE_FAILED", "E_REPLAY_INPUT_MISSING", "E_REPLAY_VERSION_MISMATCH"]),
        ("start_run", &["E_BASE_SHAPE_INVALID_MANIFEST_VALUE"]),
        ("validate_triplet", &["E_BASE_SHAPE_INVALID_MANIFEST_VALUE", "E_CANONICALIZATION_ERROR"]),
    ] {
        due.extend(codes.iter().map(|code| format!("{op} {code}")));
    }
    for what in due {
        let times = tally.get(&what).copied().unwrap_or_default();
        assert!(times >= 3, "{what}: {times} times in {tally:#?}");
    }
}

const SCENARIO: &str = r#"[
    {"op":"stage_triplet","run_id":"r","turn_id":"turn-0001","stem":"a","body":{"dto_type":"skill","id":"x"},"links":{},"manifest":{}},
    {"op":"stage_triplet","run_id":"r","turn_id":"turn-0001","stem":"b","body":{},"links":{"k":{"type":"skill","id":"x"}},"manifest":{}},
    {"op":"crash","run_id":"r","turn_id":"turn-0001","at":"build"},
    {"op":"promote","run_id":"r","turn_id":"turn-0001"},
    {"op":"promote","run_id":"r","turn_id":"turn-0003"}
]"#;

/// A verifier that answers wrongly is caught: another outcome, issue, record or order, a member that is missing, a crash.
#[test]
fn a_wrong_answer_is_a_disagreement() {
    let report = ran(SCENARIO);
    assert_eq!(agree(SCENARIO.as_bytes(), &Outcome::Ran(report.clone())), Ok(()));
    let wrong = |change: &dyn Fn(&mut Report)| {
        let mut report = report.clone();
        change(&mut report);
        agree(SCENARIO.as_bytes(), &Outcome::Ran(report)).unwrap_err()
    };
    assert!(wrong(&|report| report.steps[3].outcome = None).starts_with("/steps/3/outcome"));
    assert!(wrong(&|report| report.steps[3].issues = Issues::default()).starts_with("/steps/3/issues"));
    assert!(wrong(&|report| drop(report.steps.pop())).starts_with("/steps"));
    let view = |change: &dyn Fn(&mut Value)| {
        wrong(&|report| {
            let mut view: Value = serde_json::from_slice(&report.view).unwrap();
            change(&mut view);
            report.view = view.to_string().into_bytes();
        })
    };
    assert!(view(&|view| view["ledger"]["s"] = json!("turn-0001")).starts_with("/view/ledger: other members"));
    assert!(view(&|view| view["refs"]["skill:x"][0][1] = json!("/links")).starts_with("/view/refs/skill:x/0/1"));
    assert!(view(&|view| drop(view["triplets"].as_object_mut().unwrap().remove("a"))).starts_with("/view/triplets"));
    assert!(view(&|view| drop(view["objects"].as_array_mut().unwrap().pop())).starts_with("/view/objects"));
    assert!(agree(SCENARIO.as_bytes(), &Outcome::Refused(["A_INPUT".to_owned()].into())).is_err());
    assert!(agree(b"[", &Outcome::Refused(["A_INPUT".to_owned()].into())).is_err());
    assert_eq!(agree(b"[", &Outcome::Refused(["A_JSON".to_owned()].into())), Ok(()));
    assert_eq!(within(&json!({"a": 1}), &json!({"a": 1, "b": 2}), ""), Ok(()));
    assert!(within(&json!({"b": null}), &json!({}), "").is_err());
}

/// The laws between states find what a kernel that is wrong on purpose would do.
#[test]
fn a_wrong_state_breaks_a_law() {
    let right = ran(SCENARIO);
    let steps = operations(SCENARIO.as_bytes()).unwrap();
    assert_eq!(outputs(&right).unwrap()["steps"][4]["outcome"], json!("FAIL"));
    for stop in [0, 5, 25, 1_000] {
        assert_eq!(one_by_one(&steps, &right, stop), Ok(()), "{stop}");
    }
    assert_eq!(in_any_order(&steps, &right), Ok(()));

    let mut silent = right.clone();
    silent.steps[3].issues = Issues::default();
    assert!(one_by_one(&steps, &silent, 0).unwrap_err().starts_with("step 3"));
    let mut elsewhere = right.clone();
    elsewhere.view = b"{}".to_vec();
    assert!(one_by_one(&steps, &elsewhere, 0).unwrap_err().starts_with("the view"));
    assert!(in_any_order(&steps, &elsewhere).unwrap_err().starts_with("another view"));
    let mut ordered = right.clone();
    ordered.steps.swap(0, 1);
    assert!(in_any_order(&steps, &ordered).unwrap_err().starts_with("staged the other way round, step 0"));
}
