//! What follows from the outcomes of a run without asking anybody: so a report can be made again from its cases alone.

use std::collections::BTreeMap;

use assize_corpus::{agreement::Terms, needs::Needs, vector::Case};

use super::{Bench, CaseResult, Tally, controls, null, probe};
use crate::{protocol::Introduction, selection::Selection, suite::Suite, testee::TransportKind};

/// The selected cases that loaded, before any of them is asked.
pub(super) struct Divided<'c> {
    /// Those that are asked.
    pub(super) asked: Vec<&'c Case>,
    /// Those that need what was not declared, with what that is.
    pub(super) lacking: Vec<(&'c Case, String)>,
    /// The declared limit beyond which a case lies: a rejection of it says nothing.
    pub(super) beyond: BTreeMap<&'c str, String>,
}

/// Which of the selected cases can be asked.
pub(super) fn divide<'c>(suite: &'c Suite, selection: &Selection, introduction: &Introduction) -> Divided<'c> {
    let capabilities = &introduction.capabilities;
    let mut divided = Divided { asked: Vec::new(), lacking: Vec::new(), beyond: BTreeMap::new() };
    for (id, case) in suite.corpus.cases.iter().filter(|(id, case)| selection.takes(&suite.corpus, id, case)) {
        let mut lack = introduction.ops.lacks(case);
        if lack.is_none() && !capabilities.is_everything() {
            let mut needs = Needs::of(case);
            needs.text |= suite.corpus.laws.get(case.law()).is_some_and(|law| law.reader);
            lack = capabilities.lacks(&needs);
            divided.beyond.extend(capabilities.beyond(&needs).map(|limit| (id.as_str(), limit)));
        }
        match lack {
            Some(lack) => divided.lacking.push((case, lack)),
            None => divided.asked.push(case),
        }
    }
    divided
}

/// The terms on which the answers of a testee are judged.
pub(super) fn terms(terms: &Terms, introduction: &Introduction) -> Terms {
    Terms { undeclared: introduction.capabilities.undeclared(), ..terms.clone() }
}

/// What follows from the outcomes of a certifying run.
#[derive(Debug)]
pub struct Follows {
    /// What the passes are worth, and the controls if all of them were caught.
    pub tally: Tally,
    /// Cases that could not be asked, with what was not declared, by id.
    pub lacking: BTreeMap<String, String>,
    /// The declared limit beyond which a case lies, by id: with that reason it is not applicable if it was rejected.
    pub beyond: BTreeMap<String, String>,
    /// The probes that were due: capability, profile, and where.
    pub probes: Vec<(&'static str, String, &'static str)>,
}

/// What follows from the outcomes of a certifying run that was completed.
#[must_use]
pub fn follows(
    suite: &Suite,
    selection: &Selection,
    transport: TransportKind,
    seed: u32,
    introduction: &Introduction,
    given: &Terms,
    results: &[CaseResult],
) -> Follows {
    let terms = terms(given, introduction);
    let Divided { asked, lacking, beyond } = divide(suite, selection, introduction);
    let bench = Bench { terms: &terms, beyond };
    let mut tally = null::weigh(&suite.corpus, results, &terms);
    controls::all_caught(&controls::planned(suite, transport, seed, &bench, results), &mut tally);
    Follows {
        tally,
        lacking: lacking.into_iter().map(|(case, lack)| (case.id.clone(), lack)).collect(),
        beyond: bench.beyond.into_iter().map(|(id, limit)| (id.to_owned(), limit)).collect(),
        probes: if asked.is_empty() { Vec::new() } else { probe::due(introduction) },
    }
}
