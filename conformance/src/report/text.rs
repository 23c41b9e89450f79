//! The report for people.

use std::fmt::Write as _;

use assize_corpus::agreement::Outcome;
use comfy_table::{Cell, CellAlignment, Table, presets};

use super::{Report, Totals};

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

/// The table by law, what failed, what was not run, and the totals.
#[must_use]
pub fn write(report: &Report, paint: Paint) -> String {
    let mut text = String::new();
    if report.result.totals.cases > 0 {
        table(report, &mut text);
    }
    for failure in &report.result.failures {
        let outcome = paint.bad(failure.outcome.name());
        let _ = writeln!(text, "\n{outcome} {}\n  {}", paint.strong(&failure.id), failure.rationale);
        if let Some(note) = &failure.note {
            let _ = writeln!(text, "  - {note}");
        }
        for mismatch in &failure.mismatches {
            let _ = writeln!(text, "  - {mismatch}");
        }
        let _ = writeln!(text, "  alone: assize certify --filter {}", failure.id);
    }
    if !report.result.unrun.is_empty() {
        text.push('\n');
        for case in &report.result.unrun {
            let outcome = if case.outcome == Outcome::NotRun { paint.bad("NOT-RUN") } else { case.outcome.to_string() };
            let _ = writeln!(text, "{outcome} {}: {}", case.id, case.reason);
        }
    }
    for fault in &report.result.faults {
        let _ = writeln!(text, "{} {fault}", paint.bad("corpus:"));
    }
    verdict(report, paint, &mut text);
    text
}

fn table(report: &Report, text: &mut String) {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(["law", "cases", "pass", "fail", "n/a", "not run"]);
    for law in &report.result.laws {
        table.add_row(row(&law.slug, law.counts));
    }
    table.add_row(row("total", report.result.totals));
    for index in 1..6 {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for line in table.lines() {
        let _ = writeln!(text, "{}", line.trim_start_matches(' ').trim_end());
    }
}

fn row(name: &str, counts: Totals) -> Vec<Cell> {
    let numbers = [counts.cases, counts.pass, counts.fail, counts.not_applicable, counts.not_run];
    std::iter::once(Cell::new(name)).chain(numbers.into_iter().map(Cell::new)).collect()
}

fn verdict(report: &Report, paint: Paint, text: &mut String) {
    let totals = report.result.totals;
    let who = format!("{} {}", report.result.testee.name, report.result.testee.version);
    let _ = match (totals.cases, totals.fail, totals.not_run + report.result.faults.len()) {
        (0, _, _) => writeln!(
            text,
            "{}: the selection takes none of the {} cases; `assize laws` lists what there is",
            paint.bad("no answer"),
            report.result.suite.cases
        ),
        (_, 0, 0) => {
            writeln!(text, "\n{who} {}: {} of {} cases pass", paint.good("conforms"), totals.pass, totals.cases)
        }
        (_, failed, 0) => writeln!(text, "\n{who} {}: {failed} of {} cases fail", paint.bad("violates"), totals.cases),
        (_, failed, _) => writeln!(
            text,
            "\n{}: the run is incomplete: {} cases not run, {failed} of {} fail",
            paint.bad("no answer"),
            totals.not_run,
            totals.cases
        ),
    };
    let _ = writeln!(text, "suite {} ({} cases)", report.result.suite.sha256, report.result.suite.cases);
}
