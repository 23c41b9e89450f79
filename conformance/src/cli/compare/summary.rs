//! A report for people: in short, and as a table.

use std::collections::BTreeSet;

use assize_verifier::sovereign::report::{Cell, Report, Row, Status};

use super::{
    Args, output,
    values::{SAME, Side, cell, notes},
};

/// Rows that a short summary shows.
const SHORT: usize = 8;
/// Letters of a row in a short summary.
const WIDE: usize = 400;
/// Rows that a table shows; the JSON report has them all.
const LONG: usize = 1000;

/// A verdict line and the first rows.
pub(super) fn short(args: &Args, report: &Report, [a, b]: [&Side<'_>; 2]) -> String {
    let mut text = verdict(args, report, report.status.name());
    let rows = report.rows.get(..SHORT).unwrap_or(&report.rows);
    for (row, note) in rows.iter().zip(notes(a, b, whole_turns(&report.rows, SHORT))) {
        let line = line(args, row);
        let (shown, rest) = match line.char_indices().nth(WIDE) {
            Some((cut, _)) => (line.get(..cut).unwrap_or_default(), "..."),
            None => (line.as_str(), ""),
        };
        text.push_str(&format!("  {}{rest}\n", output::clean(shown)));
        if !note.is_empty() {
            text.push_str(&format!("    {note}\n"));
        }
    }
    text.push_str(&more(report.rows.len(), SHORT));
    text
}

/// The first rows with the others of the last one's turn, which may explain it.
fn whole_turns(rows: &[Row], shown: usize) -> &[Row] {
    let last = rows.get(..shown).and_then(<[Row]>::last).map(|row| cell(&row.turn_id));
    let rest = rows.iter().skip(shown).take_while(|row| last.as_ref().is_some_and(|last| cell(&row.turn_id) == *last));
    rows.get(..shown + rest.count()).unwrap_or(rows)
}

/// Every row with its digests, what the runs hold there, what the diagnostics say, and the verdict.
pub(super) fn table(args: &Args, report: &Report, [a, b]: [&Side<'_>; 2]) -> String {
    let paint = output::paint();
    let mut text = String::new();
    if !report.rows.is_empty() {
        let rows = report.rows.iter().take(LONG);
        let cells = rows.map(|row| {
            [
                turn(row),
                cell(&row.stage_name),
                cell(&row.ordinal),
                row.surface.name().to_owned(),
                cell(&row.path),
                digest(&row.expected),
                digest(&row.actual),
                row.reason.unwrap_or("-").to_owned(),
            ]
        });
        let header = ["turn", "stage", "ordinal", "surface", "path", "expected", "actual", "code"];
        text.push_str(&output::table(header, cells));
        text.push_str(&more(report.rows.len(), LONG));
        let shown = report.rows.get(..LONG).unwrap_or(&report.rows);
        let told = shown
            .iter()
            .zip(notes(a, b, whole_turns(&report.rows, LONG)))
            .filter(|(_, note)| !note.is_empty() && note != SAME);
        let lines: Vec<String> = told
            .map(|(row, note)| {
                let place = format!("{}, {} at {}", whose(row), row.surface.name(), at(row));
                format!("  {}\n    {note}\n", output::clean(&place))
            })
            .collect();
        if !lines.is_empty() {
            text.push_str("\nvalues\n");
            text.extend(lines);
        }
        let explained = report.rows.iter().take(LONG).filter(|row| row.diagnostic.is_some());
        let notes: Vec<String> = explained.map(|row| format!("  {}\n", output::clean(&line(args, row)))).collect();
        if !notes.is_empty() {
            text.push_str("\nbreaches\n");
            text.extend(notes);
        }
        text.push('\n');
    }
    let status = match report.status {
        Status::Equivalent => paint.good(report.status.name()),
        _ => paint.bad(report.status.name()),
    };
    text.push_str(&verdict(args, report, &status));
    text.push_str(&format!("report {}\n", report.report_id));
    text
}

fn verdict(args: &Args, report: &Report, status: &str) -> String {
    let turns: BTreeSet<String> = report.rows.iter().map(turn).filter(|turn| turn != "-").collect();
    let (a, b) = (args.bundle_a.display().to_string(), args.bundle_b.display().to_string());
    let between = format!("{} against {}", output::clean(&a), output::clean(&b));
    match (report.rows.len(), turns.len()) {
        (0, _) => format!("{status}: {between}\n"),
        (rows, 0) => {
            format!("{status}: {between}: {} in the bundles\n", output::counted(rows, "mismatch", "mismatches"))
        }
        (rows, turns) => format!(
            "{status}: {between}: {} in {}\n",
            output::counted(rows, "mismatch", "mismatches"),
            output::counted(turns, "turn", "turns")
        ),
    }
}

fn more(rows: usize, shown: usize) -> String {
    match rows.saturating_sub(shown) {
        0 => String::new(),
        rest => format!("  and {rest} more, all of them in the JSON report\n"),
    }
}

/// One row: file or turn, place, what is wrong.
fn line(args: &Args, row: &Row) -> String {
    let code = row.reason.map(|code| format!(" [{code}]")).unwrap_or_default();
    let path = at(row);
    let Some(diagnostic) = &row.diagnostic else {
        let (expected, actual) = (digest(&row.expected), digest(&row.actual));
        let differs = match (expected.as_str(), actual.as_str()) {
            ("null", "null") => String::new(),
            _ => format!(" differs: expected {expected}, got {actual}"),
        };
        return format!("{}: {} at {path}{differs}{code}", whose(row), row.surface.name());
    };
    let side = match diagnostic.side {
        "a" => args.bundle_a.display().to_string(),
        "b" => args.bundle_b.display().to_string(),
        "both" => "both sides".to_owned(),
        "registry" => args.registry.as_ref().map_or("the registry".to_owned(), |path| path.display().to_string()),
        "stage_order" => {
            args.stage_order.as_ref().map_or("the stage order".to_owned(), |path| path.display().to_string())
        }
        other => other.to_owned(),
    };
    let turn = match turn(row).as_str() {
        "-" => String::new(),
        turn => format!(", turn {turn}"),
    };
    format!("{side}{turn}: {path}: {} ({}){code}", diagnostic.message, diagnostic.law)
}

/// Whose, what and where.
pub(in crate::cli) fn place(row: &Row) -> String {
    format!("{}: {} at {}", whose(row), row.surface.name(), at(row))
}

fn at(row: &Row) -> String {
    match cell(&row.path) {
        path if path.is_empty() => "the document".to_owned(),
        path => output::middle(&path).into_owned(),
    }
}

fn whose(row: &Row) -> String {
    match turn(row) {
        turn if turn == "-" => "bundles".to_owned(),
        turn => format!("turn {turn}"),
    }
}

fn turn(row: &Row) -> String {
    match cell(&row.turn_id) {
        turn if turn.is_empty() => "-".to_owned(),
        turn => turn,
    }
}

/// The first digits are enough to tell one digest from another.
fn digest(cell_: &Cell) -> String {
    const TELLING: usize = 12;
    let text = cell(cell_);
    match text.char_indices().nth(TELLING) {
        Some((cut, _)) if text.len() == 64 => format!("{}…", text.get(..cut).unwrap_or_default()),
        _ => text,
    }
}
