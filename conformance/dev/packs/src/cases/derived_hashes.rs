//! Cases of `derived-hashes`: five hashes that a verifier recomputes from the contract and the step receipts.

use serde_json::{Value, json};

use super::base::{NUMBERS, failed, list, loaded, recontract, sum, with, with_schema};
use crate::{
    Episode, Finding, Outcome, Pack, Stage,
    canon::hash,
    pack::RECEIPTS,
    place::Place,
    step,
    vector::{Case, Law},
};

pub(super) const LAW: Law = Law {
    slug: "episode/derived-hashes",
    place: Place::Profile("2.4 Derived hash inventory"),
    file: Some(RECEIPTS),
    cases,
};

/// The spec hash that the open and the close receipt state is not that of the contract.
const SPEC: [Finding; 2] = [Finding::new(LAW.slug, RECEIPTS); 2];

/// Nor is the hash of the part of the contract that the open receipt states by itself: the inputs, or the script.
const SPEC_AND_PART: [Finding; 3] = [Finding::new(LAW.slug, RECEIPTS); 3];

/// What the spec hash covers.
const VIEW: Place = Place::Profile("Replay-normative view");

/// The worked example with a hash of the open (0) or close (3) receipt replaced.
fn stated(receipt: usize, member: &str, value: &Value) -> Pack {
    list().planted(Stage::Written, |pack| pack.set(receipt, member, hash(value)))
}

fn breaks(name: &'static str, rationale: &'static str, pack: &Pack) -> Case {
    Case::fails(name, rationale, 3, pack).twin("worked-example")
}

/// The contract altered after its hashes were taken.
fn altered(alter: impl FnOnce(&mut Value)) -> Pack {
    list().planted(Stage::Signed, |pack| recontract(pack, alter))
}

fn cases() -> Vec<Case> {
    let mut cases = stated_elsewhere();
    cases.extend(views());
    cases.extend(outputs());
    cases.extend(spelling());
    cases
}

fn stated_elsewhere() -> Vec<Case> {
    let worked = json!({
        "episode_spec_hash": "sha256:475904d6badd7d5219a397dbc4ee6a27a92c9a5827579ec18ebf1f023faa932d",
        "script_hash": "sha256:ab5cefee7a4fa7beb8cbfd5dfc0e6da87e31c10e6ed61a0419c0a72da9e6da2f",
    });
    let nothing = json!([]);
    vec![
        Case::matches(
            "worked-example",
            "A verifier with any other projection, order or spelling of the hashed values finds another hash than the \
             two that are published.",
            &list(),
            &list().sealed(),
        )
        .result(worked),
        breaks(
            "another-spec-opened",
            "A verifier that compares the spec hash of the close receipt alone accepts an episode that opens under \
             another.",
            &stated(0, "episode_spec_hash", &nothing),
        ),
        breaks(
            "another-spec-closed",
            "A verifier that compares the spec hash of the open receipt alone accepts an episode that closes under \
             another.",
            &stated(3, "episode_spec_hash", &nothing),
        ),
        breaks(
            "other-inputs",
            "A verifier that is content with the spec hash never compares the hash of the inputs.",
            &stated(0, "inputs_hash", &nothing),
        ),
        breaks(
            "another-script",
            "A verifier that is content with the spec hash never compares the hash of the script.",
            &stated(0, "script_hash", &nothing),
        ),
        breaks(
            "another-environment",
            "A verifier that checks the fingerprint inside the contract never compares it with the open receipt.",
            &stated(0, "env_fingerprint_hash", &nothing),
        ),
        breaks(
            "a-hash-of-the-steps-alone",
            "A verifier that hashes the array of steps instead of the whole script finds this one right.",
            &stated(0, "script_hash", &list().contract["replay_script"]["steps"]),
        )
        .flag("DigestProjection"),
        breaks(
            "a-hash-of-input-hashes",
            "A verifier that hashes the inputs' digests without their refs finds this one right.",
            &stated(0, "inputs_hash", &json!([list().contract["inputs"][0]["hash"]])),
        )
        .flag("DigestProjection"),
    ]
}

fn views() -> Vec<Case> {
    let whole = |keep: &[&str]| {
        let contract = list().contract;
        let view: serde_json::Map<_, _> =
            keep.iter().map(|name| ((*name).to_owned(), contract[*name].clone())).collect();
        let spec = hash(&Value::Object(view));
        list().planted(Stage::Written, |pack| {
            for index in [0, 3] {
                pack.set(index, "episode_spec_hash", spec.clone());
            }
        })
    };
    let four = ["inputs", "replay_script", "replay_policy", "environment"];
    let holds = |name, rationale, pack| Case::matches(name, rationale, &list(), pack).flag("DigestProjection");
    let mut configured = sum();
    configured.contract["replay_script"]["steps"][1]["params"]["config_hash"] = json!(hash(&json!("a")));
    let mut nowhere = configured.clone();
    nowhere.contract["replay_script"]["steps"][1]["params"]["config_hash"] = json!(format!("sha256:{:064}", 0));
    let reconfigured = configured.planted(Stage::Signed, |pack| {
        recontract(pack, |contract| {
            contract["replay_script"]["steps"][1]["params"]["config_hash"] = json!(hash(&json!("b")));
        });
    });
    vec![
        breaks(
            "a-spec-with-the-whole-environment",
            "A verifier that hashes the environment as it stands, fingerprint and hints included, finds this one \
             right.",
            &whole(&four),
        )
        .finds(SPEC)
        .place(VIEW)
        .flag("DigestProjection"),
        breaks(
            "a-spec-without-the-environment",
            "A verifier that takes the fingerprint for enough leaves the environment out of the spec.",
            &whole(&four[..3]),
        )
        .finds(SPEC)
        .place(VIEW)
        .flag("DigestProjection"),
        breaks(
            "a-spec-of-the-whole-contract",
            "A verifier that hashes the contract instead of its replay-normative view finds this one right.",
            &list().planted(Stage::Written, |pack| {
                for index in [0, 3] {
                    pack.set(index, "episode_spec_hash", hash(&list().contract));
                }
            }),
        )
        .finds(SPEC)
        .place(VIEW)
        .flag("DigestProjection"),
        holds(
            "hints-changed-afterwards",
            "A verifier that hashes more than the view takes a hint for part of the spec.",
            &altered(|contract| {
                contract["environment"]["model_version_hint"] = json!("m-1.2");
                contract["environment"]["system_fingerprint"] = json!("fp_7");
            }),
        )
        .place(VIEW)
        .clean(),
        breaks(
            "an-empty-table-of-tiers-added",
            "A verifier that drops empty objects, or fills absent ones in, hashes the same policy before and after.",
            &altered(|contract| contract["replay_policy"]["comparator_tiers_by_step"] = json!({})),
        )
        .finds(SPEC)
        .place(VIEW)
        .flag("NullVersusAbsent"),
        breaks(
            "a-media-type-added",
            "A verifier that hashes ref and hash of each input alone does not see what was added to one.",
            &altered(|contract| contract["inputs"][0]["media_type"] = json!("application/json")),
        )
        .finds(SPEC_AND_PART)
        .flag("NullVersusAbsent"),
        breaks(
            "an-empty-output-schema-added",
            "A verifier that drops empty objects hashes the same step before and after.",
            &altered(|contract| contract["replay_script"]["steps"][1]["output_schema"] = json!({})),
        )
        .finds(SPEC_AND_PART)
        .flag("NullVersusAbsent"),
        Case::matches(
            "an-opaque-configuration",
            "A verifier that recomputes config_hash has nothing to recompute it from.",
            &configured,
            &configured.sealed(),
        )
        .place(Place::Profile("2.4 Derived hash inventory, Local attestations"))
        .ruling(35),
        Case::matches(
            "an-opaque-configuration-of-nothing",
            "A verifier that looks among the files of the pack for what a configuration's hash is of finds nothing.",
            &nowhere,
            &nowhere.sealed(),
        )
        .place(Place::Profile("2.4 Derived hash inventory, Local attestations"))
        .ruling(35),
        Case::fails(
            "an-opaque-configuration-changed",
            "A verifier that leaves opaque params out of the script's hash accepts another script.",
            3,
            &reconfigured,
        )
        .finds(SPEC_AND_PART)
        .place(LAW.place)
        .ruling(35)
        .flag("DigestProjection")
        .twin("an-opaque-configuration"),
    ]
}

/// Two emissions that are listed, and run, in the other order than their ids sort.
fn two(first: &str, second: &str) -> Episode {
    let emitted = |id: &str, after: &[&str], value: u8| {
        (step::after(step::emit(id, "list", "in"), after), Outcome::pass(json!({"value": value})))
    };
    Episode::new(&[NUMBERS], [loaded("nums.json"), emitted(first, &["in"], 1), emitted(second, &["in", first], 2)])
}

/// With `outputs_hash` over these entries instead.
fn outputs_of(episode: &Episode, entries: &Value) -> Pack {
    episode.planted(Stage::Written, |pack| {
        let close = pack.close();
        pack.set(close, "outputs_hash", hash(entries));
    })
}

fn entry(episode: &Episode, id: &str) -> Value {
    json!({"step_id": id, "output_hash": episode.outcome(id).output_hash()})
}

fn outputs() -> Vec<Case> {
    let sorted = two("z-first", "a-second");
    let as_run = outputs_of(&sorted, &json!([entry(&sorted, "z-first"), entry(&sorted, "a-second")]));
    // U+FFFD sorts before U+10000 by code point, and after its first surrogate by UTF-16 unit.
    let astral = two("\u{10000}", "\u{fffd}");
    let by_unit = outputs_of(&astral, &json!([entry(&astral, "\u{10000}"), entry(&astral, "\u{fffd}")]));
    let mut broken = sum();
    broken.outcomes.insert("out".to_owned(), Outcome::fail(json!({"claim": 6})));
    let with_failed = outputs_of(&broken, &json!([entry(&broken, "out")]));
    let with_skipped = outputs_of(&failed(), &json!([entry(&failed(), "out")]));
    let inner = list();
    let mapped = outputs_of(&inner, &json!({"out": inner.outcome("out").output_hash()}));
    vec![
        breaks(
            "other-outputs",
            "A verifier that compares traces with receipts never compares the receipts with their sum.",
            &{ stated(3, "outputs_hash", &json!([])) },
        ),
        Case::matches(
            "outputs-sorted-by-step",
            "A verifier that hashes the outputs in the order of the script or of the replay finds another hash.",
            &sorted,
            &sorted.sealed(),
        )
        .flag("SortOrder"),
        Case::fails(
            "outputs-as-they-ran",
            "A verifier that hashes the outputs in the order of the script or of the replay finds this one right.",
            3,
            &as_run,
        )
        .flag("SortOrder")
        .twin("outputs-sorted-by-step"),
        Case::matches(
            "outputs-sorted-by-code-point",
            "A verifier that sorts step ids by UTF-16 unit, as member names are, finds another hash.",
            &astral,
            &astral.sealed(),
        )
        .ruling(28)
        .flag("SortOrder")
        .inline(),
        Case::fails(
            "outputs-sorted-by-utf-16-unit",
            "A verifier that sorts step ids by UTF-16 unit, as member names are, finds this one right.",
            3,
            &by_unit,
        )
        .ruling(28)
        .flag("SortOrder")
        .inline()
        .twin("outputs-sorted-by-code-point"),
        Case::matches(
            "no-output-passed",
            "A verifier that hashes null, or nothing, where no output passed does not know the hash of an empty list.",
            &failed(),
            &failed().sealed(),
        ),
        Case::fails(
            "outputs-with-a-failed-one",
            "A verifier that hashes every emitted output, whatever its status, finds this one right.",
            3,
            &with_failed,
        )
        .flag("DigestProjection")
        .twin("a-failed-output"),
        Case::matches(
            "a-failed-output",
            "A verifier that hashes every emitted output, whatever its status, finds another hash.",
            &broken,
            &broken.sealed(),
        ),
        Case::fails(
            "outputs-with-a-skipped-one",
            "A verifier that filters by opcode alone hashes an entry whose output is null.",
            3,
            &with_skipped,
        )
        .flag("DigestProjection")
        .twin("no-output-passed"),
        breaks(
            "outputs-as-an-object",
            "A verifier that hashes a map of outputs by step finds this one right.",
            &mapped,
        )
        .flag("DigestProjection"),
    ]
}

fn spelling() -> Vec<Case> {
    let compact = |text: &str| text.lines().map(str::trim_start).collect::<String>();
    let rewritten = |rewrite: &dyn Fn(&str) -> String, episode: &Episode| {
        episode.planted(Stage::Signed, |pack| {
            let text = rewrite(pack.text("episode_contract.json"));
            pack.put("episode_contract.json", text);
        })
    };
    let large = with_schema(json!({"properties": {"list": {"items": {"maximum": 1e21}}}}));
    let assay = large.planted(Stage::Written, |pack| {
        // H(script) and H(view) with the exponent as the tool writes it: the texts differ in that one token.
        let respell = |value: &Value| {
            let text = String::from_utf8(crate::canon::jcs(value)).expect("text").replace("1e+21", "1E21");
            format!("sha256:{}", crate::canon::sha256(text.as_bytes()))
        };
        let contract = &large.contract;
        pack.set(0, "script_hash", respell(&contract["replay_script"]));
        let environment = &contract["environment"];
        let view = json!({
            "inputs": contract["inputs"], "replay_script": contract["replay_script"],
            "replay_policy": contract["replay_policy"],
            "environment": {
                "provider": environment["provider"], "model_id": environment["model_id"],
                "tool_versions": environment["tool_versions"], "container_digest": environment["container_digest"],
            },
        });
        for index in [0, 3] {
            pack.set(index, "episode_spec_hash", respell(&view));
        }
    });
    vec![
        Case::matches(
            "a-contract-without-white-space",
            "A verifier that hashes the file instead of its canonical text takes a reformatted contract for another.",
            &list(),
            &rewritten(&compact, &list()),
        )
        .place(Place::Rfc8785("3.2.1"))
        .flag("Whitespace"),
        Case::matches(
            "a-contract-in-another-spelling",
            "A verifier that hashes tokens as they stand takes an escape for another letter.",
            &list(),
            &rewritten(&|text| text.replace("example", "\\u0065xample"), &list()),
        )
        .place(Place::Rfc8785("3.2.2.2"))
        .flag("Escaping"),
        Case::matches(
            "an-exponent-by-rfc-8785",
            "A verifier that writes exponents as the public tool does finds other hashes than RFC 8785 gives.",
            &large,
            &large.sealed(),
        )
        .place(Place::Rfc8785("3.2.2.3"))
        .ruling(25)
        .flag("FloatSpelling"),
        Case::fails(
            "an-exponent-by-the-tool",
            "A verifier that writes exponents as the public tool does, unasked, finds these hashes right.",
            3,
            &assay,
        )
        .finds(SPEC_AND_PART)
        .place(Place::Rfc8785("3.2.2.3"))
        .ruling(25)
        .flag("FloatSpelling")
        .twin("an-exponent-by-rfc-8785"),
        Case::matches(
            "a-container-digest",
            "A verifier that drops container_digest, or keeps it only where it is null, finds another environment.",
            &with("/environment/container_digest", json!("sha256:0")),
            &with("/environment/container_digest", json!("sha256:0")).sealed(),
        )
        .flag("NullVersusAbsent"),
    ]
}
