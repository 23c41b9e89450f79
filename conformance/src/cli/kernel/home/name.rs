//! Names of files and folders, without an allocation where they are short; digests are half as long.

use assize_verifier::{digest::Digest, files::HomeError};

/// Names that common file systems hold.
const MOST: usize = 255;
/// What is held without an allocation.
const SHORT: usize = 22;

/// A name. Names have an order, which is not that of their texts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Short(u8, [u8; SHORT]),
    Digest(Box<Digest>),
    Long(Box<[u8]>),
}

impl Name {
    /// A name that may stand between slashes.
    pub(super) fn checked(text: &str) -> Result<Self, HomeError> {
        if matches!(text, "" | "." | "..") || text.contains('\0') || text.len() > MOST {
            return Err(HomeError::Name);
        }
        if let Some(digest) = Digest::from_hex(text.as_bytes()) {
            return Ok(Self::Digest(Box::new(digest)));
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
            Self::Digest(digest) => return digest.to_hex(),
            Self::Long(bytes) => bytes,
        };
        String::from_utf8_lossy(bytes).into_owned()
    }
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
