//! The suite: one test a case, named by its id, and a sentinel that no case was left out.

mod case;
mod examine;
mod folder;
mod force;
mod judge;
mod options;
mod pack;

use std::{
    collections::BTreeMap,
    num::NonZero,
    path::Path,
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::{
    call::{self, Broken},
    declaration,
    question::Request,
    testee::Testee,
};
use case::{Case, Force};
use folder::{Folder, Laid};
use force::Weight;
use judge::{Mismatch, Outcome, Verdict, judge};
use options::Options;
use pack::{Known, Pack};

/// What a test comes to.
enum Result {
    Passed,
    /// Passed, with a word about it.
    Remarked(String),
    Ignored(String),
    Failed(String),
}

/// Runs the cases of the vectors below a project's folder, as the command line asks.
#[must_use]
pub fn main(testee: &'static Testee, project: &Path) -> ExitCode {
    match run(testee, project) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(101),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(101)
        }
    }
}

/// Whether nothing failed.
fn run(testee: &'static Testee, project: &Path) -> std::result::Result<bool, String> {
    let options = Options::new(std::env::args().skip(1))?;
    let pack = Pack::open(project)?;
    let mut cases = Vec::new();
    for law in &pack.laws {
        cases.extend(pack.cases(law)?);
    }
    let total = cases.len();
    cases.retain(|case| options.takes(&case.id));
    if options.list {
        for case in &cases {
            println!("{}: test", case.id);
        }
        return Ok(true);
    }
    declaration::check(testee.declares)?;
    let least = force::counted(std::env::var(force::FAIL_ON).ok().as_deref())?;
    println!("\nrunning {} tests", cases.len());
    let suite = Suite { testee, pack: &pack, least };
    let results = suite.all(&cases, options.threads);
    if results.len() != cases.len() {
        return Err(format!("{} of {} cases were run: no thread could be had", results.len(), cases.len()));
    }
    let failed = report(&cases, &results, options.verbose);
    if cases.len() != total {
        println!("sentinel: a filtered run, so no case counts as missing");
    } else if let Err(error) = pack.verify(results.len()) {
        eprintln!("sentinel: {error}");
        return Ok(false);
    }
    Ok(failed == 0)
}

/// Prints what came of each law, and what failed; how many did.
fn report(cases: &[Case], results: &[Result], verbose: bool) -> usize {
    let mut laws: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let mut failures = Vec::new();
    for (case, result) in cases.iter().zip(results) {
        let counts = laws.entry(&case.law).or_default();
        let (place, word) = match result {
            Result::Passed => (0, "ok".to_owned()),
            Result::Remarked(brief) => (0, format!("ok, remark: {brief}")),
            Result::Ignored(why) => (1, format!("ignored, {why}")),
            Result::Failed(message) => {
                failures.push((case, message));
                (2, "FAILED".to_owned())
            }
        };
        counts[place] += 1;
        if verbose || place == 2 {
            println!("test {} ... {word}", case.id);
        }
    }
    if !failures.is_empty() {
        println!("\nfailures:\n");
    }
    for (case, message) in &failures {
        println!("---- {} ----\n{message}\n", case.id);
    }
    let mut sum = [0; 3];
    for (law, counts) in laws {
        println!("law {law}: {} passed; {} failed; {} ignored", counts[0], counts[2], counts[1]);
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    let [passed, ignored, failed] = sum;
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {word}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; 0 filtered out\n"
    );
    failed
}

struct Suite<'p> {
    testee: &'static Testee,
    pack: &'p Pack,
    least: Weight,
}

impl Suite<'_> {
    /// Every case, in as many threads as are asked for; the results in the order of the cases.
    fn all(&self, cases: &[Case], threads: Option<usize>) -> Vec<Result> {
        let threads = threads.or_else(|| thread::available_parallelism().ok().map(NonZero::get)).unwrap_or(1);
        let (next, results) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let work = || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(index) else { break };
                        let result = self.one(case);
                        if let Ok(mut results) = results.lock() {
                            results.insert(index, result);
                        }
                    }
                };
                // A thread that is not to be had leaves its work to the others; where there are none, the count says so.
                drop(thread::Builder::new().stack_size(call::STACK).spawn_scoped(scope, work));
            }
        });
        results.into_inner().map(|results| results.into_values().collect()).unwrap_or_default()
    }

    fn one(&self, case: &Case) -> Result {
        let mut request = Request { op: case.op.clone(), args: case.args.clone(), ..Request::default() };
        request.documents.clone_from(&case.documents);
        if let Some(feature) = call::undeclared(self.testee.declares, &request) {
            return Result::Ignored(format!("{feature} is not declared"));
        }
        // Made for this case alone, and removed whatever happens.
        let mut made = None;
        if case.root {
            match Folder::lay(&case.files) {
                Ok(Laid::Whole(folder)) => request.root = Some(made.insert(folder).path().to_owned()),
                Ok(Laid::Readable) => {
                    let why = "the case needs an unreadable file, and this user can read every file";
                    return Result::Ignored(why.to_owned());
                }
                Err(error) => return Result::Failed(format!("{}: its folder cannot be made: {error}", case.id)),
            }
        }
        let verdict = match call::ask(self.testee.implementation, request) {
            Ok(answer) => judge(&case.expect, &answer),
            Err(broken) => unjudged(case, broken),
        };
        drop(made);
        self.weigh(case, &verdict)
    }

    fn weigh(&self, case: &Case, verdict: &Verdict) -> Result {
        let weight = verdict.weight();
        let Some(Known { outcome, reason, link }) = self.pack.known.get(&case.id) else {
            return match weight {
                None => Result::Passed,
                Some(weight) if weight >= self.least => Result::Failed(verdict.message(case)),
                Some(Weight::Ruling) => {
                    let rulings = verdict.rulings().join(", ");
                    Result::Ignored(format!("against ruling {rulings}: {}", verdict.brief(case)))
                }
                Some(_) => Result::Remarked(verdict.brief(case)),
            };
        };
        let (id, found) = (&case.id, verdict.outcome.name());
        if found == outcome {
            return Result::Ignored(format!("known failure, {outcome}: {reason} {link}"));
        }
        if verdict.outcome == Outcome::Pass {
            return Result::Failed(format!(
                "{id} passes, and is listed as a known failure ({outcome}): the entry is stale, remove it"
            ));
        }
        Result::Failed(format!(
            "the known failure of {id} is stale, its outcome was {outcome}\n{}",
            verdict.message(case)
        ))
    }
}

/// What is not a judgement is against the specification.
fn unjudged(case: &Case, broken: Broken) -> Verdict {
    let (outcome, actual) = match broken {
        Broken::Unsupported => {
            (Outcome::BrokenPromise, format!("{} is declared, and answers that it is not supported", case.op))
        }
        Broken::Fault(message) => (Outcome::Fault, message),
    };
    let expected = "a judgement".to_owned();
    let mismatch = Mismatch { pointer: "/is".to_owned(), force: Force::Spec, expected, actual };
    Verdict { outcome, mismatches: vec![mismatch] }
}
