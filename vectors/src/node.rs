//! A JSON value that keeps number tokens as they stand: what expectations and answers are compared as.
//!
//! It reads with `serde_json`, which is for what is not a judged document. It shares no code with the verifier's reader
//! or writer, so that a fault in those cannot hide itself. It does not keep white space, escapes or member order: where
//! those matter, compare text.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{MapAccess, Visitor},
    ser::Error as _,
};
use serde_json::value::RawValue;
use thiserror::Error;

/// The deepest nesting that is read; the outermost container is level 1.
pub const DEPTH: usize = 128;

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, by its token: `1`, `1.0` and `1e0` are three different ones.
    Number(String),
    /// A string, decoded.
    Text(String),
    /// An array.
    Array(Vec<Node>),
    /// An object; names are unique, and sorted as UTF-8 bytes, which is code point order.
    Object(BTreeMap<String, Node>),
}

/// Why a text is not a node.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("at {}: {message}", if .pointer.is_empty() { "the top" } else { .pointer })]
pub struct NodeError {
    /// JSON Pointer of the value at fault.
    pub pointer: String,
    /// What is wrong with it.
    pub message: String,
}

impl Node {
    /// Reads one JSON text.
    ///
    /// # Errors
    /// Not JSON, a duplicate name, a lone surrogate, or nested deeper than [`DEPTH`].
    pub fn parse(text: &str) -> Result<Self, NodeError> {
        let raw = read::<&RawValue>(text, "")?;
        Self::read(raw.get(), &mut String::new(), 1)
    }

    fn read(text: &str, pointer: &mut String, depth: usize) -> Result<Self, NodeError> {
        let text = text.trim_matches([' ', '\t', '\n', '\r']);
        let first = text.as_bytes().first().copied();
        if matches!(first, Some(b'[' | b'{')) && depth > DEPTH {
            return Err(NodeError { pointer: pointer.clone(), message: format!("nested deeper than {DEPTH} levels") });
        }
        Ok(match first {
            Some(b'{') => {
                let mut members = BTreeMap::new();
                for (name, raw) in read::<Members<'_>>(text, pointer)?.0 {
                    let length = push(pointer, &name);
                    let node = Self::read(raw.get(), pointer, depth + 1)?;
                    if members.insert(name, node).is_some() {
                        return Err(NodeError { pointer: pointer.clone(), message: "duplicate name".to_owned() });
                    }
                    pointer.truncate(length);
                }
                Self::Object(members)
            }
            Some(b'[') => {
                let mut items = Vec::new();
                for raw in read::<Vec<&RawValue>>(text, pointer)? {
                    let length = push(pointer, &items.len().to_string());
                    items.push(Self::read(raw.get(), pointer, depth + 1)?);
                    pointer.truncate(length);
                }
                Self::Array(items)
            }
            Some(b'"') => Self::Text(read(text, pointer)?),
            Some(b't' | b'f') => Self::Bool(read(text, pointer)?),
            Some(b'n') => Self::Null,
            _ => Self::Number(text.to_owned()),
        })
    }

    /// The canonical text: members by name as UTF-8 bytes, no white space, shortest escapes, number tokens as they stand.
    #[must_use]
    pub fn canonical(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Null => text.push_str("null"),
            Self::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
            Self::Number(token) => text.push_str(token),
            Self::Text(value) => quote(value, text),
            Self::Array(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        text.push(',');
                    }
                    item.write(text);
                }
                text.push(']');
            }
            Self::Object(members) => write_object(members.iter().map(|(name, member)| (name.as_str(), member)), text),
        }
    }

    /// The canonical text of an object of these members, which come sorted as those of an object do.
    pub(crate) fn canonical_object<'n>(members: impl Iterator<Item = (&'n str, &'n Self)>) -> String {
        let mut text = String::new();
        write_object(members, &mut text);
        text
    }

    /// The member of this name, when this is an object that has one.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.get(name),
            _ => None,
        }
    }

    /// The text, when this is a string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical())
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.canonical()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl From<&serde_json::Value> for Node {
    fn from(value: &serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(number) => Self::Number(number.to_string()),
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.iter().map(|(name, member)| (name.clone(), Self::from(member))).collect())
            }
        }
    }
}

/// Appends a segment to a JSON Pointer and gives the length to truncate back to.
pub fn push(pointer: &mut String, segment: &str) -> usize {
    let length = pointer.len();
    pointer.push('/');
    for letter in segment.chars() {
        match letter {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
    length
}

fn write_object<'n>(members: impl Iterator<Item = (&'n str, &'n Node)>, text: &mut String) {
    text.push('{');
    for (index, (name, member)) in members.enumerate() {
        if index > 0 {
            text.push(',');
        }
        quote(name, text);
        text.push(':');
        member.write(text);
    }
    text.push('}');
}

fn quote(value: &str, text: &mut String) {
    // A string has a text whatever stands in it.
    text.push_str(&serde_json::to_string(value).unwrap_or_default());
}

fn read<'t, T: Deserialize<'t>>(text: &'t str, pointer: &str) -> Result<T, NodeError> {
    serde_json::from_str(text).map_err(|error| NodeError { pointer: pointer.to_owned(), message: error.to_string() })
}

/// The members of one object, in their order and with duplicates.
pub(crate) struct Members<'t>(pub(crate) Vec<(String, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<String, &'de RawValue>()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_number_tokens() {
        let node = Node::parse(" [1, 1.0, -0, 1e2, 36893488147419103232] ").unwrap();
        assert_eq!(node.canonical(), "[1,1.0,-0,1e2,36893488147419103232]");
        assert_ne!(Node::parse("1").unwrap(), Node::parse("1.0").unwrap());
    }

    #[test]
    fn sorts_members_by_code_point_and_escapes_shortly() {
        let node = Node::parse("{\"\u{ff61}\":1,\"\\ud83d\\ude00\":2,\"a\":\"\\u0001\\n\\/\\u00e9\\u007f\"}").unwrap();
        assert_eq!(node.canonical(), "{\"a\":\"\\u0001\\n/\u{e9}\u{7f}\",\"\u{ff61}\":1,\"\u{1f600}\":2}");
    }

    #[test]
    fn refuses_what_two_readers_could_read_differently() {
        let duplicate = Node::parse("{\"a\":{\"b/c\":1,\"b/c\":1}}").unwrap_err();
        assert_eq!((duplicate.pointer.as_str(), duplicate.message.as_str()), ("/a/b~1c", "duplicate name"));
        assert_eq!(Node::parse("[\"\\ud800\"]").unwrap_err().pointer, "/0");
        for text in ["", "NaN", "01", "[1,]", "{} {}", "'a'"] {
            assert!(Node::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bounds_depth() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(Node::parse(&nested(DEPTH)).is_ok());
        assert!(Node::parse(&nested(DEPTH + 1)).is_err());
        assert!(Node::parse(&nested(20_000)).is_err());
    }
}
