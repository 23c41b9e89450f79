//! What a claim cannot say, whoever signs it, by itself alone.
//!
//! Every check names the member that is at fault, as a JSON Pointer into the statement.

use std::collections::BTreeSet;

use assize_corpus::vector::Weight;
use thiserror::Error;

use super::claim::{Claim, LawClaim, SubjectClaim, does_not_prove};
use crate::{
    protocol::Limits,
    report::{Challenged, Grade, LevelRow, LevelState, RunGrade, Totals},
    runner::{Altered, null::NAMES},
    selection::Shard,
    suite::MOST_EACH,
    testee::{SEALED, TransportKind, seals},
};

/// A member that cannot be true.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{member}: {why}")]
pub struct Contradiction {
    /// JSON Pointer into the statement.
    pub member: String,
    /// What is wrong with it.
    pub why: String,
}

/// A check of one or several members.
pub(super) type Checked = Result<(), Contradiction>;

/// Holds a member of the claim to a condition.
pub(super) fn must(holds: bool, member: &str, why: &str) -> Checked {
    if holds {
        return Ok(());
    }
    Err(Contradiction { member: format!("/predicate/assize{member}"), why: why.to_owned() })
}

/// Everything that a claim can be held to without looking at anything else.
pub(super) fn check(claim: &Claim) -> Checked {
    counts(claim)?;
    laws(claim)?;
    grade(claim)?;
    levels(claim)?;
    controls(claim)?;
    command(claim)?;
    sessions(claim)?;
    rest(claim)
}

fn sum(counts: impl IntoIterator<Item = usize>) -> usize {
    counts.into_iter().fold(0, usize::saturating_add)
}

/// Members that have several values in an order of their own: sorted, each once.
fn distinct<T: Ord>(items: &[T]) -> bool {
    items.is_sorted_by(|a, b| a < b)
}

/// How a count is picked.
type Pick = fn(&Totals) -> usize;

const COUNTS: [(&str, Pick); 9] = [
    ("cases", |t| t.cases),
    ("pass", |t| t.pass),
    ("remarks", |t| t.remarks),
    ("fail", |t| t.fail),
    ("spec", |t| t.spec),
    ("ruling", |t| t.ruling),
    ("expected", |t| t.expected),
    ("not_applicable", |t| t.not_applicable),
    ("not_run", |t| t.not_run),
];

/// Counts of one law, or of all: parts make up the whole.
fn adds_up(counts: &Totals, member: &str) -> Checked {
    let all = sum([counts.pass, counts.fail, counts.not_applicable, counts.not_run]);
    let parts = "pass, fail, not_applicable and not_run do not add up to it";
    must(all == counts.cases, &format!("{member}/cases"), parts)?;
    let weighed = counts.spec.checked_add(counts.ruling) == Some(counts.fail);
    must(weighed, &format!("{member}/fail"), "spec and ruling do not add up to it")?;
    must(counts.remarks <= counts.pass, &format!("{member}/remarks"), "there are fewer passes")?;
    must(counts.expected <= counts.fail, &format!("{member}/expected"), "there are fewer failures")
}

fn counts(claim: &Claim) -> Checked {
    let totals = &claim.totals;
    adds_up(totals, "/totals")?;
    for (index, law) in claim.laws.iter().enumerate() {
        adds_up(&law.counts, &format!("/laws/{index}/counts"))?;
    }
    for (name, pick) in COUNTS {
        let over = sum(claim.laws.iter().map(|law| pick(&law.counts)));
        must(over == pick(totals), &format!("/totals/{name}"), "the laws do not add up to it")?;
    }
    challenges(claim)?;
    let whole = totals.cases.checked_add(claim.not_selected) == claim.suite.cases.checked_add(claim.beside());
    must(
        whole,
        "/not_selected",
        "the totals and it do not add up to the cases of the suite, and to /challenges/cases",
    )?;
    let reasons = |reasons: &std::collections::BTreeMap<String, usize>| sum(reasons.values().copied());
    must(reasons(&claim.not_applicable) == totals.not_applicable, "/not_applicable", "the totals count others")?;
    must(totals.not_run == 0, "/totals/not_run", "no certificate may leave a selected case out")?;
    must(claim.not_run.is_empty(), "/not_run", "no certificate may leave a selected case out")?;
    must(sum([totals.pass, totals.fail]) > 0, "/totals/pass", "no case was answered")?;
    must(totals.expected == 0 || claim.expectations.is_some(), "/expectations", "failures are expected by no file")?;
    if let Some(file) = &claim.expectations {
        // A known failure may meet a remark, which is not a failure.
        let most = sum([totals.fail, totals.remarks]);
        let fits = (totals.expected..=most).contains(&file.expected);
        must(fits, "/expectations/expected", "the totals count others")?;
        must(file.expected == 0 || file.entries > 0, "/expectations/entries", "no entry expects a failure")?;
    }
    let excused = if claim.fail_on.counts(Weight::Ruling) { 0 } else { totals.ruling };
    let unexcused = totals.fail.saturating_sub(totals.expected);
    must(unexcused <= excused, "/totals/expected", "a failure is not expected, which no certificate may hold")
}

/// Questions beside the corpus.
fn challenges(claim: &Claim) -> Checked {
    let Some(Challenged { seed, each, cases, answered }) = &claim.challenges else { return Ok(()) };
    must(*seed == claim.seed.to_string(), "/challenges/seed", "the run has another seed")?;
    must(each.is_none_or(|each| (1..=MOST_EACH).contains(&each)), "/challenges/each", "no set has as many")?;
    must(answered <= cases, "/challenges/answered", "fewer were made: /challenges/cases")?;
    let asked = claim
        .controls
        .null_testees
        .iter()
        .all(|row| row.cases.checked_add(*answered) == Some(sum([claim.totals.pass, claim.totals.fail])));
    must(
        asked,
        "/challenges/answered",
        "passes and failures are not these and the cases of every row of /controls/null_testees",
    )
}

fn laws(claim: &Claim) -> Checked {
    let mut seen = BTreeSet::new();
    for (index, law) in claim.laws.iter().enumerate() {
        let must = |holds: bool, name: &str, why: &str| must(holds, &format!("/laws/{index}/{name}"), why);
        let LawClaim { counts, altered, .. } = law;
        let answered = sum([counts.pass, counts.fail]);
        must(seen.insert(&law.slug), "slug", "the law stands there twice")?;
        must(counts.cases > 0, "counts/cases", "no case of the law was selected")?;
        must(counts.cases <= law.in_suite, "in_suite", "more cases were selected than the suite has")?;
        let all = claim.not_selected > 0 || counts.cases == law.in_suite;
        must(all, "in_suite", "all cases were selected, and yet fewer than the suite has")?;
        must(altered.caught == altered.planted, "altered/caught", THROUGH)?;
        must(law.null_passes <= answered, "null_passes", "fewer cases were answered")?;
        must(law.credit <= counts.pass, "credit", "there are fewer passes")?;
        let graded = match law.grade {
            Grade::Violates => counts.spec > 0,
            Grade::Conforms => counts.spec == 0 && law.credit > 0,
            Grade::ConformsStrictly => counts.fail == 0 && law.credit > 0,
            Grade::NotAsked => counts.spec == 0,
        };
        must(graded, "grade", "it does not follow from the counts")?;
    }
    Ok(())
}

fn grade(claim: &Claim) -> Checked {
    let totals = &claim.totals;
    let worst = claim.laws.iter().map(|law| law.grade).max().unwrap_or(Grade::NotAsked);
    let less = !claim.rulings.left_out.is_empty() || totals.ruling > 0;
    let follows = match worst {
        Grade::NotAsked => RunGrade::Incomplete,
        Grade::ConformsStrictly if less => RunGrade::Conforms,
        Grade::ConformsStrictly => RunGrade::ConformsStrictly,
        Grade::Conforms => RunGrade::Conforms,
        Grade::Violates => RunGrade::Violates,
    };
    let certifiable = claim.grade != RunGrade::Incomplete;
    must(certifiable && claim.grade == follows, "/grade", "it does not follow from the laws")?;
    let rulings = &claim.rulings;
    must(distinct(&rulings.rests_on), "/rulings/rests_on", "not sorted, or one stands there twice")?;
    must(distinct(&rulings.left_out), "/rulings/left_out", "not sorted, or one stands there twice")?;
    let apart = !rulings.rests_on.iter().any(|id| rulings.left_out.contains(id));
    must(apart, "/rulings/rests_on", "it rests on a ruling that was left out")
}

fn levels(claim: &Claim) -> Checked {
    let answered = sum([claim.totals.pass, claim.totals.fail]);
    let mut seen = BTreeSet::new();
    for (index, level) in claim.levels.iter().enumerate() {
        let must = |holds: bool, name: &str, why: &str| must(holds, &format!("/levels/{index}/{name}"), why);
        let LevelRow { state, grade, cases, pass, .. } = level;
        must(seen.insert(&level.name), "name", "the level stands there twice")?;
        let most = sum([claim.suite.cases, claim.beside()]);
        must(*cases <= most, "cases", "the suite has fewer")?;
        must(pass <= cases && *pass <= claim.totals.pass, "pass", "there are fewer cases, or fewer passes in all")?;
        must(*grade == Grade::NotAsked || *cases > 0 && answered > 0, "grade", "nothing of it was asked")?;
        let stated = match state {
            LevelState::Held => grade.holds() && *pass > 0,
            LevelState::Violated => *grade == Grade::Violates,
            LevelState::Incomplete => *grade != Grade::Violates && *cases > 0,
            LevelState::Undeclared | LevelState::Incapable => *cases > 0,
            LevelState::Empty => *cases == 0 && *pass == 0,
        };
        must(stated, "state", "it does not follow from grade, cases and passes")?;
        let of_whole = !claim.is_partial() || *state != LevelState::Held;
        must(of_whole, "state", "selection.cases or selection.shard took a part of the corpus: it holds no level")?;
    }
    Ok(())
}

/// No certificate holds with an altered answer that nobody noticed.
const THROUGH: &str = "fewer than planted: an altered answer went through";

fn controls(claim: &Claim) -> Checked {
    let (controls, totals) = (&claim.controls, &claim.totals);
    let altered = controls.altered;
    must(altered.planted > 0, "/controls/altered/planted", "nothing shows that the run could have failed")?;
    must(altered.caught == altered.planted, "/controls/altered/caught", THROUGH)?;
    for (kind, altered) in &controls.kinds {
        let member = format!("/controls/kinds/{kind}/caught");
        must(altered.caught == altered.planted, &member, THROUGH)?;
    }
    let planted = |rows: &mut dyn Iterator<Item = Altered>| sum(rows.map(|altered| altered.planted));
    let by_kind = planted(&mut controls.kinds.values().copied()) == altered.planted;
    must(by_kind, "/controls/kinds", "the kinds do not add up to what was altered")?;
    let by_law = planted(&mut claim.laws.iter().map(|law| law.altered)) == altered.planted;
    must(by_law, "/controls/altered/planted", "the laws do not add up to it")?;
    let names = controls.null_testees.iter().map(|row| row.name.as_str());
    must(
        names.eq(NAMES),
        "/controls/null_testees",
        "the name of each, and their order, are not those of the null testees",
    )?;
    let over = sum(claim.laws.iter().map(|law| law.null_passes));
    for (index, row) in controls.null_testees.iter().enumerate() {
        let must = |holds: bool, name: &str, why| must(holds, &format!("/controls/null_testees/{index}/{name}"), why);
        let answered = claim.challenges.as_ref().map_or(0, |challenges| challenges.answered);
        let asked = row.cases.checked_add(answered) == Some(sum([totals.pass, totals.fail]));
        must(asked, "cases", "it was not asked what the testee answered of the corpus")?;
        must(row.pass <= over, "pass", "the laws count fewer passes of null testees")?;
    }
    let any = sum(controls.null_testees.iter().map(|row| row.pass));
    must(over <= any, "/controls/null_testees", "the laws count more passes of null testees")
}

fn command(claim: &Claim) -> Checked {
    let is_process = claim.transport == TransportKind::Process;
    must(claim.command.is_some() == is_process, "/command", "a process has one, and the built-in verifier has none")?;
    must(claim.containment.is_some() == is_process, "/containment", "a process has one, the built-in verifier none")?;
    if let Some(command) = &claim.command {
        must(command.argv.iter().any(|word| !word.is_empty()), "/command/argv", "it names no program")?;
        let named = |name: &String| !name.is_empty() && !name.contains(['=', '\0']);
        let lawful = distinct(&command.environment) && command.environment.iter().all(named);
        must(lawful, "/command/environment", "not sorted, one stands there twice, or one is not a name")?;
        must(!command.files.is_empty(), "/command/files", "no file of the command is known")?;
        let arguments: Vec<_> = command.files.iter().map(|file| file.argument).collect();
        let words = distinct(&arguments) && arguments.iter().all(|word| *word < command.argv.len());
        must(words, "/command/files", "an argument that is none of argv, not sorted, or there twice")?;
        must(
            command.subject.is_some(),
            "/command/subject",
            "its files were not the same all the time, or are not known",
        )?;
        let holds = |subject: &SubjectClaim| subject.files > 0 || subject.bytes == 0;
        must(command.subject.as_ref().is_none_or(holds), "/command/subject/bytes", "there are no files")?;
        if let Some(runtime) = &command.runtime {
            let must = |holds: bool, name: &str, why| must(holds, &format!("/command/runtime/{name}"), why);
            must(!runtime.paths.is_empty(), "paths", "nothing was added to it, and yet there is one")?;
            must(runtime.files > 0 || runtime.bytes == 0, "bytes", "there are no files")?;
            match &runtime.undigested {
                Some(_) => {
                    must(runtime.sha256.is_none(), "undigested", "there is a digest, and sha256 is it")?;
                    must(runtime.files == 0, "files", "nothing of it was digested")?;
                }
                None => must(runtime.sha256.is_some(), "sha256", "there is none, and undigested does not say why")?,
            }
        }
    }
    if let Some(contained) = &claim.containment {
        let lawful = distinct(&contained.measures) && distinct(&contained.missing);
        must(lawful, "/containment/measures", "not sorted, or one stands there twice")?;
        let apart = !contained.measures.iter().any(|measure| contained.missing.contains(measure));
        must(apart, "/containment/missing", "a measure was taken that was missing")?;
        let (sealed, whole) = (contained.level == SEALED, seals(&contained.measures));
        let why = "`sealed` is said of everything that keeps a testee contained, and of nothing less";
        must(!sealed || contained.missing.is_empty(), "/containment/missing", why)?;
        must(!sealed || whole, "/containment/measures", why)?;
        must(sealed || !whole || !contained.missing.is_empty(), "/containment/level", why)?;
    }
    Ok(())
}

/// What a session can be for.
const PURPOSES: [&str; 6] = ["alone", "controls", "fresh", "hello", "orders", "probes"];
/// Cases that are asked once more, each in a process of its own.
const FRESH: usize = 8;

fn sessions(claim: &Claim) -> Checked {
    if claim.transport == TransportKind::InProcess {
        return must(claim.sessions.is_empty(), "/sessions", "the built-in verifier has none");
    }
    must(!claim.sessions.is_empty(), "/sessions", "no process said anything")?;
    for (index, session) in claim.sessions.iter().enumerate() {
        let must = |holds: bool, name: &str, why: &str| must(holds, &format!("/sessions/{index}/{name}"), why);
        must(PURPOSES.contains(&session.purpose.as_str()), "purpose", "no session is for that")?;
        must(session.agreed != Some(false), "agreed", "the testee counted other answers")?;
        let none = session.chain.bytes().all(|digit| digit == b'0');
        must(none == (session.served == 0), "chain", "it does not belong to that number of answers served")?;
    }
    let of = |purpose: &str| claim.sessions.iter().filter(|session| session.purpose == purpose).count();
    must(of("orders") > 0, "/sessions", "none is for the two orders")?;
    let fresh = claim.totals.pass.min(FRESH)..=FRESH;
    must(fresh.contains(&of("fresh")), "/sessions", "another number of fresh processes than there are")?;
    let served = claim.sessions.iter().fold(0_u64, |sum, session| sum.saturating_add(session.served));
    // Every case goes out in two orders, and a pass is an answer to both.
    let owed = claim.totals.pass.saturating_mul(2);
    must(
        usize::try_from(served).is_ok_and(|served| served >= owed),
        "/sessions",
        "fewer answers were served than passes need",
    )
}

fn rest(claim: &Claim) -> Checked {
    must(claim.jobs > 0, "/jobs", "nobody was at work")?;
    let Limits { line, case_ms, start_ms, ends, .. } = claim.limits;
    must(line > 0, "/limits/line", "no frame fits")?;
    must(case_ms > 0, "/limits/case_ms", "no answer comes in no time")?;
    must(start_ms > 0, "/limits/start_ms", "no process starts in no time")?;
    must(ends > 0, "/limits/ends", "nothing would have been asked")?;
    let selection = &claim.selection;
    for (name, names) in [
        ("systems", &selection.systems),
        ("modes", &selection.modes),
        ("levels", &selection.levels),
        ("cases", &selection.cases),
    ] {
        must(distinct(names), &format!("/selection/{name}"), "not sorted, or one stands there twice")?;
    }
    let shard = selection.shard.as_deref().is_none_or(|shard| shard.parse::<Shard>().is_ok());
    must(shard, "/selection/shard", "there is no such part")?;
    let all = *selection != Default::default() || claim.not_selected == 0;
    must(all, "/not_selected", "cases are missing, and no filter left them out")?;
    let stated =
        claim.does_not_prove == does_not_prove(claim.transport, claim.containment.as_ref(), claim.command.as_ref());
    let why = "it is not what such a claim does not prove, by transport, containment.level, containment.readable and command.runtime.undigested";
    must(stated, "/does_not_prove", why)
}

#[cfg(test)]
mod table;
