//! One envelope, from its exact bytes.
//!
//! Spec: Canonical Reply System Architecture (Final), 8. Status, type and error tell the outcome; pairs are checked.

use super::area_registered::Areas;
use super::judgement::Judgement;
use super::type_closed::{self, ReplyType};
use super::{code, code_shape, envelope_members, error_agrees, no_auxiliary_outcome, status_agrees, text, type_agrees};
use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;

/// Judges one envelope.
///
/// # Errors
/// If the text is not one JSON text with unique names and finite numbers, or exceeds a limit.
pub fn envelope(bytes: &[u8]) -> Result<Judgement, Rejection> {
    let document = text::read(bytes)?;
    let mut found = Judgement::default();
    judge(document.root(), &JsonPointer::root(), &mut found);
    Ok(found.settled())
}

/// Judges an envelope at a place of a document, and gives its type where it has one.
pub(super) fn judge(envelope: NodeRef<'_>, at: &JsonPointer, found: &mut Judgement) -> Option<ReplyType> {
    let outcome = envelope_members::judge(envelope, at, found)?;
    let status = outcome.status.as_deref();
    no_auxiliary_outcome::judge(envelope, status, at, found);
    let kind = outcome.kind.and_then(|kind| type_closed::judge(&kind, || at.member("reply_type"), found));
    if let (Some(kind), Some(status)) = (kind, status) {
        status_agrees::judge(kind, status, || at.member("status"), found);
    }
    // Without a type, the status is what the error has to agree with.
    let said = status.and_then(ReplyType::from_name);
    let place = at.member("error");
    let named = outcome.error.and_then(|error| error_agrees::judge(kind.or(said), error, &place, found));
    if let Some(named) = &named {
        let place = place.member("code");
        let of = code::judge(named, &Areas::default(), || place.clone(), found);
        let tolerated = kind.is_none() && said.zip(of).is_some_and(|(said, of)| status_agrees::is_two_valued(said, of));
        if let Some(due) = kind.or(said).filter(|_| !tolerated) {
            type_agrees::judge(due, of, || place, found);
        }
    }
    if let Some(top) = envelope.get("code") {
        top_level(top, kind, named.as_deref(), &at.member("code"), found);
    }
    kind
}

/// A code beside the other members, which the printed envelope lacks (ruling RE-1).
fn top_level(top: NodeRef<'_>, kind: Option<ReplyType>, named: Option<&[u8]>, at: &JsonPointer, found: &mut Judgement) {
    let text = top.as_string();
    match (kind, named) {
        (Some(ReplyType::S), _) => match text {
            Some(text) => {
                let of = code::judge(text.as_bytes(), &Areas::default(), || at.clone(), found);
                type_agrees::judge(ReplyType::S, of, || at.clone(), found);
            }
            None => found.meaning(Law::ReplyCodeShape, at.clone(), code_shape::NO_STRING),
        },
        (_, Some(named)) if text.is_none_or(|text| text.as_bytes() != named) => {
            found.meaning(Law::ReplyTypeAgrees, at.clone(), "another code than the one in error: leave one out");
        }
        _ => {}
    }
}
