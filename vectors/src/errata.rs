//! Errata: the rulings on points where code parts from the text of a specification, or the text from itself, with the
//! cases that rest on them.
//!
//! Nothing here is listed by hand. Whether a ruling is an erratum is a matter of the ruling; which cases rest on it, and
//! what the sealed comparator gets wrong in law mode, is a matter of the cases. That a list is not empty, and that
//! nothing outside it tells the modes apart, is the lint's question.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{
    agreement::{Outcome, Terms, asserted, judge},
    vector::{
        Case,
        ruling::{Alone, Behaviour, Decision, Modes, Ruling, Rulings, named, numbered},
    },
};

/// Cases by id.
type Cases = BTreeMap<String, Case>;

/// One erratum, as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Erratum {
    /// Its row of the behaviour table; in a system of one mode, its ruling with at least two digits.
    pub id: String,
    /// The system.
    pub system: String,
    /// The document.
    pub document: String,
    /// Places in it; those of other documents with their titles.
    pub sections: Vec<String>,
    /// What the text says.
    pub text: String,
    /// What the code does, or another text that the specification builds on.
    pub code: String,
    /// How each part of that weighs: `as-ruled`, `lawful`, `against-ruling`, `against-text` or `none`. Not where modes say it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub behaviour: BTreeMap<&'static str, String>,
    /// What Assize does, by mode; `law` alone in a system of one mode.
    pub ruling: BTreeMap<&'static str, String>,
    /// Vectors that show it, by mode.
    pub vectors: BTreeMap<&'static str, Vec<String>>,
    /// Why no vector can show it, or none of reference mode.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excluded: Option<String>,
}

impl Erratum {
    fn new(system: &str, ruling: &Ruling, resting: Option<&Resting<'_>>) -> Self {
        let document = ruling.places.first().map(|place| place.document.clone()).unwrap_or_default();
        let section = |place: &crate::vector::Spec| match place.document == document {
            true => place.section.clone(),
            false => format!("{}, {}", place.document, place.section),
        };
        let ids = |cases: &[&Case]| cases.iter().map(|case| case.id.clone()).collect::<Vec<_>>();
        let mut vectors = BTreeMap::from([("law", resting.map(|resting| ids(&resting.law)).unwrap_or_default())]);
        if ruling.modes.is_some() {
            vectors.insert("reference", resting.map(|resting| ids(&resting.reference)).unwrap_or_default());
        }
        Self {
            id: match numbered(&ruling.id) {
                Some((family, number)) => format!("{family}-{number:02}"),
                None => ruling.id.clone(),
            },
            system: system.to_owned(),
            sections: ruling.places.iter().map(section).collect(),
            document,
            text: ruling.text.clone().unwrap_or_default(),
            code: ruling.code.clone().unwrap_or_default(),
            behaviour: ruling.behaviours().into_iter().map(|(one, words)| (one.name(), words.to_owned())).collect(),
            ruling: match &ruling.ruling {
                Decision::One(answer) => BTreeMap::from([("law", answer.clone())]),
                Decision::Modes { law, reference } => {
                    BTreeMap::from([("law", law.clone()), ("reference", reference.clone())])
                }
            },
            vectors,
            excluded: ruling.excluded.clone(),
        }
    }

    /// Whether its system answers in law mode and in reference mode, so that cases come in pairs.
    #[must_use]
    pub fn two_modes(&self) -> bool {
        self.ruling.len() > 1
    }

    /// Whether `name` means this erratum: `EP-04`, `ep-04`, or `EP-4` as a provenance spells it.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        numbered(name).is_some_and(|name| numbered(&self.id) == Some(name))
    }
}

/// Every erratum, by system and in the order of the rulings.
#[must_use]
pub fn errata(rulings: &Rulings, cases: &Cases) -> Vec<Erratum> {
    listed(rulings, cases, Ruling::is_erratum)
}

/// Every ruling by which something that other code does is lawful, an erratum or not.
#[must_use]
pub fn lawful(rulings: &Rulings, cases: &Cases) -> Vec<Erratum> {
    listed(rulings, cases, |ruling| ruling.behaviours().contains_key(&Behaviour::Lawful))
}

fn listed(rulings: &Rulings, cases: &Cases, wanted: impl Fn(&Ruling) -> bool) -> Vec<Erratum> {
    let resting = resting(rulings, cases);
    let listed = rulings.iter().filter(|(_, ruling)| wanted(ruling));
    listed.map(|(system, ruling)| Erratum::new(system, ruling, resting.get(ruling.id.as_str()))).collect()
}

/// The cases that rest on one ruling.
#[derive(Debug, Clone, Default)]
pub struct Resting<'a> {
    /// Of law mode, or of the only one.
    pub law: Vec<&'a Case>,
    /// Their pairs in reference mode.
    pub reference: Vec<&'a Case>,
}

/// The cases that rest on each ruling.
///
/// On a row of the behaviour table: those that tell the modes apart ([`partings`]). On any other ruling: the cases of its
/// system that name it. Rulings of one system may decide cases of another, as those on I-JSON do in `canon/episode`; these
/// are not counted.
#[must_use]
pub fn resting<'a>(rulings: &'a Rulings, cases: &'a Cases) -> BTreeMap<&'a str, Resting<'a>> {
    let mut all: BTreeMap<&str, Resting<'_>> = BTreeMap::new();
    let whole = rulings.iter().filter(|(_, ruling)| ruling.modes.is_none());
    let systems: BTreeMap<&str, &str> = whole.map(|(system, ruling)| (ruling.id.as_str(), system)).collect();
    for case in cases.values() {
        for id in named(case) {
            if systems.get(id).is_some_and(|system| case.id.split('/').next() == Some(system)) {
                all.entry(id).or_default().law.push(case);
            }
        }
    }
    for parting in partings(rulings, cases) {
        let resting = all.entry(parting.ruling.id.as_str()).or_default();
        resting.law.push(parting.case);
        resting.reference.extend(pair(parting.case, cases));
    }
    all
}

/// A case of law mode that the sealed comparator fails, with a row of the behaviour table that says why.
#[derive(Debug, Clone, Copy)]
pub struct Parting<'a> {
    /// The row.
    pub ruling: &'a Ruling,
    /// The case.
    pub case: &'a Case,
    /// How the comparator fails it.
    pub outcome: Outcome,
}

/// Where law mode and reference mode part, in the order of the rows: each case comes under every row on which the modes
/// differ and which it names.
///
/// A case with a pair parts when what its pair expects does not conform to it, on rows that reference mode can show.
/// Where reference mode leaves the input out there is no pair; such a case parts as its row says (`alone`), unless it is
/// the accepted twin of one that does.
#[must_use]
pub fn partings<'a>(rulings: &'a Rulings, cases: &'a Cases) -> Vec<Parting<'a>> {
    let law: Vec<&Case> = cases.values().filter(|case| case.mode() == Some("law")).collect();
    let twins: BTreeSet<&str> =
        law.iter().filter(|case| case.pair.is_none()).filter_map(|case| case.twin.as_deref()).collect();
    let failing: Vec<(&Case, Option<Outcome>)> = law
        .into_iter()
        .map(|case| (case, pair(case, cases).and_then(|pair| between(case, pair))))
        .filter(|(case, outcome)| outcome.is_some() || case.pair.is_none() && !twins.contains(case.id.as_str()))
        .collect();
    let mut found = Vec::new();
    for (_, ruling) in rulings.iter().filter(|(_, ruling)| ruling.modes == Some(Modes::Differ)) {
        let alone = ruling.alone.map(|alone| match alone {
            Alone::Reports => Outcome::WrongOutput,
            Alone::Aborts => Outcome::WrongVerdict,
        });
        for (case, paired) in failing.iter().filter(|(case, _)| case.rows.contains(&ruling.id)) {
            let outcome = if case.pair.is_none() { alone } else { paired.filter(|_| ruling.excluded.is_none()) };
            found.extend(outcome.map(|outcome| Parting { ruling, case, outcome }));
        }
    }
    found
}

fn pair<'a>(case: &Case, cases: &'a Cases) -> Option<&'a Case> {
    cases.get(case.pair.as_ref()?)
}

/// How an implementation fails a case of law mode that answers it as its pair of reference mode expects; nothing, if one
/// such answer conforms.
#[must_use]
pub fn between(law: &Case, reference: &Case) -> Option<Outcome> {
    let mut outcomes =
        reference.answers().map(|expect| judge(law, &asserted(reference, expect), &Terms::default()).outcome);
    let first = outcomes.next().filter(|outcome| *outcome != Outcome::Pass)?;
    outcomes.all(|outcome| outcome != Outcome::Pass).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{store::Store, vector::Corpus};

    fn known() -> (Rulings, Corpus) {
        let store = Store::embedded();
        (Rulings::load(&store).unwrap(), Corpus::load(&store))
    }

    #[test]
    fn an_erratum_has_the_cases_of_its_system_that_name_it() {
        let (rulings, corpus) = known();
        let errata = errata(&rulings, &corpus.cases);
        let one = |name: &str| errata.iter().find(|erratum| erratum.is_called(name)).unwrap();
        for name in ["EP-4", "ep-4", "EP-04"] {
            assert_eq!((one(name).id.as_str(), one(name).two_modes()), ("EP-04", false), "{name}");
        }
        // By `rulings`; and not where a ruling decides a case of another system.
        assert!(one("EP-42").vectors["law"].contains(&"episode/dispute/one-entry".to_owned()));
        assert!(one("EP-26").vectors["law"].iter().all(|id| id.starts_with("episode/")));
        assert!(one("NUM-02").two_modes() && !one("NUM-02").vectors["reference"].is_empty());
        assert!(!errata.iter().any(|erratum| erratum.is_called("EP-28")), "a ruling alone");
    }

    #[test]
    fn cases_part_as_their_pairs_expect_and_alone_as_their_row_says() {
        let (rulings, corpus) = known();
        let partings = partings(&rulings, &corpus.cases);
        let outcome = |row: &str, name: &str| {
            let id = format!("sovereign/{name}-law");
            let parting = partings.iter().find(|parting| parting.ruling.id == row && parting.case.id == id);
            parting.map(|parting| parting.outcome)
        };
        assert_eq!(outcome("NUM-02", "float-ban/num-02-nan-in-details"), Some(Outcome::WrongVerdict));
        assert_eq!(outcome("NUM-04", "float-ban/num-04-negative-zero-in-details"), Some(Outcome::WrongOutput));
        assert_eq!(outcome("REP-07", "report-ordering/rep-07-equal-forward"), None, "the modes agree");
        assert_eq!(outcome("FILE-18", "path-selection/file-18-escape-skipped"), Some(Outcome::WrongOutput));
        assert_eq!(
            outcome("RES-02", "canonical-parity/res-02-decision-1000-levels"),
            Some(Outcome::WrongVerdict),
            "alone"
        );
        assert_eq!(outcome("RES-03", "canonical-parity/res-03-details-252-levels"), None, "an accepted neighbour");
        // A row that reference mode cannot show has no pairs.
        assert_eq!(outcome("FILE-18", "path-selection/file-18-backslash-is-no-separator"), None);
    }
}
