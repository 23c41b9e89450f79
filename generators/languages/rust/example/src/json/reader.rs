use super::{Text, Value};
use crate::error::Error;

/// What counts as JSON, and how much of it. Every dialect is strict UTF-8 without a byte order mark.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dialect {
    /// Whether `NaN`, `Infinity` and `-Infinity` are tokens of numbers.
    pub(crate) constants: bool,
    /// How many containers may be open at once.
    pub(crate) depth: usize,
}

impl Dialect {
    /// RFC 8259.
    pub(crate) const STRICT: Self = Self { constants: false, depth: 256 };
    /// Reads the constants too: numbers without a canonical form.
    pub(crate) const LAW: Self = Self { constants: true, depth: 256 };
    /// What Python's json module reads.
    pub(crate) const PYTHON: Self = Self { constants: true, depth: 994 };
}

/// The most bytes of one document.
const BYTES: usize = 512 << 20;

/// Reads a whole document.
pub(crate) fn parse(bytes: &[u8], dialect: Dialect) -> Result<Value, Error> {
    if bytes.len() > BYTES {
        return Err(Error::Limit);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Error::Syntax)?;
    let mut reader = Reader { text, at: 0, dialect, open: 0 };
    let value = reader.value()?;
    if reader.peek().is_some() { Err(Error::Syntax) } else { Ok(value) }
}

/// Descends recursively: the dialect's depth bounds it.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    dialect: Dialect,
    /// How many containers are open.
    open: usize,
}

impl Reader<'_> {
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

    fn take(&mut self, byte: u8) -> Result<(), Error> {
        if self.peek() != Some(byte) {
            return Err(Error::Syntax);
        }
        self.at += 1;
        Ok(())
    }

    fn value(&mut self) -> Result<Value, Error> {
        let constants = self.dialect.constants;
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'"') => self.string().map(Value::String),
            Some(b't') => self.word("true", Value::Bool(true)),
            Some(b'f') => self.word("false", Value::Bool(false)),
            Some(b'n') => self.word("null", Value::Null),
            Some(b'N') if constants => self.word("NaN", Value::Number("NaN".to_owned())),
            Some(b'I') if constants => self.word("Infinity", Value::Number("Infinity".to_owned())),
            Some(b'-') if constants && self.text.as_bytes().get(self.at + 1) == Some(&b'I') => {
                self.word("-Infinity", Value::Number("-Infinity".to_owned()))
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(Error::Syntax),
        }
    }

    fn word(&mut self, word: &str, value: Value) -> Result<Value, Error> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err(Error::Syntax);
        }
        self.at += word.len();
        Ok(value)
    }

    fn enter(&mut self) -> Result<(), Error> {
        if self.open == self.dialect.depth {
            return Err(Error::Limit);
        }
        self.at += 1;
        self.open += 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.at += 1;
        self.open -= 1;
    }

    fn object(&mut self) -> Result<Value, Error> {
        self.enter()?;
        let mut members = Vec::new();
        while self.peek() != Some(b'}') {
            if !members.is_empty() {
                self.take(b',')?;
            }
            if self.peek() != Some(b'"') {
                return Err(Error::Syntax);
            }
            let name = self.string()?;
            self.take(b':')?;
            members.push((name, self.value()?));
        }
        self.leave();
        Ok(Value::Object(members))
    }

    fn array(&mut self) -> Result<Value, Error> {
        self.enter()?;
        let mut items = Vec::new();
        while self.peek() != Some(b']') {
            if !items.is_empty() {
                self.take(b',')?;
            }
            items.push(self.value()?);
        }
        self.leave();
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
        if start == self.at { Err(Error::Syntax) } else { Ok(()) }
    }

    /// Decodes the string whose quote is the current byte.
    fn string(&mut self) -> Result<Text, Error> {
        self.at += 1;
        let mut text = Text::new();
        loop {
            match self.byte().ok_or(Error::Syntax)? {
                b'"' => {
                    self.at += 1;
                    return Ok(text);
                }
                b'\\' => self.escape(&mut text)?,
                0..0x20 => return Err(Error::Syntax),
                byte => {
                    text.push(byte);
                    self.at += 1;
                }
            }
        }
    }

    /// Decodes the escape whose backslash is the current byte.
    fn escape(&mut self, text: &mut Text) -> Result<(), Error> {
        let letter = self.text.as_bytes().get(self.at + 1).copied().ok_or(Error::Syntax)?;
        if letter != b'u' {
            let place = b"\"\\/bfnrt".iter().position(|known| *known == letter).ok_or(Error::Syntax)?;
            text.push(b"\"\\/\x08\x0c\n\r\t"[place]);
            self.at += 2;
            return Ok(());
        }
        let first = self.unit().ok_or(Error::Syntax)?;
        self.at += 6;
        let second = if (0xd800..0xdc00).contains(&first) { self.unit() } else { None };
        match char::decode_utf16([first].into_iter().chain(second)).next() {
            Some(Ok(letter)) => {
                self.at += 6 * (letter.len_utf16() - 1);
                text.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            }
            // A replacement character would make one of two different strings.
            _ => {
                text.extend([0xe0 | first >> 12, 0x80 | first >> 6 & 0x3f, 0x80 | first & 0x3f].map(|byte| byte as u8))
            }
        }
        Ok(())
    }

    /// The unit of the `\u` escape that is the current byte, if one is.
    fn unit(&self) -> Option<u16> {
        let digits = self.text.as_bytes().get(self.at..self.at + 6)?.strip_prefix(b"\\u")?;
        digits.iter().try_fold(0, |unit, digit| {
            let digit = char::from(*digit).to_digit(16)?;
            Some(unit << 4 | u16::try_from(digit).ok()?)
        })
    }
}
