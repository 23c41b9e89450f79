//! A report and the table of rules, for people. What a server wrote is cleaned before it is shown.

use std::{collections::BTreeSet, fmt::Write as _};

use assize::report::Paint;
use assize_probe::{
    Report,
    finding::Finding,
    report::{Conversation, Verdict},
    rules::{Force, RULES},
};

use super::super::output::{clean, counted};

/// The table, a line for each row and one for what it says.
pub(super) fn rules(paint: Paint) -> String {
    let mut text = String::new();
    for row in RULES {
        let until = row.to.map_or_else(|| "on".to_owned(), |to| format!("to {to}"));
        let _ =
            writeln!(text, "{} {:<6} {} {until}: {}", paint.strong(row.rule), force(row.force), row.from, row.section);
        let _ = writeln!(text, "  {}", row.says);
    }
    text
}

/// The whole report.
pub(super) fn report(report: &Report, paint: Paint) -> String {
    let mut text = String::new();
    if let Some(server) = &report.server {
        let who = format!("{} {}", clean(&server.name), clean(&server.version));
        let _ = writeln!(text, "{}\n", paint.strong(&who));
    }
    let _ = writeln!(text, "{:<11} {:<11} {:>5} {:>5}  ended", "asked", "spoken", "tools", "calls");
    for one in &report.conversations {
        conversation(&mut text, one);
    }
    text.push('\n');
    for group in groups(&report.findings) {
        finding(&mut text, &group, paint);
    }
    for left in &report.not_called {
        let _ = writeln!(text, "not called  {}: {}", clean(&left.tool), clean(&left.why));
    }
    for what in &report.not_judged {
        let _ = writeln!(text, "not judged  {}", clean(what));
    }
    text.push_str(&last(report, paint));
    text
}

fn conversation(text: &mut String, one: &Conversation) {
    let spoken = clean(one.spoken.as_deref().unwrap_or("-"));
    let _ = write!(text, "{:<11} {spoken:<11} {:>5} {:>5}  {}", one.asked, one.tools, one.calls, clean(&one.ended));
    let _ = writeln!(text, "{}", one.note.as_ref().map_or_else(String::new, |note| format!("; {}", clean(note))));
    for line in one.stderr.lines() {
        let _ = writeln!(text, "  | {}", clean(line));
    }
    for orphan in &one.orphans {
        let _ = writeln!(text, "  left behind: {}", clean(orphan));
    }
}

/// The same finding of several tools and in several revisions.
struct Group<'f> {
    first: &'f Finding,
    revisions: BTreeSet<&'f str>,
    /// What was asked, of which tool, and where it showed.
    places: Vec<String>,
    times: u64,
}

fn groups(findings: &[Finding]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for one in findings {
        let same = |group: &Group<'_>| {
            let first = group.first;
            (&first.rule, &first.section, &first.message) == (&one.rule, &one.section, &one.message)
        };
        let known = match groups.iter().position(same) {
            Some(known) => known,
            None => {
                groups.push(Group { first: one, revisions: BTreeSet::new(), places: Vec::new(), times: 0 });
                groups.len().saturating_sub(1)
            }
        };
        if let Some(group) = groups.get_mut(known) {
            group.revisions.extend(Some(one.revision.as_str()).filter(|revision| !revision.is_empty()));
            group.times = group.times.saturating_add(one.times);
            let place = place(one);
            if !group.places.contains(&place) {
                group.places.push(place);
            }
        }
    }
    // The order of forces, then that in which they were seen.
    groups.sort_by_key(|group| match group.first.force {
        Force::Must => 0,
        Force::Law => 1,
        Force::Should => 2,
        Force::Note => 3,
    });
    groups
}

fn place(one: &Finding) -> String {
    let tool = one.tool.as_deref().map_or_else(String::new, |tool| format!("{}: ", clean(tool)));
    let at = if one.pointer.is_empty() { String::new() } else { format!(", {}", clean(&one.pointer)) };
    format!("{tool}{}{at}", clean(&one.asked))
}

fn finding(text: &mut String, group: &Group<'_>, paint: Paint) {
    /// Places that are shown; the report for machines has all.
    const SHOWN: usize = 4;
    let first = group.first;
    let mark = format!("{:<6}", force(first.force));
    let mark = match first.force {
        Force::Must | Force::Law => paint.bad(&mark),
        Force::Should => paint.strong(&mark),
        Force::Note => mark,
    };
    let revisions: Vec<_> = group.revisions.iter().map(|revision| clean(revision)).collect();
    let at = if revisions.is_empty() { String::new() } else { format!(" at {}", revisions.join(" ")) };
    let times = if group.times > 1 { format!(", {} times", group.times) } else { String::new() };
    let _ = writeln!(text, "{mark} {}{at}{times}", paint.strong(&first.rule));
    let _ = writeln!(text, "       {} ({})", clean(&first.message), first.section);
    for place in group.places.iter().take(SHOWN) {
        let _ = writeln!(text, "       - {place}");
    }
    if group.places.len() > SHOWN {
        let _ = writeln!(text, "       - and {} more", group.places.len().saturating_sub(SHOWN));
    }
}

fn last(report: &Report, paint: Paint) -> String {
    let verdict = match report.verdict {
        Verdict::Conforms => paint.good("conforms"),
        Verdict::Violates => paint.bad("violates"),
        Verdict::Incomplete => paint.bad("incomplete"),
        Verdict::Unusable => paint.bad("the server cannot be used"),
    };
    let calls: u64 = report.conversations.iter().map(|one| one.calls).sum();
    let (must, law, should) = (report.count(Force::Must), report.count(Force::Law), report.count(Force::Should));
    let calls = counted(usize::try_from(calls).unwrap_or(usize::MAX), "call", "calls");
    let omitted =
        if report.omitted > 0 { format!(", {} more findings not kept", report.omitted) } else { String::new() };
    format!("{verdict}: {calls}, {must} MUST, {law} by reply laws, {should} SHOULD{omitted}\n")
}

fn force(force: Force) -> &'static str {
    match force {
        Force::Must => "MUST",
        Force::Should => "SHOULD",
        Force::Law => "law",
        Force::Note => "note",
    }
}
