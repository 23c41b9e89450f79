//! JSON, without losing what laws are about: how a number is spelled, that a name is repeated, and that a surrogate stands
//! alone.

mod reader;

pub(crate) use reader::{Dialect, parse};

/// A string after decoding, in UTF-8; a lone surrogate has its three bytes, which no UTF-8 has, so this is not a `String`. The
/// order of the bytes is that of the code points.
pub(crate) type Text = Vec<u8>;

/// One JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// The token as it stands: no `f64` ever sees it here.
    Number(String),
    String(Text),
    Array(Vec<Value>),
    /// Members in document order, repeated names included.
    Object(Vec<(Text, Value)>),
}

impl Value {
    /// The member of that name, the last one where the name is repeated.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|(found, _)| found == name.as_bytes()).map(|(_, value)| value)
    }

    /// A decoded string.
    pub(crate) fn text(&self) -> Option<&Text> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The elements of an array.
    pub(crate) fn items(&self) -> Option<&[Self]> {
        if let Self::Array(items) = self { Some(items) } else { None }
    }
}
