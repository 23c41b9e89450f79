//! The tokens of a text: what a reader takes and a sink is told.

use super::{JsonStr, NumberToken};

/// A string as it stands between its quotes.
#[derive(Clone, Copy, Debug)]
pub struct RawString<'a> {
    /// Byte offset of the first byte after the opening quote.
    pub start: usize,
    /// The bytes between the quotes.
    pub raw: &'a [u8],
    /// True if the raw bytes hold an escape.
    pub escaped: bool,
}

impl<'a> RawString<'a> {
    /// The decoded string.
    #[must_use]
    pub fn decode(&self) -> JsonStr<'a> {
        if self.escaped { JsonStr::unescape(self.raw) } else { JsonStr::plain(self.raw) }
    }
}

/// A value without members or elements; the offset is that of its first byte.
#[derive(Clone, Copy, Debug)]
pub enum Scalar<'a> {
    /// A string.
    String(RawString<'a>),
    /// A number or, in dialects that have them, a constant.
    Number(usize, NumberToken<'a>),
    /// `true`.
    True(usize),
    /// `false`.
    False(usize),
    /// `null`.
    Null(usize),
}

impl Scalar<'_> {
    /// Byte offset of the first byte of the value.
    #[must_use]
    pub fn start(&self) -> usize {
        match self {
            Self::String(string) => string.start.saturating_sub(1),
            Self::Number(at, _) | Self::True(at) | Self::False(at) | Self::Null(at) => *at,
        }
    }
}
