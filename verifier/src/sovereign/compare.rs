//! Law mode: the comparison that the text of the specification asks for. It always reports.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, with the rulings for law mode and ruling OP.
//!
//! Input that is unreadable, unlawful or over a limit makes the status ERROR and gives a row for each breach, beside the
//! rows of what could still be compared. EQUIVALENT means that every parity input of both bundles is lawful and has equal
//! canonical bytes; it does not mean that the declared digests are the right ones.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::breach::{self, Breach, Side};
use super::bundle::{self, Bundle, Entry};
use super::issue_multiplicity::{self, Pairing};
use super::registry_lock::Registry;
use super::report::{Cell, Report, Row, Status, Surface, reason};
use super::report_ordering::{self, StageOrder};
use super::turn::{Context, Turn};
use super::{Inputs, Rejection, canonical_parity, issue_detail_parity, path_selection, safe_boundary, surface_list};
use crate::canon::TroubleKind;
use crate::files::Files;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;
use crate::threads::Threads;

/// Compares two bundles under the law. Each side's turn files come from its own reader.
pub fn compare(inputs: &Inputs<'_>, files_a: &dyn Files, files_b: &dyn Files, threads: Threads) -> Report {
    let stages = StageOrder::load(inputs.stage_order);
    let registry = Registry::load(inputs.registry);
    let (stages, registry) = match (stages, registry) {
        (Ok(stages), Ok(registry)) => (stages, registry),
        (stages, registry) => {
            let unusable = stages.err().map(|why| (why, Side::StageOrder, Law::ContractStageOrder));
            let unusable =
                unusable.into_iter().chain(registry.err().map(|why| (why, Side::Registry, Law::RegistryLock)));
            return finish(
                "",
                unusable.map(|(why, side, law)| unusable_input(&why, side, law)).collect(),
                Vec::new(),
                None,
            );
        }
    };
    let (read_a, read_b) = (bundle::read(inputs.bundle_a, Side::A), bundle::read(inputs.bundle_b, Side::B));
    let (document_a, document_b) = match (read_a, read_b) {
        (Ok(a), Ok(b)) => (a, b),
        (a, b) => {
            let run_id = a.as_ref().map(|a| bundle::run_id(a.root())).unwrap_or_default();
            let breaches = [a.err(), b.err()].into_iter().flatten().collect();
            return finish(&run_id, breaches, Vec::new(), Some(&stages));
        }
    };
    let (root_a, root_b) = (document_a.root(), document_b.root());
    let run_id = bundle::run_id(root_a);
    let mut absent = bundle::absent_members(root_a, Side::A);
    absent.extend(bundle::absent_members(root_b, Side::B));
    if !absent.is_empty() {
        return finish(&run_id, absent, Vec::new(), Some(&stages));
    }
    if let Some(row) = locked([root_a, root_b], &registry) {
        return finish(&run_id, Vec::new(), vec![row], Some(&stages));
    }
    let (a, b) = (Bundle::take(root_a, Side::A), Bundle::take(root_b, Side::B));
    let comparison = Comparison { stages: &stages, registry: &registry, files_a, files_b };
    let mut rows = compare_digests(&a, &b);
    let mut breaches = a.breaches.clone();
    breaches.extend(b.breaches.iter().cloned());
    for found in comparison.compare_turns(&a, &b, threads) {
        rows.extend(found.rows);
        breaches.extend(found.breaches);
    }
    finish(&run_id, breaches, rows, Some(&stages))
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
    Report::build(&run_id, status, rows).unwrap_or_else(|_| Report::unrepresentable())
}

/// A local file that law mode depends on and cannot use.
fn unusable_input(why: &Rejection, side: Side, law: Law) -> Breach {
    Breach {
        turn_id: String::new(),
        surface: Surface::Schema,
        path: why.pointer(),
        reason: match why {
            Rejection::Json(error) if error.kind.is_limit() => None,
            Rejection::Json(_) => Some(reason::INPUT_MISSING),
            Rejection::Uncanonical => Some(reason::CANONICALIZATION),
            _ => None,
        },
        law,
        side,
        message: why.to_string(),
    }
}

/// The row that stops the comparison: a bundle recorded under another registry, A looked at first.
fn locked(bundles: [NodeRef<'_>; 2], registry: &Registry) -> Option<Row> {
    let local = registry.digest.to_hex();
    let other = bundles.into_iter().filter_map(bundle::declared_registry).find(|digest| *digest != local)?;
    let (expected, actual) = (Cell::Text(local.into()), Cell::Text(other.into()));
    Some(row(Cell::Name(""), Surface::BundleDigest, "/registry_digest".into(), expected, actual, reason::REGISTRY))
}

fn compare_digests(a: &Bundle<'_>, b: &Bundle<'_>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, digest_a) in &a.digests {
        if let Some(digest_b) = b.digests.get(name)
            && digest_a != digest_b
        {
            let path = JsonPointer::from_text("/digests").member(name).as_str().to_owned();
            let (expected, actual) = (Cell::Text(digest_a.as_str().into()), Cell::Text(digest_b.as_str().into()));
            rows.push(row(Cell::Name(""), Surface::BundleDigest, path, expected, actual, reason::VERSION));
        }
    }
    rows
}

fn row(turn_id: Cell, surface: Surface, path: String, expected: Cell, actual: Cell, reason: &'static str) -> Row {
    Row {
        turn_id,
        stage_name: Cell::Name("replay"),
        ordinal: Cell::Number(0),
        surface,
        path: Cell::Text(path.into()),
        expected,
        actual,
        reason: Some(reason),
        diagnostic: None,
    }
}

/// What one turn gave.
#[derive(Default)]
struct Found {
    rows: Vec<Row>,
    breaches: Vec<Breach>,
}

struct Comparison<'c> {
    stages: &'c StageOrder,
    registry: &'c Registry,
    files_a: &'c dyn Files,
    files_b: &'c dyn Files,
}

/// A turn of either bundle.
struct Joined<'j, 'd> {
    id: &'j Cow<'d, [u8]>,
    a: Option<&'j Entry<'d>>,
    b: Option<&'j Entry<'d>>,
}

impl Comparison<'_> {
    fn compare_turns(&self, a: &Bundle<'_>, b: &Bundle<'_>, threads: Threads) -> Vec<Found> {
        let ids: BTreeSet<&Cow<'_, [u8]>> = a.entries.keys().chain(b.entries.keys()).collect();
        let joined: Vec<_> =
            ids.into_iter().map(|id| Joined { id, a: a.entries.get(id), b: b.entries.get(id) }).collect();
        threads.map(&joined, 1, || (), |(), turn| self.compare_turn(turn))
    }

    fn compare_turn(&self, turn: &Joined<'_, '_>) -> Found {
        let id = std::str::from_utf8(turn.id).ok();
        let mut found = self.compare_entries(turn, id.unwrap_or_default());
        if id.is_none() && !(found.rows.is_empty() && found.breaches.is_empty()) {
            // No report can name this turn, so the id itself is what is wrong (STR-08).
            let entries = [(turn.a, Side::A), (turn.b, Side::B)];
            found.rows.clear();
            found.breaches.extend(entries.into_iter().filter_map(|(entry, side)| Some((entry?, side))).map(
                |(entry, side)| {
                    let pointer = JsonPointer::from_text("/turn_results").index(entry.index).member("turn_id");
                    let banned = super::float_ban::Banned { kind: TroubleKind::LoneSurrogate, pointer };
                    Breach::banned(banned, "", Surface::Schema, side)
                },
            ));
        }
        found
    }

    fn compare_entries(&self, turn: &Joined<'_, '_>, id: &str) -> Found {
        let mut found = Found::default();
        let cell = Cell::Text(id.into());
        let place = JsonPointer::from_text("/turn_results").member(id);
        let (Some(a), Some(b)) = (turn.a, turn.b) else {
            let path = "/turn_results".to_owned();
            found.rows.push(row(cell, Surface::Schema, path, Cell::Null, Cell::Null, reason::EQUIVALENCE));
            return found;
        };
        if let (Some(digest_a), Some(digest_b)) = (&a.digest, &b.digest)
            && digest_a != digest_b
        {
            let path = place.member("turn_result_digest").as_str().to_owned();
            let (expected, actual) = (Cell::Text(digest_a.as_str().into()), Cell::Text(digest_b.as_str().into()));
            found.rows.push(row(cell.clone(), Surface::BundleDigest, path, expected, actual, reason::EQUIVALENCE));
        }
        // An entry without a lawful list of paths is a breach of its own.
        let (Some(paths_a), Some(paths_b)) = (a.paths, b.paths) else { return found };
        let (mut text_a, mut text_b) = (Vec::new(), Vec::new());
        let read_a = path_selection::first_readable(paths_a, self.files_a, &mut text_a).is_some();
        let read_b = path_selection::first_readable(paths_b, self.files_b, &mut text_b).is_some();
        let missing = |side: Side, message: String| Breach {
            turn_id: id.to_owned(),
            surface: Surface::Schema,
            path: place.member("paths"),
            reason: Some(reason::INPUT_MISSING),
            law: Law::PathSelection,
            side,
            message,
        };
        let load = |text, read: bool, side| {
            if !read {
                return Err(missing(side, "none of the paths can be read below the root".to_owned()));
            }
            load(text, id, side).map_err(|failure| match failure {
                Failure::Limit(breach) => breach,
                Failure::NotJson(message) => missing(side, message),
            })
        };
        match (load(&text_a, read_a, Side::A), load(&text_b, read_b, Side::B)) {
            (Ok(document_a), Ok(document_b)) => self.compare_files(id, &document_a, &document_b, &mut found),
            (a, b) => found.breaches.extend([a.err(), b.err()].into_iter().flatten()),
        }
        found
    }

    fn compare_files(&self, id: &str, document_a: &Document<'_>, document_b: &Document<'_>, found: &mut Found) {
        let context = |side| Context { turn_id: id, side, stages: self.stages, registry: self.registry };
        let a = Turn::take(document_a, &context(Side::A));
        let b = Turn::take(document_b, &context(Side::B));
        let cell = Cell::Text(id.into());
        surface_list::compare_transitions(&cell, &a, &b, &mut found.rows);
        canonical_parity::compare_decisions(&cell, &a, &b, &mut found.rows);
        if a.usable.issues && b.usable.issues {
            compare_issues(&cell, &a, &b, &mut found.rows);
        }
        found.breaches.extend(a.breaches);
        found.breaches.extend(b.breaches);
    }
}

fn compare_issues(cell: &Cell, a: &Turn<'_>, b: &Turn<'_>, rows: &mut Vec<Row>) {
    let mut issues_a: Vec<_> = a.issues.iter().map(|spans| issue_detail_parity::issue(spans, &a.canonical)).collect();
    let mut issues_b: Vec<_> = b.issues.iter().map(|spans| issue_detail_parity::issue(spans, &b.canonical)).collect();
    issue_multiplicity::compare(cell, &mut issues_a, &mut issues_b, Pairing::Leftovers, rows);
}

/// Why a turn file cannot be judged.
enum Failure {
    /// A limit, at its place.
    Limit(Breach),
    /// The text is no JSON.
    NotJson(String),
}

/// Reads a turn file. Constants are tokens on canonical surfaces; anywhere else they make the file no JSON.
fn load<'t>(text: &'t [u8], id: &str, side: Side) -> Result<Document<'t>, Failure> {
    let document = Document::parse(text, &Dialect::LAW).map_err(|error| {
        let message = format!("{error}: {}", error.kind.help());
        if !error.kind.is_limit() {
            return Failure::NotJson(message);
        }
        Failure::Limit(Breach {
            turn_id: id.to_owned(),
            surface: surface_list::in_turn(&error.pointer),
            path: error.pointer,
            reason: None,
            law: Law::ContractTurnResult,
            side,
            message,
        })
    })?;
    if let Some(pointer) = document.constant_where(|place| !safe_boundary::is_canonical_surface(place)) {
        return Err(Failure::NotJson(format!("not JSON: NaN or an infinity at {pointer}")));
    }
    Ok(document)
}
