//! Searches worlds, and prints what was found.

use std::{
    env,
    process::ExitCode,
    sync::Mutex,
    time::{Duration, Instant},
};

use assize_worlds::{
    ALL, Limits, Progress, Tally, World,
    declared::{self, Searched},
    find, item, search, table,
};

const USAGE: &str = "usage: assize-worlds [WORLD...] [--bound N] [--threads N] [--report] [--quick]
       assize-worlds WORLD --item PLACE [--bound N]

Searches each world (all, if none is named) to the bound of a search, --quick to that of a test, --bound to any other.
--item asks again about one place of a world, as differences name it. --report prints a table in Markdown in the end.
Exits with 1 where verifier and second source differ, with 2 where nothing could be asked.

worlds:";

struct Wish {
    worlds: Vec<&'static dyn World>,
    bound: Option<usize>,
    place: Option<u64>,
    limits: Limits,
    report: bool,
    quick: bool,
}

fn main() -> ExitCode {
    let wish = match wish(env::args().skip(1)) {
        Ok(wish) => wish,
        Err(why) => {
            eprintln!("{why}\n{USAGE}");
            for world in ALL {
                let facts = world.facts();
                let [_, whole] = facts.bounds;
                let reach = declared::of(facts.name).map_or_else(|why| why, |declared| declared.reach(whole));
                eprintln!("  {:<10} {reach} of {}", facts.name, facts.alphabet);
            }
            return ExitCode::from(2);
        }
    };
    match run(&wish) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn wish(mut words: impl Iterator<Item = String>) -> Result<Wish, String> {
    let limits = Limits::default();
    let mut wish = Wish { worlds: Vec::new(), bound: None, place: None, limits, report: false, quick: false };
    while let Some(word) = words.next() {
        let mut number =
            || words.next().and_then(|text| text.parse::<u64>().ok()).ok_or(format!("{word} takes a number"));
        match word.as_str() {
            "--bound" => wish.bound = usize::try_from(number()?).ok(),
            "--item" => wish.place = Some(number()?),
            "--threads" => wish.limits.threads = usize::try_from(number()?).unwrap_or(1),
            "--report" => wish.report = true,
            "--quick" => wish.quick = true,
            name => wish.worlds.push(find(name).ok_or(format!("there is no world {name}"))?),
        }
    }
    if wish.place.is_some() && wish.worlds.len() != 1 {
        return Err("--item takes one world".to_owned());
    }
    if wish.worlds.is_empty() {
        wish.worlds = ALL.to_vec();
    }
    Ok(wish)
}

/// How many cases differ.
fn run(wish: &Wish) -> Result<u64, String> {
    let mut rows = Vec::new();
    for world in &wish.worlds {
        let facts = world.facts();
        let [quick, whole] = facts.bounds;
        let bound = wish.bound.unwrap_or(if wish.quick { quick } else { whole });
        let began = Instant::now();
        let tally = match wish.place {
            Some(place) => item(*world, bound, place)?,
            None => search(*world, bound, &wish.limits, &narrator(facts.name, began))?,
        };
        tell(facts.name, bound, &tally, began.elapsed());
        let Tally { count, accepted, differing, .. } = tally;
        rows.push((declared::of(facts.name)?, Searched { bound, cases: count, lawful: accepted, differing }));
    }
    if wish.report {
        print!("{}", table(rows.iter().copied()));
    }
    Ok(rows.iter().map(|(_, searched)| searched.differing).sum())
}

/// Says every ten seconds how far a search has come.
fn narrator(name: &str, began: Instant) -> impl Fn(Progress) + Sync {
    let last = Mutex::new(began);
    move |Progress { done, size, differing }| {
        let Ok(mut last) = last.lock() else { return };
        if last.elapsed() >= Duration::from_secs(10) {
            *last = Instant::now();
            let (share, seconds) = (100 * u128::from(done) / u128::from(size.max(1)), began.elapsed().as_secs());
            eprintln!("{name}: {share} %, {done} of {size} places in {seconds} s, {differing} differences");
        }
    }
}

fn tell(name: &str, bound: usize, tally: &Tally, time: Duration) {
    let Tally { count, accepted, differing, differences } = tally;
    println!(
        "{name}: bound {bound}, {count} cases, {accepted} lawful, {differing} differences, {:.1} s",
        time.as_secs_f64()
    );
    for difference in differences {
        println!("  {}", difference.text.replace('\n', "\n  "));
        println!("  alone: cargo run --release -p assize-worlds -- {name} --bound {bound} --item {}", difference.place);
    }
}
