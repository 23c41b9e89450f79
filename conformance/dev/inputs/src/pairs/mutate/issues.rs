//! Issues.

use arbitrary::{Result, Unstructured};

use super::place::{an_issue, in_turn, rearrange, set_member};
use crate::pairs::{
    draft::{self, Draft, STAGES},
    draw::{self, int, odds, pick},
    json::Json,
};

pub(super) fn issue_member(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let name = *pick(u, &["level", "code", "extra", "contract_version", "level", "code"])?;
    let value = match int(u, 5)? {
        0 | 1 => Json::text(pick(u, &["FAIL", "INFO", "E_POLICY_X", "E_OTHER"])?),
        2 | 3 => draw::value(u, 1, false)?,
        _ => draw::value(u, 1, true)?,
    };
    let remove = odds(u, 1, 8)?;
    if let Some(issue) = an_issue(u, draft)? {
        if remove {
            issue.remove(name);
        } else {
            issue.set(name, value);
        }
    }
    Ok(())
}

pub(super) fn issue_list(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let fresh = draft::issue(u)?;
    let kind = int(u, 10)?;
    let odd = draw::value(u, 1, false)?;
    if kind == 8 {
        if let Some(document) = in_turn(u, draft, &[])? {
            document.remove("issues");
        }
        return Ok(());
    }
    let Some(issues) = in_turn(u, draft, &["issues"])? else {
        return Ok(());
    };
    if kind == 9 {
        *issues = odd;
        return Ok(());
    }
    if kind == 10 {
        for issue in issues.items_mut().into_iter().flatten() {
            issue.set("level", Json::text("other"));
        }
        return Ok(());
    }
    rearrange(u, issues, kind, fresh)
}

pub(super) fn stage(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = match int(u, 7)? {
        0..=2 => Json::text(pick(u, &STAGES)?),
        3 | 4 => Json::text(pick(u, &["rel_vocab", "Policy", "", "unknown-1", "unknown-2", "policy\n"])?),
        5 => draw::token(u, true)?,
        6 => draw::value(u, 1, true)?,
        _ => {
            if let Some(issue) = an_issue(u, draft)? {
                issue.remove("stage");
            }
            return Ok(());
        }
    };
    set_member(an_issue(u, draft)?, "stage", value);
    Ok(())
}

pub(super) fn location(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let name = *pick(u, &["location", "location", "code"])?;
    let value = match int(u, 7)? {
        0..=2 => Json::text(pick(u, &["/body/a", "/body/c", "", "/\u{ff61}", "/\u{1f600}"])?),
        3 => draw::token(u, false)?,
        4 => Json::Text(draw::text(u, true)?),
        5 => draw::token(u, true)?,
        6 => draw::value(u, 1, true)?,
        _ => {
            if let Some(issue) = an_issue(u, draft)? {
                issue.remove(name);
            }
            return Ok(());
        }
    };
    set_member(an_issue(u, draft)?, name, value);
    Ok(())
}

pub(super) fn details(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = match int(u, 7)? {
        0..=2 => draw::details(u)?,
        3 => draw::chain(u, false)?,
        4 => draw::chain(u, true)?,
        5 => draw::value(u, 3, false)?,
        6 => draw::value(u, 3, true)?,
        _ => {
            if let Some(issue) = an_issue(u, draft)? {
                issue.remove("details");
            }
            return Ok(());
        }
    };
    set_member(an_issue(u, draft)?, "details", value);
    Ok(())
}
