//! A JSON text as its tokens: what a relation rewrites, with everything else left as it was spelled.
//!
//! It reads more than JSON (any word for a number, half a surrogate pair), since cases are about what is nearly JSON too. It
//! judges nothing and shares no code with the verifier.

use std::fmt::Write as _;

use crate::node::{DEPTH, Node};

/// A value of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tree {
    /// A number, a literal, or another word.
    Word(String),
    /// A string.
    Text(Text),
    /// An array.
    Array(Vec<Tree>),
    /// An object: members in their order, repeated names included.
    Object(Vec<(Text, Tree)>),
}

/// A string: how it is spelled, and what it says if that is a sequence of code points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    /// The token, quotes included.
    pub(super) raw: String,
    /// What it says.
    pub(super) says: Option<String>,
}

impl Text {
    pub(super) fn new(says: &str) -> Self {
        Self { raw: quoted(says), says: Some(says.to_owned()) }
    }

    /// Says something else.
    pub(super) fn say(&mut self, says: &str) {
        *self = Self::new(says);
    }

    /// What it says; nothing for half a pair.
    pub(super) fn says(&self) -> &str {
        self.says.as_deref().unwrap_or_default()
    }
}

/// A string as JSON, with as few escapes as can be.
pub(super) fn quoted(says: &str) -> String {
    serde_json::Value::from(says).to_string()
}

impl Tree {
    /// Reads a text that is one value of JSON's structure.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { text, at: 0 };
        let tree = reader.value(0)?;
        reader.blank();
        (reader.at == text.len()).then_some(tree)
    }

    /// A string.
    pub(super) fn text(says: &str) -> Self {
        Self::Text(Text::new(says))
    }

    /// The text without white space.
    pub(super) fn print(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Word(word) => out.push_str(word),
            Self::Text(text) => out.push_str(&text.raw),
            Self::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (index, (name, member)) in members.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    let _ = write!(out, "{}:", name.raw);
                    member.write(out);
                }
                out.push('}');
            }
        }
    }

    /// The canonical text by code points, where there is one: a lawful JSON value without a repeated name.
    pub(super) fn canonical(&self) -> Option<String> {
        Some(self.node()?.canonical())
    }

    /// The value as a reader has it, where all read it in one way.
    pub(super) fn node(&self) -> Option<Node> {
        Node::parse(&self.print()).ok()
    }

    /// The member of a name that stands there once.
    pub(super) fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        let mut found = members.iter().filter(|(text, _)| text.says.as_deref() == Some(name));
        let (_, member) = found.next()?;
        found.next().is_none().then_some(member)
    }

    /// The same, to be changed.
    pub(super) fn member_mut(&mut self, name: &str) -> Option<&mut Self> {
        self.member(name)?;
        let Self::Object(members) = self else { return None };
        members.iter_mut().find(|(text, _)| text.says.as_deref() == Some(name)).map(|(_, member)| member)
    }

    /// What a string says.
    pub(super) fn says(&self) -> Option<&str> {
        match self {
            Self::Text(text) => text.says.as_deref(),
            _ => None,
        }
    }

    /// The items of an array.
    pub(super) fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The members of an object.
    pub(super) fn members(&self) -> &[(Text, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// Calls for this value and every one below it, with the name of the member that holds it or its array.
    pub(super) fn each<'t>(&'t self, name: &'t str, call: &mut impl FnMut(&'t str, &'t Self)) {
        call(name, self);
        match self {
            Self::Array(items) => items.iter().for_each(|item| item.each(name, call)),
            Self::Object(members) => members.iter().for_each(|(name, member)| member.each(name.says(), call)),
            _ => {}
        }
    }

    /// The same, to be changed; a value is visited before those below it.
    pub(super) fn each_mut(&mut self, name: &str, call: &mut impl FnMut(&str, &mut Self)) {
        call(name, self);
        match self {
            Self::Array(items) => items.iter_mut().for_each(|item| item.each_mut(name, call)),
            Self::Object(members) => {
                for (name, member) in members {
                    member.each_mut(name.says.as_deref().unwrap_or_default(), call);
                }
            }
            _ => {}
        }
    }

    /// Whether it is JSON of RFC 8259 that every reader reads in one way: no repeated name, no half pair, no other word.
    pub(super) fn is_plain(&self) -> bool {
        Node::parse(&self.print()).is_ok()
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        self.blank();
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn value(&mut self, depth: usize) -> Option<Tree> {
        if depth > DEPTH {
            return None;
        }
        self.blank();
        match self.peek()? {
            b'"' => self.string().map(Tree::Text),
            b'[' => {
                self.at += 1;
                let mut items = Vec::new();
                if self.take(b']').is_some() {
                    return Some(Tree::Array(items));
                }
                loop {
                    items.push(self.value(depth + 1)?);
                    if self.take(b',').is_none() {
                        return self.take(b']').map(|()| Tree::Array(items));
                    }
                }
            }
            b'{' => {
                self.at += 1;
                let mut members = Vec::new();
                if self.take(b'}').is_some() {
                    return Some(Tree::Object(members));
                }
                loop {
                    self.blank();
                    let name = (self.peek()? == b'"').then(|| self.string())??;
                    self.take(b':')?;
                    members.push((name, self.value(depth + 1)?));
                    if self.take(b',').is_none() {
                        return self.take(b'}').map(|()| Tree::Object(members));
                    }
                }
            }
            _ => {
                let start = self.at;
                while matches!(self.peek(), Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'+' | b'-' | b'.')) {
                    self.at += 1;
                }
                self.text.get(start..self.at).filter(|word| !word.is_empty()).map(|word| Tree::Word(word.to_owned()))
            }
        }
    }

    fn string(&mut self) -> Option<Text> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                0..=0x1f => return None,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        let raw = self.text.get(start..self.at)?;
        let says = serde_json::from_str(raw).ok();
        // What does not decode may be half a pair; any other escape that nobody knows is not a string.
        let escapes = raw.replace("\\u", "");
        if says.is_none() && serde_json::from_str::<String>(&escapes).is_err() {
            return None;
        }
        Some(Text { raw: raw.to_owned(), says })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_stays_as_it_is_spelled() {
        for text in
            [r#"{"b":-0,"a":[1.0,NaN,"\u0041\/","\ud800"],"b":null}"#, "[]", "{}", "\"x\"", "1e400", r#"[{"":[]}]"#]
        {
            assert_eq!(Tree::parse(text).unwrap().print(), text);
        }
        assert_eq!(Tree::parse(" [ 1 , { \"a\" : 2 } ] ").unwrap().print(), r#"[1,{"a":2}]"#);
    }

    #[test]
    fn what_has_no_structure_is_not_read() {
        for text in ["", "[1,]", "[1", "{\"a\"}", "1 2", "[\"\n\"]", "\"\\x\"", "[,]", "{1:2}", "\"a"] {
            assert_eq!(Tree::parse(text), None, "{text}");
        }
        assert_eq!(Tree::parse(&("[".repeat(300) + &"]".repeat(300))), None);
    }

    #[test]
    fn plain_is_what_every_reader_reads() {
        let plain = |text: &str| Tree::parse(text).unwrap().is_plain();
        assert!(plain(r#"{"a":[1,"é"]}"#));
        assert!(!plain(r#"{"a":1,"a":2}"#) && !plain("[NaN]") && !plain(r#"["\ud800"]"#) && !plain("[01]"));
        assert_eq!(Tree::parse(r#"{"b":1,"a":[{}]}"#).unwrap().canonical().unwrap(), r#"{"a":[{}],"b":1}"#);
    }
}
