//! Bodies, links and manifests as staging takes them.

use arbitrary::{Result, Unstructured};

use super::{IDS, KINDS};
use crate::pairs::draw::{int, odds, one_of, pick, value};
use crate::pairs::json::{Json, Text};

/// What has no canonical form.
pub(super) const BANNED: &[&str] = &["1.5", "-0", "1e2", "1.0", "-0.0", "1E400"];

/// A body, most of the time with an identity; if asked for, with one value that has no canonical form.
pub(super) fn body(u: &mut Unstructured<'_>, banned: bool) -> Result<Json> {
    let mut body = Json::object([("dto_type", one_of(u, KINDS)?), ("id", one_of(u, IDS)?)]);
    match int(u, 9)? {
        7 => body.set("more", value(u, 2, false)?),
        8 => body = Json::object([("v", Json::integer(int(u, 3)? as usize))]),
        9 => body.set("id", Json::token(*pick(u, &["7", "null"])?)),
        _ => {}
    }
    if banned {
        let value = match int(u, 3)? {
            0 => Json::Text(Text(vec![u32::from('a'), 0xD800])),
            1 => Json::Object(vec![(Text(vec![0xDC00]), Json::NULL)]),
            _ => Json::token(*pick(u, BANNED)?),
        };
        let inside = if odds(u, 1, 2)? { Json::List(vec![Json::NULL, value]) } else { value };
        body.set("a/b~c", inside);
    }
    Ok(body)
}

/// Links with a few references, single ones and in arrays, and with what is not a reference.
pub(super) fn links(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut links = Json::Object(Vec::new());
    for key in ["k", "skill", "a/b"] {
        match int(u, 5)? {
            3 => links.set(key, reference(u)?),
            4 => {
                let mut items = Vec::new();
                for _ in 0..int(u, 3)? {
                    items.push(if odds(u, 1, 6)? { none(u)? } else { reference(u)? });
                }
                links.set(key, Json::List(items));
            }
            5 => links.set(key, none(u)?),
            _ => {}
        }
    }
    Ok(links)
}

fn reference(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut reference = Json::object([("type", one_of(u, KINDS)?), ("id", one_of(u, IDS)?)]);
    match int(u, 5)? {
        3 => reference.set("relationship", one_of(u, &["declares", "", "unheard of"])?),
        4 => reference.set("relationship", Json::NULL),
        5 => reference.set("relationship", Json::token("7")),
        _ => {}
    }
    Ok(reference)
}

/// What stands where a reference could, and is not one.
fn none(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(match int(u, 4)? {
        0 => Json::object([("type", Json::text("skill"))]),
        1 => Json::text("skill:x"),
        2 => Json::object([("type", Json::token("7")), ("id", Json::text("x"))]),
        3 => Json::List(vec![Json::object([("type", Json::text("skill")), ("id", Json::text("x"))])]),
        _ => Json::object([("inner", reference(u)?)]),
    })
}

pub(super) fn manifest(u: &mut Unstructured<'_>) -> Result<Json> {
    if odds(u, 1, 4)? { Ok(Json::object([("m", value(u, 1, false)?)])) } else { Ok(Json::Object(Vec::new())) }
}
