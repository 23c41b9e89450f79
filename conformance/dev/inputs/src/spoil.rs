//! Changes documents: what they mean, in one place; or how they are written, and nothing else.

use arbitrary::{Result, Unstructured};

use crate::pairs::draw::{index, int, odds, pick};
use crate::pairs::json::{Json, Text};

/// Changes one place of a document, often to something unlawful.
pub(crate) fn spoil(u: &mut Unstructured<'_>, document: &mut Json) -> Result<()> {
    if odds(u, 3, 4)? {
        let child = match document {
            Json::List(items) => index(u, items.len())?.and_then(|at| items.get_mut(at)),
            Json::Object(members) => {
                index(u, members.len())?.and_then(|at| members.get_mut(at)).map(|(_, member)| member)
            }
            _ => None,
        };
        if let Some(child) = child {
            return spoil(u, child);
        }
    }
    let choice = int(u, 4)?;
    match document {
        Json::Object(members) if choice == 1 && !members.is_empty() => {
            if let Some(at) = index(u, members.len())? {
                members.remove(at);
            }
        }
        Json::Object(_) if choice == 2 => document.set("extra", awkward(u)?),
        Json::List(items) if (1..4).contains(&choice) && !items.is_empty() => rearrange(u, choice, items)?,
        Json::Text(text) if choice == 1 => text.0.push(*pick(u, &[u32::from('x'), 0x301, 0xD800])?),
        Json::Text(text) if choice == 2 => uppercase(text),
        Json::Text(text) if choice == 3 => drop(text.0.pop()),
        Json::Token(token) if choice < 3 && token.bytes().all(|byte| byte.is_ascii_digit()) => match choice {
            0 => token.to_mut().insert(0, '1'),
            1 => token.to_mut().push_str(".0"),
            _ => token.to_mut().insert(0, '-'),
        },
        other => *other = awkward(u)?,
    }
    Ok(())
}

/// Loses an item, swaps two, or repeats one.
fn rearrange(u: &mut Unstructured<'_>, choice: u32, items: &mut Vec<Json>) -> Result<()> {
    let (Some(one), Some(other)) = (index(u, items.len())?, index(u, items.len())?) else { return Ok(()) };
    match choice {
        1 => drop(items.remove(one)),
        2 => items.swap(one, other),
        _ => {
            if let Some(again) = items.get(one).cloned() {
                items.push(again);
            }
        }
    }
    Ok(())
}

/// Makes ASCII letters capital ones.
pub(crate) fn uppercase(text: &mut Text) {
    for point in &mut text.0 {
        if let Some(letter) = char::from_u32(*point) {
            *point = letter.to_ascii_uppercase().into();
        }
    }
}

/// A value that seldom belongs where it is put.
pub(crate) fn awkward(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(match int(u, 9)? {
        0 => Json::NULL,
        1 => Json::token("true"),
        2 => Json::token(*pick(u, &["0", "1", "-1", "-0", "1.0", "1e0", "2"])?),
        3 => Json::token(*pick(u, &["NaN", "-Infinity", "1e400"])?),
        4 => Json::text(pick(u, &["", "1", "refused", "artifact", "PASS", "SKIPPED", "../x"])?),
        5 => Json::Text(Text(vec![u32::from('a'), 0xD800])),
        6 => Json::List(Vec::new()),
        7 => Json::List(vec![Json::text("one cup"), Json::text("one cup")]),
        8 => Json::Object(Vec::new()),
        _ => Json::text(&"0".repeat(64)),
    })
}

/// Other tokens for the same numbers, and names that a later one overrules.
pub(crate) fn disguise(u: &mut Unstructured<'_>, document: &mut Json) -> Result<()> {
    let respell = odds(u, 1, 2)?;
    let decoy = *pick(u, &["", "", "", "NaN", "\"\\ud800\"", "{\"v\":[1,2]}"])?;
    let every = 1 + int(u, 4)? as usize;
    disguise_below(document, respell, decoy, every);
    Ok(())
}

/// Other tokens for the same numbers, and nothing else.
pub(crate) fn respell(document: &mut Json) {
    disguise_below(document, true, "", 1);
}

fn disguise_below(document: &mut Json, respell: bool, decoy: &'static str, every: usize) {
    match document {
        Json::Token(token) if respell => {
            if let Some(other) = respelt(token) {
                *token = other.into();
            }
        }
        Json::List(items) => items.iter_mut().for_each(|item| disguise_below(item, respell, decoy, every)),
        Json::Object(members) => {
            let mut disguised = Vec::with_capacity(members.len());
            for (place, (name, mut member)) in members.drain(..).enumerate() {
                if !decoy.is_empty() && place % every == 0 {
                    disguised.push((name.clone(), Json::token(decoy)));
                }
                disguise_below(&mut member, respell, decoy, every);
                disguised.push((name, member));
            }
            *members = disguised;
        }
        _ => {}
    }
}

/// Another token for the same value of Python; none where this is not a plain number.
fn respelt(token: &str) -> Option<String> {
    let number = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    let first = token.strip_prefix('-').unwrap_or(token).as_bytes().first().copied();
    match token {
        "0" => Some("-0".to_owned()),
        _ if !first.is_some_and(|byte| byte.is_ascii_digit()) || !token.bytes().all(number) => None,
        _ if token.contains(['e', 'E']) => Some(token.to_uppercase()),
        _ if token.contains('.') => Some(format!("{token}0e0")),
        _ => None,
    }
}
