//! The tokenizer: a cursor over bytes that are known to be UTF-8.

use super::{
    Dialect, JsonError, JsonErrorKind, JsonPointer, NumberToken, RawString, scan::find_special, string::hex_unit,
    token::Scalar,
};

/// A cursor that reads one document, or one value inside it, under a [`Dialect`].
///
/// Methods that walk a known structure ([`Reader::enter_object`], [`Reader::next_key`], ...) and methods that take a
/// whole value of any shape ([`Reader::parse`]) can be mixed freely.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    pub(super) text: &'a [u8],
    /// The same text, known to be UTF-8.
    checked: &'a str,
    pub(super) at: usize,
    pub(super) dialect: Dialect,
    /// Containers that the caller has entered and not left.
    pub(super) depth: usize,
    /// Kinds of the containers that `parse` has open; kept here so that its memory is reused.
    pub(super) open: Vec<bool>,
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
        Self { text: checked.as_bytes(), checked, at: 0, dialect: *dialect, depth: 0, open: Vec::with_capacity(16) }
    }

    /// Starts again on a document of its own inside text that is known to be UTF-8.
    pub(crate) fn restart(&mut self, checked: &'a str) {
        self.text = checked.as_bytes();
        self.checked = checked;
        self.at = 0;
        self.depth = 0;
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
        let start = self.at;
        if self.string()?.escaped {
            self.at = start;
            return Ok(None);
        }
        Ok(Some((start, self.at)))
    }

    /// Byte offset of the cursor.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Skips white space and returns the next byte without taking it.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<u8, JsonErrorKind> {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(&byte) => return Ok(byte),
                None => return Err(JsonErrorKind::UnexpectedEnd),
            }
        }
    }

    /// Skips white space and takes `expected`.
    #[inline]
    pub(super) fn take(&mut self, expected: u8) -> Result<(), JsonErrorKind> {
        let byte = self.peek()?;
        if byte != expected {
            return Err(JsonErrorKind::Unexpected(byte));
        }
        self.at += 1;
        Ok(())
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
        self.take(b'{')?;
        self.enter()
    }

    /// Enters an array; [`Reader::next_element`] follows.
    ///
    /// # Errors
    /// If the next value is not an array or is nested too deeply.
    pub fn enter_array(&mut self) -> Result<(), JsonErrorKind> {
        self.take(b'[')?;
        self.enter()
    }

    fn enter(&mut self) -> Result<(), JsonErrorKind> {
        if self.depth == self.dialect.depth as usize {
            self.at -= 1;
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
                self.at += 1;
                self.depth -= 1;
                return Ok(None);
            }
            b',' if !first => self.at += 1,
            _ if first => {}
            byte => return Err(JsonErrorKind::Unexpected(byte)),
        }
        let key = self.key()?;
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
                self.at += 1;
                return Ok(true);
            }
            b']' => {}
            byte => return Err(JsonErrorKind::Unexpected(byte)),
        }
        self.at += 1;
        self.depth -= 1;
        Ok(false)
    }

    /// Reads a member name and the colon after it.
    #[inline]
    pub(super) fn key(&mut self) -> Result<RawString<'a>, JsonErrorKind> {
        let byte = self.peek()?;
        if byte != b'"' {
            return Err(JsonErrorKind::Unexpected(byte));
        }
        let key = self.string()?;
        self.take(b':')?;
        Ok(key)
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

    /// Reads a string whose opening quote is the current byte.
    ///
    /// # Errors
    /// If the string is unterminated, holds a raw control character or a malformed escape.
    #[inline(always)]
    pub fn string(&mut self) -> Result<RawString<'a>, JsonErrorKind> {
        let start = self.at + 1;
        let mut at = start;
        let mut escaped = false;
        loop {
            at = find_special(self.text, at);
            match self.text.get(at) {
                Some(b'"') => {
                    self.at = at + 1;
                    let raw = self.text.get(start..at).unwrap_or_default();
                    return Ok(RawString { start, raw, escaped });
                }
                Some(b'\\') => {
                    escaped = true;
                    at = self.escape(at)?;
                }
                Some(&byte) => {
                    self.at = at;
                    return Err(JsonErrorKind::ControlCharacter(byte));
                }
                None => {
                    self.at = at;
                    return Err(JsonErrorKind::UnexpectedEnd);
                }
            }
        }
    }

    /// Checks the escape whose backslash is at `at` and returns the offset after it.
    fn escape(&mut self, at: usize) -> Result<usize, JsonErrorKind> {
        let rest = self.text.get(at + 1..).unwrap_or_default();
        let length = match rest {
            [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => 2,
            [b'u', hex @ ..] if hex_unit(hex).is_some() => 6,
            _ => {
                self.at = at;
                return Err(JsonErrorKind::BadEscape);
            }
        };
        Ok(at + length)
    }

    /// Reads a value that is neither a string nor a container.
    ///
    /// # Errors
    /// If something else stands there, or the value is malformed.
    #[inline]
    pub(crate) fn scalar(&mut self) -> Result<Scalar<'a>, JsonErrorKind> {
        let first = self.peek()?;
        self.plain_scalar(first)
    }

    /// Reads a number, a literal or a constant: everything that is neither a string nor a container.
    #[inline(always)]
    pub(super) fn plain_scalar(&mut self, first: u8) -> Result<Scalar<'a>, JsonErrorKind> {
        let start = self.at;
        match first {
            b'0'..=b'9' => self.number(start, start),
            b'-' if self.text.get(start + 1) == Some(&b'I') => self.constant("-Infinity"),
            b'-' => self.number(start, start + 1),
            b't' => self.word("true").map(|()| Scalar::True(start)),
            b'f' => self.word("false").map(|()| Scalar::False(start)),
            b'n' => self.word("null").map(|()| Scalar::Null(start)),
            b'N' => self.constant("NaN"),
            b'I' => self.constant("Infinity"),
            byte => Err(JsonErrorKind::Unexpected(byte)),
        }
    }

    fn word(&mut self, word: &str) -> Result<(), JsonErrorKind> {
        for expected in word.bytes() {
            match self.text.get(self.at) {
                Some(&byte) if byte == expected => self.at += 1,
                Some(&byte) => return Err(JsonErrorKind::Unexpected(byte)),
                None => return Err(JsonErrorKind::UnexpectedEnd),
            }
        }
        Ok(())
    }

    fn constant(&mut self, word: &'static str) -> Result<Scalar<'a>, JsonErrorKind> {
        let start = self.at;
        self.word(word)?;
        if !self.dialect.constants {
            self.at = start;
            return Err(JsonErrorKind::Constant);
        }
        Ok(Scalar::Number(start, NumberToken { text: word, float: true }))
    }

    /// Reads a number that starts at `start`, its first digit at `digits`.
    #[inline(always)]
    fn number(&mut self, start: usize, digits: usize) -> Result<Scalar<'a>, JsonErrorKind> {
        self.at = digits;
        if self.text.get(digits) == Some(&b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        let integer_end = self.at;
        let mut float = false;
        if self.text.get(self.at) == Some(&b'.') {
            float = true;
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.text.get(self.at) {
            float = true;
            self.at += 1;
            if let Some(b'+' | b'-') = self.text.get(self.at) {
                self.at += 1;
            }
            self.digits()?;
        }
        if let Some(limit) = self.dialect.integer_digits
            && !float
            && integer_end - digits > limit as usize
        {
            self.at = start;
            return Err(JsonErrorKind::IntegerDigits(limit));
        }
        let text = self.checked.get(start..self.at).unwrap_or_default();
        Ok(Scalar::Number(start, NumberToken { text, float }))
    }

    /// Takes one or more digits.
    #[inline]
    fn digits(&mut self) -> Result<(), JsonErrorKind> {
        let from = self.at;
        while let Some(b'0'..=b'9') = self.text.get(self.at) {
            self.at += 1;
        }
        if self.at > from {
            return Ok(());
        }
        Err(self.text.get(self.at).map_or(JsonErrorKind::UnexpectedEnd, |&byte| JsonErrorKind::Unexpected(byte)))
    }
}
