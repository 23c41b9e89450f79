//! Changes that leave a side lawful under the text of the laws, as far as a bundle and its turn files owe it.

use arbitrary::{Result, Unstructured};

use super::place::{an_entry, an_issue, in_turn, set, set_member};
use crate::pairs::{
    draft::{self, BUNDLE_DIGESTS, Draft, TRANSITION_DIGESTS},
    draw::{self, index, int, odds, pick},
    json::Json,
};

/// Gives every issue details that are an object: the one thing that the comparator's drafts leave open.
pub(crate) fn make_lawful(draft: &mut Draft) {
    for turn in &mut draft.turns {
        for issue in turn.document.member_mut("issues").and_then(Json::items_mut).into_iter().flatten() {
            if let Some(details) = issue.member_mut("details")
                && details.members_mut().is_none()
            {
                let inner = std::mem::replace(details, Json::NULL);
                *details = Json::object([("any", inner)]);
            }
        }
    }
}

/// Applies one lawful change, of a surface or beside it.
pub(crate) fn lawful(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    match int(u, 11)? {
        0 => {
            let digest = draw::digest(u)?;
            set_member(draft.bundle.member_mut("digests"), pick(u, &BUNDLE_DIGESTS)?, digest);
        }
        1 => {
            let digest = draw::digest(u)?;
            set_member(an_entry(u, draft)?, "turn_result_digest", digest);
        }
        2 | 3 => {
            let name = *pick(u, &[TRANSITION_DIGESTS[0], TRANSITION_DIGESTS[1], TRANSITION_DIGESTS[2], "x_digest"])?;
            let digest = if odds(u, 1, 4)? { Json::NULL } else { draw::digest(u)? };
            set_member(in_turn(u, draft, &["transition"])?, name, digest);
        }
        4 | 5 => decisions(u, draft)?,
        6 | 7 => issues(u, draft)?,
        8 => {
            let value = draw::value(u, 2, false)?;
            let name = *pick(u, &["level", "extra", "contract_version", "code", "location", "stage", "message"])?;
            let value = match name {
                "code" | "location" => Json::Text(draw::text(u, false)?),
                "stage" => Json::text(pick(u, &draft::STAGES)?),
                _ => value,
            };
            set_member(an_issue(u, draft)?, name, value);
        }
        9 => turns(u, draft)?,
        10 => {
            let value = draw::value(u, 2, false)?;
            set(in_turn(u, draft, &["events"])?, value);
        }
        _ => {
            let name = *pick(u, &["run_id", "workflow_id"])?;
            let value = Json::Text(draw::text(u, false)?);
            set_member(draft.bundle.member_mut("run_envelope"), name, value);
        }
    }
    Ok(())
}

/// Drops a record, or puts another one in the place of it or after all, with an ordinal that no other record has.
fn decisions(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let run = *pick(u, &["run-1", "other"])?;
    // Mostly beyond those of drafts.
    let ordinal = 21 + int(u, 80)? as usize;
    let fresh = draft::decision(u, run, "turn-0000", ordinal)?;
    let kind = int(u, 2)?;
    let Some(records) = in_turn(u, draft, &["capabilities", "decisions"])?.and_then(Json::items_mut) else {
        return Ok(());
    };
    let chosen = index(u, records.len())?;
    match (kind, chosen) {
        (0, Some(chosen)) => drop(records.remove(chosen)),
        (1, Some(chosen)) => {
            if let Some(record) = records.get_mut(chosen) {
                let ordinal = record.member_mut("ordinal").cloned().unwrap_or(Json::NULL);
                *record = fresh;
                record.set("ordinal", ordinal);
            }
        }
        _ => {
            let added = Json::integer(ordinal);
            if records.iter_mut().all(|record| record.member_mut("ordinal") != Some(&mut added.clone())) {
                records.push(fresh);
            }
        }
    }
    Ok(())
}

/// Drops, repeats or adds an issue.
fn issues(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let fresh = draft::issue(u)?;
    let kind = int(u, 2)?;
    if let Some(list) = in_turn(u, draft, &["issues"])?.and_then(Json::items_mut) {
        match (kind, index(u, list.len())?) {
            (0, Some(chosen)) => drop(list.remove(chosen)),
            (1, Some(chosen)) => list.extend(list.get(chosen).cloned()),
            _ => list.push(fresh),
        }
    }
    make_lawful(draft);
    Ok(())
}

/// Drops a turn from the bundle, or gives it a second path that sorts after the first.
fn turns(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    if odds(u, 1, 2)? {
        let second = Json::text(pick(u, &["@/zz.json", "@/\u{1f600}.json"])?);
        if let Some(paths) = an_entry(u, draft)?.and_then(|entry| entry.member_mut("paths")).and_then(Json::items_mut)
            && paths.len() == 1
        {
            paths.push(second);
        }
        return Ok(());
    }
    if let Some(entries) = draft.bundle.member_mut("turn_results").and_then(Json::items_mut)
        && let Some(chosen) = index(u, entries.len())?
    {
        entries.remove(chosen);
    }
    Ok(())
}
