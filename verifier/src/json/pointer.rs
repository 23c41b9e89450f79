//! JSON Pointers (RFC 6901): where a finding stands in a document.

use std::fmt;

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
pub(super) fn push_token(text: &mut String, token: &str) {
    text.push('/');
    for c in token.chars() {
        match c {
            '~' => text.push_str("~0"),
            '/' => text.push_str("~1"),
            c => text.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn within_needs_a_whole_token() {
        assert!(JsonPointer::from_text("/issues/0").is_within("/issues"));
        assert!(!JsonPointer::from_text("/issues2").is_within("/issues"));
    }
}
