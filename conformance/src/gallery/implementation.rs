//! The page of an implementation: what it was asked, what came of it, and how to see that again.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    entry::{Entry, Name},
    law,
    stored::{Asked, Law},
};
use crate::{
    clean::clean,
    report::{
        Totals,
        cluster::clusters,
        html::{Cause, Pills, card::Cards, pills},
        view::{NOT_PROVEN, causes, listed},
    },
    suite::Suite,
};

/// Everything on the page.
#[derive(Serialize)]
pub(super) struct Page {
    #[serde(flatten)]
    name: Name,
    /// Where to read about it: an address of the web, and no other.
    link: Option<String>,
    client: Option<String>,
    why: Option<String>,
    /// The command that asks everything again.
    again: String,
    badge: String,
    drawing: String,
    result: String,
    others: Vec<Name>,
    asked_for: Vec<String>,
    packages: Vec<String>,
    files: Vec<(String, String)>,
    key: String,
    judged: String,
    report: Option<Report>,
    // What follows has the names that the templates of reports give it.
    usable: bool,
    totals: Totals,
    asked: usize,
    pills: Vec<Pills>,
    causes: Vec<Cause>,
    remarks: Vec<Cause>,
    rows: usize,
    not_proven: [&'static str; 5],
}

/// What the report says beside its failures.
#[derive(Serialize)]
struct Report {
    verdict: &'static str,
    reason: String,
    declared: String,
    shim: Option<String>,
    laws: Vec<Row>,
    unrun: Vec<Unrun>,
    flaws: Vec<String>,
    digest: String,
    suite: String,
    suite_cases: usize,
    /// Whether it is the suite of this gallery.
    current: bool,
    seed: u32,
    assize: String,
}

/// One law of the report.
#[derive(Serialize)]
struct Row {
    slug: String,
    title: String,
    page: String,
    grade: &'static str,
    class: String,
    asked: usize,
    #[serde(flatten)]
    counts: Totals,
    /// The place of its first cause on the page, from 1.
    cause: Option<usize>,
}

/// Cases without an answer, for one reason.
#[derive(Serialize)]
struct Unrun {
    outcome: String,
    reason: String,
    count: usize,
    ids: String,
}

impl Page {
    pub(super) fn of(entry: &Entry<'_>, all: &[Entry<'_>], suite: &Suite) -> Self {
        let (kept, implementation) = (entry.kept, &entry.kept.implementation);
        let shown = |text: &String| clean(text).into_owned();
        let is_other = |other: &&Entry<'_>| entry.is_of(other) && other.page() != entry.page();
        let (causes, remarks) = entry.asked.as_ref().map(|asked| failed(entry, asked, suite)).unwrap_or_default();
        let totals = entry.asked.as_ref().map_or_else(Totals::default, |asked| asked.result.totals);
        Self {
            name: entry.name(),
            link: implementation.link.as_ref().filter(|link| link.starts_with("https://")).map(shown),
            client: implementation.client.as_ref().map(shown),
            why: kept.why.as_ref().map(shown),
            again: entry.again(),
            badge: entry.badge(),
            drawing: entry.drawing(),
            result: entry.result(),
            others: all.iter().filter(is_other).map(Entry::name).collect(),
            asked_for: kept.asked.iter().map(shown).collect(),
            packages: kept.installed.packages.iter().map(shown).collect(),
            files: kept.installed.files.iter().map(|(path, digest)| (shown(path), shown(digest))).collect(),
            key: shown(&kept.key),
            judged: shown(&kept.judged),
            report: entry.asked.as_ref().map(|asked| Report::of(asked, &causes, suite)),
            usable: entry.asked.as_ref().is_some_and(Asked::usable),
            totals,
            asked: entry.asked.as_ref().map_or(0, Asked::asked),
            pills: entry.asked.as_ref().map(|asked| pills(totals, &asked.failures)).unwrap_or_default(),
            rows: totals.fail.saturating_sub(causes.len()),
            causes,
            remarks,
            not_proven: NOT_PROVEN,
        }
    }
}

/// Failures and remarks, those that look like one as one: the smallest in full, the others in a line each.
fn failed(entry: &Entry<'_>, asked: &Asked, suite: &Suite) -> (Vec<Cause>, Vec<Cause>) {
    let mut cards = Cards::of(suite, asked.is_of(suite), &asked.run.evidence, |id| entry.alone(id));
    let failures = Cause::shortly(&causes(&asked.clusters, &asked.failures), &mut cards);
    let like = clusters(suite, &asked.remarks);
    let remarks = causes(&like, &asked.remarks);
    (failures, remarks.iter().map(|cause| Cause::remark(cause, &cards)).collect())
}

impl Report {
    fn of(asked: &Asked, causes: &[Cause], suite: &Suite) -> Self {
        let result = &asked.result;
        let declared = result.testee.capabilities.to_string();
        let shim = result.testee.shim.as_ref();
        Self {
            verdict: crate::report::view::Verdict::from(result.grade).name(),
            reason: reason(asked),
            declared: if declared.is_empty() { "no limits".to_owned() } else { clean(&declared).into_owned() },
            shim: shim.map(|shim| clean(&format!("{} {}", shim.name, shim.version)).into_owned()),
            laws: if asked.usable() { laws(asked, causes) } else { Vec::new() },
            unrun: unrun(asked),
            flaws: flaws(asked),
            digest: clean(&asked.digest).into_owned(),
            suite: clean(&result.suite.sha256).into_owned(),
            suite_cases: result.suite.cases,
            current: asked.is_of(suite),
            seed: result.seed,
            assize: clean(&result.assize).into_owned(),
        }
    }
}

/// What the grade rests on, in one line.
fn reason(asked: &Asked) -> String {
    let (totals, laws) = (asked.result.totals, &asked.result.laws);
    if !asked.usable() {
        let why = asked.result.faults.last().map(|fault| clean(fault.lines().next().unwrap_or_default()).into_owned());
        return why.unwrap_or_else(|| "the implementation could not be used".to_owned());
    }
    let broken = laws.iter().filter(|law| law.counts.spec > 0).count();
    let some = |count: usize, one: &str, many: &str| (count > 0).then(|| crate::words::counted(count, one, many));
    let mut parts = vec![format!("{} of {} cases asked", asked.asked(), totals.cases)];
    parts.extend(
        some(totals.spec, "spec failure", "spec failures")
            .map(|spec| format!("{spec} in {}", crate::words::counted(broken, "law", "laws"))),
    );
    parts.extend(some(totals.ruling, "ruling failure", "ruling failures"));
    parts.extend(some(totals.remarks, "remark", "remarks"));
    parts.extend((totals.not_run > 0).then(|| format!("{} not run", totals.not_run)));
    parts.join(", ")
}

/// Laws of which something was asked: those with failures first.
fn laws(asked: &Asked, causes: &[Cause]) -> Vec<Row> {
    let mut laws: Vec<&Law> = asked.result.laws.iter().collect();
    laws.sort_by_key(|law| std::cmp::Reverse((law.counts.spec, law.counts.ruling)));
    let row = |law: &Law| Row {
        slug: law.slug.clone(),
        title: clean(&law.title).into_owned(),
        page: law::path(&law.slug),
        grade: law.grade.name(),
        class: law.grade.name().replace(' ', "-"),
        asked: law.counts.pass.saturating_add(law.counts.fail),
        counts: law.counts,
        cause: causes.iter().position(|cause| cause.law == law.slug).map(|place| place + 1),
    };
    laws.into_iter().map(row).collect()
}

/// Cases without an answer by reason, the largest groups first.
fn unrun(asked: &Asked) -> Vec<Unrun> {
    let mut groups: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for case in &asked.result.unrun {
        groups.entry((&case.outcome, &case.reason)).or_default().push(&case.id);
    }
    let group = |((outcome, reason), ids): ((&str, &str), Vec<&str>)| Unrun {
        outcome: clean(outcome).replace('-', " ").to_lowercase(),
        reason: clean(reason).into_owned(),
        count: ids.len(),
        ids: listed(ids.into_iter(), 5),
    };
    let mut groups: Vec<Unrun> = groups.into_iter().map(group).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}

/// What was wrong with the run itself, each in a line.
fn flaws(asked: &Asked) -> Vec<String> {
    let (result, run) = (&asked.result, &asked.run);
    let unstable = result.unstable.iter().map(|case| format!("{}: not the same answer each time", case.id));
    let told = run.session_faults.iter().chain(&run.receipts).map(|told| told.message.clone());
    let orphans = run.orphans.len();
    let orphans =
        (orphans > 0).then(|| format!("{} outlived it", crate::words::counted(orphans, "process", "processes")));
    let all = result.faults.iter().cloned().chain(told).chain(unstable).chain(orphans);
    all.map(|flaw| clean(&flaw).into_owned()).collect()
}
