//! A certificate for people.

use std::{collections::BTreeMap, fmt::Write as _};

use assize::{
    certificate::{Claim, LawClaim},
    report::{LevelRow, LevelState, Paint},
    testee::TransportKind,
};
use assize_corpus::operation;

use super::{Answer, output};

/// Everything that is certified, what was checked, and what it does not prove.
pub(super) fn text(name: &str, answer: &Answer, paint: Paint) -> String {
    let claim = &answer.statement.predicate.assize;
    let mut text = String::new();
    fact(&mut text, "scope", &scope(claim));
    for signer in &answer.signers {
        fact(&mut text, "signed by", &format!("key {signer}"));
    }
    fact(&mut text, "result", answer.statement.predicate.result.name());
    who(&mut text, answer, claim);
    what(&mut text, claim);
    fact(&mut text, "controls", &controls(claim));
    for null in &claim.controls.null_testees {
        fact(&mut text, "", &format!("null testee {} passes {} of {}", null.name, null.pass, null.cases));
    }
    digests(&mut text, answer, claim);
    let _ = writeln!(text, "\n{}", table(&claim.laws));
    text.push_str("does not prove\n");
    for sentence in &claim.does_not_prove {
        let _ = writeln!(text, "  - {}", output::clean(sentence));
    }
    text.push('\n');
    for check in &answer.checks {
        let word = if check.holds { paint.good("holds") } else { paint.bad("differs") };
        let _ = writeln!(text, "{word}: {}: {}", check.check, output::clean(&check.message));
        for difference in &check.differences {
            let _ = writeln!(text, "  - {}", output::clean(&difference.to_string()));
        }
    }
    let word = if answer.valid { paint.good("valid") } else { paint.bad("not valid") };
    let _ = writeln!(text, "{word}: {}", output::clean(name));
    text
}

/// How much of the corpus it is about; the first line, since nobody should read the rest without it.
fn scope(claim: &Claim) -> String {
    let beside = claim.beside();
    let (asked, all) = (claim.totals.cases, claim.suite.cases.saturating_add(beside));
    let filters = || serde_json::to_string(&claim.selection).unwrap_or_default();
    let cases = |count| output::counted(count, "case", "cases");
    match (claim.is_partial(), claim.not_selected) {
        (true, _) => format!("PARTIAL: {asked} of {}, taken by {}; no level is held", cases(all), filters()),
        (false, 0) if beside > 0 => {
            let challenges = output::counted(beside, "challenge", "challenges");
            format!("whole: all {}, and {challenges}", cases(claim.suite.cases))
        }
        (false, 0) => format!("whole: all {}", cases(all)),
        (false, _) => format!("selected: {asked} of {}, taken by {}", cases(all), filters()),
    }
}

fn who(text: &mut String, answer: &Answer, claim: &Claim) {
    let testee = &claim.testee;
    let lang = testee.lang.as_ref().map(|lang| format!(" ({lang})")).unwrap_or_default();
    fact(text, "testee", &format!("{} {}{lang}, as it calls itself", testee.name, testee.version));
    if let Some(shim) = &testee.shim {
        fact(text, "", &format!("behind {} {}", shim.name, shim.version));
    }
    for file in &answer.statement.subject {
        fact(text, "subject", &format!("{} sha256 {}", file.name, file.digest.sha256));
    }
    if let Some(command) = &claim.command {
        fact(text, "command", &format!("{:?}", command.argv));
        let folder = if command.directory_given { "in a configured folder" } else { "in the caller's folder" };
        fact(text, "", &format!("{folder}, with {}", listed(&command.environment, "no environment")));
        if let Some(subject) = &command.subject {
            let paths = listed(&subject.paths, "nothing");
            let bytes = output::counted(subject.bytes, "byte", "bytes");
            fact(text, "files", &format!("{} of {paths}, {bytes}", subject.files));
        }
        if let Some(runtime) = &command.runtime {
            let (paths, bytes) = (listed(&runtime.paths, "nothing"), output::counted(runtime.bytes, "byte", "bytes"));
            let found = match &runtime.undigested {
                None => format!("{} of {paths}, {bytes}", runtime.files),
                Some(why) => format!("not digested: {why}"),
            };
            fact(text, "packages", &found);
        }
    }
    fact(
        text,
        "containment",
        &match &claim.containment {
            Some(contained) => format!(
                "{}: {}; without: {}{}",
                contained.level,
                listed(&contained.measures, "nothing"),
                listed(&contained.missing, "nothing"),
                if contained.readable.is_empty() {
                    String::new()
                } else {
                    format!("; it could also read: {}", listed(&contained.readable, "nothing"))
                }
            ),
            None if claim.transport == TransportKind::InProcess => "none: the built-in verifier is called".to_owned(),
            None => "none is stated".to_owned(),
        },
    );
    let ops: Vec<_> = testee.ops.operations().map(|(op, _)| op.to_owned()).collect();
    fact(text, "declares", &listed(&ops, "nothing"));
    fact(text, "run", &format!("began {}, seed {}, {} jobs", claim.started, claim.seed, claim.jobs));
    let challenges = claim.challenges.as_ref().map(ToString::to_string);
    let none = || "none: a table of the corpus could have answered everything".to_owned();
    fact(text, "challenges", &challenges.unwrap_or_else(none));
    let served = claim.sessions.iter().fold(0, |sum: u64, session| sum.saturating_add(session.served));
    if let [first, ..] = claim.sessions.as_slice() {
        let sessions = claim.sessions.len();
        fact(text, "sessions", &format!("{sessions}, with {served} answers; the first chain is {}", first.chain));
    }
}

fn what(text: &mut String, claim: &Claim) {
    const STATES: [LevelState; 6] = [
        LevelState::Held,
        LevelState::Violated,
        LevelState::Incomplete,
        LevelState::Undeclared,
        LevelState::Incapable,
        LevelState::Empty,
    ];
    for state in STATES {
        let names: Vec<_> = claim.levels_in(state).map(named).collect();
        if !names.is_empty() || state == LevelState::Held {
            fact(text, &format!("levels {}", state.name()), &listed(&names, "none"));
        }
    }
    let totals = claim.totals;
    let answered = [("pass", totals.pass), ("fail as expected", totals.fail)];
    let silent =
        [("not applicable", totals.not_applicable), ("not run", totals.not_run), ("not selected", claim.not_selected)];
    let count = |(name, count): &(&str, usize)| format!("{count} {name}");
    let counts: Vec<_> = answered.iter().chain(&silent).map(count).collect();
    fact(text, "cases", &format!("{} in the corpus: {}", claim.suite.cases, counts.join(", ")));
    for (name, reasons) in [("not applicable", &claim.not_applicable), ("not run", &claim.not_run)] {
        reason_rows(text, name, reasons);
    }
    if let Some(file) = &claim.expectations {
        let entries = output::counted(file.entries, "entry", "entries");
        let expected = output::counted(file.expected, "expected failure", "expected failures");
        fact(text, "expectations", &format!("{entries}, {expected}"));
    }
}

/// A level by its name, with what its title says beside it: what it is held without.
fn named(level: &LevelRow) -> String {
    let usual = operation::table().level(&level.name).map(|known| known.title.as_str());
    match usual.and_then(|usual| level.title.strip_prefix(usual)) {
        Some("") | None => level.name.clone(),
        Some(less) => format!("{}{less}", level.name),
    }
}

fn reason_rows(text: &mut String, name: &str, reasons: &BTreeMap<String, usize>) {
    for (reason, count) in reasons {
        fact(text, name, &format!("{count}: {reason}"));
    }
}

fn controls(claim: &Claim) -> String {
    let altered = claim.controls.altered;
    let kinds: Vec<_> = claim
        .controls
        .kinds
        .iter()
        .map(|(kind, altered)| format!("{kind} {}/{}", altered.caught, altered.planted))
        .collect();
    format!("{} of {} altered answers caught: {}", altered.caught, altered.planted, listed(&kinds, "no kinds"))
}

fn digests(text: &mut String, answer: &Answer, claim: &Claim) {
    fact(text, "report", &claim.report_sha256);
    for pair in &answer.built_in {
        let here = if pair.same { "as built in here".to_owned() } else { format!("built in here is {}", pair.here) };
        fact(text, pair.name, &format!("{} ({here})", pair.certified));
    }
    fact(text, "harness", &format!("{} (assize {})", claim.harness.sha256, claim.harness.version));
    if let Some(file) = &claim.expectations {
        fact(text, "expectations", &file.sha256);
    }
}

fn table(laws: &[LawClaim]) -> String {
    let rows = laws.iter().map(|law| {
        let counts = law.counts;
        let numbers = [counts.cases, counts.pass, counts.expected, counts.not_applicable, counts.not_run, law.credit];
        let [cases, pass, expected, not_applicable, not_run, credit] = numbers.map(|number| number.to_string());
        let altered = format!("{}/{}", law.altered.caught, law.altered.planted);
        [law.slug.clone(), cases, pass, expected, not_applicable, not_run, altered, credit]
    });
    output::table(["law", "cases", "pass", "expected", "n/a", "not run", "controls", "credit"], rows)
}

fn listed(items: &[String], none: &str) -> String {
    if items.is_empty() { none.to_owned() } else { items.join(", ") }
}

fn fact(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "{name:<18}{}", output::clean(value));
}
