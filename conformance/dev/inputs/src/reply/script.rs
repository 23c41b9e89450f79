//! Scripts for a builder and for a tool inside a wrapper: the same calls on the same registry. First choices are lawful ones, for bytes
//! that run out.

use arbitrary::{Result, Unstructured};

use super::codes::near;
use super::registry;
use crate::pairs::draw::{int, odds, one_of, pick, value};
use crate::pairs::json::Json;

const METHODS: [(&str, &str); 5] =
    [("success", "S"), ("invalid", "I"), ("success", "S"), ("denied", "D"), ("error", "E")];
const OTHER_METHODS: &[&str] = &["info", "warn", "fail", "Success", "make", "", "denied "];
const THROWN: &[&str] = &["boom", "", "denied", "EN-WRITE-D-001", "success"];

/// At most so many calls: enough for two after a freeze.
const MOST: u32 = 4;

/// A script for a builder, and one for a wrapper.
pub(super) fn scripts(u: &mut Unstructured<'_>) -> Result<(Json, Json)> {
    let mut calls = Vec::new();
    for _ in 0..int(u, MOST)? {
        calls.push(call(u)?);
    }
    let (count, calls) = (calls.len(), Json::List(calls));
    let mut build = Json::object([("calls", calls.clone())]);
    let mut wrap = Json::object([("calls", calls)]);
    if odds(u, 1, 4)? {
        let registry = registry::registry(u)?;
        build.set("registry", registry.clone());
        wrap.set("registry", registry);
    }
    if odds(u, 1, 3)? {
        let member = one_of(u, &["code", "reply_type", "data", "code", "got"])?;
        let of = Json::integer(int(u, MOST)? as usize);
        build.set("mutate", Json::object([("of", of), ("member", member), ("value", value(u, 1, false)?)]));
    }
    if odds(u, 1, 3)? {
        wrap.set("arguments", Json::object([("trace_id", Json::text("t-1")), ("path", value(u, 1, false)?)]));
    }
    let last = count.checked_sub(1).filter(|_| !odds(u, 1, 4).unwrap_or(false));
    match last {
        Some(last) => wrap.set("return", Json::integer(if odds(u, 1, 4)? { int(u, MOST)? as usize } else { last })),
        None => wrap.set("throw", one_of(u, THROWN)?),
    }
    Ok((build, wrap))
}

fn call(u: &mut Unstructured<'_>) -> Result<Json> {
    let (method, letter) = *pick(u, &METHODS)?;
    let name = if odds(u, 1, 12)? { *pick(u, OTHER_METHODS)? } else { method };
    let mut call = Json::object([("method", Json::text(name))]);
    match int(u, 9)? {
        0..=4 if letter == "S" => {}
        9 => {}
        8 => call.set("code", Json::text(&near(u, None)?)),
        _ => call.set("code", Json::text(&near(u, Some(letter))?)),
    }
    if odds(u, 1, 3)? {
        let data = Json::object([("a", value(u, 1, false)?)]);
        call.set("data", if odds(u, 1, 6)? { value(u, 1, false)? } else { data });
    }
    Ok(call)
}
