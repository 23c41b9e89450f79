//! Decisions.

use arbitrary::{Result, Unstructured};

use super::place::{a_decision, in_turn, rearrange, set_member};
use crate::pairs::{
    draft::{self, Draft},
    draw::{self, int, odds, pick},
    json::Json,
};

pub(super) fn decision_member(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let names =
        ["tool_name", "action", "deny_code", "reason", "provenance", "outcome", "decision_id", "extra", "run_id"];
    let name = *pick(u, &names)?;
    let wild = odds(u, 1, 4)?;
    let value = draw::value(u, 1, wild)?;
    let remove = odds(u, 1, 6)?;
    if let Some(record) = a_decision(u, draft)? {
        if remove {
            record.remove(name);
        } else {
            record.set(name, value);
        }
    }
    Ok(())
}

pub(super) fn decision_list(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let fresh = draft::decision(u, "run-1", "turn-0001", 1)?;
    let kind = int(u, 9)?;
    let odd = draw::value(u, 1, false)?;
    let Some(decisions) = in_turn(u, draft, &["capabilities", "decisions"])? else {
        return Ok(());
    };
    if kind == 8 {
        *decisions = odd;
        return Ok(());
    }
    if kind == 9 {
        // Many mismatches of one kind, for the report to sort.
        for record in decisions.items_mut().into_iter().flatten() {
            record.set("action", Json::text("other"));
        }
        return Ok(());
    }
    rearrange(u, decisions, kind, fresh)
}

pub(super) fn ordinal(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = match int(u, 13)? {
        0..=2 => Json::token(*pick(u, &["0", "1", "2"])?),
        3 => Json::token(*pick(u, &["-1", "10", "9"])?),
        4 => Json::token(*pick(u, &["true", "false"])?),
        5 => Json::text(pick(u, &["0", "10", "9", ""])?),
        6 => Json::NULL,
        7 => Json::token(*pick(u, &["1.0", "-0", "0.0", "NaN"])?),
        8 => Json::token(*pick(u, &["[]", "[1]", "[\"a\"]", "{}"])?),
        9 => Json::token(format!("1{}", "0".repeat(40))),
        10 => Json::token("1180591620717411303424"),
        11 => draw::value(u, 1, true)?,
        12 => {
            // One kind of ordinal all over the list.
            let texts = odds(u, 1, 2)?;
            if let Some(items) = in_turn(u, draft, &["capabilities", "decisions"])?.and_then(Json::items_mut) {
                for (number, record) in items.iter_mut().enumerate() {
                    let text = number.to_string();
                    record.set("ordinal", if texts { Json::text(&text) } else { Json::token(format!("[{text}]")) });
                }
            }
            return Ok(());
        }
        _ => {
            if let Some(record) = a_decision(u, draft)? {
                record.remove("ordinal");
            }
            return Ok(());
        }
    };
    set_member(a_decision(u, draft)?, "ordinal", value);
    Ok(())
}
