//! Cases of `status-propagation`: what the status of a step asks of its receipt and of its dependents.

use serde_json::{Value, json};

use super::base::{NUMBERS, checked, failed, loaded, published, retrace, sum, summed};
use crate::{
    Episode, Finding, Outcome, Stage,
    canon::hash,
    pack::RECEIPTS,
    place::Place,
    step,
    vector::{Case, Law},
};

pub(super) const LAW: Law =
    Law { slug: "episode/status-propagation", place: Place::Profile("Step status"), file: Some(RECEIPTS), cases };

/// A receipt contradicts its status, and no words decide whether that breaks this law, completeness or another.
const CONTRADICTION: Finding = Finding::at(RECEIPTS);

/// A transform after the failed assertion, and an emission after that.
fn chain(middle: Outcome, last: Outcome) -> Episode {
    let middle = (step::apply("mid", &["check"]), middle);
    let last = (step::emit("out", "sum", "mid"), last);
    Episode::new(&[NUMBERS], [loaded("nums.json"), summed(), checked(false), middle, last])
}

fn emit_failed() -> Episode {
    let mut episode = sum();
    episode.outcomes.insert("out".to_owned(), Outcome::fail(json!({"claim": 6})));
    episode
}

/// The failed episode with a member of the skipped step's receipt altered.
fn skipped_with(name: &'static str, rationale: &'static str, member: &str, value: &Value) -> Case {
    let pack = failed().planted(Stage::Written, |pack| {
        let out = pack.step("out");
        pack.set(out, member, value.clone());
    });
    Case::fails(name, rationale, 3, &pack).twin("failed-assertion")
}

/// The passing episode with a member of the assertion's receipt altered.
fn asserted_with(name: &'static str, rationale: &'static str, value: Option<Value>) -> Case {
    let pack = sum().planted(Stage::Written, |pack| {
        let check = pack.step("check");
        match value {
            Some(value) => pack.set(check, "assertion_passed", value),
            None => drop(pack.receipts[check].remove("assertion_passed")),
        }
    });
    Case::fails(name, rationale, 3, &pack).ruling(22).finds([CONTRADICTION]).twin("all-steps-pass")
}

fn cases() -> Vec<Case> {
    let mut cases = lawful();
    cases.extend(blocking());
    cases.extend(skipped());
    cases.extend(members());
    cases
}

fn lawful() -> Vec<Case> {
    let transitive = chain(Outcome::skipped(), Outcome::skipped());
    let mut sibling = failed();
    let steps = sibling.contract["replay_script"]["steps"].as_array_mut().expect("steps");
    steps.push(step::emit("raw", "list", "in"));
    sibling.outcomes.insert("raw".to_owned(), Outcome::pass(json!({"list": [1, 2, 3]})));
    let second = (step::check("check-again", "check", &hash(&json!(1))), Outcome::skipped());
    let out = (step::emit("out", "sum", "check-again"), Outcome::skipped());
    let asserted_twice = Episode::new(&[NUMBERS], [loaded("nums.json"), summed(), checked(false), second, out]);
    let ignored = failed().planted(Stage::Signed, |pack| retrace(pack, "out", "left over, and no JSON"));
    let unexplained = emit_failed().planted(Stage::Written, |pack| {
        let out = pack.step("out");
        pack.receipts[out].remove("schema_validation_error");
    });
    vec![
        Case::matches(
            "all-steps-pass",
            "A verifier that demands a FAIL or SKIPPED step somewhere, or that looks for `assertion_passed` outside \
             assertions, refuses the plainest episode.",
            &sum(),
            &sum().sealed(),
        )
        .clean(),
        Case::matches(
            "failed-assertion",
            "A verifier that lets a step run when only one of its two dependencies passed, or that counts a failed \
             step as a broken pack, fails this honest episode.",
            &failed(),
            &failed().sealed(),
        )
        .place(Place::Profile("Verdicts"))
        .ruling(17)
        .clean(),
        Case::matches(
            "skipped-through-a-skipped-step",
            "A verifier that looks for FAIL alone among the direct dependencies calls the last step wrongly skipped.",
            &transitive,
            &transitive.sealed(),
        )
        .flag("IgnoredSurface"),
        Case::matches(
            "a-failure-leaves-its-siblings-alone",
            "A verifier that wants everything after the first failure skipped, in script order instead of by \
             dependency, refuses the emission beside it.",
            &sibling,
            &sibling.sealed(),
        ),
        Case::matches(
            "a-skipped-assertion-says-nothing",
            "A verifier that asks every ASSERT_HASH receipt for `assertion_passed` refuses one that never ran.",
            &asserted_twice,
            &asserted_twice.sealed(),
        )
        .ruling(22),
        Case::matches(
            "a-failed-emission-explains-itself",
            "A verifier that puts failed outputs into outputs_hash, or knows FAIL of assertions alone, refuses an \
             output that broke its schema in the original run.",
            &emit_failed(),
            &emit_failed().sealed(),
        ),
        Case::matches(
            "a-failed-emission-without-explanation",
            "A verifier that demands `schema_validation_error` on every failed emission refuses a failure of another \
             kind.",
            &emit_failed(),
            &unexplained,
        )
        .ruling(22),
        Case::matches(
            "a-trace-of-a-skipped-step-is-ignored",
            "A verifier that walks the traces instead of the steps reads a left-over file and finds it broken.",
            &failed(),
            &ignored,
        )
        .ruling(39)
        .clean(),
    ]
}

fn blocking() -> Vec<Case> {
    let mut ran = failed();
    ran.outcomes.insert("out".to_owned(), published().1);
    let ran_on = chain(Outcome::skipped(), Outcome::pass(json!({"sum": 7})));
    let ran_on = ran_on.planted(Stage::Written, |pack| {
        let out = pack.step("out");
        pack.set(out, "input_hashes", json!([]));
    });
    let mut idle = sum();
    idle.outcomes.insert("out".to_owned(), Outcome::skipped());
    let boasting = failed().planted(Stage::Written, |pack| {
        let close = pack.close();
        pack.set(close, "all_steps_passed", true);
    });
    vec![
        Case::fails(
            "a-dependent-of-a-failed-step-ran",
            "A verifier that checks counts and hashes but not the blocking rule accepts a step that ran on a refuted \
             premise.",
            3,
            &ran.sealed(),
        )
        .flag("FailClosed")
        .twin("failed-assertion"),
        Case::fails(
            "a-dependent-of-a-skipped-step-ran",
            "A verifier that takes only FAIL for blocking accepts a step whose dependency never ran.",
            3,
            &ran_on,
        )
        .finds_undecided()
        .flag("FailClosed")
        .twin("skipped-through-a-skipped-step"),
        Case::fails(
            "skipped-though-nothing-failed",
            "A verifier that checks the blocking rule in one direction lets an episode leave out the step that would \
             show it wrong.",
            3,
            &idle.sealed(),
        )
        .flag("FailClosed")
        .twin("all-steps-pass"),
        Case::fails(
            "all-steps-passed-beside-a-failure",
            "A verifier that believes `all_steps_passed` reports a failed episode as a passed one.",
            3,
            &boasting,
        )
        .finds([CONTRADICTION])
        .flag("FailClosed")
        .twin("failed-assertion"),
    ]
}

fn skipped() -> Vec<Case> {
    let absent = failed().planted(Stage::Written, |pack| {
        let out = pack.step("out");
        pack.receipts[out].remove("output_hash");
    });
    let sum = hash(&json!({"sum": 6}));
    vec![
        skipped_with(
            "skipped-with-an-output-hash",
            "A verifier that does not read the receipts of skipped steps lets one carry an output.",
            "output_hash",
            &json!(hash(&json!({"claim": "sum", "value": 6}))),
        ),
        Case::fails(
            "skipped-without-the-output-hash-member",
            "A verifier that reads an absent member as null takes a receipt that says nothing for one that says null.",
            3,
            &absent,
        )
        .finds([CONTRADICTION])
        .place(LAW.place)
        .flag("NullVersusAbsent")
        .ruling(21)
        .twin("failed-assertion"),
        skipped_with(
            "skipped-with-input-hashes",
            "A verifier that compares `input_hashes` with the dependencies for every step wants them here too, and \
             accepts them.",
            "input_hashes",
            &json!([sum, hash(&json!({"assertion_passed": false}))]),
        ),
        skipped_with(
            "skipped-with-a-size",
            "A verifier that treats sizes as informational everywhere misses that a skipped step has none.",
            "output_size_bytes",
            &json!(2),
        ),
        skipped_with(
            "skipped-with-a-duration",
            "A verifier that treats durations as informational everywhere misses that a skipped step took no time.",
            "duration_ms",
            &json!(7),
        ),
    ]
}

fn members() -> Vec<Case> {
    let nulled = failed().planted(Stage::Written, |pack| {
        let check = pack.step("check");
        pack.set(check, "output_hash", Value::Null);
    });
    let traceless = failed().planted(Stage::Signed, |pack| {
        pack.files.remove("recorded_traces/check.json");
    });
    let unexplained = emit_failed().planted(Stage::Written, |pack| {
        let out = pack.step("out");
        pack.set(out, "schema_validation_error", json!({"message": "no value"}));
    });
    let contrary = sum().planted(Stage::Written, |pack| {
        let check = pack.step("check");
        pack.set(check, "assertion_passed", false);
    });
    let status = |status: &str, passed: u8| {
        sum().planted(Stage::Written, |pack| {
            let (out, close) = (pack.step("out"), pack.close());
            pack.set(out, "step_status", status);
            if passed < 4 {
                pack.set(close, "n_steps_passed", passed);
                pack.set(close, "all_steps_passed", false);
                pack.set(close, "outputs_hash", hash(&json!([])));
            }
        })
    };
    vec![
        Case::fails(
            "failed-without-an-output-hash",
            "A verifier that groups FAIL with SKIPPED accepts null where a negative result still has an output.",
            3,
            &nulled,
        )
        .finds([CONTRADICTION])
        .place(LAW.place)
        .flag("NullVersusAbsent")
        .ruling(20)
        .twin("failed-assertion"),
        Case::fails(
            "failed-without-a-trace",
            "A verifier that replays passed steps alone does not miss the trace of a failed one.",
            3,
            &traceless,
        )
        .finds([Finding::new("episode/completeness", "recorded_traces/check.json")])
        .flag("FailClosed")
        .twin("failed-assertion"),
        Case::fails(
            "an-unknown-status",
            "A verifier that takes every word but SKIPPED for an executed step accepts a status that nobody has \
             defined.",
            3,
            &status("ERROR", 3),
        )
        .finds_undecided()
        .flag("EnumMember")
        .twin("all-steps-pass"),
        Case::fails(
            "a-status-in-lower-case",
            "A verifier that folds case reads `pass` as PASS, and two verifiers part.",
            3,
            &status("pass", 4),
        )
        .finds_undecided()
        .flag("EnumMember")
        .twin("all-steps-pass"),
        Case::fails(
            "the-explanation-is-no-text",
            "A verifier that never reads `schema_validation_error` lets a member of another type through.",
            3,
            &unexplained,
        )
        .finds([CONTRADICTION])
        .flag("TypeConfusion")
        .ruling(22)
        .twin("a-failed-emission-explains-itself"),
        asserted_with(
            "an-assertion-without-its-result",
            "A verifier that derives the result from the status never notices that the receipt does not state it.",
            None,
        )
        .flag("MissingMember"),
        asserted_with(
            "an-assertion-result-as-text",
            "A verifier that takes any value that is not empty for true accepts text for a boolean.",
            Some(json!("true")),
        )
        .flag("TypeConfusion"),
        asserted_with(
            "an-assertion-result-of-null",
            "A verifier that treats null as not stated, and not stated as allowed, accepts an executed assertion \
             without result.",
            Some(Value::Null),
        )
        .flag("NullVersusAbsent"),
        Case::matches(
            "an-assertion-result-against-its-status",
            "A verifier that decides the verdict by the redundant member fails a pack whose status, hash and trace \
             agree; one that never looks does not warn.",
            &sum(),
            &contrary,
        )
        .ruling(33)
        .warns("episode/status-propagation", "receipt_pack.jsonl", "/3/assertion_passed")
        .twin("all-steps-pass"),
    ]
}
