//! A registry holds a code once.
//!
//! Spec: sections 1 and 6; `facts/reply.md` 10.

use std::collections::HashSet;

/// The codes of a registry so far.
#[derive(Default)]
pub(super) struct Held<'d>(HashSet<&'d [u8]>);

impl<'d> Held<'d> {
    /// Takes a code in; false if it is there already.
    pub(super) fn take(&mut self, code: &'d [u8]) -> bool {
        self.0.insert(code)
    }
}
