//! The order of judgement on one code, wherever it stands.
//!
//! Spec: Canonical Reply System Architecture (Final), 4 to 6; ruling RE-26: the shape, each segment, then the pair.

use super::judgement::Judgement;
use super::laws::area_registered::Areas;
use super::laws::{code_shape, contract_area_gate, layer_closed, layer_type_matrix, number_from_one, type_closed};
use super::model::code::{Code, Layer, Segments};
use super::model::reply_type::ReplyType;
use crate::json::JsonPointer;

/// Reads one code by the thirteen areas; there is a code if no law is broken.
#[must_use]
pub fn code(text: &[u8]) -> (Option<Code>, Judgement) {
    let mut found = Judgement::default();
    judge(text, &Areas::default(), JsonPointer::root, &mut found);
    let code = Segments::parse(text).filter(|_| found.is_lawful()).and_then(|segments| {
        Some(Code {
            layer: Layer::from_name(segments.layer)?,
            area: segments.area.to_owned(),
            kind: ReplyType::from_letter(segments.kind.as_bytes())?,
            number: segments.value(),
        })
    });
    (code, found.settled())
}

/// Judges a code and gives its type, where it has one.
pub(super) fn judge(
    text: &[u8],
    areas: &Areas<'_>,
    at: impl Fn() -> JsonPointer,
    found: &mut Judgement,
) -> Option<ReplyType> {
    let segments = code_shape::judge(text, &at, found)?;
    let layer = layer_closed::judge(segments.layer, &at, found);
    areas.judge(segments.area, &at, found);
    contract_area_gate::judge(&segments, &at, found);
    let kind = type_closed::judge(segments.kind.as_bytes(), &at, found);
    if let (Some(layer), Some(kind)) = (layer, kind) {
        layer_type_matrix::judge(layer, kind, &at, found);
    }
    number_from_one::judge(&segments, &at, found);
    kind
}
