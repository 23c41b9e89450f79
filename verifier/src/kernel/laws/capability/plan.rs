//! The plan of capabilities for a role and a task.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.4, `resolve_capability`; ruling KE-56. Only what the request says goes into
//! a plan, so that equal requests have equal plans. Here a member of another type is refused, for a plan is written from it.

use std::collections::BTreeSet;

use super::{SKIPPED, own};
use crate::canon::compose;
use crate::json::{JsonPointer, Kind, NodeRef};
use crate::kernel::laws::path_safety::refusal;
use crate::kernel::model::issue::{Issue, Issues, Stage};
use crate::kernel::model::member::{Misfit, Object};

/// A plan, and what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The plan, canonical, with its six members.
    pub(crate) canonical: Vec<u8>,
    /// Nothing, or that the module is off.
    pub(crate) issues: Issues,
}

/// Resolves the members `role`, `task` and `context`; or gives an issue for each that is missing or of another type.
///
/// # Errors
/// If the context is there and no object, which no step judges.
pub(crate) fn resolve_capability(request: &Object<'_>) -> Result<Result<Plan, Issues>, Misfit> {
    let context = request.get("context").map(|_| request.object("context")).transpose()?;
    let mut wrong = Vec::new();
    let mut named = |name: &str| {
        let text = request.get(name).and_then(own);
        if text.is_none() {
            wrong.push(refusal(JsonPointer::root().member(name)));
        }
        text.unwrap_or_default()
    };
    let (role, task) = (named("role"), named("task"));
    let mut said = Said { context, wrong: &mut wrong };
    let on = said.read("capability_enforcement", |value| match value.kind() {
        Kind::True => Some(true),
        Kind::False => Some(false),
        _ => None,
    });
    let permissions = said.read("permissions", permissions);
    let source = said.read("policy_source", own);
    let version = said.read("policy_version", own);
    if !wrong.is_empty() {
        return Ok(Err(Issues::sorted(wrong)));
    }
    let on = on.unwrap_or(true);
    let granted = permissions.filter(|_| on).unwrap_or_default();
    let canonical = compose::object(&[
        ("mode", compose::string(if on { "enabled" } else { "disabled" })),
        ("role", compose::string(&role)),
        ("task", compose::string(&task)),
        ("permissions", compose::array(granted.iter().map(|one| compose::string(one)))),
        ("policy_source", compose::string(source.as_deref().unwrap_or("context"))),
        ("policy_version", version.as_deref().map_or_else(|| b"null".to_vec(), compose::string)),
    ]);
    let skipped = || Issue::info(Stage::Capability, SKIPPED, JsonPointer::from_text("/capability_plan"));
    let issues = if on { Issues::default() } else { skipped().into() };
    Ok(Ok(Plan { canonical, issues }))
}

/// What a context says, and what is wrong with it.
struct Said<'d, 'w> {
    context: Option<NodeRef<'d>>,
    wrong: &'w mut Vec<Issue>,
}

impl<'d> Said<'d, '_> {
    /// A member that may be missing; one of another type is an issue.
    fn read<T>(&mut self, name: &str, read: impl Fn(NodeRef<'d>) -> Option<T>) -> Option<T> {
        let value = self.context?.get(name)?;
        let taken = read(value);
        if taken.is_none() {
            self.wrong.push(refusal(JsonPointer::root().member("context").member(name)));
        }
        taken
    }
}

/// Permissions by code point, each once.
fn permissions(value: NodeRef<'_>) -> Option<BTreeSet<String>> {
    value.is_array().then(|| value.elements().map(own).collect())?
}
