//! An array that is read element by element: one arena at a time instead of one for all, which would be larger than the text.

use std::borrow::Cow;

use super::{Dialect, Document, JsonError, JsonErrorKind, RawString, Reader, Sink, locate::pointer_at, token::Scalar};

/// Bytes of text that go together once they were visited.
const BLOCK: u32 = 1 << 20;

/// The elements of a document that is an array: its text, and where they stand in it.
///
/// ```
/// use assize_verifier::json::{Dialect, Elements};
///
/// let text = br#"[{"a": 1}, 2]"#;
/// let elements = Elements::read(&text[..], &Dialect::STRICT)?.expect("an array");
/// assert_eq!(elements.len(), 2);
/// assert_eq!(elements.document(0).root().get("a").expect("a member").raw(), b"1");
/// # Ok::<(), assize_verifier::json::JsonError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    text: Cow<'a, [u8]>,
    dialect: Dialect,
    /// Offsets of the brackets, and of the commas between them.
    cuts: Vec<u32>,
}

impl<'a> Elements<'a> {
    /// Reads a whole document; none if it is not an array.
    ///
    /// # Errors
    /// If the text is not JSON in the dialect, or exceeds one of its limits, as [`Document::parse`].
    pub fn read(text: impl Into<Cow<'a, [u8]>>, dialect: &Dialect) -> Result<Option<Self>, JsonError> {
        let text = text.into();
        let mut reader = Reader::new(&text, dialect)?;
        let mut cutter = Cutter::default();
        reader.document(&mut cutter)?;
        if cutter.empty {
            cutter.cuts.pop();
        }
        let cuts = cutter.cuts;
        Ok((!cuts.is_empty()).then_some(Self { text, dialect: *dialect, cuts }))
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cuts.len().saturating_sub(1)
    }

    /// True if there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One element as a document of its own; `null` for one that is not there.
    #[must_use]
    pub fn document(&self, index: usize) -> Document<'_> {
        element(&self.text, 0, &self.cuts, index, &self.dialect)
    }

    /// The elements in order, each as a document of its own.
    pub fn documents(&self) -> impl DoubleEndedIterator<Item = Document<'_>> + ExactSizeIterator {
        (0..self.len()).map(|index| self.document(index))
    }

    /// Visits the elements in order. A text that is held here goes as its elements were visited, so that what is made of them
    /// has the room.
    ///
    /// # Errors
    /// The first of `visit`'s.
    pub fn consume<E>(self, mut visit: impl FnMut(Document<'_>) -> Result<(), E>) -> Result<(), E> {
        let Cow::Owned(mut text) = self.text else { return self.documents().try_for_each(visit) };
        let mut blocks = Vec::new();
        let mut end = self.cuts.len().saturating_sub(1);
        while let Some(last) = self.cuts.get(end).filter(|_| end > 0) {
            let first = self.cuts.partition_point(|cut| *cut < last.saturating_sub(BLOCK)).min(end - 1);
            let from = self.cuts.get(first).map_or(0, |cut| *cut as usize);
            blocks.push((text.split_off(from), from, first..end));
            text.shrink_to_fit();
            end = first;
        }
        while let Some((text, from, range)) = blocks.pop() {
            range.map(|index| element(&text, from, &self.cuts, index, &self.dialect)).try_for_each(&mut visit)?;
        }
        Ok(())
    }

    /// The error that a reader of the whole would have reported at a byte of one element's document.
    pub(crate) fn objection(&self, kind: JsonErrorKind, index: usize, offset: usize) -> JsonError {
        let offset = span(&self.cuts, index).map_or(offset, |(start, _)| start + offset);
        JsonError { kind, offset, pointer: pointer_at(&self.text, offset, &self.dialect) }
    }
}

/// Where an element begins and ends, with the space around it.
fn span(cuts: &[u32], index: usize) -> Option<(usize, usize)> {
    let (before, after) = (cuts.get(index)?, cuts.get(index + 1)?);
    Some((*before as usize + 1, *after as usize))
}

/// An element in a part of the text that begins at `from`.
fn element<'t>(text: &'t [u8], from: usize, cuts: &[u32], index: usize, dialect: &Dialect) -> Document<'t> {
    let text = span(cuts, index).and_then(|(start, end)| text.get(start.checked_sub(from)?..end.checked_sub(from)?));
    let read = Document::parse(text.unwrap_or(b"null"), dialect);
    // The whole was read, so that each element reads; the stand-in is never seen.
    read.unwrap_or_else(|_| Document::null(dialect))
}

/// Notes the commas of the outermost array.
#[derive(Default)]
struct Cutter {
    cuts: Vec<u32>,
    open: usize,
    /// The outermost value is an array without elements.
    empty: bool,
}

impl Cutter {
    fn cut(&mut self, at: usize) {
        // Every dialect limits documents to 32 bits of offsets.
        self.cuts.push(u32::try_from(at).unwrap_or(u32::MAX));
    }

    fn open(&mut self) {
        self.empty = false;
        self.open += 1;
    }
}

impl Sink for Cutter {
    fn begin_object(&mut self, _at: usize) -> Result<(), JsonErrorKind> {
        self.open();
        Ok(())
    }

    fn key(&mut self, _text: &[u8], _key: RawString<'_>) -> Result<(), JsonErrorKind> {
        Ok(())
    }

    fn end_object(&mut self, _at: usize) -> Result<(), JsonErrorKind> {
        self.open -= 1;
        Ok(())
    }

    fn begin_array(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        let outermost = self.open == 0;
        self.open();
        if outermost {
            self.empty = true;
            self.cut(at);
        }
        Ok(())
    }

    fn end_array(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.open -= 1;
        if self.open == 0 {
            self.cut(at);
        }
        Ok(())
    }

    fn scalar(&mut self, _text: &[u8], _scalar: Scalar<'_>) -> Result<(), JsonErrorKind> {
        self.empty = false;
        Ok(())
    }

    fn next_element(&mut self, at: usize) {
        if self.open == 1 && !self.cuts.is_empty() {
            self.cut(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(text: &str) -> Option<Vec<String>> {
        let raw = |document: Document<'_>| String::from_utf8(document.root().raw().to_vec()).expect("UTF-8");
        let read = Elements::read(text.as_bytes(), &Dialect::STRICT).expect("JSON")?;
        let listed: Vec<_> = read.documents().map(raw).collect();
        for text in [Cow::from(text.as_bytes()), text.as_bytes().to_vec().into()] {
            let mut visited = Vec::new();
            let read = Elements::read(text, &Dialect::STRICT).expect("JSON").expect("an array");
            let visit = |document: Document<'_>| {
                visited.push(raw(document));
                Ok::<_, ()>(())
            };
            read.consume(visit).expect("no error");
            assert_eq!(visited, listed);
        }
        Some(listed)
    }

    #[test]
    fn elements_are_those_of_the_outermost_array() {
        for (text, expected) in [
            ("[]", Some(vec![])),
            (" [ ] ", Some(vec![])),
            ("[0]", Some(vec!["0"])),
            (" [ [] , {} ]", Some(vec!["[]", "{}"])),
            (
                r#"[[1,2],{"a":[3,4],"b,":0},"x,y",null]"#,
                Some(vec!["[1,2]", r#"{"a":[3,4],"b,":0}"#, r#""x,y""#, "null"]),
            ),
            (r#"{"a":[1,2],"b":[3]}"#, None),
            ("1", None),
            (r#""[1,2]""#, None),
        ] {
            assert_eq!(elements(text), expected.map(|all| all.into_iter().map(str::to_owned).collect()), "{text}");
        }
    }

    #[test]
    fn a_text_that_goes_block_by_block_is_visited_whole_and_in_order() {
        let long = |index: usize| format!("\"{index}{}\"", " ".repeat(index * 7 % 400_000));
        let expected: Vec<_> = (0..40).map(|index| long(index * 9_001)).collect();
        assert_eq!(elements(&format!("[{}]", expected.join(","))), Some(expected));
    }

    #[test]
    fn what_is_no_document_is_refused_as_a_document_is() {
        for text in ["[1,2", "[1,]", "[1] 2", "", "[\"\u{1}\"]", "[01]"] {
            let whole = Document::parse(text.as_bytes(), &Dialect::STRICT).map(drop);
            assert_eq!(Elements::read(text.as_bytes(), &Dialect::STRICT).map(drop), whole, "{text}");
            assert!(whole.is_err(), "{text}");
        }
    }

    #[test]
    fn an_objection_stands_where_the_whole_has_it() {
        let text = br#"[0, {"a": [1, 2]}]"#;
        let elements = Elements::read(&text[..], &Dialect::STRICT).expect("JSON").expect("an array");
        let document = elements.document(1);
        let value = document.root().get("a").and_then(|a| a.elements().nth(1)).expect("a value");
        let error = elements.objection(JsonErrorKind::RepeatedName, 1, value.span().0);
        assert_eq!((error.offset, error.pointer.as_str()), (14, "/1/a/1"));
    }
}
