//! Damage to the bytes of a document, after it was written.

use arbitrary::{Result, Unstructured};

use super::draw::{int, pick};

const BAD_UTF8: &[&[u8]] = &[b"\xED\xA0\x80", b"\xFF", b"\xC0\x80", b"\xF4\x90\x80\x80", b"\xE2\x82", b"\x80"];

/// What can befall the bytes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Damage {
    ByteOrderMark,
    BadUtf8(&'static [u8]),
    Truncated,
    Trailing(&'static str),
    Replaced(&'static str),
    Altered(u8),
}

impl Damage {
    /// Some damage.
    pub(crate) fn draw(u: &mut Unstructured<'_>) -> Result<Self> {
        Ok(match int(u, 11)? {
            0 | 1 => Self::Truncated,
            2 => Self::ByteOrderMark,
            3 | 4 => Self::BadUtf8(pick(u, BAD_UTF8)?),
            5 => Self::Trailing(pick(u, &["{}", "\0", "\u{c}", "]", ",", "\u{a0}", "1"])?),
            6 => Self::Trailing(pick(u, &[" ", "\n", "\r\n\t"])?),
            7 | 8 => Self::Replaced(pick(
                u,
                &["", "{", "null", "1", "\"text\"", "[]", "{}", "true", "NaN", "[{}]", " ", "1.0"],
            )?),
            _ => Self::Altered(*pick(u, b"x\"\\{}[],:0-.e \0\xFF\x80/")?),
        })
    }

    pub(crate) fn apply(self, u: &mut Unstructured<'_>, octets: &mut Vec<u8>) -> Result<()> {
        let length = u32::try_from(octets.len()).unwrap_or(u32::MAX);
        match self {
            Self::ByteOrderMark => drop(octets.splice(0..0, *b"\xEF\xBB\xBF")),
            // After the first byte: in an object or a string mostly.
            Self::BadUtf8(bad) => {
                let at = octets.len().min(2);
                octets.splice(at..at, bad.iter().copied());
            }
            Self::Truncated => octets.truncate(int(u, length.saturating_sub(1))? as usize),
            Self::Trailing(more) => octets.extend_from_slice(more.as_bytes()),
            Self::Replaced(text) => *octets = text.as_bytes().to_vec(),
            Self::Altered(with) => {
                let at = int(u, length.saturating_sub(1))? as usize;
                if let Some(octet) = octets.get_mut(at) {
                    *octet = with;
                }
            }
        }
        Ok(())
    }
}
