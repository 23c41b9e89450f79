//! What the verifier's reader makes of a text, written in the lines in which the oracle writes Python's.

use std::collections::BTreeMap;
use std::fmt;

use assize_verifier::json::{
    Dialect, Document, JsonErrorKind, JsonStr, Kind, NodeRef, NumberToken, RawString, Reader, Scalar, Sink,
};

/// The verifier's ways of reading: they share a tokenizer, and each has steps of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The arena, `Document`.
    Tree,
    /// One walk over the whole text, `Reader::document`.
    Parsed,
    /// Member by member, `Reader::next_key` and the like.
    Pulled,
}

impl Way {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Tree, Self::Parsed, Self::Pulled];
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tree => "a tree",
            Self::Parsed => "a walk",
            Self::Pulled => "members",
        })
    }
}

/// One answer of the verifier's reader.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// How it was read.
    pub way: Way,
    /// The lines of the spelling, or why the text is not of the dialect.
    pub spelling: Result<String, JsonErrorKind>,
    /// The lines of the value, with the last of repeated names: only a tree has it.
    pub value: Option<String>,
}

impl Transcript {
    /// Reads a text in a dialect.
    #[must_use]
    pub fn by_verifier(way: Way, text: &[u8], dialect: &Dialect) -> Self {
        let mut lines = Lines::default();
        let (read, value) = match way {
            Way::Tree => match Document::parse(text, dialect) {
                Ok(document) => {
                    lines.tree(document.root(), false);
                    let mut value = Lines::default();
                    value.tree(document.root(), true);
                    (Ok(()), Some(value.0))
                }
                Err(error) => (Err(error.kind), None),
            },
            Way::Parsed => {
                let read = Reader::new(text, dialect).and_then(|mut reader| reader.document(&mut lines));
                (read.map_err(|error| error.kind), None)
            }
            Way::Pulled => (lines.pull(text, dialect), None),
        };
        Self { way, spelling: read.map(|()| lines.0), value }
    }
}

/// Lines without a line feed after the last.
#[derive(Debug, Default)]
struct Lines(String);

/// What is still to be written of a tree.
enum Pending<'d> {
    Value(NodeRef<'d>),
    Name(JsonStr<'d>),
    End(&'static str),
}

impl Lines {
    fn line(&mut self, line: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(line);
    }

    fn string(&mut self, sign: char, text: &JsonStr<'_>) {
        let mut line = String::from(sign);
        line.extend(text.as_bytes().iter().map(|octet| format!("{octet:02x}")));
        self.line(&line);
    }

    /// A number by its token, or by its value alone.
    fn number(&mut self, token: NumberToken<'_>, by_value: bool) {
        let value = token.to_f64();
        let line = match (token.float, by_value) {
            (false, true) if token.text == "-0" => "i0".to_owned(),
            (false, _) => format!("i{}", token.text),
            (true, _) => {
                let bits = if value.is_nan() { "nan".to_owned() } else { format!("{:016x}", value.to_bits()) };
                if by_value { format!("f{bits}") } else { format!("f{bits} {}", token.text) }
            }
        };
        self.line(&line);
    }

    /// A document's node, without recursion: nesting must not matter here.
    fn tree(&mut self, root: NodeRef<'_>, by_value: bool) {
        let mut pending = vec![Pending::Value(root)];
        while let Some(next) = pending.pop() {
            let node = match next {
                Pending::Value(node) => node,
                Pending::Name(name) => {
                    self.string('n', &name);
                    continue;
                }
                Pending::End(bracket) => {
                    self.line(bracket);
                    continue;
                }
            };
            match node.kind() {
                Kind::Object => {
                    self.line("{");
                    pending.push(Pending::End("}"));
                    let members = if by_value { survivors(node) } else { members(node) };
                    for (name, value) in members.into_iter().rev() {
                        pending.extend([Pending::Value(value), Pending::Name(name)]);
                    }
                }
                Kind::Array => {
                    self.line("[");
                    pending.push(Pending::End("]"));
                    let from = pending.len();
                    pending.extend(node.elements().map(Pending::Value));
                    if let Some(elements) = pending.get_mut(from..) {
                        elements.reverse();
                    }
                }
                Kind::String => {
                    if let Some(text) = node.as_string() {
                        self.string('s', &text);
                    }
                }
                Kind::Number => {
                    if let Some(token) = node.as_number() {
                        self.number(token, by_value);
                    }
                }
                Kind::True => self.line("true"),
                Kind::False => self.line("false"),
                Kind::Null => self.line("null"),
            }
        }
    }

    fn pull(&mut self, text: &[u8], dialect: &Dialect) -> Result<(), JsonErrorKind> {
        let mut reader = Reader::new(text, dialect).map_err(|error| error.kind)?;
        // Open containers: whether an object, and whether nothing of it has been read.
        let mut open: Vec<(bool, bool)> = Vec::new();
        loop {
            match reader.peek_value()? {
                b'{' => {
                    reader.enter_object()?;
                    self.line("{");
                    open.push((true, true));
                }
                b'[' => {
                    reader.enter_array()?;
                    self.line("[");
                    open.push((false, true));
                }
                _ => reader.parse(self)?,
            }
            loop {
                let Some((object, first)) = open.last_mut() else { return reader.finish() };
                let first = std::mem::take(first);
                if *object {
                    if let Some(name) = reader.next_key(first)? {
                        self.string('n', &name.decode());
                        break;
                    }
                    self.line("}");
                } else {
                    if reader.next_element(first)? {
                        break;
                    }
                    self.line("]");
                }
                open.pop();
            }
        }
    }
}

fn members<'d>(object: NodeRef<'d>) -> Vec<(JsonStr<'d>, NodeRef<'d>)> {
    object.members().map(|(name, value)| (name.decode(), value)).collect()
}

/// The members that Python keeps: each name where it stood first, with the value that it had last.
fn survivors<'d>(object: NodeRef<'d>) -> Vec<(JsonStr<'d>, NodeRef<'d>)> {
    let mut kept: Vec<(JsonStr<'d>, NodeRef<'d>)> = Vec::new();
    let mut places = BTreeMap::new();
    for (name, value) in members(object) {
        let place = *places.entry(name.clone()).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(earlier) => earlier.1 = value,
            None => kept.push((name, value)),
        }
    }
    // Where it can be asked by name, the document's own answer counts.
    for (name, value) in &mut kept {
        if let Some(found) = name.to_str().and_then(|name| object.get(name)) {
            *value = found;
        }
    }
    kept
}

impl Sink for Lines {
    fn begin_object(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        self.line("{");
        Ok(())
    }

    fn key(&mut self, _: &[u8], key: RawString<'_>) -> Result<(), JsonErrorKind> {
        self.string('n', &key.decode());
        Ok(())
    }

    fn end_object(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        self.line("}");
        Ok(())
    }

    fn begin_array(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        self.line("[");
        Ok(())
    }

    fn end_array(&mut self, _: usize) -> Result<(), JsonErrorKind> {
        self.line("]");
        Ok(())
    }

    fn scalar(&mut self, _: &[u8], scalar: Scalar<'_>) -> Result<(), JsonErrorKind> {
        match scalar {
            Scalar::String(text) => self.string('s', &text.decode()),
            Scalar::Number(_, token) => self.number(token, false),
            Scalar::True(_) => self.line("true"),
            Scalar::False(_) => self.line("false"),
            Scalar::Null(_) => self.line("null"),
        }
        Ok(())
    }
}
