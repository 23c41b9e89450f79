//! What a run costs: cases through the pipe to `assize testee`, and the whole corpus in this process.
//!
//! `cargo bench -p assize --bench harness`. Through the pipe, every case goes the way of a certifying run: it is laid out,
//! sent under a fresh id, answered, its receipt compared, and judged. Cases with files are measured separately, since most of
//! what they cost is making and removing folders. Times are printed, and the only assertion is that every case passes.
#![allow(clippy::unwrap_used, missing_docs, reason = "a measuring program: it stops on the first surprise")]

use std::{sync::atomic::AtomicBool, thread};

use assize::{
    config::ENVIRONMENT,
    laps::Laps,
    protocol::{Introduction, Limits},
    runner::{self, Plan},
    selection::Selection,
    suite::Suite,
    testee::{BuiltIn, Child, Driver as _, Item, Launch, Setup, Subject, Timing},
};
use assize_corpus::{
    agreement::{Outcome, Terms},
    store::Store,
    vector::Case,
};
use divan::{Bencher, counter::ItemsCount};

fn main() {
    divan::main();
}

/// How often the cases of the corpus run in one measurement: starting a process must not be part of the figure.
const CANON_ROUNDS: usize = 40;
const FILES_ROUNDS: usize = 2;
const JOBS: usize = 2;

static STOP: AtomicBool = AtomicBool::new(false);

fn suite() -> Suite {
    let suite = Suite::load(&Store::embedded()).unwrap();
    assert!(suite.broken.is_empty() && suite.faults.is_empty(), "the corpus loads whole");
    suite
}

/// `assize testee` as a run sets it up.
fn testee(suite: &Suite) -> Child {
    let limits = Limits::default();
    let launch = Launch {
        argv: vec![env!("CARGO_BIN_EXE_assize").into(), "testee".into()],
        directory: None,
        environment: ENVIRONMENT.iter().map(|name| (*name).to_owned()).collect(),
        line: limits.line,
        cpu_s: limits.cpu_s,
        memory_mb: limits.memory_mb,
        timing: Timing::default(),
        seal: None,
        subject: Subject::default(),
    };
    let suite_sha256 = suite.sha256.to_hex();
    Child::new(Setup { launch, limits, run: "r-bench".to_owned(), suite_sha256, stop: &STOP }).unwrap()
}

/// Every case of one operation, repeated this many times.
fn batch<'s>(suite: &'s Suite, op: &str, rounds: usize) -> Vec<Item<'s>> {
    let cases: Vec<&Case> = suite.corpus.cases.values().filter(|case| case.op == op).collect();
    cases.repeat(rounds).into_iter().map(|case| Item { case, alteration: None }).collect()
}

/// Runs a batch on as many processes as there are jobs, and judges what comes.
fn run_batch(child: &Child, batch: &[Item<'_>], jobs: usize) {
    thread::scope(|scope| {
        for share in batch.chunks(batch.len().div_ceil(jobs)) {
            scope.spawn(move || {
                let mut passes = 0;
                child.run(share, "orders", &mut |place, response, _| {
                    passes += usize::from(
                        response.judged(share.get(place).unwrap().case, &Terms::default()).outcome == Outcome::Pass,
                    );
                });
                assert_eq!(passes, share.len(), "every case passes");
            });
        }
    });
}

#[divan::bench(args = [1, 2], sample_count = 7, sample_size = 1)]
fn pipe_canon_bytes(bencher: Bencher<'_, '_>, jobs: usize) {
    let suite = suite();
    let batch = batch(&suite, "canon.bytes", CANON_ROUNDS);
    bencher.counter(ItemsCount::new(batch.len())).bench(|| run_batch(&testee(&suite), &batch, jobs));
}

#[divan::bench(sample_count = 7, sample_size = 1)]
fn pipe_cases_with_files(bencher: Bencher<'_, '_>) {
    let suite = suite();
    let batch = batch(&suite, "sovereign.compare", FILES_ROUNDS);
    bencher.counter(ItemsCount::new(batch.len())).bench(|| run_batch(&testee(&suite), &batch, JOBS));
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn in_process_load(bencher: Bencher<'_, '_>) {
    bencher.bench(suite);
}

#[divan::bench(sample_count = 7, sample_size = 1)]
fn in_process_run(bencher: Bencher<'_, '_>) {
    let suite = suite();
    bencher.counter(ItemsCount::new(suite.len())).bench(|| run(&suite));
}

#[divan::bench(sample_count = 7, sample_size = 1)]
fn in_process_load_and_run(bencher: Bencher<'_, '_>) {
    let cases = suite().len();
    bencher.counter(ItemsCount::new(cases)).bench(|| run(&suite()));
}

/// The whole corpus, with controls, on the verifier in this process.
fn run(suite: &Suite) {
    let plan = Plan { seed: 0, jobs: JOBS, certifying: true, terms: Terms::default() };
    let driver = BuiltIn { stop: &STOP };
    let ran =
        runner::run(suite, &Selection::default(), &driver, &Introduction::built_in(), &plan, &|_| {}, &Laps::default());
    assert!(
        ran.complete && ran.results.iter().all(|result| result.judgement.outcome == Outcome::Pass),
        "every case passes"
    );
}
