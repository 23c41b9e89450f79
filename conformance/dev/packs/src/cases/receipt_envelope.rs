//! Cases of `receipt-envelope` that a whole pack shows: both shapes, and what a receipt may carry.

use serde_json::{Value, json};

use super::base::{list, sum};
use crate::{
    Episode, Pack, Shape, Stage,
    pack::RECEIPTS,
    place::Place,
    vector::{Case, Law},
};

pub(super) const LAW: Law =
    Law { slug: "episode/receipt-envelope", place: Place::Standard("Receipt hash"), file: Some(RECEIPTS), cases };

fn shaped(shape: Shape) -> Episode {
    Episode { shape, ..list() }
}

/// The worked example with something done to the receipt of `out` before the chain is linked.
fn receipt(episode: &Episode, alter: impl FnOnce(&mut serde_json::Map<String, Value>)) -> Pack {
    episode.planted(Stage::Written, |pack| {
        let out = pack.step("out");
        alter(&mut pack.receipts[out]);
    })
}

fn set(episode: &Episode, member: &str, value: Value) -> Pack {
    receipt(episode, |receipt| drop(receipt.insert(member.to_owned(), value)))
}

fn cases() -> Vec<Case> {
    let mut cases = shapes();
    cases.extend(hashes());
    cases.extend(extras());
    cases
}

fn shapes() -> Vec<Case> {
    let (flat, both) = (list(), shaped(Shape::Both));
    let crs = shaped(Shape::Crs);
    let contrary = set(&both, "step_status", json!("FAIL"));
    vec![
        Case::matches(
            "pack-flat-receipts",
            "A verifier that knows the published envelope alone finds no type, time, payload or hash in the public \
             tool's receipts.",
            &flat,
            &flat.sealed(),
        )
        .ruling(2)
        .rests_on(1)
        .rests_on(7)
        .clean(),
        Case::matches(
            "pack-crs-receipts",
            "A verifier that reads `type`, `timestamp` and flat members alone finds no episode in receipts of the \
             standard's own shape, declared hashes and all.",
            &crs,
            &crs.sealed(),
        )
        .place(Place::Standard("3.1 Required fields"))
        .ruling(2)
        .clean(),
        Case::matches(
            "pack-receipts-of-both-shapes",
            "A verifier that decides for one shape by the members it meets first trips over receipts that carry both.",
            &both,
            &both.sealed(),
        )
        .ruling(2)
        .clean(),
        Case::matches(
            "pack-the-payload-is-the-payload",
            "A verifier that prefers flat members over a payload object reads a status that is not the step's.",
            &both,
            &contrary,
        )
        .ruling(2)
        .flag("Precedence"),
        Case::matches(
            "pack-a-payload-that-is-no-object",
            "A verifier that takes the member for the payload whatever its type loses the receipt's own members.",
            &flat,
            &set(&flat, "payload", json!("see above")),
        )
        .ruling(2)
        .flag("TypeConfusion"),
        Case::matches(
            "pack-type-before-receipt-type",
            "A verifier that prefers `receipt_type` takes a step for another system's receipt.",
            &flat,
            &set(&flat, "receipt_type", json!("other.note/v1")),
        )
        .ruling(2)
        .flag("Precedence"),
        Case::matches(
            "pack-schema-version-of-the-standard",
            "A verifier that dispatches on schema_version reads a flat receipt as one with a payload.",
            &flat,
            &set(&flat, "schema_version", json!("crs/0.1")),
        )
        .ruling(1),
        Case::matches(
            "pack-unknown-members",
            "A verifier that closes the payloads, or hashes only the members it knows, refuses what the standard lets \
             anyone add.",
            &flat,
            &set(&flat, "cost", json!({"tokens": null})),
        )
        .place(LAW.place)
        .ruling(5)
        .flag("DigestProjection"),
    ]
}

fn hashes() -> Vec<Case> {
    let crs = shaped(Shape::Crs);
    let wrong = crs.planted(Stage::Linked, |pack| {
        let (out, close) = (pack.step("out"), pack.close());
        let neighbours = pack.receipt_hash(out);
        pack.set(close, "receipt_hash", neighbours);
    });
    let bare = crs.planted(Stage::Linked, |pack| {
        let close = pack.close();
        let hash = pack.receipt_hash(close);
        pack.set(close, "receipt_hash", hash.trim_start_matches("sha256:"));
    });
    vec![
        Case::fails(
            "pack-declared-hash-of-another-receipt",
            "A verifier that recomputes hashes for the chain and never looks at the declared ones lets a receipt lie \
             about itself.",
            2,
            &wrong,
        )
        .place(LAW.place)
        .ruling(3)
        .flag("FailClosed")
        .twin("pack-crs-receipts"),
        Case::fails(
            "pack-declared-hash-without-prefix",
            "A verifier that compares digests as bytes accepts a spelling that receipts do not have.",
            2,
            &bare,
        )
        .place(Place::Profile("0.1 Hash encoding"))
        .ruling(10)
        .flag("DigestSpelling")
        .twin("pack-crs-receipts"),
    ]
}

fn extras() -> Vec<Case> {
    let flat = list();
    let signature = json!({"alg": "Ed25519", "key_id": "k1", "sig": "A".repeat(86) + "=="});
    let anchored = flat.planted(Stage::Written, |pack| {
        let close = pack.close();
        pack.set(close, "anchor", json!({"log": "example", "index": 7}));
    });
    let close = anchored.receipt_hash(anchored.close());
    let hold = |name, rationale, pack: &Pack| Case::fails(name, rationale, 2, pack).twin("pack-flat-receipts");
    let repeated = flat.planted(Stage::Recorded, |pack| {
        let lines = pack.text(RECEIPTS).replacen("\"duration_ms\":1,", "\"duration_ms\":1,\"duration_ms\":1,", 1);
        pack.put(RECEIPTS, lines);
    });
    let mut escaped = set(&flat, "größe", json!(1));
    let lines = escaped.text(RECEIPTS).replace("größe", "gr\\u00f6\\u00dfe");
    escaped.put(RECEIPTS, lines);
    escaped.list();
    escaped.sign();
    let marked = flat.planted(Stage::Recorded, |pack| {
        let lines = format!("\u{feff}{}", pack.text(RECEIPTS));
        pack.put(RECEIPTS, lines);
    });
    vec![
        Case::matches(
            "pack-a-signature-without-a-key",
            "A verifier that demands a key for a receipt's signature fails a pack that is sealed by its own; one that \
             skips it in silence lets the reader believe that it was checked.",
            &flat,
            &set(&flat, "signature", signature),
        )
        .ruling(22)
        .warns("episode/receipt-envelope", RECEIPTS, "/2/signature")
        .twin("pack-flat-receipts"),
        Case::matches(
            "pack-members-the-tool-leaves-out",
            "A verifier that leaves `signatures` out of the receipt hash, as the public tool does, breaks the chain \
             behind it.",
            &flat,
            &set(&flat, "signatures", json!([])),
        )
        .place(LAW.place)
        .ruling(4)
        .flag("DigestProjection")
        .warns("episode/receipt-envelope", RECEIPTS, "/2/signatures")
        .twin("pack-flat-receipts"),
        Case::matches(
            "pack-an-anchor-on-the-last-receipt",
            "A verifier with one hash rule for both either keeps `anchor` in head_hash, where it is left out, or \
             leaves it out of the receipt hash that the result names as its parent.",
            &flat,
            &anchored,
        )
        .ruling(4)
        .flag("DigestProjection")
        .result(json!({"parent_hashes": [close]}))
        .warns("episode/receipt-envelope", RECEIPTS, "/3/anchor")
        .twin("pack-flat-receipts"),
        hold(
            "pack-a-member-name-beyond-ascii",
            "A verifier that applies RFC 8785 alone accepts a name that the container does not allow.",
            &set(&flat, "größe", json!(1)),
        )
        .place(Place::Ruling(14)),
        hold(
            "pack-an-escaped-member-name-beyond-ascii",
            "A verifier that looks at the bytes of the line, and not at the name, passes one that is written as an \
             escape.",
            &escaped,
        )
        .place(Place::Ruling(14))
        .flag("Escaping"),
        hold(
            "pack-a-deep-member-name-beyond-ascii",
            "A verifier that looks at the top-level names alone misses one further down.",
            &set(&flat, "cost", json!([{"währung": "EUR"}])),
        )
        .place(Place::Ruling(14)),
        Case::matches(
            "pack-text-beyond-ascii",
            "A verifier that asks for ASCII in values as well as in names refuses ordinary text.",
            &flat,
            &set(&flat, "note", json!("größer \u{1f600}")),
        )
        .place(Place::Rfc8785("3.2.2.2")),
        hold(
            "pack-a-repeated-member",
            "A reader that keeps the last of two equal names sees a sound receipt, since both hold the same.",
            &repeated,
        )
        .finds_undecided()
        .ruling(27)
        .flag("DuplicateName"),
        hold(
            "pack-a-byte-order-mark",
            "A reader that skips a mark at the start of the file reads what others refuse.",
            &marked,
        )
        .finds_undecided()
        .ruling(27)
        .flag("Encoding"),
        Case::matches(
            "pack-provider-on-a-transform",
            "A verifier that closes the step payload refuses the three members that a transform may carry.",
            &sum(),
            &sum().planted(Stage::Written, |pack| {
                let step = pack.step("sum");
                pack.set(step, "provider", "example");
                pack.set(step, "model_id", "m-1");
                pack.set(step, "system_fingerprint", Value::Null);
            }),
        )
        .place(Place::Profile("Receipts, rce.episode_step/v0")),
    ]
}
