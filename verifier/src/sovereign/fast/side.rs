//! What one text holds, as places in it, where it is surely lawful.

use super::sound::{self, Names};
use super::{Judge, Walk};
use crate::digest::Digest;
use crate::json::{Dialect, RawString, Reader, Scalar};
use crate::sovereign::laws::contract_turn_result::{self, Form};
use crate::sovereign::laws::{contract_decision_record, safe_boundary, surface_list};
use crate::sovereign::model::stage_order::StageOrder;

/// Offsets in the text.
pub(super) type Span = (u32, u32);

/// What a text holds that parity looks at.
#[derive(Default)]
pub(super) struct Side {
    /// The names of transition digests, and the digests where they are not null; without quotes.
    pub(super) transition: Vec<(Span, Option<Span>)>,
    pub(super) decisions: Vec<Decision>,
    pub(super) issues: Vec<Issue>,
}

#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) ordinal: u64,
    pub(super) record: Span,
}

/// The key of an issue as it is spelled, and all of it.
#[derive(Clone, Copy)]
pub(super) struct Issue {
    pub(super) stage: Text,
    pub(super) location: Text,
    pub(super) code: Text,
    pub(super) whole: Span,
}

/// A string without its quotes.
#[derive(Clone, Copy)]
pub(super) struct Text {
    span: Span,
    escaped: bool,
}

impl Text {
    fn of(string: RawString<'_>) -> Option<Self> {
        Some(Self { span: (offset(string.start)?, offset(string.start + string.raw.len())?), escaped: string.escaped })
    }

    fn reads_like(self, text: &[u8], other: Self, other_text: &[u8]) -> bool {
        match (self.string(text), other.string(other_text)) {
            (Some(a), Some(b)) if a.escaped || b.escaped => a.decode() == b.decode(),
            (a, b) => a.map(|a| a.raw) == b.map(|b| b.raw),
        }
    }

    /// The string in the text that it was found in.
    pub(super) fn string(self, text: &[u8]) -> Option<RawString<'_>> {
        Some(RawString { start: self.span.0 as usize, raw: slice(text, self.span)?, escaped: self.escaped })
    }
}

impl Issue {
    /// Whether both have the same stage, location and code.
    fn meets(&self, text: &[u8], other: &Self, other_text: &[u8]) -> bool {
        self.location.reads_like(text, other.location, other_text)
            && self.code.reads_like(text, other.code, other_text)
            && self.stage.reads_like(text, other.stage, other_text)
    }
}

pub(super) fn slice(text: &[u8], (start, end): Span) -> Option<&[u8]> {
    text.get(start as usize..end as usize)
}

fn offset(at: usize) -> Option<u32> {
    u32::try_from(at).ok()
}

/// More transition digests than this are not compared with each other.
const MOST_DIGESTS: usize = 64;

/// Where more issues differ than this, no issue is compared with each of them.
const MOST_DIFFERING: usize = 8;

impl Side {
    /// Walks one text; none if it may break a law.
    pub(super) fn read(&mut self, judge: &Judge<'_>, text: &[u8], walk: &mut Walk) -> Option<()> {
        self.transition.clear();
        self.decisions.clear();
        self.issues.clear();
        walk.names.clear();
        // A constant, wherever it stands, is no JSON or has no canonical form.
        let mut reader = Reader::new(text, &Dialect::STRICT).ok()?;
        let mut met = [false; 3];
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
            if let Some(met) = place.and_then(|place: usize| met.get_mut(place))
                && std::mem::replace(met, true)
            {
                return None;
            }
            match place {
                Some(0) => self.read_transition(text, &mut reader)?,
                Some(1) => self.read_capabilities(judge, &mut reader, walk)?,
                Some(_) => self.read_issues(judge.stages, text, &mut reader, &mut walk.names)?,
                None => skip(&mut reader)?,
            }
        }
        reader.finish().ok()?;
        (met == [true; 3]).then_some(())
    }

    /// Of a transition only its digests are looked at: three that it has to have, and any other.
    fn read_transition(&mut self, text: &[u8], reader: &mut Reader<'_>) -> Option<()> {
        reader.enter_object().ok()?;
        let mut first = true;
        while let Some(key) = reader.next_key(first).ok()? {
            first = false;
            if key.escaped {
                return None;
            }
            if !surface_list::is_transition_digest(&key.decode()) {
                skip(reader)?;
                continue;
            }
            let name = Text::of(key)?.span;
            let digest = match reader.peek_value().ok()? {
                b'"' => {
                    let digest = reader.string().ok().filter(|string| Digest::is_spelled(string.raw))?;
                    Some(Text::of(digest)?.span)
                }
                _ if matches!(reader.scalar().ok()?, Scalar::Null(_)) => None,
                _ => return None,
            };
            if self.transition.len() == MOST_DIGESTS || self.names(text).any(|known| known == key.raw) {
                return None;
            }
            self.transition.push((name, digest));
        }
        let has = |name: &&str| self.names(text).any(|known| known == name.as_bytes());
        contract_turn_result::TRANSITION.iter().all(has).then_some(())
    }

    fn names<'t>(&self, text: &'t [u8]) -> impl Iterator<Item = &'t [u8]> {
        self.transition.iter().filter_map(move |(name, _)| slice(text, *name))
    }

    fn read_capabilities(&mut self, judge: &Judge<'_>, reader: &mut Reader<'_>, walk: &mut Walk) -> Option<()> {
        reader.enter_object().ok()?;
        let (mut first, mut met) = (true, false);
        while let Some(key) = reader.next_key(first).ok()? {
            first = false;
            if key.escaped {
                return None;
            }
            if key.raw != b"decisions" {
                skip(reader)?;
                continue;
            }
            if std::mem::replace(&mut met, true) {
                return None;
            }
            self.read_decisions(judge, reader, walk)?;
        }
        met.then_some(())
    }

    fn read_decisions(&mut self, judge: &Judge<'_>, reader: &mut Reader<'_>, walk: &mut Walk) -> Option<()> {
        reader.enter_array().ok()?;
        while reader.next_element(self.decisions.is_empty()).ok()? {
            reader.peek_value().ok()?;
            let start = offset(reader.offset())?;
            let record =
                contract_decision_record::surely_holds(judge.records, reader, &mut walk.order, judge.registry)?;
            let Some(Scalar::Number(_, ordinal)) = record.scalar("ordinal") else { return None };
            let ordinal = ordinal.to_u64()?;
            self.decisions.push(Decision { ordinal, record: (start, offset(reader.offset())?) });
        }
        if !self.decisions.is_sorted_by(|a, b| a.ordinal < b.ordinal) {
            walk.ordinals.clear();
            walk.ordinals.extend(self.decisions.iter().map(|decision| decision.ordinal));
            walk.ordinals.sort_unstable();
            return walk.ordinals.is_sorted_by(|a, b| a < b).then_some(());
        }
        Some(())
    }

    fn read_issues(
        &mut self,
        stages: &StageOrder,
        text: &[u8],
        reader: &mut Reader<'_>,
        names: &mut Names,
    ) -> Option<()> {
        reader.enter_array().ok()?;
        while reader.next_element(self.issues.is_empty()).ok()? {
            self.issues.push(read_issue(stages, text, reader, names)?);
        }
        Some(())
    }

    /// The records of both sides two by two, if they come with the same ordinals in the same order.
    pub(super) fn paired<'s>(&'s self, other: &'s Self) -> Option<impl Iterator<Item = (Decision, Decision)> + 's> {
        let pairs = self.decisions.iter().copied().zip(other.decisions.iter().copied());
        let same = self.decisions.len() == other.decisions.len() && pairs.clone().all(|(a, b)| a.ordinal == b.ordinal);
        same.then_some(pairs)
    }

    /// The issues of both sides that can make a difference: those that are not spelled as their counterpart is, and those
    /// that have stage, location and code of one of these, since they are compared as one list.
    pub(super) fn differing_issues(&self, text: &[u8], other: &Self, other_text: &[u8]) -> (Vec<Issue>, Vec<Issue>) {
        let pairs = || self.issues.iter().zip(&other.issues);
        let differ = |a: &Issue, b: &Issue| slice(text, a.whole) != slice(other_text, b.whole);
        let differing: Vec<_> = pairs().filter(|(a, b)| differ(a, b)).collect();
        if self.issues.len() != other.issues.len() || differing.len() > MOST_DIFFERING {
            return (self.issues.clone(), other.issues.clone());
        }
        let meets_one = |(issue, _): &(&Issue, &Issue)| {
            differing.iter().any(|(a, b)| issue.meets(text, a, text) || issue.meets(text, b, other_text))
        };
        pairs().filter(meets_one).map(|(a, b)| (*a, *b)).unzip()
    }

    /// Whether two transitions have equal digests.
    pub(super) fn same_transition(&self, text: &[u8], other: &Self, other_text: &[u8]) -> bool {
        let pairs = || self.transition.iter().zip(&other.transition);
        self.transition.len() == other.transition.len()
            && pairs().all(|((name_a, digest_a), (name_b, digest_b))| {
                slice(text, *name_a) == slice(other_text, *name_b)
                    && match (digest_a, digest_b) {
                        (Some(a), Some(b)) => slice(text, *a) == slice(other_text, *b),
                        (None, None) => true,
                        _ => false,
                    }
            })
    }
}

/// Walks one issue: what its key is made of has its form, and what no parity looks at is passed over.
fn read_issue(stages: &StageOrder, text: &[u8], reader: &mut Reader<'_>, names: &mut Names) -> Option<Issue> {
    const MEMBERS: [(&str, Form, &str); 4] = contract_turn_result::ISSUE;
    reader.peek_value().ok()?;
    let start = offset(reader.offset())?;
    reader.enter_object().ok()?;
    names.enter();
    let (mut first, mut met) = (true, [false; MEMBERS.len()]);
    let mut texts = [None; MEMBERS.len()];
    while let Some(key) = reader.next_key(first).ok()? {
        first = false;
        if key.escaped {
            return None;
        }
        names.take(key)?;
        let Some(at) = MEMBERS.iter().position(|(name, ..)| name.as_bytes() == key.raw) else {
            if safe_boundary::is_issue_surface(key.raw) {
                sound::read(text, reader, names)?;
            } else {
                skip(reader)?;
            }
            continue;
        };
        *met.get_mut(at)? = true;
        let (_, form, _) = MEMBERS.get(at)?;
        let opening = reader.peek_value().ok()?;
        match form {
            Form::Object if opening == b'{' => sound::read(text, reader, names)?,
            Form::Stage | Form::Text if opening == b'"' => {
                let string = reader.string().ok()?;
                let decoded = string.decode();
                if string.escaped && decoded.has_lone_surrogate() {
                    return None;
                }
                if *form == Form::Stage {
                    stages.index(decoded.to_str()?)?;
                }
                *texts.get_mut(at)? = Text::of(string);
            }
            _ => return None,
        }
    }
    names.leave(text)?;
    let text = |name: &str| *texts.get(MEMBERS.iter().position(|(known, ..)| *known == name)?)?;
    let whole = (start, offset(reader.offset())?);
    let issue = Issue { stage: text("stage")?, location: text("location")?, code: text("code")?, whole };
    (met == [true; MEMBERS.len()]).then_some(issue)
}

fn skip(reader: &mut Reader<'_>) -> Option<()> {
    reader.parse(&mut crate::json::Skip).ok()
}
