//! SHA-256 values and their spelling.
//!
//! Spec: FIPS 180-4 section 6.2; Sovereign Capability & Replay Spec v1.2.1, C, sha256_hex; `StructuralDigest` as in
//! `contracts/sovereign/turn-result.schema.json`.

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

    /// The digest of several pieces, one after the other.
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

    /// The digest that is spelled in 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn from_hex(text: &[u8]) -> Option<Self> {
        if !Self::is_spelled(text) {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, [high, low]) in bytes.iter_mut().zip(text.as_chunks::<2>().0) {
            let value = |letter: u8| if letter < b'a' { letter - b'0' } else { letter - b'a' + 10 };
            *byte = value(*high) << 4 | value(*low);
        }
        Some(Self(bytes))
    }

    /// True if a text is spelled as a `StructuralDigest`: exactly 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn is_spelled(text: &[u8]) -> bool {
        text.len() == 64 && text.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    }

    /// Appends the hexadecimal digits.
    pub fn append_hex(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.letters());
    }

    /// The hexadecimal digits.
    pub(crate) fn letters(&self) -> [u8; 64] {
        let letter = |nibble: u8| if nibble < 10 { b'0' + nibble } else { b'a' - 10 + nibble };
        let mut letters = [0; 64];
        for (pair, byte) in letters.as_chunks_mut::<2>().0.iter_mut().zip(self.0) {
            *pair = [letter(byte >> 4), letter(byte & 15)];
        }
        letters
    }
}

impl From<[u8; 32]> for Digest {
    fn from(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

/// A digest on its way: more bytes may come, to each copy of it others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Running(sha2::Sha256);

impl Running {
    /// Takes the next bytes.
    pub(crate) fn take(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest of all bytes that were taken.
    pub(crate) fn digest(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // At once: the formatter's way from byte to byte costs more than the hash of a short text.
        f.write_str(std::str::from_utf8(&self.letters()).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}
