//! Strict canonical parity: decision records are equal when their canonical bytes are.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Strict Canonical Parity Law; rulings DEC-01 to DEC-06 (DEC-02
//! and DEC-05: pairing by ordinal), DEC-13.

use std::cmp::Ordering;

use super::report::{Cell, Row, Surface, reason};
use super::turn::{Record, Turn};
use crate::digest::Digest;
use crate::json::NumberToken;

/// Pairs records by ordinal. A record on one side alone is a row with the absent side's digest null; records with a
/// breach, and their partners, are left out.
pub(super) fn compare_decisions(turn_id: &Cell, a: &Turn<'_>, b: &Turn<'_>, rows: &mut Vec<Row>) {
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
