//! Cases of `dispute`: what the replay result says of each divergence.

use serde_json::{Value, json};

use super::base::{NUMBERS, emitting, failed, fork, list, loaded, retrace, sum};
use crate::{
    Episode, Finding, Outcome, Pack, Stage,
    canon::pretty,
    place::Place,
    step,
    vector::{Case, Law},
};

pub(super) const LAW: Law = Law {
    slug: "episode/dispute",
    place: Place::Profile("Receipts, rce.replay_result/v0, dispute"),
    file: None,
    cases,
};

/// The traces of these steps replaced.
fn changed(episode: &Episode, traces: &[(&str, Value)]) -> Pack {
    episode.planted(Stage::Signed, |pack| {
        for (id, trace) in traces {
            retrace(pack, id, &pretty(trace));
        }
    })
}

/// Diverges where the traces were replaced, and says so.
fn disputed(name: &'static str, rationale: &'static str, episode: &Episode, traces: &[(&str, Value)]) -> Case {
    let pack = changed(episode, traces);
    let ids: Vec<_> = traces.iter().map(|(id, _)| *id).collect();
    Case::diverges(name, rationale, episode, &pack, &ids).disputes(&pack, traces).rests_on(42)
}

fn cases() -> Vec<Case> {
    let none = json!({"dispute": null, "divergent_step_ids": []});
    let mut broken = changed(&sum(), &[("sum", json!({"sum": 7}))]);
    broken.put("verify_report.json", "{}\n");
    let incomplete = sum().planted(Stage::Signed, |pack| drop(pack.files.remove("recorded_traces/sum.json")));
    let mut tiered = sum();
    tiered.contract["replay_policy"]["comparator_tiers_by_step"] = json!({"sum": "A"});
    let emitted = (step::emit("emit/out", "list", "in"), Outcome::pass(json!({"list": [1]})));
    let nested = Episode::new(&[NUMBERS], [loaded("nums.json"), emitted]);
    let all: Vec<_> = ["m", "b", "z", "c", "a", "k"].map(|id| (id, json!({"other": id}))).into();
    vec![
        Case::matches(
            "none-for-a-match",
            "A verifier that writes an empty dispute for a match breaks the protocol.",
            &sum(),
            &sum().sealed(),
        )
        .result(none.clone()),
        Case::fails(
            "none-for-a-broken-seal",
            "A verifier that compares before it judges the pack disputes outputs that nobody vouches for.",
            2,
            &broken,
        )
        .finds([Finding::new("episode/pack-integrity", "verify_report.json")])
        .result(none.clone())
        .flag("Precedence")
        .twin("none-for-a-match"),
        Case::fails(
            "none-for-a-missing-trace",
            "A verifier that disputes a step without a trace has nothing observed to put in.",
            3,
            &incomplete,
        )
        .finds([Finding::new("episode/completeness", "recorded_traces/sum.json")])
        .result(none)
        .flag("FailClosed")
        .twin("none-for-a-match"),
        disputed(
            "one-entry",
            "A verifier that puts the receipt's hash where the observed one belongs, or hashes the trace's bytes.",
            &sum(),
            &[("sum", json!({"sum": 7}))],
        )
        .twin("none-for-a-match"),
        disputed(
            "entries-in-the-order-of-the-replay",
            "A verifier that lists entries by id, or in script order, writes another receipt.",
            &fork(),
            &all,
        )
        .place(LAW.place)
        .ruling(29)
        .flag("SortOrder")
        .twin("a-fork-that-matches"),
        Case::matches(
            "a-fork-that-matches",
            "A verifier that takes the order of the receipts for part of the outcome finds something to dispute in a \
             script that forks.",
            &fork(),
            &fork().sealed(),
        ),
        disputed(
            "of-a-failed-step",
            "A verifier that disputes steps that passed alone, or expects no output of a failed one.",
            &failed(),
            &[("check", json!({"assertion_passed": true}))],
        )
        .twin("a-failed-step-that-matches"),
        Case::matches(
            "a-failed-step-that-matches",
            "A verifier that disputes a failed step because it failed finds something to dispute where nothing \
             diverges.",
            &failed(),
            &failed().sealed(),
        ),
        disputed(
            "of-a-step-with-its-own-tier",
            "A verifier that leaves the tier to the policy writes null for a step that has its own.",
            &tiered,
            &[("sum", json!({"sum": 7}))],
        )
        .twin("none-for-a-match"),
        disputed(
            "of-a-step-in-a-folder",
            "A verifier that names the last part of the file, or the file itself, disputes a step that does not \
             exist.",
            &nested,
            &[("emit/out", json!({"list": [2]}))],
        )
        .twin("none-for-a-match"),
        disputed(
            "the-last-of-two-steps",
            "A verifier that disputes every step once one diverges lists a step that matches.",
            &list(),
            &[("out", json!({"list": [3, 2, 1]}))],
        )
        .twin("none-for-a-match"),
        disputed(
            "of-a-large-number",
            "A verifier that writes the observed output with another exponent observes another hash.",
            &emitting(json!(1e21)),
            &[("out", json!(1e22))],
        )
        .place(Place::Rfc8785("3.2.2.3"))
        .ruling(25)
        .flag("FloatSpelling")
        .twin("none-for-a-match"),
    ]
}
