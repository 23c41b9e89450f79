//! A summary in Markdown, for a pull request or the summary of a job: as much as fits there, and how much more
//! there is.

use std::fmt::Write as _;

use super::{
    Failure, Report,
    view::{self, Verdict, plural},
};
use crate::clean::clean;

/// Bytes after which no further failure is shown: a comment on the large forges holds 65,536 letters.
const ROOM: usize = 48 << 10;
/// Failures that are shown.
const MOST: usize = 20;
/// Letters of one failure that are shown.
const LONGEST: usize = 2000;

/// The whole document.
#[must_use]
pub fn write(report: &Report) -> String {
    let mut text = String::new();
    let mark = match Verdict::of(report) {
        Verdict::Conforms => "Conforms",
        Verdict::Violates => "Violates",
        Verdict::Incomplete => "No verdict",
    };
    let _ = writeln!(text, "## Assize: {} {}\n", code(&view::who(report)), view::word_of(report));
    let _ = writeln!(text, "**{mark}**: {}\n", escape(&view::reason(report)));
    laws(report, &mut text);
    levels(report, &mut text);
    flaws(report, &mut text);
    known(report, &mut text);
    failures(report, &mut text);
    unanswered(report, &mut text);
    let result = &report.result;
    let _ = writeln!(
        text,
        "<sub>suite <code>{}</code>, result <code>{}</code>, seed {}, contained: {}</sub>",
        result.suite.sha256,
        report.digest,
        result.seed,
        view::containment(report)
    );
    text
}

fn laws(report: &Report, text: &mut String) {
    let result = &report.result;
    if result.laws.is_empty() {
        return;
    }
    let (expected, controls) = (result.expectations.is_some(), result.controls.is_some());
    let mut header = vec!["law", "cases", "pass", "fail"];
    header.extend(expected.then_some("expected"));
    header.extend(["n/a", "not run"]);
    header.extend(controls.then_some("controls"));
    let _ = writeln!(text, "| {} |", header.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(header.len() - 1));
    let caught = |altered: crate::runner::Altered| format!("{}/{}", altered.caught, altered.planted);
    let rows = result.laws.iter().map(|law| (code(&law.slug), law.counts, caught(law.altered)));
    let total = result.controls.as_ref().map_or_else(String::new, |controls| caught(controls.altered));
    for (name, counts, caught) in rows.chain([("**total**".to_owned(), result.totals, total)]) {
        let mut cells = vec![name, counts.cases.to_string(), counts.pass.to_string(), counts.fail.to_string()];
        cells.extend(expected.then(|| counts.expected.to_string()));
        cells.extend([counts.not_applicable.to_string(), counts.not_run.to_string()]);
        cells.extend(controls.then_some(caught));
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text.push('\n');
}

fn levels(report: &Report, text: &mut String) {
    let rows: Vec<_> = view::levels(report).collect();
    if rows.is_empty() {
        return;
    }
    text.push_str("| level | state | pass | cases |\n|---|---|---:|---:|\n");
    for level in rows {
        let _ =
            writeln!(text, "| {} | {} | {} | {} |", escape(&level.title), level.state.name(), level.pass, level.cases);
    }
    text.push('\n');
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

fn failures(report: &Report, text: &mut String) {
    let failures: Vec<_> = view::unexpected(report).collect();
    if failures.is_empty() {
        return;
    }
    text.push_str("### Failures\n\n");
    let mut shown = 0;
    for failure in failures.iter().take(MOST) {
        if text.len() > ROOM {
            break;
        }
        let _ = writeln!(text, "<details><summary>{} {}</summary>\n", failure.outcome, code(&failure.id));
        let _ = writeln!(text, "{}\n", escape(&failure.rationale));
        fenced(&body(report, failure), text);
        text.push_str("\n</details>\n\n");
        shown += 1;
    }
    if failures.len() > shown {
        let _ = writeln!(text, "... and {} more failures: the whole report lists them.\n", failures.len() - shown);
    }
}

fn body(report: &Report, failure: &Failure) -> String {
    let mut lines: Vec<String> = failure.note.iter().map(|note| clean(note).into_owned()).collect();
    lines.extend(failure.mismatches.iter().map(|mismatch| clean(&mismatch.to_string()).into_owned()));
    if let Some(evidence) = report.run.evidence.get(&failure.id) {
        lines.push(clean(&evidence.message).into_owned());
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

fn unanswered(report: &Report, text: &mut String) {
    let groups = view::groups(report);
    if groups.is_empty() {
        return;
    }
    text.push_str(
        "<details><summary>Cases without an answer</summary>\n\n| outcome | cases | reason |\n|---|---:|---|\n",
    );
    for group in groups.iter().take(MOST) {
        let _ = writeln!(text, "| {} | {} | {} |", group.outcome, group.ids.len(), code(&short(group.reason)));
    }
    text.push('\n');
    more(groups.len(), "reason", "reasons", text);
    text.push_str("\n</details>\n\n");
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
    use super::{super::fixture, *};

    #[test]
    fn nothing_of_the_testee_is_markup() {
        assert_eq!(code("a|b`<c>&\\"), "<code>a&#124;b&#96;&#60;c&#62;&#38;&#92;</code>");
        assert_eq!(escape("[x](http://y) @all www.z"), "&#91;x&#93;(http&#58;//y) &#64;&#8203;all www&#46;z");
        let (report, _) = fixture::hostile();
        let text = write(&report);
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
        for (name, report, _) in fixture::all() {
            let text = write(&report);
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
        let (report, _) = fixture::many(3000);
        let text = write(&report);
        assert!(text.len() < 65_536, "{}", text.len());
        let shown = text.matches("<details><summary>WRONG-OUTPUT").count();
        assert!(shown > 0 && text.contains(&format!("... and {} more failures", 3000 - shown)));
    }
}
