//! The report for people.

use std::{collections::BTreeMap, fmt::Write as _};

use assize_corpus::agreement::Outcome;
use comfy_table::{CellAlignment, Table, presets};

use super::{
    Failure, Grade, LawRow, LevelState, Report,
    view::{self, Verdict},
};
use crate::{
    clean::{clean, lines},
    runner::Altered,
    words::{counted, plural},
};

/// Whether words are coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// Plain text.
    Plain,
    /// ANSI colours, for a terminal.
    Colour,
}

impl Paint {
    /// Green.
    #[must_use]
    pub fn good(self, text: &str) -> String {
        self.coat("32", text)
    }

    /// Red.
    #[must_use]
    pub fn bad(self, text: &str) -> String {
        self.coat("31", text)
    }

    /// Bold.
    #[must_use]
    pub fn strong(self, text: &str) -> String {
        self.coat("1", text)
    }

    fn coat(self, code: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Colour => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }
}

/// The grade, the table by law, what failed, what has no answer and why, the levels, what is wrong with the run, and the verdict.
/// Nothing in it steers a terminal.
#[must_use]
pub fn write(report: &Report, paint: Paint) -> String {
    within(report, paint, None)
}

/// The same, with a table that fits this many columns; nothing else is folded.
#[must_use]
pub fn within(report: &Report, paint: Paint, width: Option<u16>) -> String {
    let mut text = String::new();
    first(report, paint, &mut text);
    if view::unusable(report) {
        text.push_str("what its shim does wrong, and how to mend it: assize doctor -- COMMAND\n");
        origin(report, &mut text);
        return text;
    }
    if report.result.totals.cases > 0 {
        text.push('\n');
        table(report, width, &mut text);
    }
    failures(report, paint, &mut text);
    known(report, &mut text);
    unanswered(report, paint, &mut text);
    levels(report, paint, &mut text);
    nulls(report, &mut text);
    flaws(report, paint, &mut text);
    verdict(report, paint, &mut text);
    text
}

/// The grade and what it rests on.
fn first(report: &Report, paint: Paint, text: &mut String) {
    let word = view::word_of(report);
    let word = if Verdict::of(report) == Verdict::Conforms { paint.good(word) } else { paint.bad(word) };
    let _ = writeln!(text, "{word}: {}", view::reason(report));
}

/// Columns beside those of every run.
#[derive(Clone, Copy)]
struct Columns {
    expected: bool,
    controls: bool,
}

fn table(report: &Report, width: Option<u16>, text: &mut String) {
    let result = &report.result;
    let columns = Columns { expected: result.expectations.is_some(), controls: result.controls.is_some() };
    let mut header = vec!["cases", "pass", "remarks", "fail", "ruling"];
    header.extend(columns.expected.then_some("expected"));
    header.extend(["n/a", "not run"]);
    if columns.controls {
        header.extend(["controls", "null", "credit"]);
    }
    let total = LawRow {
        in_suite: result.suite.cases,
        slug: "total".to_owned(),
        title: String::new(),
        grade: Grade::NotAsked,
        lacks: None,
        counts: result.totals,
        altered: result.controls.as_ref().map_or(Altered::default(), |controls| controls.altered),
        null_passes: result.laws.iter().map(|law| law.null_passes).sum(),
        credit: result.laws.iter().map(|law| law.credit).sum(),
    };
    let mut rows = vec![("law".into(), header.into_iter().map(str::to_owned).collect())];
    rows.extend(result.laws.iter().chain([&total]).map(|law| (clean(&law.slug), counts(law, columns))));
    let lines = aligned(rows.iter().map(|(name, cells)| [&[name.to_string()][..], cells].concat()), 1);
    let fits = |line: &String| width.is_none_or(|width| line.chars().count() <= usize::from(width));
    if lines.iter().all(fits) {
        text.extend(lines.iter().map(|line| format!("{line}\n")));
        return;
    }
    // Names of laws are long and are there to be copied: where there is no room for them beside the numbers, they stand above.
    let numbers = aligned(rows.iter().map(|(_, cells)| cells.clone()), 0);
    text.extend(rows.iter().zip(numbers).map(|((name, _), line)| format!("{name}\n  {line}\n")));
}

/// Columns of a table, those from a place on to the right.
fn aligned(rows: impl Iterator<Item = Vec<String>>, from: usize) -> Vec<String> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding(if index == 0 { (0, 1) } else { (1, 1) });
        if index >= from {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// The numbers of a law.
fn counts(law: &LawRow, columns: Columns) -> Vec<String> {
    let counts = law.counts;
    let mut cells = vec![counts.cases, counts.pass, counts.remarks, counts.fail, counts.ruling];
    cells.extend(columns.expected.then_some(counts.expected));
    cells.extend([counts.not_applicable, counts.not_run]);
    let mut cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
    if columns.controls {
        let caught = format!("{}/{}", law.altered.caught, law.altered.planted);
        cells.extend([caught, law.null_passes.to_string(), law.credit.to_string()]);
    }
    cells
}

/// Failures that nobody expects, those that look like one as one: the smallest in full, the others by name.
fn failures(report: &Report, paint: Paint, text: &mut String) {
    let unexpected: BTreeMap<&str, &Failure> =
        view::unexpected(report).map(|failure| (failure.id.as_str(), failure)).collect();
    for cluster in &report.result.clusters {
        let ids: Vec<&str> =
            cluster.cases.iter().map(String::as_str).filter(|id| unexpected.contains_key(id)).collect();
        let shown = unexpected.get(cluster.smallest.as_str()).or_else(|| unexpected.get(ids.first()?));
        let Some(failure) = shown else { continue };
        detail(report, failure, paint, text);
        if ids.len() > 1 {
            let others = ids.iter().copied().filter(|id| *id != failure.id).collect::<Vec<_>>();
            let _ = writeln!(text, "  {} more like it: {}", others.len(), view::listed(others.into_iter(), 3));
        }
    }
}

fn detail(report: &Report, failure: &Failure, paint: Paint, text: &mut String) {
    let outcome = paint.bad(failure.outcome.name());
    let force = failure.force.name();
    let _ =
        writeln!(text, "\n{outcome} ({force}) {}\n  {}", paint.strong(&clean(&failure.id)), clean(&failure.rationale));
    if let Some(note) = &failure.note {
        let _ = writeln!(text, "  - {}", clean(note));
    }
    for mismatch in &failure.mismatches {
        let _ = writeln!(text, "  - {}", clean(&mismatch.to_string()));
    }
    if let Some(evidence) = report.run.evidence.get(&failure.id) {
        if failure.note.as_deref() != Some(evidence.message.as_str()) {
            let _ = writeln!(text, "  - {}", clean(&evidence.message));
        }
        for line in lines(&evidence.stderr) {
            let _ = writeln!(text, "  stderr: {line}");
        }
    }
    let _ = writeln!(text, "  alone: {}", view::alone(report, &failure.id));
}

/// Failures that the expectations file names, as counts: they are known.
fn known(report: &Report, text: &mut String) {
    let counts: Vec<_> =
        view::expected(report).into_iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    if !counts.is_empty() {
        let _ = writeln!(text, "\nexpected failures: {}", counts.join(", "));
    }
}

fn unanswered(report: &Report, paint: Paint, text: &mut String) {
    for (place, group) in view::groups(report).into_iter().enumerate() {
        if place == 0 {
            text.push('\n');
        }
        let name = group.outcome.name();
        let outcome = if group.outcome == Outcome::NotRun { paint.bad(name) } else { name.to_owned() };
        let (count, ids) = (group.ids.len(), view::listed(group.ids.into_iter(), 3));
        let _ =
            writeln!(text, "{outcome} {count} {}: {}\n  {ids}", plural(count, "case", "cases"), clean(group.reason));
    }
}

fn levels(report: &Report, paint: Paint, text: &mut String) {
    let rows: Vec<_> = view::levels(report).collect();
    if rows.is_empty() {
        return;
    }
    let wide = rows.iter().map(|level| level.name.chars().count()).max().unwrap_or_default();
    text.push_str("\nlevels\n");
    for level in rows {
        let padded = format!("{:<10}", level.state.name());
        let state = match level.state {
            LevelState::Held => paint.good(&padded),
            LevelState::Violated => paint.bad(&padded),
            LevelState::Incomplete | LevelState::Undeclared | LevelState::Incapable | LevelState::Empty => padded,
        };
        let _ = writeln!(
            text,
            "  {:<wide$}  {state}  {:<17}  {} of {} {}",
            level.name,
            level.grade.name(),
            level.pass,
            level.cases,
            plural(level.cases, "case passes", "cases pass")
        );
    }
}

fn nulls(report: &Report, text: &mut String) {
    let Some(controls) = &report.result.controls else {
        return;
    };
    let Altered { planted, caught } = controls.altered;
    let _ = writeln!(text, "\ncontrols: {caught} of {planted} altered answers caught");
    for null in &controls.null_testees {
        let cases = counted(null.cases, "case", "cases");
        let _ = writeln!(text, "  null testee {}: passes {} of {cases}", null.name, null.pass);
    }
}

fn flaws(report: &Report, paint: Paint, text: &mut String) {
    for (place, flaw) in view::flaws(report).into_iter().enumerate() {
        if place == 0 {
            text.push('\n');
        }
        let about = if flaw.about.is_empty() { String::new() } else { format!(" {}", clean(&flaw.about)) };
        let _ = writeln!(text, "{}{about}: {}", paint.bad(flaw.kind), clean(&flaw.message));
        for line in &flaw.detail {
            let _ = writeln!(text, "  {}", clean(line));
        }
    }
}

fn verdict(report: &Report, paint: Paint, text: &mut String) {
    let (word, reason) = (view::word_of(report), view::reason(report));
    let start = if text.is_empty() { "" } else { "\n" };
    let _ = match Verdict::of(report) {
        Verdict::Conforms => writeln!(text, "{start}{} {}: {reason}", view::who(report), paint.good(word)),
        Verdict::Violates => writeln!(text, "{start}{} {}: {reason}", view::who(report), paint.bad(word)),
        Verdict::Incomplete => writeln!(text, "{start}{}: {reason}", paint.bad(word)),
    };
    let result = &report.result;
    if result.controls.is_some() && result.totals.pass > 0 {
        let credit: usize = result.laws.iter().map(|law| law.credit).sum();
        let passes = plural(result.totals.pass, "pass tells", "passes tell");
        let _ = writeln!(
            text,
            "credit: {credit} of {} {passes} it from a testee that looks at nothing",
            result.totals.pass
        );
    }
    origin(report, text);
}

/// What was asked, of whom and how: whatever else is said rests on it.
fn origin(report: &Report, text: &mut String) {
    let result = &report.result;
    let _ = writeln!(text, "suite  {} ({})", result.suite.sha256, counted(result.suite.cases, "case", "cases"));
    if let Some(challenges) = &result.challenges {
        let _ = writeln!(text, "challenges: {}", clean(&challenges.to_string()));
    }
    let _ = writeln!(text, "result {}", report.digest);
    let _ = writeln!(text, "seed   {0} (the same questions in the same orders: --seed {0})", result.seed);
    let _ = writeln!(text, "contained: {}", view::containment(report));
    let Some(command) = &report.run.command else { return };
    if let Some(subject) = &command.subject {
        let runtime = command.runtime.as_ref().map(|runtime| format!("; packages of its runtime: {runtime}"));
        let _ = writeln!(text, "subject: {subject}{}", runtime.unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};
    use crate::clean::steers;

    fn header(report: &Report) -> Vec<String> {
        let text = write(report, Paint::Plain);
        text.lines()
            .find(|line| line.starts_with("law "))
            .unwrap()
            .split("  ")
            .filter(|name| !name.is_empty())
            .map(|name| name.trim().to_owned())
            .collect()
    }

    #[test]
    fn columns_are_those_that_the_run_fills() {
        let controls =
            ["law", "cases", "pass", "remarks", "fail", "ruling", "n/a", "not run", "controls", "null", "credit"];
        assert_eq!(header(&fixture::passing().0), controls);
        assert_eq!(
            header(&fixture::known().0),
            ["law", "cases", "pass", "remarks", "fail", "ruling", "expected", "n/a", "not run"]
        );
        let unusable = write(&fixture::unusable().0, Paint::Plain);
        assert!(!unusable.contains("\nlaw ") && unusable.contains("assize doctor"), "{unusable}");
    }

    #[test]
    fn the_table_fits_into_a_width_that_is_known() {
        let (report, _) = fixture::passing();
        let widest = |width| {
            let text = within(&report, Paint::Plain, width);
            text.lines()
                .skip_while(|line| !line.is_empty())
                .skip(1)
                .take_while(|line| !line.is_empty())
                .map(str::len)
                .max()
        };
        assert_eq!(within(&report, Paint::Plain, None), write(&report, Paint::Plain));
        assert!(widest(None) > Some(80) && widest(Some(80)) <= Some(80), "{:?} {:?}", widest(None), widest(Some(80)));
    }

    #[test]
    fn everything_that_is_wrong_is_said() {
        let (report, _) = fixture::failing();
        let text = write(&report, Paint::Plain);
        for said in [
            "\nCRASH (spec) canon/episode/crash\n  -0 is a number token & <not> a float\n  - said nothing\n  stderr: first\n",
            "  alone: cd '/a b' && assize certify --filter canon/episode/crash -- python3 'said nothing'\n",
            "\nNOT-RUN 1 case: does not load\n  canon/sovereign/broken\nNOT-APPLICABLE 1 case: said nothing\n",
            "\nlevels\n  canonical-form-episode  violated    violates           2 of 11 cases pass\n",
            "controls: 4 of 4 altered answers caught\n  null testee accept-all: passes 4 of 10 cases\n",
            "session fault crash: said nothing\n  in flight: canon/episode/crash\n",
            "receipt canon/episode/fault: said nothing\n",
            "orphan: outlived the testee and was ended: said nothing\n",
            "unstable canon/episode/wrong-code: the two orders",
            "unmatched expectation line 4: canon/*: said nothing\n",
            "\nincomplete: 1 case not run, 8 of 12 fail\n",
            "\nseed   7 (the same questions in the same orders: --seed 7)\ncontained: partly (without cpu-limit)\nsubject: 3 files, 1234 bytes, sha256 2222",
        ] {
            assert!(text.contains(said), "{said:?} is not in {text}");
        }
        assert!(text.contains(&report.digest) && text.contains(&report.result.suite.sha256));
        let missed = write(&fixture::missed().0, Paint::Plain);
        assert!(
            missed.contains("missed control canon/episode/pass: an answer altered by late went through"),
            "{missed}"
        );
    }

    #[test]
    fn what_is_known_is_a_count() {
        let text = write(&fixture::known().0, Paint::Plain);
        assert!(text.contains("\nexpected failures: 1 WRONG-OUTPUT, 1 WRONG-CODE\n"), "{text}");
        assert!(text.contains("sample 1.0 violates: 2 known failures\n"), "{text}");
        assert!(!text.contains("canon/episode/wrong-code"), "{text}");
    }

    #[test]
    fn nothing_steers_the_terminal() {
        let text = write(&fixture::hostile().0, Paint::Plain);
        assert!(!text.contains(|letter| letter != '\n' && steers(letter)));
        assert!(text.contains("\\u{1b}[31m") && text.contains("\\u{202e}evil"));
    }
}
