//! Checks 3 and 9 of ruling EP-14: the lines of `receipt_pack.jsonl`, and the types that receipts may have.

use serde_json::{Map, Value, json};

use super::{LAW, SOMEWHERE, breaks, holds, list, manifest, planted};
use crate::{
    Finding, Pack, Stage,
    canon::sha256,
    cases::base::with_foreign,
    pack::{MANIFEST, RECEIPTS},
    vector::Case,
};

/// The receipts break this law.
const RECEIPT: Finding = Finding::new(LAW.slug, RECEIPTS);

/// The receipts break this law or that of the envelope: no words decide which.
const ENVELOPE: Finding = Finding::at(RECEIPTS);

/// The plain pack with another system's receipt before the last, altered.
fn beside(kind: &str, alter: impl FnOnce(&mut Map<String, Value>)) -> Pack {
    planted(Stage::Written, |pack| {
        with_foreign(pack, kind);
        let note = pack.close() - 1;
        alter(&mut pack.receipts[note]);
    })
}

/// The same with a time that the attestation does not repeat.
fn timed(time: &str) -> Pack {
    let mut pack = beside("session_metadata", |receipt| drop(receipt.insert("timestamp".to_owned(), json!(time))));
    let sound = list().sealed();
    for name in ["timestamp_start", "timestamp_end"] {
        pack.attestation.insert(name.to_owned(), sound.attestation[name].clone());
    }
    pack.attest();
    pack.sign();
    pack
}

fn typed(name: &'static str, rationale: &'static str, kind: &str) -> Case {
    Case::fails(name, rationale, 2, &beside(kind, |_| {})).finds([RECEIPT]).twin("another-systems-receipt")
}

/// The plain pack with the text of the receipts altered before it is listed.
fn lines(alter: impl FnOnce(&str) -> String) -> Pack {
    planted(Stage::Recorded, |pack| {
        let altered = alter(pack.text(RECEIPTS));
        pack.put(RECEIPTS, altered);
    })
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = text();
    cases.extend(attested());
    cases.extend(envelope());
    cases
}

fn text() -> Vec<Case> {
    let spaced = |text: &str| text.lines().map(|line| format!("{}\n", line.replace("\":", "\" : "))).collect();
    vec![
        holds(
            "blank-lines",
            "A verifier that parses every line fails on an empty one.",
            &lines(|text| text.replace('\n', "\n\n")),
        )
        .flag("Whitespace")
        .clean(),
        holds(
            "lines-in-another-spelling",
            "A verifier that hashes the lines as they stand, instead of their canonical text, finds chain and head \
             broken.",
            &lines(spaced),
        )
        .flag("Whitespace"),
        holds(
            "no-final-line-feed",
            "A verifier that counts line feeds counts one receipt too few.",
            &lines(|text| text.trim_end().to_owned()),
        )
        .flag("Truncation"),
        Case::fails(
            "a-line-that-is-no-json",
            "A verifier that skips what it cannot parse, and counts lines, loses a receipt in silence.",
            2,
            &broken_line("note: none"),
        )
        .finds([ENVELOPE])
        .flag("FailClosed")
        .twin("another-systems-receipt"),
        Case::fails(
            "a-line-that-is-no-object",
            "A verifier that reads members of whatever a line holds breaks on an array, or passes over it.",
            2,
            &broken_line("[]"),
        )
        .finds([ENVELOPE])
        .flag("TypeConfusion")
        .twin("another-systems-receipt"),
        breaks(
            "bytes-that-are-no-text",
            "A reader that replaces broken UTF-8 reads another text than was written.",
            &planted(Stage::Recorded, |pack| {
                let text = pack.text(RECEIPTS).replacen("Show that", "Show\u{7f}that", 1);
                let bytes = text.bytes().map(|byte| if byte == 0x7f { 0xff } else { byte }).collect::<Vec<_>>();
                pack.put(RECEIPTS, bytes);
            }),
        )
        .finds_undecided()
        .ruling(27)
        .flag("Encoding"),
    ]
}

/// A line between the last step and the close receipt that is not a receipt at all; nothing else depends on it.
fn broken_line(line: &str) -> Pack {
    planted(Stage::Recorded, |pack| {
        let text = pack.text(RECEIPTS).trim_end().to_owned();
        let (before, close) = text.rsplit_once('\n').expect("lines");
        pack.put(RECEIPTS, format!("{before}\n{line}\n{close}\n"));
        pack.manifest.insert("receipt_count_expected".to_owned(), json!(5));
        pack.attestation.insert("n_receipts".to_owned(), json!(5));
    })
}

fn attested() -> Vec<Case> {
    let doubled = |integrity: &'static str| {
        planted(Stage::Written, |pack| {
            pack.attestation.insert("receipt_integrity".to_owned(), json!(integrity));
            let id = pack.receipts[1]["receipt_id"].clone();
            pack.set(2, "receipt_id", id);
        })
    };
    let shamed =
        planted(Stage::Written, |pack| drop(pack.attestation.insert("receipt_integrity".to_owned(), json!("FAIL"))));
    let head = |head: String| {
        planted(Stage::Listed, |pack| drop(pack.attestation.insert("head_hash".to_owned(), json!(head))))
    };
    let first = list().sealed().receipt_hash(0).trim_start_matches("sha256:").to_owned();
    let anchor = |pack: &mut Pack| {
        let close = pack.close();
        pack.set(close, "anchor", json!({"index": 7}));
    };
    let by_the_tool = planted(Stage::Written, anchor);
    let mut by_the_standard = by_the_tool.clone();
    let last = by_the_tool.receipt_hash(by_the_tool.close());
    by_the_standard.attestation.insert("head_hash".to_owned(), json!(last.trim_start_matches("sha256:")));
    by_the_standard.attest();
    by_the_standard.sign();
    vec![
        breaks(
            "fewer-receipts-than-expected",
            "A verifier that judges the receipts that are there does not notice that one was taken away.",
            &manifest("receipt_count_expected", 5),
        )
        .flag("FailClosed"),
        holds(
            "another-attested-count",
            "A verifier that rejects on n_receipts is stricter than the public tool; one that ignores it hides a \
             contradiction.",
            &planted(Stage::Listed, |pack| drop(pack.attestation.insert("n_receipts".to_owned(), json!(5)))),
        )
        .warns("episode/pack-integrity", MANIFEST, "/attestation/n_receipts")
        .twin("sound"),
        breaks(
            "a-receipt-id-twice",
            "A verifier that keeps receipts in a map by id loses one of two and counts the lines.",
            &doubled("PASS"),
        )
        .finds([RECEIPT])
        .flag("DuplicateName"),
        breaks(
            "an-honest-failure",
            "A verifier that only asks whether the attestation agrees with what it finds accepts a pack that says of \
             itself that it is broken.",
            &doubled("FAIL"),
        )
        // The attestation, and the id that comes twice: two files, of which no words say which comes first.
        .finds([SOMEWHERE.of_any_severity(); 2])
        .ruling(19)
        .flag("FailClosed"),
        breaks(
            "a-failure-that-nobody-finds",
            "A verifier that never reads the attested receipt_integrity accepts a pack that attests its own failure.",
            &shamed,
        )
        .ruling(19)
        .flag("FailClosed"),
        breaks(
            "a-head-of-another-receipt",
            "A verifier that trusts the signed head_hash never compares it with the last receipt.",
            &head(first),
        ),
        breaks(
            "a-head-of-an-empty-pack",
            "A verifier that takes this head for the sign of an empty pack never looks at the receipts that are \
             there.",
            &head(sha256(b"empty")),
        ),
        holds(
            "a-head-by-the-rule-of-the-tool",
            "A verifier that hashes the last receipt by the standard's rule finds another head.",
            &by_the_tool,
        )
        .ruling(4)
        .flag("DigestProjection"),
        Case::fails(
            "a-head-by-the-rule-of-the-standard",
            "A verifier that hashes the last receipt by the standard's rule finds this head, and the public tool does \
             not.",
            2,
            &by_the_standard,
        )
        .finds_undecided()
        .ruling(4)
        .flag("DigestProjection")
        .twin("a-head-by-the-rule-of-the-tool"),
    ]
}

fn envelope() -> Vec<Case> {
    let note = "session_metadata";
    let twin = |case: Case| case.finds([ENVELOPE]).twin("another-systems-receipt");
    let without = |member: &'static str| beside(note, |receipt| drop(receipt.remove(member)));
    let unnamed = beside(note, |receipt| drop(receipt.insert("receipt_id".to_owned(), json!(""))));
    vec![
        holds(
            "another-systems-receipt",
            "A verifier that knows the four episode types alone refuses a receipt of a type that the container knows.",
            &beside(note, |_| {}),
        ),
        holds(
            "a-dotted-type",
            "A verifier that lists the types it knows refuses a dotted one, which is open to everybody.",
            &beside("example.note_2.more/v1", |_| {}),
        ),
        typed("an-unknown-flat-type", "A verifier without the type policy accepts any word for a type.", "note"),
        typed(
            "a-type-of-a-reserved-space",
            "A verifier with a pattern alone accepts a type that begins with `loom.`.",
            "loom.note/v1",
        ),
        typed(
            "a-type-with-capitals",
            "A verifier that folds case accepts a type that the pattern does not.",
            "example.Note/v1",
        ),
        typed(
            "a-type-with-a-line-feed",
            "A pattern whose end anchor admits a final line feed accepts it.",
            "example.note/v1\n",
        )
        .flag("PatternAnchor"),
        twin(breaks(
            "no-receipt-id",
            "A verifier that looks for repeated ids alone accepts none at all.",
            &without("receipt_id"),
        ))
        .flag("MissingMember"),
        twin(breaks("an-empty-receipt-id", "A verifier that asks for presence alone accepts an empty id.", &unnamed)),
        twin(breaks(
            "no-timestamp",
            "A verifier that reads times only where it sorts accepts a receipt without one.",
            &{ without("timestamp") },
        ))
        .flag("MissingMember"),
        twin(breaks(
            "a-timestamp-in-words",
            "A verifier that asks for any text accepts a time that is none.",
            &timed("yesterday"),
        )),
        twin(breaks(
            "a-timestamp-of-no-day",
            "A verifier that matches digits alone accepts the thirtieth of February.",
            &{ timed("2026-02-30T09:00:00+00:00") },
        )),
        Case::matches(
            "a-timestamp-in-the-basic-form",
            "A verifier that knows the profile of RFC 3339 alone refuses a time of ISO 8601 without its separators.",
            &list(),
            &timed("20260302T090000Z"),
        )
        .clean(),
        twin(breaks(
            "a-timestamp-with-an-offset-of-sixty-minutes",
            "A verifier that reads any two digits as the minutes of an offset accepts an hour written as minutes.",
            &timed("2026-03-02T09:00:00+00:60"),
        )),
        twin(breaks(
            "a-timestamp-with-a-letter-in-its-offset",
            "A verifier that takes a character for a digit by subtraction reads an A as seventeen hours.",
            &timed("2026-03-02T09:00:00+0A:00"),
        )),
    ]
}
