//! Codes of forbidden layers are legacy, and out of use.
//!
//! Spec: Canonical Reply System Architecture (Final), 12; rulings RE-21, RE-32: the layer is what stands before the
//! first hyphen. A text that no layer could be, such as one in lower case, is a code of broken shape, not a legacy one.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::code::Layer;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/legacy-retired");

/// Objects to a legacy code that is still there; `how` says in which way.
pub(crate) fn judge(code: &[u8], how: &str, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if is_legacy(code) {
        let message = format!("{} is of a forbidden layer and {how}: retire it, and use a new code", quoted(code));
        found.meaning(LAW, at(), message);
    }
}

/// Objects to an alias from a legacy code, and advises on any other.
pub(crate) fn judge_alias(old: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if is_legacy(old) {
        judge(old, "mapped to another", at, found);
    } else {
        let text = "an alias from a sound layer: a code keeps its meaning, so that the old one stays reserved";
        found.advise(LAW, at(), text);
    }
}

pub(crate) fn is_legacy(code: &[u8]) -> bool {
    let layer = code.iter().position(|byte| *byte == b'-').and_then(|hyphen| code.get(..hyphen));
    let layer = layer.and_then(|layer| std::str::from_utf8(layer).ok());
    layer.is_some_and(|layer| is_name(layer) && Layer::from_name(layer).is_none())
}

fn is_name(layer: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    layer.starts_with(|first: char| first.is_ascii_uppercase()) && layer.bytes().all(inner)
}
