//! Challenge sets: questions that no corpus holds, each with an expectation that follows.
//!
//! A *relation* makes a challenge of a case: it says how an answer changes with the question. A *maker* builds question and
//! expectation together. Both are described in `contracts/interface/relations.json`. What is expected comes from the case, from
//! the relation and from `sha2`, never from the verifier; a challenge binds with the force of its case, place by place, and by no more
//! than the ruling on which its relation rests.
//!
//! The same table serves fuzzing and property tests: two answers to questions that a relation makes of each other are related alike,
//! whoever gives them.
//!
//! A set is that of its seed: the same corpus, seed and count give the same set on every platform, and what is made for one law
//! hangs on no other.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    operation,
    vector::{Case, Corpus},
};

mod canon;
mod contents;
mod digests;
mod draft;
mod free;
mod further;
mod graph;
mod order;
mod random;
mod relations;
mod rename;
mod reply;
mod sides;
mod spelling;
mod table;
mod tree;
mod write;

pub use draft::answered;
pub use relations::{ALL, Relation};
pub use table::{Answered, Described, Kept, Kind, Mutant, Reason, Rewriting, TABLE, Table};
pub use write::{files, write};

use random::Random;

/// How many challenges a set has for each law.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Count {
    /// As many as a fifth of the law's cases, and at least 20.
    Fifth,
    /// So many.
    Each(usize),
}

impl Count {
    /// The fewest for a law where nothing else is said.
    pub const LEAST: usize = 20;

    /// For a law with this many cases.
    #[must_use]
    pub fn of(self, cases: usize) -> usize {
        match self {
            Self::Fifth => cases.div_ceil(5).max(Self::LEAST),
            Self::Each(count) => count,
        }
    }
}

/// A challenge, and where it comes from.
#[derive(Debug, Clone)]
pub struct Challenge {
    /// The question with its expectation.
    pub case: Case,
    /// The relation or maker.
    pub relation: &'static str,
    /// Id of the case that it was made of.
    pub base: String,
}

/// Whether an id is that of a challenge.
#[must_use]
pub fn is_challenge(id: &str) -> bool {
    id.split('/').nth(2).is_some_and(|name| name.starts_with("challenge-"))
}

/// The challenges of every law that has cases, as far as relations hold for them.
#[must_use]
pub fn challenge_set(corpus: &Corpus, seed: &str, count: Count) -> Vec<Challenge> {
    corpus.laws_with_cases().into_iter().flat_map(|law| challenges_of(corpus, law, seed, count)).collect()
}

/// The challenges of one law: those that a set of the same seed and count has for it.
#[must_use]
pub fn challenges_of(corpus: &Corpus, law: &str, seed: &str, count: Count) -> Vec<Challenge> {
    let cases: Vec<&Case> = corpus.of_law(law).map(|(_, case)| case).collect();
    of_law(Table::embedded(), law, &cases, seed, count.of(cases.len()))
}

/// Every challenge that can be made of a case in one draw each: for tests of the relations.
pub fn every_challenge<'c>(case: &'c Case, seed: &'c str) -> impl Iterator<Item = Challenge> + 'c {
    ALL.iter().filter_map(move |relation| rewritten(case, relation, seed))
}

/// The challenge that one relation of the table makes of a case, where it is used for the case and holds for it.
#[must_use]
pub fn rewritten(case: &Case, relation: &Relation, seed: &str) -> Option<Challenge> {
    let table = Table::embedded();
    let mut random = Random::of(&[seed, relation.name, &case.id]);
    (table.uses(relation, case) && is_small(case)).then(|| challenge(table, relation, case, &mut random, 0))?
}

/// The challenges of one law.
fn of_law(table: &Table, law: &str, cases: &[&Case], seed: &str, count: usize) -> Vec<Challenge> {
    const TRIES: usize = 60;
    if table.without.contains_key(law) {
        return Vec::new();
    }
    let small: Vec<&Case> = cases.iter().copied().filter(|case| is_small(case)).collect();
    let mut used = BTreeMap::<&str, Vec<&Relation>>::new();
    for case in &small {
        let of_case = || ALL.iter().filter(|relation| table.uses(relation, case)).collect();
        used.entry(&case.op).or_insert_with(of_case);
    }
    let mut seen: BTreeSet<String> = small.iter().map(|case| question(case)).collect();
    let (mut challenges, mut dead) = (Vec::new(), BTreeSet::new());
    for turn in 0..count * TRIES {
        if challenges.len() >= count {
            break;
        }
        let mut random = Random::of(&[seed, law, &turn.to_string()]);
        let Some(base) = random.one(&small).copied() else { break };
        let used = used.get(base.op.as_str()).into_iter().flatten().copied();
        let mut relations: Vec<&Relation> =
            used.filter(|relation| !dead.contains(&(base.id.as_str(), relation.name))).collect();
        // What only spells a value otherwise is asked where nothing else is to be had, and now and then.
        if relations.len() > 1 && !random.once_in(8) {
            relations.retain(|relation| relation.name != relations::RESPELLED);
        }
        let Some(relation) = random.one(&relations).copied() else { continue };
        match challenge(table, relation, base, &mut random, challenges.len() + 1) {
            Some(challenge) if seen.insert(question(&challenge.case)) => challenges.push(challenge),
            Some(_) => {}
            None => drop(dead.insert((base.id.as_str(), relation.name))),
        }
    }
    challenges
}

fn challenge(table: &Table, relation: &Relation, base: &Case, random: &mut Random, number: usize) -> Option<Challenge> {
    let mut case = relation.make(base, random)?;
    let respelled = ALL.iter().find(|relation| relation.name == relations::RESPELLED);
    if relation.name != relations::RESPELLED
        && respelled.is_some_and(|respelled| table.uses(respelled, base))
        && random.once_in(2)
        && let Some(spelled) = relations::respelled(&case, random)
    {
        case = spelled;
    }
    case.id = format!("{}/challenge-{}-{number}", base.law(), relation.name);
    case.rationale = format!("A challenge made of {} by {}. There: {}", base.id, relation.name, base.rationale);
    (case.twin, case.pair) = (None, None);
    if let Some(ruling) = table.ruling(relation, &base.op) {
        let operation = operation::table().find(&base.op).map(|operation| &operation.force);
        case.force = case.force.under(ruling, operation);
        if !case.rulings.iter().any(|known| known == ruling) {
            case.rulings.push(ruling.to_owned());
        }
    }
    Some(Challenge { case, relation: relation.name, base: base.id.clone() })
}

/// Whether a case is small enough to be made over and over.
fn is_small(case: &Case) -> bool {
    const MOST: usize = 60_000;
    let documents: usize = case.inputs.values().map(|document| document.bytes().len()).sum();
    let files = case.files.values().map(|entry| match entry {
        crate::vector::Entry::File(document) => document.bytes().len(),
        _ => 0,
    });
    documents + files.sum::<usize>() < MOST
}

/// The digest of what is asked.
fn question(case: &Case) -> String {
    let mut text = format!("{} {}", case.op, serde_json::Value::Object(case.args.clone()));
    for (name, document) in &case.inputs {
        text += &format!("\n{name} {}", digests::sha256(document.bytes()));
    }
    for (path, entry) in &case.files {
        let content = match entry {
            crate::vector::Entry::File(document) => digests::sha256(document.bytes()),
            other => format!("{other:?}"),
        };
        text += &format!("\n{path:?} {content}");
    }
    digests::sha256(text)
}
