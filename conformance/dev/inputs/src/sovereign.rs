//! Makes tool attempts for the recorder, about one list in four of them with something wrong in one place.

use arbitrary::{Result, Unstructured};

use crate::pairs::damage::Damage;
use crate::pairs::draw::{digest_like, int, odds, one_of, pick, text};
use crate::pairs::emit::{Style, emit};
use crate::pairs::json::Json;
use crate::spoil::spoil;

const TOOLS: &[&str] = &["fs", "net", "", "e\u{301}", "\u{1f600}", "a\"b\\c/d", "\0\n\u{7f}"];
const ACTIONS: &[&str] = &["write", "read", "", "\u{ff61}"];
const CONDITIONS: &[&str] = &["E_PERMISSION_DENIED", "E_CAPABILITY_DENIED", "E_SIDE_EFFECT_UNDECLARED"];
const ODD_CONDITIONS: &[&str] = &["E_CAPABILITY_NOT_RESOLVED", "E_OTHER", "e_permission_denied", ""];
const REASONS: &[&str] = &["policy_disabled", "module_missing", "enforcement_off"];

/// A list of attempts.
///
/// # Errors
/// Those of [`Unstructured`].
pub fn attempts(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let mut attempts = Vec::new();
    for _ in 0..*pick(u, &[1, 0, 1, 2, 3, 4, 12])? {
        attempts.push(attempt(u)?);
    }
    let mut attempts = Json::List(attempts);
    if odds(u, 1, 6)? {
        spoil(u, &mut attempts)?;
    }
    let mut octets = emit(&attempts, &Style::draw(u)?);
    if odds(u, 1, 24)? {
        Damage::draw(u)?.apply(u, &mut octets)?;
    }
    Ok(octets)
}

fn attempt(u: &mut Unstructured<'_>) -> Result<Json> {
    let outcome = int(u, 5)?;
    let mut conditions = Vec::new();
    // First choices are those of an attempt that is allowed.
    for _ in 0..if outcome < 2 { 0 } else { int(u, 3)? } {
        conditions.push(one_of(u, CONDITIONS)?);
    }
    if odds(u, 1, 40)? {
        conditions.push(one_of(u, ODD_CONDITIONS)?);
    }
    let mut attempt = Json::object([
        ("tool_name", one_of(u, TOOLS)?),
        ("action", one_of(u, ACTIONS)?),
        ("conditions", Json::List(conditions)),
    ]);
    for (name, likely) in [("skipped", outcome == 4), ("resolved", outcome != 5)] {
        if likely != (name == "resolved") || odds(u, 1, 4)? {
            attempt.set(name, Json::token(if likely { "true" } else { "false" }));
        }
    }
    if odds(u, if outcome == 4 { 3 } else { 1 }, 4)? {
        attempt.set("reason", if odds(u, 1, 4)? { Json::NULL } else { one_of(u, REASONS)? });
    }
    if outcome < 2 || odds(u, 1, 4)? {
        let value = if odds(u, 1, 16)? { Json::NULL } else { provenance(u)? };
        attempt.set("provenance", value);
    }
    if odds(u, 1, 24)? {
        attempt.set("note", Json::text("m"));
    }
    Ok(attempt)
}

fn provenance(u: &mut Unstructured<'_>) -> Result<Json> {
    let wild = odds(u, 1, 40)?;
    let digest = if odds(u, 1, 16)? { digest_like(u)? } else { Json::text(&pick(u, &["0", "a"])?.repeat(64)) };
    Ok(Json::object([
        ("policy_source", Json::Text(text(u, wild)?)),
        ("policy_digest", digest),
        ("rule_id", Json::Text(text(u, false)?)),
    ]))
}
