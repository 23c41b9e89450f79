//! Cases of `exit-codes`: 0 for MATCH, 1 for DIVERGE, 2 for INTEGRITY_FAIL, whatever is wrong with the input.

use serde_json::json;

use super::base::{failed, list, recontract, retrace, sum};
use crate::{
    Finding, Pack, Stage,
    pack::{MANIFEST, RECEIPTS},
    place::Place,
    vector::{Case, Law},
};

pub(super) const LAW: Law = Law { slug: "episode/exit-codes", place: Place::Profile("Verdicts"), file: None, cases };

/// What is not a contract.
const SHAPE: Finding = Finding::new("episode/contract-shape", "episode_contract.json");

/// There is none: no words decide whether that breaks its shape or completeness.
const NO_CONTRACT: Finding = Finding::at("episode_contract.json");

fn tampered(fault: impl FnOnce(&mut Pack)) -> Pack {
    list().planted(Stage::Signed, fault)
}

fn cases() -> Vec<Case> {
    let two = |name, rationale, phase, pack: &Pack| {
        Case::fails(name, rationale, phase, pack).flag("FailClosed").twin("zero-for-a-match")
    };
    let contract = |text: &'static str| tampered(|pack| pack.put("episode_contract.json", text));
    let later =
        |member: &'static str, value: &'static str| list().planted(Stage::Written, |pack| pack.set(0, member, value));
    vec![
        Case::matches(
            "zero-for-a-match",
            "A verifier that ends with 1 whenever it has printed something.",
            &list(),
            &list().sealed(),
        ),
        Case::matches(
            "zero-for-a-failed-episode-that-matches",
            "A verifier that ends with 1 because steps of the original run failed confuses run and replay.",
            &failed(),
            &failed().sealed(),
        )
        .place(LAW.place)
        .ruling(17),
        Case::matches(
            "zero-for-an-attested-claim-that-failed",
            "A verifier that enforces claims in the replay ends with 1 where the replay matches.",
            &sum(),
            &sum()
                .planted(Stage::Written, |pack| drop(pack.attestation.insert("claim_check".to_owned(), json!("FAIL")))),
        )
        .ruling(18),
        Case::matches(
            "zero-beside-a-warning",
            "A verifier that counts findings ends with 1 for an entry that no rule forbids.",
            &list(),
            &tampered(|pack| pack.put("notes.md", "# Notes\n")),
        )
        .place(Place::Ruling(14)),
        Case::diverges(
            "one-for-a-divergence",
            "A verifier that knows good and bad alone ends with 2 for an honest divergence.",
            &list(),
            &tampered(|pack| retrace(pack, "out", "{\"list\": []}\n")),
            &["out"],
        )
        .twin("zero-for-a-match"),
        two(
            "two-for-a-broken-seal",
            "A verifier that knows good and bad alone ends with 1 for tampering.",
            2,
            &tampered(|pack| pack.put("verify_transcript.md", "All is well.\n")),
        )
        .finds([Finding::new("episode/pack-integrity", "verify_transcript.md")]),
        two(
            "two-for-a-missing-manifest",
            "A verifier that calls the pack command for phase 2 ends with that command's 1.",
            2,
            &tampered(|pack| drop(pack.files.remove(MANIFEST))),
        )
        .finds([Finding::new("episode/pack-integrity", MANIFEST)])
        .place(LAW.place)
        .ruling(44),
        two(
            "two-for-missing-receipts",
            "A verifier that opens the receipts outside any phase ends with 3.",
            2,
            &tampered(|pack| drop(pack.files.remove(RECEIPTS))),
        )
        .finds_undecided(),
        two(
            "two-for-a-missing-contract",
            "A verifier that takes a missing contract for a wrong argument ends with 3.",
            1,
            &tampered(|pack| drop(pack.files.remove("episode_contract.json"))),
        )
        .finds([NO_CONTRACT]),
        two(
            "two-for-a-contract-that-is-no-json",
            "A verifier whose parser fails outside any phase ends with 3.",
            1,
            &contract("episode: none\n"),
        )
        .finds([SHAPE]),
        two(
            "two-for-a-contract-that-is-no-object",
            "A verifier that indexes into an array ends with 3.",
            1,
            &contract("[]\n"),
        )
        .finds([SHAPE])
        .place(LAW.place)
        .ruling(23),
        two("two-for-a-contract-of-null", "A verifier that indexes into null ends with 3.", 1, &contract("null\n"))
            .finds([SHAPE])
            .place(LAW.place)
            .ruling(23),
        two(
            "two-for-a-contract-without-its-script",
            "A verifier that hashes the contract before it looks at its shape ends with 3.",
            1,
            &tampered(|pack| {
                recontract(pack, |contract| {
                    drop(contract.as_object_mut().and_then(|members| members.remove("replay_script")))
                });
            }),
        )
        .finds([SHAPE])
        .place(LAW.place)
        .ruling(23),
        two(
            "two-for-a-count-in-words",
            "A verifier that turns text into a number ends with 3 at a word.",
            3,
            &later("n_steps", "two"),
        )
        .finds([Finding::new("episode/completeness", RECEIPTS)])
        .ruling(22),
        two(
            "two-for-a-trace-of-nan",
            "A verifier that reads NaN and cannot write it ends with 3.",
            3,
            &tampered(|pack| retrace(pack, "out", "NaN\n")),
        )
        .finds([Finding::new("episode/completeness", "recorded_traces/out.json")])
        .ruling(27),
        two(
            "two-for-an-empty-folder",
            "A verifier that looks for a pack before it judges one ends with 3.",
            1,
            &tampered(|_| {}),
        )
        .finds([NO_CONTRACT])
        .without(""),
    ]
}
