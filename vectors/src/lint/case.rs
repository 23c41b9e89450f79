//! One case among its neighbours: id, flags, provenance, rulings, rows, twin and pair.
//!
//! Contract: `vectors/README.md`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Linter, accepted, class};
use crate::vector::{Case, Entry, Provenance, ruling::Ruling};

/// The longest id, in bytes.
pub const LONGEST_ID: usize = 120;

pub(super) fn check(linter: &mut Linter<'_>, id: &str, case: &Case) {
    let file = format!("vectors/{id}.json");
    name(linter, &file, id, case);
    flags(linter, &file, case);
    provenance(linter, &file, case);
    twin(linter, &file, id, case);
    pair(linter, &file, id, case);
    rulings(linter, &file, case);
    for (index, row) in case.rows.iter().enumerate() {
        if !is_row(linter, row) {
            let message = format!("no row {row} in the behaviour table");
            let remedy = "name a ruling of contracts/rulings/sovereign.json with `modes`";
            linter.find(&file, &format!("/rows/{index}"), message, remedy);
        }
    }
    if case.rows.iter().collect::<BTreeSet<_>>().len() < case.rows.len() {
        linter.find(&file, "/rows", "a row comes twice", "name each row once");
    }
    let empty = |text: &str| text.trim().is_empty();
    if empty(&case.rationale) {
        linter.find(&file, "/rationale", "no rationale", "say which wrong implementation the case catches");
    }
    if empty(&case.spec.document) || empty(&case.spec.section) {
        linter.find(&file, "/spec", "no place in a specification", "name document and section");
    }
}

fn name(linter: &mut Linter<'_>, file: &str, id: &str, case: &Case) {
    if case.id != id {
        let holder = linter.corpus.cases.contains_key(&case.id);
        let message = format!("the id is {:?}{}", case.id, if holder { ", which another file holds" } else { "" });
        linter.find(file, "/id", message, &format!("make it the file's path: {id:?}"));
    }
    if !is_lawful_id(id) {
        linter.find(file, "/id", "the path makes no id", ID_FORM);
    }
}

/// What an id has to be, in words.
pub const ID_FORM: &str = "system/law/case, each of a-z, 0-9 and single hyphens, at most 120 characters in all";

/// Whether an id has the form of one.
#[must_use]
pub fn is_lawful_id(id: &str) -> bool {
    id.split('/').count() == 3 && id.split('/').all(lawful) && id.len() <= LONGEST_ID
}

/// `[a-z0-9]+(-[a-z0-9]+)*`
fn lawful(segment: &str) -> bool {
    segment
        .split('-')
        .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
}

fn flags(linter: &mut Linter<'_>, file: &str, case: &Case) {
    for (index, flag) in case.flags.iter().enumerate() {
        let pointer = format!("/flags/{index}");
        if !linter.corpus.flags.contains_key(flag) {
            let message = format!("no flag {flag}");
            linter.find(file, &pointer, message, "use a flag of vectors/flags.json, or describe a new one there");
        }
        if case.flags.iter().take(index).any(|other| other == flag) {
            linter.find(file, &pointer, format!("{flag} comes twice"), "name each flag once");
        }
    }
}

fn provenance(linter: &mut Linter<'_>, file: &str, case: &Case) {
    let reference = case.mode() == Some("reference");
    match &case.provenance {
        Provenance::Comparator if !reference => {
            let remedy = "name the ruling, or another source that is not the verifier";
            linter.find(file, "/provenance", "the comparator answers in reference mode alone", remedy);
        }
        Provenance::Ruling(row) => {
            let family = |id: &str| id.split('-').next().unwrap_or_default().to_owned();
            if !is_row(linter, row) && rows(linter).any(|known| family(&known.id) == family(row)) {
                linter.find(
                    file,
                    "/provenance",
                    format!("no row {row} in the behaviour table"),
                    "name an existing ruling",
                );
            }
        }
        _ => {}
    }
}

/// The rows of the behaviour table.
fn rows<'a>(linter: &'a Linter<'_>) -> impl Iterator<Item = &'a Ruling> {
    linter.rulings.iter().map(|(_, ruling)| ruling).filter(|ruling| ruling.modes.is_some())
}

fn is_row(linter: &Linter<'_>, id: &str) -> bool {
    rows(linter).any(|row| row.id == id)
}

/// What else a case rests on is named once, and stands in its own system: rulings of another may decide a case, but do
/// not list it.
fn rulings(linter: &mut Linter<'_>, file: &str, case: &Case) {
    for (index, id) in case.rulings.iter().enumerate() {
        let found = linter.rulings.iter().find(|(_, ruling)| ruling.id == *id);
        let decides = matches!(&case.provenance, Provenance::Ruling(decides) if decides == id);
        let message = match found {
            None => format!("no ruling {id}"),
            Some((system, _)) if case.id.split('/').next() != Some(system) => format!("{id} is of another system"),
            Some((_, ruling)) if ruling.modes.is_some() => format!("{id} is a row of the behaviour table"),
            Some(_) if decides || case.spec.section == *id => format!("{id} is named by `provenance` or `spec`"),
            Some(_) if case.rulings.iter().take(index).any(|other| other == id) => format!("{id} comes twice"),
            Some(_) => continue,
        };
        let remedy = "name further rulings of the case's system here, each once, and rows in `rows`";
        linter.find(file, &format!("/rulings/{index}"), message, remedy);
    }
}

fn twin(linter: &mut Linter<'_>, file: &str, id: &str, case: &Case) {
    let Some(twin) = &case.twin else {
        if !accepted(case) {
            let message = format!("expects {} and names no twin", class(&case.expect));
            linter.find(file, "", message, "add `twin`: an accepted case that differs by the planted fault alone");
        }
        return;
    };
    let message = match linter.corpus.cases.get(twin) {
        _ if twin == id => "the twin is the case itself".to_owned(),
        None => format!("no vector {twin}"),
        Some(other) if !accepted(other) => {
            format!("{twin} expects {}, not acceptance", class(&other.expect))
        }
        Some(other) if other.op != case.op => format!("{twin} asks another question"),
        // A fault may lie in a setting alone, and then nothing else may differ.
        Some(other) if settings(linter, other) != settings(linter, case) && !same(case, other) => {
            format!("{twin} asks another question")
        }
        Some(other) if other.args == case.args && same(case, other) => format!("{twin} has the very same input"),
        Some(_) => return,
    };
    linter.find(
        file,
        "/twin",
        message,
        "name an accepted case of the same operation that differs by the planted fault alone",
    );
}

fn pair(linter: &mut Linter<'_>, file: &str, id: &str, case: &Case) {
    let Some(pair) = &case.pair else { return };
    let Some(other) = linter.corpus.cases.get(pair) else {
        return linter.find(file, "/pair", format!("no vector {pair}"), "name the same input in the other mode");
    };
    let modes = [case.mode(), other.mode()];
    let message = if other.pair.as_deref() != Some(id) {
        format!("{pair} does not name this case in return")
    } else if !modes.contains(&Some("law")) || !modes.contains(&Some("reference")) {
        format!("{pair} is not the other mode of sovereign.compare")
    } else if !same(case, other) {
        format!("{pair} has other input")
    } else {
        return;
    };
    linter.find(file, "/pair", message, "give the same documents and files to both modes, and let each name the other");
}

/// The arguments of a case that say how it is asked; what is neither a text nor out of a closed list is a document, and may
/// be at fault like one.
fn settings<'c>(linter: &Linter<'_>, case: &'c Case) -> BTreeMap<&'c str, &'c Value> {
    let operation = linter.table.find(&case.op);
    let document = |name: &str| {
        let mut known = operation.iter().flat_map(|operation| &operation.args);
        known.any(|argument| argument.name == name && argument.kind == "any" && argument.values.is_none())
    };
    case.args.iter().map(|(name, value)| (name.as_str(), value)).filter(|(name, _)| !document(name)).collect()
}

/// Whether two cases hand over the same bytes.
fn same(one: &Case, other: &Case) -> bool {
    let documents = |case: &Case| -> BTreeMap<String, Vec<u8>> {
        case.inputs.iter().map(|(name, document)| (name.clone(), document.bytes())).collect()
    };
    let files = |case: &Case| -> BTreeMap<String, (u8, Vec<u8>)> {
        let image = |entry: &Entry| match entry {
            Entry::File(document) => (0, document.bytes()),
            Entry::Directory => (1, Vec::new()),
            Entry::Symlink { to } => (2, to.clone().into_bytes()),
            Entry::Unreadable { text } => (3, text.clone().into_bytes()),
        };
        case.files.iter().map(|(path, entry)| (path.clone(), image(entry))).collect()
    };
    documents(one) == documents(other) && files(one) == files(other)
}
