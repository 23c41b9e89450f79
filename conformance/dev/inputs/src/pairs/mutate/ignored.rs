//! What the comparator looks past.

use arbitrary::{Result, Unstructured};

use super::place::{an_issue, in_turn, set, set_member};
use crate::pairs::{
    draft::Draft,
    draw::{self, int, odds},
    json::Json,
};

pub(super) fn ignored_place(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = draw::value(u, 2, true)?;
    match int(u, 9)? {
        0..=3 => set(in_turn(u, draft, &["events"])?, value),
        4 => set_member(in_turn(u, draft, &["transition"])?, "x_digest", value),
        5 => set_member(in_turn(u, draft, &["capabilities"])?, "mode", value),
        6 => set_member(in_turn(u, draft, &[])?, "outcome", value),
        7 => set_member(draft.bundle.member_mut("digests"), "extra", value),
        8 => set_member(draft.bundle.member_mut("run_envelope"), "workflow_id", value),
        _ => draft.bundle.set("contract_version", value),
    }
    Ok(())
}

pub(super) fn message(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = if odds(u, 1, 2)? { draw::value(u, 1, true)? } else { Json::text("other") };
    let remove = odds(u, 1, 4)?;
    if let Some(issue) = an_issue(u, draft)? {
        if remove {
            issue.remove("message");
        } else {
            issue.set("message", value);
        }
    }
    Ok(())
}
