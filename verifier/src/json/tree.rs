//! The arena: a document as flat nodes with spans, for diagnosis, pointers and schemas.

use std::collections::HashSet;

use super::{
    Dialect, JsonError, JsonErrorKind, JsonPointer, JsonStr, NumberToken, RawString, Reader, Sink, locate::pointer_at,
    token::Scalar,
};

/// A parsed document: its text and one small node for every value and member name.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    text: &'a [u8],
    nodes: Vec<Node>,
    /// Nodes that are `NaN` or an infinity.
    constants: Vec<u32>,
    dialect: Dialect,
}

/// Steps of a pointer within which every canonical surface is told from what is not one.
const SURFACE_STEPS: usize = 3;
/// Members up to which names are compared with each other.
const FEW: usize = 12;

/// Sixteen bytes a value: nodes stand in document order, a container before what it holds.
#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    /// Nodes below this one; a sibling is that far away.
    below: u32,
    kind: Kind,
    /// The string holds an escape, or the number is spelled as a float.
    marked: bool,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An object.
    Object,
    /// An array.
    Array,
    /// A string.
    String,
    /// A number, or a constant in dialects that have them.
    Number,
    /// `true`.
    True,
    /// `false`.
    False,
    /// `null`.
    Null,
}

impl<'a> Document<'a> {
    /// Reads a whole document.
    ///
    /// # Errors
    /// If the text is not JSON in the dialect, or exceeds one of its limits.
    pub fn parse(text: &'a [u8], dialect: &Dialect) -> Result<Self, JsonError> {
        let mut reader = Reader::new(text, dialect)?;
        // Every value but the first stands after one of these three; names stand after the last two as well.
        let estimate = 1 + count_openings(text);
        let mut builder =
            Builder { nodes: Vec::with_capacity(estimate.min(text.len())), open: Vec::new(), constants: Vec::new() };
        reader.document(&mut builder)?;
        Ok(Self { text, nodes: builder.nodes, constants: builder.constants, dialect: *dialect })
    }

    /// The document `null`.
    pub(super) fn null(dialect: &Dialect) -> Self {
        let nothing = Node { start: 0, end: 4, below: 0, kind: Kind::Null, marked: false };
        Self { text: b"null", nodes: vec![nothing], constants: Vec::new(), dialect: *dialect }
    }

    /// The outermost value.
    #[must_use]
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { document: self, id: 0 }
    }

    /// The text that was read.
    #[must_use]
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    /// The first value spelled `NaN`, `Infinity` or `-Infinity` whose place satisfies `matters`.
    ///
    /// Only the first few steps of a place are shown to `matters`: surfaces are told apart near the top, and whole pointers
    /// of many values could be much longer than the document.
    #[must_use]
    pub fn constant_where(&self, matters: impl Fn(&JsonPointer) -> bool) -> Option<JsonPointer> {
        if self.constants.is_empty() {
            return None;
        }
        let mut pending = vec![(self.root(), JsonPointer::root(), 0)];
        let mut offending: Option<u32> = None;
        while let Some((node, place, steps)) = pending.pop() {
            if steps == SURFACE_STEPS || node.kind() == Kind::Number {
                let within = self.first_constant_in(node);
                if let Some(id) = within.filter(|_| matters(&place)) {
                    offending = Some(offending.map_or(id, |found| found.min(id)));
                }
                continue;
            }
            for (name, value) in node.members().filter(|(_, value)| self.first_constant_in(*value).is_some()) {
                pending.push((value, place.member(&name.decode().to_text_lossy()), steps + 1));
            }
            for (index, value) in node.elements().enumerate() {
                if self.first_constant_in(value).is_some() {
                    pending.push((value, place.index(index), steps + 1));
                }
            }
        }
        let at = NodeRef { document: self, id: offending? };
        Some(pointer_at(self.text, at.span().0, &self.dialect))
    }

    /// The error that a reader would have reported at a byte of this document, which it reads without one.
    pub(crate) fn objection(&self, kind: JsonErrorKind, offset: usize) -> JsonError {
        JsonError { kind, offset, pointer: pointer_at(self.text, offset, &self.dialect) }
    }

    /// The first constant at or below a value.
    fn first_constant_in(&self, node: NodeRef<'_>) -> Option<u32> {
        let end = node.id + node.node().below;
        let next = self.constants.partition_point(|&id| id < node.id);
        self.constants.get(next).copied().filter(|&id| id <= end)
    }

    /// Whether a node is the member name that says `name`, which holds nothing that needs escaping.
    fn is_named(&self, key: Node, name: &str) -> bool {
        let (start, end) = (key.start as usize + 1, (key.end as usize).saturating_sub(1));
        if key.marked {
            let raw = self.text.get(start..end).unwrap_or_default();
            return RawString { start, raw, escaped: true }.decode() == name;
        }
        // The length settles most comparisons, without a look at the text.
        end - start == name.len() && self.text.get(start..end) == Some(name.as_bytes())
    }

    #[inline]
    fn node(&self, id: u32) -> Node {
        // Ids are handed out by the builder alone; the stand-in is never read.
        const NOTHING: Node = Node { start: 0, end: 0, below: 0, kind: Kind::Null, marked: false };
        self.nodes.get(id as usize).copied().unwrap_or(NOTHING)
    }
}

/// A value inside a [`Document`].
#[derive(Clone, Copy, Debug)]
pub struct NodeRef<'d> {
    document: &'d Document<'d>,
    id: u32,
}

impl<'d> NodeRef<'d> {
    fn node(self) -> Node {
        self.document.node(self.id)
    }

    /// The node's number in document order; unique within its document.
    #[must_use]
    pub fn id(self) -> u32 {
        self.id
    }

    /// The document that this value stands in.
    #[must_use]
    pub fn document(self) -> &'d Document<'d> {
        self.document
    }

    /// What the value is.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.node().kind
    }

    /// Offsets of the first byte and of the byte after the last.
    #[must_use]
    pub fn span(self) -> (usize, usize) {
        let node = self.node();
        (node.start as usize, node.end as usize)
    }

    /// The value's own text, brackets and quotes included.
    #[must_use]
    pub fn raw(self) -> &'d [u8] {
        let (start, end) = self.span();
        self.document.text.get(start..end).unwrap_or_default()
    }

    /// The decoded string, if the value is one.
    #[must_use]
    pub fn as_string(self) -> Option<JsonStr<'d>> {
        let node = self.node();
        if node.kind != Kind::String {
            return None;
        }
        let raw = self.document.text.get(node.start as usize + 1..(node.end as usize).saturating_sub(1))?;
        Some(RawString { start: node.start as usize + 1, raw, escaped: node.marked }.decode())
    }

    /// The number token, if the value is one.
    #[must_use]
    pub fn as_number(self) -> Option<NumberToken<'d>> {
        let node = self.node();
        if node.kind != Kind::Number {
            return None;
        }
        Some(NumberToken { text: std::str::from_utf8(self.raw()).ok()?, float: node.marked })
    }

    /// The elements of an array; none for other values.
    pub fn elements(self) -> impl Iterator<Item = NodeRef<'d>> + Clone {
        let node = self.node();
        let end = if node.kind == Kind::Array { self.id + 1 + node.below } else { 0 };
        let mut id = self.id + 1;
        std::iter::from_fn(move || {
            if id >= end {
                return None;
            }
            let element = NodeRef { document: self.document, id };
            id += 1 + element.node().below;
            Some(element)
        })
    }

    /// The value of the first member whose name, once decoded, an earlier member of the object has.
    #[must_use]
    pub fn repeated(self) -> Option<Self> {
        let names = || self.members().map(|(name, value)| (name.decode(), value));
        if self.members().nth(FEW).is_none() {
            let mut later = names().enumerate();
            let earlier = |at: usize, name: &JsonStr<'d>| names().take(at).any(|(other, _)| other == *name);
            return later.find(|(at, (name, _))| earlier(*at, name)).map(|(_, (_, value))| value);
        }
        let mut seen = HashSet::new();
        names().find_map(|(name, value)| (!seen.insert(name.into_bytes())).then_some(value))
    }

    /// The members of an object in document order, repeated names included; none for other values.
    pub fn members(self) -> impl Iterator<Item = (RawString<'d>, NodeRef<'d>)> + Clone {
        let node = self.node();
        let end = if node.kind == Kind::Object { self.id + 1 + node.below } else { 0 };
        let document = self.document;
        let mut id = self.id + 1;
        std::iter::from_fn(move || {
            if id >= end {
                return None;
            }
            let name = document.node(id);
            let start = name.start as usize + 1;
            let raw = document.text.get(start..(name.end as usize).saturating_sub(1)).unwrap_or_default();
            let value = NodeRef { document, id: id + 1 };
            id += 2 + value.node().below;
            Some((RawString { start, raw, escaped: name.marked }, value))
        })
    }

    /// The member of that name; the last one where the name is repeated, as in Python.
    #[must_use]
    pub fn get(self, name: &str) -> Option<NodeRef<'d>> {
        let node = self.node();
        let end = if node.kind == Kind::Object { self.id + 1 + node.below } else { 0 };
        let mut found = None;
        let mut id = self.id + 1;
        while id < end {
            let key = self.document.node(id);
            if self.document.is_named(key, name) {
                found = Some(NodeRef { document: self.document, id: id + 1 });
            }
            id += 2 + self.document.node(id + 1).below;
        }
        found
    }

    /// True if the value is an object.
    #[must_use]
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    /// True if the value is an array.
    #[must_use]
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }
}

/// How many bytes stand before a value. Without a branch a byte, and counted in bytes, so that many are looked at in one step.
fn count_openings(text: &[u8]) -> usize {
    let opens = |byte: u8| (byte == b',') | (byte == b':') | (byte == b'[') | (byte == b'{');
    let some = |bytes: &[u8]| bytes.iter().fold(0_u8, |count, byte| count.wrapping_add(u8::from(opens(*byte))));
    text.chunks(u8::MAX.into()).map(|bytes| usize::from(some(bytes))).sum()
}

struct Builder {
    nodes: Vec<Node>,
    open: Vec<u32>,
    constants: Vec<u32>,
}

impl Builder {
    fn push(&mut self, start: usize, end: usize, kind: Kind, marked: bool) {
        self.nodes.push(Node { start: offset(start), end: offset(end), below: 0, kind, marked });
    }

    fn begin(&mut self, at: usize, kind: Kind) {
        self.open.push(offset(self.nodes.len()));
        self.push(at, at, kind, false);
    }

    fn end(&mut self, at: usize) {
        let Some(id) = self.open.pop() else { return };
        let below = offset(self.nodes.len()) - id - 1;
        if let Some(node) = self.nodes.get_mut(id as usize) {
            node.end = offset(at + 1);
            node.below = below;
        }
    }
}

/// Every dialect limits documents to 32 bits of offsets, and a document has fewer nodes than bytes.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

impl Sink for Builder {
    fn begin_object(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.begin(at, Kind::Object);
        Ok(())
    }

    fn key(&mut self, _text: &[u8], key: RawString<'_>) -> Result<(), JsonErrorKind> {
        self.push(key.start - 1, key.start + key.raw.len() + 1, Kind::String, key.escaped);
        Ok(())
    }

    fn end_object(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.end(at);
        Ok(())
    }

    fn begin_array(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.begin(at, Kind::Array);
        Ok(())
    }

    fn end_array(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.end(at);
        Ok(())
    }

    fn scalar(&mut self, _text: &[u8], scalar: Scalar<'_>) -> Result<(), JsonErrorKind> {
        let start = scalar.start();
        match scalar {
            Scalar::String(s) => self.push(start, s.start + s.raw.len() + 1, Kind::String, s.escaped),
            Scalar::Number(_, token) => {
                if token.text.ends_with(['N', 'y']) {
                    self.constants.push(offset(self.nodes.len()));
                }
                self.push(start, start + token.text.len(), Kind::Number, token.float);
            }
            Scalar::True(_) => self.push(start, start + 4, Kind::True, false),
            Scalar::False(_) => self.push(start, start + 5, Kind::False, false),
            Scalar::Null(_) => self.push(start, start + 4, Kind::Null, false),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_and_elements_keep_order_and_spelling() {
        let text = br#" {"a": [1, {"b": -0}, "x\u0041"], "a": 1e2, "c": {}} "#;
        let document = Document::parse(text, &Dialect::STRICT).expect("well-formed");
        let root = document.root();
        let names: Vec<_> = root.members().map(|(name, value)| (name.decode(), value.raw())).collect();
        assert_eq!(names.len(), 3);
        assert_eq!(root.get("a").map(NodeRef::raw), Some(&b"1e2"[..]), "the last of two repeated names");
        let first = names.first().map(|(_, raw)| *raw);
        assert_eq!(first, Some(&br#"[1, {"b": -0}, "x\u0041"]"#[..]));
        let (_, array) = root.members().next().expect("a member");
        let elements: Vec<_> = array.elements().map(NodeRef::kind).collect();
        assert_eq!(elements, [Kind::Number, Kind::Object, Kind::String]);
        assert_eq!(array.elements().nth(2).and_then(NodeRef::as_string).expect("string"), "xA");
    }

    #[test]
    fn what_stands_before_a_value_is_counted() {
        assert_eq!(count_openings(b""), 0);
        assert_eq!(count_openings(br#"{"a":[1,{}]}"#), 5);
        assert_eq!(count_openings(&[b','; 1_000]), 1_000);
    }

    #[test]
    fn nodes_are_sixteen_bytes() {
        assert_eq!(size_of::<Node>(), 16);
    }
}
