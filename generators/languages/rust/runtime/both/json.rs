//! JSON as judge and protocol read it: number tokens stay as they are spelled; a repeated name and a lone surrogate are
//! errors.

mod reader;

use std::collections::BTreeMap;

pub use reader::{parse, raw_members};

/// One JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `true`, `false` or `null`.
    Literal(&'static str),
    /// The token of a number.
    Number(String),
    /// A string after decoding.
    String(String),
    /// An array.
    Array(Vec<Value>),
    /// An object, by its names in the order of their code points, which is that of their bytes.
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// A string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// An array of strings.
    #[must_use]
    pub fn strings(&self) -> Option<Vec<String>> {
        let Self::Array(items) = self else { return None };
        items.iter().map(|item| item.text().map(str::to_owned)).collect()
    }

    /// The member of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        if let Self::Object(members) = self { members.get(name) } else { None }
    }

    /// The one text of a value: names in order, no white space, the shortest escapes, tokens as they stand.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, to: &mut String) {
        match self {
            Self::Literal(word) => to.push_str(word),
            Self::Number(token) => to.push_str(token),
            Self::String(text) => quote(to, text),
            Self::Array(items) => {
                to.push('[');
                for (index, item) in items.iter().enumerate() {
                    to.push_str(if index == 0 { "" } else { "," });
                    item.write(to);
                }
                to.push(']');
            }
            Self::Object(members) => {
                to.push('{');
                for (index, (name, member)) in members.iter().enumerate() {
                    to.push_str(if index == 0 { "" } else { "," });
                    quote(to, name);
                    to.push(':');
                    member.write(to);
                }
                to.push('}');
            }
        }
    }

    /// The value that the tokens of a pointer lead to. Digits are an index in an array and a name in an object.
    #[must_use]
    pub fn find(&self, tokens: &[String]) -> Option<&Self> {
        let Some((token, rest)) = tokens.split_first() else { return Some(self) };
        let inside = match self {
            Self::Object(members) => members.get(token),
            Self::Array(items) => token
                .parse::<usize>()
                .ok()
                .filter(|index| index.to_string() == *token)
                .and_then(|index| items.get(index)),
            _ => None,
        };
        inside?.find(rest)
    }
}

/// The text of a string.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut to = String::with_capacity(text.len() + 2);
    quote(&mut to, text);
    to
}

fn quote(to: &mut String, text: &str) {
    to.push('"');
    for letter in text.chars() {
        match letter {
            '"' => to.push_str("\\\""),
            '\\' => to.push_str("\\\\"),
            '\u{8}' => to.push_str("\\b"),
            '\u{c}' => to.push_str("\\f"),
            '\n' => to.push_str("\\n"),
            '\r' => to.push_str("\\r"),
            '\t' => to.push_str("\\t"),
            letter if letter < ' ' => to.push_str(&format!("\\u{:04x}", u32::from(letter))),
            letter => to.push(letter),
        }
    }
    to.push('"');
}

/// The tokens of a JSON Pointer.
#[must_use]
pub fn tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect()
}
