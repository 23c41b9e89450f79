//! Which types a layer gives, by `contracts/reply/tables/layers.json`: twelve of the sixteen pairs.
//!
//! Spec: Canonical Reply System Architecture (Final), 4; rulings RE-13 to RE-15.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::code::Layer;
use crate::reply::model::reply_type::ReplyType;

pub(crate) const LAW: Law = Law::named("reply/layer-type-matrix");

pub(crate) fn judge(layer: Layer, kind: ReplyType, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if !allows(layer, kind) {
        let message = format!("{} never gives {}: it gives {}", layer.name(), kind.letter(), layer.types().join(", "));
        found.meaning(LAW, at(), message);
    }
}

fn allows(layer: Layer, kind: ReplyType) -> bool {
    layer.types().contains(&kind.letter())
}
