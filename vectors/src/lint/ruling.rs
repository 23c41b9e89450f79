//! Rulings against the vectors: the rows of the behaviour table (`contracts/rulings/sovereign.json`), and the errata.
//!
//! Every row is shown by vectors of both modes. On every row that differs a pair tells the modes apart, or vectors of law
//! mode alone where reference mode leaves the input out; and nothing tells the modes apart that names no such row. On
//! every other erratum rests a case of its system. Which cases these are is derived ([`crate::errata`]).

use std::collections::{BTreeMap, BTreeSet};

use super::{Linter, class};
use crate::{
    errata::{Resting, between, resting},
    vector::{
        Case,
        ruling::{Behaviour, Modes, Ruling, Stands},
    },
};

const MODES: [&str; 2] = ["law", "reference"];

pub(super) fn check(linter: &mut Linter<'_>) {
    let (rulings, corpus) = (linter.rulings.clone(), linter.corpus);
    let resting = resting(&rulings, &corpus.cases);
    let none = Resting::default();
    let (mut seen, mut places) = (BTreeSet::new(), BTreeMap::<&str, usize>::new());
    for (system, ruling) in rulings.iter() {
        let place = places.entry(system).or_default();
        let at = Place { file: format!("contracts/rulings/{system}.json"), pointer: format!("/rulings/{place}") };
        *place += 1;
        if !seen.insert(&ruling.id) {
            at.find(linter, "", format!("{} comes twice", ruling.id), "keep one");
        }
        let resting = resting.get(ruling.id.as_str()).unwrap_or(&none);
        if let Some(modes) = ruling.modes {
            covered(linter, ruling, modes, &at);
        }
        behaviour(linter, ruling, resting, &at);
        if ruling.is_erratum() {
            erratum(linter, ruling, resting, &at);
        }
    }
    let inside: BTreeSet<&str> =
        resting.values().flat_map(|resting| &resting.law).map(|case| case.id.as_str()).collect();
    apart(linter, &inside);
}

/// A ruling in its file.
struct Place {
    file: String,
    pointer: String,
}

impl Place {
    fn find(&self, linter: &mut Linter<'_>, member: &str, message: String, remedy: &str) {
        linter.find(&self.file, &format!("{}{member}", self.pointer), message, remedy);
    }
}

/// A row is covered by vectors of both modes.
fn covered(linter: &mut Linter<'_>, row: &Ruling, modes: Modes, at: &Place) {
    if row.excluded.is_some() {
        return;
    }
    let corpus = linter.corpus;
    for wanted in MODES {
        // A row on which the modes agree may also be shown by an operation that knows no mode.
        let fits = |case: &Case| case.mode().map_or(modes == Modes::Same, |mode| mode == wanted);
        if !corpus.cases.values().any(|case| case.rows.contains(&row.id) && fits(case)) {
            let remedy = format!("name {} in the `rows` of one, or say in `excluded` why none can be", row.id);
            at.find(linter, "", format!("no vector covers {} in mode {wanted}", row.id), &remedy);
        }
    }
}

/// What code does can be against the text only where the text speaks, and against the ruling alone only where it does not. A ruling
/// on which no case rests is not an erratum yet.
fn behaviour(linter: &mut Linter<'_>, ruling: &Ruling, resting: &Resting<'_>, at: &Place) {
    let says = ruling.stands == Stands::Says;
    for (behaviour, words) in ruling.behaviours() {
        let (message, remedy) = match behaviour {
            _ if words.is_empty() => ("weighs what no code does", "say in `code` what it does"),
            Behaviour::AgainstText if !says && !ruling.is_erratum() && !resting.law.is_empty() => {
                ("calls code against the text, and is not an erratum", "add `erratum`, or weigh it as against-ruling")
            }
            Behaviour::AgainstRuling if says => {
                ("calls code against the ruling alone, and the text says it", "weigh it as against-text")
            }
            _ => continue,
        };
        at.find(linter, "/behaviour", format!("{} {message}", ruling.id), remedy);
    }
}

fn erratum(linter: &mut Linter<'_>, ruling: &Ruling, resting: &Resting<'_>, at: &Place) {
    let id = &ruling.id;
    if ruling.erratum.is_some() && ruling.parts() {
        at.find(linter, "/erratum", format!("{id} is an erratum as it is"), "leave `erratum` out");
    }
    for (member, said) in [("/text", &ruling.text), ("/code", &ruling.code)] {
        if said.is_none() {
            at.find(linter, member, format!("{id} is an erratum, and does not say what parts"), "say both sides");
        }
    }
    if ruling.modes != Some(Modes::Differ) {
        let message = match (resting.law.is_empty(), ruling.excluded.is_some()) {
            (true, false) => format!("no vector rests on {id}"),
            (false, true) => format!("{id} has vectors and says that there can be none"),
            _ => return,
        };
        let remedy =
            "name the ruling in a case (`provenance`, `spec` or `rulings`), or say in `excluded` why none can be";
        return at.find(linter, "", message, remedy);
    }
    for (mode, cases) in [("law", &resting.law), ("reference", &resting.reference)] {
        if cases.is_empty() && ruling.excluded.is_none() {
            let message = format!("no vector in mode {mode} tells the modes apart on {id}");
            at.find(linter, "", message, "write a pair that does, or say in `excluded` why there is none");
        }
    }
    if ruling.alone.is_some() && resting.law.iter().all(|case| case.pair.is_some()) {
        let message = format!("no vector asks law mode alone on {id}");
        at.find(linter, "/alone", message, "leave `alone` out, or write the case");
    }
}

/// Nothing tells the modes apart that rests on no erratum.
fn apart(linter: &mut Linter<'_>, inside: &BTreeSet<&str>) {
    let corpus = linter.corpus;
    // What a case that stands alone is told apart from need not tell the modes apart itself.
    let neighbours: BTreeSet<&str> = inside.iter().filter_map(|id| corpus.cases.get(*id)?.twin.as_deref()).collect();
    // On a row that reference mode cannot show, no pair can part.
    let shown = |ruling: &Ruling| ruling.modes == Some(Modes::Differ) && ruling.excluded.is_none();
    let differing = linter.rulings.iter().filter(|(_, ruling)| shown(ruling));
    let differing: BTreeSet<String> = differing.map(|(_, ruling)| ruling.id.clone()).collect();
    for case in corpus.cases.values().filter(|case| case.mode() == Some("law")) {
        let id = case.id.as_str();
        if case.pair.is_none() && !inside.contains(id) && !neighbours.contains(id) {
            let message = "asks law mode alone, and no erratum says why";
            let remedy = "name a row with `alone` in its `rows`, or write the case of reference mode";
            linter.find(&case.path(), "", message, remedy);
        }
        let Some(other) = case.pair.as_ref().and_then(|pair| corpus.cases.get(pair)) else {
            continue;
        };
        if between(case, other).is_none() {
            continue;
        }
        let rows =
            |case: &Case| case.rows.iter().filter(|row| differing.contains(*row)).cloned().collect::<BTreeSet<_>>();
        if rows(case).is_empty() && rows(other).is_empty() {
            let classes = |case: &Case| case.answers().map(|expect| class(expect).to_owned()).collect::<BTreeSet<_>>();
            let (law, reference) = (classes(case), classes(other));
            let message = format!("the modes part ({law:?} and {reference:?}) outside the errata");
            linter.find(
                &case.path(),
                "/pair",
                message,
                "name the row on which they part in both cases, or correct the pair",
            );
        } else if rows(case) != rows(other) {
            let message = format!("the modes part, and {} names other rows on which they do", other.id);
            linter.find(&case.path(), "/rows", message, "name the same rows in both cases of the pair");
        }
    }
}
