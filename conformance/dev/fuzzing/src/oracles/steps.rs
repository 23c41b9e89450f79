//! What holds of a scenario's steps, whatever they are: laws between states of one home.
//!
//! Spec: Kernel v1 Requirements Pack, Law 1 to Law 6, and Spec-002, 7 Atomic Promotion; rulings KE-31, KE-39 and KE-42.
//! Runs the verifier alone.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::node::Node;
use assize_verifier::kernel::{Index, MemoryHome, Outcome as Verdict, Report, Step};

use super::kernel::{Outcome, run};

/// Operations that may change committed: promotions, stops on the way of one, and damage.
const CHANGING: [&str; 6] = ["promote", "finish_run", "crash", "write_file", "make_dir", "remove_path"];
const DAMAGE: [&str; 3] = ["write_file", "make_dir", "remove_path"];

/// The operations of a scenario, where a plain reader can tell them.
#[must_use]
pub fn operations(text: &[u8]) -> Option<Vec<Node>> {
    match Node::parse(std::str::from_utf8(text).ok()?) {
        Ok(Node::Array(operations)) => Some(operations),
        _ => None,
    }
}

/// Whether somebody but the kernel writes in the home.
#[must_use]
pub fn is_damaged(operations: &[Node]) -> bool {
    operations.iter().any(|operation| DAMAGE.contains(&name(operation)))
}

fn name(operation: &Node) -> &str {
    member(operation, "op")
}

fn member<'n>(operation: &'n Node, name: &str) -> &'n str {
    operation.member(name).and_then(Node::text).unwrap_or_default()
}

/// The committed tree: every path with its bytes.
fn committed(home: &MemoryHome) -> BTreeMap<String, Option<Vec<u8>>> {
    let below = home.below("index/committed");
    below.map(|(path, octets)| (path.to_owned(), octets.map(<[u8]>::to_vec))).collect()
}

/// Runs operations against a home; nothing where they do not run to their end.
fn ran(home: &mut MemoryHome, operations: &[Node]) -> Option<Report> {
    let text = Node::Array(operations.to_vec()).canonical();
    match run(home, text.as_bytes()) {
        Outcome::Ran(report) => Some(report),
        Outcome::Refused(_) | Outcome::Failed(_) => None,
    }
}

/// The promotion of the turn that an operation is about.
fn promotion(operation: &Node) -> Node {
    let text = |name: &str| (name.to_owned(), Node::Text(member(operation, name).to_owned()));
    Node::Object([("op".to_owned(), Node::Text("promote".to_owned())), text("run_id"), text("turn_id")].into())
}

/// Demands of a scenario that ran, one operation after the other: the same steps as together; committed changed by promotions alone
/// and by none that fails; a promotion that is stopped, at a named point or before any file operation, old or new after recovery;
/// and one that is repeated, refused and without effect. What follows a second turn of one run, or a second start, is not looked at.
///
/// # Errors
/// What does not hold, and at which step.
pub fn one_by_one(operations: &[Node], whole: &Report, stop: u32) -> Result<(), String> {
    let mut home = MemoryHome::default();
    let mut view = Vec::new();
    let mut executed = BTreeSet::new();
    let mut started = false;
    for (place, (operation, step)) in operations.iter().zip(&whole.steps).enumerate() {
        let before = home.clone();
        let failed = |what: &str| format!("step {place}, {}: {what}", operation.canonical());
        // Which turns a run has executed is known to the process alone (KE-51): one that sees a single step has forgotten it.
        if name(operation) == "execute_turn" && !executed.insert(run_of(operation)) {
            return Ok(());
        }
        // So it is with the runs that were started (KE-52).
        if name(operation) == "start_run" && std::mem::replace(&mut started, true) {
            return Ok(());
        }
        let Some(report) = ran(&mut home, std::slice::from_ref(operation)) else {
            return Err(failed("does not run alone"));
        };
        let alone = report.steps.first().map(Step::canonical);
        if alone.as_deref() != Some(step.canonical().as_slice()) {
            return Err(failed(&format!("alone it is {}", String::from_utf8_lossy(&alone.unwrap_or_default()))));
        }
        view = report.view;
        let (old, found) = (committed(&before), committed(&home));
        let passed = step.outcome == Some(Verdict::Pass);
        let op = name(operation);
        if old != found && (!CHANGING.contains(&op) || op == "promote" && !passed) {
            return Err(failed("committed changed"));
        }
        if op == "promote" && passed {
            repeated(&home, operation).map_err(|what| failed(&what))?;
        }
        if matches!(op, "promote" | "crash") {
            let mut after = before.clone();
            let promoted = promotion(operation);
            let Some(report) = ran(&mut after, std::slice::from_ref(&promoted)) else {
                return Err(failed("its promotion does not run"));
            };
            let passes = report.steps.first().is_some_and(|step| step.outcome == Some(Verdict::Pass));
            let new = committed(&after);
            let due = match member(operation, "at") {
                "build" | "before-switch" => &old,
                _ if passes => &new,
                _ => &old,
            };
            if found != *due {
                return Err(failed("neither the tree that is due before the switch nor the one after it"));
            }
            stopped(before, &promoted, stop, [&old, &new]).map_err(|what| failed(&what))?;
        }
    }
    let differs = !operations.is_empty() && view != whole.view;
    if differs { Err("the view is another one when operations run one by one".to_owned()) } else { Ok(()) }
}

/// The run whose turn is executed, as far as the request names one.
fn run_of(operation: &Node) -> Option<&str> {
    operation.member("request")?.member("run_handle")?.member("run_id")?.text()
}

/// A promotion that passed, done again.
fn repeated(home: &MemoryHome, promotion: &Node) -> Result<(), String> {
    let mut again = home.clone();
    let report = ran(&mut again, std::slice::from_ref(promotion)).ok_or("it does not run again")?;
    if report.steps.first().is_none_or(|step| step.outcome != Some(Verdict::Fail)) {
        return Err("it passes twice".to_owned());
    }
    if again == *home { Ok(()) } else { Err("done again, it changes the home".to_owned()) }
}

/// A promotion whose process ends before one of its file operations, its recovery, and its repetition.
fn stopped(
    mut home: MemoryHome,
    promotion: &Node,
    stop: u32,
    [old, new]: [&BTreeMap<String, Option<Vec<u8>>>; 2],
) -> Result<(), String> {
    home.stop_after(stop as usize);
    ran(&mut home, std::slice::from_ref(promotion));
    home.restart();
    Index::new(&mut home)
        .recover()
        .map_err(|failure| format!("stopped after {stop}, it does not recover: {failure}"))?;
    let found = committed(&home);
    if found != *old && found != *new {
        return Err(format!("stopped after {stop} file operations, committed is neither old nor new"));
    }
    ran(&mut home, std::slice::from_ref(promotion)).ok_or("it does not run after a stop")?;
    if committed(&home) == *new { Ok(()) } else { Err(format!("stopped after {stop} and done again, it is not new")) }
}

/// Demands that the triplets of a turn can be staged in any order: the same steps in that order, and the same view.
///
/// # Errors
/// What differs.
pub fn in_any_order(operations: &[Node], whole: &Report) -> Result<(), String> {
    let (mut turned, mut steps) = (Vec::new(), Vec::new());
    let mut rest = operations.iter().zip(&whole.steps).peekable();
    while let Some((first, step)) = rest.next() {
        let mut group = vec![(first, step)];
        let mut stems = BTreeSet::from([stem(first)]);
        while let Some(next) = rest.next_if(|(next, _)| is_staged_beside(first, next) && stems.insert(stem(next))) {
            group.push(next);
        }
        turned.extend(group.iter().rev().map(|(operation, _)| (*operation).clone()));
        steps.extend(group.iter().rev().map(|(_, step)| step.canonical()));
    }
    let report = ran(&mut MemoryHome::default(), &turned).ok_or("turned round, the scenario does not run")?;
    if report.view != whole.view {
        return Err(format!("another view when triplets are staged the other way round: {}", text(&report.view)));
    }
    let found: Vec<_> = report.steps.iter().map(Step::canonical).collect();
    match found.iter().zip(&steps).position(|(found, due)| found != due) {
        None => Ok(()),
        Some(place) => Err(format!("staged the other way round, step {place} is {}", text(&found.concat()))),
    }
}

/// Whether two operations stage triplets in one turn.
fn is_staged_beside(first: &Node, next: &Node) -> bool {
    let same = |name| member(first, name) == member(next, name);
    [first, next].into_iter().all(|operation| name(operation) == "stage_triplet") && same("run_id") && same("turn_id")
}

/// A stem in its one form.
fn stem(operation: &Node) -> String {
    member(operation, "stem").replace('\\', "/").trim_matches('/').to_owned()
}

fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}
