//! Report ordering: the one order of mismatches.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Report Ordering Law; rulings REP-02 to REP-05 (REP-05: ties).
//!
//! Turn, stage (by the stage order), ordinal, surface, path; ties by expected digest, then actual digest, null first.

use std::cmp::Ordering;

use crate::canon::{CanonError, Rules, canonicalize_by};
use crate::json::{Dialect, Document, NodeRef, NumberToken};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::sovereign::model::report::{Cell, Row};
use crate::sovereign::model::stage_order::StageOrder;

pub(crate) const LAW: Law = Law::named("sovereign/report-ordering");

/// The members that decide the order, typed.
struct Key<'k> {
    turn_id: &'k str,
    stage: usize,
    ordinal: &'k str,
    surface: &'k str,
    path: &'k str,
    expected: Option<&'k str>,
    actual: Option<&'k str>,
}

impl Key<'_> {
    fn compare(&self, other: &Self) -> Ordering {
        self.turn_id
            .cmp(other.turn_id)
            .then_with(|| self.stage.cmp(&other.stage))
            .then_with(|| NumberToken::cmp_integers(self.ordinal, other.ordinal))
            .then_with(|| self.surface.cmp(other.surface))
            .then_with(|| self.path.cmp(other.path))
            .then_with(|| self.expected.cmp(&other.expected))
            .then_with(|| self.actual.cmp(&other.actual))
    }
}

/// Sorts the rows of a law-mode report.
pub(crate) fn sort(rows: &mut Vec<Row>, stages: &StageOrder) {
    let mut keyed: Vec<_> = rows.drain(..).map(|row| Keyed::of(row, stages)).collect();
    keyed.sort_by(|a, b| a.key().compare(&b.key()));
    rows.extend(keyed.into_iter().map(|keyed| keyed.row));
}

/// A row with what has to be worked out for its key: once, however often it is compared.
struct Keyed {
    row: Row,
    stage: usize,
    ordinal: String,
    expected: Option<String>,
    actual: Option<String>,
}

impl Keyed {
    fn of(row: Row, stages: &StageOrder) -> Self {
        Self {
            stage: stages.index(cell_text(&row.stage_name)).unwrap_or(usize::MAX),
            ordinal: ordinal_text(&row.ordinal),
            expected: digest_text(&row.expected),
            actual: digest_text(&row.actual),
            row,
        }
    }

    fn key(&self) -> Key<'_> {
        Key {
            turn_id: cell_text(&self.row.turn_id),
            stage: self.stage,
            ordinal: &self.ordinal,
            surface: self.row.surface.name(),
            path: cell_text(&self.row.path),
            expected: self.expected.as_deref(),
            actual: self.actual.as_deref(),
        }
    }
}

fn cell_text(cell: &Cell) -> &str {
    match cell {
        Cell::Text(text) => text,
        Cell::Name(text) => text,
        _ => "",
    }
}

fn ordinal_text(cell: &Cell) -> String {
    match cell {
        Cell::Number(number) => number.to_string(),
        Cell::Integer(token) => token.to_string(),
        _ => "0".to_owned(),
    }
}

fn digest_text(cell: &Cell) -> Option<String> {
    match cell {
        Cell::Digest(digest) => Some(digest.to_hex()),
        Cell::Text(text) => Some(text.to_string()),
        _ => None,
    }
}

/// Sorts mismatches that somebody else wrote and returns their canonical text.
///
/// # Errors
/// If the input is not an array of objects with the five members in their types, or has no canonical form.
pub fn order(mismatches: &[u8], stage_order: Option<&[u8]>) -> Result<String, Rejection> {
    let stages = StageOrder::load(stage_order)?;
    let document = Document::parse(mismatches, &Dialect::STRICT)?;
    if !document.root().is_array() {
        return Err(Rejection::input_at("", "mismatches are an array"));
    }
    let mut foreign = Vec::new();
    for (index, node) in document.root().elements().enumerate() {
        foreign.push(ForeignMismatch::take(node, &stages).map_err(|member| {
            Rejection::input_at(
                format!("/{index}/{member}"),
                "turn_id, stage_name, surface and path are strings, ordinal an integer",
            )
        })?);
    }
    foreign.sort_by(|a, b| a.key().compare(&b.key()));
    let texts: Vec<&str> = foreign.iter().map(|mismatch| mismatch.canonical.as_str()).collect();
    Ok(format!("[{}]", texts.join(",")))
}

/// A mismatch of an unknown writer, with its canonical text.
struct ForeignMismatch {
    texts: [String; 3],
    stage: usize,
    ordinal: String,
    digests: [Option<String>; 2],
    canonical: String,
}

impl ForeignMismatch {
    /// Takes a mismatch apart; the error names the member at fault.
    fn take(node: NodeRef<'_>, stages: &StageOrder) -> Result<Self, &'static str> {
        let text = |name: &'static str| {
            let value = node.get(name).and_then(NodeRef::as_string);
            value.and_then(|value| value.to_str().map(str::to_owned)).ok_or(name)
        };
        let digest = |name: &'static str| match node.get(name) {
            None => Ok(None),
            Some(value) if value.kind() == crate::json::Kind::Null => Ok(None),
            Some(_) => text(name).map(Some),
        };
        let ordinal =
            node.get("ordinal").and_then(NodeRef::as_number).filter(|token| !token.is_banned()).ok_or("ordinal")?;
        let stage = stages.index(&text("stage_name")?).ok_or("stage_name")?;
        let canonical = match canonicalize_by(&Rules::LAW, node.raw()) {
            Ok(bytes) => String::from_utf8_lossy(bytes.as_slice()).into_owned(),
            Err(CanonError::Json(_) | CanonError::Value { .. }) => return Err(""),
        };
        Ok(Self {
            texts: [text("turn_id")?, text("surface")?, text("path")?],
            stage,
            ordinal: ordinal.text.to_owned(),
            digests: [digest("expected_digest")?, digest("actual_digest")?],
            canonical,
        })
    }

    fn key(&self) -> Key<'_> {
        let [turn_id, surface, path] = &self.texts;
        let [expected, actual] = self.digests.each_ref().map(Option::as_deref);
        Key { turn_id, stage: self.stage, ordinal: &self.ordinal, surface, path, expected, actual }
    }
}
