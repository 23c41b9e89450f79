//! Questions about which implementations of a bench disagree: found, made smaller, and grouped by who answers what.
//!
//! Nobody is right here. The verifier is one of those that are asked, under a name of its own, and what divides them is a candidate
//! for a vector that a person argues.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicBool, Ordering},
};

use assize_corpus::{
    needs::Needs,
    testee::{Answer, Output, digest},
    vector::Case,
};

use crate::{
    minimise::shrink::{self, Reply},
    protocol::Introduction,
    testee::{BuiltIn, Child, Driver as _, Interview, Item, Response, Unusable},
};

/// The longest beginning of an input or of an answer that is shown, in characters.
pub const SHOWN: usize = 200;

/// What the verifier is called beside the others.
pub const VERIFIER: &str = "assize";

/// What somebody makes of a question. Codes are the harness's own words: a refusal is a refusal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Said {
    /// It accepts; digest and beginning of what it answers.
    Accepts(String, String),
    /// It refuses.
    Refuses,
    /// It broke, or gave no answer.
    Fails,
}

/// Those who make the same of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// What they make of it.
    pub said: Said,
    /// Their names.
    pub names: Vec<String>,
}

/// A question that divides those who are asked.
#[derive(Debug)]
pub struct Division {
    /// Who makes what of it, the largest group first.
    pub groups: Vec<Group>,
    /// The smallest question found that divides them so.
    pub case: Case,
    /// The question that it was made of, by its place among those that were put.
    pub place: usize,
    /// How many of the questions divide them into these groups.
    pub questions: usize,
    /// Bytes of the input as it was, and of the smallest.
    pub sizes: (usize, usize),
}

/// Somebody who is asked.
struct Side<'c> {
    name: String,
    /// What it is asked; nothing for everything.
    filter: Option<&'c [String]>,
    introduction: Introduction,
    who: Who<'c>,
}

enum Who<'c> {
    Verifier(&'static AtomicBool),
    Child(Box<Interview<'c>>),
}

/// All who are asked.
pub struct Sides<'c> {
    sides: Vec<Side<'c>>,
    stop: &'static AtomicBool,
}

impl<'c> Sides<'c> {
    /// The verifier alone.
    #[must_use]
    pub fn new(stop: &'static AtomicBool) -> Self {
        let (name, introduction) = (VERIFIER.to_owned(), Introduction::built_in());
        Self { sides: vec![Side { name, filter: None, introduction, who: Who::Verifier(stop) }], stop }
    }

    /// Adds an implementation, which is asked the laws that these filters take.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn add(&mut self, name: String, filter: &'c [String], child: &'c Child) -> Result<(), Unusable> {
        let introduction = child.introduce()?;
        self.sides.push(Side {
            name,
            filter: Some(filter),
            introduction,
            who: Who::Child(Box::new(Interview::new(child))),
        });
        Ok(())
    }

    /// How many are asked.
    #[must_use]
    pub fn count(&self) -> usize {
        self.sides.len()
    }

    /// The questions that divide them, one for each division into groups: the smallest, made smaller with at most so many questions.
    /// `watch` hears how many questions have been put.
    pub fn divide(&mut self, questions: &[Case], most: usize, watch: &dyn Fn(usize)) -> Vec<Division> {
        let mut found: BTreeMap<BTreeSet<Vec<usize>>, (usize, usize)> = BTreeMap::new();
        for (place, case) in questions.iter().enumerate() {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            watch(place);
            let answers = self.ask(case);
            let division: BTreeSet<Vec<usize>> = grouped(&answers).into_values().collect();
            if division.len() < 2 {
                continue;
            }
            let smaller = |kept: usize| questions.get(kept).is_none_or(|kept| shrink::size(case) < shrink::size(kept));
            let entry = found.entry(division).or_insert((place, 0));
            entry.1 += 1;
            if smaller(entry.0) {
                entry.0 = place;
            }
        }
        let mut divisions: Vec<Division> = found
            .into_values()
            .filter_map(|(place, count)| self.smallest(questions.get(place)?, place, count, most))
            .collect();
        // Two questions that came to the same smaller one are the same find.
        let mut seen = BTreeSet::new();
        divisions.retain(|division| {
            let docs: Vec<Vec<u8>> =
                division.case.inputs.values().map(assize_corpus::vector::Document::bytes).collect();
            seen.insert((division.groups.iter().map(|group| group.names.clone()).collect::<Vec<_>>(), docs))
        });
        divisions.sort_by_key(|division| (usize::MAX - division.questions, division.place));
        divisions
    }

    fn smallest(&mut self, case: &Case, place: usize, count: usize, most: usize) -> Option<Division> {
        // One of each group speaks for it while the question becomes smaller; all are asked about what remains.
        let speakers: Vec<usize> =
            grouped(&self.ask(case)).into_values().filter_map(|group| group.first().copied()).collect();
        let before = shrink::size(case);
        let (mut asked, stop) = (0, self.stop);
        let smallest = shrink::shrink(case, &mut |candidate, _| {
            if stop.load(Ordering::Relaxed) || asked >= most {
                return Reply::Stop;
            }
            asked += 1;
            let said: Option<BTreeSet<Said>> = speakers.iter().map(|speaker| self.one(*speaker, candidate)).collect();
            if said.is_some_and(|said| said.len() == speakers.len()) { Reply::Kept } else { Reply::Lost }
        });
        let answers = self.ask(&smallest.case);
        let mut groups: Vec<Group> = grouped(&answers)
            .into_iter()
            .map(|(said, group)| Group {
                said: said.clone(),
                names: group.iter().filter_map(|side| Some(self.sides.get(*side)?.name.clone())).collect(),
            })
            .collect();
        groups.sort_by_key(|group| usize::MAX - group.names.len());
        let sizes = (before, shrink::size(&smallest.case));
        // Somebody answers otherwise each time it is asked: that divides nobody.
        (groups.len() > 1).then_some(Division { groups, case: smallest.case, place, questions: count, sizes })
    }

    /// What each makes of a question, by its place; nothing for those that it is not for.
    fn ask(&mut self, case: &Case) -> Vec<Option<Said>> {
        (0..self.sides.len()).map(|side| self.one(side, case)).collect()
    }

    fn one(&mut self, side: usize, case: &Case) -> Option<Said> {
        let side = self.sides.get_mut(side)?;
        if side.filter.is_some_and(|filter| !asks(filter, case.law())) {
            return None;
        }
        let needs = Needs::of(case);
        let (ops, capabilities) = (&side.introduction.ops, &side.introduction.capabilities);
        // What it says that it does not do, or not so far, divides it from nobody.
        if ops.lacks(case).or_else(|| capabilities.lacks(&needs)).or_else(|| capabilities.beyond(&needs)).is_some() {
            return None;
        }
        let response = match &mut side.who {
            Who::Child(interview) => interview.ask(case),
            Who::Verifier(stop) => {
                let mut said = Response::NotRun(String::new());
                BuiltIn { stop }
                    .run(&[Item { case, alteration: None }], "bench", &mut |_, response, _| said = response);
                said
            }
        };
        match response {
            Response::Answer(Answer::Accept { out }) => {
                let shown = out.values().find_map(text).unwrap_or_default();
                Some(Said::Accepts(digest(&Answer::Accept { out }).to_hex(), shown))
            }
            Response::Answer(Answer::Reject { .. }) => Some(Said::Refuses),
            // What is slow on a busy machine divides nobody.
            Response::Answer(Answer::Unsupported { .. })
            | Response::NotRun(_)
            | Response::Unasked(..)
            | Response::Timeout(_) => None,
            Response::Answer(Answer::Fault { .. }) | Response::Crash(_) | Response::Protocol(_) | Response::Changed => {
                Some(Said::Fails)
            }
        }
    }
}

/// Whether one of these filters takes all of a law.
#[must_use]
pub fn asks(filters: &[String], law: &str) -> bool {
    let takes = |filter: &str| filter == law || law.strip_prefix(filter).is_some_and(|rest| rest.starts_with('/'));
    filters.iter().any(|filter| takes(filter.trim_end_matches('/')))
}

/// The places of those who say the same.
fn grouped(answers: &[Option<Said>]) -> BTreeMap<&Said, Vec<usize>> {
    let mut groups: BTreeMap<&Said, Vec<usize>> = BTreeMap::new();
    for (place, said) in answers.iter().enumerate() {
        if let Some(said) = said {
            groups.entry(said).or_default().push(place);
        }
    }
    groups
}

/// The beginning of an output that people can read.
fn text(output: &Output) -> Option<String> {
    let whole = match output {
        Output::Doc(text) => text.clone(),
        Output::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Output::Value(_) => return None,
    };
    Some(whole.chars().take(SHOWN).collect())
}
