//! `assize vectors census`: what the corpus reaches, and what it leaves out.

use std::path::PathBuf;

use assize::{
    census::{self, Area, Census, Row},
    exit::Exit,
    suite::Suite,
};
use serde_json::json;

use crate::cli::{Format, error::CliError, input, output, progress::Bar};

pub(super) const EXAMPLES: &str = "\
Examples:
  assize vectors census                     the vectors that were built in
  assize vectors census --format json       every cell with its counts

Column `full` counts cells that a case reaches by its inputs or by what is expected of it.

Exit codes:
  0  counted
  3  the folder cannot be read, or a vector in it does not load";

/// What is counted, and how it is shown.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The folder of the vectors; those that were built in if there is none.
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// How the census is written.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

pub(super) fn run(args: &Args) -> Result<Exit, CliError> {
    let store = input::corpus(args.folder.as_deref())?;
    let suite = Suite::load(&store).map_err(|error| CliError::unreadable(error, "restore the corpus"))?;
    if let Some(error) = suite.corpus.errors.first() {
        return Err(CliError::unreadable(error, "run `assize vectors check`"));
    }
    let bar = Bar::over(suite.len(), "cases");
    let census = census::take(&suite, &[], 0, &|| bar.step());
    bar.finish();
    let census = census.map_err(|error| CliError::unreadable(error, "restore the file of reasons"))?;
    match args.format {
        Format::Json => output::json(&json!({"contract": "assize-census/v1", "census": census}))?,
        Format::Human => output::say(&human(&census))?,
    }
    Ok(Exit::Conforms)
}

fn human(census: &Census) -> String {
    let mut text = output::table(["system", "area", "cells", "full", "empty"], sums(&census.rows));
    let empty: Vec<&Row> = census.rows.iter().filter(|row| row.is_empty()).collect();
    let argued = empty.iter().filter(|row| row.why.is_some()).count();
    let cells = |count| output::counted(count, "cell", "cells");
    let cases = output::counted(census.cases, "case", "cases");
    text.push_str(&format!("\n{}; {cases} by inputs and expectations\n", cells(census.rows.len())));
    text.push_str(&format!("{} that no case reaches, {argued} of them with a reason\n", cells(empty.len())));
    for row in empty {
        let why = row.why.as_ref().map(|why| format!("\n      {why}"));
        text.push_str(&output::clean(&format!("  {}", row.cell)));
        text.push_str(&format!("{}\n", why.unwrap_or_default()));
    }
    for (what, listed) in [
        ("reached and listed nowhere", census.unlisted.iter().map(|cell| cell.cell.clone()).collect::<Vec<_>>()),
        ("a reason that no longer holds", census.stale.clone()),
    ] {
        for cell in listed {
            text.push_str(&format!("{what}: {}\n", output::clean(&cell)));
        }
    }
    text
}

/// A line for each area of each system.
fn sums(rows: &[Row]) -> Vec<[String; 5]> {
    let mut areas: Vec<(&str, Area)> = rows.iter().map(|row| (row.cell.system.as_str(), row.cell.area)).collect();
    areas.dedup();
    let line = |(system, area): (&str, Area)| {
        let of = || rows.iter().filter(|row| row.cell.system == system && row.cell.area == area);
        let (cells, full) = (of().count(), of().filter(|row| !row.is_empty()).count());
        [system.to_owned(), area.name().to_owned(), cells.to_string(), full.to_string(), (cells - full).to_string()]
    };
    areas.into_iter().map(line).collect()
}
