//! What two runs hold where a row says that they differ.
//!
//! A report has digests alone. For the rows that are shown, the turn files are read once more, and what has the digest of a
//! row is compared with what has the other one. A file that has changed in between holds nothing with these digests, and
//! nothing is said about it.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    path::Path,
};

use assize_verifier::{
    digest::Digest,
    files::Files,
    json::{Dialect, Document, NodeRef},
    sovereign::{
        self,
        report::{Cell, Row, Surface},
    },
};

use super::{
    super::{difference, output},
    held::{Held, Holdings},
};

/// One run: its bundle, what that is called, and the files of its turns.
pub(super) struct Side<'s> {
    pub(super) name: &'s Path,
    pub(super) bundle: &'s [u8],
    pub(super) files: &'s dyn Files,
}

/// What is said below a row; empty where there is nothing to say.
pub(super) type Notes = Vec<String>;

/// What is said of a row that another one has explained.
pub(super) const SAME: &str = "the same difference, from the other side";

/// Notes on these rows, in their order.
pub(super) fn notes(a: &Side<'_>, b: &Side<'_>, rows: &[Row]) -> Notes {
    let mut notes = vec![String::new(); rows.len()];
    let mut turns: BTreeMap<String, Vec<(usize, &Row)>> = BTreeMap::new();
    // What a breach says of itself is in its diagnostic; digests that differ stand in the row.
    let told =
        |row: &&Row| row.diagnostic.is_some() || matches!(row.surface, Surface::BundleDigest | Surface::Transition);
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| !told(row)) {
        turns.entry(cell(&row.turn_id)).or_default().push((index, row));
    }
    // Bundles are long, and of equivalent ones nothing is to be said.
    if turns.is_empty() {
        return notes;
    }
    let (Ok(document_a), Ok(document_b)) =
        (Document::parse(a.bundle, &Dialect::PYTHON), Document::parse(b.bundle, &Dialect::PYTHON))
    else {
        return notes;
    };
    let (entries_a, entries_b) = (entries(&document_a), entries(&document_b));
    for (turn, rows) in turns {
        let (entry_a, entry_b) = (entries_a.get(turn.as_bytes()), entries_b.get(turn.as_bytes()));
        match (entry_a, entry_b) {
            (Some(entry_a), Some(entry_b)) => of_turn((a, *entry_a), (b, *entry_b), &rows, &mut notes),
            (None, None) => {}
            (found, _) => {
                let (with, without) = if found.is_some() { (a, b) } else { (b, a) };
                let text = format!("listed in {}, not in {}", with.name.display(), without.name.display());
                rows.iter().for_each(|(index, _)| note(&mut notes, *index, &text));
            }
        }
    }
    notes
}

/// The entries of a bundle by their ids, of equal ids the last.
fn entries<'d>(bundle: &'d Document<'d>) -> HashMap<Cow<'d, [u8]>, NodeRef<'d>> {
    let listed = bundle.root().get("turn_results").into_iter().flat_map(|turns| turns.elements());
    listed.filter_map(|entry| Some((entry.get("turn_id")?.as_string()?.into_bytes(), entry))).collect()
}

fn of_turn(a: (&Side<'_>, NodeRef<'_>), b: (&Side<'_>, NodeRef<'_>), rows: &[(usize, &Row)], notes: &mut Notes) {
    let (a, b) = match (holdings(a.0, a.1), holdings(b.0, b.1)) {
        (Ok(a), Ok(b)) => (a, b),
        (a, b) => {
            let text: Vec<_> = [a.err(), b.err()].into_iter().flatten().collect();
            for (index, _) in rows.iter().filter(|(_, row)| row.surface == Surface::Schema) {
                note(notes, *index, &text.join("; "));
            }
            return;
        }
    };
    let mut lone = Lone::default();
    for (index, row) in rows {
        match row.surface {
            Surface::DecisionRecord if cell(&row.expected) == "null" && cell(&row.actual) == "null" => {
                if let (Some(a), Some(b)) = (a.records, b.records) {
                    note(notes, *index, &format!("expected {}, got {}", records(a), records(b)));
                }
            }
            Surface::DecisionRecord | Surface::Issue => match (found(&a, &row.expected), found(&b, &row.actual)) {
                (Found::Held(a), Found::Held(b)) => note(notes, *index, &parted(a, b)),
                (Found::Held(a), Found::Nothing) => lone.only_a.push((*index, cell(&row.path), a)),
                (Found::Nothing, Found::Held(b)) => lone.only_b.push((*index, cell(&row.path), b)),
                _ => {}
            },
            Surface::BundleDigest | Surface::Schema | Surface::Transition => {}
        }
    }
    lone.pair(notes);
}

/// What a run holds of a turn.
fn holdings(side: &Side<'_>, entry: NodeRef<'_>) -> Result<Holdings, String> {
    let named = |why: &dyn std::fmt::Display| format!("{}: {why}", side.name.display());
    let path = sovereign::select_path(entry.raw(), side.files).map_err(|why| named(&why))?;
    let mut text = Vec::new();
    side.files.read(path.as_bytes(), &mut text).map_err(|why| named(&format!("{path}: {}", why.reason)))?;
    let turn = Document::parse(&text, &Dialect::PYTHON).map_err(|why| named(&format!("{path}: {why}")))?;
    Ok(Holdings::of(&turn))
}

/// What the digest of a row leads to.
enum Found<'h> {
    Held(&'h Held),
    /// The row says that there is nothing.
    Nothing,
    /// The file holds nothing with this digest, or not any more.
    Unknown,
}

fn found<'h>(holdings: &'h Holdings, digest: &Cell) -> Found<'h> {
    // What stands for a side without an issue of this kind: Sovereign Capability & Replay Spec v1.2.1, C, compare_issues.
    const MISSING: &[u8] = br#"[{"_missing":true}]"#;
    let digest = cell(digest);
    match holdings.find(&digest) {
        Some(held) => Found::Held(held),
        None if digest == "null" || digest == Digest::of(MISSING).to_hex() => Found::Nothing,
        None => Found::Unknown,
    }
}

/// What only one side holds: a changed issue shows as one of each, since all that pairs issues has to be equal.
#[derive(Default)]
struct Lone<'h> {
    only_a: Vec<(usize, String, &'h Held)>,
    only_b: Vec<(usize, String, &'h Held)>,
}

impl Lone<'_> {
    /// Of so many that are left at a place the one is taken that differs least.
    const CANDIDATES: usize = 16;

    fn pair(mut self, notes: &mut Notes) {
        for (index, path, a) in self.only_a {
            let candidates = self.only_b.iter().enumerate().filter(|(_, (_, other, _))| *other == path);
            let apart = |held: &Held| {
                difference::between(&a.canonical, &held.canonical, &Dialect::PYTHON).map(|found| found.places.len())
            };
            let nearest = candidates
                .take(Self::CANDIDATES)
                .min_by_key(|(_, (_, _, held))| apart(held).unwrap_or(usize::MAX))
                .map(|(place, _)| place);
            match nearest.map(|place| self.only_b.remove(place)) {
                Some((other, _, b)) => {
                    note(notes, index, &parted(a, b));
                    note(notes, other, SAME);
                }
                None => note(notes, index, &format!("expected {}, got none to compare with it", shown(a))),
            }
        }
        for (index, _, b) in self.only_b {
            note(notes, index, &format!("expected none to compare with it, got {}", shown(b)));
        }
    }
}

/// The place where two records or issues first part, with what stands there.
fn parted(a: &Held, b: &Held) -> String {
    if a.count != b.count {
        let alike = output::middle(&String::from_utf8_lossy(&a.canonical)).into_owned();
        return format!("expected {}, got {}: {alike}", output::counted(a.count, "such issue", "such issues"), b.count);
    }
    let Some(found) = difference::between(&a.canonical, &b.canonical, &Dialect::PYTHON) else { return String::new() };
    let Some(first) = found.places.first() else { return String::new() };
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
    let place = |held: &Held| output::middle(&format!("{}{}", held.place.as_str(), first.pointer)).into_owned();
    let (expected, got) = (value(&first.expected), value(&first.observed));
    let others = match (found.places.len().saturating_sub(1), found.more) {
        (0, _) => String::new(),
        (rest, more) => {
            let rest = output::counted(rest, "other place", "other places");
            format!(" (and {}{rest})", if more { "at least " } else { "" })
        }
    };
    if a.place == b.place {
        format!("{}: expected {expected}, got {got}{others}", place(a))
    } else {
        format!("expected {expected} at {}, got {got} at {}{others}", place(a), place(b))
    }
}

/// A record or issue that stands alone.
fn shown(held: &Held) -> String {
    let text = output::middle(&String::from_utf8_lossy(&held.canonical)).into_owned();
    format!("{text} at {}", held.place.as_str())
}

fn records(count: usize) -> String {
    output::counted(count, "record", "records")
}

fn note(notes: &mut Notes, index: usize, text: &str) {
    if let Some(note) = notes.get_mut(index) {
        *note = output::clean(text).into_owned();
    }
}

/// The text of a cell, as the report has it but for quotes.
pub(super) fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Null => "null".to_owned(),
        Cell::Text(text) => text.to_string(),
        Cell::Name(text) => (*text).to_owned(),
        Cell::Number(number) => number.to_string(),
        Cell::Integer(token) => token.to_string(),
        Cell::Digest(digest) => digest.to_hex(),
        Cell::Foreign(foreign) => String::from_utf8_lossy(&foreign.source).into_owned(),
    }
}
