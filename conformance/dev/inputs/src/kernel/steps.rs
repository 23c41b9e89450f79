//! Calls that stand beside the index: events, artifacts, triplets by themselves, plans of capabilities.

use arbitrary::{Result, Unstructured};

use super::triplet::BANNED;
use super::{BAD_STEMS, turn};
use crate::pairs::draw::{int, odds, one_of, pick, text, value};
use crate::pairs::json::{Json, Text};

const LEVELS: &[&str] = &["INFO", "FAIL"];
const STAGES: &[&str] = &["base_shape", "relationship_vocabulary", "lsi", "promotion", "capability", "replay"];
const CODES: &[&str] = &["I_PROMOTION_PASS", "E_LSI_ORPHAN_REFERENCE", "E_TOMBSTONE_INVALID", "I_GATEKEEPER_PASS"];
const PLACES: &[&str] = &["", "/", "/a~1b/~0", "/links/a] b", "/a]", "/\u{301} [x", "/a\\n|\t"];
const KEYS: &[&str] = &["a", "B", "a-b", "a.b", "_", "10", "9", "Z"];
/// What ends a line, or the text, or begins an escape.
const AWKWARD: &[&str] =
    &["two\r\nlines", "a | b", "|", "\u{85}\u{2028}\u{2029}", "\\n\\", " ", "", "\u{1f600}\u{0}\"", "a=b c=d", "] ["];

/// An event, about one in four of which has one member that no line can hold.
pub(super) fn emit_event(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut event = Json::object([
        ("op", Json::text("emit_event")),
        ("level", one_of(u, LEVELS)?),
        ("stage", one_of(u, STAGES)?),
        ("code", one_of(u, CODES)?),
        ("location", one_of(u, PLACES)?),
        ("text", words(u)?),
    ]);
    let mut pairs = Json::Object(Vec::new());
    for _ in 0..int(u, 4)? {
        let value = if odds(u, 1, 2)? { words(u)? } else { held(u)? };
        pairs.set(pick(u, KEYS)?, value);
    }
    let wrong = odds(u, 1, 4)?;
    match if wrong { int(u, 6)? } else { 7 } {
        0 => event.set("level", one_of(u, &["info", "WARN", "", "INFO "])?),
        1 => event.set("stage", one_of(u, &["Lsi", "links", "", "base shape"])?),
        2 => event.set("code", one_of(u, &["E_LSI", "e_lsi_orphan_reference", "", "E_"])?),
        3 => event.set("location", one_of(u, &["a", "/~", "/~2", "/a] b/] c", "/a\u{2028}", "/a\n", "#/a"])?),
        4 => event.set("text", lone()),
        5 => pairs.set(pick(u, &["", "a b", "a=b", "\u{e9}", "a|b", "a/b~c", "a\n"])?, held(u)?),
        6 => {
            let banned = if odds(u, 1, 3)? { lone() } else { Json::token(*pick(u, BANNED)?) };
            let deep = Json::List(vec![Json::NULL, Json::object([("in", banned.clone())])]);
            pairs.set(pick(u, KEYS)?, if odds(u, 1, 2)? { banned } else { deep });
        }
        _ => {}
    }
    event.set("pairs", pairs);
    Ok(event)
}

fn words(u: &mut Unstructured<'_>) -> Result<Json> {
    if odds(u, 1, 2)? { one_of(u, AWKWARD) } else { Ok(Json::Text(text(u, false)?)) }
}

/// A value that has a canonical form.
fn held(u: &mut Unstructured<'_>) -> Result<Json> {
    if odds(u, 1, 3)? {
        let token = pick(u, &["0", "-1", "18446744073709551616", "null", "true", "false", "{}", "[]"])?;
        return Ok(Json::token(*token));
    }
    let inner = value(u, 2, false)?;
    Ok(Json::List(vec![inner, one_of(u, AWKWARD)?, Json::object([("b|", words(u)?), ("\u{2028}", Json::NULL)])]))
}

/// A text that UTF-8 cannot hold.
fn lone() -> Json {
    Json::Text(Text(vec![u32::from('a'), 0xDC00]))
}

/// Artifacts of a run, about one bundle in four of which has one thing that is refused.
pub(super) fn write_trace_artifacts(u: &mut Unstructured<'_>, run_id: Json) -> Result<Json> {
    let mut bundle = Json::Object(Vec::new());
    for _ in 0..int(u, 3)? {
        let content = if odds(u, 1, 3)? { value(u, 2, false)? } else { one_of(u, &["x", "x", "y"])? };
        bundle.set(
            pick(u, &["a", "a", "b", "a/b", "a%2Fb", ".", "..", "B", "10", "9", "\u{ff5e}", "\u{1f600}"])?,
            content,
        );
    }
    let mut step = Json::object([("op", Json::text("write_trace_artifacts")), ("run_id", run_id)]);
    if odds(u, 1, 4)? {
        match int(u, 3)? {
            0 => step.set("run_id", Json::text("")),
            1 => bundle.set("", Json::NULL),
            2 => bundle.set("index", Json::NULL),
            _ => {
                let banned = if odds(u, 1, 3)? { lone() } else { Json::token(*pick(u, BANNED)?) };
                bundle.set("b~/c", Json::List(vec![Json::NULL, banned]));
            }
        }
    }
    step.set("trace_bundle", bundle);
    Ok(step)
}

/// A plan for a role and a task, about one in four of which has one member of another type.
pub(super) fn resolve_capability(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut step = Json::object([
        ("op", Json::text("resolve_capability")),
        ("role", one_of(u, &["planner", "critic", ""])?),
        ("task", one_of(u, &["write", "read | all", "\u{1f600}"])?),
    ]);
    let mut context = Json::Object(Vec::new());
    if odds(u, 1, 2)? {
        context.set("capability_enforcement", Json::token(*pick(u, &["true", "false"])?));
    }
    if !odds(u, 1, 4)? {
        let mut permissions = Vec::new();
        for _ in 0..int(u, 5)? {
            permissions.push(one_of(u, &["fs.read", "fs.write", "a-b", "a.b", "B", "\u{ff5e}", "\u{1f600}"])?);
        }
        context.set("permissions", Json::List(permissions));
    }
    for name in ["policy_source", "policy_version", "subject"] {
        if odds(u, 1, 3)? {
            context.set(name, one_of(u, &["policy.json", "", "1"])?);
        }
    }
    if odds(u, 1, 4)? {
        let other = Json::token(*pick(u, &["1", "null", "{}", "[[]]", "[null]"])?);
        match int(u, 5)? {
            0 => step.remove("role"),
            1 => step.set("role", other),
            2 => step.set("task", other),
            3 => context.set("capability_enforcement", Json::text("false")),
            4 => context.set("permissions", Json::List(vec![Json::text("fs.read"), other])),
            _ => context.set(pick(u, &["policy_source", "policy_version", "permissions"])?, Json::token("7")),
        }
    }
    if !odds(u, 1, 6)? {
        step.set("context", context);
    }
    Ok(step)
}

/// A triplet that is taken through the stages alone, lawful or broken in a place or two.
pub(super) fn validate_triplet(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut step = turn::triplet(u, true)?;
    step.set("op", Json::text("validate_triplet"));
    match int(u, 9)? {
        0..=2 => step.remove("stem"),
        3 => step.set("stem", one_of(u, BAD_STEMS)?),
        4 => step.remove("body"),
        5 => step.remove("links"),
        6 => step.remove("manifest"),
        7 => {
            let banned = if odds(u, 1, 3)? { lone() } else { Json::token(*pick(u, BANNED)?) };
            let banned = if odds(u, 1, 2)? { Json::List(vec![banned.clone(), Json::NULL, banned]) } else { banned };
            let part = pick(u, &["body", "links", "manifest"])?;
            match step.member_mut(part) {
                Some(Json::Object(members)) => members.push((Text::from("a/b"), banned)),
                _ => step.set(part, banned),
            }
        }
        _ => {}
    }
    Ok(step)
}
