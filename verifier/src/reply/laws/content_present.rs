//! A result has content, whatever else it has.
//!
//! Spec: Model Context Protocol, schema of `CallToolResult`; ruling RE-36.

use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::reply::judgement::{Class, Judgement};
use crate::reply::model::tool_result::Copy;

pub(crate) const LAW: Law = Law::named("reply/content-present");

/// A client that knows no structured content sees the text alone.
pub(crate) fn advise(copies: &[Copy<'_>], at: &JsonPointer, found: &mut Judgement) {
    if copies.is_empty() {
        let text = "no text block holds the serialized envelope: add one for clients that read text alone";
        found.advise(LAW, at.member("content"), text);
    }
}

pub(crate) fn judge(content: Option<NodeRef<'_>>, at: &JsonPointer, found: &mut Judgement) {
    if !content.is_some_and(NodeRef::is_array) {
        let message = "content is due, as an array: typed kits fill it in, so that only the bytes show it";
        found.breach(LAW, Class::of(content), at.member("content"), message);
    }
}
