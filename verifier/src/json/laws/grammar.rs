//! The grammar: takes one whole value and tells a sink what it meets.
//!
//! Spec: RFC 8259 sections 2 to 5; numbers, strings and literals are read by the cursor of [`Reader`], sections 3, 6 and 7.

use crate::json::{JsonErrorKind, RawString, Reader, Scalar, cursor::Cursor};
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
    /// The colon after the name that came last.
    #[inline(always)]
    fn colon(&mut self, _at: usize) {}
    /// A comma: the innermost object's member that came last is complete, and another one follows.
    #[inline(always)]
    fn next_member(&mut self, _at: usize) {}
    /// A comma: the innermost array's element that came last is complete, and another one follows.
    #[inline(always)]
    fn next_element(&mut self, _at: usize) {}
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

/// Kinds of the containers that are open: one bit each, those of the innermost up to 64 in one number.
#[derive(Clone, Copy)]
struct Open {
    levels: usize,
    kinds: u64,
}

const OBJECT: u64 = 1;
const ARRAY: u64 = 0;

impl Open {
    /// Whether the number holds as many kinds as it can, and the next one needs another.
    #[inline(always)]
    fn is_full(self) -> bool {
        self.levels.is_multiple_of(64) && self.levels > 0
    }

    #[inline(always)]
    fn push(&mut self, kind: u64, outside: &mut Vec<u64>) {
        if self.is_full() {
            outside.push(self.kinds);
        }
        self.kinds = self.kinds << 1 | kind;
        self.levels += 1;
    }

    #[inline(always)]
    fn pop(&mut self, outside: &mut Vec<u64>) {
        self.levels -= 1;
        self.kinds >>= 1;
        if self.is_full() {
            self.kinds = outside.pop().unwrap_or_default();
        }
    }
}

impl Reader<'_> {
    /// Reads exactly one value and feeds it to `sink`.
    ///
    /// # Errors
    /// If the text is malformed, a limit is exceeded, or the sink refuses a token.
    #[inline]
    pub fn parse<S: Sink>(&mut self, sink: &mut S) -> Result<(), JsonErrorKind> {
        // A copy that nothing else can see stays in registers.
        let mut cursor = self.cursor;
        let read = self.walk(&mut cursor, sink);
        self.cursor = cursor;
        read
    }

    #[inline(always)]
    fn walk<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) -> Result<(), JsonErrorKind> {
        let text = cursor.text();
        // Each kind of token is taken in one place: the whole loop has to fit where processors keep what they have decoded.
        let mut named = false;
        let mut open = Open { levels: 0, kinds: 0 };
        self.outside.clear();
        let deepest = (self.dialect.depth as usize).saturating_sub(self.depth);
        loop {
            if named {
                let key = cursor.key()?;
                sink.key(text, key)?;
                sink.colon(cursor.at - 1);
            }
            // A value is due.
            match cursor.peek()? {
                b'"' => {
                    let string = cursor.string()?;
                    sink.scalar(text, Scalar::String(string))?;
                }
                b'{' => {
                    if open.levels >= deepest {
                        return Err(JsonErrorKind::Depth(self.dialect.depth));
                    }
                    open.push(OBJECT, &mut self.outside);
                    sink.begin_object(cursor.at)?;
                    cursor.at += 1;
                    if cursor.peek()? != b'}' {
                        named = true;
                        continue;
                    }
                }
                b'[' => {
                    if open.levels >= deepest {
                        return Err(JsonErrorKind::Depth(self.dialect.depth));
                    }
                    open.push(ARRAY, &mut self.outside);
                    sink.begin_array(cursor.at)?;
                    cursor.at += 1;
                    if cursor.peek()? != b']' {
                        named = false;
                        continue;
                    }
                }
                first => {
                    // A copy is handed over, so that the cursor stays in registers where this is a call.
                    let mut after = *cursor;
                    let scalar = after.plain_scalar(first, &self.dialect);
                    *cursor = after;
                    sink.scalar(text, scalar?)?;
                }
            }
            // A value is done, or nothing stands in the container: close what is complete, or move to the next value.
            loop {
                if open.levels == 0 {
                    return Ok(());
                }
                match (cursor.peek()?, open.kinds & 1) {
                    (b',', OBJECT) => {
                        sink.next_member(cursor.at);
                        cursor.at += 1;
                        named = true;
                        break;
                    }
                    (b',', ARRAY) => {
                        sink.next_element(cursor.at);
                        cursor.at += 1;
                        named = false;
                        break;
                    }
                    (b'}', OBJECT) => {
                        open.pop(&mut self.outside);
                        cursor.at += 1;
                        sink.end_object(cursor.at - 1)?;
                    }
                    (b']', ARRAY) => {
                        open.pop(&mut self.outside);
                        cursor.at += 1;
                        sink.end_array(cursor.at - 1)?;
                    }
                    (byte, _) => return Err(JsonErrorKind::Unexpected(byte)),
                }
            }
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
