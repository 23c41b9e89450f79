//! Law mode: the comparison that the text of the specification asks for. It always reports.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, with the rulings for law mode and ruling OP.
//!
//! Input that is unreadable, unlawful or over a limit makes the status ERROR and gives a row for each breach, beside the
//! rows of what could still be compared. EQUIVALENT means that every parity input of both bundles is lawful and has equal
//! canonical bytes; it does not mean that the declared digests are the right ones.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Inputs;
use super::bundle as bundles;
use super::fast::{self, Judge, Known};
use super::laws::issue_multiplicity::{self, Pairing};
use super::laws::{
    canonical_parity, contract_stage_order, issue_detail_parity, path_selection, registry_lock, report_identity,
    report_ordering, surface_list,
};
use super::model::breach::{self, Breach, Side};
use super::model::bundle::{self, Bundle, Entry};
use super::model::registry::Registry;
use super::model::report::{Cell, Report, Row, Status, Surface};
use super::model::stage_order::StageOrder;
use super::model::turn::Turn;
use super::turn::{Context, load_chosen};
use crate::files::Files;
use crate::finding::Finding;
use crate::json::{Document, JsonPointer};
use crate::threads::Threads;

/// Compares two bundles under the law. Each side's turn files come from its own reader.
pub fn compare(inputs: &Inputs<'_>, files_a: &dyn Files, files_b: &dyn Files, threads: Threads) -> Report {
    by_walks(inputs, files_a, files_b, threads, false).0
}

/// [`compare()`], and how many turns were surely lawful, so that the exact walk was not taken; with `exact_alone` none is
/// looked at in another way. For tests that hold the two walks against each other.
#[doc(hidden)]
pub fn compare_counting(
    inputs: &Inputs<'_>,
    files_a: &dyn Files,
    files_b: &dyn Files,
    exact_alone: bool,
) -> (Report, usize) {
    by_walks(inputs, files_a, files_b, Threads::Caller, exact_alone)
}

fn by_walks(
    inputs: &Inputs<'_>,
    files_a: &dyn Files,
    files_b: &dyn Files,
    threads: Threads,
    exact_alone: bool,
) -> (Report, usize) {
    let stages = StageOrder::load(inputs.stage_order);
    let registry = registry_lock::local(inputs.registry);
    let (stages, registry) = match (stages, registry) {
        (Ok(stages), Ok(registry)) => (stages, registry),
        (stages, registry) => {
            let stages = stages.err().map(|why| (Side::StageOrder, contract_stage_order::unusable(&why)));
            let registry = registry.err().map(|why| (Side::Registry, registry_lock::unusable(&why)));
            let unusable = stages.into_iter().chain(registry).map(|(side, finding)| unnamed(side, finding));
            let run_id = bundles::read(inputs.bundle_a, Side::A).map(|a| bundle::run_id(a.root())).unwrap_or_default();
            return (finish(&run_id, unusable.collect(), Vec::new(), None), 0);
        }
    };
    let (read_a, read_b) = (bundles::read(inputs.bundle_a, Side::A), bundles::read(inputs.bundle_b, Side::B));
    let (document_a, document_b) = match (read_a, read_b) {
        (Ok(a), Ok(b)) => (a, b),
        (a, b) => {
            let run_id = a.as_ref().map(|a| bundle::run_id(a.root())).unwrap_or_default();
            let breaches = [a.err(), b.err()].into_iter().flatten().collect();
            return (finish(&run_id, breaches, Vec::new(), Some(&stages)), 0);
        }
    };
    let (root_a, root_b) = (document_a.root(), document_b.root());
    let run_id = bundle::run_id(root_a);
    let mut absent: Vec<_> = bundles::absent_members(root_a, Side::A).collect();
    absent.extend(bundles::absent_members(root_b, Side::B));
    if !absent.is_empty() {
        return (finish(&run_id, absent, Vec::new(), Some(&stages)), 0);
    }
    if let Some(row) = registry_lock::refused([root_a, root_b], &registry) {
        return (finish(&run_id, Vec::new(), vec![row], Some(&stages)), 0);
    }
    let (a, b) = (Bundle::take(root_a, Side::A, exact_alone), Bundle::take(root_b, Side::B, exact_alone));
    let judge = Judge::new(&stages, &registry).filter(|_| !exact_alone);
    let comparison = Comparison { stages: &stages, registry: &registry, files_a, files_b, judge };
    let mut rows = surface_list::compare_digests(&a, &b);
    let mut breaches = a.breaches.clone();
    breaches.extend(b.breaches.iter().cloned());
    let mut settled = 0;
    for found in comparison.compare_turns(&a, &b, threads) {
        settled += usize::from(found.settled);
        rows.extend(found.rows);
        breaches.extend(found.breaches);
    }
    (finish(&run_id, breaches, rows, Some(&stages)), settled)
}

/// Puts breaches and mismatches in order. Without a stage order there is at most one row a side, so none is needed.
fn finish(run_id: &str, breaches: Vec<Breach>, mut rows: Vec<Row>, stages: Option<&StageOrder>) -> Report {
    let status = match (breaches.is_empty(), rows.is_empty()) {
        (false, _) => Status::Error,
        (true, false) => Status::Divergent,
        (true, true) => Status::Equivalent,
    };
    rows.extend(breach::rows(breaches));
    if let Some(stages) = stages {
        report_ordering::sort(&mut rows, stages);
    }
    let run_id = Cell::Text(run_id.into());
    // Every cell of a law-mode row is text, an integer or a digest, and so has a canonical form.
    report_identity::identified(&run_id, status, rows).unwrap_or_else(|_| report_identity::unrepresentable())
}

/// A finding outside the turns and surfaces that a report can name.
fn unnamed(side: Side, finding: Finding) -> Breach {
    Breach { turn_id: String::new(), surface: Surface::Schema, side, finding }
}

/// What one turn gave.
#[derive(Default)]
struct Found {
    rows: Vec<Row>,
    breaches: Vec<Breach>,
    /// Without the exact walk.
    settled: bool,
}

struct Comparison<'c> {
    stages: &'c StageOrder,
    registry: &'c Registry,
    files_a: &'c dyn Files,
    files_b: &'c dyn Files,
    /// Tells which turns are surely lawful.
    judge: Option<Judge<'c>>,
}

/// Memory that is reused from turn to turn.
#[derive(Default)]
struct Scratch {
    text_a: Vec<u8>,
    text_b: Vec<u8>,
    memory: fast::Memory,
}

/// A turn of either bundle.
struct Joined<'j, 'd> {
    id: &'j Cow<'d, [u8]>,
    a: Option<&'j Entry<'d>>,
    b: Option<&'j Entry<'d>>,
}

impl Comparison<'_> {
    fn compare_turns(&self, a: &Bundle<'_>, b: &Bundle<'_>, threads: Threads) -> Vec<Found> {
        if !(a.lists_turns && b.lists_turns) {
            // There is no list that a turn of the other side could be missing from.
            return Vec::new();
        }
        let ids: BTreeSet<&Cow<'_, [u8]>> = a.entries.keys().chain(b.entries.keys()).collect();
        let joined: Vec<_> =
            ids.into_iter().map(|id| Joined { id, a: a.entries.get(id), b: b.entries.get(id) }).collect();
        threads.map(&joined, 1, Scratch::default, |scratch, turn| self.compare_turn(turn, scratch))
    }

    fn compare_turn(&self, turn: &Joined<'_, '_>, scratch: &mut Scratch) -> Found {
        let id = std::str::from_utf8(turn.id).ok();
        let mut found = self.compare_entries(turn, id.unwrap_or_default(), scratch);
        if id.is_none() && !(found.rows.is_empty() && found.breaches.is_empty()) {
            // No report can name this turn, so the id itself is what is wrong (STR-08).
            let entries = [(turn.a, Side::A), (turn.b, Side::B)];
            found = Found::default();
            found.breaches.extend(entries.into_iter().filter_map(|(entry, side)| Some((entry?, side))).map(
                |(entry, side)| {
                    let pointer = JsonPointer::from_text("/turn_results").index(entry.index).member("turn_id");
                    unnamed(side, canonical_parity::unnameable(pointer))
                },
            ));
        }
        found
    }

    fn compare_entries(&self, turn: &Joined<'_, '_>, id: &str, scratch: &mut Scratch) -> Found {
        let mut found = Found::default();
        // Cells and places are for findings: most turns have none.
        let cell = || Cell::Text(id.into());
        let place = || JsonPointer::from_text("/turn_results").member(id);
        let (Some(a), Some(b)) = (turn.a, turn.b) else {
            found.rows.push(surface_list::lone_turn(cell()));
            return found;
        };
        found.rows.extend(surface_list::compare_turn_digests(cell, place, a, b));
        // An entry without a lawful list of paths is a breach of its own.
        let (Some(paths_a), Some(paths_b)) = (a.paths, b.paths) else { return found };
        let place = || place().member("paths");
        let Scratch { text_a, text_b, memory } = scratch;
        let read_a = path_selection::read(paths_a, self.files_a, text_a, place);
        let read_b = path_selection::read(paths_b, self.files_b, text_b, place);
        if let (Some(judge), Ok(_), Ok(_)) = (&self.judge, &read_a, &read_b)
            && let Some(known) = judge.compare((text_a, text_b), memory)
        {
            found.settled = true;
            if let Known::Turns(turns) = known {
                let [a, b] = *turns;
                compare_surfaces(&cell(), &a, &b, &mut found.rows);
            }
            return found;
        }
        let place = place();
        let breach = |side| move |finding| surface_list::breach_in_turn(id, side, finding);
        let document_a = read_a.and_then(|path| load_chosen(&path, text_a, &place)).map_err(breach(Side::A));
        let document_b = read_b.and_then(|path| load_chosen(&path, text_b, &place)).map_err(breach(Side::B));
        match (document_a, document_b) {
            (Ok(document_a), Ok(document_b)) => self.compare_files(id, &document_a, &document_b, &mut found),
            (a, b) => found.breaches.extend([a.err(), b.err()].into_iter().flatten()),
        }
        found
    }

    fn compare_files(&self, id: &str, document_a: &Document<'_>, document_b: &Document<'_>, found: &mut Found) {
        let records = self.judge.as_ref().map(Judge::records);
        let context = |side| Context { turn_id: id, side, stages: self.stages, registry: self.registry, records };
        let a = Turn::take(document_a, &context(Side::A));
        let b = Turn::take(document_b, &context(Side::B));
        compare_surfaces(&Cell::Text(id.into()), &a, &b, &mut found.rows);
        found.breaches.extend(a.breaches);
        found.breaches.extend(b.breaches);
    }
}

pub(super) fn compare_surfaces(cell: &Cell, a: &Turn<'_>, b: &Turn<'_>, rows: &mut Vec<Row>) {
    surface_list::compare_transitions(cell, a, b, rows);
    canonical_parity::compare_decisions(cell, a, b, rows);
    if a.usable.issues && b.usable.issues {
        compare_issues(cell, a, b, rows);
    }
}

fn compare_issues(cell: &Cell, a: &Turn<'_>, b: &Turn<'_>, rows: &mut Vec<Row>) {
    let mut issues_a: Vec<_> = a.issues.iter().map(|spans| issue_detail_parity::issue(spans, &a.canonical)).collect();
    let mut issues_b: Vec<_> = b.issues.iter().map(|spans| issue_detail_parity::issue(spans, &b.canonical)).collect();
    issue_multiplicity::compare(cell, &mut issues_a, &mut issues_b, Pairing::Leftovers, rows);
}
