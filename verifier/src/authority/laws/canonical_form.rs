//! authority/canonical-form: whatever is hashed has canonical bytes.
//!
//! Spec: Kernel Contract 0.1.0, 2.1 and 4.1; rulings AU-11 and AU-42 to AU-46. The bytes are those of
//! [`crate::canon::Profile::Authority`].

use crate::authority::breach::Flaw;
use crate::authority::model::record::{CanonicalRecord, Member};
use crate::canon::{CanonError, CanonRefusal, Canonicalizer, Profile, canonicalize};
use crate::finding::Finding;
use crate::json::{Dialect, JsonPointer, NodeRef, Reader};
use crate::law::Law;
use crate::rejection::Rejection;

pub(crate) const LAW: Law = Law::named("authority/canonical-form");

/// Canonical bytes of a member of a record.
pub(crate) fn member<'r>(record: CanonicalRecord<'r>, member: Member) -> Result<&'r [u8], Box<Flaw>> {
    record.member(member).map_err(|refusal| Flaw::new(finding(record.text(), refusal)))
}

/// Canonical bytes of some members of a record.
pub(crate) fn members<'r, const N: usize>(
    record: CanonicalRecord<'r>,
    names: [Member; N],
) -> Result<[&'r [u8]; N], Box<Flaw>> {
    let mut values: [&[u8]; N] = [&[]; N];
    for (slot, name) in values.iter_mut().zip(names) {
        *slot = member(record, name)?;
    }
    Ok(values)
}

/// A value of a record without canonical form; `text` is the record's, and the refusal's offset lies in it.
fn finding(text: &[u8], refusal: CanonRefusal) -> Finding {
    let inside: JsonPointer =
        Reader::new(text, &Dialect::AUTHORITY).map(|reader| reader.pointer_at(refusal.offset)).unwrap_or_default();
    let message = format!("{} has no canonical form: {}", refusal.kind, refusal.kind.help());
    Finding::error(LAW, inside, message)
}

/// Canonical bytes of the payload of a record that is to be appended, from its JSON text.
pub(crate) fn given(payload: &[u8]) -> Result<Vec<u8>, Rejection> {
    canonicalize(Profile::Authority, payload).map(|bytes| bytes.as_slice().to_vec()).map_err(|error| match error {
        CanonError::Json(error) => Rejection::Json(error),
        refused => Rejection::Value(JsonPointer::root(), refused.to_string()),
    })
}

/// Canonical bytes of the payload of a node.
pub(crate) fn payload(canonicalizer: &mut Canonicalizer, payload: NodeRef<'_>) -> Result<Vec<u8>, Law> {
    let mut canonical = Vec::new();
    match canonicalizer.append_node(payload, &mut canonical) {
        Ok(None) => Ok(canonical),
        Ok(Some(_)) | Err(_) => Err(LAW),
    }
}

/// The text of a kind, which is hashed and so holds no lone surrogate.
pub(crate) fn kind(kind: NodeRef<'_>) -> Result<String, Law> {
    let text = kind.as_string();
    text.as_ref().and_then(|text| text.to_str()).map(str::to_owned).ok_or(LAW)
}
