//! What the reference builder makes of a script.
//!
//! Spec: Canonical Reply System Architecture (Final), 7, 9 and 10; rulings RE-38, RE-39.

use std::sync::Arc;

use super::builder::{Codes, Reply, ReplyBuilder};
use super::model::data;
use super::model::member::misfit;
use super::model::reply_type::ReplyType;
use super::model::script::{Call, Script};
use super::model::text;
use crate::json::JsonPointer;
use crate::rejection::Rejection;

/// What came of the calls of a script.
#[derive(Debug, PartialEq)]
pub struct Built {
    /// For each call its reply; none where it raised.
    pub replies: Vec<Option<Reply>>,
    /// Whether the reply that the script asks for could be changed; none where it asks for none.
    pub mutated: Option<bool>,
}

/// Makes the calls of a script on one builder, going on after one that raises.
///
/// # Errors
/// If the document is not JSON, exceeds a limit, or has another shape.
pub fn build(script: &[u8]) -> Result<Built, Rejection> {
    let (document, root) = (text::read(script)?, JsonPointer::root());
    let (script, mutate) = Script::for_builder(document.root(), &root)?;
    let mut play = Play::of(codes(&script).map_or_else(ReplyBuilder::new, ReplyBuilder::held_to));
    let replies: Vec<Option<Reply>> = script.calls.iter().map(|call| play.call(call)).collect();
    let mutated = match mutate {
        None => None,
        // A reply has no member that whoever holds it could assign to, so that there is no attempt that this language can express.
        Some(of) if replies.get(of).is_some_and(Option::is_some) => Some(false),
        Some(_) => return Err(misfit(&root.member("mutate").member("of"), "a call that gave a reply")),
    };
    Ok(Built { replies, mutated })
}

/// The codes of the registry of a script.
pub(super) fn codes(script: &Script<'_>) -> Option<Arc<Codes>> {
    script.registry.as_ref().map(|registries| Arc::new(Codes::of(registries)))
}

/// The builder of one invocation, until it is frozen.
pub(super) struct Play(Option<ReplyBuilder>);

impl Play {
    pub(super) fn of(builder: ReplyBuilder) -> Self {
        Self(Some(builder))
    }

    /// Makes a call, which gives a reply or raises. What the builder's types forbid raises here: a call after a terminal reply, which took
    /// the builder with it, and another method, a missing code or other data than the methods take.
    pub(super) fn call(&mut self, call: &Call<'_>) -> Option<Reply> {
        let builder = self.0.take()?;
        let (kind, data) = (ReplyType::from_name(&call.method), data::stated(call.data));
        let code = call.code.as_deref().map(std::str::from_utf8);
        let terminal = match (kind, data, code) {
            (Some(ReplyType::I), Some(data), Some(Ok(code))) => builder.invalid(code, data),
            (Some(ReplyType::D), Some(data), Some(Ok(code))) => builder.denied(code, data),
            (Some(ReplyType::E), Some(data), Some(Ok(code))) => builder.error(code, data),
            (kind, data, code) => {
                let reply = match (kind, data, code) {
                    (Some(ReplyType::S), Some(data), None) => Some(builder.success(data)),
                    (Some(ReplyType::S), Some(data), Some(Ok(code))) => builder.success_as(code, data).ok(),
                    _ => None,
                };
                self.0 = Some(builder);
                return reply;
            }
        };
        match terminal {
            Ok(reply) => Some(reply),
            Err(refused) => {
                self.0 = Some(refused.builder);
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Types and codes of the replies; `-` where a call raised.
    fn built(calls: &str) -> Vec<String> {
        let built = build(format!(r#"{{"calls": [{calls}]}}"#).as_bytes()).expect("in the domain");
        let told = |reply: Option<Reply>| reply.map_or("-".to_owned(), |reply| reply.code().to_owned());
        built.replies.into_iter().map(told).collect()
    }

    #[test]
    fn a_terminal_reply_freezes_and_a_call_that_raises_does_not() {
        assert_eq!(
            built(
                r#"{"method": "success"}, {"method": "invalid", "code": "EN-RES-I-001"},
                   {"method": "denied", "code": "EN-RES-D-001", "data": []},
                   {"method": "denied", "code": "EN-RES-D-001"}, {"method": "success"}, {"method": "denied", "code": "EN-RES-D-001"}"#
            ),
            ["MCP-SYS-S-001", "-", "-", "EN-RES-D-001", "-", "-"]
        );
    }

    #[test]
    fn what_the_language_cannot_express_raises() {
        assert_eq!(built(r#"{"method": "warn"}, {"method": "error"}, {"method": "ok"}"#), ["-", "-", "-"]);
        assert_eq!(built(r#"{"method": "success", "data": {"a": "\ud800"}}"#), ["-"]);
        assert_eq!(built(r#"{"method": "success", "data": {"\ud800": 1}}"#), ["-"]);
        assert_eq!(built(r#"{"method": "error", "code": "MCP-SYS-E-00\ud800"}"#), ["-"]);
    }

    #[test]
    fn only_a_reply_can_be_changed() {
        let asked = |of: usize| {
            build(
                format!(
                    r#"{{"calls": [{{"method": "warn"}}, {{"method": "success"}}], "mutate": {{"of": {of}, "member": "code"}}}}"#
                )
                .as_bytes(),
            )
        };
        assert_eq!(asked(1).expect("in the domain").mutated, Some(false));
        assert!(matches!(asked(0), Err(Rejection::Input(_))));
        assert!(matches!(asked(2), Err(Rejection::Input(_))));
    }
}
