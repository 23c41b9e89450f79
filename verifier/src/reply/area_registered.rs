//! The thirteen areas, and those that a registry declares with a document.
//!
//! Spec: Canonical Reply System Architecture (Final), 5, the table and Rules; rulings RE-16, RE-17, RE-33.

use std::collections::HashSet;

use super::text::Text;
use super::{code_shape, contract_area_gate};

const THIRTEEN: [&str; 13] =
    ["SYS", "RES", "VIS", "IO", "READ", "WRITE", "EXEC", "DB", "PARSE", "VAL", "GATE", "LOG", "CFG"];

/// The areas that codes may name.
#[derive(Clone, Debug, Default)]
pub(super) struct Areas<'d> {
    added: HashSet<Text<'d>>,
}

impl<'d> Areas<'d> {
    pub(super) fn knows(&self, area: &str) -> bool {
        is_given(area) || self.added.contains(area.as_bytes())
    }

    /// Takes a declared area in, unless the declaration is void.
    pub(super) fn declare(&mut self, area: Text<'d>, documented: bool) {
        if std::str::from_utf8(&area).is_ok_and(|name| is_addition(name) && documented) {
            self.added.insert(area);
        }
    }
}

/// Whether an area is one of the thirteen, which need no declaration.
pub(super) fn is_given(area: &str) -> bool {
    THIRTEEN.contains(&area)
}

/// Whether a name can be that of an added area.
pub(super) fn is_addition(area: &str) -> bool {
    code_shape::is_word(area) && !contract_area_gate::is_forbidden(area)
}
