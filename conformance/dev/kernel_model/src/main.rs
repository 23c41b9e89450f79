//! Checks both kernels, and every planted bug, to the bounds of a search.

use std::{env, process::ExitCode, time::Instant};

use assize_kernel_model::{Bounds, Bug, Reference, Small, check, check_until};

fn main() -> ExitCode {
    let numbers: Result<Vec<u8>, _> = env::args().skip(1).map(|word| word.parse()).collect();
    let [turns, stems] = match numbers.as_deref() {
        Ok([]) => [4, 3],
        Ok(&[turns, stems]) => [turns, stems],
        _ => {
            eprintln!("usage: assize-kernel-model [TURNS STEMS]");
            return ExitCode::from(2);
        }
    };
    let bounds = Bounds { runs: 2, turns, stems };
    let mut whole = true;
    for (bug, property) in Bug::ALL {
        let found = check_until(Small::new(Some(bug)), Bounds { turns: 2, stems: 2, ..bounds }, 1, property);
        whole &= found.broken.contains_key(property);
        println!("{bug:?}: {} states; {:?}", found.states, found.broken);
    }
    let began = Instant::now();
    let found = check(Small::new(None), bounds, 2);
    whole &= found.broken.is_empty();
    println!("small: {} states, {} steps, {:.0?}; {:?}", found.states, found.steps, began.elapsed(), found.broken);
    let began = Instant::now();
    let found = check(Reference::default(), bounds, 2);
    whole &= found.broken.is_empty();
    println!("reference: {} states, {} steps, {:.0?}; {:?}", found.states, found.steps, began.elapsed(), found.broken);
    if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
