//! An added area is never the name of a tool.
//!
//! Spec: Canonical Reply System Architecture (Final), 5, Rules; rulings RE-17, RE-33: case does not matter, nor does
//! the common prefix, which ends at the first underscore.

use std::collections::HashSet;

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::registry::{Declared, Registries};
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/area-not-tool-name");

/// What areas may not be called, in lower case.
pub(crate) struct Tools(HashSet<Vec<u8>>);

impl Tools {
    pub(crate) fn of(registries: &Registries<'_>) -> Self {
        let mut taken = HashSet::new();
        for name in registries.tools.iter().map(|name| name.to_ascii_lowercase()) {
            if let Some((_, rest)) =
                name.iter().position(|byte| *byte == b'_').and_then(|at| name.split_at_checked(at + 1))
            {
                taken.insert(rest.to_owned());
            }
            taken.insert(name);
        }
        Self(taken)
    }

    pub(crate) fn judge(&self, declared: &Declared<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
        if self.0.contains(&declared.area.to_ascii_lowercase()) {
            let message = format!("{} is the name of a tool: name what it is about", quoted(&declared.area));
            found.meaning(LAW, at(), message);
        }
    }
}
