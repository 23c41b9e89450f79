//! Strict canonical parity: decision records are equal when their canonical bytes are.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Strict Canonical Parity Law; rulings DEC-01 to DEC-06 (DEC-02
//! and DEC-05: pairing by ordinal), DEC-13, SV-25.

use std::cmp::Ordering;

use super::float_ban;
use crate::canon::CanonRefusalKind;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::{JsonPointer, JsonStr, NodeRef, NumberToken};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::sovereign::model::banned::Banned;
use crate::sovereign::model::issue::IssueSpans;
use crate::sovereign::model::report::{Cell, Row, Surface, reason};
use crate::sovereign::model::turn::{Record, Turn};

pub(crate) const LAW: Law = Law::named("sovereign/canonical-parity");

/// A value without canonical form: the float ban's if it is a number, else one that parity cannot compare.
pub(crate) fn without_form(banned: Banned) -> Finding {
    let message = format!("{}: {}", banned.kind, banned.kind.help());
    let law = float_ban::law_of(banned.kind).unwrap_or(LAW);
    Finding::error(law, banned.pointer, message).with_code(reason::CANONICALIZATION)
}

/// A text or a name with a lone surrogate has no canonical form (STR-06 to STR-09).
pub(crate) fn banned_text(text: &JsonStr<'_>) -> Option<CanonRefusalKind> {
    text.has_lone_surrogate().then_some(CanonRefusalKind::LoneSurrogate)
}

/// Calls for each name that several members of an object have (JSN-06).
pub(crate) fn each_repeated_name<'d>(object: NodeRef<'d>, mut repeated: impl FnMut(&JsonStr<'d>)) {
    let mut names: Vec<_> = object.members().map(|(name, _)| name.decode()).collect();
    names.sort_unstable();
    for run in names.chunk_by(|a, b| a == b).filter(|run| run.len() > 1) {
        if let Some(name) = run.first() {
            repeated(name);
        }
    }
}

/// A name without UTF-8 form cannot be compared, and no report can point at it.
pub(crate) fn name<'n>(name: &'n JsonStr<'_>, object: &JsonPointer) -> Result<&'n str, Finding> {
    name.to_str().ok_or_else(|| unnameable(object.member(&name.to_text_lossy())))
}

/// No report can name a turn whose id has no UTF-8 form, so the id itself is what is wrong (STR-08).
pub(crate) fn unnameable(pointer: JsonPointer) -> Finding {
    without_form(Banned { kind: CanonRefusalKind::LoneSurrogate, pointer })
}

/// An issue that breaks no other law has a canonical form. Nothing is known to be without one then; if something is, it
/// must not be lost in silence.
pub(crate) fn comparable<'d>(spans: Option<IssueSpans<'d>>, place: &JsonPointer) -> Result<IssueSpans<'d>, Finding> {
    spans.ok_or_else(|| Finding::error(LAW, place.clone(), "the issue has no canonical form"))
}

/// Why an operation on a single document refuses a value without canonical form.
pub(crate) fn refused() -> Rejection {
    let message = "a value has no canonical form: run `assize canon` to see where";
    Rejection::Coded(reason::CANONICALIZATION, message.to_owned())
}

/// Pairs records by ordinal. A record on one side alone is a row with the absent side's digest null; records with a
/// breach, and their partners, are left out.
pub(crate) fn compare_decisions(turn_id: &Cell, a: &Turn<'_>, b: &Turn<'_>, rows: &mut Vec<Row>) {
    if !(a.usable.decisions && b.usable.decisions) {
        return;
    }
    let (mut records_a, mut records_b) = (a.records.iter().peekable(), b.records.iter().peekable());
    loop {
        let order = match (records_a.peek(), records_b.peek()) {
            (None, None) => return,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(x), Some(y)) => NumberToken::cmp_integers(&x.ordinal, &y.ordinal),
        };
        let record_a = if order.is_le() { records_a.next() } else { None };
        let record_b = if order.is_ge() { records_b.next() } else { None };
        let Some(record) = record_a.or(record_b) else { return };
        if !a.unusable_ordinals.contains(&record.ordinal) && !b.unusable_ordinals.contains(&record.ordinal) {
            compare_records(turn_id, record, record_a.map(|r| bytes(a, r)), record_b.map(|r| bytes(b, r)), rows);
        }
    }
}

fn bytes<'t>(turn: &'t Turn<'_>, record: &Record) -> &'t [u8] {
    turn.canonical.get(record.span.0..record.span.1).unwrap_or_default()
}

fn compare_records(turn_id: &Cell, record: &Record, a: Option<&[u8]>, b: Option<&[u8]>, rows: &mut Vec<Row>) {
    if a == b {
        return;
    }
    let digest = |bytes: Option<&[u8]>| bytes.map_or(Cell::Null, |bytes| Cell::Digest(Digest::of(bytes)));
    rows.push(Row {
        turn_id: turn_id.clone(),
        stage_name: Cell::Name("capability"),
        ordinal: Cell::Integer(record.ordinal.as_str().into()),
        surface: Surface::DecisionRecord,
        path: Cell::Text(format!("/capabilities/decisions/{}", record.ordinal).into()),
        expected: digest(a),
        actual: digest(b),
        reason: Some(reason::EQUIVALENCE),
        diagnostic: None,
    });
}
