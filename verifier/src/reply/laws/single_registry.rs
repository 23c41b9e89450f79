//! One registry is active; a second one is forbidden even where both agree.
//!
//! Spec: Canonical Reply System Architecture (Final), 12.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::registry::Registries;

pub(crate) const LAW: Law = Law::named("reply/single-registry");

pub(crate) fn judge(registries: &Registries<'_>, at: &JsonPointer, found: &mut Judgement) {
    for index in 1..registries.all.len() {
        found.meaning(LAW, at.index(index), "a second registry is active: merge it into the first");
    }
}
