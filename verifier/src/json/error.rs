//! Why a document could not be read, and where.

use std::fmt;

use super::JsonPointer;

/// A document that is not JSON in its dialect, or exceeds a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    /// What is wrong.
    pub kind: JsonErrorKind,
    /// Byte offset at which it was noticed.
    pub offset: usize,
    /// The innermost value being read at that offset.
    pub pointer: JsonPointer,
}

/// What is wrong with a document.
///
/// Eight bytes, so that the result of every step of the reader fits two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonErrorKind {
    /// The bytes are not UTF-8.
    Encoding,
    /// The document begins with U+FEFF.
    ByteOrderMark,
    /// The document ends inside a value.
    UnexpectedEnd,
    /// A byte that cannot stand here.
    Unexpected(u8),
    /// A character below U+0020 stands unescaped in a string.
    ControlCharacter(u8),
    /// A backslash is followed by something that is not an escape.
    BadEscape,
    /// Something follows the document.
    TrailingData,
    /// `NaN` or an infinity in a dialect without them.
    Constant,
    /// More containers are open than the dialect allows.
    Depth(u32),
    /// An integer token has more digits than the dialect allows.
    IntegerDigits(u32),
    /// The document has more bytes than the dialect allows.
    Size(u32),
    /// An object has two members of one name, where names have to be unique.
    RepeatedName,
    /// A number that no double can hold, where numbers have to be finite.
    NotFinite,
}

impl JsonErrorKind {
    /// True for a named resource limit, false for text that is not JSON.
    #[must_use]
    pub fn is_limit(self) -> bool {
        matches!(self, Self::Depth(_) | Self::IntegerDigits(_) | Self::Size(_))
    }

    /// What the author of the document can do.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Self::Encoding => "write the document as UTF-8",
            Self::ByteOrderMark => "remove the byte order mark",
            Self::UnexpectedEnd => "the document looks truncated: check that it was written completely",
            Self::Unexpected(_) => "correct the syntax at this offset",
            Self::ControlCharacter(_) => "write the character as an escape, for instance \\n or \\u000b",
            Self::BadEscape => "use one of JSON's escapes, with four hexadecimal digits after \\u",
            Self::TrailingData => "keep exactly one JSON value in the document",
            Self::Constant => "JSON has no NaN and no infinities: write the value as a string",
            Self::Depth(_) => "flatten the document",
            Self::IntegerDigits(_) => "write the integer as a string",
            Self::Size(_) => "split the document",
            Self::RepeatedName => "keep one member of the name: readers differ in which one they take",
            Self::NotFinite => "write a number that a double can hold, or a string",
        }
    }
}

impl fmt::Display for JsonErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoding => write!(f, "not UTF-8"),
            Self::ByteOrderMark => write!(f, "begins with a byte order mark"),
            Self::UnexpectedEnd => write!(f, "ends inside a value"),
            Self::Unexpected(byte) if byte.is_ascii_graphic() => write!(f, "unexpected `{}`", char::from(*byte)),
            Self::Unexpected(byte) => write!(f, "unexpected byte 0x{byte:02x}"),
            Self::ControlCharacter(byte) => write!(f, "unescaped control character U+{byte:04X} in a string"),
            Self::BadEscape => write!(f, "unknown or incomplete escape"),
            Self::TrailingData => write!(f, "something follows the document"),
            Self::Constant => write!(f, "NaN or an infinity"),
            Self::Depth(limit) => write!(f, "nested deeper than the limit of {limit} levels"),
            Self::IntegerDigits(limit) => write!(f, "an integer has more than the limit of {limit} digits"),
            Self::Size(limit) => write!(f, "larger than the limit of {limit} bytes"),
            Self::RepeatedName => write!(f, "the member's name comes twice"),
            Self::NotFinite => write!(f, "a number beyond every double"),
        }
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind, self.offset)?;
        if self.pointer.is_root() { Ok(()) } else { write!(f, ", at {}", self.pointer) }
    }
}

impl std::error::Error for JsonError {}
