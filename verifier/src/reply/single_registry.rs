//! One registry is active; a second one is forbidden even where both agree.
//!
//! Spec: Canonical Reply System Architecture (Final), 12.

use super::judgement::Judgement;
use crate::json::JsonPointer;
use crate::law::Law;

pub(super) fn judge(registries: usize, at: &JsonPointer, found: &mut Judgement) {
    for index in 1..registries {
        found.meaning(
            Law::ReplySingleRegistry,
            at.index(index),
            "a second registry is active: merge it into the first",
        );
    }
}
