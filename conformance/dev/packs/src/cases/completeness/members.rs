//! What the payload of each receipt owes, member by member: ruling EP-22.

use serde_json::Value;

use super::{
    breaks,
    receipts::{close, emission, open, remove, set, transform},
};
use crate::{Pack, vector::Case};

/// Name of the case, the receipt, its member, what comes there as JSON (none: it is taken away), whether words decide what is
/// found beside the verdict, and the rationale.
type Row = (&'static str, fn(&Pack) -> usize, &'static str, Option<&'static str>, bool, &'static str);

pub(super) fn cases() -> Vec<Case> {
    ROWS.into_iter().map(case).collect()
}

fn case((name, receipt, member, value, decided, rationale): Row) -> Case {
    let (pack, flag) = match value {
        Some(text) => (set(receipt, member, serde_json::from_str::<Value>(text).expect("a value")), "TypeConfusion"),
        None => (remove(receipt, member), "MissingMember"),
    };
    let case = breaks(name, rationale, &pack).ruling(22).flag(flag).inline();
    if decided { case } else { case.finds_undecided() }
}

/// Why a hash is left out.
const WHERE_THERE_IS_ONE: &str = "A verifier that compares the hash where there is one accepts a receipt without.";

/// Why a number stands for a hash.
const AS_TEXT: &str = "A verifier that compares hashes as text breaks on a number, or turns both sides into text.";

const ROWS: [Row; 33] = [
    ("no-env-fingerprint-hash-in-the-open-receipt", open, "env_fingerprint_hash", None, false, WHERE_THERE_IS_ONE),
    ("no-episode-spec-hash-in-the-open-receipt", open, "episode_spec_hash", None, false, WHERE_THERE_IS_ONE),
    ("no-inputs-hash-in-the-open-receipt", open, "inputs_hash", None, false, WHERE_THERE_IS_ONE),
    ("no-script-hash-in-the-open-receipt", open, "script_hash", None, false, WHERE_THERE_IS_ONE),
    (
        "no-number-of-steps",
        open,
        "n_steps",
        None,
        true,
        "A verifier that counts the receipts itself never misses the number that the open receipt owes.",
    ),
    ("a-number-for-env-fingerprint-hash", open, "env_fingerprint_hash", Some("0"), false, AS_TEXT),
    ("a-number-for-episode-spec-hash", open, "episode_spec_hash", Some("0"), false, AS_TEXT),
    ("a-number-for-inputs-hash", open, "inputs_hash", Some("0"), false, AS_TEXT),
    ("a-number-for-script-hash", open, "script_hash", Some("0"), false, AS_TEXT),
    (
        "an-episode-id-of-null-opened",
        open,
        "episode_id",
        Some("null"),
        true,
        "A verifier that compares the id where there is one accepts an open receipt of no episode.",
    ),
    (
        "a-basis-that-is-a-list-opened",
        open,
        "replay_basis",
        Some(r#"["recorded_trace"]"#),
        true,
        "A verifier that asks whether the right word is in whatever it finds takes a list of it for the word.",
    ),
    (
        "a-tier-that-is-a-list-opened",
        open,
        "comparator_tier",
        Some(r#"["A"]"#),
        true,
        "A verifier that asks whether the right letter is in whatever it finds takes a list of it for the tier.",
    ),
    (
        "no-claim-in-the-close-receipt",
        close,
        "all_steps_passed",
        None,
        false,
        "A verifier that derives the claim itself never misses the one that the close receipt owes.",
    ),
    ("no-spec-hash-in-the-close-receipt", close, "episode_spec_hash", None, false, WHERE_THERE_IS_ONE),
    (
        "no-number-executed",
        close,
        "n_steps_executed",
        None,
        false,
        "A verifier that counts the steps itself never misses the number that the close receipt owes.",
    ),
    (
        "no-number-passed",
        close,
        "n_steps_passed",
        None,
        false,
        "A verifier that takes an absent count for zero, or for its own, never misses it.",
    ),
    ("no-outputs-hash", close, "outputs_hash", None, false, WHERE_THERE_IS_ONE),
    (
        "a-number-executed-as-text",
        close,
        "n_steps_executed",
        Some(r#""4""#),
        false,
        "A verifier that coerces text into numbers finds the count right.",
    ),
    (
        "a-number-passed-as-text",
        close,
        "n_steps_passed",
        Some(r#""4""#),
        false,
        "A verifier that coerces text into numbers finds the count right.",
    ),
    ("a-number-for-the-closing-spec-hash", close, "episode_spec_hash", Some("0"), false, AS_TEXT),
    ("a-number-for-outputs-hash", close, "outputs_hash", Some("0"), false, AS_TEXT),
    (
        "an-episode-id-of-null-closed",
        close,
        "episode_id",
        Some("null"),
        true,
        "A verifier that compares the id where there is one accepts a close receipt of no episode.",
    ),
    (
        "a-basis-that-is-a-list-closed",
        close,
        "replay_basis",
        Some(r#"["recorded_trace"]"#),
        true,
        "A verifier that asks whether the right word is in whatever it finds takes a list of it for the word.",
    ),
    (
        "a-tier-that-is-a-list-closed",
        close,
        "comparator_tier",
        Some(r#"["A"]"#),
        true,
        "A verifier that asks whether the right letter is in whatever it finds takes a list of it for the tier.",
    ),
    (
        "no-input-hashes",
        transform,
        "input_hashes",
        None,
        false,
        "A verifier that takes an absent list for an empty one compares no hash at all.",
    ),
    (
        "no-size",
        transform,
        "output_size_bytes",
        None,
        true,
        "A verifier that takes sizes for information never misses one.",
    ),
    (
        "no-step-id",
        emission,
        "step_id",
        None,
        false,
        "A verifier that looks up receipts by step never looks at one that names none.",
    ),
    (
        "no-status",
        emission,
        "step_status",
        None,
        false,
        "A verifier that asks for the two statuses that end badly takes a step without one for passed.",
    ),
    (
        "an-episode-id-of-null-in-a-step",
        transform,
        "episode_id",
        Some("null"),
        true,
        "A verifier that compares the id where there is one accepts a step of no episode.",
    ),
    (
        "a-tier-that-is-a-list-in-a-step",
        transform,
        "comparator_tier",
        Some(r#"["A"]"#),
        true,
        "A verifier that asks whether the right letter is in whatever it finds takes a list of it for the tier.",
    ),
    ("an-input-hash-that-is-a-number", transform, "input_hashes", Some("[0]"), false, AS_TEXT),
    ("an-output-hash-that-is-a-number", emission, "output_hash", Some("0"), false, AS_TEXT),
    (
        "a-step-id-that-is-a-number",
        emission,
        "step_id",
        Some("0"),
        false,
        "A verifier that looks up receipts by the text of whatever they name breaks on a number, or finds no step of it.",
    ),
];
