//! The decision records and the issues of a turn, from its tool attempts.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Single-Emission Decision Record Law, Deny Precedence Law and
//! Correspondence Law; ruling SV-25.

use std::convert::Infallible;

use crate::canon::{CanonRefusalKind, compose};
use crate::json::{Dialect, Document, Elements, JsonPointer, Kind, NodeRef};
use crate::rejection::Rejection;
use crate::sovereign::laws::contract_decision_record::{self, Subject};
use crate::sovereign::laws::{canonical_parity, correspondence, deny_precedence, single_emission};
use crate::sovereign::model::banned::Found;
use crate::sovereign::model::outcome::{Outcome, Told};
use crate::sovereign::model::view::{self, Attempt};
use crate::sovereign::scan;

/// Writes `{"run_id", "turn_id", "capabilities": {"decisions": [...]}, "issues": [...]}` in canonical text: one record
/// for each attempt, and an issue for each that is denied or not resolved.
///
/// ```
/// use assize_verifier::sovereign::record;
///
/// let attempts = br#"[{"tool_name": "fs", "action": "write", "conditions": ["E_CAPABILITY_DENIED"]}]"#;
/// let turn = String::from_utf8(record("run-1", "turn-0001", attempts)?).unwrap();
/// assert!(turn.contains(r#""decision_id":"8f2ad8752ea573e559f2f65ba3638cd7a6942da4ff3cfe5e6421bc1ff9bf8b80""#));
/// assert!(turn.contains(r#""location":"/capabilities/decisions/0""#));
/// # Ok::<(), assize_verifier::sovereign::Rejection>(())
/// ```
///
/// # Errors
/// If the attempts are not JSON, hold half a surrogate pair, or are not of their shape; if one that is allowed has no
/// provenance.
pub fn record(run_id: &str, turn_id: &str, attempts: &[u8]) -> Result<Vec<u8>, Rejection> {
    let recording = Recording::read(run_id, turn_id, attempts)?;
    Ok(in_one_text(|out| recording.write(out)))
}

/// An attempt with fewer bytes, ids included, has a record within every limit.
const LARGE: usize = 1 << 20;

/// A turn that can be recorded: its attempts were read, and every one has its record. They are read again as they are
/// written, since the records of many are larger than the attempts.
#[derive(Debug)]
pub struct Recording<'a> {
    run_id: &'a str,
    turn_id: &'a str,
    attempts: Elements<'a>,
    /// Whether an attempt owes an issue.
    has_issues: bool,
}

impl<'a> Recording<'a> {
    /// Reads the attempts of a turn.
    ///
    /// # Errors
    /// As [`record`].
    pub fn read(run_id: &'a str, turn_id: &'a str, attempts: &'a [u8]) -> Result<Self, Rejection> {
        let Some(elements) = Elements::read(attempts, &Dialect::STRICT)? else {
            whole_texts(Document::parse(attempts, &Dialect::STRICT)?.root())?;
            return Err(view::no_list());
        };
        let mut recording = Self { run_id, turn_id, attempts: elements, has_issues: false };
        let (mut misread, mut unrecorded, mut has_issues) = (None, None, false);
        for (ordinal, document) in recording.attempts.documents().enumerate() {
            // What comes first for one attempt comes first for all.
            whole_texts(document.root())?;
            let attempt = match Attempt::read(document.root(), ordinal, &deny_precedence::PRECEDENCE) {
                _ if misread.is_some() => continue,
                Ok(attempt) => attempt,
                Err(why) => {
                    misread = Some(why);
                    continue;
                }
            };
            if unrecorded.is_none() {
                let recorded = outcome(document.root(), &attempt, ordinal).and_then(|outcome| {
                    has_issues |= correspondence::owed(&outcome, ordinal).is_some();
                    contract_decision_record::can_be_written(&outcome, ordinal)?;
                    // A record is a document itself, whose size has a limit.
                    let length = run_id.len() + turn_id.len() + document.text().len();
                    if length < LARGE { Ok(()) } else { recording.record(&attempt, &outcome, ordinal).map(drop) }
                });
                unrecorded = recorded.err();
            }
        }
        recording.has_issues = has_issues;
        misread.or(unrecorded).map_or(Ok(recording), Err)
    }

    /// Writes the turn in canonical text, piece by piece.
    ///
    /// # Errors
    /// The first of `out`'s.
    pub fn write<E>(&self, out: &mut dyn FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        out(b"{\"capabilities\":{\"decisions\":[")?;
        self.each(|attempt, outcome, ordinal| self.record(attempt, outcome, ordinal).ok(), out)?;
        out(b"]},\"issues\":[")?;
        if self.has_issues {
            self.each(|_, outcome, ordinal| correspondence::owed(outcome, ordinal), out)?;
        }
        out(b"],\"run_id\":")?;
        out(&compose::string(self.run_id))?;
        out(b",\"turn_id\":")?;
        out(&compose::string(self.turn_id))?;
        out(b"}")
    }

    /// Writes what is written of each attempt, with commas between.
    fn each<E>(
        &self,
        written: impl Fn(&Attempt, &Outcome, usize) -> Option<Vec<u8>>,
        out: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut begun = false;
        for (ordinal, document) in self.attempts.documents().enumerate() {
            // It was read before.
            let attempt = Attempt::read(document.root(), ordinal, &deny_precedence::PRECEDENCE);
            let Ok(attempt) = attempt else { continue };
            let Ok(outcome) = outcome(document.root(), &attempt, ordinal) else { continue };
            if let Some(text) = written(&attempt, &outcome, ordinal) {
                if begun {
                    out(b",")?;
                }
                out(&text)?;
                begun = true;
            }
        }
        Ok(())
    }

    fn record(&self, attempt: &Attempt, outcome: &Outcome, ordinal: usize) -> Result<Vec<u8>, Rejection> {
        let (tool_name, action) = (attempt.tool_name.as_str(), attempt.action.as_str());
        let subject = Subject { run_id: self.run_id, turn_id: self.turn_id, tool_name, action, ordinal };
        contract_decision_record::written(subject, outcome)
    }
}

/// What the record of an attempt says.
fn outcome(node: NodeRef<'_>, attempt: &Attempt, ordinal: usize) -> Result<Outcome, Rejection> {
    let told = told(node, &JsonPointer::root().index(ordinal))?;
    Ok(single_emission::outcome(told, deny_precedence::denial(attempt)))
}

/// What is written piece by piece, as one text.
pub(super) fn in_one_text(
    write: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<(), Infallible>) -> Result<(), Infallible>,
) -> Vec<u8> {
    let mut text = Vec::new();
    let Ok(()) = write(&mut |piece| {
        text.extend_from_slice(piece);
        Ok(())
    });
    text
}

/// What has no canonical form cannot be recorded, wherever it stands.
pub(super) fn whole_texts(given: NodeRef<'_>) -> Result<(), Rejection> {
    let mut found = Found::where_it(|banned| banned.kind == CanonRefusalKind::LoneSurrogate);
    scan::scan(given, &JsonPointer::root(), &mut found);
    if found.list.is_empty() { Ok(()) } else { Err(canonical_parity::refused()) }
}

/// What an attempt tells beside its conditions.
fn told(attempt: NodeRef<'_>, place: &JsonPointer) -> Result<Told, Rejection> {
    Ok(Told {
        resolved: flag(attempt, "resolved", place)?.unwrap_or(true),
        skipped: flag(attempt, "skipped", place)?.unwrap_or(false),
        reason: contract_decision_record::reason(attempt, place)?,
        provenance: contract_decision_record::provenance(attempt, place)?,
    })
}

fn flag(attempt: NodeRef<'_>, name: &str, place: &JsonPointer) -> Result<Option<bool>, Rejection> {
    match attempt.get(name).map(NodeRef::kind) {
        None => Ok(None),
        Some(Kind::True) => Ok(Some(true)),
        Some(Kind::False) => Ok(Some(false)),
        Some(_) => Err(Rejection::InputAt(place.member(name), format!("`{name}` is true or false"))),
    }
}
