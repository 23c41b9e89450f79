//! Issues that can be compared.

use std::borrow::Cow;

/// An issue of a turn file, as places in the canonical bytes of the turn.
#[derive(Clone, Debug)]
pub(crate) struct IssueSpans<'d> {
    pub(crate) stage_index: usize,
    /// Decoded strings, borrowed from the file unless they hold escapes.
    pub(crate) stage: Cow<'d, [u8]>,
    pub(crate) location: Cow<'d, [u8]>,
    pub(crate) code: Cow<'d, [u8]>,
    /// The canonical details.
    pub(crate) details: (usize, usize),
    /// The canonical issue without its message.
    pub(crate) normal: (usize, usize),
}

/// An issue on a canonical surface: typed, and without anything that a law ignores.
#[derive(Clone, Debug)]
pub(crate) struct Issue<'t> {
    /// Index of the stage in the stage order.
    pub(crate) stage_index: usize,
    /// The stage's name.
    pub(crate) stage: Cow<'t, [u8]>,
    /// The location, decoded.
    pub(crate) location: Cow<'t, [u8]>,
    /// The code, decoded.
    pub(crate) code: Cow<'t, [u8]>,
    /// Canonical bytes of the details.
    pub(crate) details: &'t [u8],
    /// Canonical bytes of the issue without its message.
    pub(crate) normal: &'t [u8],
}
