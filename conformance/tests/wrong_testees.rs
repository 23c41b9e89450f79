//! The bank of wrong testees: each is caught by what it declares, and honest or harmless ones pass.
//!
//! One command prints which law, outcome or finding caught which testee, in an order that does not change:
//!
//! ```text
//! ASSIZE_BANK=all cargo test -p assize --test it wrong_testees -- --nocapture
//! ```
//!
//! Without being asked for more, one testee is tried for each thing that can catch one; `ASSIZE_BANK=all` tries the whole bank.
//! A testee that a law has to catch is asked the cases of that law; with `ASSIZE_BANK=full` every testee is asked all that it
//! declares, the honest ones twice and with controls, and the table names every law with a case that fails. Needs
//! Python 3.

pub(crate) mod bank;
mod trial;

use std::{
    collections::BTreeSet,
    env, fs,
    os::unix::fs::symlink,
    path::Path,
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use assize::suite::Suite;
use assize_corpus::store::Store;
use comfy_table::{Table, presets::ASCII_MARKDOWN};
use tempfile::TempDir;

use bank::{CaughtBy, Finding, Kind, Owed, Testee};
use trial::{Harness, Row};

use crate::support::PYTHON;

/// Testees at a time.
const JOBS: usize = 2;
/// The fewest wrong testees that make a bank.
const FEWEST: usize = 30;

/// The suite takes a while to load: once is enough.
fn suite() -> Arc<Suite> {
    static SUITE: OnceLock<Arc<Suite>> = OnceLock::new();
    Arc::clone(SUITE.get_or_init(|| Arc::new(Suite::load(&Store::embedded()).unwrap())))
}

/// A harness whose processes are recognised by a folder that only they use.
fn harness(folder: &TempDir) -> Harness {
    let script = folder.path().join("bank.py");
    symlink(bank::script(), &script).unwrap();
    let full = env::var_os("ASSIZE_BANK").is_some_and(|asked| asked == "full");
    Harness { suite: suite(), script, python: PYTHON.clone().into(), full, bound: LONG }
}

#[test]
fn every_wrong_testee_is_caught_and_no_other() {
    let began = Instant::now();
    let (folder, bank) = (tempfile::tempdir().unwrap(), tried(bank::listed()));
    let harness = harness(&folder);
    let rows: Vec<Mutex<Option<Row>>> = bank.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..JOBS {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(testee) = bank.get(place) else { break };
                    *rows[place].lock().unwrap() = Some(harness.run_one(testee));
                }
            });
        }
    });
    let rows: Vec<Row> =
        rows.into_iter().map(|row| row.into_inner().unwrap().expect("every testee was tried")).collect();
    println!("{}", table(&bank, &rows));
    eprintln!("{} testees in {:.0} s", bank.len(), began.elapsed().as_secs_f64());
    let troubles: Vec<String> = bank
        .iter()
        .zip(&rows)
        .filter_map(|(testee, row)| Some(format!("{}: {}", testee.name, row.trouble.as_ref()?)))
        .collect();
    assert!(troubles.is_empty(), "{} testees part from their declaration:\n{}", troubles.len(), troubles.join("\n"));
    weights(&bank, &rows);
    let left = alive(folder.path());
    assert!(left.is_empty(), "processes of the bank are left: {left:?}");
}

/// Most faults break a specification; the others are told with the ruling or convention that alone catches them.
fn weights(bank: &[Testee], rows: &[Row]) {
    let answers: Vec<(&Testee, &Row)> =
        bank.iter().zip(rows).filter(|(testee, row)| testee.is_wrong() && !row.against.is_empty()).collect();
    let (violating, others): (Vec<_>, Vec<_>) =
        answers.iter().partition::<Vec<&(&Testee, &Row)>, _>(|(_, row)| row.against == "specification");
    println!("{} of {} wrong answers violate a specification; the others:", violating.len(), answers.len());
    for (testee, row) in others {
        println!("  {}: {}", testee.name, row.against);
    }
    assert!(violating.len() * 4 >= answers.len() * 3, "fewer than three quarters violate");
}

/// All of them where they are asked for, else the first of each kind that something else catches.
fn tried(bank: Vec<Testee>) -> Vec<Testee> {
    if env::var_os("ASSIZE_BANK").is_some() {
        return bank;
    }
    let mut seen = BTreeSet::new();
    bank.into_iter().filter(|testee| seen.insert(format!("{:?} {:?}", testee.kind, testee.owed()))).collect()
}

fn table(bank: &[Testee], rows: &[Row]) -> Table {
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(["testee", "planted", "caught by", "against", "failing", "asked"]);
    for (testee, row) in bank.iter().zip(rows) {
        let (failing, asked) = (row.failing.to_string(), row.asked.to_string());
        table.add_row([&testee.name, &testee.plants, &row.caught_by, &row.against, &failing, &asked]);
    }
    table
}

/// Command lines of processes that were started below a folder.
fn alive(folder: &Path) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let commands = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let commands = commands.map(|command| String::from_utf8_lossy(&command).replace('\0', " "));
    commands.filter(|command| command.contains(&*folder.to_string_lossy())).collect()
}

#[test]
fn the_bank_says_of_every_testee_what_catches_it() {
    let bank = bank::listed();
    let names: BTreeSet<String> = bank.iter().map(|testee| testee.name.clone()).collect();
    assert_eq!(names.len(), bank.len(), "names come once");
    assert_eq!(names, bank::defined(), "what is listed is what the modules define");
    let suite = suite();
    let laws: BTreeSet<&str> = suite.laws.iter().map(|(law, _)| law.as_str()).collect();
    for testee in &bank {
        let owed = testee.owed().unwrap_or_else(|error| panic!("{}: {error}", testee.name));
        if let Owed::Laws(named) = &owed {
            assert!(named.iter().all(|law| laws.contains(law.as_str())), "{}: no such law in {named:?}", testee.name);
        }
        assert!(!testee.plants.is_empty(), "{} says nothing of what is planted", testee.name);
    }
    let wrong = bank.iter().filter(|testee| testee.is_wrong()).count();
    assert!(wrong >= FEWEST, "{wrong} wrong testees");
    assert!(wrong < bank.len(), "without an honest one, a harness that fails everything would do");
}

/// Tries a testee of the bank under another declaration, and returns what is wrong with that.
fn misdeclared(name: &str, kind: Kind, caught_by: CaughtBy, bound: Duration) -> String {
    let folder = tempfile::tempdir().unwrap();
    let harness = Harness { bound, full: false, ..harness(&folder) };
    let bank = bank::listed();
    let testee = bank.iter().find(|testee| testee.name == name).unwrap_or_else(|| panic!("the bank has no {name}"));
    let testee = Testee { kind, caught_by, ..testee.clone() };
    let trouble = harness.run_one(&testee).trouble.unwrap_or_else(|| panic!("{name} passes"));
    assert_eq!(alive(folder.path()), [""; 0]);
    trouble
}

/// Far more than a run here needs.
const LONG: Duration = Duration::from_secs(3600);

#[test]
fn an_honest_testee_is_caught_by_nothing() {
    let laws = CaughtBy { laws: vec!["canon/episode".to_owned()], ..CaughtBy::default() };
    let outcome = CaughtBy { outcome: Some("CRASH".to_owned()), ..CaughtBy::default() };
    let finding = |finding| CaughtBy { finding: Some(finding), ..CaughtBy::default() };
    for (declared, says) in [
        (laws, "no case of canon/episode has a wrong answer"),
        (outcome, "no case is CRASH"),
        (finding(Finding::Chain), "no finding chain"),
        (finding(Finding::Hello), "no finding hello"),
        (CaughtBy::default(), "name one"),
    ] {
        let trouble = misdeclared("honest-canonical", Kind::Canonical, declared, LONG);
        assert!(trouble.contains(says), "{says}: {trouble}");
    }
}

#[test]
fn a_wrong_testee_is_not_honest() {
    for (name, says) in [("sovereign-unsorted", "canon/sovereign/"), ("wrong-chain", "bye says")] {
        let trouble = misdeclared(name, Kind::Honest, CaughtBy::default(), LONG);
        assert!(trouble.contains(says), "{name}: {trouble}");
    }
}

#[test]
fn a_run_that_takes_too_long_is_broken_off() {
    let trouble = misdeclared("hangs-at-start", Kind::Honest, CaughtBy::default(), Duration::from_secs(2));
    assert!(trouble.contains("did not end within 2s; it ended when it was broken off"), "{trouble}");
}
