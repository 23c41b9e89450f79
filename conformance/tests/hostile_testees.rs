//! The bank of hostile testees: none of them gets a certificate that anybody takes, and each of them would without its trick.
//!
//! ```text
//! ASSIZE_BANK=all cargo test -p assize --test it hostile_testees -- --nocapture
//! ```
//!
//! Without being asked for more, the first trial of each end is made; `ASSIZE_BANK=all` makes all of them, `full` with every
//! program once more without its trick, `60@any-text` makes 60 of them and others for another text, and another value those
//! whose name it is a part of, as in `ASSIZE_BANK=protocol/deep_frame`. A trial is a whole one: a run that may write a
//! statement, a signature over whatever lies where the statement belongs, and a check that makes the run again. Needs Python 3.

mod after;
mod bank;
mod scene;
mod trial;

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    io::Write as _,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use bank::Row;
use trial::Part;

use crate::support::{sample, sampled, sealed};

/// Trials at a time: most of one is waiting.
const JOBS: usize = 4;
/// The fewest programs that make a bank, and families of them.
const FEWEST: (usize, usize) = (80, 12);

/// Whether this system seals a testee: what the bank shows of a seal cannot be shown without one.
#[track_caller]
fn seals() -> bool {
    sealed(&scene::containment(), "all that keeps a testee contained")
}

/// The trials that are asked for, and how many are left out.
fn asked(bank: Vec<Row>) -> (Vec<Row>, usize) {
    let all = bank.len();
    let chosen: Vec<Row> = match env::var("ASSIZE_BANK").ok().as_deref() {
        Some("all" | "full") => bank,
        Some(asked) if let Some(sample) = sample(asked) => sampled(bank, sample, Row::name),
        Some(named) => bank.into_iter().filter(|row| row.name().contains(named)).collect(),
        None => {
            let mut seen = BTreeSet::new();
            bank.into_iter().filter(|row| seen.insert(row.end)).collect()
        }
    };
    let left = all - chosen.len();
    (chosen, left)
}

#[test]
fn no_hostile_testee_gets_a_certificate_and_each_would_without_its_trick() {
    if !seals() {
        return;
    }
    let began = Instant::now();
    let (rows, left) = asked(bank::listed());
    if left > 0 {
        let _ =
            writeln!(std::io::stderr(), "{left} trials of hostile testees are left out: ASSIZE_BANK=all makes them");
    }
    let parts = parts(&rows);
    let troubles = Mutex::new(BTreeMap::new());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..JOBS {
            scope.spawn(|| {
                while let Some((row, part)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let began = Instant::now();
                    let made = trial::make(row, *part);
                    let word = if made.is_ok() { "" } else { ": not as its table says" };
                    eprintln!("{:>5.1} s  {} ({part}){word}", began.elapsed().as_secs_f64(), row.name());
                    if let Err(trouble) = made {
                        troubles.lock().unwrap().insert(format!("{} ({part})", row.name()), trouble);
                    }
                }
            });
        }
    });
    table(&rows);
    eprintln!("{} trials in {:.0} s", parts.len(), began.elapsed().as_secs_f64());
    let troubles = troubles.into_inner().unwrap();
    let told: Vec<String> = troubles.iter().map(|(name, trouble)| format!("{name}: {trouble}")).collect();
    assert!(told.is_empty(), "{} trials of {} end otherwise:\n{}", told.len(), parts.len(), told.join("\n"));
}

/// Every row with its trick, and programs once without it: the first of each family with everything that a check can do, and
/// those for which the program itself does not say what has stopped it. `ASSIZE_BANK=full` takes every program.
fn parts(rows: &[Row]) -> Vec<(&Row, Part)> {
    let full = env::var_os("ASSIZE_BANK").is_some_and(|asked| asked == "full");
    let (mut programs, mut families) = (BTreeSet::new(), BTreeSet::new());
    let mut parts = Vec::new();
    for row in rows {
        parts.push((row, Part::Trick));
        if programs.insert((&row.family, &row.program)) {
            if families.insert(&row.family) {
                parts.push((row, Part::HonestAgain));
            } else if full || !row.says.iter().any(|words| words.starts_with("stopped: ")) {
                parts.push((row, Part::Honest));
            }
        }
    }
    parts
}

/// What stops whom.
fn table(rows: &[Row]) {
    for row in rows {
        let seal = if row.sealed { "sealed" } else { "unsealed" };
        println!("{:<60} {seal:<9} {:<18} {}", row.name(), row.end.name(), row.says.join("; "));
        println!("    {}", row.trick);
    }
}

#[test]
fn the_bank_has_a_row_for_every_program() {
    let bank = bank::listed();
    let named: BTreeSet<String> = bank.iter().map(Row::name).collect();
    assert_eq!(named, bank::programs(), "what the tables list is what lies beside them");
    let families: BTreeSet<&str> = bank.iter().map(|row| row.family.as_str()).collect();
    assert!(named.len() >= FEWEST.0 && families.len() >= FEWEST.1, "{} in {}", named.len(), families.len());
    for row in &bank {
        let says = !row.says.is_empty() || row.end == bank::End::NoHarness;
        assert!(says, "{}: without words, a program that is only broken would pass", row.name());
        assert!(row.trick.ends_with('.'), "{}: its first line says what the trick is", row.name());
    }
}
