//! A code and its segments.
//!
//! Spec: Canonical Reply System Architecture (Final), 4 to 6. How a text becomes one of these is decided by the laws.

use super::reply_type::ReplyType;

/// A lawful code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Who decided.
    pub layer: Layer,
    /// What it was about.
    pub area: String,
    /// What it means.
    pub kind: ReplyType,
    /// Which of its family it is.
    pub number: u16,
}

reply_layers_layer! {
    /// Who decided.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Layer
}

impl Layer {
    /// The spelling in codes.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().layer
    }

    /// The letters of the types that it gives.
    pub(crate) fn types(self) -> &'static [&'static str] {
        self.row().types
    }
}

/// The segments of a code of sound shape; whether they are known is a question of other laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segments<'c> {
    pub(crate) layer: &'c str,
    pub(crate) area: &'c str,
    pub(crate) kind: &'c str,
    pub(crate) number: &'c str,
}

impl Segments<'_> {
    pub(crate) fn value(&self) -> u16 {
        // Three digits fit.
        self.number.parse().unwrap_or_default()
    }
}
