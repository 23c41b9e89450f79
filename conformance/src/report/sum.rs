//! From everything that a run found out to its report: sums, levels, and the exit code.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::Outcome,
    operation::{self, Level, Need},
};

use super::{CaseRow, Failure, LawRow, LevelRow, LevelState, Report, Results, Run, TesteeInfo, Totals, Unrun};
use crate::{
    exit::Exit,
    expectations::{Expectation, ExpectationsInfo},
    protocol::{Declaration, Introduction, Limits},
    runner::{CaseResult, LawTally, Tally, Unstable},
    selection::{Selected, belongs},
    suite::Suite,
};

/// Everything that a run found out.
#[derive(Debug)]
pub struct Found<'s> {
    /// What was asked from.
    pub suite: &'s Suite,
    /// The filters.
    pub selection: Selected,
    /// Who answered; nothing when no process ever said hello.
    pub introduction: Option<Introduction>,
    /// Seed of orders and samples.
    pub seed: u32,
    /// Limits.
    pub limits: Limits,
    /// Whether cases went out twice, with a fresh-process sample and controls.
    pub certifying: bool,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Why the testee cannot be used at all.
    pub unusable: Option<String>,
    /// The selected cases.
    pub results: Vec<CaseResult>,
    /// What the expectations file says about each case, and its result.
    pub expectations: Option<(BTreeMap<String, Expectation>, ExpectationsInfo)>,
    /// What the controls came to.
    pub controls: Option<Tally>,
    /// Cases whose answers were not the same each time.
    pub unstable: Vec<Unstable>,
    /// What belongs to this run alone.
    pub run: Run,
}

/// Sums up.
#[must_use]
pub fn sum(found: Found<'_>) -> Report {
    let (statuses, expectations) = found.expectations.unzip();
    let statuses = statuses.unwrap_or_default();
    let tally = found.controls.unwrap_or_default();
    let mut results = found.results;
    results.sort_by(|a, b| a.id.cmp(&b.id));
    let levels = levels(found.suite, found.introduction.as_ref().map(|who| &who.ops), &results);
    let mut totals = Totals::default();
    let mut laws = Laws::new(found.suite);
    let (mut cases, mut failures, mut unrun) = (Vec::new(), Vec::new(), Vec::new());
    for CaseResult { id, judgement, rationale } in results {
        let outcome = judgement.outcome;
        let expectation = statuses.get(&id).copied();
        let law = crate::catalogue::law_of(&id).to_owned();
        for counts in [&mut totals, laws.row(&law)] {
            count(counts, outcome, expectation);
        }
        cases.push(CaseRow { id: id.clone(), outcome, expectation });
        let note = judgement.note;
        match outcome {
            Outcome::Pass => {}
            Outcome::NotApplicable | Outcome::NotRun => {
                unrun.push(Unrun { id, outcome, reason: note.unwrap_or_default() });
            }
            _ => {
                let mismatches = judgement.mismatches;
                failures.push(Failure { id, law, outcome, expectation, mismatches, note, rationale });
            }
        }
    }
    let mut result = Results {
        assize: env!("CARGO_PKG_VERSION"),
        complete: !found.interrupted && found.unusable.is_none() && totals.not_run == 0,
        exit_code: 0,
        certifying: found.certifying,
        suite: found.suite.info(),
        testee: introduced(found.introduction),
        selection: found.selection,
        seed: found.seed,
        limits: found.limits,
        expectations,
        totals,
        laws: laws.finish(found.suite, &tally.laws),
        levels,
        controls: found.certifying.then_some(tally.controls),
        cases,
        failures,
        unrun,
        unstable: found.unstable,
        faults: found.suite.faults.iter().cloned().chain(found.unusable.iter().cloned()).collect(),
    };
    let exit = end(&result, &found.run, found.unusable.is_some());
    result.exit_code = exit.code();
    let mut report = Report { contract: "assize-report/v1", digest: String::new(), result, run: found.run, exit };
    match report.result.digest() {
        Ok(digest) => report.digest = digest.to_hex(),
        Err(_) => {
            // Only a harness that builds a broken report gets here.
            report.exit = Exit::Bug;
            report.result.exit_code = Exit::Bug.code();
        }
    }
    report
}

fn count(counts: &mut Totals, outcome: Outcome, expectation: Option<Expectation>) {
    counts.cases += 1;
    match outcome {
        Outcome::Pass => counts.pass += 1,
        Outcome::NotApplicable => counts.not_applicable += 1,
        Outcome::NotRun => counts.not_run += 1,
        _ => {
            counts.fail += 1;
            counts.expected += usize::from(expectation == Some(Expectation::Expected));
        }
    }
}

/// Rows of laws: those of the manifests first, in their order.
struct Laws {
    rows: Vec<LawRow>,
    places: BTreeMap<String, usize>,
    spare: Totals,
}

impl Laws {
    fn new(suite: &Suite) -> Self {
        let mut laws = Self { rows: Vec::new(), places: BTreeMap::new(), spare: Totals::default() };
        for (slug, title) in &suite.laws {
            laws.push(slug, title);
        }
        laws
    }

    fn push(&mut self, slug: &str, title: &str) {
        self.places.insert(slug.to_owned(), self.rows.len());
        self.rows.push(LawRow {
            slug: slug.to_owned(),
            title: title.to_owned(),
            in_suite: 0,
            counts: Totals::default(),
            altered: Default::default(),
            null_passes: 0,
            credit: 0,
        });
    }

    fn row(&mut self, slug: &str) -> &mut Totals {
        if !self.places.contains_key(slug) {
            self.push(slug, slug);
        }
        let row = self.places.get(slug).and_then(|place| self.rows.get_mut(*place));
        row.map_or(&mut self.spare, |row| &mut row.counts)
    }

    fn finish(mut self, suite: &Suite, tallies: &BTreeMap<String, LawTally>) -> Vec<LawRow> {
        self.rows.retain(|row| row.counts.cases > 0);
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        for id in suite.corpus.cases.keys().chain(suite.broken.keys()) {
            *sizes.entry(crate::catalogue::law_of(id)).or_default() += 1;
        }
        for row in &mut self.rows {
            row.in_suite = sizes.get(row.slug.as_str()).copied().unwrap_or_default();
            if let Some(tally) = tallies.get(&row.slug) {
                (row.altered, row.null_passes, row.credit) = (tally.altered, tally.null_passes, tally.credit);
            }
        }
        self.rows
    }
}

fn introduced(introduction: Option<Introduction>) -> TesteeInfo {
    match introduction {
        Some(who) => TesteeInfo {
            name: who.testee.name,
            version: who.testee.version,
            lang: who.lang,
            shim: who.shim,
            ops: who.ops,
        },
        None => TesteeInfo {
            name: "unknown".to_owned(),
            version: String::new(),
            lang: None,
            shim: None,
            ops: Declaration::default(),
        },
    }
}

fn declared(need: &Need, ops: &Declaration) -> bool {
    ops.names(&need.op)
        && need.args.iter().all(|(name, values)| values.iter().all(|value| ops.has(&need.op, name, value)))
}

fn levels(suite: &Suite, ops: Option<&Declaration>, results: &[CaseResult]) -> Vec<LevelRow> {
    let outcomes: BTreeMap<_, _> =
        results.iter().map(|result| (result.id.as_str(), result.judgement.outcome)).collect();
    let row = |level: &Level| {
        let (mut cases, mut pass, mut fail) = (0, 0, 0);
        for (id, _) in suite.corpus.cases.iter().filter(|(_, case)| belongs(level, case)) {
            cases += 1;
            match outcomes.get(id.as_str()) {
                Some(Outcome::Pass) => pass += 1,
                Some(Outcome::NotApplicable | Outcome::NotRun) | None => {}
                Some(_) => fail += 1,
            }
        }
        let state = if cases == 0 {
            LevelState::Empty
        } else if !ops.is_some_and(|ops| level.operations.iter().all(|need| declared(need, ops))) {
            LevelState::Undeclared
        } else if fail > 0 {
            LevelState::Violated
        } else if pass < cases {
            LevelState::Incomplete
        } else {
            LevelState::Held
        };
        LevelRow { name: level.name.clone(), title: level.title.clone(), state, cases, pass }
    };
    operation::table().levels.iter().map(row).collect()
}

fn end(result: &Results, run: &Run, unusable: bool) -> Exit {
    let totals = result.totals;
    let when = |holds: bool, exit: Exit| if holds { exit } else { Exit::Conforms };
    let broken = !run.session_faults.is_empty() || !run.receipts.is_empty() || !run.orphans.is_empty();
    let troubled = result.expectations.as_ref().is_some_and(|info| !info.drifts.is_empty());
    let answered = totals.pass + totals.fail;
    [
        when(result.controls.as_ref().is_some_and(|controls| !controls.missed.is_empty()), Exit::Bug),
        when(unusable, Exit::Testee),
        when(!result.complete || answered == 0 || !result.faults.is_empty(), Exit::NoAnswer),
        when(totals.fail > totals.expected || broken || !result.unstable.is_empty(), Exit::Violates),
        when(troubled, Exit::Integrity),
    ]
    .into_iter()
    .fold(Exit::Conforms, Exit::or)
}
