//! The fields of a registry row repeat the segments of its code.
//!
//! Spec: Canonical Reply System Architecture (Final), 14; ruling RE-34: a field may be absent, and one that is there,
//! be it null, repeats its segment. The field of the type is the business of `type_agrees`.

use super::code_shape::Segments;
use crate::json::{NodeRef, NumberToken};

/// The first field of a row that says something else than its code.
pub(super) fn unlike(row: NodeRef<'_>, code: &Segments<'_>) -> Option<&'static str> {
    let repeats = |name, segment: &str| row.get(name).is_none_or(|field| is_text(field, segment));
    if !repeats("layer", code.layer) {
        return Some("layer");
    }
    if !repeats("area", code.area) {
        return Some("area");
    }
    let number = row.get("number");
    number.is_some_and(|field| !is_text(field, code.number) && !is_value(field, code.value())).then_some("number")
}

/// Whether a field is a segment's text.
pub(super) fn is_text(field: NodeRef<'_>, segment: &str) -> bool {
    field.as_string().is_some_and(|text| text == segment)
}

fn is_value(field: NodeRef<'_>, value: u16) -> bool {
    let token = field.as_number().filter(|token| !token.float);
    // By value, since `-0` is the integer zero.
    token.is_some_and(|token| NumberToken::cmp_integers(token.text, &value.to_string()).is_eq())
}
