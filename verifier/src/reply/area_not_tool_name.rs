//! An added area is never the name of a tool.
//!
//! Spec: Canonical Reply System Architecture (Final), 5, Rules; rulings RE-17, RE-33: case does not matter, nor does
//! the common prefix, which ends at the first underscore.

use std::collections::HashSet;

/// What areas may not be called, in lower case.
pub(super) struct Tools(HashSet<Vec<u8>>);

impl Tools {
    pub(super) fn new<'t>(names: impl Iterator<Item = &'t [u8]>) -> Self {
        let mut taken = HashSet::new();
        for name in names.map(<[u8]>::to_ascii_lowercase) {
            if let Some((_, rest)) =
                name.iter().position(|byte| *byte == b'_').and_then(|at| name.split_at_checked(at + 1))
            {
                taken.insert(rest.to_owned());
            }
            taken.insert(name);
        }
        Self(taken)
    }

    pub(super) fn have(&self, area: &[u8]) -> bool {
        self.0.contains(&area.to_ascii_lowercase())
    }
}
