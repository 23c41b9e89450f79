//! The lawful turn: one walk over each text that tells whether it surely breaks nothing.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, and B.3, capability-decision-record.schema.json; the rulings of
//! [`super::turn`].
//!
//! A walk says that a text is surely lawful, or nothing. Of what it says nothing the exact walk judges, which finds every
//! breach; so no finding is made here, and none is lost. Texts are compared as they stand, and what differs in its bytes is
//! compared in its canonical form, as the exact walk's turns are.

mod side;
mod sound;

use super::laws::issue_detail_parity::{self, Key};
use super::laws::{contract_decision_record, safe_boundary};
use super::model::registry::Registry;
use super::model::stage_order::StageOrder;
use super::model::turn::{Record, Turn, Usable};
use crate::canon::{Canonicalizer, Rules};
use crate::json::{Dialect, NumberToken, Reader};
use crate::schema::straight::{Order, Straight};
use side::{Decision, Issue, Side, Span, Text, slice};
use sound::Names;

/// What turns are judged by, and how: made once for a comparison.
pub(super) struct Judge<'c> {
    stages: &'c StageOrder,
    registry: &'c Registry,
    records: &'static Straight,
}

/// Memory that is reused from turn to turn.
pub(super) struct Memory {
    a: Side,
    b: Side,
    walk: Walk,
    forms: Forms,
}

impl Default for Memory {
    fn default() -> Self {
        let forms =
            Forms { records: Canonicalizer::new(Rules::LAW), issues: safe_boundary::issue_canonicalizer(Rules::LAW) };
        Self { a: Side::default(), b: Side::default(), walk: Walk::default(), forms }
    }
}

/// What writes canonical forms.
struct Forms {
    records: Canonicalizer,
    issues: Canonicalizer,
}

/// What a walk needs to remember.
#[derive(Default)]
struct Walk {
    order: Order,
    names: Names,
    ordinals: Vec<u64>,
}

/// What is known of two texts that are surely lawful.
pub(super) enum Known<'t> {
    /// They are equal in all that parity looks at.
    Equal,
    /// They may differ, and in nothing else than these hold.
    Turns(Box<[Turn<'t>; 2]>),
}

impl<'c> Judge<'c> {
    /// A judge for turns under a stage order and a registry; none if the contract has no straight-line checks.
    pub(super) fn new(stages: &'c StageOrder, registry: &'c Registry) -> Option<Self> {
        contract_decision_record::straight().map(|records| Self { stages, registry, records })
    }

    /// The contract of records as straight-line checks.
    pub(super) fn records(&self) -> &'static Straight {
        self.records
    }

    /// Compares two texts; none if one of them may break a law.
    pub(super) fn compare<'t>(&self, (a, b): (&'t [u8], &'t [u8]), memory: &mut Memory) -> Option<Known<'t>> {
        let Memory { a: side_a, b: side_b, walk, forms } = memory;
        side_a.read(self, a, walk)?;
        if a == b {
            return Some(Known::Equal);
        }
        side_b.read(self, b, walk)?;
        let transition = side_a.same_transition(a, side_b, b);
        let (issues_a, issues_b) = side_a.differing_issues(a, side_b, b);
        let differ = |(x, y): &(Decision, Decision)| slice(a, x.record) != slice(b, y.record);
        let differing: Option<Vec<_>> = side_a.paired(side_b).map(|pairs| pairs.filter(differ).collect());
        if transition && issues_a.is_empty() && issues_b.is_empty() && differing.as_ref().is_some_and(Vec::is_empty) {
            return Some(Known::Equal);
        }
        // Of records that are paired those that are equal in their bytes are equal.
        let (records_a, records_b): (Vec<_>, Vec<_>) = match differing {
            Some(differing) => differing.into_iter().unzip(),
            None => (side_a.decisions.clone(), side_b.decisions.clone()),
        };
        let (digests_a, digests_b): (&[_], &[_]) =
            if transition { (&[], &[]) } else { (&side_a.transition, &side_b.transition) };
        let turn_a = self.turn(a, digests_a, &records_a, &issues_a, forms)?;
        let turn_b = self.turn(b, digests_b, &records_b, &issues_b, forms)?;
        Some(Known::Turns(Box::new([turn_a, turn_b])))
    }

    /// A lawful turn as the exact walk would have taken it, with some of its digests, records and issues.
    fn turn<'t>(
        &self,
        file: &'t [u8],
        transition: &[(Span, Option<Span>)],
        records: &[Decision],
        issues: &[Issue],
        forms: &mut Forms,
    ) -> Option<Turn<'t>> {
        let usable = Usable { transition: true, decisions: true, issues: true };
        let mut turn = Turn { usable, ..Turn::default() };
        for (name, digest) in transition {
            let digest = match digest {
                Some(digest) => Some(owned(file, *digest)?),
                None => None,
            };
            turn.transition.insert(owned(file, *name)?, digest);
        }
        // Integers and strings are never longer in their canonical form.
        let spans = records.iter().map(|decision| decision.record).chain(issues.iter().map(|issue| issue.whole));
        turn.canonical.reserve(spans.map(|(start, end)| end.saturating_sub(start) as usize).sum());
        for decision in records {
            let span = append(file, decision.record, &mut forms.records, &mut turn.canonical)?;
            turn.records.push(Record { ordinal: decision.ordinal.to_string(), span });
        }
        turn.records.sort_by(|a, b| NumberToken::cmp_integers(&a.ordinal, &b.ordinal));
        for issue in issues {
            let normal = append(file, issue.whole, &mut forms.issues, &mut turn.canonical)?;
            let decoded = |text: Text| text.string(file).map(|string| string.decode());
            let key =
                Key { stage: decoded(issue.stage)?, location: decoded(issue.location)?, code: decoded(issue.code)? };
            let members = forms.issues.outermost_members();
            turn.issues.push(issue_detail_parity::located(key, normal, self.stages, members, &turn.canonical)?);
        }
        Some(turn)
    }
}

fn owned(text: &[u8], span: Span) -> Option<String> {
    Some(std::str::from_utf8(slice(text, span)?).ok()?.to_owned())
}

/// Appends the canonical bytes of a value that has a canonical form.
fn append(file: &[u8], value: Span, canonicalizer: &mut Canonicalizer, out: &mut Vec<u8>) -> Option<(usize, usize)> {
    let start = out.len();
    let mut reader = Reader::new(slice(file, value)?, &Dialect::LAW).ok()?;
    canonicalizer.append(&mut reader, out).ok()?.is_none().then_some((start, out.len()))
}

#[cfg(test)]
mod tests;
