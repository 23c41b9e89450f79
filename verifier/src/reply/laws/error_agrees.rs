//! The member `error`: null for S, otherwise an object that holds the code of the reply.
//!
//! Spec: Canonical Reply System Architecture (Final), 8; rulings RE-1, RE-5.

use crate::json::{JsonPointer, Kind, NodeRef};
use crate::law::Law;
use crate::reply::judgement::{Class, Judgement};
use crate::reply::model::reply_type::ReplyType;
use crate::reply::model::text::Text;

pub(crate) const LAW: Law = Law::named("reply/error-agrees");

/// Objects to an error that contradicts the type, and gives the text of the code of one that does not.
pub(crate) fn judge<'d>(
    kind: Option<ReplyType>,
    error: NodeRef<'d>,
    at: &JsonPointer,
    found: &mut Judgement,
) -> Option<Text<'d>> {
    let mut breach = |class, at: JsonPointer, message: &str| found.breach(LAW, class, at, message);
    match (error.kind(), kind) {
        (Kind::Null, Some(ReplyType::S) | None) => None,
        (Kind::Null, Some(_)) => {
            breach(Class::Meaning, at.clone(), "null beside a type other than S: write an object with the code");
            None
        }
        (Kind::Object, Some(ReplyType::S)) => {
            breach(Class::Meaning, at.clone(), "an error beside type S: write null");
            None
        }
        (Kind::Object, _) => {
            let code = error.get("code");
            let text = code.and_then(NodeRef::as_string);
            if text.is_none() {
                breach(Class::of(code), at.member("code"), "the code of the reply is due, as a string");
            }
            text.map(|text| text.into_bytes())
        }
        _ => {
            breach(Class::Form, at.clone(), "neither null nor an object");
            None
        }
    }
}
