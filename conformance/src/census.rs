//! What the corpus reaches, and what the generators of inputs reach, of all that there is to reach.
//!
//! The list of possible cells comes from the contracts: operation table, declared laws, schemas, and the classes of
//! `spelling`; so a cell that nothing reaches has a name. The corpus is counted by inputs and *expectations*, never by the
//! verifier's answers. Generated inputs have no expectations: for these the verifier is asked, so that column says what is
//! exercised, and nothing about whether it is right.
//!
//! What a full cell does not prove: that its cases tell right from wrong. That is measured by mutation.

mod answers;
mod schema;
mod spelling;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use assize_corpus::{
    testee::Answer,
    vector::{Case, Entry},
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::suite::Suite;

/// Reasons why cells stay empty, written by hand; each stands once, with its cells.
const REASONS: &str = include_str!("../census.json");

/// One thing to be reached.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Cell {
    /// The system whose inputs or answers it belongs to.
    pub system: String,
    /// What kind of thing it is.
    pub area: Area,
    /// Which of them.
    pub cell: String,
}

/// A kind of thing to be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Area {
    /// A value that an output may have: verdicts, outcomes, exception classes, phases.
    Output,
    /// A code of a rejection.
    Code,
    /// A law that a finding may name.
    Finding,
    /// Status of a comparison report, by mode.
    Status,
    /// Surface of a mismatch, by mode.
    Surface,
    /// Stage of a mismatch, by mode.
    Stage,
    /// Reason code of a mismatch, by mode.
    Reason,
    /// A branch of a schema that a judged document satisfies or violates.
    Schema,
    /// A class of number tokens.
    Number,
    /// A class of strings.
    String,
}

impl Area {
    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Code => "code",
            Self::Finding => "finding",
            Self::Status => "status",
            Self::Surface => "surface",
            Self::Stage => "stage",
            Self::Reason => "reason",
            Self::Schema => "schema",
            Self::Number => "number",
            Self::String => "string",
        }
    }
}

impl Cell {
    fn new(system: &str, area: Area, cell: impl Into<String>) -> Self {
        Self { system: system.to_owned(), area, cell: cell.into() }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {} {}", self.system, self.area.name(), self.cell)
    }
}

/// One cell with what reaches it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Which.
    #[serde(flatten)]
    pub cell: Cell,
    /// Cases of the corpus.
    pub corpus: usize,
    /// Generated inputs; nothing where the system has no generator yet.
    pub generators: Option<usize>,
    /// Why it cannot be reached, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Row {
    /// Whether no case of the corpus reaches it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.corpus == 0
    }
}

/// The whole table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Census {
    /// Cases that were counted.
    pub cases: usize,
    /// Generated inputs of each kind.
    pub inputs: u64,
    /// The generators.
    pub generators: Vec<&'static str>,
    /// Every cell, by system, area and name.
    pub rows: Vec<Row>,
    /// Cells that were reached and that the contracts do not list: a bug of ours.
    pub unlisted: Vec<Cell>,
    /// Reasons for cells that do not exist, that something reaches, or that have another reason too.
    pub stale: Vec<String>,
}

/// Makes inputs of one kind. The generators themselves belong to development crates, and are handed to [`take`].
#[derive(Debug, Clone, Copy)]
pub struct Generator {
    /// Its name.
    pub name: &'static str,
    /// The system whose cells it reaches.
    pub system: &'static str,
    /// The input of a seed, with its answers.
    pub sample: fn(u64) -> Sample,
}

/// One generated input, and what the verifier answered.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The operation that was asked.
    pub op: &'static str,
    /// Its documents, by name.
    pub documents: Vec<(String, Vec<u8>)>,
    /// Its files, by path.
    pub files: Vec<(String, Vec<u8>)>,
    /// The answers, each with the mode that was asked for.
    pub answers: Vec<(&'static str, Answer)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    why: String,
    /// Each as it is displayed.
    cells: Vec<String>,
}

/// Every cell that the contracts name, whether or not anything reaches it.
#[must_use]
pub fn universe() -> BTreeSet<Cell> {
    let mut cells = answers::universe();
    cells.extend(schema::universe());
    cells.extend(spelling::universe());
    cells
}

/// Counts a suite and a number of inputs of each generator, on the current thread pool. `step` is called for each case and for
/// each generated input.
///
/// # Errors
/// The file of reasons is broken: a bug of ours.
pub fn take(
    suite: &Suite,
    generators: &[Generator],
    inputs: u64,
    step: &(dyn Fn() + Sync),
) -> Result<Census, serde_json::Error> {
    let cases: Vec<&Case> = suite.corpus.cases.values().collect();
    let corpus = counted(cases.par_iter().map(|case| {
        step();
        of_case(case)
    }));
    let generated = counted(generators.par_iter().flat_map(|generator| {
        (0..inputs).into_par_iter().map(move |seed| {
            step();
            of_sample(generator.system, &(generator.sample)(seed))
        })
    }));
    let reasons: Vec<Reason> = serde_json::from_str(REASONS)?;
    let universe = universe();
    let unlisted = corpus.keys().chain(generated.keys()).filter(|cell| !universe.contains(*cell));
    let unlisted: BTreeSet<Cell> = unlisted.cloned().collect();
    let mut stale = Vec::new();
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for Reason { why, cells } in reasons {
        for cell in cells {
            if known.insert(cell.clone(), why.clone()).is_some() {
                stale.push(format!("{cell}: a second reason"));
            }
        }
    }
    let rows: Vec<Row> = universe
        .into_iter()
        .map(|cell| {
            let why = known.remove(&cell.to_string());
            let (corpus, generated) = (corpus.get(&cell).copied(), generated.get(&cell).copied());
            if why.is_some() && (corpus.is_some() || generated.is_some()) {
                stale.push(format!("{cell}: something reaches it"));
            }
            let has_generator = generators.iter().any(|generator| generator.system == cell.system);
            Row { cell, corpus: corpus.unwrap_or(0), generators: has_generator.then(|| generated.unwrap_or(0)), why }
        })
        .collect();
    stale.extend(known.into_keys().map(|cell| format!("{cell}: no such cell")));
    Ok(Census {
        cases: cases.len(),
        inputs,
        generators: generators.iter().map(|generator| generator.name).collect(),
        rows,
        unlisted: unlisted.into_iter().collect(),
        stale,
    })
}

fn counted(reached: impl ParallelIterator<Item = BTreeSet<Cell>>) -> BTreeMap<Cell, usize> {
    let fold = |mut counts: BTreeMap<Cell, usize>, cells: BTreeSet<Cell>| {
        for cell in cells {
            *counts.entry(cell).or_default() += 1;
        }
        counts
    };
    let join = |mut left: BTreeMap<Cell, usize>, right: BTreeMap<Cell, usize>| {
        for (cell, count) in right {
            *left.entry(cell).or_default() += count;
        }
        left
    };
    reached.fold(BTreeMap::new, fold).reduce(BTreeMap::new, join)
}

/// What a case reaches by its inputs and by what is expected of it.
fn of_case(case: &Case) -> BTreeSet<Cell> {
    let system = case.id.split('/').next().unwrap_or_default();
    let mode = case.args.get("mode").and_then(serde_json::Value::as_str).unwrap_or("law");
    let mut cells = answers::expected(&case.op, mode, &case.expect);
    let contract = case.args.get("contract").and_then(serde_json::Value::as_str);
    for (name, document) in &case.inputs {
        let octets = document.bytes();
        cells.extend(spelling::of(system, &octets));
        cells.extend(schema::of_input(&case.op, name, contract, &octets));
    }
    for (path, entry) in &case.files {
        let Entry::File(document) = entry else { continue };
        let octets = document.bytes();
        cells.extend(spelling::of(system, &octets));
        cells.extend(schema::of_file(&case.op, path, &octets));
    }
    cells
}

/// What a generated input reaches by itself and by its answers.
fn of_sample(system: &str, sample: &Sample) -> BTreeSet<Cell> {
    let mut cells = BTreeSet::new();
    for (mode, answer) in &sample.answers {
        cells.extend(answers::answered(sample.op, mode, answer));
    }
    for (name, octets) in &sample.documents {
        cells.extend(spelling::of(system, octets));
        cells.extend(schema::of_input(sample.op, name, None, octets));
    }
    for (path, octets) in &sample.files {
        cells.extend(spelling::of(system, octets));
        cells.extend(schema::of_file(sample.op, path, octets));
    }
    cells
}
