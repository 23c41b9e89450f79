//! Packs that match, one for each way in which the files of a pack are bound.

use assize_packs::{Episode, Outcome, Pack, Shape, canon::hash, step};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// As the public tool builds them: flat receipts, contract and artifacts bound through the receipts alone.
pub(crate) fn tool_like() -> Pack {
    let mut pack = episode().sealed();
    // A spelling of its own: names out of order, a fraction of zero, escapes.
    pack.put("recorded_traces/sum.json", "{\"sum\": 6.0, \"of\" : [\t1,2,3e0 ], \"n\\u00e4me\": \"\\u0041\\/\"}\r\n");
    pack.put("_unsigned/PACK_SUMMARY.md", "# Summary\n");
    pack.put("NOTES.txt", "lies beside the pack\n");
    pack
}

/// Receipts in the shape of the standard, and every artifact listed in the signed manifest.
pub(crate) fn crs_listed() -> Pack {
    Episode { shape: Shape::Crs, list_artifacts: true, ..episode() }.sealed()
}

/// Each receipt declares its hash and is signed.
pub(crate) fn signed_receipts() -> Pack {
    let mut pack = episode().pack();
    for index in 0..pack.receipts.len() {
        pack.set(index, "receipt_hash", Value::Null);
    }
    pack.link();
    for index in 0..pack.receipts.len() {
        let signature = STANDARD.encode(pack.key.sign(pack.receipt_hash(index).as_bytes()));
        pack.set(index, "signature", json!({"alg": "Ed25519", "key_id": "test", "sig": signature}));
    }
    pack.reseal();
    pack
}

/// An assertion failed, what depends on it was skipped, and another output broke its schema.
pub(crate) fn failed() -> Pack {
    let expected = hash(&json!("other"));
    let mut pack = Episode::new(
        &[("nums.json", "[1,2,3]\n")],
        [
            (step::load("in", "nums.json"), Outcome::pass(json!([1, 2, 3]))),
            (step::check("check", "in", &expected), Outcome::asserted(false)),
            (step::apply("late", &["check", "in"]), Outcome::skipped()),
            (step::emit("later", "sum", "late"), Outcome::skipped()),
            (step::emit("out", "list", "in"), Outcome::fail(json!({"list": "none"}))),
            (step::emit("well", "list", "in"), Outcome::pass(json!({"list": [1, 2, 3]}))),
        ],
    )
    .sealed();
    pack.put("recorded_traces/late.json", "{\"left\": \"over\"}\n");
    pack
}

/// All of them, with names.
pub(crate) fn all() -> [(&'static str, Pack); 4] {
    [
        ("tool-like", tool_like()),
        ("crs, listed", crs_listed()),
        ("signed receipts", signed_receipts()),
        ("failed", failed()),
    ]
}

/// Lists the files as they lie there, attests and signs: whoever altered them holds the key.
pub(crate) fn relist(pack: &mut Pack) {
    pack.list();
    pack.attest();
    pack.sign();
}

/// Every opcode, every optional member of a contract, inputs in a folder and not JSON.
pub(crate) fn episode() -> Episode {
    let numbers = json!([1, 2, 3]);
    let mut sum = step::apply("sum", &["nums", "check"]);
    sum["params"] = json!({
        "transform": "sum/v1", "provider": "example", "model_id": "m-1",
        "config_hash": hash(&json!({})), "system_fingerprint": "fp_0",
    });
    sum["output_schema"] = json!({"type": "object", "properties": {"sum": {"minimum": 1.0, "maximum": 1e3}}});
    let mut episode = Episode::new(
        &[("nums.json", "[1,2,3]\n"), ("texts/note.txt", "plain text\n")],
        [
            (step::load("nums", "nums.json"), Outcome::pass(numbers.clone())),
            (step::load("note", "texts/note.txt"), Outcome::pass(json!({"text": "plain text\n"}))),
            (step::check("check", "nums", &hash(&numbers)), Outcome::asserted(true)),
            (sum, Outcome::pass(json!({"of": [1, 2, 3], "n\u{e4}me": "A/", "sum": 6}))),
            (step::emit("out", "sum", "sum"), Outcome::pass(json!({"sum": 6, "unit": "€"}))),
        ],
    );
    let contract = &mut episode.contract;
    contract["inputs"][1]["media_type"] = json!("text/plain");
    contract["replay_policy"]["comparator_tiers_by_step"] = json!({"sum": "A", "nobody": "A"});
    contract["environment"]["tool_versions"] = json!({"python": "3.12.1"});
    contract["environment"]["model_version_hint"] = json!("2026-01");
    contract["environment"]["system_fingerprint"] = json!("fp_1");
    episode.fingerprint();
    episode
}
