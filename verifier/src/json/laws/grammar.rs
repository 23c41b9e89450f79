//! The grammar: takes one whole value and tells a sink what it meets.
//!
//! Spec: RFC 8259 sections 2 to 5; numbers, strings and literals are read by [`Reader`], sections 3, 6 and 7.

use crate::json::{JsonErrorKind, RawString, Reader, Scalar};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("json/grammar");

/// Receives the tokens of one value in document order.
///
/// `at` is the byte offset of the bracket.
#[expect(
    clippy::missing_errors_doc,
    reason = "a sink refuses a token by returning the kind of error, for each method alike"
)]
pub trait Sink {
    /// An object opens.
    fn begin_object(&mut self, at: usize) -> Result<(), JsonErrorKind>;
    /// A member name; its value follows.
    fn key(&mut self, text: &[u8], key: RawString<'_>) -> Result<(), JsonErrorKind>;
    /// The innermost object closes.
    fn end_object(&mut self, at: usize) -> Result<(), JsonErrorKind>;
    /// An array opens.
    fn begin_array(&mut self, at: usize) -> Result<(), JsonErrorKind>;
    /// The innermost array closes.
    fn end_array(&mut self, at: usize) -> Result<(), JsonErrorKind>;
    /// A string, number or literal.
    fn scalar(&mut self, text: &[u8], scalar: Scalar<'_>) -> Result<(), JsonErrorKind>;
}

/// Checks the syntax and keeps nothing.
pub struct Skip;

impl Sink for Skip {
    fn begin_object(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        Ok(())
    }
    fn key(&mut self, _: &[u8], _: RawString<'_>) -> Result<(), JsonErrorKind> {
        Ok(())
    }
    fn end_object(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        Ok(())
    }
    fn begin_array(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        Ok(())
    }
    fn end_array(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        Ok(())
    }
    fn scalar(&mut self, _: &[u8], _: Scalar<'_>) -> Result<(), JsonErrorKind> {
        Ok(())
    }
}

const OBJECT: bool = true;
const ARRAY: bool = false;

impl Reader<'_> {
    /// Reads exactly one value and feeds it to `sink`.
    ///
    /// # Errors
    /// If the text is malformed, a limit is exceeded, or the sink refuses a token.
    #[inline]
    pub fn parse<S: Sink>(&mut self, sink: &mut S) -> Result<(), JsonErrorKind> {
        self.open.clear();
        loop {
            // A value is due.
            match self.peek()? {
                b'"' => {
                    let string = self.string()?;
                    sink.scalar(self.text, Scalar::String(string))?;
                }
                b'{' => {
                    self.push(OBJECT)?;
                    sink.begin_object(self.at)?;
                    self.at += 1;
                    if self.peek()? != b'}' {
                        let key = self.key()?;
                        sink.key(self.text, key)?;
                        continue;
                    }
                    self.close(sink)?;
                }
                b'[' => {
                    self.push(ARRAY)?;
                    sink.begin_array(self.at)?;
                    self.at += 1;
                    if self.peek()? != b']' {
                        continue;
                    }
                    self.close(sink)?;
                }
                first => {
                    let scalar = self.plain_scalar(first)?;
                    sink.scalar(self.text, scalar)?;
                }
            }
            // A value is done: close what it completes, or move to its sibling.
            loop {
                let Some(&kind) = self.open.last() else { return Ok(()) };
                match (self.peek()?, kind) {
                    (b',', OBJECT) => {
                        self.at += 1;
                        let key = self.key()?;
                        sink.key(self.text, key)?;
                        break;
                    }
                    (b',', ARRAY) => {
                        self.at += 1;
                        break;
                    }
                    (b'}', OBJECT) | (b']', ARRAY) => self.close(sink)?,
                    (byte, _) => return Err(JsonErrorKind::Unexpected(byte)),
                }
            }
        }
    }

    #[inline]
    fn push(&mut self, kind: bool) -> Result<(), JsonErrorKind> {
        if self.depth + self.open.len() >= self.dialect.depth as usize {
            return Err(JsonErrorKind::Depth(self.dialect.depth));
        }
        self.open.push(kind);
        Ok(())
    }

    #[inline]
    fn close<S: Sink>(&mut self, sink: &mut S) -> Result<(), JsonErrorKind> {
        let at = self.at;
        self.at += 1;
        match self.open.pop() {
            Some(OBJECT) => sink.end_object(at),
            _ => sink.end_array(at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Dialect;

    fn check(text: &str, dialect: &Dialect, accepted: bool) {
        let read = Reader::new(text.as_bytes(), dialect).and_then(|mut reader| reader.document(&mut Skip));
        assert_eq!(read.is_ok(), accepted, "{text:?}: {read:?}");
    }

    #[test]
    fn accepts_json_and_nothing_else() {
        for text in ["{}", "[]", " [ 1 , {\"a\" : [ ] } ] ", "-0.5e+10", "\"\u{7f}\\ud800\"", "true", "null"] {
            check(text, &Dialect::STRICT, true);
        }
        for text in [
            "",
            " ",
            "{",
            "[1",
            "[1,]",
            "{,}",
            "{\"a\"}",
            "{\"a\":1,}",
            "{a:1}",
            "01",
            "+1",
            "1.",
            ".5",
            "-",
            "1e",
            "0x1",
            "-00",
            "nul",
            "\"\n\"",
            "\"\\x41\"",
            "\"\\u+123\"",
            "'a'",
            "[1] 2",
            "[1]\u{0}",
            "[1}",
            "{\"a\":1]",
            "\u{feff}1",
            "\u{a0}1",
            "NaN",
        ] {
            check(text, &Dialect::STRICT, false);
        }
    }

    #[test]
    fn constants_have_exactly_three_spellings() {
        for text in ["NaN", "Infinity", "-Infinity"] {
            check(text, &Dialect::PYTHON, true);
        }
        for text in ["nan", "-NaN", "inf", "+Infinity", "Infinit"] {
            check(text, &Dialect::PYTHON, false);
        }
    }

    #[test]
    fn depth_and_digits_stop_at_their_limits() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        check(&nested(256), &Dialect::STRICT, true);
        check(&nested(257), &Dialect::STRICT, false);
        check(&nested(1_000_000), &Dialect::STRICT, false);
        check(&"9".repeat(4300), &Dialect::PYTHON, true);
        check(&format!("-{}", "9".repeat(4300)), &Dialect::PYTHON, true);
        check(&"9".repeat(4301), &Dialect::PYTHON, false);
        check(&"9".repeat(4301), &Dialect::STRICT, true);
    }
}
