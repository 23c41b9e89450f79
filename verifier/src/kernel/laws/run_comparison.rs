//! kernel/run-comparison: whether two runs are structurally equal.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.5, `compare_runs`; rulings KE-4, KE-47. Six surfaces are compared;
//! whatever else a run says of itself, its id and its local paths among it, is not.

use crate::canon::{Profile, canonicalize, compose};
use crate::json::{JsonPointer, NodeRef};
use crate::kernel::model::issue::{Details, Issue, Issues, Outcome, Stage};
use crate::law::Law;
use crate::rejection::Rejection;

pub(crate) const LAW: Law = Law::named("kernel/run-comparison");

/// The surfaces, in the order of their names.
const SURFACES: [&str; 6] =
    ["contract_version", "event_codes", "issue_codes", "schema_version", "stage_outcomes", "turn_digests"];

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunComparison {
    /// Nothing, or the one issue that names the surfaces.
    pub issues: Issues,
}

impl RunComparison {
    /// Whether the runs are equal.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.issues.outcome()
    }

    /// The response of the operation, canonical: contract version, outcome, issues, and no events.
    #[must_use]
    pub fn report(&self) -> Vec<u8> {
        compose::object(&[
            ("contract_version", compose::string("kernel_api/v1")),
            ("outcome", compose::string(self.outcome().name())),
            ("issues", compose::array(self.issues.as_slice().iter().map(Issue::canonical))),
            ("events", b"[]".to_vec()),
        ])
    }
}

/// Answers the request `{run_a, run_b}`.
///
/// # Errors
/// If a run is not an object, a member of one has another type than the stated one, or something compared has no canonical
/// form.
pub fn compare_runs(request: NodeRef<'_>) -> Result<RunComparison, Rejection> {
    let run = |name: &str| {
        let node = request.get(name).filter(|run| run.is_object());
        let node = node.ok_or_else(|| Rejection::Input(format!("/{name}: the request has this object")))?;
        surfaces(node).map_err(|wrong| Rejection::Input(format!("/{name}{wrong}")))
    };
    let (run_a, run_b) = (run("run_a")?, run("run_b")?);
    let pairs = SURFACES.into_iter().zip(run_a.into_iter().zip(run_b));
    let differ: Vec<_> = pairs.filter(|(_, (a, b))| a != b).map(|(name, _)| compose::string(name)).collect();
    if differ.is_empty() {
        return Ok(RunComparison { issues: Issues::default() });
    }
    let place = JsonPointer::from_text("/run_a/turn_digests");
    let issue = Issue::fail(Stage::Replay, "E_REPLAY_EQUIVALENCE_FAILED", place);
    let details = Details::of(&[("mismatch_fields", compose::array(differ))]);
    Ok(RunComparison { issues: issue.with_details(details).into() })
}

/// A surface: canonical parts in the order in which they are compared.
type Surface = Vec<Vec<u8>>;

/// The six surfaces of a run, in the order of [`SURFACES`].
fn surfaces(run: NodeRef<'_>) -> Result<[Surface; 6], String> {
    Ok([
        vec![version(run, "contract_version")?],
        sorted(parts(run, "events", event_code)?),
        sorted(parts(run, "issues", issue_code)?),
        vec![version(run, "schema_version")?],
        parts(run, "stage_outcomes", canonical)?,
        parts(run, "turn_digests", canonical)?,
    ])
}

fn sorted(mut surface: Surface) -> Surface {
    surface.sort();
    surface
}

/// A version; an absent one is the empty text.
fn version(run: NodeRef<'_>, name: &str) -> Result<Vec<u8>, String> {
    match run.get(name) {
        None => Ok(compose::string("")),
        Some(version) if version.as_string().is_some() => {
            canonical(version).ok_or_else(|| format!("/{name}: a version without canonical form"))
        }
        Some(_) => Err(format!("/{name}: a version is a string")),
    }
}

/// What is compared of each element of an array; an absent one is empty.
fn parts(run: NodeRef<'_>, name: &str, part: fn(NodeRef<'_>) -> Option<Vec<u8>>) -> Result<Surface, String> {
    let Some(array) = run.get(name) else { return Ok(Vec::new()) };
    if !array.is_array() {
        return Err(format!("/{name}: this is an array"));
    }
    let each = array.elements().enumerate();
    each.map(|(index, element)| part(element).ok_or_else(|| format!("/{name}/{index}: nothing that can be compared")))
        .collect()
}

fn canonical(node: NodeRef<'_>) -> Option<Vec<u8>> {
    Some(canonicalize(Profile::Sovereign, node.raw()).ok()?.as_slice().to_vec())
}

/// Stage, location and code of an issue; an absent one of them is the empty text.
fn issue_code(issue: NodeRef<'_>) -> Option<Vec<u8>> {
    let text = |name: &str| match issue.get(name) {
        None => Some(String::new()),
        Some(value) => value.as_string()?.to_str().map(str::to_owned),
    };
    if !issue.is_object() {
        return None;
    }
    let written = text("stage")?;
    let stage = match Stage::from_name(&written) {
        Some(stage) => stage.name(),
        None => &written,
    };
    Some(compose::array([stage, &text("location")?, &text("code")?].map(compose::string)))
}

/// The code of an event, whatever else became of its line: the words around it are not compared (Law 3). What has no code
/// stands for itself, for nobody knows which part of it is words.
fn event_code(event: NodeRef<'_>) -> Option<Vec<u8>> {
    let line = event.as_string();
    let behind = line.as_ref().and_then(|line| line.to_str()?.split_once("[CODE:"));
    match behind.and_then(|(_, behind)| behind.split_once(']')) {
        Some((code, _)) => Some(compose::string(code)),
        None => canonical(event),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, Document};

    fn compare(run_a: &str, run_b: &str) -> Result<RunComparison, Rejection> {
        let text = format!(r#"{{"run_a": {run_a}, "run_b": {run_b}}}"#);
        let document = Document::parse(text.as_bytes(), &Dialect::STRICT).expect("JSON");
        compare_runs(document.root())
    }

    fn check(run_a: &str, run_b: &str, fields: &[&str]) {
        for (one, other) in [(run_a, run_b), (run_b, run_a)] {
            let found = compare(one, other).expect("runs");
            let Some(issue) = found.issues.as_slice().first() else {
                assert!(fields.is_empty(), "{one} {other}");
                assert_eq!(found.outcome(), Outcome::Pass);
                continue;
            };
            assert_eq!(found.outcome(), Outcome::Fail);
            assert_eq!((issue.stage, issue.code), (Stage::Replay, "E_REPLAY_EQUIVALENCE_FAILED"));
            assert_eq!(issue.location.as_str(), "/run_a/turn_digests");
            let names: Vec<_> = fields.iter().map(|name| format!("\"{name}\"")).collect();
            let details = format!(r#"{{"mismatch_fields":[{}]}}"#, names.join(","));
            assert_eq!(String::from_utf8_lossy(issue.details.as_slice()), details);
        }
    }

    #[test]
    fn equal_runs_pass_whatever_is_not_compared() {
        check("{}", r#"{"turn_digests": [], "issues": [], "events": [], "contract_version": ""}"#, &[]);
        check(r#"{"run_id": "a", "path": "/here"}"#, r#"{"run_id": "b", "path": "/there"}"#, &[]);
        assert_eq!(
            compare("{}", "{}").expect("runs").report(),
            br#"{"contract_version":"kernel_api/v1","events":[],"issues":[],"outcome":"PASS"}"#
        );
    }

    #[test]
    fn each_surface_is_compared_and_named_in_order() {
        check(r#"{"turn_digests": ["a", "b"]}"#, r#"{"turn_digests": ["b", "a"]}"#, &["turn_digests"]);
        check(
            r#"{"stage_outcomes": [{"lsi": "PASS"}]}"#,
            r#"{"stage_outcomes": [{"lsi": "FAIL"}]}"#,
            &["stage_outcomes"],
        );
        check(r#"{"contract_version": "kernel_api/v1"}"#, "{}", &["contract_version"]);
        check(r#"{"schema_version": "v1"}"#, r#"{"schema_version": "v2"}"#, &["schema_version"]);
        check(
            r#"{"turn_digests": ["a"], "stage_outcomes": ["x"], "issues": [{"code": "E_A"}], "events": ["e"],
                "contract_version": "c", "schema_version": "s"}"#,
            "{}",
            &SURFACES,
        );
    }

    #[test]
    fn issues_are_compared_by_stage_location_and_code_in_any_order() {
        let run = |issues: &str| format!(r#"{{"issues": [{issues}]}}"#);
        let one = r#"{"stage": "rel_vocab", "location": "/a", "code": "E_A", "message": "m"}"#;
        let same =
            r#"{"stage": "relationship_vocabulary", "location": "/a", "code": "E_A", "level": "FAIL", "details": {}}"#;
        let other = r#"{"stage": "lsi", "location": "/a", "code": "E_A"}"#;
        check(&run(one), &run(same), &[]);
        check(&run(&format!("{one},{other}")), &run(&format!("{other},{same}")), &[]);
        check(&run(one), &run(other), &["issue_codes"]);
        check(&run(one), &run(&format!("{one},{one}")), &["issue_codes"]);
        check(&run(one), &run(&one.replace("/a", "/b")), &["issue_codes"]);
        check(&run(one), &run(&one.replace("E_A", "E_B")), &["issue_codes"]);
    }

    #[test]
    fn events_are_compared_by_their_codes_in_any_order() {
        let run = |events: &[&str]| format!(r#"{{"events": [{}]}}"#, events.join(","));
        let pass = r#""[INFO] [STAGE:promotion] [CODE:I_PROMOTION_PASS] [LOC:/index/committed] done | stems=[]""#;
        let told = r#""[INFO] [STAGE:promotion] [CODE:I_PROMOTION_PASS] [LOC:/elsewhere] told otherwise | a=b""#;
        let multi = r#""[INFO] [STAGE:promotion] [CODE:I_REF_MULTISOURCE] [LOC:/a] two | a=b""#;
        check(&run(&[pass, multi]), &run(&[multi, told]), &[]);
        check(&run(&[pass]), &run(&[multi]), &["event_codes"]);
        check(&run(&[r#""no event""#]), &run(&[r#""another""#]), &["event_codes"]);
        check(&run(&[r#""no event""#]), &run(&[]), &["event_codes"]);
        // No bar, so no event; its code is one all the same.
        let broken_off = r#""[INFO] [STAGE:promotion] [CODE:I_PROMOTION_PASS] [LOC:/index/committed] broken off""#;
        check(&run(&[broken_off]), &run(&[pass]), &[]);
        check(&run(&[broken_off]), &run(&[multi]), &["event_codes"]);
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        for run in [
            "[]",
            r#"{"turn_digests": {}}"#,
            r#"{"turn_digests": [1.5]}"#,
            r#"{"issues": ["E_A"]}"#,
            r#"{"issues": [{"code": 1}]}"#,
            r#"{"contract_version": 1}"#,
            r#"{"events": [1.0]}"#,
        ] {
            assert_eq!(compare(run, "{}").expect_err(run).codes(), ["A_INPUT"], "{run}");
            assert_eq!(compare("{}", run).expect_err(run).codes(), ["A_INPUT"], "{run}");
        }
    }
}
