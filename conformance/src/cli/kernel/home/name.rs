//! Names of files and folders, without an allocation where they are short; digests are half as long.

use assize_verifier::files::HomeError;

/// Names that common file systems hold.
const MOST: usize = 255;
/// What is held without an allocation.
const SHORT: usize = 22;
/// What a digest begins with, and no other name: no text has this byte.
const DIGEST: u8 = 0xFF;

/// A name. Names have an order, which is not that of their texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Short(u8, [u8; SHORT]),
    Long(Box<[u8]>),
}

impl Name {
    /// A name that may stand between slashes.
    pub(super) fn checked(text: &str) -> Result<Self, HomeError> {
        if matches!(text, "" | "." | "..") || text.contains('\0') || text.len() > MOST {
            return Err(HomeError::Name);
        }
        if let Some(bytes) = digest(text.as_bytes()) {
            let mut long = Vec::with_capacity(33);
            long.push(DIGEST);
            long.extend_from_slice(&bytes);
            return Ok(Self::Long(long.into()));
        }
        let mut short = [0; SHORT];
        match (short.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(text.as_bytes());
                Ok(Self::Short(length, short))
            }
            _ => Ok(Self::Long(text.as_bytes().into())),
        }
    }

    /// How it is written.
    pub(super) fn text(&self) -> String {
        let bytes = match self {
            Self::Short(length, bytes) => bytes.get(..usize::from(*length)).unwrap_or_default(),
            Self::Long(bytes) => bytes,
        };
        match bytes.split_first() {
            Some((&DIGEST, digest)) => {
                let mut text = Vec::with_capacity(64);
                append_hex(digest, &mut text);
                String::from_utf8_lossy(&text).into_owned()
            }
            _ => String::from_utf8_lossy(bytes).into_owned(),
        }
    }
}

/// The bytes that 64 lower-case hexadecimal digits spell.
pub(super) fn digest(text: &[u8]) -> Option<[u8; 32]> {
    let value = |letter: u8| match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    };
    let mut bytes = [0; 32];
    let (pairs, rest) = text.as_chunks::<2>();
    if pairs.len() != bytes.len() || !rest.is_empty() {
        return None;
    }
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = value(*high)? << 4 | value(*low)?;
    }
    Some(bytes)
}

/// Appends the digits that spell bytes.
pub(super) fn append_hex(bytes: &[u8], out: &mut Vec<u8>) {
    let letter = |nibble: u8| if nibble < 10 { b'0' + nibble } else { b'a' - 10 + nibble };
    out.extend(bytes.iter().flat_map(|byte| [letter(byte >> 4), letter(byte & 15)]));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_they_were_read() {
        let hex = "0f9a".repeat(16);
        let upper = hex.to_uppercase();
        for text in [
            "a",
            "é",
            "ab.json",
            "twenty-two-bytes-long.",
            "twenty-three-bytes-long",
            &hex,
            &upper,
            &hex.replacen("0f9a", "0f9", 1),
            &"x".repeat(255),
        ] {
            assert_eq!(Name::checked(text).map(|name| name.text()), Ok(text.to_owned()));
        }
        for text in ["", ".", "..", "a\0", &"x".repeat(256)] {
            assert_eq!(Name::checked(text), Err(HomeError::Name), "{text}");
        }
    }
}
