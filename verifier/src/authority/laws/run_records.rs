//! authority/run-records: a run leaves five records, a refused one three, and each has its payload.
//!
//! Spec: Kernel Contract 0.1.0, 1 and 2.6; rulings AU-16, AU-17, AU-19 and AU-28. Their kinds and the members of their payloads are
//! stated by `contracts/authority/tables/run-records.json`.

use crate::authority::breach::{Breach, Level};
use crate::authority::model::canonical::quoted;
use crate::authority::model::ledger::Extent;
use crate::authority::model::outcome::Outcome;
use crate::authority::model::record::Member;
use crate::authority::model::recorded::{Placed, Recorded};
use crate::canon::compose;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;
use crate::tables::authority::run_records::{ROWS, Row};

use super::dag_ids::{Edge, Node};
use super::dag_invariants::Dag;
use super::policy_bounds::Policy;
use super::proposal_boundary::{Interpretation, canonical_list};
use super::record_shape;

pub(crate) const LAW: Law = Law::named("authority/run-records");

/// The records that a run leaves which ends so, in their order.
fn of(outcome: Outcome) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| row.outcome == outcome.name())
}

/// How many records a run leaves which ends so.
pub(crate) fn count(outcome: Outcome) -> usize {
    of(outcome).count()
}

/// The kind of the record of a step; nothing where there is none.
pub(crate) fn kind(outcome: Outcome, step: usize) -> &'static str {
    of(outcome).nth(step).map_or("", |row| row.kind)
}

/// The ordering token of a step.
pub(crate) fn token(base: &str, step: usize) -> String {
    format!("{base}#{step:04}")
}

/// `seed_hash`: that of the JSON string, quotes included.
pub(crate) fn seed_hash(seed_text: &str) -> Digest {
    Digest::of(&compose::string(seed_text))
}

/// Payload of record 0, `pin` canonical; the policy without the way it breaks ties (AU-19).
pub(crate) fn seedpack(seed_text: &str, pin: &[u8], policy: &Policy) -> Vec<u8> {
    compose::object(&[
        ("seed_text", compose::string(seed_text)),
        ("seed_hash", quoted(seed_hash(seed_text)).to_vec()),
        ("pin", pin.to_vec()),
        ("policy_summary", policy.summary()),
    ])
}

/// Payload of record 1: all that was proposed, in its order.
pub(crate) fn proposal(interpretations: &[Interpretation]) -> Vec<u8> {
    compose::object(&[("interpretations", canonical_list(interpretations))])
}

/// Payload of record 2 of a success; `winner` canonical.
pub(crate) fn commit(winner: &[u8], commit_hash: Digest) -> Vec<u8> {
    compose::object(&[("interpretation", winner), ("commit_hash", &quoted(commit_hash))])
}

/// Payload of record 3: ids and kinds, in order of insertion.
pub(crate) fn graph(dag: &Dag) -> Vec<u8> {
    compose::object(&[
        ("nodes", compose::array(dag.nodes().iter().map(Node::entry))),
        ("edges", compose::array(dag.edges().iter().map(Edge::entry))),
    ])
}

/// The records of a run, by the way it ended.
pub(crate) enum Course<'d> {
    Success([Recorded<'d>; 5]),
    Refusal([Recorded<'d>; 3]),
}

impl<'d> Course<'d> {
    /// The course that leaves as many records as these: all that a ledger holds, or the first six of more.
    pub(crate) fn of(records: &[Recorded<'d>], extent: Extent) -> Result<Self, Box<Breach>> {
        match records {
            [seedpack, proposal, commit, graph, artifact] => {
                Ok(Self::Success([*seedpack, *proposal, *commit, *graph, *artifact]))
            }
            [seedpack, proposal, artifact] => Ok(Self::Refusal([*seedpack, *proposal, *artifact])),
            [.., beyond] if records.len() > count(Outcome::Success) => {
                Err(Breach::of(LAW)(beyond.whole().wrong("a run leaves five records at most: this one was added")))
            }
            _ => Err(cut(extent)),
        }
    }

    /// The records, each with the kind of its place.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (Recorded<'d>, &'static str)> {
        let (records, outcome): (&[_], _) = match self {
            Self::Success(records) => (records, Outcome::Success),
            Self::Refusal(records) => (records, Outcome::Refusal),
        };
        records.iter().copied().zip(of(outcome).map(|row| row.kind))
    }

    /// How many records there are.
    fn len(&self) -> usize {
        match self {
            Self::Success(records) => records.len(),
            Self::Refusal(records) => records.len(),
        }
    }

    /// Holds a record against the kind of its place.
    pub(crate) fn check_kind(&self, record: Recorded<'_>, kind: &str) -> Result<(), Box<Breach>> {
        let message = format!("record {} of a run of {} has the kind {kind}", record.index, self.len());
        let stored = record_shape::member(record, Member::Kind)?;
        stored.expect(&compose::string(kind), message).map_err(Breach::of(LAW))
    }
}

/// A ledger that ends before its run does.
fn cut(extent: Extent) -> Box<Breach> {
    let place = JsonPointer::root().index(usize::try_from(extent.records).unwrap_or(usize::MAX));
    let message = "incomplete: a run leaves five records, or three if it is refused; the ledger was cut here";
    Box::new(Breach {
        level: Level::Derivation,
        record: extent.records,
        offset: extent.bytes,
        finding: Finding::error(LAW, place, message),
        stored: None,
        expected: None,
    })
}

/// The ordering tokens of a run: the first gives the base of the others.
#[derive(Default)]
pub(crate) struct Tokens {
    base: Option<String>,
}

impl Tokens {
    /// Holds a record against the token of its step; `ts` is what it has.
    pub(crate) fn check(&mut self, record: Recorded<'_>, ts: &str) -> Result<(), Box<Breach>> {
        let stored = record_shape::member(record, Member::Ts)?;
        let base = match &mut self.base {
            Some(base) => base,
            none => match ts.strip_suffix("#0000") {
                Some(base) => none.insert(base.to_owned()),
                None => return Err(Breach::of(LAW)(stored.wrong("the first token of a run ends in #0000"))),
            },
        };
        let due = compose::string(&token(base, record.index));
        stored.expect(&due, "not the token of this step").map_err(Breach::of(LAW))
    }
}

/// The payload of a record, which has just the members of its step.
pub(crate) fn payload(record: Recorded<'_>, outcome: Outcome) -> Result<Placed<'_>, Box<Breach>> {
    let members = of(outcome).nth(record.index).map_or(&[][..], |row| row.payload);
    record_shape::member(record, Member::Payload)?.closed(members).map_err(Breach::of(LAW))
}

/// A member that a payload has to have.
pub(crate) fn member<'d>(payload: &Placed<'d>, name: &str) -> Result<Placed<'d>, Box<Breach>> {
    payload.member(name).map_err(Breach::of(LAW))
}

/// A member that has to be a string.
pub(crate) fn text(payload: &Placed<'_>, name: &str) -> Result<String, Box<Breach>> {
    payload.text(name).map_err(Breach::of(LAW))
}

/// A member that has to be an array.
pub(crate) fn array<'d>(payload: &Placed<'d>, name: &str) -> Result<Placed<'d>, Box<Breach>> {
    let list = member(payload, name)?;
    list.array().map_err(Breach::of(LAW))?;
    Ok(list)
}

/// Holds the seed hash of record 0 against that of its seed text.
pub(crate) fn check_seed(seedpack: &Placed<'_>, seed_text: &str) -> Result<(), Box<Breach>> {
    let stored = member(seedpack, "seed_hash")?;
    let bare = stored.canonical() == quoted(Digest::of(seed_text.as_bytes()));
    let message = if bare {
        "the hash is that of the bare text; it has to be that of the JSON string, quotes and escapes included"
    } else {
        "not the hash of seed_text"
    };
    stored.expect(&quoted(seed_hash(seed_text)), message).map_err(Breach::of(LAW))
}
