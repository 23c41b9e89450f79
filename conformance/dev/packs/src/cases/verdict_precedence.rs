//! Cases of `verdict-precedence`: two faults each, in two phases; the earlier phase decides.

use serde_json::json;

use super::base::{failed, list, recontract, retrace, sum};
use crate::{
    Episode, Pack, Stage,
    pack::MANIFEST,
    place::Place,
    vector::{Case, Law},
};

pub(super) const LAW: Law =
    Law { slug: "episode/verdict-precedence", place: Place::Profile("Verification, order of the phases"), cases };

/// Breaks the script: a step depends on itself.
fn script(pack: &mut Pack) {
    recontract(pack, |contract| contract["replay_script"]["steps"][0]["depends_on"] = json!(["in"]));
}

/// Breaks the seal: a report is not the listed one.
fn seal(pack: &mut Pack) {
    pack.put("verify_report.json", "{}\n");
}

/// Breaks completeness: an input is not the declared one.
fn input(pack: &mut Pack) {
    pack.put("inputs/nums.json", "[3,2,1]\n");
}

/// Makes a step diverge.
fn trace(pack: &mut Pack) {
    retrace(pack, "sum", "{\"sum\": 7}\n");
}

fn both(first: fn(&mut Pack), second: fn(&mut Pack)) -> Pack {
    sum().planted(Stage::Signed, |pack| {
        first(pack);
        second(pack);
    })
}

fn claiming(episode: &Episode, claim: &str, tamper: fn(&mut Pack)) -> Pack {
    let mut pack = episode.planted(Stage::Written, |pack| {
        pack.attestation.insert("claim_check".to_owned(), json!(claim));
    });
    tamper(&mut pack);
    pack
}

fn cases() -> Vec<Case> {
    let mut cases = phases();
    cases.extend(claims());
    cases
}

fn phases() -> Vec<Case> {
    let decides = |name, rationale, phase, first, second| {
        Case::fails(name, rationale, phase, &both(first, second)).flag("Precedence").twin("nothing-wrong")
    };
    let fingerprint = |pack: &mut Pack| {
        recontract(pack, |contract| contract["environment"]["provider"] = json!("another"));
    };
    let mut chained = list().pack();
    chained.link();
    chained.set(3, "parent_hashes", json!([crate::canon::hash(&json!("nobody"))]));
    chained.set(3, "n_steps_passed", 1);
    chained.reseal();
    let unsealed = |pack: &mut Pack| {
        pack.files.remove(MANIFEST);
    };
    let absent = |pack: &mut Pack| {
        pack.files.remove("recorded_traces/out.json");
    };
    vec![
        Case::matches(
            "nothing-wrong",
            "A verifier that finds a fault here finds it in every case of this law.",
            &sum(),
            &sum().sealed(),
        )
        .clean(),
        decides(
            "a-broken-script-before-a-broken-seal",
            "A verifier that opens the manifest first fails in phase 2.",
            1,
            script,
            seal,
        ),
        decides(
            "a-broken-script-before-a-missing-manifest",
            "A verifier that opens the container before the contract, and checks it behind, fails in phase 2.",
            1,
            script,
            unsealed,
        ),
        decides(
            "a-broken-script-before-a-missing-input",
            "A verifier that collects faults over the phases and reports the last names phase 3.",
            1,
            script,
            input,
        ),
        decides(
            "a-broken-script-before-a-divergence",
            "A verifier that replays what it can still order reports DIVERGE for a script that has no order.",
            1,
            script,
            trace,
        ),
        decides(
            "a-wrong-fingerprint-before-a-broken-seal",
            "A verifier that leaves the fingerprint to the derived hashes of phase 3 fails in phase 2.",
            1,
            fingerprint,
            seal,
        )
        .place(Place::Profile("2.3 Environment fingerprint"))
        .ruling(13),
        decides(
            "a-broken-seal-before-a-changed-input",
            "A verifier that looks at the inputs before the seal fails in phase 3.",
            2,
            seal,
            input,
        ),
        decides(
            "a-broken-seal-before-a-divergence",
            "A verifier that compares first, and reports DIVERGE for a pack that nobody can trust.",
            2,
            seal,
            trace,
        ),
        decides(
            "a-changed-input-before-a-divergence",
            "A verifier that compares first, and reports DIVERGE for a pack that is not complete.",
            3,
            input,
            trace,
        ),
        decides(
            "a-missing-trace-before-a-divergence",
            "A verifier that checks traces as it replays meets the divergence before the missing trace.",
            3,
            absent,
            trace,
        ),
        Case::fails(
            "a-broken-chain-before-a-wrong-count",
            "A verifier that follows parents when it looks for open and close fails in phase 3.",
            2,
            &chained,
        )
        .ruling(11)
        .flag("Precedence")
        .twin("nothing-wrong"),
        Case::fails(
            "a-broken-seal-beside-a-warning",
            "A verifier that reports the first thing it notices lets an unlisted entry stand for the fault.",
            2,
            &both(seal, |pack| pack.put("notes.md", "# Notes\n")),
        )
        .flag("Precedence")
        .twin("nothing-wrong"),
        Case::diverges(
            "a-divergence-beside-a-warning",
            "A verifier that turns warnings into failures reports INTEGRITY_FAIL for an unlisted entry.",
            &sum(),
            &both(trace, |pack| pack.put("notes.md", "# Notes\n")),
            &["sum"],
        )
        .flag("Precedence")
        .twin("nothing-wrong"),
    ]
}

fn claims() -> Vec<Case> {
    let nothing: fn(&mut Pack) = |_| {};
    let failing = failed().planted(Stage::Signed, |pack| retrace(pack, "in", "[1, 2]\n"));
    vec![
        Case::matches(
            "an-attested-claim-that-failed",
            "A verifier that takes the attested claim_check for its own reports an honest failure where the replay \
             matches.",
            &sum(),
            &claiming(&sum(), "FAIL", nothing),
        )
        .ruling(18)
        .flag("Precedence")
        .warns("episode/verdict-precedence", MANIFEST, "/attestation/claim_check")
        .twin("nothing-wrong"),
        Case::matches(
            "an-attested-claim-that-passed",
            "A verifier that knows N/A alone warns of a claim that was checked and passed.",
            &sum(),
            &claiming(&sum(), "PASS", nothing),
        )
        .ruling(18)
        .clean(),
        Case::diverges(
            "an-attested-claim-that-passed-and-a-divergence",
            "A verifier that takes the attested claim_check for its own reports PASS for a replay that diverged.",
            &sum(),
            &claiming(&sum(), "PASS", trace),
            &["sum"],
        )
        .ruling(18)
        .flag("Precedence")
        .twin("an-attested-claim-that-passed"),
        Case::matches(
            "a-failed-episode-that-matches",
            "A verifier with one axis reports the failure of the run as a failure of the replay.",
            &failed(),
            &failed().sealed(),
        )
        .place(Place::Profile("Verdicts"))
        .ruling(17)
        .flag("Precedence"),
        Case::diverges(
            "a-failed-episode-that-diverges",
            "A verifier with one axis has no place for the failure of the run beside that of the replay.",
            &failed(),
            &failing,
            &["in"],
        )
        .place(Place::Profile("Verdicts"))
        .ruling(17)
        .flag("Precedence")
        .twin("a-failed-episode-that-matches"),
    ]
}
