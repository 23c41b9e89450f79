//! JSON Pointers (RFC 6901): where a finding stands in a document.

use std::fmt;

use super::{Dialect, JsonErrorKind, RawString, Reader, Sink, drive::Scalar};

/// A JSON Pointer in its escaped text form; the empty pointer is the document itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JsonPointer(String);

impl JsonPointer {
    /// The pointer to the whole document.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// The pointer one member below this one; `name` is escaped here.
    #[must_use]
    pub fn member(&self, name: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + name.len() + 1);
        text.push_str(&self.0);
        push_token(&mut text, name);
        Self(text)
    }

    /// The pointer one array element below this one.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        Self(format!("{}/{index}", self.0))
    }

    /// The pointer to what `inside` names in the value that this pointer names.
    #[must_use]
    pub fn below(&self, inside: &Self) -> Self {
        Self(format!("{}{}", self.0, inside.0))
    }

    /// Takes a text that is already in pointer form.
    #[must_use]
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The escaped text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True for the empty pointer.
    #[must_use]
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// True if this pointer names `prefix` or something inside it.
    #[must_use]
    pub fn is_within(&self, prefix: &str) -> bool {
        self.0.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

impl fmt::Display for JsonPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Appends `/` and the escaped token.
fn push_token(text: &mut String, token: &str) {
    text.push('/');
    for c in token.chars() {
        match c {
            '~' => text.push_str("~0"),
            '/' => text.push_str("~1"),
            c => text.push(c),
        }
    }
}

/// Finds the innermost value around `offset` by reading the document again up to there.
///
/// Only errors need pointers, so the hot path never tracks them.
pub(super) fn pointer_at(text: &[u8], offset: usize, dialect: &Dialect) -> JsonPointer {
    let mut tracker = Tracker { offset, steps: Vec::new() };
    let mut reader = Reader::over(std::str::from_utf8(text).unwrap_or_default(), dialect);
    // The second reading fails where the first did, or stops once it is past the offset; either way the steps stand.
    let _ = reader.drive(&mut tracker);
    let mut pointer = String::new();
    for step in &tracker.steps {
        match step {
            Step::Member(Some(name)) => push_token(&mut pointer, name),
            Step::Member(None) => {}
            Step::Element(index) => pointer.push_str(&format!("/{index}")),
        }
    }
    JsonPointer(pointer)
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

    #[test]
    fn within_needs_a_whole_token() {
        assert!(JsonPointer::from_text("/issues/0").is_within("/issues"));
        assert!(!JsonPointer::from_text("/issues2").is_within("/issues"));
    }
}
