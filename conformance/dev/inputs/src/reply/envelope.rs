//! Envelopes, with members that are missing, ill-typed or against each other. First choices are lawful ones, for bytes that
//! run out.

use arbitrary::{Result, Unstructured};

use super::codes::{KINDS, near};
use super::spoiled;
use crate::pairs::draw::{index, odds, one_of, pick, value};
use crate::pairs::json::Json;
use crate::spoil::awkward;

const NAMES: [(&str, &str); 4] = [("S", "success"), ("I", "invalid"), ("D", "denied"), ("E", "error")];
const OTHER_TYPES: &[&str] = &["s", "X", "", "SE", "S ", "W", "success", "\u{405}"];
const STATUSES: &[&str] = &[
    "error",
    "success",
    "invalid",
    "denied",
    "Success",
    "ERROR",
    "warning",
    "WARN",
    "partial_success",
    "soft_error",
    "Info",
    "rejected",
    "",
];
const BESIDE: &[&str] =
    &["warnings", "info", "partial", "warn", "soft_error", "Warning", "message", "details", "a/b~c"];
/// Durations, the lawful ones first.
const DURATIONS: &[&str] =
    &["12", "0", "0.5", "1e3", "-0", "-0.0", "100000000000000000000", "-1", "-0.5", "true", "null"];

/// An envelope, which need not be an object.
pub(super) fn envelope(u: &mut Unstructured<'_>) -> Result<Json> {
    let kind = *pick(u, KINDS)?;
    let (_, name) = NAMES.iter().find(|(letter, _)| *letter == kind).unwrap_or(&("E", "error"));
    let status = if odds(u, 1, 5)? { one_of(u, STATUSES)? } else { Json::text(name) };
    let letter = if odds(u, 1, 12)? { one_of(u, OTHER_TYPES)? } else { Json::text(kind) };
    let error = error(u, kind)?;
    let mut envelope = Json::object([
        ("status", status),
        ("reply_type", letter),
        ("data", data(u)?),
        ("meta", meta(u)?),
        ("error", error.clone()),
    ]);
    if odds(u, 1, 4)? {
        // The very code of the error, or another one.
        let same = error.member("code").filter(|_| kind != "S").cloned();
        let code = match same {
            Some(code) if !odds(u, 1, 3)? => code,
            _ if odds(u, 1, 4)? => awkward(u)?,
            _ => Json::text(&near(u, Some(kind))?),
        };
        envelope.set("code", code);
    }
    if odds(u, 1, 8)? {
        envelope.set(pick(u, BESIDE)?, value(u, 1, false)?);
    }
    change(u, &mut envelope)?;
    spoiled(u, &mut envelope, 8)?;
    Ok(envelope)
}

/// Takes a member away, or puts another value in its place.
fn change(u: &mut Unstructured<'_>, envelope: &mut Json) -> Result<()> {
    if odds(u, 1, 6)? {
        let name = pick(u, &["status", "reply_type", "data", "meta", "error"])?;
        if odds(u, 1, 2)? { envelope.remove(name) } else { envelope.set(name, awkward(u)?) }
    }
    if odds(u, 1, 40)? {
        *envelope = awkward(u)?;
    }
    Ok(())
}

/// Null beside a success, and an object with its code beside anything else.
fn error(u: &mut Unstructured<'_>, kind: &str) -> Result<Json> {
    let crossed = odds(u, 1, 12)?;
    if (kind == "S") != crossed {
        return Ok(Json::NULL);
    }
    // The code of another type, now and then.
    let of = if odds(u, 1, 10)? { None } else { Some(kind) };
    let mut error = Json::object([("code", Json::text(&near(u, of)?))]);
    if odds(u, 1, 3)? {
        error.set("message", one_of(u, &["no such module", "", "\u{1f600}"])?);
    }
    if odds(u, 1, 12)? {
        error.set("code", awkward(u)?);
    }
    if odds(u, 1, 20)? {
        error.remove("code");
    }
    Ok(error)
}

/// Free content, whose names may be those of an envelope.
fn data(u: &mut Unstructured<'_>) -> Result<Json> {
    Ok(match index(u, 6)? {
        Some(3) => Json::NULL,
        Some(4) => Json::object([("status", Json::text("warning")), ("error", value(u, 1, false)?)]),
        Some(5) => value(u, 2, false)?,
        _ => Json::Object(Vec::new()),
    })
}

fn meta(u: &mut Unstructured<'_>) -> Result<Json> {
    let trace_id = if odds(u, 1, 12)? { awkward(u)? } else { one_of(u, &["req-123", "\u{1f600}", " ", "0"])? };
    let duration = if odds(u, 1, 3)? { Json::token(*pick(u, DURATIONS)?) } else { Json::token("12") };
    let mut meta = Json::object([("trace_id", trace_id), ("duration_ms", duration)]);
    if odds(u, 1, 12)? {
        meta.remove(pick(u, &["trace_id", "duration_ms"])?);
    }
    if odds(u, 1, 30)? {
        meta = Json::Object(Vec::new());
    }
    Ok(meta)
}
