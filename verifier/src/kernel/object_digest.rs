//! Every digest of a record names an object that holds the bytes with that hash.
//!
//! Spec: Kernel v1 Requirements Pack, Law 4 and Spec-002, 2; ruling KE-30. Objects are named by their content, so they
//! are written once and never removed.

use crate::digest::Digest;
use crate::files::HomeReader;

use super::home::{Found, HomeTrouble, find};
use super::layout::Tree;

/// The bytes of an object, if they are there and their hash is its name.
pub(super) fn object(home: &dyn HomeReader, tree: &Tree, digest: Digest) -> Result<Option<Vec<u8>>, HomeTrouble> {
    match find(home, &tree.object(digest))? {
        Found::Bytes(bytes) if Digest::of(&bytes) == digest => Ok(Some(bytes)),
        Found::Bytes(_) | Found::Absent | Found::Unusable => Ok(None),
    }
}
