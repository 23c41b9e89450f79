//! A result has content, whatever else it has.
//!
//! Spec: Model Context Protocol, schema of `CallToolResult`; ruling RE-36.

use super::gap_not_semantic::Class;
use super::judgement::Judgement;
use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;

/// A client that knows no structured content sees the text alone.
pub(super) fn advise(at: &JsonPointer, found: &mut Judgement) {
    let text = "no text block holds the serialized envelope: add one for clients that read text alone";
    found.advise(Law::ReplyContentPresent, at.member("content"), text);
}

pub(super) fn judge(content: Option<NodeRef<'_>>, at: &JsonPointer, found: &mut Judgement) {
    if !content.is_some_and(NodeRef::is_array) {
        let message = "content is due, as an array: typed kits fill it in, so that only the bytes show it";
        found.breach(Law::ReplyContentPresent, Class::of(content), at.member("content"), message);
    }
}
