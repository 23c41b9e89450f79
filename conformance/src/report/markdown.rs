//! A summary in Markdown, for a pull request or the summary of a job: as much as fits there, and how much more
//! there is.

use std::{collections::BTreeMap, fmt::Write as _};

use assize_corpus::agreement::Outcome;

use super::{
    Failure, LawRow, LevelState, Report,
    basis::{Basis, bases},
    cluster::how,
    view::{self, Verdict},
};
use crate::{clean::clean, exit::Exit, suite::Suite, words::plural};

/// Bytes after which no further failure is shown: a comment on the large forges holds 65,536 letters.
const ROOM: usize = 48 << 10;
/// Causes that are shown.
const MOST: usize = 20;
/// Letters of one failure that are shown.
const LONGEST: usize = 2000;

/// The whole document: what failed comes before the tables. The suite gives the places that failures are against.
#[must_use]
pub fn write(report: &Report, suite: &Suite) -> String {
    let mut text = String::new();
    let mark = match Verdict::of(report) {
        Verdict::Conforms => "Conforms",
        Verdict::Violates => "Violates",
        Verdict::Incomplete => "No verdict",
    };
    let _ = writeln!(text, "## Assize: {} {}\n", code(&view::who(report)), view::word_of(report));
    let _ = writeln!(text, "**{mark}**: {}\n", escape(&view::reason(report)));
    header(report, &mut text);
    flaws(report, &mut text);
    failures(report, suite, &mut text);
    known(report, &mut text);
    remarks(report, &mut text);
    if report.exit != Exit::Testee {
        laws(report, &mut text);
        levels(report, &mut text);
    }
    unanswered(report, &mut text);
    let result = &report.result;
    if let Some(worth) = view::worth(report) {
        let _ = writeln!(text, "{}.\n", escape(&worth));
    }
    let _ = writeln!(
        text,
        "<sub>suite <code>{}</code>, result <code>{}</code>, seed {}, {}contained: {}</sub>",
        result.suite.sha256,
        report.digest,
        result.seed,
        result.challenges.iter().map(|made| format!("challenges: {}, ", escape(&made.to_string()))).collect::<String>(),
        view::containment(report)
    );
    text
}

/// When, for how long, with what command, and what was declared.
fn header(report: &Report, text: &mut String) {
    let mut parts: Vec<String> = view::when(report).map(|when| escape(&when)).into_iter().collect();
    parts.extend(view::command(report).map(|command| code(&short(&command))));
    parts.push(format!("declared: {}", escape(&view::declared(report))));
    let _ = writeln!(text, "{}\n", parts.join("; "));
}

/// What was asked, those with failures first.
fn laws(report: &Report, text: &mut String) {
    let (result, laws) = (&report.result, view::laws(report));
    if laws.is_empty() {
        return;
    }
    let (expected, controls) = (result.expectations.is_some(), result.controls.is_some());
    let not_run = result.totals.not_run > 0;
    let mut header = vec!["law", "grade", "asked", "pass", "remarks", "fail", "spec", "ruling"];
    header.extend(expected.then_some("expected"));
    header.extend(not_run.then_some("not run"));
    if controls {
        header.extend(["controls", "credit"]);
    }
    let _ = writeln!(text, "| {} |", header.join(" | "));
    let _ = writeln!(text, "|---|---|{}", "---:|".repeat(header.len() - 2));
    let caught = |altered: crate::runner::Altered| format!("{}/{}", altered.caught, altered.planted);
    let row = |law: &&LawRow| (code(&law.slug), law.grade.name(), law.counts, caught(law.altered), law.credit);
    let altered = result.controls.as_ref().map_or_else(String::new, |controls| caught(controls.altered));
    let credit = result.laws.iter().map(|law| law.credit).sum();
    let total = ("**total**".to_owned(), "", result.totals, altered, credit);
    for (name, grade, counts, caught, credit) in laws.iter().map(row).chain([total]) {
        let asked = counts.pass + counts.fail;
        let numbers = [asked, counts.pass, counts.remarks, counts.fail, counts.spec, counts.ruling];
        let mut cells = vec![name, grade.to_owned()];
        cells.extend(numbers.map(|number| number.to_string()));
        cells.extend(expected.then(|| counts.expected.to_string()));
        cells.extend(not_run.then(|| counts.not_run.to_string()));
        if controls {
            cells.extend([caught, credit.to_string()]);
        }
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text.push('\n');
}

fn levels(report: &Report, text: &mut String) {
    let (undeclared, rows): (Vec<_>, Vec<_>) =
        view::levels(report).partition(|level| level.state == LevelState::Undeclared);
    if !rows.is_empty() {
        text.push_str("| level | state | grade | pass | cases |\n|---|---|---|---:|---:|\n");
    }
    for level in &rows {
        let (title, state, grade) = (escape(&level.title), level.state.name(), level.grade.name());
        let _ = writeln!(text, "| {title} | {state} | {grade} | {} | {} |", level.pass, level.cases);
    }
    if !undeclared.is_empty() {
        let count = undeclared.len();
        let _ = writeln!(text, "\n{count} {} not declared.", plural(count, "level is", "levels are"));
    }
    if rows.len() + undeclared.len() > 0 {
        text.push('\n');
    }
}

fn flaws(report: &Report, text: &mut String) {
    let flaws = view::flaws(report);
    if flaws.is_empty() {
        return;
    }
    text.push_str("### Wrong with the run\n\n");
    for flaw in flaws.iter().take(MOST) {
        let about = if flaw.about.is_empty() { String::new() } else { format!(" {}", code(&short(&flaw.about))) };
        let _ = writeln!(text, "- **{}**{about}: {}", flaw.kind, code(&short(&flaw.message)));
    }
    more(flaws.len(), "trouble", "troubles", text);
    text.push('\n');
}

fn known(report: &Report, text: &mut String) {
    let counts: Vec<_> =
        view::expected(report).into_iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
    if !counts.is_empty() {
        let _ = writeln!(text, "Expected failures: {}.\n", counts.join(", "));
    }
}

/// One block for each cause, with its smallest case.
fn failures(report: &Report, suite: &Suite, text: &mut String) {
    let causes = view::causes(&report.result.clusters, &report.result.failures);
    let causes: Vec<_> = causes.into_iter().filter(|cause| !view::is_expected(cause.shown)).collect();
    if causes.is_empty() {
        return;
    }
    text.push_str("### Failures\n\n");
    let mut shown = 0;
    for cause in causes.iter().take(MOST) {
        if text.len() > ROOM {
            break;
        }
        let failure = cause.shown;
        let others: Vec<&str> =
            cause.others.iter().filter(|other| !view::is_expected(other)).map(|other| other.id.as_str()).collect();
        let count = others.len() + 1;
        let _ = writeln!(
            text,
            "<details><summary>{count} {}, {}: {} {}</summary>\n",
            plural(count, "case", "cases"),
            failure.force.name(),
            failure.outcome,
            code(&failure.id)
        );
        let _ = writeln!(text, "{}\n", escape(&short(&failure.rationale)));
        let places: Vec<_> = bases(failure, suite.corpus.cases.get(&failure.id)).iter().map(linked).collect();
        if !places.is_empty() {
            let against = if failure.mismatches.is_empty() { "An answer is owed by" } else { "Against" };
            let _ = writeln!(text, "{against} {}.\n", places.join(", "));
        }
        fenced(&body(report, failure), text);
        if !others.is_empty() {
            let _ = writeln!(text, "\n{} more like it: {}", others.len(), code(&view::listed(others.into_iter(), 3)));
        }
        text.push_str("\n</details>\n\n");
        shown += 1;
    }
    let left: usize = causes.iter().skip(shown).map(|cause| 1 + cause.others.len()).sum();
    if left > 0 {
        let groups = causes.len() - shown;
        let _ = writeln!(
            text,
            "... and {left} more {} in {groups} more {}: the whole report lists them.\n",
            plural(left, "failure", "failures"),
            plural(groups, "group", "groups")
        );
    }
}

fn linked(basis: &Basis) -> String {
    let words = match &basis.address {
        Some(address) => format!("[{}]({address})", escape(&basis.text)),
        None => escape(&basis.text),
    };
    basis.command.as_ref().map_or(words.clone(), |command| format!("{words} ({})", code(command)))
}

fn body(report: &Report, failure: &Failure) -> String {
    let mut lines: Vec<String> = failure.note.iter().map(|note| clean(note).into_owned()).collect();
    lines.extend(failure.mismatches.iter().map(|mismatch| clean(&mismatch.to_string()).into_owned()));
    if let Some(evidence) = report.run.evidence.get(&failure.id) {
        if failure.note.as_deref() != Some(evidence.message.as_str()) {
            lines.push(clean(&evidence.message).into_owned());
        }
        lines.extend(crate::clean::lines(&evidence.stderr).map(|line| format!("stderr: {line}")));
    }
    let mut body = lines.join("\n");
    if let Some((cut, _)) = body.char_indices().nth(LONGEST) {
        let bytes = body.len();
        body.truncate(cut);
        let _ = write!(body, "... ({bytes} bytes)");
    }
    let _ = write!(body, "\nalone: {}", view::alone(report, &failure.id));
    body
}

/// Passes that differ from a convention, as counts of what looks alike.
fn remarks(report: &Report, text: &mut String) {
    let result = &report.result;
    let mut alike: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for remark in &result.remarks {
        *alike.entry((&remark.law, how(remark))).or_default() += 1;
    }
    if alike.is_empty() {
        return;
    }
    let mut alike: Vec<_> = alike.into_iter().collect();
    alike.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let count = result.remarks.len();
    let _ = writeln!(
        text,
        "<details><summary>{count} {}: a convention of the protocol, no specification</summary>\n\n| law | cases | difference |\n|---|---:|---|",
        plural(count, "remark", "remarks")
    );
    for ((law, how), count) in alike.iter().take(MOST) {
        let _ = writeln!(text, "| {} | {count} | {} |", code(law), code(&short(how)));
    }
    more(alike.len(), "group", "groups", text);
    text.push_str("\n</details>\n\n");
}

/// What was not run is a table; what was not declared or does not apply is one line, folded.
fn unanswered(report: &Report, text: &mut String) {
    let (not_run, aside): (Vec<_>, Vec<_>) =
        view::groups(report).into_iter().partition(|group| group.outcome == Outcome::NotRun);
    let totals = report.result.totals;
    let (cases, not_applicable) = (totals.cases, totals.not_applicable);
    let were = plural(cases, "case was not", "cases were not");
    for (groups, summary) in [
        (not_run, format!("{} of {cases} {were} run", totals.not_run)),
        (aside, format!("{not_applicable} of {cases} {were} asked: not declared, or not applicable")),
    ] {
        if groups.is_empty() {
            continue;
        }
        let _ = writeln!(text, "<details><summary>{summary}</summary>\n\n| cases | reason |\n|---:|---|");
        for group in groups.iter().take(MOST) {
            let _ = writeln!(text, "| {} | {} |", group.ids.len(), code(&short(group.reason)));
        }
        more(groups.len(), "reason", "reasons", text);
        text.push_str("\n</details>\n\n");
    }
}

fn more(count: usize, one: &str, many: &str, text: &mut String) {
    if let Some(left) = count.checked_sub(MOST).filter(|left| *left > 0) {
        let _ = writeln!(text, "\n... and {left} more {}", plural(left, one, many));
    }
}

/// A text that takes at most one line.
fn short(text: &str) -> String {
    const LINE: usize = 300;
    match text.char_indices().nth(LINE) {
        Some((cut, _)) => format!("{}... ({} bytes)", text.get(..cut).unwrap_or_default(), text.len()),
        None => text.to_owned(),
    }
}

/// A block of code whose fence is longer than any inside it.
fn fenced(body: &str, text: &mut String) {
    let longest = body.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(text, "{fence}text\n{body}\n{fence}");
}

/// Text as code, in a table too: nothing in it is markup, a link or a mention.
fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

/// Text that is not markup: every letter that could be is written by its number.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in clean(text).chars() {
        match letter {
            ' ' | '-' | '/' | ',' | ';' | '(' | ')' | '=' | '\'' => escaped.push(letter),
            // A mention would still be a mention if its letters were written by their numbers.
            '@' => escaped.push_str("&#64;&#8203;"),
            '.' if !escaped.ends_with("www") => escaped.push(letter),
            letter if letter.is_ascii_punctuation() => {
                let _ = write!(escaped, "&#{};", u32::from(letter));
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::{
        super::{Cluster, fixture},
        *,
    };

    #[test]
    fn nothing_of_the_testee_is_markup() {
        assert_eq!(code("a|b`<c>&\\"), "<code>a&#124;b&#96;&#60;c&#62;&#38;&#92;</code>");
        assert_eq!(escape("[x](http://y) @all www.z"), "&#91;x&#93;(http&#58;//y) &#64;&#8203;all www&#46;z");
        let (report, suite) = fixture::hostile();
        let text = write(&report, &suite);
        let mut fence: Option<&str> = None;
        for line in text.lines() {
            let start = line.get(..line.len() - line.trim_start_matches('`').len()).unwrap();
            match fence {
                Some(open) if line == open => fence = None,
                Some(_) => {}
                None if start.len() > 2 => fence = Some(start),
                None => {
                    let markup = line.replace("<sub>", "").replace("</sub>", "").replace("</summary>", "");
                    let markup = markup.replace("<details><summary>", "").replace("</details>", "");
                    let markup = markup.replace("<code>", "").replace("</code>", "");
                    let markup = markup.replace("](https://www.rfc-editor.org/rfc/rfc", "");
                    assert!(!markup.contains('<') && !markup.contains("](") && !markup.contains("@all"), "{line}");
                }
            }
        }
        assert_eq!(fence, None);
        let mut block = String::new();
        fenced("``` a ````", &mut block);
        assert!(block.starts_with("`````text\n") && block.ends_with("\n`````\n"), "{block}");
        assert!(body(&report, &report.result.failures[0]).contains("alone: cd '/a b' && assize certify --filter "));
    }

    #[test]
    fn tables_have_one_width() {
        for (name, report, suite) in fixture::all() {
            let text = write(&report, &suite);
            let mut width = None;
            for line in text.lines() {
                let cells = line.starts_with('|').then(|| line.matches('|').count());
                assert!(cells.is_none() || width.is_none() || cells == width, "{name}: {line}");
                width = cells;
            }
            assert!(text.contains(&report.digest), "{name}");
        }
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let (report, suite) = fixture::many(3000);
        let text = write(&report, &suite);
        assert!(text.len() < 65_536, "{}", text.len());
        assert_eq!(text.matches("<details><summary>3000 cases, spec: WRONG-OUTPUT").count(), 1);
        assert!(text.contains("\n2999 more like it: <code>canon/episode/case-00001, "), "{text}");
        let (mut report, suite) = fixture::many(60);
        let one = report.result.clusters[0].clone();
        let alone = |failure: &Failure| Cluster {
            smallest: failure.id.clone(),
            cases: vec![failure.id.clone()],
            ..one.clone()
        };
        report.result.clusters = report.result.failures.iter().map(alone).collect();
        let text = write(&report, &suite);
        assert!(text.len() < 65_536, "{}", text.len());
        assert_eq!(text.matches("<details><summary>1 case, spec: WRONG-OUTPUT").count(), MOST);
        assert!(text.contains("\n... and 40 more failures in 40 more groups"), "{text}");
    }

    #[test]
    fn nothing_is_said_of_laws_by_what_could_not_be_used() {
        let (mut report, suite) = fixture::weighed();
        assert!(write(&report, &suite).contains("| law | grade |"));
        report.exit = Exit::Testee;
        let text = write(&report, &suite);
        assert!(!text.contains("| law | grade |") && !text.contains("| level | state |"), "{text}");
    }

    #[test]
    fn what_failed_comes_before_the_tables() {
        let (report, suite) = fixture::weighed();
        let text = write(&report, &suite);
        let mut place = 0;
        for said in [
            "## Assize: <code>sample 1.0</code> violates\n",
            "**Violates**: 2 spec failures in 1 law, 1 ruling failure, 1 remark\n",
            "2026-01-02 03&#58;04&#58;05 UTC, in 1.2 s; declared: ",
            "### Failures\n\n<details><summary>2 cases, spec: WRONG-OUTPUT <code>canon/episode/timeout</code></summary>\n",
            "\nAgainst [RFC 8785, section 3.2.2.3](https://www.rfc-editor.org/rfc/rfc8785#section-3.2.2.3).\n",
            "\nalone: assize certify --filter canon/episode/timeout\n",
            "\n1 more like it: <code>canon/episode/wrong-output</code>\n",
            "<details><summary>1 case, ruling: WRONG-CODE <code>canon/episode/wrong-code</code></summary>\n",
            "\nAgainst ruling EP-26 (<code>assize explain EP-26</code>).\n",
            "<details><summary>1 remark: a convention of the protocol, no specification</summary>\n",
            "| <code>canon/episode</code> | 1 | <code>/codes&#58; expected ",
            "| law | grade | asked | pass | remarks | fail | spec | ruling | controls | credit |\n",
            "| <code>canon/episode</code> | violates | 5 | 2 | 1 | 3 | 2 | 1 | 3/3 | 1 |\n",
            "| **total** |  | 5 | 2 | 1 | 3 | 2 | 1 | 3/3 | 1 |\n",
            "<details><summary>1 of 6 cases were not asked: not declared, or not applicable</summary>\n",
            "| 1 | <code>needs the value minus-zero</code> |\n",
            "one that refuses everything would pass 6 of the 10 asked.\n",
            "<sub>suite ",
        ] {
            let found = text.get(place..).unwrap().find(said);
            place += found.unwrap_or_else(|| panic!("{said:?} is not in its place in {text}"));
        }
    }
}
