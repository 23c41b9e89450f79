//! Canonical bytes as text, and digests as canonical bytes.

use crate::digest::Digest;

/// A digest as a canonical string.
pub(crate) fn quoted(digest: Digest) -> [u8; 66] {
    let mut out = [b'"'; 66];
    if let Some(inside) = out.get_mut(1..65) {
        inside.copy_from_slice(&digest.letters());
    }
    out
}

/// Canonical bytes as text.
pub(crate) fn text(canonical: &[u8]) -> String {
    String::from_utf8_lossy(canonical).into_owned()
}
