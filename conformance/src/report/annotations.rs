//! The report as workflow commands, which code hosts show beside the lines of files: red exactly where the exit code is.
//!
//! A case whose vector lies in a folder that was named is shown at the place of its expectation there; any other by its id alone.

use std::{collections::BTreeMap, fs, io::Read as _};

use assize_corpus::{agreement::Outcome, store::LARGEST};

use super::{CaseRow, Failure, Report, view};
use crate::{clean::clean, exit::Exit, expectations::Expectation, suite::Suite};

/// All commands, one a line: what is wrong with the run, then the cases, then the verdict.
#[must_use]
pub fn write(report: &Report, suite: &Suite) -> String {
    let mut text = String::new();
    for flaw in view::flaws(report) {
        let about = if flaw.about.is_empty() { String::new() } else { format!("{}: ", flaw.about) };
        text.push_str(&command("error", None, flaw.kind, &format!("{about}{}", flaw.message)));
    }
    let result = &report.result;
    let failures: BTreeMap<&str, &Failure> =
        result.failures.iter().chain(&result.remarks).map(|failure| (failure.id.as_str(), failure)).collect();
    let reasons: BTreeMap<&str, &str> =
        result.unrun.iter().map(|unrun| (unrun.id.as_str(), unrun.reason.as_str())).collect();
    for case in &result.cases {
        let failure = failures.get(case.id.as_str()).copied();
        if let Some(level) = level(report, case, failure) {
            let reason = reasons.get(case.id.as_str()).copied().unwrap_or_default();
            let title = format!("{} {}", case.outcome, case.id);
            text.push_str(&command(level, place(suite, &case.id), &title, &message(report, failure, reason)));
        }
    }
    let level = if report.exit == Exit::Conforms { "notice" } else { "error" };
    let verdict = format!("{} {}: {}", view::who(report), view::word_of(report), view::reason(report));
    text.push_str(&command(level, None, "assize", &verdict));
    text
}

/// How a case is shown, if it is: as an error what ends the command with one.
fn level(report: &Report, case: &CaseRow, failure: Option<&Failure>) -> Option<&'static str> {
    match (failure, case.expectation) {
        (_, Some(Expectation::Stale)) => Some("error"),
        (Some(_), Some(Expectation::Expected)) => Some("notice"),
        (Some(failure), _) if report.result.fail_on.counts(failure.force) => Some("error"),
        (Some(_), _) => Some("warning"),
        (None, _) => (case.outcome == Outcome::NotRun).then_some("error"),
    }
}

/// What is wrong, and which mistake the case catches.
fn message(report: &Report, failure: Option<&Failure>, reason: &str) -> String {
    let Some(failure) = failure else { return reason.to_owned() };
    let seen = report.run.evidence.get(&failure.id).map(|evidence| evidence.message.clone());
    let mismatches = failure.mismatches.iter().map(ToString::to_string);
    let mut lines: Vec<String> = failure.note.iter().cloned().chain(mismatches).chain(seen).collect();
    lines.push(failure.rationale.clone());
    lines.push(format!("alone: {}", view::alone(report, &failure.id)));
    lines.join("\n")
}

/// The file of a case, and the line where its expectation begins.
fn place(suite: &Suite, id: &str) -> Option<(String, usize)> {
    let path = suite.places.get(id)?;
    // It may be another file by now than the one that was loaded.
    let mut text = Vec::new();
    if path.is_file()
        && let Ok(file) = fs::File::open(path)
    {
        // What was read before an error is as good for a line as nothing.
        let _ = file.take(LARGEST).read_to_end(&mut text);
    }
    let expects = |line: &[u8]| line.trim_ascii_start().starts_with(b"\"expect\"");
    let line = text.split(|byte| *byte == b'\n').position(expects).unwrap_or_default() + 1;
    Some((path.display().to_string(), line))
}

fn command(level: &str, place: Option<(String, usize)>, title: &str, message: &str) -> String {
    let place = place.map(|(file, line)| format!("file={},line={line},", property(&file))).unwrap_or_default();
    let lines: Vec<_> = message.split('\n').map(clean).collect();
    format!("::{level} {place}title={}::{}\n", property(title), data(&lines.join("\n")))
}

/// What a command says: a line feed would end it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value of a property: a comma or a colon would end it.
fn property(text: &str) -> String {
    data(&clean(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};

    #[test]
    fn red_means_red() {
        for (name, report, suite) in fixture::all() {
            let text = write(&report, &suite);
            assert_eq!(text.contains("::error "), report.exit != Exit::Conforms, "{name}: {text}");
            let levels = ["::error ", "::warning ", "::notice "];
            assert!(text.lines().all(|line| levels.iter().any(|level| line.starts_with(level))), "{name}: {text}");
        }
    }

    #[test]
    fn what_a_testee_says_is_no_command() {
        let (report, suite) = fixture::hostile();
        let text = write(&report, &suite);
        // Every line is ours: what was said ends none, and no property.
        let count = view::flaws(&report).len() + report.result.cases.len() + 1;
        assert!(text.lines().count() <= count, "{text}");
        assert!(!text.contains('\r') && !text.contains('\u{1b}') && text.contains("%0A"));
        for line in text.lines() {
            let properties = line.split("::").nth(1).unwrap();
            assert!(properties.split(',').all(|one| one.contains('=')), "{line}");
        }
    }

    #[test]
    fn a_case_stands_at_its_expectation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a,b.json");
        fs::write(&path, "{\n  \"id\": 1,\n  \"expect\": {}\n}\n").unwrap();
        let (report, mut suite) = fixture::failing();
        let id = fixture::id(Outcome::WrongOutput);
        suite.places.insert(id.clone(), path);
        let text = write(&report, &suite);
        let line = text.lines().find(|line| line.contains("file=")).unwrap();
        assert!(
            line.starts_with("::error file=") && line.contains(&format!("a%2Cb.json,line=3,title=WRONG-OUTPUT {id}::")),
            "{line}"
        );
        assert!(text.lines().filter(|line| line.contains("file=")).count() == 1, "{text}");
    }
}
