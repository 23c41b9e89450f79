//! Where a result carries its envelope.
//!
//! Spec: rulings RE-29, RE-36: the structured content is the envelope, or exactly one text block is. A value is
//! an envelope here if it is an object with `reply_type`; whether a lawful one is the envelope laws' business.

mod equal;

use super::gap_not_semantic::Class;
use super::judgement::Judgement;
use super::result_sound::Revision;
use super::text::{self, Text};
use crate::json::{Document, JsonPointer, NodeRef};
use crate::law::Law;

/// A text block that parses as an envelope.
pub(super) struct Copy<'d> {
    at: JsonPointer,
    document: Document<'d>,
}

/// The text of every text block of a result.
pub(super) fn blocks<'d>(result: NodeRef<'d>, at: &JsonPointer) -> Vec<(JsonPointer, Text<'d>)> {
    let content = at.member("content");
    let elements = result.get("content").into_iter().flat_map(NodeRef::elements).enumerate();
    let texts = elements.filter_map(|(index, block)| {
        let kind = block.get("type").and_then(NodeRef::as_string)?;
        let text = block.get("text").filter(|_| kind == "text").and_then(NodeRef::as_string)?;
        Some((content.index(index).member("text"), text.into_bytes()))
    });
    texts.collect()
}

/// The blocks that are envelopes.
pub(super) fn copies<'b>(blocks: &'b [(JsonPointer, Text<'_>)]) -> Vec<Copy<'b>> {
    let parsed = blocks.iter().filter_map(|(at, text)| Some(Copy { at: at.clone(), document: text::read(text).ok()? }));
    parsed.filter(|copy| is_envelope(copy.document.root())).collect()
}

/// An envelope that was found, and whether it stands inside a member `result`.
pub(super) struct Carried<'d> {
    pub(super) envelope: NodeRef<'d>,
    pub(super) at: JsonPointer,
    pub(super) wrapped: bool,
}

/// The envelope of the structured content, if it is one.
pub(super) fn structured<'d>(content: NodeRef<'d>, at: &JsonPointer) -> Option<Carried<'d>> {
    if is_envelope(content) {
        return Some(Carried { envelope: content, at: at.clone(), wrapped: false });
    }
    let mut members = content.members();
    let (name, inner) = members.next()?;
    let alone = members.next().is_none() && name.decode() == "result" && is_envelope(inner);
    alone.then(|| Carried { envelope: inner, at: at.member("result"), wrapped: true })
}

/// Whether an envelope stands anywhere in a result.
pub(super) fn is_found(result: NodeRef<'_>) -> bool {
    let at = JsonPointer::root();
    let structured = result.get("structuredContent").and_then(|content| structured(content, &at));
    structured.is_some() || !copies(&blocks(result, &at)).is_empty()
}

/// The envelope of a result, and objections to how it is carried.
pub(super) fn judge<'d>(
    result: NodeRef<'d>,
    revision: Revision,
    copies: &'d [Copy<'d>],
    at: &JsonPointer,
    found: &mut Judgement,
) -> Option<Carried<'d>> {
    let mut breach = |class, at: &JsonPointer, message: &str| {
        found.breach(Law::ReplyEnvelopeCarried, class, at.clone(), message);
    };
    let place = at.member("structuredContent");
    let content = result.get("structuredContent");
    let whole = content.and_then(|content| structured(content, &place));
    if content.is_some() && !revision.has_structured_content() {
        breach(
            Class::Meaning,
            &place,
            "this revision of the protocol has no structuredContent: carry the envelope as text",
        );
    } else if content.is_some() && whole.is_none() {
        breach(Class::Meaning, &place, "structuredContent is no envelope: put the payload into the envelope's data");
    }
    match (&whole, copies) {
        (None, []) if content.is_none() => {
            breach(Class::Gap, at, "no envelope: carry one as structuredContent, or as one text block");
        }
        (None, [_, others @ ..]) => {
            for other in others {
                breach(Class::Meaning, &other.at, "a second text block is an envelope: keep one");
            }
        }
        (Some(carried), copies) => {
            for copy in copies.iter().filter(|copy| !equal::equal(carried.envelope, copy.document.root())) {
                breach(
                    Class::Meaning,
                    &copy.at,
                    "the text is another envelope than structuredContent: serialize that one",
                );
            }
        }
        (None, []) => {}
    }
    if whole.as_ref().is_some_and(|carried| carried.wrapped) {
        let text = "the envelope stands inside a member result: carry it as it is";
        found.advise(Law::ReplyEnvelopeCarried, place, text);
    }
    let first =
        copies.first().map(|copy| Carried { envelope: copy.document.root(), at: copy.at.clone(), wrapped: false });
    whole.or(first)
}

fn is_envelope(value: NodeRef<'_>) -> bool {
    value.get("reply_type").is_some()
}
