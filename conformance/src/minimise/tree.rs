//! A JSON text as a tree that keeps every token: number spellings, escapes, repeated names, even bytes that are not UTF-8.
//!
//! Only white space between tokens is lost. It judges nothing: a word like `NaN` or `tru` is a token too.

use std::ops::Range;

/// Texts that are nested deeper stay bytes.
const DEPTH: usize = 400;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tree {
    /// A string with its quotes, a number, or a word.
    Token(Vec<u8>),
    /// An array.
    Array(Vec<Tree>),
    /// An object: names with their quotes, in their order.
    Object(Vec<(Vec<u8>, Tree)>),
}

impl Tree {
    /// Reads a text; nothing where its brackets, commas or quotes do not match.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let mut reader = Reader { rest: text };
        let tree = reader.value(DEPTH)?;
        reader.skip();
        reader.rest.is_empty().then_some(tree)
    }

    /// The tokens without white space.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.write(&mut bytes);
        bytes
    }

    fn write(&self, into: &mut Vec<u8>) {
        match self {
            Self::Token(token) => into.extend_from_slice(token),
            Self::Array(items) => {
                into.push(b'[');
                for (place, item) in items.iter().enumerate() {
                    if place > 0 {
                        into.push(b',');
                    }
                    item.write(into);
                }
                into.push(b']');
            }
            Self::Object(members) => {
                into.push(b'{');
                for (place, (name, member)) in members.iter().enumerate() {
                    if place > 0 {
                        into.push(b',');
                    }
                    into.extend_from_slice(name);
                    into.push(b':');
                    member.write(into);
                }
                into.push(b'}');
            }
        }
    }

    /// Number of bytes of the text.
    pub(super) fn size(&self) -> usize {
        let commas = |count: usize| count.saturating_sub(1) + 2;
        match self {
            Self::Token(token) => token.len(),
            Self::Array(items) => items.iter().map(Self::size).sum::<usize>() + commas(items.len()),
            Self::Object(members) => {
                let sizes = members.iter().map(|(name, member)| name.len() + 1 + member.size());
                sizes.sum::<usize>() + commas(members.len())
            }
        }
    }

    /// Number of elements or members; nothing for a token.
    pub(super) fn children(&self) -> Option<usize> {
        match self {
            Self::Token(_) => None,
            Self::Array(items) => Some(items.len()),
            Self::Object(members) => Some(members.len()),
        }
    }

    /// An element or a member.
    pub(super) fn child(&self, place: usize) -> Option<&Self> {
        match self {
            Self::Token(_) => None,
            Self::Array(items) => items.get(place),
            Self::Object(members) => members.get(place).map(|(_, member)| member),
        }
    }

    /// The name of a member, with its quotes.
    pub(super) fn name(&self, place: usize) -> Option<&[u8]> {
        if let Self::Object(members) = self { members.get(place).map(|(name, _)| name.as_slice()) } else { None }
    }

    /// The value at a path of places.
    pub(super) fn at(&self, path: &[usize]) -> Option<&Self> {
        path.iter().try_fold(self, |tree, place| tree.child(*place))
    }

    /// The same, to change it.
    pub(super) fn at_mut(&mut self, path: &[usize]) -> Option<&mut Self> {
        path.iter().try_fold(self, |tree, place| match tree {
            Self::Token(_) => None,
            Self::Array(items) => items.get_mut(*place),
            Self::Object(members) => members.get_mut(*place).map(|(_, member)| member),
        })
    }

    /// Leaves out elements, members, or the parts of a token.
    pub(super) fn cut(&mut self, range: Range<usize>) {
        match self {
            Self::Token(token) => *token = without(token, range),
            Self::Array(items) if range.end <= items.len() => drop(items.drain(range)),
            Self::Object(members) if range.end <= members.len() => drop(members.drain(range)),
            _ => {}
        }
    }
}

/// The parts of a token that can be left out one by one: letters and escapes of a string, or single bytes.
pub(super) fn parts(token: &[u8]) -> Vec<Range<usize>> {
    let quoted = token.len() >= 2 && token.first() == Some(&b'"');
    let (mut at, end) = if quoted { (1, token.len() - 1) } else { (0, token.len()) };
    let mut parts = Vec::new();
    while at < end {
        let length = match (token.get(at), token.get(at + 1)) {
            (Some(b'\\'), Some(b'u')) if quoted => 6,
            (Some(b'\\'), _) if quoted => 2,
            (Some(0xc0..), _) if quoted => {
                let rest = token.get(at + 1..end).unwrap_or_default();
                1 + rest.iter().take_while(|byte| (0x80..0xc0).contains(*byte)).count()
            }
            _ => 1,
        };
        let next = (at + length).min(end);
        parts.push(at..next);
        at = next;
    }
    parts
}

/// A token without some of its parts.
pub(super) fn without(token: &[u8], range: Range<usize>) -> Vec<u8> {
    let parts = parts(token);
    let bounds = parts.get(range).and_then(|cut| Some(cut.first()?.start..cut.last()?.end));
    let mut token = token.to_vec();
    if let Some(bounds) = bounds {
        token.drain(bounds);
    }
    token
}

struct Reader<'t> {
    rest: &'t [u8],
}

impl<'t> Reader<'t> {
    fn skip(&mut self) {
        while let [b' ' | b'\t' | b'\n' | b'\r', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        self.skip();
        match self.rest.split_first() {
            Some((first, rest)) if *first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    fn value(&mut self, depth: usize) -> Option<Tree> {
        if self.take(b'[') {
            return self.list(b']', depth, |reader| reader.value(depth - 1)).map(Tree::Array);
        }
        if self.take(b'{') {
            let members = self.list(b'}', depth, |reader| {
                let name = reader.string()?;
                if reader.take(b':') { Some((name, reader.value(depth - 1)?)) } else { None }
            });
            return members.map(Tree::Object);
        }
        match self.rest.first()? {
            b'"' => self.string().map(Tree::Token),
            _ => self.word().map(Tree::Token),
        }
    }

    fn list<T>(&mut self, end: u8, depth: usize, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut items = Vec::new();
        if depth == 0 {
            return None;
        }
        if self.take(end) {
            return Some(items);
        }
        loop {
            items.push(read(self)?);
            if self.take(end) {
                return Some(items);
            }
            if !self.take(b',') {
                return None;
            }
        }
    }

    fn string(&mut self) -> Option<Vec<u8>> {
        self.skip();
        if self.rest.first() != Some(&b'"') {
            return None;
        }
        let mut escaped = false;
        let end = self.rest.iter().skip(1).position(|byte| {
            let ends = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            ends
        })?;
        self.token(end + 2)
    }

    fn word(&mut self) -> Option<Vec<u8>> {
        let marks = b" \t\n\r[]{}:,\"";
        let length = self.rest.iter().position(|byte| marks.contains(byte)).unwrap_or(self.rest.len());
        if length == 0 { None } else { self.token(length) }
    }

    fn token(&mut self, length: usize) -> Option<Vec<u8>> {
        let (token, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(token.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_survive() {
        for text in [
            br#"{"b":-0,"a":[1.0,1E+2,NaN,tru],"b":"\ud800 \" , }"}"#.as_slice(),
            b"\"\xff\"",
            b"[]",
            b"{}",
            b"[[],{}]",
            br#""\\""#,
        ] {
            let tree = Tree::parse(text).unwrap();
            assert_eq!(tree.bytes(), text);
            assert_eq!(tree.size(), text.len());
        }
        assert_eq!(Tree::parse(b" [ 1 ,\t{ \"a\" : 2 }\n] ").unwrap().bytes(), br#"[1,{"a":2}]"#);
    }

    #[test]
    fn what_does_not_hold_together_is_no_tree() {
        let deep = "[".repeat(DEPTH + 1) + &"]".repeat(DEPTH + 1);
        for text in ["", "[1", "[1,]", "{1:2}", "\"a", "1 2", "{\"a\"}", "[1}", deep.as_str()] {
            assert_eq!(Tree::parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_token_has_parts() {
        let text = |token: &str, range| String::from_utf8(without(token.as_bytes(), range)).unwrap();
        assert_eq!(parts("\"a\\u00e9\\n\u{e9}\"".as_bytes()).len(), 4);
        assert_eq!(text("\"a\\u00e9\\n\u{e9}\"", 1..3), "\"a\u{e9}\"");
        assert_eq!(text("\"ab\"", 0..2), "\"\"");
        assert_eq!(text("1.50", 3..4), "1.5");
        assert_eq!(text("\"\"", 0..1), "\"\"");
    }

    #[test]
    fn cuts_at_a_path() {
        let mut tree = Tree::parse(br#"{"a":[1,2,3],"b":{"c":4}}"#).unwrap();
        tree.at_mut(&[0]).unwrap().cut(1..2);
        assert_eq!(tree.bytes(), br#"{"a":[1,3],"b":{"c":4}}"#);
        assert_eq!((tree.name(1), tree.at(&[1, 0])), (Some(br#""b""#.as_slice()), Some(&Tree::Token(b"4".to_vec()))));
        tree.cut(0..1);
        assert_eq!(tree.bytes(), br#"{"b":{"c":4}}"#);
    }
}
