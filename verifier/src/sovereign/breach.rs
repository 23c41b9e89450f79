//! What makes law mode say ERROR: a place where input is unreadable, unlawful or over a limit.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.5, replay-report.schema.json; rulings OP, NUM-02, LAW-08,
//! LAW-12, SCH-18.

use super::float_ban::Banned;
use super::report::{Cell, Diagnostic, Row, Surface, reason};
use crate::json::JsonPointer;
use crate::law::Law;

/// Which bundle, or which other input, is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    A,
    B,
    Both,
    Registry,
    StageOrder,
}

impl Side {
    fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
            Self::Both => "both",
            Self::Registry => "registry",
            Self::StageOrder => "stage_order",
        }
    }
}

/// A breach in one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Breach {
    /// The turn's id; "" for the bundle as a whole, and for ids that no report can hold.
    pub(super) turn_id: String,
    pub(super) surface: Surface,
    pub(super) path: JsonPointer,
    /// The registered code, or none for shape and limits.
    pub(super) reason: Option<&'static str>,
    pub(super) law: Law,
    pub(super) side: Side,
    pub(super) message: String,
}

impl Breach {
    /// A value without canonical form.
    pub(super) fn banned(banned: Banned, turn_id: &str, surface: Surface, side: Side) -> Self {
        Self {
            turn_id: turn_id.to_owned(),
            surface,
            reason: Some(Banned::CODE),
            law: banned.law(),
            side,
            message: format!("{}: {}", banned.kind, banned.kind.help()),
            path: banned.pointer,
        }
    }

    fn row(self) -> Row {
        let stage = if self.reason == Some(reason::CANONICALIZATION) { "determinism" } else { "replay" };
        Row {
            turn_id: Cell::Text(self.turn_id.into()),
            stage_name: Cell::Name(stage),
            ordinal: Cell::Number(0),
            surface: self.surface,
            path: Cell::Text(self.path.as_str().into()),
            expected: Cell::Null,
            actual: Cell::Null,
            reason: self.reason,
            diagnostic: Some(Box::new(Diagnostic {
                law: self.law.slug(),
                code: self.reason,
                side: self.side.name(),
                message: self.message,
            })),
        }
    }
}

/// Keeps the first `most` breaches of one document and says in a last one, a limit's, how many are left out.
pub(super) fn cut(breaches: &mut Vec<Breach>, most: usize) {
    let left_out = breaches.len().saturating_sub(most);
    if left_out > 0
        && let Some(first) = breaches.first().cloned()
    {
        breaches.truncate(most);
        breaches.push(Breach {
            surface: Surface::Schema,
            path: JsonPointer::root(),
            reason: None,
            message: format!("{left_out} more breaches than the limit of {most} for one document are not listed"),
            ..first
        });
    }
}

/// Turns breaches into rows. The same breach on both sides is one row, since its rows could only differ in the
/// diagnostic, which never matters.
pub(super) fn rows(mut breaches: Vec<Breach>) -> Vec<Row> {
    let same = |a: &Breach, b: &Breach| {
        (&a.turn_id, a.surface, &a.path, a.reason) == (&b.turn_id, b.surface, &b.path, b.reason)
    };
    breaches
        .sort_by(|a, b| (&a.turn_id, a.surface, &a.path, a.reason).cmp(&(&b.turn_id, b.surface, &b.path, b.reason)));
    breaches.dedup_by(|later, earlier| {
        let merged = same(later, earlier);
        if merged && later.side != earlier.side {
            earlier.side = Side::Both;
        }
        merged
    });
    breaches.into_iter().map(Breach::row).collect()
}
