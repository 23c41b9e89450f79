//! Where a result carries its envelope.
//!
//! Spec: rulings RE-29, RE-36: the structured content is the envelope, or exactly one text block is. Whether a lawful
//! one is carried is decided by the laws of envelopes.

use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::reply::judgement::{Class, Judgement};
use crate::reply::model::equal::equal;
use crate::reply::model::tool_result::{Carried, Copy, Revision, structured};

pub(crate) const LAW: Law = Law::named("reply/envelope-carried");

/// The envelope of a result, and objections to how it is carried.
pub(crate) fn judge<'d>(
    result: NodeRef<'d>,
    revision: Revision,
    copies: &'d [Copy<'d>],
    at: &JsonPointer,
    found: &mut Judgement,
) -> Option<Carried<'d>> {
    let mut breach = |class, at: &JsonPointer, message: &str| {
        found.breach(LAW, class, at.clone(), message);
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
        breach(
            Class::Meaning,
            &place,
            "structuredContent is not an envelope: put the payload into the envelope's data",
        );
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
            for copy in copies.iter().filter(|copy| !equal(carried.envelope, copy.document.root())) {
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
        found.advise(LAW, place, text);
    }
    let first =
        copies.first().map(|copy| Carried { envelope: copy.document.root(), at: copy.at.clone(), wrapped: false });
    whole.or(first)
}
