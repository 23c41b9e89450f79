//! Audit: the laws that can be judged on one turn result.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A; rulings LAW-01 to LAW-04, LAW-11, SCH-04, SCH-06; SV-6 and SV-16
//! (profiles).
//!
//! A turn without findings obeys deny precedence, single emission, correspondence, the float ban and the contracts as far
//! as the turn and the given attempts show. That the attempts are complete is not checked.

use super::breach::{Breach, Side};
use super::registry_lock::Registry;
use super::report_ordering::StageOrder;
use super::turn::{Context, Turn};
use super::{InputError, Rejection, correspondence, decision_id, deny_precedence, single_emission, surface_list};
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, Kind, NodeRef, NumberToken};
use crate::law::Law;

/// Published derivations that the seed leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Profiles {
    /// `decision-id/published`: a decision id that is not the derived one is an error rather than a warning.
    pub decision_id: bool,
    /// `turn-digest/published`: the declared turn digest is recomputed.
    pub turn_digest: bool,
}

impl Profiles {
    /// Adds a profile by its name; `false` if there is no such profile.
    pub fn add(&mut self, name: &str) -> bool {
        match name {
            "decision-id/published" => self.decision_id = true,
            "turn-digest/published" => self.turn_digest = true,
            _ => return false,
        }
        true
    }
}

/// A tool attempt as the runtime saw it.
#[derive(Clone, Debug)]
pub(super) struct Attempt {
    pub(super) tool_name: String,
    pub(super) action: String,
    pub(super) conditions: Vec<String>,
}

/// The members of a decision record that audits look at, where they have their types.
pub(super) struct Decision {
    pub(super) pointer: JsonPointer,
    pub(super) ordinal: Option<String>,
    /// `/capabilities/decisions/<ordinal>`.
    pub(super) location: Option<String>,
    pub(super) decision_id: Option<String>,
    pub(super) run_id: Option<String>,
    pub(super) turn_id: Option<String>,
    pub(super) tool_name: Option<String>,
    pub(super) action: Option<String>,
    pub(super) outcome: Option<String>,
    pub(super) deny_code: Option<String>,
}

/// An issue whose members have their types.
pub(super) struct IssueView {
    pub(super) stage: String,
    pub(super) location: String,
    pub(super) code: String,
}

/// A turn as audits look at it.
pub(super) struct TurnView {
    pub(super) run_id: Option<String>,
    pub(super) turn_id: Option<String>,
    pub(super) records: Vec<Decision>,
    pub(super) issues: Vec<IssueView>,
}

/// Audits a turn result.
///
/// # Errors
/// If a document is not JSON, or attempts or registry are not of their shape.
pub fn audit(
    turn: &[u8],
    attempts: Option<&[u8]>,
    registry: Option<&[u8]>,
    profiles: Profiles,
) -> Result<Vec<Finding>, Rejection> {
    let registry = Registry::load(registry)?;
    let stages = StageOrder::load(None)?;
    let attempts = attempts.map(read_attempts).transpose()?;
    let document = Document::parse(turn, &Dialect::LAW)?;
    if document.constant_where(|place| !super::safe_boundary::is_canonical_surface(place)).is_some() {
        // A constant off the surfaces is no JSON: reading strictly names the place.
        Document::parse(turn, &Dialect::STRICT)?;
    }
    let root = document.root();
    let context = Context { turn_id: "", side: Side::A, stages: &stages, registry: &registry };
    let lawful = Turn::take(&document, &context);
    // Repeated ordinals are judged below, together with gaps.
    let breaches = lawful.breaches.into_iter().filter(|breach| breach.law != Law::SingleEmission);
    let mut findings: Vec<Finding> = breaches.map(finding).collect();
    let view = TurnView::of(root);
    single_emission::check_records(&view.records, &mut findings);
    match &attempts {
        Some(attempts) => {
            let ordered = in_order(&view.records);
            single_emission::check_attempts(attempts, &ordered, &mut findings);
            deny_precedence::check_attempts(attempts, &ordered, &mut findings);
        }
        None => deny_precedence::check_issues(&view.issues, &view.records, &mut findings),
    }
    correspondence::check(&view, &mut findings);
    check_profiles(root, profiles, &mut findings);
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
    findings.dedup_by(|a, b| a.order() == b.order());
    Ok(findings)
}

fn finding(breach: Breach) -> Finding {
    let finding = Finding::error(breach.law, breach.path, breach.message);
    match breach.reason {
        Some(code) => finding.with_code(code),
        None => finding,
    }
}

/// Records in order of ordinals; those without one stand last.
fn in_order(records: &[Decision]) -> Vec<&Decision> {
    let mut ordered: Vec<&Decision> = records.iter().collect();
    ordered.sort_by(|a, b| match (&a.ordinal, &b.ordinal) {
        (Some(a), Some(b)) => NumberToken::cmp_integers(a, b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    ordered
}

fn check_profiles(turn: NodeRef<'_>, profiles: Profiles, findings: &mut Vec<Finding>) {
    for (index, record) in decisions(turn).enumerate() {
        let pointer = JsonPointer::from_text("/capabilities/decisions").index(index);
        if text(record, "outcome").as_deref() == Some("skipped")
            && record.get("reason").is_some_and(|r| r.kind() == Kind::Null)
        {
            let message = "a skip without a reason tells nobody why";
            findings.push(Finding::error(Law::ContractDecisionRecord, pointer.member("reason"), message).as_warning());
        }
        if let (Some(declared), Ok(derived)) = (text(record, "decision_id"), decision_id::derive(record))
            && declared != derived.to_hex()
        {
            let message = format!("the published derivation gives {derived}");
            let found = Finding::error(Law::ContractDecisionRecord, pointer.member("decision_id"), message);
            findings.push(if profiles.decision_id { found } else { found.as_warning() });
        }
    }
    if profiles.turn_digest
        && let Some(declared) = turn.get("turn_result_digest")
    {
        let computed = surface_list::published_turn_digest(turn).map(|digest| digest.to_hex());
        let declared = declared.as_string().and_then(|text| text.to_str().map(str::to_owned));
        if computed.is_none() || declared != computed {
            let message = match computed {
                Some(digest) => format!("the published projection gives {digest}"),
                None => "the turn has no canonical form, so it has no digest".to_owned(),
            };
            findings.push(Finding::error(Law::SurfaceList, JsonPointer::from_text("/turn_result_digest"), message));
        }
    }
}

fn decisions(turn: NodeRef<'_>) -> impl Iterator<Item = NodeRef<'_>> {
    turn.get("capabilities").and_then(|c| c.get("decisions")).into_iter().flat_map(NodeRef::elements)
}

fn text(node: NodeRef<'_>, name: &str) -> Option<String> {
    node.get(name).and_then(NodeRef::as_string).and_then(|text| text.to_str().map(str::to_owned))
}

impl TurnView {
    fn of(turn: NodeRef<'_>) -> Self {
        let records = decisions(turn).enumerate().map(|(index, record)| Decision::of(record, index));
        let issues = turn.get("issues").into_iter().flat_map(NodeRef::elements).filter_map(|issue| {
            Some(IssueView {
                stage: text(issue, "stage")?,
                location: text(issue, "location")?,
                code: text(issue, "code")?,
            })
        });
        Self {
            run_id: text(turn, "run_id"),
            turn_id: text(turn, "turn_id"),
            records: records.collect(),
            issues: issues.collect(),
        }
    }
}

impl Decision {
    fn of(record: NodeRef<'_>, index: usize) -> Self {
        let ordinal = record.get("ordinal").and_then(NodeRef::as_number).filter(|token| !token.is_banned());
        let ordinal = ordinal.map(|token| token.text.to_owned());
        Self {
            pointer: JsonPointer::from_text("/capabilities/decisions").index(index),
            location: ordinal.as_ref().map(|ordinal| format!("/capabilities/decisions/{ordinal}")),
            ordinal,
            decision_id: text(record, "decision_id"),
            run_id: text(record, "run_id"),
            turn_id: text(record, "turn_id"),
            tool_name: text(record, "tool_name"),
            action: text(record, "action"),
            outcome: text(record, "outcome"),
            deny_code: text(record, "deny_code"),
        }
    }
}

/// Reads `[{"tool_name", "action", "conditions": [code, ...]}]`, the attempts of `sovereign.audit` (ruling OP).
fn read_attempts(attempts: &[u8]) -> Result<Vec<Attempt>, Rejection> {
    let document = Document::parse(attempts, &Dialect::STRICT)?;
    if !document.root().is_array() {
        return Err(InputError::new("", "attempts are an array").into());
    }
    let mut read = Vec::new();
    for (index, attempt) in document.root().elements().enumerate() {
        let wrong = |member: &str, message: &str| InputError::new(format!("/{index}/{member}"), message);
        let conditions = attempt.get("conditions").filter(|conditions| conditions.is_array());
        let conditions = conditions.ok_or_else(|| wrong("conditions", "an attempt has an array `conditions`"))?;
        let mut codes = Vec::new();
        for code in conditions.elements() {
            let code =
                code.as_string().and_then(|code| deny_precedence::PRECEDENCE.into_iter().find(|known| code == **known));
            codes.push(
                code.ok_or_else(|| wrong("conditions", "a condition is one of the three deny codes"))?.to_owned(),
            );
        }
        read.push(Attempt {
            tool_name: text(attempt, "tool_name")
                .ok_or_else(|| wrong("tool_name", "an attempt has a string `tool_name`"))?,
            action: text(attempt, "action").ok_or_else(|| wrong("action", "an attempt has a string `action`"))?,
            conditions: codes,
        });
    }
    Ok(read)
}
