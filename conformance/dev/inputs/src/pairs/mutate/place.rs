//! Places of a draft, and what several mutations do there.

use arbitrary::{Result, Unstructured};

use crate::pairs::{
    draft::{Draft, Site},
    draw::{self, index},
    json::{Json, Step},
};

/// A turn file's document, at one of its members.
pub(super) fn in_turn<'d>(
    u: &mut Unstructured<'_>,
    draft: &'d mut Draft,
    path: &[&'static str],
) -> Result<Option<&'d mut Json>> {
    let Some(turn) = index(u, draft.turns.len())? else {
        return Ok(None);
    };
    let steps = path.iter().copied().map(Step::Member).collect();
    Ok(draft.at_mut(&Site { turn: Some(turn), steps }))
}

/// One element of a list in a turn file.
fn element<'d>(u: &mut Unstructured<'_>, draft: &'d mut Draft, path: &[&'static str]) -> Result<Option<&'d mut Json>> {
    let Some(items) = in_turn(u, draft, path)?.and_then(Json::items_mut) else {
        return Ok(None);
    };
    let Some(chosen) = index(u, items.len())? else {
        return Ok(None);
    };
    Ok(items.get_mut(chosen))
}

pub(super) fn a_decision<'d>(u: &mut Unstructured<'_>, draft: &'d mut Draft) -> Result<Option<&'d mut Json>> {
    element(u, draft, &["capabilities", "decisions"])
}

pub(super) fn an_issue<'d>(u: &mut Unstructured<'_>, draft: &'d mut Draft) -> Result<Option<&'d mut Json>> {
    element(u, draft, &["issues"])
}

pub(super) fn an_entry<'d>(u: &mut Unstructured<'_>, draft: &'d mut Draft) -> Result<Option<&'d mut Json>> {
    let Some(entries) = draft.bundle.member_mut("turn_results").and_then(Json::items_mut) else {
        return Ok(None);
    };
    let Some(chosen) = index(u, entries.len())? else {
        return Ok(None);
    };
    Ok(entries.get_mut(chosen))
}

pub(super) fn set(place: Option<&mut Json>, value: Json) {
    if let Some(place) = place {
        *place = value;
    }
}

pub(super) fn set_member(object: Option<&mut Json>, name: &str, value: Json) {
    if let Some(object) = object {
        object.set(name, value);
    }
}

/// Reorders, repeats, drops or adds list elements, by `kind` 0 to 7.
pub(super) fn rearrange(u: &mut Unstructured<'_>, list: &mut Json, kind: u32, fresh: Json) -> Result<()> {
    let Some(items) = list.items_mut() else {
        return Ok(());
    };
    match kind {
        0 | 1 => items.reverse(),
        2 => items.push(fresh),
        7 => items.push(draw::value(u, 1, false)?),
        _ => {
            if let Some(chosen) = index(u, items.len())? {
                if kind <= 4 {
                    items.remove(chosen);
                } else if let Some(twin) = items.get(chosen).cloned() {
                    items.insert(chosen, twin);
                }
            }
        }
    }
    Ok(())
}
