//! The fields of a registry row repeat the segments of its code.
//!
//! Spec: Canonical Reply System Architecture (Final), 14; ruling RE-34: a field may be absent, and one that is there,
//! be it null, repeats its segment. The field of the type is the business of `type_agrees`.

use crate::json::{JsonPointer, NodeRef, NumberToken};
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::code::Segments;
use crate::reply::model::member::is_text;
use crate::reply::model::registry::Row;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/axes-distinct");

pub(crate) fn judge(row: &Row<'_>, code: &Segments<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
    if let Some(field) = unlike(row.node, code) {
        let message = format!("the field {field} does not repeat the segment of {}", quoted(&row.code));
        found.meaning(LAW, at(), message);
    }
}

/// The first field of a row that says something else than its code.
fn unlike(row: NodeRef<'_>, code: &Segments<'_>) -> Option<&'static str> {
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

fn is_value(field: NodeRef<'_>, value: u16) -> bool {
    let token = field.as_number().filter(|token| !token.float);
    // By value, since `-0` is the integer zero.
    token.is_some_and(|token| NumberToken::cmp_integers(token.text, &value.to_string()).is_eq())
}
