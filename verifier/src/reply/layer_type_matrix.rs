//! Which types a layer gives: twelve of the sixteen pairs.
//!
//! Spec: Canonical Reply System Architecture (Final), 4; rulings RE-13 to RE-15.

use super::layer_closed::Layer;
use super::type_closed::ReplyType;

pub(super) fn allows(layer: Layer, kind: ReplyType) -> bool {
    match kind {
        ReplyType::S | ReplyType::E => true,
        ReplyType::I => layer != Layer::En,
        ReplyType::D => layer == Layer::En,
    }
}
