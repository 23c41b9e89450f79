//! JSON values in the four canonical forms.

mod number;

use std::{cmp::Ordering, str};

use crate::{
    error::Error,
    json::{Dialect, Text, Value, parse},
};

/// One canonical form: everything in which the four differ.
#[derive(Clone, Copy)]
pub(crate) struct Profile {
    dialect: Dialect,
    compare: fn(&Text, &Text) -> Ordering,
    number: fn(&str) -> Result<String, Error>,
    last_wins: bool,
}

/// Code point order, integers of any size, nothing else.
pub(crate) const SOVEREIGN: Profile =
    Profile { dialect: Dialect::LAW, compare: by_code_point, number: number::sovereign, last_wins: false };

/// RFC 8785: every number is a double.
const RFC8785: Profile =
    Profile { dialect: Dialect::STRICT, compare: by_utf16, number: number::rfc8785, last_wins: false };

/// RFC 8785 with integers up to 2^53-1.
const EPISODE: Profile =
    Profile { dialect: Dialect::STRICT, compare: by_utf16, number: number::episode, last_wins: false };

/// Code point order, integers of any size, floats as Python prints them; of repeated names the last one stands.
pub(crate) const AUTHORITY: Profile =
    Profile { dialect: Dialect::PYTHON, compare: by_code_point, number: number::authority, last_wins: true };

/// The profile that operations call so.
pub(crate) fn by_name(name: &str) -> Option<Profile> {
    match name {
        "rfc8785" => Some(RFC8785),
        "episode" => Some(EPISODE),
        "sovereign" => Some(SOVEREIGN),
        "authority" => Some(AUTHORITY),
        _ => None,
    }
}

impl Profile {
    /// Reads a document in the profile's dialect; its canonical bytes.
    pub(crate) fn document(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        self.bytes(&parse(bytes, self.dialect)?)
    }

    /// The canonical bytes of a value.
    pub(crate) fn bytes(&self, value: &Value) -> Result<Vec<u8>, Error> {
        let mut to = Vec::new();
        self.write(&mut to, value)?;
        Ok(to)
    }

    /// A number in its canonical form.
    pub(crate) fn number(&self, token: &str) -> Result<String, Error> {
        (self.number)(token)
    }

    fn write(&self, to: &mut Vec<u8>, value: &Value) -> Result<(), Error> {
        match value {
            Value::Null => to.extend_from_slice(b"null"),
            Value::Bool(value) => to.extend_from_slice(value.to_string().as_bytes()),
            Value::Number(token) => to.extend_from_slice(self.number(token)?.as_bytes()),
            Value::String(text) => write_string(to, text)?,
            Value::Array(items) => {
                to.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    to.extend_from_slice(if index == 0 { b"" } else { b"," });
                    self.write(to, item)?;
                }
                to.push(b']');
            }
            Value::Object(members) => {
                to.push(b'{');
                for (index, (name, member)) in self.sorted(members)?.into_iter().enumerate() {
                    to.extend_from_slice(if index == 0 { b"" } else { b"," });
                    write_string(to, name)?;
                    to.push(b':');
                    self.write(to, member)?;
                }
                to.push(b'}');
            }
        }
        Ok(())
    }

    /// Members in order of their names, which are compared after decoding, and what a repeated name means.
    fn sorted<'m>(&self, members: &'m [(Text, Value)]) -> Result<Vec<&'m (Text, Value)>, Error> {
        let mut sorted: Vec<&(Text, Value)> = members.iter().collect();
        sorted.sort_by(|a, b| (self.compare)(&a.0, &b.0));
        let mut kept: Vec<&(Text, Value)> = Vec::with_capacity(sorted.len());
        for member in sorted {
            if kept.last().is_some_and(|last| last.0 == member.0) {
                if !self.last_wins {
                    return Err(Error::Value);
                }
                kept.pop();
            }
            kept.push(member);
        }
        Ok(kept)
    }
}

/// The order of the bytes of UTF-8 is that of the code points.
fn by_code_point(a: &Text, b: &Text) -> Ordering {
    a.cmp(b)
}

/// Puts characters beyond the BMP before U+E000 to U+FFFF. What is not UTF-8 has no canonical form, wherever it stands.
fn by_utf16(a: &Text, b: &Text) -> Ordering {
    match (str::from_utf8(a), str::from_utf8(b)) {
        (Ok(a), Ok(b)) => a.encode_utf16().cmp(b.encode_utf16()),
        _ => a.cmp(b),
    }
}

/// Escapes the quote, the backslash and U+0000 to U+001F, and nothing else.
fn write_string(to: &mut Vec<u8>, text: &[u8]) -> Result<(), Error> {
    // Of what was read as UTF-8, a lone surrogate alone is none.
    let text = str::from_utf8(text).map_err(|_| Error::Value)?;
    to.push(b'"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => to.extend([b'\\', byte]),
            b'\x08' => to.extend_from_slice(b"\\b"),
            b'\t' => to.extend_from_slice(b"\\t"),
            b'\n' => to.extend_from_slice(b"\\n"),
            b'\x0c' => to.extend_from_slice(b"\\f"),
            b'\r' => to.extend_from_slice(b"\\r"),
            0..0x20 => to.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => to.push(byte),
        }
    }
    to.push(b'"');
    Ok(())
}
