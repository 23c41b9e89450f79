//! What a promotion costs on disk: a turn of many triplets against the floor, and one triplet into what they came to.
//!
//! `cargo bench -p assize-corpus --bench promotion -- [--triplets 100000] [--runs 3] [--folder DIR]`. The floor writes the
//! files of the promoted tree once, each beside its place, and renames it there. One triplet is promoted into that tree by
//! an index that knows nothing of it yet and reads every reference record first, and then by one that does. A triplet is
//! three objects of its own and a record, and four triplets share a target. All of it is measured for homes that outlast
//! their process and for those that outlast a loss of power, where the floor ends with one call for everything too. Medians
//! are printed, and nothing is asserted but that every turn is promoted: a time is a fact about a machine.
#![allow(clippy::unwrap_used, missing_docs, reason = "a measuring program: it stops on the first surprise")]

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use assize_corpus::disk::{Durability, HomeFolder};
use assize_verifier::{
    files::HomeFiles as _,
    kernel::{
        Index, Triplet,
        path_safety::{RunId, Stem, Turn, TurnId},
    },
};
use tempfile::TempDir;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let option = |name: &str| arguments.iter().skip_while(|argument| *argument != name).nth(1);
    let number = |name: &str, default| option(name).map_or(default, |value| value.parse().unwrap());
    let (triplets, runs) = (number("--triplets", 100_000), number("--runs", 3));
    let folder = option("--folder").map_or_else(env::temp_dir, PathBuf::from);
    println!("{triplets} triplets, median of {runs} in seconds");
    println!(
        "{:8} {:>8} {:>8} {:>9} {:>6} {:>9} {:>9}",
        "outlasts", "staging", "floor", "promotion", "ratio", "one more", "the next"
    );
    for durability in [Durability::Process, Durability::Power] {
        let rounds: Vec<_> = (0..runs).map(|_| Round::measure(&folder, durability, triplets)).collect();
        let median = |value: fn(&Round) -> f64| {
            let mut values: Vec<_> = rounds.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            *values.get(values.len() / 2).unwrap()
        };
        println!(
            "{:8} {:8.2} {:8.2} {:9.2} {:6.2} {:9.3} {:9.4}",
            format!("{durability:?}").to_lowercase(),
            median(|round| round.staging.as_secs_f64()),
            median(|round| round.floor.as_secs_f64()),
            median(|round| round.promotion.as_secs_f64()),
            median(|round| round.promotion.as_secs_f64() / round.floor.as_secs_f64()),
            median(|round| round.one_more.as_secs_f64()),
            median(|round| round.the_next.as_secs_f64()),
        );
    }
}

/// What was measured on one home.
struct Round {
    staging: Duration,
    promotion: Duration,
    floor: Duration,
    one_more: Duration,
    the_next: Duration,
}

impl Round {
    fn measure(folder: &Path, durability: Durability, triplets: u32) -> Self {
        let place = TempDir::with_prefix_in("assize-bench-", folder).unwrap();
        let root = place.path().join("home");
        fs::create_dir(&root).unwrap();
        let mut home = HomeFolder::with(&root, durability).unwrap();
        let staging = timed(|| stage(&mut Index::new(&mut home), &turn(1), 0..triplets));
        let promotion = promotion(&mut Index::new(&mut home), &turn(1));
        let files = files(&root.join("index/committed"));
        let floor = floor(&files, &place.path().join("floor"), durability);
        let mut index = Index::new(&mut home);
        let mut more = |number: u32| {
            stage(&mut index, &turn(number), triplets + number..triplets + number + 1);
            self::promotion(&mut index, &turn(number))
        };
        let (one_more, the_next) = (more(2), more(3));
        Self { staging, promotion, floor, one_more, the_next }
    }
}

fn timed(act: impl FnOnce()) -> Duration {
    let started = Instant::now();
    act();
    started.elapsed()
}

fn turn(number: u32) -> Turn {
    Turn { run: RunId::parse("bench").unwrap(), id: TurnId::parse(&format!("turn-{number:04}")).unwrap() }
}

/// Stages triplets, all of whose objects are their own.
fn stage(index: &mut Index<'_>, turn: &Turn, numbers: std::ops::Range<u32>) {
    for number in numbers {
        let stem = Stem::parse(&format!("inv/{:02}/one-{number:07}", number % 100)).unwrap();
        let note = "what a turn has to say of itself ".repeat(4);
        let body = format!(r#"{{"dto_type":"invocation","id":"inv:{number}","note":"{note}"}}"#);
        let target = format!(r#"{{"id":"skill:{}","relationship":"declares","type":"skill"}}"#, number / 4);
        let links = format!(r#"{{"declares":{target},"number":{number}}}"#);
        let manifest = format!(r#"{{"number":{number},"order_insensitive":[]}}"#);
        let triplet = Triplet::new(stem, body.as_bytes(), links.as_bytes(), manifest.as_bytes()).unwrap();
        index.stage_triplet(turn, &triplet).unwrap();
    }
}

fn promotion(index: &mut Index<'_>, turn: &Turn) -> Duration {
    timed(|| assert!(!index.promote(turn).unwrap().stems.is_empty(), "the turn is promoted"))
}

/// Every file below a folder, by its path there.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(next) = pending.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                pending.push(entry.path());
            } else {
                let below = entry.path().strip_prefix(folder).unwrap().to_path_buf();
                found.push((below, fs::read(entry.path()).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Writes files beside their places and renames them there.
fn floor(files: &[(PathBuf, Vec<u8>)], folder: &Path, durability: Durability) -> Duration {
    timed(|| {
        let (writing, mut made) = (folder.join(".writing"), BTreeSet::new());
        fs::create_dir(folder).unwrap();
        for (path, bytes) in files {
            let place = folder.join(path);
            let parent = path.parent().unwrap();
            if made.insert(parent) {
                fs::create_dir_all(folder.join(parent)).unwrap();
            }
            fs::write(&writing, bytes).unwrap();
            fs::rename(&writing, place).unwrap();
        }
        HomeFolder::with(folder, durability).unwrap().settle().unwrap();
    })
}
