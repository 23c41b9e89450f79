//! The published derivation of a decision's id.
//!
//! Spec: ruling SV-6 (profile `decision-id/published`): the digest of the canonical record without `decision_id`,
//! nullable members present as null.

use super::float_ban::{self, Found};
use super::{InputError, Rejection};
use crate::canon::{Canonicalizer, Rules};
use crate::digest::Digest;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};

/// The twelve members in canonical order, and whether an absent one counts as null.
const MEMBERS: [(&str, bool); 12] = [
    ("action", false),
    ("contract_version", false),
    ("deny_code", true),
    ("info_code", true),
    ("ordinal", false),
    ("outcome", false),
    ("provenance", true),
    ("reason", true),
    ("run_id", false),
    ("stage", false),
    ("tool_name", false),
    ("turn_id", false),
];

/// Derives the id of a decision record.
///
/// # Errors
/// If the record is not JSON, is no object, lacks a member that cannot be null, or has no canonical form.
pub fn decision_id(record: &[u8]) -> Result<Digest, Rejection> {
    let document = Document::parse(record, &Dialect::LAW)?;
    derive(document.root())
}

/// [`decision_id`] of a record inside a document.
pub(super) fn derive(record: NodeRef<'_>) -> Result<Digest, Rejection> {
    if !record.is_object() {
        return Err(InputError::new("", "a decision record is an object").into());
    }
    let mut repeated = Found::default();
    float_ban::repeated_names(record, &JsonPointer::root(), &mut repeated);
    if !repeated.list.is_empty() {
        return Err(Rejection::Uncanonical);
    }
    let mut canonicalizer = Canonicalizer::new(Rules::LAW);
    let mut out = vec![b'{'];
    for (index, (name, nullable)) in MEMBERS.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(format!("\"{name}\":").as_bytes());
        match record.get(name) {
            Some(value) => match canonicalizer.append_node(value, &mut out)? {
                None => {}
                Some(_) => return Err(Rejection::Uncanonical),
            },
            None if nullable => out.extend_from_slice(b"null"),
            None => return Err(InputError::new(format!("/{name}"), "the record lacks this member").into()),
        }
    }
    out.push(b'}');
    Ok(Digest::of(&out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheets_check_value() {
        let record = br#"{"run_id":"run-1","turn_id":"turn-0001","tool_name":"fs","action":"write","stage":"capability","contract_version":"kernel_api/v1","ordinal":0,"outcome":"denied","deny_code":"E_CAPABILITY_DENIED"}"#;
        let id = decision_id(record).expect("a record");
        assert_eq!(id.to_hex(), "8f2ad8752ea573e559f2f65ba3638cd7a6942da4ff3cfe5e6421bc1ff9bf8b80");
    }
}
