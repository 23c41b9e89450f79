//! The behaviour table (the rows of `contracts/errata.json`, ruled on in `contracts/rulings`) and the errata register
//! against the vectors.
//!
//! Where a system has two modes, every row is shown by vectors of both; every erratum by a pair, or by vectors of law
//! mode alone where reference mode leaves the input out; and nothing outside the register tells the modes apart. Where
//! it has one, an erratum lists every case of its system that rests on its ruling, and there is one.

use std::collections::BTreeSet;

use super::{Desk, ERRATA, class, mode};
use crate::vector::{Case, Erratum, Provenance, Register};

const MODES: [&str; 2] = ["law", "reference"];

pub(super) fn check(desk: &mut Desk<'_>) {
    let register = desk.register.clone();
    rows(desk, &register);
    for (index, erratum) in register.errata.iter().enumerate() {
        let pointer = format!("/errata/{index}");
        if register.errata.iter().take(index).any(|other| other.id == erratum.id) {
            desk.find(ERRATA, &pointer, format!("{} comes twice", erratum.id), "keep one");
        }
        if erratum.two_modes() {
            two_modes(desk, &register, erratum, &pointer);
        } else {
            one_mode(desk, erratum, &pointer);
        }
    }
    apart(desk, &register);
}

fn rows(desk: &mut Desk<'_>, register: &Register) {
    for (row, entry) in register.rows.iter().filter(|(_, entry)| entry.excluded.is_none()) {
        let pointer = format!("/rows/{row}");
        for wanted in MODES {
            // A row on which the modes agree may also be shown by an operation that knows no mode.
            let fits = |case: &Case| match mode(case) {
                Some(mode) => mode == wanted,
                None => entry.modes == "same",
            };
            let covers = |case: &Case| case.rows.contains(row) && fits(case);
            if !desk.corpus.cases.values().any(covers) {
                let remedy = format!("name {row} in the `rows` of one, or say in `excluded` why none can be");
                desk.find(ERRATA, &pointer, format!("no vector covers {row} in mode {wanted}"), &remedy);
            }
        }
        if entry.modes == "differ" && !register.errata.iter().any(|erratum| erratum.two_modes() && erratum.id == *row) {
            desk.find(ERRATA, &pointer, "the modes differ and no erratum says so", "add the erratum");
        }
    }
}

fn two_modes(desk: &mut Desk<'_>, register: &Register, erratum: &Erratum, pointer: &str) {
    if register.rows.get(&erratum.id).is_none_or(|row| row.modes != "differ") {
        let message = format!("{} is no row in which the modes differ", erratum.id);
        desk.find(ERRATA, pointer, message, "correct one of the two");
    }
    if erratum.excluded.is_some() && !listed(erratum, "reference").is_empty() {
        let message = format!("{} lists vectors of reference mode and says that there can be none", erratum.id);
        desk.find(ERRATA, &format!("{pointer}/excluded"), message, "take `excluded` or the vectors away");
    }
    for (wanted, other) in MODES.into_iter().zip(MODES.into_iter().rev()) {
        let pointer = format!("{pointer}/vectors/{wanted}");
        if listed(erratum, wanted).is_empty() && erratum.excluded.is_none() {
            let message = format!("{} lists no vector in mode {wanted}", erratum.id);
            desk.find(ERRATA, &pointer, message, "list one, or say in `excluded` why there is none");
        }
        for (place, id) in listed(erratum, wanted).iter().enumerate() {
            if let Some(message) = listing(desk, id, wanted, &erratum.id, listed(erratum, other)) {
                let remedy = "list existing vectors of this mode, with their pairs under the other mode";
                desk.find(ERRATA, &format!("{pointer}/{place}"), message, remedy);
            }
        }
    }
}

fn one_mode(desk: &mut Desk<'_>, erratum: &Erratum, pointer: &str) {
    let ids = listed(erratum, "law");
    if ids.is_empty() && erratum.excluded.is_none() {
        let message = format!("{} lists no vector", erratum.id);
        desk.find(
            ERRATA,
            &format!("{pointer}/vectors/law"),
            message,
            "list one, or say in `excluded` why there is none",
        );
    }
    if !ids.is_empty() && erratum.excluded.is_some() {
        let message = format!("{} lists vectors and says that there can be none", erratum.id);
        desk.find(ERRATA, &format!("{pointer}/excluded"), message, "take `excluded` or the vectors away");
    }
    let corpus = desk.corpus;
    for (place, id) in ids.iter().enumerate() {
        let message = match corpus.cases.get(id) {
            None => format!("no vector {id}"),
            Some(_) if !within(id, &erratum.system) => format!("{id} is of another system"),
            Some(_) => continue,
        };
        let remedy = format!("list existing vectors of the system {}", erratum.system);
        desk.find(ERRATA, &format!("{pointer}/vectors/law/{place}"), message, &remedy);
    }
    // Rulings of one system may decide cases of another, as those on I-JSON do in `canon/jcs`: its own are listed.
    for case in corpus.cases.values() {
        let rests = matches!(&case.provenance, Provenance::Ruling(ruling) if erratum.is_called(ruling));
        if rests && within(&case.id, &erratum.system) && !ids.contains(&case.id) {
            let message = format!("rests on the ruling of {}, which does not list it", erratum.id);
            desk.find(&case.path(), "/provenance", message, "list it there, or correct the provenance");
        }
    }
}

/// Whether a case belongs to a system.
fn within(id: &str, system: &str) -> bool {
    id.split('/').next() == Some(system)
}

/// What an erratum lists for a mode.
fn listed<'a>(erratum: &'a Erratum, mode: &str) -> &'a [String] {
    erratum.vectors.get(mode).map(Vec::as_slice).unwrap_or_default()
}

/// Nothing outside the register tells the modes apart.
fn apart(desk: &mut Desk<'_>, register: &Register) {
    let inside: BTreeSet<&str> =
        register.errata.iter().flat_map(|erratum| erratum.vectors.values().flatten()).map(String::as_str).collect();
    let known = |case: &Case| {
        let row = |row: &String| register.rows.get(row).is_some_and(|row| row.modes == "differ");
        inside.contains(case.id.as_str()) || case.rows.iter().any(row)
    };
    let corpus = desk.corpus;
    // What a listed case is told apart from need not be listed itself.
    let neighbours: BTreeSet<&str> = inside.iter().filter_map(|id| corpus.cases.get(*id)?.twin.as_deref()).collect();
    for case in corpus.cases.values().filter(|case| mode(case) == Some("law")) {
        let id = case.id.as_str();
        if case.pair.is_none() && !inside.contains(id) && !neighbours.contains(id) {
            let message = "asks law mode alone, and no erratum lists it";
            let remedy = "list it under the erratum that its `rows` name, or write the case of reference mode";
            desk.find(&case.path(), "", message, remedy);
        }
        let Some(other) = case.pair.as_ref().and_then(|pair| corpus.cases.get(pair)) else {
            continue;
        };
        let classes = |case: &Case| case.answers().map(|expect| class(expect).to_owned()).collect::<BTreeSet<_>>();
        let (law, reference) = (classes(case), classes(other));
        if law.is_disjoint(&reference) && !known(case) && !known(other) {
            let message = format!("the modes part ({law:?} and {reference:?}) outside the errata register");
            desk.find(&case.path(), "/pair", message, "list the pair under its erratum, name its row, or correct it");
        }
    }
}

fn listing(desk: &Desk<'_>, id: &str, wanted: &str, row: &str, partners: &[String]) -> Option<String> {
    let Some(case) = desk.corpus.cases.get(id) else {
        return Some(format!("no vector {id}"));
    };
    if mode(case) != Some(wanted) {
        return Some(format!("{id} does not ask mode {wanted}"));
    }
    // Law mode answers everything; what reference mode leaves out has a case of law mode alone.
    let joined = match &case.pair {
        Some(pair) => partners.contains(pair),
        None => wanted == "law",
    };
    if !joined {
        return Some(format!("the pair of {id} is not listed under the other mode"));
    }
    if !case.rows.iter().any(|named| named == row) {
        return Some(format!("{id} does not name {row} in its rows"));
    }
    None
}
