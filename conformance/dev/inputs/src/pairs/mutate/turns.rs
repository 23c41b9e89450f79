//! Turns and their files.

use arbitrary::{Result, Unstructured};

use super::place::{an_entry, in_turn, rearrange, set, set_member};
use crate::pairs::{
    damage::Damage,
    draft::{Draft, TurnFile},
    draw::{self, index, int, odds, pick},
    json::{Json, Text},
};

pub(super) fn turn_list(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let fresh = Json::object([
        ("turn_id", Json::text(pick(u, &["turn-0001", "turn-0000", "z", "a"])?)),
        ("turn_result_digest", draw::digest(u)?),
        ("paths", Json::List(vec![Json::text(pick(u, &["@/t0.json", "@/t9.json"])?)])),
    ]);
    let kind = int(u, 9)?;
    let odd = draw::value(u, 1, false)?;
    let Some(entries) = draft.bundle.member_mut("turn_results") else {
        return Ok(());
    };
    if kind == 8 {
        *entries = odd;
        return Ok(());
    }
    if kind == 9 {
        // Every turn on one side only.
        *entries = Json::List(Vec::new());
        return Ok(());
    }
    rearrange(u, entries, kind, fresh)
}

pub(super) fn turn_id(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = match int(u, 6)? {
        0 => Json::text(pick(u, &["", "a/b~c", "\u{ff61}", "\u{1f600}", "turn-9"])?),
        1 => Json::token(*pick(u, &["1", "true", "0", "1.0"])?),
        2 => Json::NULL,
        3 => Json::Text(draw::text(u, true)?),
        4 | 5 => draw::value(u, 1, true)?,
        _ => {
            if let Some(entry) = an_entry(u, draft)? {
                entry.remove("turn_id");
            }
            return Ok(());
        }
    };
    set_member(an_entry(u, draft)?, "turn_id", value);
    Ok(())
}

pub(super) fn paths(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let kind = int(u, 22)?;
    let extra = match kind {
        0 => "@/absent.json",
        1 => "@",
        2 => "@/",
        3 => "@/t0.json/inner.json",
        4 => "@/./t0.json",
        5 => "@/sub/../t0.json",
        6 => "",
        7 => "\0",
        8 => "@/\u{0}/t0.json",
        9 => "@/\u{ff61}.json",
        10 => "@/\u{1f600}.json",
        11 => "/absent/t0.json",
        12 => "@//t0.json",
        13 => "@/t1.json",
        _ => {
            return odd_paths(u, draft, kind);
        }
    };
    // The folder that "sub/.." needs, and the names that tell code points from UTF-16 units.
    let added: &[&str] = match kind {
        5 => &["sub/inner.json"],
        9 | 10 => &["\u{ff61}.json", "\u{1f600}.json"],
        _ => &[],
    };
    for (number, name) in added.iter().enumerate() {
        if let Some(first) = draft.turns.first()
            && draft.turns.iter().all(|turn| turn.name != *name)
        {
            let mut copy = TurnFile { name: (*name).to_owned(), ..first.clone() };
            if number > 0 {
                set_member(copy.document.member_mut("transition"), "inputs_digest", Json::text(name));
            }
            draft.turns.push(copy);
        }
    }
    if kind == 10 {
        // Both, in the order of UTF-16 units.
        let both = added.iter().rev().map(|name| Json::text(&format!("@/{name}"))).collect();
        set_member(an_entry(u, draft)?, "paths", Json::List(both));
        return Ok(());
    }
    let alone = odds(u, 1, 3)?;
    let front = odds(u, 1, 2)?;
    if let Some(list) = an_entry(u, draft)?.and_then(|entry| entry.member_mut("paths")).and_then(Json::items_mut) {
        if alone {
            list.clear();
        }
        let at = if front { 0 } else { list.len() };
        list.insert(at, Json::text(extra));
    }
    Ok(())
}

/// Paths that are not a list of plain strings.
fn odd_paths(u: &mut Unstructured<'_>, draft: &mut Draft, kind: u32) -> Result<()> {
    let alone = odds(u, 1, 2)?;
    let item = match kind {
        14 => Json::Text(Text(vec!['@'.into(), '/'.into(), *pick(u, &[0xD800, 0xDC80, 0xDFFF])?])),
        15 => Json::token(*pick(u, &["-1", "2147483648", "-2147483649", "1180591620717411303424"])?),
        16 => Json::token(*pick(u, &["0", "1", "true", "false", "2147483647", "7"])?),
        17 => Json::token(*pick(u, &["null", "1.5", "[]", "{}", "[\"@/t0.json\"]"])?),
        18 => draw::value(u, 1, true)?,
        _ => {
            let whole = match kind {
                19 => Json::Text(Text::from(*pick(u, &["@/t0.json", "", "k"])?)),
                20 => Json::Object(vec![(Text::from("@/t0.json"), Json::NULL)]),
                21 => Json::List(Vec::new()),
                _ => draw::value(u, 1, true)?,
            };
            if let Some(entry) = an_entry(u, draft)? {
                if kind == 22 && alone {
                    entry.remove("paths");
                } else {
                    entry.set("paths", whole);
                }
            }
            return Ok(());
        }
    };
    if let Some(list) = an_entry(u, draft)?.and_then(|entry| entry.member_mut("paths")).and_then(Json::items_mut) {
        if alone {
            list.clear();
        }
        list.push(item);
    }
    Ok(())
}

pub(super) fn turn_file(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let damage = Damage::draw(u)?;
    let bad = draw::malformed(u)?;
    let kind = int(u, 9)?;
    let Some(chosen) = index(u, draft.turns.len())? else {
        return Ok(());
    };
    match kind {
        0..=4 => {
            if let Some(turn) = draft.turns.get_mut(chosen) {
                turn.damage = Some(damage);
            }
        }
        5..=7 => drop(draft.turns.remove(chosen)),
        8 => set(in_turn(u, draft, &["events"])?, bad),
        _ => {
            // A folder where the file should be.
            if let Some(turn) = draft.turns.get_mut(chosen)
                && !turn.name.contains('/')
            {
                turn.name.push_str("/inner.json");
            }
        }
    }
    Ok(())
}
