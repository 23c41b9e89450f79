//! kernel/capability: who may call a tool, the record of the decision, and the plan that a role has for a task.
//!
//! Spec: Kernel v1 Requirements Pack, Law 8 and Kernel API, 2.4; rulings KE-23, KE-46, KE-56. The record is B.3 of the
//! Sovereign Capability & Replay Spec v1.2.1 with the id of [`crate::sovereign::decision_id`].
//!
//! Requests are open objects, and the jail is closed: a member of another type than the stated one counts as the value that
//! denies.

#[path = "capability/plan.rs"]
mod plan;

use std::collections::BTreeSet;

use crate::canon::compose;
use crate::digest::Digest;
use crate::json::{JsonPointer, Kind, NodeRef};
use crate::kernel::model::issue::{Issue, Outcome, Stage};
use crate::law::Law;
use crate::rejection::Rejection;
pub(crate) use plan::{Plan, resolve_capability};

pub(crate) const LAW: Law = Law::named("kernel/capability");

/// What became of a tool call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is declared.
    Allowed,
    /// It is not, for this code.
    Denied(&'static str),
    /// The module is off.
    Skipped,
    /// No plan of capabilities could be found.
    Unresolved,
}

impl Verdict {
    fn name(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Denied(_) => "denied",
            Self::Skipped => "skipped",
            Self::Unresolved => "unresolved",
        }
    }
}

/// A decision with its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorization {
    /// What was decided.
    pub verdict: Verdict,
    /// The decision record, canonical, with its thirteen members.
    pub record: Vec<u8>,
}

impl Authorization {
    /// Whether the step goes on: a call that is allowed, or that nobody looks at, does.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self.verdict {
            Verdict::Allowed | Verdict::Skipped => Outcome::Pass,
            Verdict::Denied(_) | Verdict::Unresolved => Outcome::Fail,
        }
    }

    /// What the step says about the decision; nothing about one that allows.
    #[must_use]
    pub fn issue(&self) -> Option<Issue> {
        let place = JsonPointer::from_text("/capabilities/decisions/0");
        match self.verdict {
            Verdict::Allowed => None,
            Verdict::Denied(code) => Some(Issue::fail(Stage::Capability, code, place)),
            Verdict::Unresolved => Some(Issue::fail(Stage::Capability, UNRESOLVED, place)),
            Verdict::Skipped => Some(Issue::info(Stage::Capability, SKIPPED, place)),
        }
    }
}

/// What a call does that does not say what it does.
const ACTION: &str = "tool.call";
const UNRESOLVED: &str = "E_CAPABILITY_NOT_RESOLVED";
const SKIPPED: &str = "I_CAPABILITY_SKIPPED";

/// Answers the request `{context, tool_request}`.
///
/// # Errors
/// If one of both is not an object.
pub fn authorize_tool_call(request: NodeRef<'_>) -> Result<Authorization, Rejection> {
    let object = |name: &str| {
        let found = request.get(name).filter(|value| value.is_object());
        found.ok_or_else(|| Rejection::Input(format!("/{name}: the request has this object")))
    };
    let call = ToolCall { context: Some(object("context")?), request: object("tool_request")? };
    Ok(call.authorize(&text(request.get("run_id"), "unknown"), &text(request.get("turn_id"), "unknown")))
}

/// A tool call and what is known of whoever calls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolCall<'c> {
    pub(crate) context: Option<NodeRef<'c>>,
    pub(crate) request: NodeRef<'c>,
}

impl<'c> ToolCall<'c> {
    /// Decides, and records the decision under ordinal 0.
    pub(crate) fn authorize(self, run_id: &str, turn_id: &str) -> Authorization {
        let verdict = self.verdict();
        Authorization { verdict, record: self.record(verdict, run_id, turn_id) }
    }

    fn in_context(self, name: &str) -> Option<NodeRef<'c>> {
        self.context?.get(name)
    }

    /// The module, then resolution, then the precedence of denials: side effect, capability, permission.
    fn verdict(self) -> Verdict {
        if is_off(self.context) {
            return Verdict::Skipped;
        }
        if self.in_context("capability_resolved").is_some_and(|value| value.kind() != Kind::True) {
            return Verdict::Unresolved;
        }
        if self.request.get("side_effects_declared").is_some_and(|value| value.kind() != Kind::True) {
            return Verdict::Denied("E_SIDE_EFFECT_UNDECLARED");
        }
        let granted = is(self.in_context("allow_tool_call"), Kind::True) || self.is_listed();
        if !granted {
            return Verdict::Denied("E_CAPABILITY_DENIED");
        }
        if !self.requests_what_it_declares() {
            return Verdict::Denied("E_PERMISSION_DENIED");
        }
        Verdict::Allowed
    }

    fn action(self) -> String {
        self.declared_action().unwrap_or_else(|| ACTION.to_owned())
    }

    /// The action, unless it is one that nobody can declare.
    fn declared_action(self) -> Option<String> {
        self.request.get("action").map_or_else(|| Some(ACTION.to_owned()), own)
    }

    fn is_listed(self) -> bool {
        self.declared_action().is_some_and(|action| self.permissions().contains(&action))
    }

    /// The permissions of the context, sorted.
    fn permissions(self) -> Vec<String> {
        let listed = self.in_context("permissions").into_iter().flat_map(NodeRef::elements);
        let mut permissions: Vec<_> = listed.filter_map(own).collect();
        permissions.sort();
        permissions
    }

    fn requests_what_it_declares(self) -> bool {
        let Some(requested) = self.request.get("requested_permissions") else { return true };
        let declared = self.request.get("declared_permissions").into_iter().flat_map(NodeRef::elements);
        let declared: BTreeSet<_> = declared.filter_map(own).collect();
        let mut each = requested.elements().map(own);
        requested.is_array() && each.all(|one| one.is_some_and(|one| declared.contains(&one)))
    }

    fn record(self, verdict: Verdict, run_id: &str, turn_id: &str) -> Vec<u8> {
        let null = || b"null".to_vec();
        let action = self.action();
        let (deny_code, info_code, reason) = match verdict {
            Verdict::Allowed => (null(), null(), null()),
            Verdict::Denied(code) => (compose::string(code), null(), null()),
            Verdict::Unresolved => (compose::string(UNRESOLVED), null(), null()),
            Verdict::Skipped => (null(), compose::string(SKIPPED), compose::string("enforcement_off")),
        };
        let provenance = match verdict {
            Verdict::Allowed => self.provenance(&action),
            Verdict::Denied(_) | Verdict::Skipped | Verdict::Unresolved => null(),
        };
        let mut members = vec![
            ("contract_version", compose::string("kernel_api/v1")),
            ("run_id", compose::string(run_id)),
            ("turn_id", compose::string(turn_id)),
            ("tool_name", compose::string(&text(self.request.get("resource"), "unknown"))),
            ("action", compose::string(&action)),
            ("ordinal", b"0".to_vec()),
            ("stage", compose::string(Stage::Capability.name())),
            ("outcome", compose::string(verdict.name())),
            ("deny_code", deny_code),
            ("info_code", info_code),
            ("reason", reason),
            ("provenance", provenance),
        ];
        // The twelve members, every nullable one among them, are what the published id is the digest of.
        let id = Digest::of(&compose::object(&members));
        members.push(("decision_id", compose::string(&id.to_hex())));
        compose::object(&members)
    }

    /// Where the grant comes from.
    fn provenance(self, action: &str) -> Vec<u8> {
        let permissions = compose::array(self.permissions().iter().map(|one| compose::string(one)));
        compose::object(&[
            ("policy_source", compose::string(&text(self.in_context("policy_source"), "context"))),
            ("policy_digest", compose::string(&Digest::of(&permissions).to_hex())),
            ("rule_id", compose::string(action)),
        ])
    }
}

/// Whether a context switches the module off. Nothing but `false` does.
pub(crate) fn is_off(context: Option<NodeRef<'_>>) -> bool {
    is(context.and_then(|context| context.get("capability_enforcement")), Kind::False)
}

fn is(value: Option<NodeRef<'_>>, kind: Kind) -> bool {
    value.is_some_and(|value| value.kind() == kind)
}

/// A string that has a UTF-8 form, as records need it.
fn own(value: NodeRef<'_>) -> Option<String> {
    value.as_string()?.to_str().map(str::to_owned)
}

fn text(value: Option<NodeRef<'_>>, default: &str) -> String {
    value.and_then(own).unwrap_or_else(|| default.to_owned())
}

// Decisions are held against the contract of the sovereign system.
#[cfg(test)]
#[cfg(feature = "sovereign")]
mod tests {
    use super::*;
    use crate::json::{Dialect, Document};
    use crate::sovereign::contract::{self, Contract};
    use crate::sovereign::decision_id;

    fn ask(context: &str, tool_request: &str) -> Authorization {
        let request = format!(
            r#"{{"run_id": "run-1", "turn_id": "turn-0001", "context": {context}, "tool_request": {tool_request}}}"#
        );
        let document = Document::parse(request.as_bytes(), &Dialect::STRICT).expect("JSON");
        let authorization = authorize_tool_call(document.root()).expect("a request");
        let record = &authorization.record;
        contract::check(Contract::DecisionRecord, record).expect("contract 3");
        let document = Document::parse(record, &Dialect::STRICT).expect("JSON");
        let id = document.root().get("decision_id").and_then(own).expect("an id");
        assert_eq!(id, decision_id(record).expect("an id").to_hex());
        authorization
    }

    fn record(authorization: &Authorization) -> &str {
        std::str::from_utf8(&authorization.record).expect("UTF-8")
    }

    /// A call for which nothing stands in the way but what the cases say.
    fn check(context: &str, tool_request: &str, verdict: Verdict) {
        assert_eq!(ask(context, tool_request).verdict, verdict, "{context} {tool_request}");
    }

    #[test]
    fn a_denied_call_has_its_check_value() {
        let denied = ask("{}", r#"{"action": "write", "resource": "fs"}"#);
        assert_eq!(denied.verdict, Verdict::Denied("E_CAPABILITY_DENIED"));
        assert!(record(&denied).contains("8f2ad8752ea573e559f2f65ba3638cd7a6942da4ff3cfe5e6421bc1ff9bf8b80"));
        assert_eq!(denied.outcome(), Outcome::Fail);
        let issue = denied.issue().expect("an issue");
        assert_eq!((issue.stage, issue.code), (Stage::Capability, "E_CAPABILITY_DENIED"));
        assert_eq!(issue.location.as_str(), "/capabilities/decisions/0");
    }

    #[test]
    fn what_is_not_granted_is_denied() {
        let denied = Verdict::Denied("E_CAPABILITY_DENIED");
        check("{}", "{}", denied);
        check(r#"{"permissions": ["tool.call"]}"#, "{}", Verdict::Allowed);
        check(r#"{"permissions": ["tool.call"]}"#, r#"{"action": "write"}"#, denied);
        check(r#"{"permissions": ["Write", "write "]}"#, r#"{"action": "write"}"#, denied);
        check(r#"{"permissions": "write"}"#, r#"{"action": "write"}"#, denied);
        check(r#"{"allow_tool_call": true}"#, r#"{"action": "write"}"#, Verdict::Allowed);
        check(r#"{"permissions": ["tool.call"]}"#, r#"{"action": null}"#, denied);
        check(r#"{"permissions": ["tool.call", "1"]}"#, r#"{"action": 1}"#, denied);
        for no in ["false", "1", r#""true""#, "null"] {
            check(&format!(r#"{{"allow_tool_call": {no}}}"#), r#"{"action": "write"}"#, denied);
        }
    }

    #[test]
    fn the_first_of_the_precedence_denies() {
        let context = r#"{"permissions": ["a"]}"#;
        let undeclared = r#""side_effects_declared": false"#;
        let beyond = r#""requested_permissions": ["x"], "declared_permissions": ["y"]"#;
        let call = |action: &str, parts: &str| format!(r#"{{"action": "{action}"{parts}}}"#);
        check(context, &call("a", &format!(", {beyond}")), Verdict::Denied("E_PERMISSION_DENIED"));
        check(context, &call("b", &format!(", {beyond}")), Verdict::Denied("E_CAPABILITY_DENIED"));
        check(context, &call("b", &format!(", {undeclared}, {beyond}")), Verdict::Denied("E_SIDE_EFFECT_UNDECLARED"));
        check(context, &call("a", &format!(", {undeclared}")), Verdict::Denied("E_SIDE_EFFECT_UNDECLARED"));
        let unresolved = r#"{"permissions": ["a"], "capability_resolved": false}"#;
        check(unresolved, &call("b", &format!(", {undeclared}, {beyond}")), Verdict::Unresolved);
        let off = r#"{"capability_enforcement": false, "capability_resolved": false}"#;
        check(off, &call("b", &format!(", {undeclared}, {beyond}")), Verdict::Skipped);
    }

    #[test]
    fn nothing_but_true_is_a_declaration() {
        let call = |context: &str, call: &str, verdict| {
            check(&format!(r#"{{"permissions": ["a"]{context}}}"#), &format!(r#"{{"action": "a"{call}}}"#), verdict);
        };
        call(r#", "capability_resolved": true"#, r#", "side_effects_declared": true"#, Verdict::Allowed);
        for no in ["false", "null", "1", r#""true""#, "[]"] {
            call(&format!(r#", "capability_resolved": {no}"#), "", Verdict::Unresolved);
            let undeclared = Verdict::Denied("E_SIDE_EFFECT_UNDECLARED");
            call("", &format!(r#", "side_effects_declared": {no}"#), undeclared);
        }
    }

    #[test]
    fn requested_permissions_are_declared() {
        let ask = |parts: &str, verdict| check(r#"{"allow_tool_call": true}"#, parts, verdict);
        let denied = Verdict::Denied("E_PERMISSION_DENIED");
        ask(r#"{"requested_permissions": []}"#, Verdict::Allowed);
        ask(r#"{"requested_permissions": ["a"], "declared_permissions": ["b", "a"]}"#, Verdict::Allowed);
        ask(r#"{"requested_permissions": ["a", "c"], "declared_permissions": ["b", "a"]}"#, denied);
        ask(r#"{"requested_permissions": ["a"]}"#, denied);
        ask(r#"{"requested_permissions": [1], "declared_permissions": [1]}"#, denied);
        ask(r#"{"requested_permissions": "a", "declared_permissions": ["a"]}"#, denied);
    }

    #[test]
    fn a_module_that_is_off_skips_and_says_so() {
        let skipped = ask(r#"{"capability_enforcement": false}"#, "{}");
        assert_eq!((skipped.verdict, skipped.outcome()), (Verdict::Skipped, Outcome::Pass));
        assert!(record(&skipped).contains(r#""info_code":"I_CAPABILITY_SKIPPED""#));
        assert!(record(&skipped).contains(r#""reason":"enforcement_off""#));
        let issue = skipped.issue().expect("an information");
        assert_eq!((issue.level, issue.code), (crate::kernel::model::issue::Level::Info, "I_CAPABILITY_SKIPPED"));
        for on in ["true", "0", "null", r#""false""#] {
            check(&format!(r#"{{"capability_enforcement": {on}}}"#), "{}", Verdict::Denied("E_CAPABILITY_DENIED"));
        }
    }

    #[test]
    fn an_allowed_call_names_its_provenance() {
        let allowed = ask(
            r#"{"permissions": ["write", "read"], "policy_source": "policy://p"}"#,
            r#"{"action": "write", "resource": "fs"}"#,
        );
        assert_eq!((allowed.outcome(), allowed.issue()), (Outcome::Pass, None));
        // printf '["read","write"]' | sha256sum
        let provenance = r#""provenance":{"policy_digest":"POLICY","policy_source":"policy://p","rule_id":"write"}"#;
        let provenance = provenance.replace("POLICY", READ_WRITE);
        assert!(record(&allowed).contains(&provenance), "{}", record(&allowed));
        let bare = ask(r#"{"allow_tool_call": true}"#, "{}");
        // The check value of the empty array.
        let empty = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945";
        let members = format!(r#"{{"policy_digest":"{empty}","policy_source":"context","rule_id":"tool.call"}}"#);
        assert!(record(&bare).contains(&members));
        assert!(record(&bare).contains(r#""tool_name":"unknown""#));
    }

    const READ_WRITE: &str = "8cadb671390940e358413120c4c7dc0de367c8399d4fd65eb7fee801327c869d";

    #[test]
    fn a_request_has_both_objects_and_may_have_ids() {
        let ask = |text: &str| {
            let document = Document::parse(text.as_bytes(), &Dialect::STRICT).expect("JSON");
            authorize_tool_call(document.root())
        };
        for text in ["{}", r#"{"context": {}}"#, r#"{"context": {}, "tool_request": []}"#, "[]"] {
            assert_eq!(ask(text).expect_err(text).codes(), ["A_INPUT"]);
        }
        let unnamed = ask(r#"{"context": {}, "tool_request": {}, "run_id": 1}"#).expect("a request");
        assert!(
            record(&unnamed).contains(r#""run_id":"unknown""#) && record(&unnamed).contains(r#""turn_id":"unknown""#)
        );
    }
}
