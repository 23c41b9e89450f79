//! A report from its cases: everything that follows from them is derived again, and has to be what the report says.
//!
//! What does not follow, a replay shows: the outcomes themselves, which of several permitted answers was given, what was
//! answered in place of the expectation, and the digests of sessions.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Judgement, Outcome, Terms},
    node::Node,
    vector::Weight,
};
use jiff::{SignedDuration, Timestamp};

use super::{
    claim::{Claim, HarnessInfo},
    contradiction,
    difference::{Difference, differences},
    issue,
    statement::Statement,
    stored::{self, Stored, StoredCase, StoredFailure, StoredUnrun},
    tables::{SKEW, Tables, instant},
};
use crate::{
    expectations::{Expectation, Expectations, ExpectationsInfo},
    protocol::{Introduction, Named},
    report::{
        Run,
        sum::{self, Found},
    },
    runner::{self, CaseResult, Follows, Probe},
    selection::{Selection, Shard},
    suite::Suite,
};

/// What a report is held to.
#[derive(Debug, Clone, Copy)]
pub struct Grounds<'g> {
    /// The suite of the checker.
    pub suite: &'g Suite,
    /// The expectations file, where it is at hand: with it, what it expects is derived again too.
    pub expectations: Option<&'g Expectations>,
    /// Its tables.
    pub tables: &'g Tables,
    /// The time of the check.
    pub now: Timestamp,
}

/// Differences on the way to a statement.
type Made<T> = Result<T, Vec<Difference>>;

/// The statement that a report makes, with every reason why none may be made of it; `sha256` is the digest of the harness, which
/// no report states.
pub(super) fn statement(
    node: &Node,
    digest: &str,
    stored: &Stored,
    grounds: Grounds<'_>,
    sha256: &str,
) -> Made<(Statement, Vec<Difference>)> {
    none(itself(stored, digest, grounds.now))?;
    none(of_suite(stored, grounds.suite))?;
    let results = results(stored, grounds.suite)?;
    let who = introduction(stored);
    let selection = selection(stored)?;
    let result = &stored.result;
    let terms = Terms { without: result.rulings.left_out.iter().cloned().collect(), ..Terms::default() };
    let follows = runner::follows(grounds.suite, &selection, stored.run.transport, result.seed, &who, &terms, &results);
    none(unasked(stored, &follows))?;
    let expectations = expected(stored, grounds, &results)?;
    let probes = probes(stored, &follows)?;
    let found = Found {
        suite: grounds.suite,
        selection: selection.stated(),
        introduction: Some(who),
        seed: result.seed,
        limits: result.limits.clone(),
        certifying: result.certifying,
        interrupted: false,
        unusable: None,
        short: None,
        silent: Vec::new(),
        results,
        expectations,
        tally: follows.tally,
        probes,
        fail_on: result.fail_on,
        without: terms.without,
        unstable: Vec::new(),
        run: Run { transport: stored.run.transport, ..Run::default() },
    };
    let again = sum::sum(found);
    none(compared(node, &again.result, &result.assize)?)?;
    let claim = stored.run.claim();
    let reasons = issue::reasons(&again, &claim).into_iter();
    let mut reasons: Vec<_> = reasons.map(|reason| Difference::new(reason.member(), reason.to_string())).collect();
    let harness = HarnessInfo { version: result.assize.clone(), sha256: sha256.to_owned() };
    let claim = Claim::of(&again.result, digest, claim, &harness);
    if reasons.is_empty() {
        let impossible = contradiction::check(&claim).and_then(|()| grounds.tables.check(&claim, grounds.now)).err();
        reasons.extend(impossible.map(|error| Difference::new(error.member, error.why)));
    }
    Ok((Statement::around(claim), reasons))
}

fn none(found: Vec<Difference>) -> Made<()> {
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// Collects what does not hold.
#[derive(Default)]
struct Faults(Vec<Difference>);

impl Faults {
    fn unless(&mut self, holds: bool, member: impl FnOnce() -> String, why: &str) {
        if !holds {
            self.0.push(Difference::new(member(), why));
        }
    }
}

/// What a report cannot say of itself and of its run.
fn itself(stored: &Stored, digest: &str, now: Timestamp) -> Vec<Difference> {
    let (mut faults, run) = (Faults::default(), &stored.run);
    let at = |member: &str| member.to_owned();
    faults.unless(stored.digest == digest, || at("/digest"), &format!("the result has the digest {digest}"));
    let id = run.id.strip_prefix("r-").is_some_and(|id| {
        id.len() == 16 && id.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
    });
    faults.unless(id, || at("/run/id"), "no id of a run: r- and 16 hexadecimal digits");
    match (instant(&run.started), SignedDuration::try_from_secs_f64(run.seconds)) {
        (None, _) => faults.unless(false, || at("/run/started"), "no time in UTC as RFC 3339 has it"),
        (_, Err(_)) => faults.unless(false, || at("/run/seconds"), "no length of a run"),
        (Some(started), Ok(length)) => {
            faults.unless(started <= now + SKEW, || at("/run/started"), "a time in the future");
            let ended = started.checked_add(length).is_ok_and(|end| end <= now + SKEW);
            faults.unless(ended, || at("/run/seconds"), "the run would end in the future");
        }
    }
    for (member, count) in [
        ("/run/session_faults", run.session_faults.len()),
        ("/run/receipts", run.receipts.len()),
        ("/run/orphans", run.orphans.len()),
    ] {
        faults.unless(count == 0, || at(member), "a run with any gets no statement");
    }
    let silent = |id: &String| {
        let of = |case: &&StoredCase| case.id == *id;
        stored.result.cases.iter().find(of).and_then(|case| stored::outcome(&case.outcome)).is_some_and(|outcome| {
            matches!(outcome, Outcome::Crash | Outcome::Timeout | Outcome::Protocol | Outcome::Fault)
        })
    };
    for case in &stored.result.cases {
        let ended = matches!(stored::outcome(&case.outcome), Some(Outcome::Crash | Outcome::Timeout));
        let why = format!("nothing was observed of {}, which is {}", case.id, case.outcome);
        faults.unless(!ended || run.evidence.contains_key(&case.id), || at("/run/evidence"), &why);
    }
    for id in run.evidence.keys() {
        let place = || format!("/run/evidence/{}", id.replace('~', "~0").replace('/', "~1"));
        faults.unless(silent(id), place, "the case did not fail without an answer");
    }
    faults.0
}

fn of_suite(stored: &Stored, suite: &Suite) -> Vec<Difference> {
    let (stated, here) = (&stored.result.suite, suite.info());
    let mut faults = Faults::default();
    for (name, stated, here) in [
        ("sha256", &stated.sha256, &here.sha256),
        ("laws_sha256", &stated.laws_sha256, &here.laws_sha256),
        ("operations_sha256", &stated.operations_sha256, &here.operations_sha256),
    ] {
        let why = format!("{stated} is stated, and {here} is what a report can be derived from here");
        faults.unless(stated == here, || format!("/result/suite/{name}"), &why);
    }
    faults.unless(stated.cases == here.cases, || "/result/suite/cases".to_owned(), "the suite has another number");
    faults.0
}

/// The outcomes, each with what explains it.
fn results(stored: &Stored, suite: &Suite) -> Made<Vec<CaseResult>> {
    let result = &stored.result;
    let mut faults = Faults::default();
    let mut failed: BTreeMap<&str, (String, &StoredFailure)> = BTreeMap::new();
    for (list, rows) in [("failures", &result.failures), ("remarks", &result.remarks)] {
        for (index, row) in rows.iter().enumerate() {
            let place = format!("/result/{list}/{index}");
            let other = failed.insert(&row.id, (place.clone(), row));
            faults.unless(other.is_none(), || format!("{place}/id"), "the case stands there twice");
        }
    }
    let mut unrun: BTreeMap<&str, (String, &StoredUnrun)> = BTreeMap::new();
    for (index, row) in result.unrun.iter().enumerate() {
        let other = unrun.insert(&row.id, (format!("/result/unrun/{index}"), row));
        faults.unless(other.is_none(), || format!("/result/unrun/{index}/id"), "the case stands there twice");
    }
    let mut results = Vec::new();
    for (index, case) in result.cases.iter().enumerate() {
        let place = |name: &str| format!("/result/cases/{index}/{name}");
        let (Some(outcome), Some(known)) = (stored::outcome(&case.outcome), suite.corpus.cases.get(&case.id)) else {
            faults.unless(false, || place("id"), "the corpus has no such case");
            continue;
        };
        let failure = failed.remove(case.id.as_str());
        let reason = unrun.remove(case.id.as_str());
        let silent = matches!(outcome, Outcome::NotApplicable | Outcome::NotRun);
        let fails = !silent && outcome != Outcome::Pass;
        let why = format!("it is {}, and failures, remarks or unrun explain it otherwise, or not at all", case.outcome);
        let explained = failure.is_some() == fails && reason.is_some() == silent;
        faults.unless(explained, || place("outcome"), &why);
        faults.unless(case.force.is_some() == fails, || place("force"), "it belongs to a failure or a remark alone");
        let count = known.answers().count();
        let behaves = match case.behaviour {
            Some(answer) => outcome == Outcome::Pass && !known.any_of.is_empty() && (1..=count).contains(&answer),
            None => outcome != Outcome::Pass || known.any_of.is_empty(),
        };
        faults.unless(behaves, || place("behaviour"), "the case permits other answers than that");
        if let Some((at, row)) = &failure {
            faults.unless(
                row.outcome == case.outcome,
                || format!("{at}/outcome"),
                &format!("cases say {}", case.outcome),
            );
            faults.unless(row.outcome == case.outcome, || place("outcome"), &format!("{at} says {}", row.outcome));
            faults.unless(case.force == Some(row.force), || format!("{at}/force"), "cases say something else");
            faults.unless(case.force == Some(row.force), || place("force"), &format!("{at} says something else"));
            let same = row.expectation == case.expectation;
            faults.unless(same, || format!("{at}/expectation"), "cases say something else");
            faults.unless(same, || place("expectation"), &format!("{at} says something else"));
            weighed(row, outcome, at, &mut faults);
        }
        if let Some((at, row)) = &reason {
            faults.unless(
                row.outcome == case.outcome,
                || format!("{at}/outcome"),
                &format!("cases say {}", case.outcome),
            );
        }
        let mismatches = failure.iter().flat_map(|(_, row)| &row.mismatches).filter_map(stored::StoredMismatch::read);
        let judgement = Judgement {
            outcome,
            force: case.force.map(Weight::from),
            behaviour: case.behaviour,
            mismatches: mismatches.collect(),
            untold: 0,
            note: reason.map(|(_, row)| row.reason.clone()).or(failure.and_then(|(_, row)| row.note.clone())),
        };
        results.push(CaseResult { id: case.id.clone(), judgement, rationale: known.rationale.clone(), took: None });
    }
    let (failed, unrun) = (failed.into_values().map(|(at, _)| at), unrun.into_values().map(|(at, _)| at));
    for at in failed.chain(unrun) {
        faults.unless(false, || format!("{at}/id"), "cases have no such outcome");
    }
    if faults.0.is_empty() { Ok(results) } else { Err(faults.0) }
}

/// A failure weighs as much as the heaviest of its differences; one without an answer is against the specification.
fn weighed(row: &StoredFailure, outcome: Outcome, at: &str, faults: &mut Faults) {
    let mut heaviest = None;
    for (index, mismatch) in row.mismatches.iter().enumerate() {
        let place = || format!("{at}/mismatches/{index}/force");
        let force = mismatch.read().and_then(|mismatch| mismatch.force);
        faults.unless(force.is_some(), place, "a difference from an expectation has one of four forces");
        heaviest = heaviest.max(force.map(|force| force.weight()));
    }
    let silent = matches!(
        outcome,
        Outcome::Fault | Outcome::Crash | Outcome::Timeout | Outcome::Protocol | Outcome::BrokenPromise
    );
    if silent {
        let spec = Weight::from(row.force) == Weight::Spec;
        faults.unless(spec, || format!("{at}/force"), "what gave no answer is against the specification");
    } else {
        let why = "it is not that of the heaviest of its mismatches";
        faults.unless(heaviest == Some(row.force.into()), || format!("{at}/force"), why);
    }
    let explained = !row.mismatches.is_empty() || row.note.as_ref().is_some_and(|note| !note.is_empty());
    faults.unless(explained, || format!("{at}/note"), "nothing says what was wrong");
}

fn introduction(stored: &Stored) -> Introduction {
    let testee = &stored.result.testee;
    Introduction {
        testee: Named { name: testee.name.clone(), version: testee.version.clone() },
        lang: testee.lang.clone(),
        shim: testee.shim.clone().map(|shim| Named { name: shim.name, version: shim.version }),
        ops: testee.ops.clone(),
        capabilities: testee.capabilities.clone(),
        in_flight: 1,
    }
}

fn selection(stored: &Stored) -> Made<Selection> {
    let stated = &stored.result.selection;
    let shard = stated.shard.as_deref().map(str::parse::<Shard>).transpose();
    let shard = shard.map_err(|error| vec![Difference::new("/result/selection/shard", error.to_string())])?;
    Ok(Selection {
        filters: stated.cases.clone(),
        systems: stated.systems.clone(),
        modes: stated.modes.clone(),
        levels: stated.levels.clone(),
        shard,
    })
}

/// A case is left unasked exactly where what was declared says so.
fn unasked(stored: &Stored, follows: &Follows) -> Vec<Difference> {
    let mut faults = Faults::default();
    for (index, row) in stored.result.unrun.iter().enumerate() {
        let (lack, limit) = (follows.lacking.get(&row.id), follows.beyond.get(&row.id));
        let declared = lack.or(limit).is_some_and(|why| *why == row.reason);
        faults.unless(declared, || format!("/result/unrun/{index}/reason"), "what was declared gives another, or none");
    }
    for (index, case) in stored.result.cases.iter().enumerate() {
        let asked = stored::outcome(&case.outcome) != Some(Outcome::NotApplicable);
        let lacks = asked && follows.lacking.contains_key(&case.id);
        faults.unless(!lacks, || format!("/result/cases/{index}/outcome"), "what it needs was not declared");
    }
    faults.0
}

/// What the expectations file says of each case.
type Statuses = (BTreeMap<String, Expectation>, ExpectationsInfo);

fn expected(stored: &Stored, grounds: Grounds<'_>, results: &[CaseResult]) -> Made<Option<Statuses>> {
    let stated = stored.result.expectations.as_ref();
    let Some(stated) = stated else { return Ok(None) };
    let of = |member: &str, message: String| vec![Difference::new(format!("/result/expectations{member}"), message)];
    if let Some(file) = grounds.expectations {
        let sha256 = file.sha256().to_hex();
        if sha256 != stated.sha256 {
            return Err(of("/sha256", format!("{} is stated, the file at hand has {sha256}", stated.sha256)));
        }
        return file.apply(grounds.suite, results).map(Some).map_err(|error| of("", error.to_string()));
    }
    let statuses: BTreeMap<_, _> =
        stored.result.cases.iter().filter_map(|case| Some((case.id.clone(), case.expectation?))).collect();
    for (index, case) in stored.result.cases.iter().enumerate() {
        let failed = case.force.is_some();
        let fits = match case.expectation {
            Some(Expectation::Stale) => case.outcome == Outcome::Pass.name(),
            Some(_) => failed,
            None => !failed,
        };
        if !fits {
            let member = format!("/result/cases/{index}/expectation");
            return Err(vec![Difference::new(
                member,
                "a file of known failures says another thing of such an outcome",
            )]);
        }
    }
    let expected = statuses.values().filter(|status| **status == Expectation::Expected).count();
    let info =
        ExpectationsInfo { sha256: stated.sha256.clone(), entries: stated.entries, expected, drifts: Vec::new() };
    Ok(Some((statuses, info)))
}

fn probes(stored: &Stored, follows: &Follows) -> Made<Vec<Probe>> {
    let stated = &stored.result.probes;
    let mut faults = Faults::default();
    faults.unless(
        stated.len() == follows.probes.len(),
        || "/result/probes".to_owned(),
        "what was declared asks for another number of probes",
    );
    let mut probes = Vec::new();
    for (index, (row, (capability, profile, at))) in stated.iter().zip(&follows.probes).enumerate() {
        let place = |name: &str| format!("/result/probes/{index}/{name}");
        let why = "what was declared asks for another probe here";
        faults.unless(row.capability == *capability, || place("capability"), why);
        faults.unless(row.profile == *profile, || place("profile"), why);
        faults.unless(row.at == *at, || place("at"), why);
        let outcome = stored::outcome(&row.outcome).unwrap_or(Outcome::NotRun);
        let past = *at != "on the limit" && outcome == Outcome::NotApplicable;
        let holds = outcome == Outcome::Pass || past;
        faults.unless(holds, || place("outcome"), "a declaration that is not true gets no statement");
        faults.unless(row.message.is_none(), || place("message"), "nothing is wrong with a probe that holds");
        probes.push(Probe { capability, profile: profile.clone(), at, outcome, message: row.message.clone() });
    }
    if faults.0.is_empty() { Ok(probes) } else { Err(faults.0) }
}

/// The result as it is stated and as it follows from the cases. Of another version of the harness, the rest must be the same.
fn compared(node: &Node, again: &crate::report::Results, version: &str) -> Made<Vec<Difference>> {
    let written = serde_json::to_string(again).map_err(|error| error.to_string());
    let derived = written.and_then(|text| Node::parse(&text).map_err(|error| error.to_string()));
    let mut derived = derived.map_err(|error| vec![Difference::new("/result", error)])?;
    if let Node::Object(members) = &mut derived {
        members.insert("assize".to_owned(), Node::Text(version.to_owned()));
    }
    let stated = node.member("result").unwrap_or(&Node::Null);
    let mut found = differences(stated, &derived);
    for difference in &mut found {
        difference.member.insert_str(0, "/result");
    }
    Ok(found)
}
