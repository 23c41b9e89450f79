//! Counts what the corpus and the generators of inputs reach: `census [INPUTS]`, inputs of each generator.
//!
//! Prints every cell that no case reaches, with the number of generated inputs that reach it. The census of the
//! corpus alone is `assize vectors census`.

use std::process::ExitCode;

use assize::{census, suite::Suite};
use assize_corpus::store::Store;
use assize_fuzzing::generators;

/// Inputs of each generator, unless another number is asked for.
const INPUTS: u64 = 4_000;

fn main() -> ExitCode {
    let inputs = std::env::args().nth(1).map_or(Ok(INPUTS), |text| text.parse());
    let Ok(inputs) = inputs else {
        eprintln!("usage: census [INPUTS]");
        return ExitCode::from(64);
    };
    let suite = match Suite::load(&Store::embedded()) {
        Ok(suite) => suite,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(3);
        }
    };
    let census = match census::take(&suite, &generators::ALL, inputs, &|| ()) {
        Ok(census) => census,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(3);
        }
    };
    println!("{} cases, {inputs} inputs of each generator ({})", census.cases, census.generators.join(", "));
    for row in census.rows.iter().filter(|row| row.is_empty()) {
        let generated = row.generators.map_or("no generator".to_owned(), |count| format!("{count} generated inputs"));
        let why = row.why.as_deref().unwrap_or("no reason is known");
        println!("{} {} {}: no case, {generated}; {why}", row.cell.system, row.cell.area.name(), row.cell.cell);
    }
    for cell in &census.unlisted {
        println!("reached and listed nowhere: {} {} {}", cell.system, cell.area.name(), cell.cell);
    }
    for stale in &census.stale {
        println!("a reason that no longer holds: {stale}");
    }
    ExitCode::SUCCESS
}
