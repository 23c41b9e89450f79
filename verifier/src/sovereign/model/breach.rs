//! What makes law mode say ERROR: a place where input is unreadable, unlawful or over a limit.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.5, replay-report.schema.json; rulings OP, NUM-02, LAW-08,
//! LAW-12, SCH-18.

use super::report::{Cell, Diagnostic, Row, Surface, reason};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::rejection::Rejection;

/// Which bundle, or which other input, is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
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

/// A finding in one document of a comparison. Its code is the registered one, or none for shape and limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breach {
    /// The turn's id; "" for the bundle as a whole, and for ids that no report can hold.
    pub(crate) turn_id: String,
    pub(crate) surface: Surface,
    pub(crate) side: Side,
    pub(crate) finding: Finding,
}

impl Breach {
    fn key(&self) -> (&str, Surface, &JsonPointer, Option<&'static str>) {
        (&self.turn_id, self.surface, &self.finding.pointer, self.finding.code)
    }

    fn row(self) -> Row {
        let Finding { law, code, pointer, message, .. } = self.finding;
        let stage = if code == Some(reason::CANONICALIZATION) { "determinism" } else { "replay" };
        Row {
            turn_id: Cell::Text(self.turn_id.into()),
            stage_name: Cell::Name(stage),
            ordinal: Cell::Number(0),
            surface: self.surface,
            path: Cell::Text(pointer.as_str().into()),
            expected: Cell::Null,
            actual: Cell::Null,
            reason: code,
            diagnostic: Some(Box::new(Diagnostic { law: law.slug(), code, side: self.side.name(), message })),
        }
    }
}

/// The registered code for a local file that law mode depends on and cannot use, if there is one.
pub(crate) fn code_of_unusable(why: &Rejection) -> Option<&'static str> {
    match why {
        Rejection::Json(error) if error.kind.is_limit() => None,
        Rejection::Json(_) => Some(reason::INPUT_MISSING),
        Rejection::Coded(code, _) => Some(code),
        _ => None,
    }
}

/// Keeps the first `most` breaches of one document and says in a last one, a limit's, how many are left out.
pub(crate) fn cut(breaches: &mut Vec<Breach>, most: usize) {
    let left_out = breaches.len().saturating_sub(most);
    if left_out > 0
        && let Some(Breach { turn_id, side, finding, .. }) = breaches.first().cloned()
    {
        breaches.truncate(most);
        let message = format!("{left_out} more breaches than the limit of {most} for one document are not listed");
        let finding = Finding { code: None, pointer: JsonPointer::root(), message, ..finding };
        breaches.push(Breach { turn_id, surface: Surface::Schema, side, finding });
    }
}

/// Turns breaches into rows. The same breach on both sides is one row, since its rows could only differ in the
/// diagnostic, which never matters.
pub(crate) fn rows(mut breaches: Vec<Breach>) -> Vec<Row> {
    breaches.sort_by(|a, b| a.key().cmp(&b.key()));
    breaches.dedup_by(|later, earlier| {
        let merged = later.key() == earlier.key();
        if merged && later.side != earlier.side {
            if earlier.side != Side::Both && later.finding.message != earlier.finding.message {
                let (first, second) = (&earlier.finding.message, &later.finding.message);
                earlier.finding.message = format!("{}: {first}; {}: {second}", earlier.side.name(), later.side.name());
            }
            earlier.side = Side::Both;
        }
        merged
    });
    breaches.into_iter().map(Breach::row).collect()
}
