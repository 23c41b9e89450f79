//! A registry holds a code once.
//!
//! Spec: Canonical Reply System Architecture (Final), 1 and 6, Properties.

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
