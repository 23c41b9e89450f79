//! Contract shape: an episode contract has the members of its schema, and nothing else.
//!
//! Spec: RCE Profile v0.1, Episode Contract schema; rulings EP-26, EP-27.

use std::sync::LazyLock;

use super::path_safety;
use crate::contracts;
use crate::episode::model::contract::{Contract, Identity};
use crate::episode::model::inquiry::{CONTRACT, Failed, Inquiry};
use crate::episode::model::limits;
use crate::finding::Finding;
use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;
use crate::schema::Schema;

pub(crate) const LAW: Law = Law::named("episode/contract-shape");

/// The text of the pack's contract.
pub(crate) fn text(inquiry: &mut Inquiry<'_>) -> Result<Vec<u8>, Failed> {
    let mut text = Vec::new();
    match inquiry.pack.read(CONTRACT, limits::CONTRACT_BYTES, &mut text) {
        Ok(()) => Ok(text),
        Err(why) => {
            inquiry.findings.add(CONTRACT, path_safety::unread(LAW, &why));
            Err(Failed)
        }
    }
}

/// What makes a pack's contract unusable, as findings.
pub(crate) fn refused(inquiry: &mut Inquiry<'_>, why: &Rejection) -> Failed {
    let error = |pointer, message| Finding::error(LAW, pointer, message);
    inquiry.findings.rejected(CONTRACT, &JsonPointer::root(), why, error);
    Failed
}

/// The contract, if it has the shape of its schema. `identity` is its own, if it has the parts that it derives from.
pub(crate) fn contract(root: NodeRef<'_>, identity: Option<&Identity>) -> Result<Contract, Rejection> {
    let steps = root.get("replay_script").and_then(|script| script.get("steps"));
    if steps.is_some_and(|steps| steps.elements().count() > limits::STEPS) {
        return Err(Rejection::Limit(format!("the script has more than the limit of {} steps", limits::STEPS)));
    }
    let breaches = SCHEMA.breaches(root);
    if !breaches.is_empty() {
        return Err(Rejection::Schema(breaches));
    }
    let taken = identity.and_then(|identity| Contract::take(root, identity));
    // The schema demands every member that is taken; without one of them nothing may pass.
    taken.ok_or_else(|| Rejection::Schema(Vec::new()))
}

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::EPISODE_CONTRACT_SCHEMA, &[]));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_compiles() {
        assert!(SCHEMA.is_usable());
    }
}
