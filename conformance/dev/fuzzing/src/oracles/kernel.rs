//! Kernel scenarios, run by the verifier in memory and by the Python oracle; audits of the homes that they leave; registries of codes.
//!
//! Spec: Kernel v1 Requirements Pack; rulings KE-1 to KE-58. The oracle leaves out what no ruling settles, so that its
//! answer has to be found in the verifier's, member by member.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::handler;
use assize_corpus::testee::{self, Output, Request};
use assize_oracle::authority::OracleAnswer;
use assize_oracle::kernel::{Question, ask};
use assize_verifier::json::{Dialect, Elements};
use assize_verifier::kernel::{HomeFailure, MemoryHome, Ran, Rejection, Report, Scenario, Step, audit};
use serde_json::{Value, json};

/// What became of a scenario.
#[derive(Debug)]
pub enum Outcome {
    /// It ran.
    Ran(Report),
    /// It was refused, with these codes, and nothing ran.
    Refused(BTreeSet<String>),
    /// The home did not do what it was asked, as after damage it may not.
    Failed(HomeFailure),
}

/// Runs a scenario against a home, as the verifier does.
#[must_use]
pub fn run(home: &mut MemoryHome, operations: &[u8]) -> Outcome {
    let refused = |why: Rejection| Outcome::Refused(why.codes().into_iter().map(str::to_owned).collect());
    match Elements::read(operations, &Dialect::STRICT).map_err(Rejection::from).and_then(Scenario::read) {
        Err(why) => refused(why),
        Ok(scenario) => match scenario.run(home) {
            Ok(report) => Outcome::Ran(report),
            Err(failure) => Outcome::Failed(failure),
        },
    }
}

/// A report as the operation's outputs.
///
/// # Errors
/// The verifier wrote what is not JSON.
pub fn outputs(report: &Report) -> Result<Value, String> {
    let read = |text: &[u8]| serde_json::from_slice::<Value>(text).map_err(|why| format!("no JSON: {why}"));
    let steps = report.steps.iter().map(|step| read(&Step::canonical(step))).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({"steps": steps, "view": read(&report.view)?}))
}

/// Demands the oracle's answer to a scenario.
///
/// # Errors
/// What differs, from both sides; or the oracle broke.
pub fn agree(operations: &[u8], outcome: &Outcome) -> Result<(), String> {
    let documents = [("operations".to_owned(), operations.to_vec())].into();
    let question = Question { op: "kernel.scenario", args: "{}", documents: &documents, files: &BTreeMap::new() };
    let answer = ask(&question).map_err(|error| format!("the oracle broke: {error}"))?;
    let differs = |what: &str| Err(format!("{what}\noracle:   {answer:?}\nverifier: {}", shown(outcome)));
    match (&answer, outcome) {
        (_, Outcome::Failed(_)) => Ok(()),
        (OracleAnswer::Reject(codes), Outcome::Refused(found)) if codes == found => Ok(()),
        (OracleAnswer::Accept(expected), Outcome::Ran(report)) => {
            let found = outputs(report)?;
            for (name, text) in expected {
                let expected: Value = serde_json::from_str(text).map_err(|why| format!("{text}: {why}"))?;
                if let Err(place) = within(&expected, found.get(name).unwrap_or(&Value::Null), &format!("/{name}")) {
                    return differs(&place);
                }
            }
            Ok(())
        }
        _ => differs("the verdict"),
    }
}

/// Asks both sides about the revisions of a registry and demands one answer, word by word; it is the verifier's.
///
/// # Errors
/// Both answers, where they differ; or the oracle broke.
pub fn registries_agree(revisions: &[u8]) -> Result<testee::Answer, String> {
    let documents: BTreeMap<_, _> = [("revisions".to_owned(), revisions.to_vec())].into();
    let question = Question { op: "kernel.registry", args: "{}", documents: &documents, files: &BTreeMap::new() };
    let answer = match ask(&question).map_err(|error| format!("the oracle broke: {error}"))? {
        OracleAnswer::Reject(codes) => testee::Answer::Reject { codes, out: BTreeMap::new() },
        OracleAnswer::Accept(outputs) => {
            let read = |(name, text): (String, String)| match serde_json::from_str(&text) {
                Ok(value) => Ok((name, Output::Value(value))),
                Err(why) => Err(format!("{text}: {why}")),
            };
            testee::Answer::accept(outputs.into_iter().map(read).collect::<Result<Vec<_>, _>>()?)
        }
    };
    let request = Request { op: "kernel.registry".to_owned(), args: Default::default(), docs: documents, root: None };
    let found = handler::answer(&request);
    // Half a surrogate pair in a code has no place that both would write alike.
    let doubtful = format!("{answer:?}").contains('\u{fffd}');
    if answer == found || doubtful && matches!(found, testee::Answer::Accept { .. }) {
        Ok(found)
    } else {
        Err(format!("oracle:   {answer:?}\nverifier: {found:?}"))
    }
}

/// An outcome for people.
fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ran(report) => outputs(report).map_or_else(|why| why, |outputs| outputs.to_string()),
        other => format!("{other:?}"),
    }
}

/// Maps of the view, of which the oracle knows every key.
const WHOLE: [&str; 3] = ["/view/triplets", "/view/refs", "/view/ledger"];

/// Whether a value has all that is expected of it; if not, the first place where it has something else.
///
/// # Errors
/// That place.
pub fn within(expected: &Value, found: &Value, place: &str) -> Result<(), String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            if WHOLE.contains(&place) && !expected.keys().eq(found.keys()) {
                return Err(format!("{place}: other members"));
            }
            for (name, want) in expected {
                let place = format!("{place}/{name}");
                within(want, found.get(name).ok_or(format!("{place}: absent"))?, &place)?;
            }
            Ok(())
        }
        (Value::Array(expected), Value::Array(found)) if expected.len() == found.len() => {
            let mut pairs = expected.iter().zip(found).enumerate();
            pairs.try_for_each(|(index, (want, give))| within(want, give, &format!("{place}/{index}")))
        }
        _ if expected == found => Ok(()),
        _ => Err(format!("{place}: {expected} by the oracle, {found} by the verifier")),
    }
}

/// Demands of an audit what the oracle finds in the committed tree and among artifacts, by law. What a kernel has written and nobody has touched has no
/// findings at all.
///
/// Neither the places nor the number of findings are compared, nor what is said of files where none is due: one breach may be told
/// of at either end.
///
/// # Errors
/// What differs; or the oracle broke.
pub fn audits_agree(home: &MemoryHome, damaged: bool) -> Result<(), String> {
    let found = audit(home, None, &Ran::default());
    if !damaged {
        return if found.is_empty() { Ok(()) } else { Err(format!("what the kernel left is unlawful: {found:?}")) };
    }
    let judged = ["/index/committed", "/trace"];
    let laws = found.iter().filter(|finding| judged.iter().any(|place| finding.pointer.as_str().starts_with(place)));
    let laws: BTreeSet<&str> =
        laws.map(|finding| finding.law.slug()).filter(|law| *law != "kernel/path-safety").collect();
    let files = home.below("").map(|(path, octets)| (path.to_owned(), octets.map(<[u8]>::to_vec))).collect();
    let question = Question { op: "kernel.audit", args: "{}", documents: &BTreeMap::new(), files: &files };
    let answer = ask(&question).map_err(|error| format!("the oracle broke: {error}"))?;
    let OracleAnswer::Accept(out) = &answer else { return Err(format!("the oracle refused a home: {answer:?}")) };
    let text = out.get("findings").map_or("[]", String::as_str);
    let findings: Vec<Value> = serde_json::from_str(text).map_err(|why| format!("{text}: {why}"))?;
    let expected: BTreeSet<&str> = findings.iter().filter_map(|finding| finding.get("law")?.as_str()).collect();
    // What a record or an object that cannot be read is tied to may be told of, or passed over.
    let unread = ["kernel/record-shape", "kernel/object-digest"].into_iter().any(|law| expected.contains(law));
    let told_of = |law: &&str| !unread || !["kernel/source-of-record", "kernel/link-of-record"].contains(law);
    let (expected, laws): (BTreeSet<_>, BTreeSet<_>) =
        (expected.into_iter().filter(told_of).collect(), laws.into_iter().filter(told_of).collect());
    // A finding whose law is open may be told under any.
    let open = findings.iter().any(|finding| finding.get("law").is_none());
    if expected == laws || open && expected.is_subset(&laws) {
        return Ok(());
    }
    Err(format!("the laws of an audit\noracle:   {text}\nverifier: {found:?}"))
}
