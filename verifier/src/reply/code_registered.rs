//! What is used has to be registered, and not retired.
//!
//! Spec: Canonical Reply System Architecture (Final), 1 and 12; rulings RE-31, RE-32, RE-37.

use std::collections::HashSet;

use super::registry::Registry;

/// The codes that may be used.
pub(super) struct Registered<'r>(HashSet<&'r [u8]>);

impl<'r> Registered<'r> {
    /// Those of the active registry.
    pub(super) fn of<'d: 'r>(registry: Option<&'r Registry<'d>>) -> Self {
        let mut codes: HashSet<&[u8]> = registry.iter().flat_map(|one| &one.active).map(|row| &*row.code).collect();
        for retired in registry.iter().flat_map(|one| &one.retired) {
            codes.remove(&**retired);
        }
        Self(codes)
    }

    pub(super) fn holds(&self, code: &[u8]) -> bool {
        self.0.contains(code)
    }
}
