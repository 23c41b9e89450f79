//! Reference mode: what the sealed comparator does, fault for fault.
//!
//! Spec: Sealed comparator v1.2.1, with the rulings for reference mode.
//! Not modelled, because the rulings exclude them: integer paths that name open file descriptors (FILE-21),
//! pipes and devices (FILE-23), stage orders that are strings or objects (STG-02), depths between 201 and 1999 (RES-02).
//!
//! Two readings of a turn give the same rows. The fast one walks the text once and gives up on anything unusual; the
//! exact one reads the arena with Python's rules. What the fast one gives up on, the exact one judges.

mod bundle;
mod exact;
mod fast;
mod join;
mod turn_file;

use std::fmt;

use super::Inputs;
use super::laws::report_identity;
use super::model::report::{Cell, Foreign, Report, Row, Status, Surface, reason};
use crate::canon::{CanonRefusal, CanonRefusalKind};
use crate::files::Files;
use crate::json::{JsonErrorKind, NodeRef};
use crate::threads::Threads;

use bundle::{Bundle, StageLookup};
use join::{Joined, TurnId};
use python::Value;

pub use super::model::python;

/// The class of the exception that ends a comparison without a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Abort {
    /// A number that may not stand on a surface, or a bundle that does not load.
    ValueError,
    /// A lone surrogate on a surface or in the report.
    UnicodeEncodeError,
    /// A value of the wrong type.
    TypeError,
    /// An absent member.
    KeyError,
    /// A method that the value does not have.
    AttributeError,
    /// Nesting beyond the interpreter's limit.
    RecursionError,
}

impl Abort {
    /// The exception's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ValueError => "ValueError",
            Self::UnicodeEncodeError => "UnicodeEncodeError",
            Self::TypeError => "TypeError",
            Self::KeyError => "KeyError",
            Self::AttributeError => "AttributeError",
            Self::RecursionError => "RecursionError",
        }
    }

    /// What canonicalizing raises.
    fn of_refusal(refusal: CanonRefusal) -> Self {
        match refusal.kind {
            CanonRefusalKind::LoneSurrogate => Self::UnicodeEncodeError,
            CanonRefusalKind::Depth => Self::RecursionError,
            _ => Self::ValueError,
        }
    }

    /// What reading raises.
    fn of_reading(kind: JsonErrorKind) -> Self {
        if matches!(kind, JsonErrorKind::Depth(_)) { Self::RecursionError } else { Self::ValueError }
    }
}

impl From<python::TypeError> for Abort {
    fn from(_: python::TypeError) -> Self {
        Self::TypeError
    }
}

impl fmt::Display for Abort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::error::Error for Abort {}

/// Compares two bundles as the comparator does.
///
/// # Errors
/// The class of exception in which the comparator ends.
pub fn compare(inputs: &Inputs<'_>, files: &dyn Files, threads: Threads) -> Result<Report, Abort> {
    let stages = StageLookup::load(inputs.stage_order)?;
    let document_a = bundle::load(inputs.bundle_a)?;
    let document_b = bundle::load(inputs.bundle_b)?;
    if let Some(member) = bundle::first_absent_member(document_a.root(), document_b.root())? {
        let row = bundle_row(Surface::Schema, format!("/{member}"), Cell::Null, Cell::Null, reason::INPUT_MISSING);
        return build(&bundle::run_id_or_empty(document_a.root())?, Status::Error, vec![row]);
    }
    let run_id = subscript(subscript(document_a.root(), "run_envelope")?, "run_id")?;
    let run_id = foreign(run_id);
    let (a, b) = (Bundle { root: document_a.root() }, Bundle { root: document_b.root() });
    let (registry_a, registry_b) = (subscript(a.root, "registry_digest")?, subscript(b.root, "registry_digest")?);
    if !equal(registry_a, registry_b) {
        let row = bundle_row(
            Surface::BundleDigest,
            "/registry_digest".into(),
            foreign(registry_a),
            foreign(registry_b),
            reason::REGISTRY,
        );
        return build(&run_id, Status::Divergent, vec![row]);
    }
    let mut rows = Vec::new();
    for name in ["policy_digest", "runtime_profile_digest", "contract_registry_snapshot_digest"] {
        let digest_a = subscript(subscript(a.root, "digests")?, name)?;
        let digest_b = subscript(subscript(b.root, "digests")?, name)?;
        if !equal(digest_a, digest_b) {
            let path = format!("/digests/{name}");
            rows.push(bundle_row(Surface::BundleDigest, path, foreign(digest_a), foreign(digest_b), reason::VERSION));
        }
    }
    let joined = join::join(&a, &b)?;
    for outcome in compare_turns(&joined, &stages, files, threads) {
        rows.extend(outcome?.into_vec());
    }
    let rows = sort_rows(rows, &stages)?;
    let status = if rows.is_empty() { Status::Equivalent } else { Status::Divergent };
    build(&run_id, status, rows)
}

type TurnOutcome = Result<Box<[Row]>, Abort>;

/// Compares all turns, in parallel if asked to. Outcomes come in the order of the turns, so that the first abort is the
/// one that Python would have met.
fn compare_turns(joined: &[Joined<'_>], stages: &StageLookup, files: &dyn Files, threads: Threads) -> Vec<TurnOutcome> {
    /// Turns that one worker takes at a time: enough to hide the cost of handing them out.
    const TURNS_AT_A_TIME: usize = 16;
    let one = |scratch: &mut turn_file::Scratch, turn: &Joined<'_>| compare_turn(turn, stages, files, scratch);
    threads.map(joined, TURNS_AT_A_TIME, turn_file::Scratch::default, one)
}

fn compare_turn(
    turn: &Joined<'_>,
    stages: &StageLookup,
    files: &dyn Files,
    scratch: &mut turn_file::Scratch,
) -> TurnOutcome {
    let id = &turn.id;
    let (Some(entry_a), Some(entry_b)) = (turn.a, turn.b) else {
        let path = Cell::Name("/turn_results");
        return Ok([turn_row(id, Surface::Schema, path, Cell::Null, Cell::Null, reason::EQUIVALENCE)].into());
    };
    let mut rows = Vec::new();
    let (digest_a, digest_b) = (subscript(entry_a, "turn_result_digest")?, subscript(entry_b, "turn_result_digest")?);
    if !equal(digest_a, digest_b) {
        let path = id.path("/turn_result_digest");
        rows.push(turn_row(id, Surface::BundleDigest, path, foreign(digest_a), foreign(digest_b), reason::EQUIVALENCE));
    }
    match turn_file::load(entry_a, entry_b, files, scratch)? {
        turn_file::Loaded::Missing => {
            rows.push(turn_row(id, Surface::Schema, id.path("/paths"), Cell::Null, Cell::Null, reason::INPUT_MISSING));
        }
        turn_file::Loaded::Both => {
            let before = rows.len();
            let texts = (scratch.a.as_slice(), scratch.b.as_slice());
            if fast::compare(id, stages, texts, &mut scratch.fast, &mut rows).is_none() {
                rows.truncate(before);
                exact::compare(id, stages, scratch, &mut rows)?;
            }
        }
    }
    Ok(rows.into())
}

/// `sorted(mismatches, key=...)`: turn, stage index, ordinal, surface, path.
fn sort_rows(rows: Vec<Row>, stages: &StageLookup) -> Result<Vec<Row>, Abort> {
    let mut keyed = Vec::with_capacity(rows.len());
    for row in rows {
        let stage = stages.index_of_cell(&row.stage_name)?;
        let key = [
            value_of(&row.turn_id),
            Value::Int(stage.to_string().into()),
            value_of(&row.ordinal),
            Value::Str(row.surface.name().as_bytes().into()),
            value_of(&row.path),
        ];
        keyed.push((key, row));
    }
    let sorted = python::sort(keyed, &|(a, _), (b, _)| python::less_than_in_sequence(a.iter().zip(b), false))?;
    Ok(sorted.into_iter().map(|(_, row)| row).collect())
}

fn value_of(cell: &Cell) -> Value {
    match cell {
        Cell::Null => Value::None,
        Cell::Text(text) => Value::Str(text.as_bytes().into()),
        Cell::Name(text) => Value::Str(text.as_bytes().into()),
        Cell::Number(number) => Value::Int(number.to_string().into()),
        Cell::Integer(token) => Value::Int(token.clone()),
        Cell::Digest(digest) => Value::Str(digest.to_hex().into_bytes().into()),
        Cell::Foreign(foreign) => foreign.value.clone(),
    }
}

fn build(run_id: &Cell, status: Status, rows: Vec<Row>) -> Result<Report, Abort> {
    report_identity::identified(run_id, status, rows).map_err(Abort::of_refusal)
}

/// A row about the bundle as a whole.
fn bundle_row(surface: Surface, path: String, expected: Cell, actual: Cell, reason: &'static str) -> Row {
    Row::replay(Cell::Name(""), surface, Cell::Text(path.into()), expected, actual, reason)
}

/// A row of stage `replay` about one turn.
fn turn_row(id: &TurnId<'_>, surface: Surface, path: Cell, expected: Cell, actual: Cell, reason: &'static str) -> Row {
    Row::replay(id.cell(), surface, path, expected, actual, reason)
}

/// `value[name]` for a value that should be a dictionary.
fn subscript<'d>(value: NodeRef<'d>, name: &str) -> Result<NodeRef<'d>, Abort> {
    if value.is_object() { value.get(name).ok_or(Abort::KeyError) } else { Err(Abort::TypeError) }
}

/// `a == b`. Equal text is equal but for NaN; other spellings are looked at as values.
fn equal(a: NodeRef<'_>, b: NodeRef<'_>) -> bool {
    (a.kind() == crate::json::Kind::String && a.raw() == b.raw()) || Value::of(a).equals(&Value::of(b))
}

/// A value copied into the report.
fn foreign(node: NodeRef<'_>) -> Cell {
    if let Some(text) = node.as_string()
        && let Some(text) = text.to_str()
    {
        return Cell::Text(text.into());
    }
    Cell::Foreign(Box::new(Foreign { value: Value::of(node), source: node.raw().into() }))
}
