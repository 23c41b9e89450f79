//! Codes of forbidden layers are legacy, and out of use.
//!
//! Spec: Canonical Reply System Architecture (Final), 12; rulings RE-21, RE-32: the layer is what stands before the
//! first hyphen. A text that no layer could be, such as one in lower case, is a code of broken shape, not a legacy one.

use super::layer_closed::Layer;

pub(super) fn is_legacy(code: &[u8]) -> bool {
    let layer = code.iter().position(|byte| *byte == b'-').and_then(|hyphen| code.get(..hyphen));
    let layer = layer.and_then(|layer| std::str::from_utf8(layer).ok());
    layer.is_some_and(|layer| is_name(layer) && Layer::from_name(layer).is_none())
}

fn is_name(layer: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    layer.starts_with(|first: char| first.is_ascii_uppercase()) && layer.bytes().all(inner)
}
