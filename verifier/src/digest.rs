//! SHA-256 values and their spelling.
//!
//! Spec: `000_2d13fa6304d8a0d4.txt` section C, `sha256_hex`; `StructuralDigest` of `facts/sovereign.md` section 1.

use std::fmt;

use sha2::Digest as _;

/// A SHA-256 value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of some bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(sha2::Sha256::digest(bytes).into())
    }

    /// The digest of several pieces, one behind the other.
    pub fn of_parts<'p>(parts: impl IntoIterator<Item = &'p [u8]>) -> Self {
        let mut hasher = sha2::Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// The 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        self.to_string()
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// True if a text is spelled as a `StructuralDigest`: exactly 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn is_spelled(text: &[u8]) -> bool {
        text.len() == 64 && text.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    }

    /// Appends the hexadecimal digits.
    pub(crate) fn append_hex(&self, out: &mut Vec<u8>) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        for byte in self.0 {
            out.extend([byte >> 4, byte & 15].iter().filter_map(|&nibble| HEX.get(usize::from(nibble))));
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}
