//! Writing an event line.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 2.2, `emit_event`; ruling KE-54. What ends a line somewhere, or the text, is
//! written as an escape, so that a line that was written can be taken apart again.

use super::{LINE_ENDS, without};
use crate::canon::{Profile, canonicalize};
use crate::json::{JsonPointer, JsonStr, Kind, NodeRef};
use crate::kernel::laws::code_registry;
use crate::kernel::laws::path_safety::refusal;
use crate::kernel::model::issue::{Issue, Issues, Level, Stage};
use crate::kernel::model::member::{Misfit, Object};

/// The line of an event; or an issue for each member that no line can hold.
///
/// # Errors
/// If a member is missing or of another type, which no step judges.
pub(crate) fn emit(event: &Object<'_>) -> Result<Result<String, Issues>, Misfit> {
    let mut wrong = Vec::new();
    let mut fit = |member: &str, fits: fn(&str) -> bool| -> Result<String, Misfit> {
        let given = event.string(member)?;
        let text = given.to_str().filter(|text| fits(text));
        if text.is_none() {
            wrong.push(refusal(JsonPointer::root().member(member)));
        }
        Ok(text.unwrap_or_default().to_owned())
    };
    let level = fit("level", |level| [Level::Info, Level::Fail].iter().any(|known| known.name() == level))?;
    let stage = fit("stage", |stage| Stage::ALL.iter().any(|known| known.name() == stage))?;
    let code = fit("code", |code| code_registry::origin(code).is_some())?;
    let location = fit("location", is_location)?;
    let text = fit("text", |_| true)?;
    let pairs = pairs(event.object("pairs")?, &mut wrong);
    Ok(if wrong.is_empty() {
        let text = escaped(&text);
        Ok(format!("[{level}] [STAGE:{stage}] [CODE:{code}] [LOC:{location}] {text} | {pairs}"))
    } else {
        Err(Issues::sorted(wrong))
    })
}

/// Whether a text is a JSON Pointer that a line can hold.
fn is_location(text: &str) -> bool {
    let mut escapes = text.split('~').skip(1);
    (text.is_empty() || text.starts_with('/'))
        && escapes.all(|rest| rest.starts_with(['0', '1']))
        && !text.contains("] ")
        && !text.contains(LINE_ENDS)
}

/// The pairs of an event in the order of their keys, and an issue for each that has no place in a line.
fn pairs(pairs: NodeRef<'_>, wrong: &mut Vec<Issue>) -> String {
    let mut written = Vec::new();
    for (name, value) in pairs.members() {
        let key = name.decode();
        match (key.to_str().filter(|key| is_key(key)), self::value(value)) {
            (Some(key), Some(value)) => written.push((key.to_owned(), value)),
            _ => wrong.push(refusal(JsonPointer::root().member("pairs").member(&key.to_text_lossy()))),
        }
    }
    written.sort();
    let written: Vec<_> = written.iter().map(|(key, value)| format!("{key}={value}")).collect();
    written.join(" ")
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// A value as it stands after its key; none for one without canonical form.
fn value(value: NodeRef<'_>) -> Option<String> {
    let canonical = || {
        let bytes = canonicalize(Profile::Sovereign, value.raw()).ok()?;
        String::from_utf8(bytes.as_slice().to_vec()).ok()
    };
    match value.kind() {
        Kind::String => value.as_string().as_ref().and_then(JsonStr::to_str).map(escaped),
        Kind::Array | Kind::Object => canonical().map(|text| without(&text, &['\u{85}', '\u{2028}', '\u{2029}', '|'])),
        Kind::Null | Kind::True | Kind::False | Kind::Number => canonical(),
    }
}

/// A text in which nothing ends a line or the text before the bar; a backslash in it is written as two.
fn escaped(text: &str) -> String {
    without(&text.replace('\\', r"\\"), &['\r', '\n', '\u{85}', '\u{2028}', '\u{2029}', '|'])
}
