//! What a judgement says beside the verdict: the places of its findings, the steps as they were seen, and whether a
//! divergence is one of number forms alone.

use assize_packs::{
    Episode, Outcome, Pack, Stage,
    canon::{hash, jcs, sha256},
    pack::MANIFEST,
    step,
};
use assize_verifier::{
    episode::{Numbers, Options, Phase, Rejection, Verdict, contract, verify},
    finding::Severity,
};
use serde_json::json;

use super::{
    bad_input::{CONTRACT, fails, matches},
    consistency::{OPTIONS, judge},
    memory::Memory,
    scenes::{self, episode},
};

/// Places and codes of the errors in a file.
fn errors_in<'f>(found: &'f assize_verifier::episode::Verification, file: &str) -> Vec<(&'f str, Option<&'f str>)> {
    let of = found.findings.iter().filter(|found| found.file == file && found.finding.severity == Severity::Error);
    of.map(|found| (found.finding.pointer.as_str(), found.finding.code)).collect()
}

#[test]
fn a_circle_is_named_at_one_of_its_steps() {
    let mut contracted = episode().contract;
    // `check` stands before `sum`, which waits for it.
    contracted["replay_script"]["steps"][2]["depends_on"] = json!(["sum"]);
    let Err(Rejection::Laws(found)) = contract(contracted.to_string().as_bytes()) else { panic!("no law is broken") };
    let places: Vec<_> = found.iter().map(|finding| finding.pointer.as_str()).collect();
    assert_eq!(places.len(), 1);
    assert!(["/replay_script/steps/2/depends_on", "/replay_script/steps/3/depends_on"].contains(&places[0]));
}

#[test]
fn every_breach_of_a_contract_has_its_place() {
    let mut pack = Memory::from(scenes::tool_like());
    let mut contracted = episode().contract;
    contracted["objective"] = json!(7);
    contracted["zeal"] = json!(true);
    pack.put(CONTRACT, contracted.to_string());
    let found = fails(&pack, Phase::Script, CONTRACT);
    assert_eq!(errors_in(&found, CONTRACT), [("/objective", Some("A_SCHEMA")), ("/zeal", Some("A_SCHEMA"))]);
}

#[test]
fn a_wrong_time_of_the_attestation_has_its_place() {
    let wrong = |pack: &mut Pack| {
        pack.attestation.insert("timestamp_end".to_owned(), json!("2026-02-30T09:00:00Z"));
    };
    let found = fails(&Memory::from(episode().planted(Stage::Listed, wrong)), Phase::Pack, MANIFEST);
    assert_eq!(errors_in(&found, MANIFEST), [("/attestation/timestamp_end", Some("E_TIMESTAMP_INVALID"))]);
}

#[test]
fn steps_are_told_in_the_order_of_the_replay() {
    let found = matches(&Memory::from(scenes::tool_like()));
    let told: Vec<_> = found
        .steps
        .iter()
        .map(|step| (step.step_id.as_str(), step.opcode, step.loads.as_deref(), step.depends_on.join(" ")))
        .collect();
    let expected = [
        ("note", "LOAD_INPUT", Some("texts/note.txt"), ""),
        ("nums", "LOAD_INPUT", Some("nums.json"), ""),
        ("check", "ASSERT_HASH", None, "nums"),
        ("sum", "APPLY_TRANSFORM", None, "nums check"),
        ("out", "EMIT_OUTPUT", None, "sum"),
    ];
    assert_eq!(told, expected.map(|(id, opcode, loads, after)| (id, opcode, loads, after.to_owned())));
}

/// Ruling EP-25: RFC 8785 unless the tool's form is asked for.
#[test]
fn a_divergence_of_number_forms_alone() {
    let trace = json!({"n": 1e21});
    let episode = Episode::new(
        &[("seed", "0\n")],
        [
            (step::load("in", "seed"), Outcome::pass(json!(0))),
            (step::emit("out", "n", "in"), Outcome::pass(trace.clone())),
        ],
    );
    let by_rfc = episode.sealed();
    let by_tool = episode.planted(Stage::Written, |pack| {
        let text = String::from_utf8(jcs(&trace)).unwrap().replace("1e+21", "1E21");
        let hashed = format!("sha256:{}", sha256(text.as_bytes()));
        let (out, close) = (pack.step("out"), pack.close());
        pack.set(close, "outputs_hash", hash(&json!([{"step_id": "out", "output_hash": hashed}])));
        pack.set(out, "output_hash", hashed);
    });
    let mut changed = by_rfc.clone();
    changed.put("recorded_traces/out.json", "{\"n\": 2e21}\n");

    let vanishes = |pack: &Pack, numbers| {
        let found = verify(&Memory::from(pack.clone()), &Options { numbers, ..OPTIONS }).unwrap();
        assert_ne!(found.verdict, Verdict::IntegrityFail, "{:?}", found.findings);
        found.divergences.iter().map(|step| step.vanishes_under_other_form).collect::<Vec<_>>()
    };
    assert_eq!(vanishes(&by_rfc, Numbers::Rfc8785), Vec::<bool>::new());
    assert_eq!(vanishes(&by_tool, Numbers::Assay), Vec::<bool>::new());
    assert_eq!(vanishes(&by_tool, Numbers::Rfc8785), [true]);
    assert_eq!(vanishes(&by_rfc, Numbers::Assay), [true]);
    assert_eq!(vanishes(&changed, Numbers::Rfc8785), [false]);
    assert_eq!(judge(&Memory::from(by_tool)).divergences[0].tier, "A");
    assert_eq!(Numbers::ALL.map(Numbers::name), ["rfc8785", "assay"], "as the command line takes them");
}
