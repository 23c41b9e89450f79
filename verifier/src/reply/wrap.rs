//! What the reference wrapper makes of a tool that follows a script.
//!
//! Spec: Canonical Reply System Architecture (Final), 8 and 11; ruling RE-40.

use std::cell::Cell;

use super::build::{Play, codes};
use super::builder::{Crash, Reply, ReplyBuilder};
use super::laws::trace_distinct::Ids;
use super::model::script::{End, Script};
use super::model::text;
use super::wrapper::{Envelope, Wrapper};
use crate::json::JsonPointer;
use crate::rejection::Rejection;

/// Runs the tool of a script twice inside one wrapper. No clock and no chance is at hand where this is asked, so that the wrapper gets
/// a clock that goes on with each call of the tool, and ids that follow from the script.
///
/// # Errors
/// If the document is not JSON, exceeds a limit, or has another shape.
pub fn wrap(script: &[u8]) -> Result<[Envelope; 2], Rejection> {
    let document = text::read(script)?;
    let mut ids = Ids::of(script);
    let (script, end) = Script::for_wrapper(document.root(), &JsonPointer::root())?;
    let time = Cell::new(0_u64);
    let mut wrapper = Wrapper::new(|| ids.next_id(), || time.get());
    if let Some(codes) = codes(&script) {
        wrapper = wrapper.held_to(codes);
    }
    let mut run = || wrapper.run(|builder| tool(builder, &script, &end, &time));
    Ok([run(), run()])
}

/// A tool: it makes the calls and catches nothing, then it returns or throws.
fn tool(builder: ReplyBuilder, script: &Script<'_>, end: &End, time: &Cell<u64>) -> Result<Reply, Crash> {
    let mut play = Play::of(builder);
    let mut replies = Vec::new();
    for call in &script.calls {
        time.set(time.get().saturating_add(1));
        replies.push(play.call(call).ok_or(Crash)?);
    }
    match end {
        End::Return(of) => replies.into_iter().nth(*of).ok_or(Crash),
        End::Throw => Err(Crash),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::ReplyType;
    use crate::reply::envelope;

    fn wrapped(script: &str) -> [Envelope; 2] {
        let envelopes = wrap(script.as_bytes()).expect("in the domain");
        for one in &envelopes {
            assert!(envelope(one.to_json().as_bytes()).expect("a JSON text").is_lawful(), "{}", one.to_json());
        }
        envelopes
    }

    #[test]
    fn the_returned_reply_is_wrapped_and_every_other_end_is_an_error() {
        let told = |calls: &str, end: &str| {
            let [one, other] = wrapped(&format!(r#"{{"calls": [{calls}], {end}}}"#));
            assert_eq!(one.reply(), other.reply());
            assert_ne!(one, other);
            (one.reply().kind(), one.reply().data().len())
        };
        let success = r#"{"method": "success", "data": {"a": 1}}"#;
        let denied = r#"{"method": "denied", "code": "EN-RES-D-001"}"#;
        assert_eq!(told(success, r#""return": 0"#), (ReplyType::S, 1));
        assert_eq!(told(&format!("{success}, {denied}"), r#""return": 0"#), (ReplyType::S, 1));
        assert_eq!(told(&format!("{success}, {denied}"), r#""return": 1"#), (ReplyType::D, 0));
        assert_eq!(told(&format!("{denied}, {success}"), r#""return": 0"#), (ReplyType::E, 0));
        assert_eq!(told(denied, r#""throw": "denied""#), (ReplyType::E, 0));
        assert_eq!(told("", r#""throw": """#), (ReplyType::E, 0));
    }

    #[test]
    fn a_tool_has_one_end() {
        for end in [
            r#""calls": []"#,
            r#""calls": [], "return": 0"#,
            r#""calls": [{"method": "success"}], "return": 0, "throw": "x""#,
            r#""calls": [{"method": "success"}], "return": -1"#,
            r#""calls": [], "throw": 7"#,
            r#""calls": [], "throw": "x", "arguments": []"#,
        ] {
            assert!(matches!(wrap(format!("{{{end}}}").as_bytes()), Err(Rejection::Input(_))), "{end}");
        }
    }
}
