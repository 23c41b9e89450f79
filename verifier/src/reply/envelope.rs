//! The order of judgement on one envelope, from its exact bytes.
//!
//! Spec: Canonical Reply System Architecture (Final), 8. Status, type and error tell the outcome; pairs are checked.

use super::code;
use super::judgement::Judgement;
use super::laws::area_registered::Areas;
use super::laws::{
    code_shape, envelope_members, error_agrees, no_auxiliary_outcome, status_agrees, type_agrees, type_closed,
};
use super::model::reply_type::ReplyType;
use super::model::text;
use crate::json::{JsonPointer, NodeRef};
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
        type_agrees::judge_named(kind, said, of, || place, found);
    }
    if let Some(top) = envelope.get("code") {
        top_level(top, kind, named.as_deref(), &at.member("code"), found);
    }
    kind
}

/// A code beside the other members, which the printed envelope lacks (ruling RE-1).
fn top_level(top: NodeRef<'_>, kind: Option<ReplyType>, named: Option<&[u8]>, at: &JsonPointer, found: &mut Judgement) {
    if kind == Some(ReplyType::S) {
        if let Some(text) = code_shape::judge_string(top, at, found) {
            let of = code::judge(text.as_bytes(), &Areas::default(), || at.clone(), found);
            type_agrees::judge(ReplyType::S, of, || at.clone(), found);
        }
    } else if let Some(named) = named {
        type_agrees::judge_beside(top, named, at, found);
    }
}
