//! From text to values.

use std::{collections::BTreeMap, fmt};

use super::Value;

/// How many containers may be open at once.
const DEPTH: usize = 128;

/// Why a text is not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// Reads a whole text.
///
/// # Errors
/// It is not JSON, repeats a name, holds half of a surrogate pair, or is nested deeper than 128 levels.
pub fn parse(text: &str) -> Result<Value, Error> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(0)?;
    reader.end()?;
    Ok(value)
}

/// Reads a text that is an object, and leaves the texts of its members as they stand.
///
/// # Errors
/// It is not an object. A member may be nested by 128 levels itself.
pub fn raw_members(text: &str) -> Result<BTreeMap<String, &str>, Error> {
    let mut reader = Reader { text, at: 0 };
    let mut members = BTreeMap::new();
    if reader.peek() != Some(b'{') {
        return reader.fail("an object is due");
    }
    reader.at += 1;
    let mut first = true;
    while !reader.closes(b'}', &mut first)? {
        let name = reader.name()?;
        reader.peek();
        let start = reader.at;
        reader.value(0)?;
        let raw = text.get(start..reader.at).unwrap_or_default();
        if members.insert(name, raw).is_some() {
            return reader.fail("a name is repeated");
        }
    }
    reader.end()?;
    Ok(members)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn fail<T>(&self, message: &str) -> Result<T, Error> {
        Err(Error(format!("at byte {}: {message}", self.at)))
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips white space; the next byte.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    fn end(&mut self) -> Result<(), Error> {
        if self.peek().is_some() { self.fail("text follows the value") } else { Ok(()) }
    }

    /// Takes the closing bracket if it comes next, and otherwise the comma that is due.
    fn closes(&mut self, bracket: u8, first: &mut bool) -> Result<bool, Error> {
        match self.peek() {
            Some(byte) if byte == bracket => {
                self.at += 1;
                return Ok(true);
            }
            _ if *first => *first = false,
            Some(b',') => self.at += 1,
            _ => return self.fail("a comma or the end of a container is due"),
        }
        Ok(false)
    }

    fn name(&mut self) -> Result<String, Error> {
        if self.peek() != Some(b'"') {
            return self.fail("a name is due");
        }
        let name = self.string()?;
        if self.peek() != Some(b':') {
            return self.fail("a colon is due");
        }
        self.at += 1;
        Ok(name)
    }

    fn value(&mut self, depth: usize) -> Result<Value, Error> {
        match self.peek() {
            Some(b'{' | b'[') if depth == DEPTH => self.fail("more than 128 containers are open"),
            Some(b'{') => self.object(depth + 1),
            Some(b'[') => self.array(depth + 1),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                for word in ["true", "false", "null"] {
                    if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
                        self.at += word.len();
                        return Ok(Value::Literal(word));
                    }
                }
                self.fail("a value is due")
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Error> {
        self.at += 1;
        let (mut members, mut first) = (BTreeMap::new(), true);
        while !self.closes(b'}', &mut first)? {
            let name = self.name()?;
            let value = self.value(depth)?;
            if members.insert(name, value).is_some() {
                return self.fail("a name is repeated");
            }
        }
        Ok(Value::Object(members))
    }

    fn array(&mut self, depth: usize) -> Result<Value, Error> {
        self.at += 1;
        let (mut items, mut first) = (Vec::new(), true);
        while !self.closes(b']', &mut first)? {
            items.push(self.value(depth)?);
        }
        Ok(Value::Array(items))
    }

    fn number(&mut self) -> Result<Value, Error> {
        let start = self.at;
        if self.byte() == Some(b'-') {
            self.at += 1;
        }
        if self.byte() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Value::Number(self.text[start..self.at].to_owned()))
    }

    fn digits(&mut self) -> Result<(), Error> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.byte() {
            self.at += 1;
        }
        if start == self.at { self.fail("a digit is due") } else { Ok(()) }
    }

    /// Decodes the string whose quote is the current byte.
    fn string(&mut self) -> Result<String, Error> {
        self.at += 1;
        let mut decoded = String::new();
        loop {
            let start = self.at;
            while self.byte().is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)) {
                self.at += 1;
            }
            decoded.push_str(&self.text[start..self.at]);
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(decoded);
                }
                Some(b'\\') => decoded.push(self.escape()?),
                _ => return self.fail("a string has no end, or holds a control character"),
            }
        }
    }

    /// Decodes the escape whose backslash is the current byte, or the two of a surrogate pair.
    fn escape(&mut self) -> Result<char, Error> {
        let letter = self.text.as_bytes().get(self.at + 1).copied();
        if letter != Some(b'u') {
            let place = letter.and_then(|letter| b"\"\\/bfnrt".iter().position(|known| *known == letter));
            let Some(place) = place else { return self.fail("an escape is unknown") };
            self.at += 2;
            return Ok(char::from(b"\"\\/\x08\x0c\n\r\t"[place]));
        }
        let Some(first) = self.unit() else { return self.fail("an escape has not four digits") };
        self.at += 6;
        let mut units = vec![first];
        if (0xd800..0xdc00).contains(&first)
            && let Some(second) = self.unit()
        {
            units.push(second);
        }
        match char::decode_utf16(units.iter().copied()).next() {
            Some(Ok(letter)) => {
                self.at += 6 * (letter.len_utf16() - 1);
                Ok(letter)
            }
            _ => self.fail("a surrogate stands alone"),
        }
    }

    /// The unit of the `\u` escape that is the current byte, if one is.
    fn unit(&self) -> Option<u16> {
        let escape = self.text.as_bytes().get(self.at..self.at + 6)?;
        let digits = escape.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some(unit << 4 | u16::try_from(digit).ok()?)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_is_read_and_nothing_else() {
        for (text, canonical) in [
            (" {\"b\" : [1.0, -0, 1E+2], \"a\":null}\n", "{\"a\":null,\"b\":[1.0,-0,1E+2]}"),
            ("\"\\u0041\\ud83d\\ude00\\/\\b\\u001f\"", "\"A\u{1f600}/\\b\\u001f\""),
            ("[]", "[]"),
            ("{}", "{}"),
        ] {
            assert_eq!(parse(text).unwrap().canonical(), canonical);
        }
        let wrong = [
            "",
            "[",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{1:2}",
            "{\"a\" 1}",
            "{\"a\":1,}",
            "01",
            "-",
            "1.",
            "1e",
            "+1",
            "nul",
            "NaN",
            "\"\\x\"",
            "\"\n\"",
            "\"",
            "\"\\u12g4\"",
            "\"\\u+123\"",
            "\"\\ud800\"",
            "\"\\ude00\\ud83d\"",
            "\"\\ud800\\u0041\"",
            "{\"a\":1,\"\\u0061\":2}",
            "1 1",
        ];
        for text in wrong {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn members_keep_their_text() {
        let members = raw_members(" { \"a\" : [ 1,  2 ] ,\"b\":\"\\u0041\"} ").unwrap();
        assert_eq!(members, BTreeMap::from([("a".to_owned(), "[ 1,  2 ]"), ("b".to_owned(), "\"\\u0041\"")]));
        assert!(raw_members("[]").is_err() && raw_members("{\"a\":1,\"a\":1}").is_err() && raw_members("{}1").is_err());
    }

    #[test]
    fn depth_has_a_limit() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(parse(&nested(128)).is_ok());
        assert!(parse(&nested(129)).is_err());
    }
}
