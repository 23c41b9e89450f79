//! Cases of `replay-result`: the receipt that the verifier writes.

use serde_json::{Value, json};

use super::base::{failed, list, recontract, retrace};
use crate::{
    Episode, Finding, Pack, Shape, Stage,
    canon::hash,
    pack::{MANIFEST, RECEIPTS},
    place::{Force, Place},
    vector::{Case, Law},
};

pub(super) const LAW: Law =
    Law { slug: "episode/replay-result", place: Place::Profile("Receipts, rce.replay_result/v0"), file: None, cases };

/// What the text says of a failure itself; what the result then holds is often a ruling's alone.
const SCRIPT: Place = Place::Profile("Verification, phase 1 script validation");
const INTEGRITY: Place = Place::Profile("Verification, phase 2 pack integrity");
const COMPLETENESS: Place = Place::Profile("Verification, phase 3 completeness");
const CONTRACT: Place = Place::Profile("Episode Contract schema, top level");

/// Members of the result whose value the text leaves open where integrity fails.
const ROOT: &str = "/out/replay_result/original_pack_root_sha256";
const PARENTS: &str = "/out/replay_result/parent_hashes";

/// The seal does not hold, in this file.
const fn unsealed(file: &'static str) -> Finding {
    Finding::new("episode/pack-integrity", file)
}

/// The receipts are not those of the script.
const INCOMPLETE: Finding = Finding::new("episode/completeness", RECEIPTS);

/// The time of a result that no receipt and no caller dates.
const NEVER: &str = "1970-01-01T00:00:00Z";
const ZEROS: &str = "sha256:0000000000000000000000000000000000000000000000000000000000000000";

fn root(pack: &Pack) -> String {
    format!("sha256:{}", pack.manifest["pack_root_sha256"].as_str().expect("text"))
}

fn close(pack: &Pack) -> Value {
    json!([pack.receipt_hash(pack.close())])
}

fn tampered(fault: impl FnOnce(&mut Pack)) -> Pack {
    list().planted(Stage::Signed, fault)
}

/// What the result says of a contract that says nothing.
fn stand_ins() -> Value {
    let script = json!({"schema_version": "replay_script/0.1", "steps": []});
    let view = json!({
        "inputs": [], "replay_script": script,
        "replay_policy": {"replay_basis": "recorded_trace", "comparator_tier": "A"},
        "environment": {"provider": "unknown", "model_id": "unknown", "tool_versions": {}, "container_digest": null},
    });
    json!({
        "episode_id": "ep_000000000000000000000000", "episode_spec_hash": hash(&view), "script_hash": hash(&script),
        "original_pack_root_sha256": ZEROS, "parent_hashes": [], "dispute": null,
        "replay_basis": "recorded_trace", "comparator_tier": "A", "timestamp": NEVER,
    })
}

/// What the result says of a contract that can be read, but is not lawful.
fn own(episode: &Episode) -> Value {
    json!({
        "episode_id": episode.contract["episode_id"], "episode_spec_hash": episode.spec_hash(),
        "script_hash": hash(&episode.contract["replay_script"]),
        "original_pack_root_sha256": ZEROS, "parent_hashes": [], "dispute": null,
        "replay_basis": "recorded_trace", "comparator_tier": "A", "timestamp": NEVER,
    })
}

fn cases() -> Vec<Case> {
    let mut cases = whole();
    cases.extend(parents());
    cases.extend(roots());
    cases.extend(contracts());
    cases
}

fn whole() -> Vec<Case> {
    let pack = list().sealed();
    let changed = tampered(|pack| retrace(pack, "out", "{\"list\": []}\n"));
    let result = |pack: &Pack, rest: Value| {
        let mut result = json!({
            "type": "rce.replay_result/v0", "schema_version": "3.0", "proof_tier": "core",
            "episode_id": "ep_0195c8a1d2e3000000000001", "episode_spec_hash": list().spec_hash(),
            "script_hash": hash(&list().contract["replay_script"]), "original_pack_root_sha256": root(pack),
            "replay_basis": "recorded_trace", "comparator_tier": "A", "parent_hashes": close(pack),
            "timestamp": pack.receipts[3]["timestamp"],
        });
        for (name, value) in rest.as_object().expect("members") {
            result[name] = value.clone();
        }
        result
    };
    vec![
        Case::matches(
            "of-a-match",
            "A verifier that writes the container's bare root, its own time, or the declared hash of the close \
             receipt writes a result that another verifier cannot reproduce.",
            &list(),
            &pack,
        )
        .result(result(
            &pack,
            json!({
                "verdict": "MATCH", "receipt_integrity": "PASS", "claim_check": "PASS",
                "steps_replayed": 2, "steps_matched": 2,
                "steps_diverged": 0, "divergent_step_ids": [], "dispute": null,
            }),
        )),
        Case::diverges(
            "of-a-divergence",
            "A verifier that writes claim_check as the pack attests it, or counts the diverging step as matched, \
             contradicts its verdict.",
            &list(),
            &changed,
            &["out"],
        )
        .result(result(
            &changed,
            json!({
                "verdict": "DIVERGE", "receipt_integrity": "PASS", "claim_check": "FAIL",
                "steps_replayed": 2, "steps_matched": 1,
                "steps_diverged": 1, "divergent_step_ids": ["out"],
            }),
        ))
        .twin("of-a-match"),
        Case::matches(
            "of-a-failed-episode",
            "A verifier that writes the claim of the episode into claim_check of the replay calls this a FAIL.",
            &failed(),
            &failed().sealed(),
        )
        .place(Place::Profile("Verdicts"))
        .ruling(17)
        .force("/out/replay_result/claim_check", Force::Ruling(17))
        .force("/out/replay_result/verdict", Force::Ruling(17))
        .result(json!({
            "verdict": "MATCH", "claim_check": "PASS", "steps_replayed": 3, "steps_matched": 3,
            "parent_hashes": close(&failed().sealed()),
        })),
        Case::matches(
            "dated-by-the-caller",
            "A verifier that dates the result by the close receipt although it was given a time ignores its caller.",
            &list(),
            &pack,
        )
        .now("2026-04-01T00:00:00Z")
        .result(json!({"timestamp": "2026-04-01T00:00:00Z"})),
        Case::matches(
            "dated-by-a-receipt-of-the-other-shape",
            "A verifier that reads `timestamp` alone finds no time in a close receipt that says `ts`.",
            &Episode { shape: Shape::Crs, ..list() },
            &Episode { shape: Shape::Crs, ..list() }.sealed(),
        )
        .place(Place::Standard("3.1 Required fields"))
        .ruling(2)
        .result(json!({"timestamp": "2026-03-02T09:00:00.003+00:00"})),
    ]
}

fn parents() -> Vec<Case> {
    let after = |alter: &dyn Fn(&mut Pack)| list().planted(Stage::Written, |pack| alter(pack));
    let miscounted = after(&|pack| pack.set(3, "n_steps_passed", 1));
    let misread = after(&|pack| pack.set(1, "opcode", "EMIT_OUTPUT"));
    let unclosed = after(&|pack| drop(pack.receipts.pop()));
    let twice = after(&|pack| {
        let mut copy = pack.receipts[3].clone();
        copy.insert("receipt_id".to_owned(), json!("r_ep_again"));
        pack.receipts.push(copy);
    });
    let reported = tampered(|pack| pack.put("verify_report.json", "{}\n"));
    let fails = |name, rationale, phase, pack: &Pack, parents: Value, number| {
        // A parent is named exactly where the close receipt's time is known too.
        let named = parents.as_array().is_some_and(|parents| !parents.is_empty());
        let timestamp = if named { pack.receipts[pack.close()]["timestamp"].clone() } else { json!(NEVER) };
        Case::fails(name, rationale, phase, pack)
            .ruling(number)
            .result(json!({
                "timestamp": timestamp, "parent_hashes": parents, "dispute": null,
                "steps_replayed": 0, "steps_matched": 0, "steps_diverged": 0,
                "divergent_step_ids": [], "verdict": "INTEGRITY_FAIL", "receipt_integrity": "FAIL", "claim_check": null,
                "original_pack_root_sha256": root(pack), "episode_spec_hash": list().spec_hash(),
            }))
            .twin("of-a-match")
    };
    vec![
        fails(
            "phase-3-names-the-close-receipt",
            "A verifier that writes no parent for any INTEGRITY_FAIL forgets the close receipt that it had verified.",
            3,
            &misread,
            close(&misread),
            41,
        )
        .place(Place::Ruling(12))
        .force(PARENTS, Force::Ruling(41))
        .finds([INCOMPLETE]),
        fails(
            "phase-3-names-a-close-receipt-at-fault",
            "A verifier that writes no parent when the complaint is about the close receipt itself loses what it \
             complains of.",
            3,
            &miscounted,
            close(&miscounted),
            41,
        )
        .place(Place::Ruling(12))
        .force(PARENTS, Force::Ruling(41))
        .finds([Finding::at(RECEIPTS)]),
        fails(
            "two-close-receipts-are-no-parent",
            "A verifier that names the first of two close receipts chooses between two that contradict each other.",
            3,
            &twice,
            json!([]),
            40,
        )
        .place(COMPLETENESS)
        .force(PARENTS, Force::Ruling(40))
        .finds([INCOMPLETE]),
        fails(
            "no-close-receipt-no-parent",
            "A verifier that names the last receipt whatever it is gives the result a step for its parent.",
            3,
            &unclosed,
            json!([]),
            41,
        )
        .place(COMPLETENESS)
        .finds([INCOMPLETE]),
        fails(
            "phase-2-names-nobody",
            "A verifier that reads the close receipt of a pack that it could not trust names a parent that nobody has \
             verified.",
            2,
            &reported,
            json!([]),
            41,
        )
        .place(INTEGRITY)
        .force(ROOT, Force::Ruling(23))
        .force(PARENTS, Force::Ruling(41))
        .finds([unsealed("verify_report.json")]),
    ]
}

fn roots() -> Vec<Case> {
    let fails = |name, rationale, pack: &Pack, root: &str| {
        Case::fails(name, rationale, 2, pack)
            .rests_on(23)
            .force(ROOT, Force::Ruling(23))
            .force(PARENTS, Force::Ruling(41))
            .result(json!({
                "original_pack_root_sha256": root, "parent_hashes": [], "timestamp": NEVER,
                "episode_id": "ep_0195c8a1d2e3000000000001",
            }))
            .twin("of-a-match")
    };
    let other = tampered(|pack| {
        pack.manifest.insert("pack_root_sha256".to_owned(), json!("ab".repeat(32)));
        pack.write();
    });
    let malformed = tampered(|pack| {
        let upper = pack.manifest["pack_root_sha256"].as_str().expect("text").to_uppercase();
        pack.manifest.insert("pack_root_sha256".to_owned(), json!(upper));
        pack.write();
    });
    let changed = tampered(|pack| {
        let text = pack.text(RECEIPTS).replacen("PASS", "FAIL", 1);
        pack.put(RECEIPTS, text);
    });
    vec![
        fails(
            "the-root-that-the-manifest-states",
            "A verifier that recomputes the root names another pack than the one it was handed.",
            &other,
            &format!("sha256:{}", "ab".repeat(32)),
        )
        .place(Place::Profile("Identity model"))
        .finds([unsealed(MANIFEST)]),
        fails(
            "a-root-that-is-malformed",
            "A verifier that puts the prefix before whatever the manifest says writes a result that breaks its own \
             schema.",
            &malformed,
            ZEROS,
        )
        .place(Place::Profile("Identity model"))
        .finds([unsealed(MANIFEST)])
        .flag("DigestSpelling"),
        fails(
            "no-manifest-no-root",
            "A verifier that has no value for an unknown root writes null, or no result at all.",
            &tampered(|pack| drop(pack.files.remove(MANIFEST))),
            ZEROS,
        )
        .place(INTEGRITY)
        .finds([unsealed(MANIFEST)]),
        fails(
            "receipts-changed-root-known",
            "A verifier that dates the result by the close receipt of a pack that failed in phase 2 trusts what it \
             has just refused.",
            &changed,
            &root(&changed),
        )
        .place(INTEGRITY)
        .finds([unsealed(RECEIPTS), Finding::new("episode/receipt-chain", RECEIPTS)]),
    ]
}

fn contracts() -> Vec<Case> {
    let fails = |name, rationale, pack: &Pack, result: Value| {
        Case::fails(name, rationale, 1, pack)
            .finds([Finding::new("episode/contract-shape", "episode_contract.json")])
            .force("/out/replay_result/episode_id", Force::Ruling(23))
            .force("/out/replay_result/episode_spec_hash", Force::Ruling(23))
            .force("/out/replay_result/script_hash", Force::Ruling(23))
            .force(ROOT, Force::Ruling(23))
            .result(result)
            .twin("of-a-match")
    };
    let text = |text: &'static str| tampered(|pack| pack.put("episode_contract.json", text));
    let repeated = tampered(|pack| {
        let contract = pack.text("episode_contract.json").replacen("{\n", "{\n  \"episode_id\": \"ep_1\",\n", 1);
        pack.put("episode_contract.json", contract);
    });
    let altered = |alter: &dyn Fn(&mut Value)| {
        let mut episode = list();
        alter(&mut episode.contract);
        let pack = tampered(|pack| recontract(pack, |contract| contract.clone_from(&episode.contract)));
        (episode, pack)
    };
    let without = |pointer: &'static str, member: &'static str| {
        let (_, pack) = altered(&|contract| {
            let object = contract.pointer_mut(pointer).and_then(Value::as_object_mut).expect("an object");
            assert!(object.remove(member).is_some());
        });
        pack
    };
    let (basis, on_basis) = altered(&|contract| contract["replay_policy"]["replay_basis"] = json!("live_reexecution"));
    let (tier, on_tier) = altered(&|contract| contract["replay_policy"]["comparator_tier"] = json!("C"));
    let (cycle, in_cycle) = altered(&|contract| contract["replay_script"]["steps"][0]["depends_on"] = json!(["out"]));
    let (print, on_print) = altered(&|contract| contract["environment"]["provider"] = json!("another"));
    let (_, numbered) = altered(&|contract| contract["episode_id"] = json!(7));
    vec![
        fails(
            "no-contract",
            "A verifier that needs a contract to write a result writes none, or nulls.",
            &tampered(|pack| drop(pack.files.remove("episode_contract.json"))),
            stand_ins(),
        )
        .finds([Finding::at("episode_contract.json")])
        .place(SCRIPT)
        .rests_on(23),
        fails(
            "a-contract-that-is-no-json",
            "A verifier that keeps what a lenient parser has read names an id that others cannot find.",
            &text("{\"episode_id\": "),
            stand_ins(),
        )
        .place(SCRIPT)
        .rests_on(23),
        fails(
            "a-contract-with-a-repeated-name",
            "A verifier that keeps the last of two equal names reads a lawful contract, which others cannot read at \
             all.",
            &repeated,
            stand_ins(),
        )
        .ruling(27)
        .flag("DuplicateName"),
        fails(
            "a-contract-that-is-no-object",
            "A verifier that looks members up in whatever it has read breaks on an array and writes no result.",
            &text("[]\n"),
            stand_ins(),
        )
        .place(SCRIPT)
        .ruling(23),
        fails(
            "a-contract-without-inputs",
            "A verifier that keeps the id and hashes a view with a hole in it.",
            &without("", "inputs"),
            stand_ins(),
        )
        .place(CONTRACT)
        .ruling(23),
        fails(
            "a-contract-without-a-schema-version",
            "A verifier that asks for the members of the view alone hashes a contract that lacks a required one.",
            &without("", "schema_version"),
            stand_ins(),
        )
        .place(CONTRACT)
        .ruling(23),
        fails(
            "an-environment-without-a-container",
            "A verifier that hashes three of the four members, or puts null in place of the fourth.",
            &without("/environment", "container_digest"),
            stand_ins(),
        )
        .place(Place::Profile("Episode Contract schema, environment"))
        .ruling(23)
        .flag("NullVersusAbsent"),
        fails(
            "an-episode-id-as-a-number",
            "A verifier that copies the id whatever it is writes a result that breaks its own schema.",
            &numbered,
            stand_ins(),
        )
        .place(CONTRACT)
        .ruling(23)
        .flag("TypeConfusion"),
        fails(
            "another-basis",
            "A verifier that copies the basis of the contract presents a recorded replay as a live one.",
            &on_basis,
            own(&basis),
        )
        .place(LAW.place)
        .ruling(24),
        fails(
            "another-tier",
            "A verifier that copies the tier of the contract writes one that does not exist.",
            &on_tier,
            own(&tier),
        )
        .place(LAW.place)
        .ruling(24),
        fails(
            "a-cycle",
            "A verifier that writes stand-ins for every failure of phase 1 loses which contract it was.",
            &in_cycle,
            own(&cycle),
        )
        .place(Place::Profile("ReplayScript v0, dependency graph"))
        .rests_on(23)
        .finds_undecided(),
        fails(
            "a-wrong-fingerprint",
            "A verifier that finds the fingerprint wrong in phase 3 names a pack root and a parent.",
            &on_print,
            own(&print),
        )
        .place(Place::Profile("2.3 Environment fingerprint"))
        .finds([Finding::new("episode/environment-fingerprint", "episode_contract.json")])
        .ruling(13),
    ]
}
