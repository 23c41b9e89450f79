//! What came of a bench, for people and for machines.

use std::{fmt::Write as _, path::Path};

use assize::bench::{Kept, State};
use serde_json::{Value, json};

use super::super::output::{self, counted};

/// What came of it, in a line.
pub(super) fn outcome(kept: &Kept) -> String {
    let why = kept.why.as_deref().unwrap_or("no reason is known");
    match kept.state {
        State::NotInstalled => format!("not installed: {why}"),
        State::NotJudged => format!("not judged: {why}"),
        State::Judged => {
            let count = |name| total(kept, name);
            let (cases, left) = (count("cases"), count("not_applicable"));
            format!(
                "{}: {} asked, {} fail by the specification, {} by a ruling, {} with a remark",
                grade(kept),
                cases.saturating_sub(left),
                count("spec"),
                count("ruling"),
                count("remarks"),
            )
        }
    }
}

/// The grade of its report, in words.
fn grade(kept: &Kept) -> String {
    let grade = kept.report.as_ref().and_then(|report| report.pointer("/result/grade")?.as_str());
    match grade.unwrap_or("incomplete") {
        // Its makers claim something else.
        "violates" if !kept.implementation.bound => "differs".to_owned(),
        grade => grade.replace('-', " "),
    }
}

fn total(kept: &Kept, name: &str) -> u64 {
    let totals = kept.report.as_ref().and_then(|report| report.pointer("/result/totals"));
    totals.and_then(|totals| totals.get(name)?.as_u64()).unwrap_or_default()
}

pub(super) fn row(kept: &Kept) -> Value {
    json!({
        "implementation": kept.implementation,
        "state": kept.state,
        "why": kept.why,
        "grade": kept.report.as_ref().map(|_| grade(kept)),
        "totals": kept.report.as_ref().and_then(|report| report.pointer("/result/totals")),
        "installed": kept.installed,
        "judged": kept.judged,
    })
}

pub(super) fn text(kept: &[Kept], chosen: usize, out: &Path) -> String {
    let judged = kept.iter().filter(|kept| kept.state == State::Judged);
    let rows = judged.clone().map(|kept| {
        let count = |name| total(kept, name).to_string();
        let asked = total(kept, "cases").saturating_sub(total(kept, "not_applicable")).to_string();
        let implementation = &kept.implementation;
        let label = output::clean(&implementation.label()).into_owned();
        let language = output::clean(&implementation.language).into_owned();
        [
            label,
            language,
            grade(kept).to_owned(),
            asked,
            count("pass"),
            count("spec"),
            count("ruling"),
            count("remarks"),
        ]
    });
    let header = ["implementation", "language", "grade", "asked", "pass", "spec", "ruling", "remarks"];
    let mut text = output::table(header, rows);
    let mut others = kept.iter().filter(|kept| kept.state != State::Judged).peekable();
    if others.peek().is_some() {
        text.push('\n');
    }
    for other in others {
        let _ = writeln!(text, "{}: {}", output::clean(&other.implementation.label()), outcome(other));
    }
    let conform = judged.clone().filter(|kept| grade(kept).starts_with("conforms")).count();
    let _ = writeln!(
        text,
        "\n{} of {chosen} judged, {conform} of them conform; kept in {}",
        judged.count(),
        output::clean(&out.display().to_string())
    );
    if kept.len() < chosen {
        let rest = counted(chosen.saturating_sub(kept.len()), "implementation is", "implementations are");
        let _ = writeln!(text, "broken off: {rest} left; the same command goes on");
    }
    text
}
