use std::collections::BTreeMap;

use assize_verifier::{
    episode::{Phase, StepStatus, Verdict},
    files::PackFileError,
};

use super::*;

/// Files by their paths.
struct Files(BTreeMap<&'static str, &'static str>);

impl PackFiles for Files {
    fn read(&self, path: &str, _: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        into.clear();
        into.extend_from_slice(self.0.get(path).ok_or(PackFileError::Absent)?.as_bytes());
        Ok(())
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        Ok(Vec::new())
    }
}

// Worked values, computed with an RFC 8785 library and SHA-256 that are not the verifier's.
const NUMS: &str = "sha256:a615eeaee21de5179de080de8c3052c8da901138406ba71c38c032845f7d54f4";
const LIST: &str = "sha256:bbb2330fb3d521b2c0ab5fe632c43d9d8933c5dfb683d0818747b599fc0fcf30";
const PASSED: &str = "sha256:2e6afe13cb80f2e98f3f7ff32b714a57c81f1ff65b42dcd39873853e152e2bf1";
const FAILED: &str = "sha256:8defe4d6a92989da3f0d9908a6761111b4fce4dee3b42a582e3a0b955cbbe5f7";
const OTHER: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

/// Id, opcode, dependencies, expected and observed hash; equal hashes match.
type Step<'s> = (&'s str, &'static str, &'s [&'s str], &'s str, &'s str);

/// Explains the divergences of steps.
fn explained(files: &[(&'static str, &'static str)], steps: &[Step<'_>]) -> Vec<Explained> {
    explained_in(Numbers::Rfc8785, files, steps)
}

fn explained_in(numbers: Numbers, files: &[(&'static str, &'static str)], steps: &[Step<'_>]) -> Vec<Explained> {
    let divergences = steps.iter().filter(|step| step.3 != step.4).map(|(id, _, _, expected, observed)| Divergence {
        step_id: (*id).to_owned(),
        expected: (*expected).to_owned(),
        observed: (*observed).to_owned(),
        tier: "A",
        vanishes_under_other_form: false,
    });
    let states = steps.iter().map(|(id, opcode, after, expected, observed)| StepState {
        step_id: (*id).to_owned(),
        opcode,
        loads: loads(files, id),
        depends_on: after.iter().map(ToString::to_string).collect(),
        status: Some(StepStatus::Pass),
        matched: Some(expected == observed),
    });
    let found = Verification {
        verdict: Verdict::Diverge,
        phase: Phase::Replay,
        episode_claim: Some(true),
        steps_replayed: steps.len(),
        steps_matched: 0,
        divergences: divergences.collect(),
        findings: Vec::new(),
        replay_result: String::new(),
        details: String::new(),
        steps: states.collect(),
        signer: None,
        attested_claim: None,
    };
    explain(&Files(files.iter().copied().collect()), &found, numbers)
}

/// What the contract among the files has a step load, as the verifier tells it.
fn loads(files: &[(&str, &str)], id: &str) -> Option<String> {
    let (_, contract) = files.iter().find(|(path, _)| *path == "episode_contract.json")?;
    let contract: serde_json::Value = serde_json::from_str(contract).unwrap();
    let step = contract["replay_script"]["steps"].as_array().unwrap().iter().find(|step| step["step_id"] == id)?;
    step["params"]["ref"].as_str().map(str::to_owned)
}

fn step(id: &str) -> Source {
    Source::Step { step_id: id.to_owned() }
}

#[test]
fn an_assertion_has_two_outputs() {
    let files = [("recorded_traces/t.json", r#"{"assertion_passed": false}"#)];
    let found = explained(&files, &[("t", "ASSERT_HASH", &[], PASSED, FAILED)]);
    let side = |assertion_passed| Some(Source::Assertion { assertion_passed });
    assert_eq!((found[0].recorded.clone(), found[0].trace_is.clone()), (side(true), side(false)));
    let places = &found[0].differences.as_ref().unwrap().places;
    assert_eq!((places[0].pointer.as_str(), places[0].expected.as_deref()), ("/assertion_passed", Some("true")));
    // A hash of neither.
    let found = explained(&files, &[("t", "ASSERT_HASH", &[], OTHER, FAILED)]);
    assert_eq!((found[0].recorded.clone(), found[0].trace_is.clone()), (None, side(false)));
    assert_eq!(found[0].trace.as_deref(), Some(r#"{"assertion_passed":false}"#));
}

#[test]
fn an_input_may_be_what_was_recorded() {
    let contract = r#"{"replay_script": {"steps": [
        {"step_id": "other", "params": {"ref": "x"}}, {"step_id": "in", "params": {"ref": "nums.json"}}]}}"#;
    let files = [
        ("episode_contract.json", contract),
        ("inputs/nums.json", "[1,2,3]\n"),
        ("recorded_traces/in.json", "[1,2,4]"),
    ];
    let input = Source::Input { reference: "nums.json".to_owned() };
    let found = explained(&files, &[("in", "LOAD_INPUT", &[], NUMS, OTHER)]);
    assert_eq!((found[0].recorded.as_ref(), found[0].against.as_ref()), (Some(&input), Some(&input)));
    let places = &found[0].differences.as_ref().unwrap().places;
    assert_eq!((places.len(), places[0].pointer.as_str(), places[0].observed.as_deref()), (1, "/2", Some("4")));
    // The input is shown beside the trace even if it is not what was recorded.
    let found = explained(&files, &[("in", "LOAD_INPUT", &[], LIST, OTHER)]);
    assert_eq!((found[0].recorded.as_ref(), found[0].against.as_ref()), (None, Some(&input)));
}

#[test]
fn the_trace_may_be_the_input_though_that_was_not_recorded() {
    let contract = r#"{"replay_script": {"steps": [{"step_id": "./in", "params": {"ref": ".//nums.json"}}]}}"#;
    let files = [
        ("episode_contract.json", contract),
        ("inputs/nums.json", "[1,2,3]\n"),
        ("recorded_traces/in.json", "[1,2,3]"),
    ];
    let found = explained(&files, &[("./in", "LOAD_INPUT", &[], LIST, NUMS)]);
    assert_eq!((found[0].recorded.as_ref(), found[0].differences.as_ref()), (None, None));
    assert_eq!(found[0].trace_is, Some(Source::Input { reference: ".//nums.json".to_owned() }));
    assert_eq!(found[0].trace.as_deref(), Some("[1,2,3]"));
}

#[test]
fn what_was_recorded_is_named_once_and_hashed_in_the_form_of_the_replay() {
    let contract = r#"{"replay_script": {"steps": [{"step_id": "in", "params": {"ref": "n"}}]}}"#;
    let files = [
        ("episode_contract.json", contract),
        ("inputs/n", "[1e300]"),
        ("recorded_traces/in.json", "[0]"),
        ("recorded_traces/same.json", "[1e300]"),
    ];
    let recorded = |canonical: &str| {
        let expected = format!("sha256:{}", Digest::of(canonical.as_bytes()));
        let steps: [Step<'_>; 1] = [("in", "LOAD_INPUT", &["same"], &expected, OTHER)];
        explained_in(Numbers::Assay, &files, &steps)[0].recorded.clone()
    };
    assert_eq!(recorded("[1E300]"), Some(Source::Input { reference: "n".to_owned() }));
    assert_eq!(recorded("[1e+300]"), None);
}

#[test]
fn traces_may_be_exchanged() {
    let files = [("recorded_traces/a.json", r#"{"list":[1,2,3]}"#), ("recorded_traces/b.json", "[1,2,3]")];
    let steps: [Step<'_>; 2] = [("a", "APPLY_TRANSFORM", &[], NUMS, LIST), ("b", "APPLY_TRANSFORM", &[], LIST, NUMS)];
    let found = explained(&files, &steps);
    assert_eq!((found[0].recorded.clone(), found[0].trace_is.clone()), (Some(step("b")), Some(step("b"))));
    assert_eq!((found[1].recorded.clone(), found[1].trace_is.clone()), (Some(step("a")), Some(step("a"))));
}

#[test]
fn a_dependency_may_hold_what_was_recorded_or_what_is_there() {
    let files = [("recorded_traces/in.json", "[1,2,3]"), ("recorded_traces/out.json", "[1,2,3]")];
    let steps: [Step<'_>; 2] = [("in", "LOAD_INPUT", &[], NUMS, NUMS), ("out", "EMIT_OUTPUT", &["in"], LIST, NUMS)];
    let found = explained(&files, &steps);
    assert_eq!((found[0].recorded.clone(), found[0].trace_is.clone()), (None, Some(step("in"))));
    assert_eq!(found[0].differences, None);
    let steps: [Step<'_>; 2] = [("in", "LOAD_INPUT", &[], NUMS, NUMS), ("out", "EMIT_OUTPUT", &["in"], NUMS, OTHER)];
    assert_eq!(explained(&files, &steps)[0].recorded, Some(step("in")));
}

#[test]
fn what_cannot_be_read_explains_nothing() {
    for id in ["gone", "../x", "/x"] {
        let found = explained(&[], &[(id, "LOAD_INPUT", &["x"], NUMS, LIST)]);
        assert_eq!(found, [Explained::default()], "{id}");
    }
    let many: Vec<String> = (0..50).map(|n| n.to_string()).collect();
    let steps: Vec<Step<'_>> = many.iter().map(|id| (id.as_str(), "EMIT_OUTPUT", &[][..], NUMS, LIST)).collect();
    assert_eq!(explained(&[], &steps).len(), MOST);
}
