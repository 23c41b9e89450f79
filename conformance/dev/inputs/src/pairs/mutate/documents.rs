//! Documents as a whole: the bundle, and any document at any depth.

use arbitrary::{Result, Unstructured};

use super::place::{in_turn, set, set_member};
use crate::pairs::{
    damage::Damage,
    draft::Draft,
    draw::{self, index, int, odds, pick},
    json::Json,
};

pub(super) fn bundle_member(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let names = ["contract_version", "run_envelope", "registry_digest", "digests", "turn_results"];
    draft.bundle.remove(pick(u, &names)?);
    Ok(())
}

pub(super) fn run_envelope(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = draw::value(u, 1, true)?;
    match int(u, 4)? {
        0 => draft.bundle.set("run_envelope", value),
        1 => {
            // With another member gone, the shape of the envelope decides.
            draft.bundle.set("run_envelope", value);
            draft.bundle.remove("digests");
        }
        2 => {
            if let Some(envelope) = draft.bundle.member_mut("run_envelope") {
                envelope.remove("run_id");
            }
        }
        _ => set_member(draft.bundle.member_mut("run_envelope"), "run_id", value),
    }
    Ok(())
}

pub(super) fn bundle_shape(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let names = r#"["contract_version","run_envelope","registry_digest","digests","turn_results"]"#;
    let words = r#""contract_version run_envelope registry_digest digests turn_results""#;
    let spelling = *pick(u, &["[]", "null", "\"text\"", "1", "true", "{}", "[[]]", names, words, "1.5", "NaN"])?;
    draft.bundle = Json::token(spelling);
    Ok(())
}

pub(super) fn bundle_bytes(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    draft.damage = Some(Damage::draw(u)?);
    Ok(())
}

/// A change at a place that nobody chose: in the bundle or a turn file, at any depth.
pub(super) fn anywhere(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let mut documents = draft.documents_mut();
    let Some(chosen) = index(u, documents.len())? else {
        return Ok(());
    };
    let Some(mut here) = documents.get_mut(chosen).map(|document| &mut **document) else {
        return Ok(());
    };
    for _ in 0..int(u, 5)? {
        let length = match here {
            Json::List(items) => items.len(),
            Json::Object(members) => members.len(),
            _ => 0,
        };
        let Some(next) = index(u, length)? else { break };
        let below = match here {
            Json::List(items) => items.get_mut(next),
            Json::Object(members) => members.get_mut(next).map(|(_, value)| value),
            _ => None,
        };
        // The index came from this very length.
        let Some(below) = below else { return Ok(()) };
        here = below;
    }
    let wild = odds(u, 1, 2)?;
    let other = draw::value(u, 2, wild)?;
    match here {
        Json::Object(members) => match (int(u, 4)?, index(u, members.len())?) {
            (0, Some(member)) => drop(members.remove(member)),
            (1 | 2, Some(member)) => {
                // A duplicate name: before the original, which then hides it, or after.
                if let Some((name, value)) = members.get(member).cloned() {
                    let twin = if odds(u, 1, 3)? { value } else { other };
                    let at = if odds(u, 1, 2)? { 0 } else { members.len() };
                    members.insert(at, (name, twin));
                }
            }
            (3, _) => members.push((draw::text(u, wild)?, other)),
            _ => *here = other,
        },
        Json::List(items) if odds(u, 1, 2)? => items.push(other),
        _ => *here = other,
    }
    Ok(())
}

pub(super) fn nesting(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    // Rare even here: such files are large.
    if odds(u, 1, 3)? {
        set(in_turn(u, draft, &["events"])?, draw::abyss());
    } else {
        let value = draw::chain(u, true)?;
        set(in_turn(u, draft, &["events"])?, value);
    }
    Ok(())
}
