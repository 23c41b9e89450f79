//! From everything that a run found out to its report: sums, levels, and the exit code.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    agreement::Outcome,
    operation::{self, Level, Need},
    vector::{Case, Weight},
};

use super::{
    CaseRow, Challenged, FailOn, Failure, Grade, LawRow, LevelRow, LevelState, Report, Results, RulingsInfo, Run,
    RunGrade, TesteeInfo, Totals, Unrun,
    cluster::clusters,
    grade::{Answered, Weighed, rulings},
};
use crate::{
    exit::Exit,
    expectations::{Expectation, ExpectationsInfo},
    protocol::{Capabilities, Declaration, Introduction, Limits},
    runner::{CaseResult, LawTally, Probe, Tally, Unstable},
    selection::{Selected, belongs},
    suite::Suite,
    words::counted,
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
    /// Why the run could not go on, through no fault of the testee.
    pub short: Option<String>,
    /// Controls that showed nothing.
    pub silent: Vec<String>,
    /// The selected cases.
    pub results: Vec<CaseResult>,
    /// What the expectations file says about each case, and its result.
    pub expectations: Option<(BTreeMap<String, Expectation>, ExpectationsInfo)>,
    /// What the passes are worth, and what the controls came to.
    pub tally: Tally,
    /// What became of the declared limits.
    pub probes: Vec<Probe>,
    /// The least weight that ends the command with an error.
    pub fail_on: FailOn,
    /// Rulings that were left out.
    pub without: BTreeSet<String>,
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
    let tally = found.tally;
    let mut results = found.results;
    results.sort_by(|a, b| a.id.cmp(&b.id));
    let case = |result: &CaseResult| found.suite.corpus.cases.get(&result.id);
    // What was answered is not the answer of an implementation where none can be used, so it has no grade.
    let usable = results.iter().filter(|_| found.unusable.is_none());
    let answered: BTreeMap<String, Answered> = usable
        .filter_map(|result| {
            Some((result.id.clone(), Answered::new(case(result)?, &result.judgement, &found.without)?))
        })
        .collect();
    let weigher = Weigher { suite: found.suite, tally: &tally, answered: &answered };
    let levels = weigher.levels(found.introduction.as_ref(), &results);
    let mut rests_on = BTreeSet::new();
    let mut totals = Totals::default();
    let mut laws = Laws::new(found.suite);
    let (mut cases, mut failures, mut remarks, mut unrun) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let grades = weigher.laws(&results);
    let (mut counting, mut beside) = (false, 0);
    let mut run = found.run;
    for CaseResult { id, judgement, rationale, took } in results {
        run.took.extend(took.map(|took| (id.clone(), took)));
        let outcome = judgement.outcome;
        let expectation = statuses.get(&id).copied();
        let law = crate::catalogue::law_of(&id).to_owned();
        let force = judgement.force;
        for counts in [&mut totals, laws.row(&law)] {
            count(counts, outcome, force, expectation);
        }
        cases.push(CaseRow { id: id.clone(), outcome, force, behaviour: judgement.behaviour, expectation });
        let note = judgement.note;
        if matches!(outcome, Outcome::NotApplicable | Outcome::NotRun) {
            unrun.push(Unrun { id, outcome, reason: note.unwrap_or_default() });
            continue;
        }
        // What is beside the corpus rests on what its cases rest on, and is another in every run.
        if found.suite.bases.contains_key(&id) {
            beside += 1;
        } else {
            rests_on.extend(found.suite.corpus.cases.get(&id).into_iter().flat_map(rulings).cloned());
        }
        if let Some(force) = force {
            counting |= found.fail_on.counts(force) && expectation != Some(Expectation::Expected);
            let mismatches = judgement.mismatches;
            let failure = Failure { id, law, outcome, force, expectation, mismatches, note, rationale };
            if force == Weight::Interface { remarks.push(failure) } else { failures.push(failure) }
        }
    }
    let mut result = Results {
        assize: env!("CARGO_PKG_VERSION"),
        complete: !found.interrupted && found.unusable.is_none() && found.short.is_none() && totals.not_run == 0,
        grade: RunGrade::Incomplete,
        fail_on: found.fail_on,
        exit_code: 0,
        certifying: found.certifying,
        suite: found.suite.info(),
        testee: introduced(found.introduction),
        selection: found.selection,
        seed: found.seed,
        challenges: Challenged::of(found.suite, beside),
        limits: found.limits,
        rulings: RulingsInfo {
            rests_on: rests_on.difference(&found.without).cloned().collect(),
            left_out: found.without.iter().cloned().collect(),
        },
        expectations,
        totals,
        laws: laws.finish(found.suite, &tally.laws, &grades),
        levels,
        controls: found.certifying.then_some(tally.controls),
        cases,
        clusters: clusters(found.suite, &failures),
        failures,
        remarks,
        unrun,
        probes: found.probes,
        unstable: found.unstable,
        faults: found
            .suite
            .faults
            .iter()
            .cloned()
            .chain(found.unusable.iter().chain(&found.short).cloned())
            .chain(shown_nothing(&found.silent))
            .collect(),
    };
    let exit = end(&result, &run, found.unusable.is_some(), counting);
    result.exit_code = exit.code();
    result.grade = run_grade(&result, exit);
    let mut report = Report { contract: "assize-report/v2", digest: String::new(), result, run, exit };
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

fn count(counts: &mut Totals, outcome: Outcome, force: Option<Weight>, expectation: Option<Expectation>) {
    counts.cases += 1;
    match (outcome, force) {
        (Outcome::NotApplicable, _) => counts.not_applicable += 1,
        (Outcome::NotRun, _) => counts.not_run += 1,
        (_, None) => counts.pass += 1,
        (_, Some(Weight::Interface)) => {
            counts.pass += 1;
            counts.remarks += 1;
        }
        (_, Some(force)) => {
            counts.fail += 1;
            counts.spec += usize::from(force == Weight::Spec);
            counts.ruling += usize::from(force == Weight::Ruling);
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
            grade: Grade::NotAsked,
            lacks: None,
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

    fn finish(
        mut self,
        suite: &Suite,
        tallies: &BTreeMap<String, LawTally>,
        grades: &BTreeMap<String, Weighed>,
    ) -> Vec<LawRow> {
        self.rows.retain(|row| row.counts.cases > 0);
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        for id in suite.corpus.cases.keys().chain(suite.broken.keys()) {
            *sizes.entry(crate::catalogue::law_of(id)).or_default() += 1;
        }
        for row in &mut self.rows {
            row.in_suite = sizes.get(row.slug.as_str()).copied().unwrap_or_default();
            let weighed = grades.get(&row.slug).copied().unwrap_or_default();
            (row.grade, row.lacks) = (weighed.grade(), weighed.lacks());
            if let Some(tally) = tallies.get(&row.slug) {
                (row.altered, row.null_passes, row.credit) = (tally.altered, tally.null_passes, tally.credit);
            }
        }
        self.rows
    }
}

/// One fault for all controls that showed nothing: the first few by name.
fn shown_nothing(silent: &[String]) -> Option<String> {
    const NAMED: usize = 3;
    let named = silent.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join("; ");
    let rest = match silent.len().saturating_sub(NAMED) {
        0 => String::new(),
        rest => format!("; and {rest} more"),
    };
    let controls = counted(silent.len(), "control", "controls");
    (!silent.is_empty()).then(|| {
        format!("{controls} showed nothing, since a testee has to answer there as it did before: {named}{rest}; run it again")
    })
}

fn introduced(introduction: Option<Introduction>) -> TesteeInfo {
    match introduction {
        Some(who) => TesteeInfo {
            name: who.testee.name,
            version: who.testee.version,
            lang: who.lang,
            shim: who.shim,
            ops: who.ops,
            capabilities: who.capabilities,
        },
        None => TesteeInfo {
            name: "unknown".to_owned(),
            version: String::new(),
            lang: None,
            shim: None,
            ops: Declaration::default(),
            capabilities: Capabilities::default(),
        },
    }
}

fn declared(need: &Need, ops: &Declaration) -> bool {
    ops.names(&need.op)
        && need.args.iter().all(|(name, values)| values.iter().all(|value| ops.has(&need.op, name, value)))
}

/// What grades are made from beside the outcomes.
#[derive(Clone, Copy)]
struct Weigher<'r> {
    suite: &'r Suite,
    tally: &'r Tally,
    answered: &'r BTreeMap<String, Answered>,
}

/// What the cases of a level came to.
#[derive(Default)]
struct LevelTally<'r> {
    cases: usize,
    pass: usize,
    missing: usize,
    laws: BTreeMap<&'r str, Weighed>,
}

impl<'r> Weigher<'r> {
    fn add(self, weighed: &mut Weighed, result: &CaseResult) {
        if let Some(answered) = self.answered.get(&result.id) {
            weighed.add(*answered, &result.judgement, self.tally.credited.contains(&result.id));
        }
    }

    /// What the selected cases of each law come to.
    fn laws(self, results: &[CaseResult]) -> BTreeMap<String, Weighed> {
        let mut laws: BTreeMap<String, Weighed> = BTreeMap::new();
        for result in results {
            self.add(laws.entry(result.law().to_owned()).or_default(), result);
        }
        laws
    }

    fn levels(self, who: Option<&Introduction>, results: &[CaseResult]) -> Vec<LevelRow> {
        let results: BTreeMap<_, _> = results.iter().map(|result| (result.id.as_str(), result)).collect();
        let mut levels: Vec<(&Level, LevelTally<'_>)> =
            operation::table().levels.iter().map(|level| (level, LevelTally::default())).collect();
        let mut asking: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (index, (level, _)) in levels.iter().enumerate() {
            for need in &level.operations {
                asking.entry(&need.op).or_default().insert(index);
            }
        }
        // Over the cases once: most levels ask another operation.
        for (id, case) in &self.suite.corpus.cases {
            let result = results.get(id.as_str()).copied();
            for index in asking.get(case.op.as_str()).into_iter().flatten() {
                if let Some((_, tally)) = levels.get_mut(*index).filter(|(level, _)| belongs(level, case)) {
                    self.count(tally, case, result);
                }
            }
        }
        levels.into_iter().map(|(level, tally)| Self::level(level, who, tally)).collect()
    }

    fn count(self, tally: &mut LevelTally<'r>, case: &'r Case, result: Option<&CaseResult>) {
        tally.cases += 1;
        match result {
            Some(result) if result.judgement.holds() => tally.pass += 1,
            Some(result) if result.judgement.outcome != Outcome::NotRun => {}
            _ => tally.missing += 1,
        }
        if let Some(result) = result {
            self.add(tally.laws.entry(case.law()).or_default(), result);
        }
    }

    /// A level is judged by its own cases: another mode of the same law is another level's business.
    fn level(level: &Level, who: Option<&Introduction>, tally: LevelTally<'_>) -> LevelRow {
        let LevelTally { cases, pass, missing, laws } = tally;
        let grade = laws.into_values().map(Weighed::grade).max().unwrap_or(Grade::NotAsked);
        let state = if cases == 0 {
            LevelState::Empty
        } else if !who.is_some_and(|who| level.operations.iter().all(|need| declared(need, &who.ops))) {
            LevelState::Undeclared
        } else if who.is_some_and(|who| who.capabilities.owes(&level.owed).is_some()) {
            LevelState::Incapable
        } else if grade == Grade::Violates {
            LevelState::Violated
        } else if missing > 0 || grade == Grade::NotAsked {
            LevelState::Incomplete
        } else {
            LevelState::Held
        };
        let less = who.map(|who| who.capabilities.restrictions(level)).unwrap_or_default();
        let title =
            if less.is_empty() { level.title.clone() } else { format!("{} ({})", level.title, less.join(", ")) };
        LevelRow { name: level.name.clone(), title, state, grade, cases, pass }
    }
}

/// `counting`: a failure that nobody expects weighs enough.
fn end(result: &Results, run: &Run, unusable: bool, counting: bool) -> Exit {
    let totals = result.totals;
    let when = |holds: bool, exit: Exit| if holds { exit } else { Exit::Conforms };
    let broken = result.probes.iter().any(|probe| probe.message.is_some())
        || !run.session_faults.is_empty()
        || !run.receipts.is_empty()
        || !run.orphans.is_empty();
    let troubled = result.expectations.as_ref().is_some_and(|info| !info.drifts.is_empty());
    let answered = totals.pass + totals.fail;
    let judged = result.laws.iter().any(|law| law.grade != Grade::NotAsked);
    [
        when(result.controls.as_ref().is_some_and(|controls| !controls.missed.is_empty()), Exit::Bug),
        when(unusable, Exit::Testee),
        when(!result.complete || answered == 0 || !judged || !result.faults.is_empty(), Exit::NoAnswer),
        when(counting || broken || !result.unstable.is_empty(), Exit::Violates),
        when(troubled, Exit::Integrity),
    ]
    .into_iter()
    .fold(Exit::Conforms, Exit::or)
}

/// The worst of the laws that have a grade. What left a ruling out does not conform strictly.
fn run_grade(result: &Results, exit: Exit) -> RunGrade {
    if !matches!(exit, Exit::Conforms | Exit::Violates | Exit::Integrity) {
        return RunGrade::Incomplete;
    }
    match result.laws.iter().map(|law| law.grade).max() {
        Some(Grade::Violates) => RunGrade::Violates,
        Some(Grade::Conforms) => RunGrade::Conforms,
        Some(Grade::ConformsStrictly) if !result.rulings.left_out.is_empty() => RunGrade::Conforms,
        Some(Grade::ConformsStrictly) if result.totals.ruling > 0 => RunGrade::Conforms,
        Some(Grade::ConformsStrictly) => RunGrade::ConformsStrictly,
        Some(Grade::NotAsked) | None => RunGrade::Incomplete,
    }
}
