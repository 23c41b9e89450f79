//! Do the vectors bite? Each law's declared seeded faults: mistakes of implementers, made in a copy of the verifier one at
//! a time, and each killed by a vector of the very law that it breaks.
//!
//! A seeded fault is a file `seeded_faults/<system>/<law>--<name>.json`. That the files are right is always tested. The proof
//! builds the copy for each and runs the vectors of its law, then all others if these all pass, or those of its system if these
//! fail without showing a specification broken: some seconds for each seeded fault and some minutes the first time.
//!
//! ```text
//! ASSIZE_SEEDED_FAULTS=all cargo test -p assize --test it seeded_faults
//! ASSIZE_SEEDED_FAULTS=canon/episode,float-ban--judged-by-value cargo test -p assize --test it seeded_faults
//! ASSIZE_SEEDED_FAULTS=60@any-text cargo test -p assize --test it seeded_faults
//! ```
//!
//! The last tries 60 of them, and others for another text: the gate uses the commit as the text, so that all have their turn.
//!
//! A seeded fault that only vectors of other laws kill is `silent`, and one that none kills has `survived`: both are holes
//! in the corpus, and fail.

pub(crate) mod declared;
pub(crate) mod outcome;
pub(crate) mod scratch;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
    time::Instant,
};

use declared::{Declared, Expected};
use outcome::{Outcome, Ran};
use scratch::{Build, Scratch};

use crate::support::{sample, sampled};

/// The fewest that make a proof.
const FEWEST: usize = 60;
/// Names the seeded faults to try: `all`, laws and file stems with commas between them, or a number of them and a seed.
const ASKED: &str = "ASSIZE_SEEDED_FAULTS";

#[test]
fn every_law_has_a_seeded_fault() {
    let declared = declared::all();
    let laws: BTreeSet<String> = declared::laws(&repository()).into_keys().collect();
    let covered: BTreeSet<String> = declared.iter().map(|declared| declared.fault.law.clone()).collect();
    assert_eq!(covered, laws);
    assert!(declared.len() >= FEWEST, "{} seeded faults", declared.len());
}

#[test]
fn every_seeded_fault_is_one_change_and_stands_where_its_law_does() {
    let sources = repository().join("verifier/src");
    let mut changes = BTreeMap::new();
    for declared in declared::all() {
        let (fault, shown) = (&declared.fault, format!("{}/{}", declared.system, declared.stem));
        assert_eq!(shown, format!("{}--{}", fault.law, declared.name()));
        let word = |part: &str| !part.is_empty() && part.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'));
        assert!(declared.name().split('-').all(word), "{shown}: words in lower case");
        assert!(Path::new(&fault.file).components().all(|part| matches!(part, std::path::Component::Normal(_))));
        assert!(fault.why.split_whitespace().count() >= 5, "{shown}: say what implementers do wrong");
        if let Expected::Equivalent(argument) = &fault.outcome {
            assert!(argument.split_whitespace().count() >= 5, "{shown}: argue it");
        }
        let text = declared.applied(&sources).unwrap_or_else(|why| panic!("{shown}: {why}"));
        let same = changes.insert((fault.law.clone(), fault.file.clone(), text), shown.clone());
        assert_eq!(same, None, "{shown} is the same change");
    }
}

#[test]
fn every_seeded_fault_is_killed_by_its_own_law() {
    let Some(asked) = env::var(ASKED).ok().filter(|asked| !asked.is_empty()) else {
        say(&format!(
            "not run: the proof that each declared seeded fault is killed by its own law; \
             {ASKED}=all cargo test -p assize --test it seeded_faults runs it"
        ));
        return;
    };
    let declared = chosen(&asked);
    let repository = repository();
    let vectors = declared::laws(&repository).values().sum();
    let began = Instant::now();
    let judged = all_judged(&declared, &repository, vectors);
    let (mut counts, mut holes, mut lighter) = (BTreeMap::new(), Vec::new(), Vec::new());
    for Judged { outcome, violates, line } in judged {
        *counts.entry(outcome).or_insert(0_usize) += 1;
        if !outcome.is_as_declared() {
            holes.push(line);
        } else if outcome == Outcome::Killed && !violates {
            lighter.push(line);
        }
    }
    let count = |outcome: Outcome| format!("{} {}", counts.get(&outcome).unwrap_or(&0), outcome.word());
    let counted = Outcome::ALL.map(count).join(", ");
    say(&format!("{} seeded faults in {:.0} s: {counted}", declared.len(), began.elapsed().as_secs_f64()));
    let killed = counts.get(&Outcome::Killed).copied().unwrap_or(0);
    say(&format!("{} of {killed} violate a specification; what no specification forbids:", killed - lighter.len()));
    lighter.iter().for_each(|line| say(&format!("  {line}")));
    assert!(holes.is_empty(), "not killed by their own law:\n{}", holes.join("\n"));
}

/// What came of one seeded fault, and the line that says so.
struct Judged {
    outcome: Outcome,
    /// Whether a vector shows that a specification is broken.
    violates: bool,
    line: String,
}

/// What comes of each, in their order; said as soon as it is known. A build is the work of one processor for most of its time:
/// each processor has a copy of its own.
fn all_judged(declared: &[Declared], repository: &Path, vectors: usize) -> Vec<Judged> {
    let mut first = Scratch::new(repository, Build::Mutants);
    unspoiled(&mut first, vectors);
    let copies = thread::available_parallelism().map_or(1, usize::from).min(declared.len());
    let mut scratches: Vec<Scratch> = (1..copies).map(|number| first.beside(repository, number)).collect();
    scratches.insert(0, first);
    let waiting = Mutex::new(declared.iter().enumerate());
    let next = || waiting.lock().unwrap().next();
    let work = |mut scratch: Scratch| {
        unspoiled(&mut scratch, vectors);
        let mut judged = Vec::new();
        while let Some((place, declared)) = next() {
            let one = judge(&scratch, declared);
            say(&one.line);
            judged.push((place, one));
        }
        // A copy that was not put right between two of them would have spoiled what came after.
        unspoiled(&mut scratch, vectors);
        judged
    };
    let mut judged: Vec<(usize, Judged)> = thread::scope(|scope| {
        let workers: Vec<_> = scratches.into_iter().map(|scratch| scope.spawn(|| work(scratch))).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    judged.sort_by_key(|(place, _)| *place);
    judged.into_iter().map(|(_, judged)| judged).collect()
}

/// Makes the mistake in a copy, and lets the vectors judge it.
fn judge(scratch: &Scratch, declared: &Declared) -> Judged {
    let fault = &declared.fault;
    let text = declared.applied(&scratch.sources()).unwrap();
    let ran = scratch.spoiled(&fault.file, &text, &fault.law);
    let (outcome, detail) = Outcome::of(&ran, &fault.law, &fault.outcome);
    let line = format!("{:<12}{} {}{detail}", outcome.word(), fault.law, declared.name());
    Judged { outcome, violates: ran.violates(), line }
}

/// Those that are asked for; each name names something.
fn chosen(asked: &str) -> Vec<Declared> {
    let all = declared::all();
    if asked == "all" {
        return all;
    }
    if let Some(sample) = sample(asked) {
        return sampled(all, sample, |declared| format!("{}/{}", declared.system, declared.stem));
    }
    let names: Vec<&str> = asked.split(',').collect();
    for name in &names {
        assert!(
            all.iter().any(|declared| declared.is_asked_for(name)),
            "{ASKED}: {name:?} is neither a law nor a seeded fault"
        );
    }
    all.into_iter().filter(|declared| names.iter().any(|name| declared.is_asked_for(name))).collect()
}

/// Every vector passes as long as nothing is changed: a run that fails then proves nothing.
fn unspoiled(scratch: &mut Scratch, vectors: usize) {
    assert_eq!(scratch.unspoiled(), Ran::Judged { passed: vectors, failed: BTreeMap::new() }, "without a seeded fault");
}

/// One line for the person who watches: it bypasses the test harness, since a proof of minutes should not be silent.
pub(crate) fn say(text: &str) {
    io::stderr().write_all(format!("{text}\n").as_bytes()).unwrap();
}

/// The folder of the workspace.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
