//! Members of receipts that have one due value: that of the contract, or the only one there is.

use super::{
    breaks,
    receipts::{COMPARED, close, emission, open, remove, set, transform},
};
use crate::{Pack, vector::Case};

/// The id of the episode, in the other case.
const UPPER: &str = "EP_0195C8A1D2E3000000000001";

pub(super) fn cases() -> Vec<Case> {
    let mut cases = spelled_otherwise();
    cases.extend(left_out());
    cases
}

fn spelled_otherwise() -> Vec<Case> {
    let other = |name, rationale, pack: &Pack, flag| breaks(name, rationale, pack).place(COMPARED).flag(flag);
    vec![
        other(
            "another-episode-opened-in-upper-case",
            "A verifier that folds case takes an id that is none for the contract's.",
            &set(open, "episode_id", UPPER),
            "Normalisation",
        ),
        other(
            "another-episode-closed-in-upper-case",
            "A verifier that folds case when it closes takes an id that is none for the contract's.",
            &set(close, "episode_id", UPPER),
            "Normalisation",
        ),
        other(
            "another-basis-opened-in-upper-case",
            "A verifier that folds the case of words takes another spelling for the only basis there is.",
            &set(open, "replay_basis", "RECORDED_TRACE"),
            "EnumMember",
        ),
        other(
            "another-basis-closed-in-upper-case",
            "A verifier that compares the basis exactly where the episode opens, and by its letters where it closes.",
            &set(close, "replay_basis", "RECORDED_TRACE"),
            "EnumMember",
        ),
        other(
            "another-tier-opened-in-lower-case",
            "A verifier that folds the case of words takes `a` for the only tier there is.",
            &set(open, "comparator_tier", "a"),
            "EnumMember",
        ),
        other(
            "another-tier-closed-in-lower-case",
            "A verifier that compares the tier exactly where the episode opens, and by its letter where it closes.",
            &set(close, "comparator_tier", "a"),
            "EnumMember",
        ),
        other(
            "the-last-step-of-another-episode",
            "A verifier that compares the id of the first step believes the others.",
            &set(emission, "episode_id", "ep_0195c8a1d2e3000000000002"),
            "FailClosed",
        ),
        other(
            "another-opcode-in-lower-case",
            "A verifier that folds the case of words takes another spelling for the opcode of the step.",
            &set(transform, "opcode", "apply_transform"),
            "EnumMember",
        ),
    ]
}

fn left_out() -> Vec<Case> {
    let missing = |name, rationale, pack: &Pack| breaks(name, rationale, pack).ruling(22).flag("MissingMember");
    vec![
        missing(
            "no-episode-opened",
            "A verifier that compares the id if the open receipt names one never misses it.",
            &remove(open, "episode_id"),
        ),
        missing(
            "no-episode-closed",
            "A verifier that compares the id if the close receipt names one never misses it.",
            &remove(close, "episode_id"),
        ),
        missing(
            "no-basis-opened",
            "A verifier that fills in the only basis there is never misses it.",
            &remove(open, "replay_basis"),
        ),
        missing(
            "no-basis-closed",
            "A verifier that takes over the basis of the open receipt never misses that of the close receipt.",
            &remove(close, "replay_basis"),
        ),
        missing(
            "no-tier-opened",
            "A verifier that fills in the tier of the policy never misses that of the open receipt.",
            &remove(open, "comparator_tier"),
        ),
        missing(
            "no-tier-closed",
            "A verifier that takes over the tier of the open receipt never misses that of the close receipt.",
            &remove(close, "comparator_tier"),
        ),
        missing(
            "a-step-of-no-episode",
            "A verifier that takes a step for one of the episode that was opened before it never misses its id.",
            &remove(transform, "episode_id"),
        ),
        missing(
            "no-opcode-in-a-step",
            "A verifier that looks up the opcode in the script fills in what the receipt owes.",
            &remove(transform, "opcode"),
        ),
    ]
}
