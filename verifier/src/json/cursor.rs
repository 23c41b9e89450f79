//! The tokenizer: a place in bytes that are known to be UTF-8.
//!
//! A cursor is copied into the loop that moves it, and every method that moves one is inlined there: it stays in two registers,
//! since what comes next in a text cannot be looked at before it is known where that stands.

use super::{
    Dialect, JsonErrorKind, NumberToken, RawString,
    scan::{digits_end, find_special},
    string::hex_unit,
    token::Scalar,
};

/// A place in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    /// The whole text, known to be UTF-8.
    pub(super) checked: &'a str,
    /// Byte offset of what comes next.
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    pub(super) fn text(self) -> &'a [u8] {
        self.checked.as_bytes()
    }

    /// The next byte, if there is one.
    #[inline(always)]
    fn next(self) -> Option<u8> {
        self.text().get(self.at).copied()
    }

    /// Skips white space and returns the next byte without taking it.
    #[inline(always)]
    pub(super) fn peek(&mut self) -> Result<u8, JsonErrorKind> {
        loop {
            match self.next() {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => return Ok(byte),
                None => return Err(JsonErrorKind::UnexpectedEnd),
            }
        }
    }

    /// Skips white space and takes `expected`.
    #[inline(always)]
    pub(super) fn take(&mut self, expected: u8) -> Result<(), JsonErrorKind> {
        let byte = self.peek()?;
        if byte != expected {
            return Err(JsonErrorKind::Unexpected(byte));
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a member name and the colon after it.
    #[inline(always)]
    pub(super) fn key(&mut self) -> Result<RawString<'a>, JsonErrorKind> {
        let byte = self.peek()?;
        if byte != b'"' {
            return Err(JsonErrorKind::Unexpected(byte));
        }
        let key = self.string()?;
        self.take(b':')?;
        Ok(key)
    }

    /// Reads a string whose opening quote is the current byte.
    #[inline(always)]
    pub(super) fn string(&mut self) -> Result<RawString<'a>, JsonErrorKind> {
        let start = self.at + 1;
        let mut escaped = false;
        self.at = start;
        loop {
            self.at = find_special(self.text(), self.at);
            match self.next() {
                Some(b'"') => {
                    let raw = self.text().get(start..self.at).unwrap_or_default();
                    self.at += 1;
                    return Ok(RawString { start, raw, escaped });
                }
                Some(b'\\') => {
                    escaped = true;
                    self.at += escape(self.text().get(self.at + 1..).unwrap_or_default())?;
                }
                Some(byte) => return Err(JsonErrorKind::ControlCharacter(byte)),
                None => return Err(JsonErrorKind::UnexpectedEnd),
            }
        }
    }

    /// Reads a number, a literal or a constant: everything that is neither a string nor a container.
    // Hosts of WebAssembly compile function by function, and some of them none that are long.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    pub(super) fn plain_scalar(&mut self, first: u8, dialect: &Dialect) -> Result<Scalar<'a>, JsonErrorKind> {
        let start = self.at;
        match first {
            b'0'..=b'9' => self.number(start, start, dialect),
            b'-' if self.text().get(start + 1) == Some(&b'I') => self.constant("-Infinity", b"-Infinity", dialect),
            b'-' => self.number(start, start + 1, dialect),
            b't' => self.word(b"true").map(|()| Scalar::True(start)),
            b'f' => self.word(b"false").map(|()| Scalar::False(start)),
            b'n' => self.word(b"null").map(|()| Scalar::Null(start)),
            b'N' => self.constant("NaN", b"NaN", dialect),
            b'I' => self.constant("Infinity", b"Infinity", dialect),
            byte => Err(JsonErrorKind::Unexpected(byte)),
        }
    }

    #[inline(always)]
    fn word<const LENGTH: usize>(&mut self, word: &[u8; LENGTH]) -> Result<(), JsonErrorKind> {
        let rest = self.text().get(self.at..).unwrap_or_default();
        if rest.first_chunk() == Some(word) {
            self.at += LENGTH;
            return Ok(());
        }
        let (read, kind) = misspelled(rest, word);
        self.at += read;
        Err(kind)
    }

    #[inline(always)]
    fn constant<const LENGTH: usize>(
        &mut self,
        text: &'static str,
        word: &[u8; LENGTH],
        dialect: &Dialect,
    ) -> Result<Scalar<'a>, JsonErrorKind> {
        let start = self.at;
        self.word(word)?;
        if !dialect.constants {
            self.at = start;
            return Err(JsonErrorKind::Constant);
        }
        Ok(Scalar::Number(start, NumberToken { text, float: true }))
    }

    /// Reads a number that starts at `start`, its first digit at `digits`.
    #[inline(always)]
    fn number(&mut self, start: usize, digits: usize, dialect: &Dialect) -> Result<Scalar<'a>, JsonErrorKind> {
        self.at = digits;
        if self.next() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        let integer_end = self.at;
        let float = matches!(self.next(), Some(b'.' | b'e' | b'E'));
        if float {
            let (after, read) = fraction(*self);
            *self = after;
            read?;
        } else if let Some(limit) = dialect.integer_digits
            && integer_end - digits > limit as usize
        {
            self.at = start;
            return Err(JsonErrorKind::IntegerDigits(limit));
        }
        let text = self.checked.get(start..self.at).unwrap_or_default();
        Ok(Scalar::Number(start, NumberToken { text, float }))
    }

    fn fraction(&mut self) -> Result<(), JsonErrorKind> {
        if self.next() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.next() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.next() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    /// Takes one or more digits.
    #[inline(always)]
    fn digits(&mut self) -> Result<(), JsonErrorKind> {
        let from = self.at;
        self.at = digits_end(self.text(), from);
        if self.at > from {
            return Ok(());
        }
        Err(self.next().map_or(JsonErrorKind::UnexpectedEnd, JsonErrorKind::Unexpected))
    }
}

/// How much of a word stands there, and what stands in place of the rest.
#[inline(never)]
fn misspelled(rest: &[u8], word: &[u8]) -> (usize, JsonErrorKind) {
    let read = rest.iter().zip(word).take_while(|(byte, expected)| byte == expected).count();
    (read, rest.get(read).map_or(JsonErrorKind::UnexpectedEnd, |byte| JsonErrorKind::Unexpected(*byte)))
}

/// Takes fraction and exponent of a number; gives where that ended, well or not.
#[inline(never)]
fn fraction(mut cursor: Cursor<'_>) -> (Cursor<'_>, Result<(), JsonErrorKind>) {
    let read = cursor.fraction();
    (cursor, read)
}

/// Length of an escape, of which this is what follows the backslash.
#[inline(never)]
fn escape(rest: &[u8]) -> Result<usize, JsonErrorKind> {
    match rest {
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => Ok(2),
        [b'u', hex @ ..] if hex_unit(hex).is_some() => Ok(6),
        _ => Err(JsonErrorKind::BadEscape),
    }
}
