//! The reader: walks a document whose structure is known, and takes whole values of any.

use super::{Dialect, JsonError, JsonErrorKind, JsonPointer, RawString, Scalar, cursor::Cursor};

/// A cursor that reads one document, or one value inside it, under a [`Dialect`].
///
/// Methods that walk a known structure ([`Reader::enter_object`], [`Reader::next_key`], ...) and methods that take a
/// whole value of any shape ([`Reader::parse`]) can be mixed freely.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    pub(super) cursor: Cursor<'a>,
    pub(super) dialect: Dialect,
    /// Containers that the caller has entered and not left.
    pub(super) depth: usize,
    /// Kinds of outer containers that `parse` has open, 64 in a number; kept here so that its memory is reused.
    pub(super) outside: Vec<u64>,
}

impl<'a> Reader<'a> {
    /// Starts on a whole document: checks size, encoding and the byte order mark.
    ///
    /// # Errors
    /// [`JsonErrorKind::Size`], [`JsonErrorKind::Encoding`] or [`JsonErrorKind::ByteOrderMark`].
    pub fn new(text: &'a [u8], dialect: &Dialect) -> Result<Self, JsonError> {
        let fail = |kind, offset| JsonError { kind, offset, pointer: JsonPointer::root() };
        if text.len() > dialect.bytes as usize {
            return Err(fail(JsonErrorKind::Size(dialect.bytes), dialect.bytes as usize));
        }
        let Ok(checked) = simdutf8::basic::from_utf8(text) else {
            let offset = std::str::from_utf8(text).map_or_else(|error| error.valid_up_to(), |_| 0);
            return Err(fail(JsonErrorKind::Encoding, offset));
        };
        if text.starts_with(b"\xEF\xBB\xBF") {
            return Err(fail(JsonErrorKind::ByteOrderMark, 0));
        }
        Ok(Self::over(checked, dialect))
    }

    /// A reader that has been given nothing yet.
    pub(crate) fn blank(dialect: &Dialect) -> Self {
        Self::over("", dialect)
    }

    /// Starts on text whose size and mark have already been checked.
    pub(super) fn over(checked: &'a str, dialect: &Dialect) -> Self {
        let cursor = Cursor { checked, at: 0 };
        Self { cursor, dialect: *dialect, depth: 0, outside: Vec::new() }
    }

    /// Starts again on a document of its own inside text that is known to be UTF-8.
    pub(crate) fn restart(&mut self, checked: &'a str) {
        self.cursor = Cursor { checked, at: 0 };
        self.depth = 0;
    }

    /// The whole text.
    #[inline]
    pub(crate) fn text(&self) -> &'a [u8] {
        self.cursor.text()
    }

    /// Takes a value whose own text is canonical in every profile: a string without escapes. Gives where it stands.
    ///
    /// # Errors
    /// As [`Reader::string`].
    #[inline]
    pub(crate) fn plain_string(&mut self) -> Result<Option<(usize, usize)>, JsonErrorKind> {
        if self.peek()? != b'"' {
            return Ok(None);
        }
        let start = self.cursor.at;
        if self.string()?.escaped {
            self.cursor.at = start;
            return Ok(None);
        }
        Ok(Some((start, self.cursor.at)))
    }

    /// Byte offset of the cursor.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.cursor.at
    }

    /// Skips white space and returns the next byte without taking it.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<u8, JsonErrorKind> {
        self.cursor.peek()
    }

    /// The first byte of the next value, which tells its kind.
    ///
    /// # Errors
    /// [`JsonErrorKind::UnexpectedEnd`].
    #[inline]
    pub fn peek_value(&mut self) -> Result<u8, JsonErrorKind> {
        self.peek()
    }

    /// Enters an object; [`Reader::next_key`] follows.
    ///
    /// # Errors
    /// If the next value is not an object or is nested too deeply.
    pub fn enter_object(&mut self) -> Result<(), JsonErrorKind> {
        self.cursor.take(b'{')?;
        self.enter()
    }

    /// Enters an array; [`Reader::next_element`] follows.
    ///
    /// # Errors
    /// If the next value is not an array or is nested too deeply.
    pub fn enter_array(&mut self) -> Result<(), JsonErrorKind> {
        self.cursor.take(b'[')?;
        self.enter()
    }

    fn enter(&mut self) -> Result<(), JsonErrorKind> {
        if self.depth == self.dialect.depth as usize {
            self.cursor.at -= 1;
            return Err(JsonErrorKind::Depth(self.dialect.depth));
        }
        self.depth += 1;
        Ok(())
    }

    /// Moves to the next member of the object that was entered last, up to its value; `None` leaves the object.
    ///
    /// # Errors
    /// If the text is malformed.
    #[inline]
    pub fn next_key(&mut self, first: bool) -> Result<Option<RawString<'a>>, JsonErrorKind> {
        match self.peek()? {
            b'}' => {
                self.cursor.at += 1;
                self.depth -= 1;
                return Ok(None);
            }
            b',' if !first => self.cursor.at += 1,
            _ if first => {}
            byte => return Err(JsonErrorKind::Unexpected(byte)),
        }
        let key = self.cursor.key()?;
        Ok(Some(key))
    }

    /// Moves to the next element of the array that was entered last; `false` leaves the array.
    ///
    /// # Errors
    /// If the text is malformed.
    #[inline]
    pub fn next_element(&mut self, first: bool) -> Result<bool, JsonErrorKind> {
        match self.peek()? {
            b']' if first => {}
            _ if first => return Ok(true),
            b',' => {
                self.cursor.at += 1;
                return Ok(true);
            }
            b']' => {}
            byte => return Err(JsonErrorKind::Unexpected(byte)),
        }
        self.cursor.at += 1;
        self.depth -= 1;
        Ok(false)
    }

    /// Checks that only white space is left.
    ///
    /// # Errors
    /// [`JsonErrorKind::TrailingData`].
    pub fn finish(&mut self) -> Result<(), JsonErrorKind> {
        match self.peek() {
            Ok(_) => Err(JsonErrorKind::TrailingData),
            Err(_) => Ok(()),
        }
    }

    /// Reads a value that is neither a string nor a container.
    ///
    /// # Errors
    /// If something else stands there, or the value is malformed.
    #[inline]
    pub(crate) fn scalar(&mut self) -> Result<Scalar<'a>, JsonErrorKind> {
        let first = self.peek()?;
        self.cursor.plain_scalar(first, &self.dialect)
    }

    /// Reads a string whose opening quote is the current byte.
    ///
    /// # Errors
    /// If the string is unterminated, holds a raw control character or a malformed escape.
    #[inline]
    pub fn string(&mut self) -> Result<RawString<'a>, JsonErrorKind> {
        self.cursor.string()
    }
}
