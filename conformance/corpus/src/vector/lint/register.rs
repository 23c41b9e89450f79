//! The behaviour table and the errata register against the vectors.
//!
//! Design: section 3. Every row is shown by vectors of both modes; every erratum by a pair, or by vectors of law mode
//! alone where reference mode leaves the input out; and nothing outside the register tells the modes apart.

use std::collections::BTreeSet;

use super::{Desk, ERRATA, class, mode};
use crate::vector::Case;

const MODES: [&str; 2] = ["law", "reference"];

pub(super) fn check(desk: &mut Desk<'_>) {
    let register = desk.register.clone();
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
        if entry.modes == "differ" && !register.errata.iter().any(|erratum| erratum.id == *row) {
            desk.find(ERRATA, &pointer, "the modes differ and no erratum says so", "add the erratum");
        }
    }
    for (index, erratum) in register.errata.iter().enumerate() {
        let pointer = format!("/errata/{index}");
        if register.rows.get(&erratum.id).is_none_or(|row| row.modes != "differ") {
            desk.find(
                ERRATA,
                &pointer,
                format!("{} is no row in which the modes differ", erratum.id),
                "correct one of the two",
            );
        }
        if register.errata.iter().take(index).any(|other| other.id == erratum.id) {
            desk.find(ERRATA, &pointer, format!("{} comes twice", erratum.id), "keep one");
        }
        let reference = erratum.vectors.get("reference").is_some_and(|ids| !ids.is_empty());
        if erratum.excluded.is_some() && reference {
            let message = format!("{} lists vectors of reference mode and says that there can be none", erratum.id);
            desk.find(ERRATA, &format!("{pointer}/excluded"), message, "take `excluded` or the vectors away");
        }
        for (wanted, other) in MODES.into_iter().zip(MODES.into_iter().rev()) {
            let listed = |mode: &str| erratum.vectors.get(mode).map(Vec::as_slice).unwrap_or_default();
            let pointer = format!("{pointer}/vectors/{wanted}");
            if listed(wanted).is_empty() && erratum.excluded.is_none() {
                let message = format!("{} lists no vector in mode {wanted}", erratum.id);
                desk.find(ERRATA, &pointer, message, "list one, or say in `excluded` why there is none");
            }
            for (place, id) in listed(wanted).iter().enumerate() {
                if let Some(message) = listing(desk, id, wanted, &erratum.id, listed(other)) {
                    let remedy = "list existing vectors of this mode, with their pairs under the other mode";
                    desk.find(ERRATA, &format!("{pointer}/{place}"), message, remedy);
                }
            }
        }
    }
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
