//! One code, and the laws of its segments wherever it stands.
//!
//! Spec: Canonical Reply System Architecture (Final), 4 to 6; ruling RE-26: the shape, each segment, then the pair.

use super::area_registered::Areas;
use super::code_shape::Segments;
use super::judgement::Judgement;
use super::layer_closed::Layer;
use super::text::quoted;
use super::type_closed::{self, ReplyType};
use super::{contract_area_gate, layer_type_matrix, number_from_one};
use crate::json::JsonPointer;
use crate::law::Law;

/// A lawful code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Who decided.
    pub layer: Layer,
    /// What it was about.
    pub area: String,
    /// What it means.
    pub kind: ReplyType,
    /// Which of its family it is.
    pub number: u16,
}

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
    let Some(segments) = Segments::parse(text) else {
        let message = format!("{} is no code: write LAYER-AREA-TYPE-NNN, for instance WA-RES-I-001", quoted(text));
        found.meaning(Law::ReplyCodeShape, at(), message);
        return None;
    };
    let layer = Layer::from_name(segments.layer);
    if layer.is_none() {
        let message =
            format!("{} is no layer: WA, EN, CT and MCP are all there are", quoted(segments.layer.as_bytes()));
        found.meaning(Law::ReplyLayerClosed, at(), message);
    }
    if !areas.knows(segments.area) {
        let area = quoted(segments.area.as_bytes());
        let message = format!("{area} is no registered area: use one of the thirteen, or declare it with its document");
        found.meaning(Law::ReplyAreaRegistered, at(), message);
    }
    if contract_area_gate::is_forbidden(segments.area) {
        let message = format!("{} is no area: opening and closing a contract is CT-GATE", segments.area);
        found.meaning(Law::ReplyContractAreaGate, at(), message);
    }
    let kind = type_closed::judge(segments.kind.as_bytes(), &at, found);
    if let (Some(layer), Some(kind)) = (layer, kind)
        && !layer_type_matrix::allows(layer, kind)
    {
        let message =
            format!("{} never gives {}: D comes from EN alone, I from the others", layer.name(), kind.letter());
        found.meaning(Law::ReplyLayerTypeMatrix, at(), message);
    }
    if number_from_one::is_unusual(&segments) {
        found.advise(Law::ReplyNumberFromOne, at(), "numbers count from 001");
    }
    kind
}
