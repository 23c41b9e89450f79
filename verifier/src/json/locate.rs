//! Reads whole documents, and says where in one an error stands.

use super::{
    Dialect, JsonError, JsonErrorKind, JsonPointer, RawString, Reader, Sink, pointer::push_token, token::Scalar,
};

impl Reader<'_> {
    /// Reads the rest of a document: one value and nothing after it.
    ///
    /// # Errors
    /// As [`Reader::parse`], located.
    pub fn document<S: Sink>(&mut self, sink: &mut S) -> Result<(), JsonError> {
        let read = self.parse(sink).and_then(|()| self.finish());
        read.map_err(|kind| self.locate(kind))
    }

    /// Turns a kind into an error at the cursor, with the pointer that belongs to it.
    #[must_use]
    pub fn locate(&self, kind: JsonErrorKind) -> JsonError {
        let offset = self.cursor.at.min(self.text().len());
        JsonError { kind, offset, pointer: pointer_at(self.text(), offset, &self.dialect) }
    }

    /// The innermost value around a byte offset of the document.
    #[must_use]
    pub fn pointer_at(&self, offset: usize) -> JsonPointer {
        pointer_at(self.text(), offset, &self.dialect)
    }
}

/// Finds the innermost value around `offset` by reading the document again up to there.
///
/// Only errors need pointers, so the hot path never tracks them.
pub(super) fn pointer_at(text: &[u8], offset: usize, dialect: &Dialect) -> JsonPointer {
    let mut tracker = Tracker { offset, steps: Vec::new() };
    let mut reader = Reader::over(std::str::from_utf8(text).unwrap_or_default(), dialect);
    // The second reading fails where the first did, or stops once it is past the offset; either way the steps stand.
    let _ = reader.parse(&mut tracker);
    let mut pointer = String::new();
    for step in &tracker.steps {
        match step {
            Step::Member(Some(name)) => push_token(&mut pointer, name),
            Step::Member(None) => {}
            Step::Element(index) => pointer.push_str(&format!("/{index}")),
        }
    }
    JsonPointer::from_text(pointer)
}

enum Step {
    Member(Option<String>),
    Element(usize),
}

struct Tracker {
    offset: usize,
    steps: Vec<Step>,
}

impl Tracker {
    /// Ends the reading at the first token that does not stand before `end`. The kind is never seen.
    fn before(&self, at: usize, end: usize) -> Result<(), JsonErrorKind> {
        if at < end { Ok(()) } else { Err(JsonErrorKind::TrailingData) }
    }

    fn value_done(&mut self) {
        if let Some(Step::Element(index)) = self.steps.last_mut() {
            *index += 1;
        }
    }
}

impl Sink for Tracker {
    fn begin_object(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.before(at, self.offset)?;
        self.steps.push(Step::Member(None));
        Ok(())
    }

    fn key(&mut self, _text: &[u8], key: RawString<'_>) -> Result<(), JsonErrorKind> {
        self.before(key.start - 1, self.offset + 1)?;
        if let Some(Step::Member(name)) = self.steps.last_mut() {
            *name = Some(key.decode().to_text_lossy().into_owned());
        }
        Ok(())
    }

    fn end_object(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.before(at, self.offset)?;
        self.steps.pop();
        self.value_done();
        Ok(())
    }

    fn begin_array(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.before(at, self.offset)?;
        self.steps.push(Step::Element(0));
        Ok(())
    }

    fn end_array(&mut self, at: usize) -> Result<(), JsonErrorKind> {
        self.before(at, self.offset)?;
        self.steps.pop();
        self.value_done();
        Ok(())
    }

    fn scalar(&mut self, _text: &[u8], scalar: Scalar<'_>) -> Result<(), JsonErrorKind> {
        self.before(scalar.start(), self.offset)?;
        self.value_done();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Document;

    fn check(text: &str, pointer: &str) {
        let error = Document::parse(text.as_bytes(), &Dialect::STRICT).expect_err("malformed");
        assert_eq!(error.pointer.as_str(), pointer, "{text}");
    }

    #[test]
    fn errors_point_at_the_innermost_value() {
        check("[1, 2, x]", "/2");
        check(r#"{"a": {"b/c": [0, +1]}}"#, "/a/b~1c/1");
        check(r#"{"a": 1, "b~": tru}"#, "/b~0");
        check("", "");
    }
}
