//! The thirteen areas of `contracts/reply/tables/areas.json`, and those that a registry declares with a document.
//!
//! Spec: Canonical Reply System Architecture (Final), 5, the table and Rules; rulings RE-16, RE-17, RE-33.

use std::collections::HashSet;

use super::{code_shape, contract_area_gate};
use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::registry::{Declared, Registry};
use crate::reply::model::text::{Text, quoted};
use crate::tables::reply::areas;

pub(crate) const LAW: Law = Law::named("reply/area-registered");

/// The areas that codes may name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Areas<'d> {
    added: HashSet<Text<'d>>,
}

impl<'d> Areas<'d> {
    /// The thirteen, and those that a registry declares.
    pub(crate) fn of(registry: &Registry<'d>) -> Self {
        let mut areas = Self::default();
        for declared in &registry.areas {
            areas.declare(declared);
        }
        areas
    }

    /// The same, apart from the document that they were read from.
    pub(crate) fn owned(&self) -> Areas<'static> {
        Areas { added: self.added.iter().map(|area| Text::Owned(area.to_vec())).collect() }
    }

    fn knows(&self, area: &str) -> bool {
        is_given(area) || self.added.contains(area.as_bytes())
    }

    /// Takes a declared area in, unless the declaration is void.
    fn declare(&mut self, declared: &Declared<'d>) {
        if is_addition(declared.name()) && declared.documented {
            self.added.insert(declared.area.clone());
        }
    }

    /// Objects to the area of a code.
    pub(crate) fn judge(&self, area: &str, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
        if !self.knows(area) {
            let area = quoted(area.as_bytes());
            let message =
                format!("{area} is not a registered area: use one of the thirteen, or declare it with its document");
            found.meaning(LAW, at(), message);
        }
    }
}

/// Objects to an area that a registry declares beside the thirteen.
pub(crate) fn judge_declared(declared: &Declared<'_>, at: impl Fn() -> JsonPointer, found: &mut Judgement) {
    // An area of contracts is named by the law that forbids it.
    if !is_addition(declared.name()) && !contract_area_gate::is_forbidden(declared.name()) {
        let message = format!("{} is not a name of an area: write upper-case letters", quoted(&declared.area));
        found.meaning(LAW, at(), message);
    }
    if !declared.documented {
        let message = format!("{} has no document: an area is registered with one", quoted(&declared.area));
        found.meaning(LAW, at(), message);
    }
}

/// Whether an area is one of the thirteen, which need no declaration.
pub(crate) fn is_given(area: &str) -> bool {
    areas::ROWS.iter().any(|given| given.area == area)
}

/// Whether a name can be that of an added area.
fn is_addition(area: &str) -> bool {
    code_shape::is_word(area) && !contract_area_gate::is_forbidden(area)
}
