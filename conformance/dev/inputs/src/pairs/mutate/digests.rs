//! Digests that are compared as they stand.

use arbitrary::{Result, Unstructured};

use super::place::{an_entry, in_turn};
use crate::pairs::{
    draft::{BUNDLE_DIGESTS, Draft, TRANSITION_DIGESTS},
    draw::{self, odds, pick},
};

pub(super) fn registry_digest(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    draft.bundle.set("registry_digest", draw::digest_like(u)?);
    Ok(())
}

pub(super) fn bundle_digest(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let name = *pick(u, &BUNDLE_DIGESTS)?;
    let value = draw::digest_like(u)?;
    if let Some(digests) = draft.bundle.member_mut("digests") {
        if odds(u, 1, 12)? {
            digests.remove(name);
        } else {
            digests.set(name, value);
        }
    }
    Ok(())
}

pub(super) fn turn_digest(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = draw::digest_like(u)?;
    let remove = odds(u, 1, 12)?;
    if let Some(entry) = an_entry(u, draft)? {
        if remove {
            entry.remove("turn_result_digest");
        } else {
            entry.set("turn_result_digest", value);
        }
    }
    Ok(())
}

pub(super) fn transition(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let name = *pick(u, &TRANSITION_DIGESTS)?;
    let value = draw::digest_like(u)?;
    let remove = odds(u, 1, 12)?;
    if let Some(transition) = in_turn(u, draft, &["transition"])? {
        if remove {
            transition.remove(name);
        } else {
            transition.set(name, value);
        }
    }
    Ok(())
}
