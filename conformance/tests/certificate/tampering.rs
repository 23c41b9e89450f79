//! Every member of statement, report and replay altered, each signed again with a valid key: all of it is refused by name.
//!
//! Members are listed from the schemas, so that a new one fails here until something refuses its alterations. What is altered
//! is a real run over a small corpus: with a crash, a wrong output, a remark, limits that are declared, and a level that is held.

mod alter;
mod scene;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use assize::certificate::{
    Certified, ReportFile, Seed, Statement, open, possible, replay_differences, report_differences,
};
use assize_corpus::node::Node;
use assize_verifier::digest::Digest;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::run::{private, public};
use alter::{Alteration, Member};
use scene::Scene;

/// What shows an alteration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shown {
    Statement,
    Report,
    Replay,
}

const CONSISTENT: &str = "statement made consistent";

/// Alterations that make another true story: nothing in it says which of the two was the run.
const ANOTHER_RUN: [(&str, &str, &str); 15] = [
    // Which binary a harness was, no report says.
    (CONSISTENT, "/predicate/assize/harness/sha256", "changed"),
    ("report", "/run/id", "changed"),
    ("report", "/run/seconds", "changed"),
    ("report", "/run/evidence/*/message", "changed"),
    ("report", "/run/evidence/*/stderr", "changed"),
    ("report", "/run/evidence/*/stderr", "removed"),
    ("replay", "/run/id", "changed"),
    ("replay", "/run/started", "changed"),
    ("replay", "/run/seconds", "changed"),
    ("replay", "/run/evidence/*/message", "changed"),
    ("replay", "/run/evidence/*/stderr", "changed"),
    ("replay", "/run/evidence/*/stderr", "removed"),
    // Which of the usual variables are set is a matter of the shell.
    ("replay", "/run/command/environment", "changed"),
    ("replay", "/run/command/environment/*", "removed"),
    // Of sessions only as many are owed as the cases need.
    ("replay", "/run/sessions/*", "removed"),
];

#[test]
fn every_altered_member_is_refused_by_name() {
    let scene = &*SCENE;
    let documents: [(&str, &str, &Value, Judge); 4] = [
        ("statement", "certificate", &scene.statement, statement),
        (CONSISTENT, "certificate", &scene.statement, consistent),
        ("report", "report", &scene.report, report),
        ("replay", "report", &scene.again, replay),
    ];
    let (mut shown, mut troubles) = (BTreeMap::<_, usize>::new(), Vec::new());
    for (document, schema, whole, judge) in documents {
        let members = alter::members(schema);
        assert!(members.len() > 50, "{document}: {}", members.len());
        let judged: Vec<(&Member, Vec<Judged>)> = members
            .par_iter()
            .map(|member| {
                let alterations = member.alterations(whole).into_iter();
                (member, alterations.map(|altered| (altered.clone(), judge(scene, member, &altered))).collect())
            })
            .collect();
        for (member, alterations) in judged {
            let place = member.place();
            let mut covered = false;
            for (Alteration { kind, .. }, judged) in alterations {
                let free = ANOTHER_RUN.contains(&(document, place.as_str(), kind));
                match judged {
                    Ok(by) => {
                        covered = true;
                        *shown.entry((document, by)).or_default() += 1;
                        if free {
                            troubles.push(format!("{document} {place} {kind}: is shown, and listed as not to be"));
                        }
                    }
                    Err(_) if free => {}
                    Err(why) => troubles.push(format!("{document} {place} {kind}: {why}")),
                }
            }
            if !covered {
                troubles.push(format!("{document} {place}: no alteration of it is refused"));
            }
        }
    }
    // Made consistent, a statement is altered in the same ways once more.
    let kinds: usize = shown.iter().filter(|((document, _), _)| *document != CONSISTENT).map(|(_, count)| count).sum();
    eprintln!("{kinds} kinds of alterations are refused by name: {shown:?}");
    assert!(troubles.is_empty(), "{} troubles:\n{}", troubles.len(), troubles.join("\n"));
    assert!(kinds >= 120, "{kinds}");
    let by: BTreeSet<Shown> = shown.into_keys().map(|(_, by)| by).collect();
    assert_eq!(by, BTreeSet::from([Shown::Statement, Shown::Report, Shown::Replay]));
}

/// The run itself is not refused: what refuses everything would pass the other test.
#[test]
fn the_run_that_is_altered_holds() {
    let scene = &*SCENE;
    let (certified, now) = (signed(&scene.statement).unwrap(), scene.now);
    assert_eq!(possible(&certified.statement, &scene.tables, now), Ok(()));
    let (before, again) = (file(&scene.report).unwrap(), file(&scene.again).unwrap());
    assert_eq!(report_differences(&certified.statement, &before, scene.grounds()), []);
    let harness = &certified.claim().harness;
    for seed in [Seed::Recorded, Seed::Fresh] {
        assert_eq!(replay_differences(&certified, &again, scene.grounds(), harness, Some(&before), seed), []);
    }
    let held: Vec<_> = certified.statement.predicate.passed_tests.iter().map(String::as_str).collect();
    assert!(held.contains(&"level/canonical-form-sovereign"), "{held:?}");
}

static SCENE: LazyLock<Scene> = LazyLock::new(Scene::new);

/// An alteration, and what refuses it or why nothing does.
type Judged = (Alteration, Result<Shown, String>);

type Judge = fn(&Scene, &Member, &Alteration) -> Result<Shown, String>;

/// Signed by a valid key, and opened by it.
fn signed(statement: &Value) -> Result<Certified, String> {
    let envelope = assize::certificate::Envelope::seal(statement.to_string().as_bytes(), &private(1), public(1).id());
    open(&serde_json::to_vec(&envelope).unwrap(), &[public(1)]).map_err(|error| error.to_string())
}

fn file(report: &Value) -> Result<ReportFile, String> {
    ReportFile::parse(report.to_string().as_bytes()).map_err(|error| error.to_string())
}

/// Whether a refusal names the member.
fn named(altered: &Alteration, says: &[String], by: Shown) -> Result<Shown, String> {
    // A statement says whether there is a folder, and not which.
    let name = if altered.name == "directory" { "directory_given" } else { &altered.name };
    let word = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
    match says {
        says if says.iter().any(|said| word(said)) => Ok(by),
        [] => Err("is not refused".to_owned()),
        says => Err(format!("is not named: {}", says.iter().take(3).cloned().collect::<Vec<_>>().join("; "))),
    }
}

/// What refuses a statement.
fn refusals(scene: &Scene, statement: &Value) -> (Shown, Vec<String>) {
    let certified = match signed(statement) {
        Ok(certified) => certified,
        Err(error) => return (Shown::Statement, vec![error]),
    };
    if let Err(error) = possible(&certified.statement, &scene.tables, scene.now) {
        return (Shown::Statement, vec![error.to_string()]);
    }
    let report = file(&scene.report).unwrap();
    let found = report_differences(&certified.statement, &report, scene.grounds());
    (Shown::Report, found.iter().map(ToString::to_string).collect())
}

/// A statement as it stands.
fn statement(scene: &Scene, _: &Member, altered: &Alteration) -> Result<Shown, String> {
    let (by, says) = refusals(scene, &altered.document);
    named(altered, &says, by)
}

/// A statement in which all that in-toto sees was made from the altered claim.
fn consistent(scene: &Scene, member: &Member, altered: &Alteration) -> Result<Shown, String> {
    let claim = serde_json::from_value(altered.document["predicate"]["assize"].clone());
    match claim.map(|claim| serde_json::to_value(Statement::around(claim)).unwrap()) {
        Ok(made) if made != scene.statement => {
            let (by, says) = refusals(scene, &made);
            named(altered, &says, by)
        }
        // Nothing of the claim was altered, or nobody can make a statement around it.
        _ => statement(scene, member, altered),
    }
}

/// A document with the digest that its result has, unless that is what was altered.
fn with_digest(altered: &Alteration, member: &Member) -> Value {
    let mut document = altered.document.clone();
    if member.place() != "/digest" {
        let result = Node::parse(&document["result"].to_string()).unwrap();
        document["digest"] = json!(Digest::of(result.canonical().as_bytes()).to_hex());
    }
    document
}

/// A report, with a statement that names its digest; and where it can be certified itself, against the run made again.
fn report(scene: &Scene, member: &Member, altered: &Alteration) -> Result<Shown, String> {
    let document = with_digest(altered, member);
    let report = match file(&document) {
        Ok(report) => report,
        Err(error) => return named(altered, &[error], Shown::Report),
    };
    let mut claim = signed(&scene.statement).unwrap().claim().clone();
    claim.report_sha256 = report.digest.clone();
    let statement = Statement::around(claim);
    let found = report_differences(&statement, &report, scene.grounds());
    let says: Vec<_> = found.iter().map(ToString::to_string).collect();
    let Err(why) = named(altered, &says, Shown::Report) else { return Ok(Shown::Report) };
    // What is left, the run made again shows: beside a statement of the altered report, if there can be one.
    let harness = scene.harness();
    let made = report.statement(scene.grounds(), &harness.sha256).unwrap_or(statement);
    let certified = signed(&serde_json::to_value(made).unwrap()).map_err(|error| format!("{why}; {error}"))?;
    let again = file(&scene.again).unwrap();
    let found = replay_differences(&certified, &again, scene.grounds(), &harness, Some(&report), Seed::Recorded);
    let says: Vec<_> = found.iter().map(ToString::to_string).collect();
    named(altered, &says, Shown::Replay)
}

/// The report of the run made again.
fn replay(scene: &Scene, member: &Member, altered: &Alteration) -> Result<Shown, String> {
    let again = match file(&with_digest(altered, member)) {
        Ok(again) => again,
        Err(error) => return named(altered, &[error], Shown::Replay),
    };
    let certified = signed(&scene.statement).unwrap();
    let before = file(&scene.report).unwrap();
    let found =
        replay_differences(&certified, &again, scene.grounds(), &scene.harness(), Some(&before), Seed::Recorded);
    let says: Vec<_> = found.iter().map(ToString::to_string).collect();
    named(altered, &says, Shown::Replay)
}
