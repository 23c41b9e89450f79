//! Cases of `verdict-precedence`: two faults each, in two phases; the earlier phase decides.

use serde_json::json;

use super::base::{LOADED_OTHERWISE, failed, list, recontract, retrace, sum};
use crate::{
    Episode, Finding, Pack, Stage,
    pack::{MANIFEST, RECEIPTS},
    place::{Force, Place},
    vector::{Case, Law},
};

pub(super) const LAW: Law = Law {
    slug: "episode/verdict-precedence",
    place: Place::Profile("Verification, order of the phases"),
    file: None,
    cases,
};

/// What the verdicts mean.
const VERDICTS: Place = Place::Profile("Verdicts");

/// A fault that makes a pack fail: in which phase, what is found, and how it is planted.
struct Fault {
    phase: u8,
    finds: &'static [Finding],
    plant: fn(&mut Pack),
}

/// The script is broken: a step depends on itself.
const SCRIPT: Fault = Fault {
    phase: 1,
    finds: &[Finding::new("episode/script-graph", "episode_contract.json")],
    plant: |pack| recontract(pack, |contract| contract["replay_script"]["steps"][0]["depends_on"] = json!(["in"])),
};

/// The fingerprint is that of another environment.
const FINGERPRINT: Fault = Fault {
    phase: 1,
    finds: &[Finding::new("episode/environment-fingerprint", "episode_contract.json")],
    plant: |pack| recontract(pack, |contract| contract["environment"]["provider"] = json!("another")),
};

/// The seal is broken: a report is not the listed one.
const SEAL: Fault = Fault {
    phase: 2,
    finds: &[Finding::new("episode/pack-integrity", "verify_report.json")],
    plant: |pack| pack.put("verify_report.json", "{}\n"),
};

/// An input is not the declared one.
const INPUT: Fault = Fault {
    phase: 3,
    finds: &[Finding::new("episode/completeness", "inputs/nums.json"), LOADED_OTHERWISE],
    plant: |pack| pack.put("inputs/nums.json", "[3,2,1]\n"),
};

/// A trace is not there.
const ABSENT: Fault = Fault {
    phase: 3,
    finds: &[Finding::new("episode/completeness", "recorded_traces/out.json")],
    plant: |pack| drop(pack.files.remove("recorded_traces/out.json")),
};

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
    let decides = |name, rationale, first: Fault, second| {
        Case::fails(name, rationale, first.phase, &both(first.plant, second))
            .finds(first.finds.iter().copied())
            .flag("Precedence")
            .twin("nothing-wrong")
    };
    // Either fault makes the pack fail, so that the phase alone tells which decided; the text orders the phases.
    let earlier =
        |name, rationale, first, second| decides(name, rationale, first, second).force("/out/phase", Force::Spec);
    let mut chained = list().pack();
    chained.link();
    chained.set(3, "parent_hashes", json!([crate::canon::hash(&json!("nobody"))]));
    chained.set(3, "n_steps_passed", 1);
    chained.reseal();
    let unsealed = |pack: &mut Pack| {
        pack.files.remove(MANIFEST);
    };
    vec![
        Case::matches(
            "nothing-wrong",
            "A verifier that finds a fault here finds it in every case of this law.",
            &sum(),
            &sum().sealed(),
        )
        .clean(),
        earlier(
            "a-broken-script-before-a-broken-seal",
            "A verifier that opens the manifest first fails in phase 2.",
            SCRIPT,
            SEAL.plant,
        ),
        earlier(
            "a-broken-script-before-a-missing-manifest",
            "A verifier that opens the container before the contract, and checks it behind, fails in phase 2.",
            SCRIPT,
            unsealed,
        ),
        earlier(
            "a-broken-script-before-a-missing-input",
            "A verifier that collects faults over the phases and reports the last names phase 3.",
            SCRIPT,
            INPUT.plant,
        ),
        decides(
            "a-broken-script-before-a-divergence",
            "A verifier that replays what it can still order reports DIVERGE for a script that has no order.",
            SCRIPT,
            trace,
        ),
        decides(
            "a-wrong-fingerprint-before-a-broken-seal",
            "A verifier that leaves the fingerprint to the derived hashes of phase 3 fails in phase 2.",
            FINGERPRINT,
            SEAL.plant,
        )
        .place(Place::Profile("2.3 Environment fingerprint"))
        .ruling(13)
        .force("/out/phase", Force::Ruling(13)),
        earlier(
            "a-broken-seal-before-a-changed-input",
            "A verifier that looks at the inputs before the seal fails in phase 3.",
            SEAL,
            INPUT.plant,
        ),
        decides(
            "a-broken-seal-before-a-divergence",
            "A verifier that compares first, and reports DIVERGE for a pack that nobody can trust.",
            SEAL,
            trace,
        ),
        decides(
            "a-changed-input-before-a-divergence",
            "A verifier that compares first, and reports DIVERGE for a pack that is not complete.",
            INPUT,
            trace,
        ),
        decides(
            "a-missing-trace-before-a-divergence",
            "A verifier that checks traces as it replays meets the divergence before the missing trace.",
            ABSENT,
            trace,
        ),
        Case::fails(
            "a-broken-chain-before-a-wrong-count",
            "A verifier that follows parents when it looks for open and close fails in phase 3.",
            2,
            &chained,
        )
        .place(LAW.place)
        .force("/out/phase", Force::Spec)
        .finds([Finding::new("episode/receipt-chain", RECEIPTS)])
        .ruling(11)
        .flag("Precedence")
        .twin("nothing-wrong"),
        Case::fails(
            "a-broken-seal-beside-a-warning",
            "A verifier that reports the first thing it notices lets an unlisted entry stand for the fault.",
            2,
            &both(SEAL.plant, |pack| pack.put("notes.md", "# Notes\n")),
        )
        // The report, and the entry that no list names: two files, of which no words say which comes first.
        .finds([Finding::of("episode/pack-integrity").of_any_severity(); 2])
        .flag("Precedence")
        .twin("nothing-wrong"),
        Case::diverges(
            "a-divergence-beside-a-warning",
            "A verifier that turns warnings into failures reports INTEGRITY_FAIL for an unlisted entry.",
            &sum(),
            &both(trace, |pack| pack.put("notes.md", "# Notes\n")),
            &["sum"],
        )
        .place(Place::Ruling(14))
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
        .place(VERDICTS)
        .ruling(18)
        .clean(),
        Case::diverges(
            "an-attested-claim-that-passed-and-a-divergence",
            "A verifier that takes the attested claim_check for its own reports PASS for a replay that diverged.",
            &sum(),
            &claiming(&sum(), "PASS", trace),
            &["sum"],
        )
        .place(VERDICTS)
        .ruling(18)
        .flag("Precedence")
        .twin("an-attested-claim-that-passed"),
        Case::matches(
            "a-failed-episode-that-matches",
            "A verifier with one axis reports the failure of the run as a failure of the replay.",
            &failed(),
            &failed().sealed(),
        )
        .place(VERDICTS)
        .ruling(17)
        .flag("Precedence"),
        Case::diverges(
            "a-failed-episode-that-diverges",
            "A verifier with one axis has no place for the failure of the run beside that of the replay.",
            &failed(),
            &failing,
            &["in"],
        )
        .place(VERDICTS)
        .ruling(17)
        .flag("Precedence")
        .twin("a-failed-episode-that-matches"),
    ]
}
