//! The usual turn: one walk over each text, canonical bytes side by side, digests only where they differ.
//!
//! Spec: Sealed comparator v1.2.1, `compare` (steps 5 to 7). Equal multisets of canonical bytes give no row
//! and owe no digest, so nothing is hashed for them; every check that could raise is made all the same, by giving up.

use std::borrow::Cow;

use super::bundle::StageLookup;
use super::join::TurnId;
use super::{Cell, Row, Surface, reason, turn_row};
use crate::canon::{Canonicalizer, Rules};
use crate::digest::Digest;
use crate::json::{Dialect, Reader, Skip};
use crate::sovereign::laws::issue_multiplicity::{self, Pairing};
use crate::sovereign::laws::safe_boundary;
use crate::sovereign::model::issue::Issue;

const TRANSITION: [&str; 3] = ["prior_state_digest", "proposed_state_digest", "inputs_digest"];

type Span = (u32, u32);

/// Memory that is reused from turn to turn.
pub(in crate::sovereign::reference) struct Memory {
    decisions: Canonicalizer,
    issues: Canonicalizer,
    a: Side,
    b: Side,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            decisions: Canonicalizer::new(Rules::PARITY).tracking(),
            issues: safe_boundary::issue_canonicalizer(Rules::PARITY),
            a: Side::default(),
            b: Side::default(),
        }
    }
}

/// What one turn file holds, as spans.
#[derive(Default)]
struct Side {
    /// Canonical bytes of every decision and issue, one after the other.
    canonical: Vec<u8>,
    /// The three transition digests, in the file's text, without quotes.
    transition: [Option<Span>; 3],
    decisions: Vec<Decision>,
    issues: Vec<IssueSpans>,
}

#[derive(Clone, Copy)]
struct Decision {
    ordinal: u64,
    record: Span,
}

/// Spans in the canonical bytes; strings without their quotes.
#[derive(Clone, Copy)]
struct IssueSpans {
    stage: Span,
    location: Span,
    code: Span,
    details: Span,
    normal: Span,
}

/// Compares the two texts of a turn. `None` means that something is unusual and nothing was decided.
pub(super) fn compare(
    id: &TurnId<'_>,
    stages: &StageLookup,
    (file_a, file_b): (&[u8], &[u8]),
    memory: &mut Memory,
    rows: &mut Vec<Row>,
) -> Option<()> {
    let Memory { decisions, issues, a, b } = memory;
    read(file_a, a, decisions, issues)?;
    if file_a == file_b {
        // The same bytes give the same values and raise the same exceptions; a NaN, which would differ from itself, is
        // nothing that the walk above accepts in a transition.
        return a.transition.iter().all(Option::is_some).then_some(());
    }
    read(file_b, b, decisions, issues)?;
    for (name, (span_a, span_b)) in TRANSITION.into_iter().zip(a.transition.iter().zip(&b.transition)) {
        let (text_a, text_b) = (slice(file_a, (*span_a)?)?, slice(file_b, (*span_b)?)?);
        if text_a != text_b {
            let path = Cell::Text(format!("/transition/{name}").into());
            rows.push(turn_row(id, Surface::Transition, path, text(text_a)?, text(text_b)?, reason::EQUIVALENCE));
        }
    }
    compare_decisions(id, a, b, rows)?;
    compare_issues(id, stages, a, b, rows)
}

fn compare_decisions(id: &TurnId<'_>, a: &mut Side, b: &mut Side, rows: &mut Vec<Row>) -> Option<()> {
    let capability = |path: String, ordinal: u64, expected: Cell, actual: Cell| Row {
        stage_name: Cell::Name("capability"),
        ordinal: Cell::Number(ordinal),
        ..turn_row(id, Surface::DecisionRecord, Cell::Text(path.into()), expected, actual, reason::EQUIVALENCE)
    };
    if a.decisions.len() != b.decisions.len() {
        rows.push(capability("/capabilities/decisions".into(), 0, Cell::Null, Cell::Null));
        return Some(());
    }
    for side in [&mut *a, &mut *b] {
        if !side.decisions.is_sorted_by_key(|decision| decision.ordinal) {
            side.decisions.sort_by_key(|decision| decision.ordinal);
        }
    }
    for (rank, (in_a, in_b)) in a.decisions.iter().zip(&b.decisions).enumerate() {
        let (bytes_a, bytes_b) = (slice(&a.canonical, in_a.record)?, slice(&b.canonical, in_b.record)?);
        if bytes_a != bytes_b {
            let path = format!("/capabilities/decisions/{rank}");
            let (expected, actual) = (Cell::Digest(Digest::of(bytes_a)), Cell::Digest(Digest::of(bytes_b)));
            rows.push(capability(path, in_a.ordinal, expected, actual));
        }
    }
    Some(())
}

fn compare_issues(id: &TurnId<'_>, stages: &StageLookup, a: &Side, b: &Side, rows: &mut Vec<Row>) -> Option<()> {
    let same = a.issues.len() == b.issues.len()
        && a.issues.iter().zip(&b.issues).all(|(x, y)| slice(&a.canonical, x.normal) == slice(&b.canonical, y.normal));
    if same {
        return Some(());
    }
    let mut issues_a = typed_issues(stages, a)?;
    let mut issues_b = typed_issues(stages, b)?;
    issue_multiplicity::compare(&id.cell(), &mut issues_a, &mut issues_b, Pairing::WholeLists, rows);
    Some(())
}

fn typed_issues<'s>(stages: &StageLookup, side: &'s Side) -> Option<Vec<Issue<'s>>> {
    let bytes = |span| slice(&side.canonical, span);
    side.issues
        .iter()
        .map(|issue| {
            let stage = bytes(issue.stage)?;
            Some(Issue {
                stage_index: stages.index_of_text(stage),
                stage: Cow::Borrowed(stage),
                location: Cow::Borrowed(bytes(issue.location)?),
                code: Cow::Borrowed(bytes(issue.code)?),
                details: bytes(issue.details)?,
                normal: bytes(issue.normal)?,
            })
        })
        .collect()
}

/// Walks one turn file. Anything that Python would treat in a way of its own ends the walk.
fn read(file: &[u8], side: &mut Side, decisions: &mut Canonicalizer, issues: &mut Canonicalizer) -> Option<()> {
    side.canonical.clear();
    // Canonical bytes of integers and strings are never longer than their text.
    side.canonical.reserve(file.len());
    side.transition = [None; 3];
    side.decisions.clear();
    side.issues.clear();
    let mut reader = Reader::new(file, &Dialect::PYTHON).ok()?;
    let mut seen = [false; 3];
    reader.enter_object().ok()?;
    let mut first = true;
    while let Some(key) = reader.next_key(first).ok()? {
        first = false;
        let place = match key.raw {
            b"transition" => Some(0),
            b"capabilities" => Some(1),
            b"issues" => Some(2),
            _ if key.escaped => return None,
            _ => None,
        };
        // A repeated member replaces the one before.
        if let Some(seen) = place.and_then(|place: usize| seen.get_mut(place))
            && std::mem::replace(seen, true)
        {
            return None;
        }
        match place {
            Some(0) => read_transition(&mut reader, side)?,
            Some(1) => read_capabilities(&mut reader, side, decisions)?,
            Some(_) => read_issues(&mut reader, side, issues)?,
            None => reader.parse(&mut Skip).ok()?,
        }
    }
    reader.finish().ok()?;
    // Issues may be absent; the other two may not.
    matches!(seen, [true, true, _]).then_some(())
}

fn read_transition(reader: &mut Reader<'_>, side: &mut Side) -> Option<()> {
    reader.enter_object().ok()?;
    let mut first = true;
    while let Some(key) = reader.next_key(first).ok()? {
        first = false;
        if key.escaped {
            return None;
        }
        let Some(at) = TRANSITION.iter().position(|name| key.raw == name.as_bytes()) else {
            reader.parse(&mut Skip).ok()?;
            continue;
        };
        if reader.peek_value().ok()? != b'"' {
            return None;
        }
        let value = reader.string().ok()?;
        let slot = side.transition.get_mut(at)?;
        if value.escaped || slot.is_some() {
            return None;
        }
        *slot = Some((offset(value.start)?, offset(value.start + value.raw.len())?));
    }
    Some(())
}

fn read_capabilities(reader: &mut Reader<'_>, side: &mut Side, canonicalizer: &mut Canonicalizer) -> Option<()> {
    reader.enter_object().ok()?;
    let (mut first, mut seen) = (true, false);
    while let Some(key) = reader.next_key(first).ok()? {
        first = false;
        if key.escaped {
            return None;
        }
        if key.raw != b"decisions" {
            reader.parse(&mut Skip).ok()?;
            continue;
        }
        if std::mem::replace(&mut seen, true) {
            return None;
        }
        reader.enter_array().ok()?;
        let mut first_element = true;
        while reader.next_element(first_element).ok()? {
            first_element = false;
            let record = append_object(reader, &mut side.canonical, canonicalizer)?;
            let ordinal = find(canonicalizer, &side.canonical, b"ordinal")?;
            let ordinal = std::str::from_utf8(slice(&side.canonical, ordinal)?).ok()?.parse().ok()?;
            side.decisions.push(Decision { ordinal, record });
        }
    }
    seen.then_some(())
}

fn read_issues(reader: &mut Reader<'_>, side: &mut Side, canonicalizer: &mut Canonicalizer) -> Option<()> {
    reader.enter_array().ok()?;
    let mut first = true;
    while reader.next_element(first).ok()? {
        first = false;
        let normal = append_object(reader, &mut side.canonical, canonicalizer)?;
        let text = |name: &[u8]| plain_text(&side.canonical, find(canonicalizer, &side.canonical, name)?);
        side.issues.push(IssueSpans {
            stage: text(b"stage")?,
            location: text(b"location")?,
            code: text(b"code")?,
            details: find(canonicalizer, &side.canonical, b"details")?,
            normal,
        });
    }
    Some(())
}

/// Appends an object's canonical bytes; anything but an object without a refusal ends the walk.
fn append_object(reader: &mut Reader<'_>, out: &mut Vec<u8>, canonicalizer: &mut Canonicalizer) -> Option<Span> {
    if reader.peek_value().ok()? != b'{' {
        return None;
    }
    let start = offset(out.len())?;
    match canonicalizer.append(reader, out) {
        Ok(None) => Some((start, offset(out.len())?)),
        _ => None,
    }
}

/// The value of a member of the object that was written last.
fn find(canonicalizer: &Canonicalizer, canonical: &[u8], name: &[u8]) -> Option<Span> {
    let members = canonicalizer.outermost_members();
    members.iter().find(|member| slice(canonical, member.name) == Some(name)).map(|member| member.value)
}

/// The inside of a string that needs no decoding.
fn plain_text(canonical: &[u8], span: Span) -> Option<Span> {
    match slice(canonical, span)? {
        [b'"', inside @ .., b'"'] if !inside.contains(&b'\\') => Some((span.0 + 1, span.1 - 1)),
        _ => None,
    }
}

fn slice(bytes: &[u8], (start, end): Span) -> Option<&[u8]> {
    bytes.get(start as usize..end as usize)
}

fn offset(at: usize) -> Option<u32> {
    u32::try_from(at).ok()
}

fn text(bytes: &[u8]) -> Option<Cell> {
    Some(Cell::Text(std::str::from_utf8(bytes).ok()?.into()))
}
