//! Bundles and the stage order as the comparator takes them.
//!
//! Spec: Sealed comparator v1.2.1, `compare` (step 1) and `load_stage_order`; rulings TOP-01 to TOP-06, STG-01 to
//! STG-04.

use std::collections::HashMap;

use super::python::Value;
use super::{Abort, Cell, foreign, value_of};
use crate::contracts;
use crate::json::{Dialect, Document, Kind, NodeRef};

/// A bundle in which all five members are present, or which is something that contains their names.
pub(super) struct Bundle<'d> {
    pub(super) root: NodeRef<'d>,
}

/// Reads a bundle; whatever keeps it from loading is a ValueError.
pub(super) fn load(text: &[u8]) -> Result<Document<'_>, Abort> {
    Document::parse(text, &Dialect::PYTHON).map_err(|_| Abort::ValueError)
}

const MEMBERS: [&str; 5] = ["contract_version", "run_envelope", "registry_digest", "digests", "turn_results"];

/// The first of the five members that either bundle lacks, looking at A first.
pub(super) fn first_absent_member(a: NodeRef<'_>, b: NodeRef<'_>) -> Result<Option<&'static str>, Abort> {
    for member in MEMBERS {
        if !contains(a, member)? || !contains(b, member)? {
            return Ok(Some(member));
        }
    }
    Ok(None)
}

/// `name in value`: a member of an object, an element of a list, a part of a string.
fn contains(value: NodeRef<'_>, name: &str) -> Result<bool, Abort> {
    match value.kind() {
        Kind::Object => Ok(value.get(name).is_some()),
        Kind::Array => Ok(value.elements().any(|element| element.as_string().is_some_and(|text| text == name))),
        Kind::String => Ok(value.as_string().is_some_and(|text| text.to_text_lossy().contains(name))),
        _ => Err(Abort::TypeError),
    }
}

/// `bundle_a.get("run_envelope", {}).get("run_id", "")`.
pub(super) fn run_id_or_empty(a: NodeRef<'_>) -> Result<Cell, Abort> {
    if !a.is_object() {
        return Err(Abort::AttributeError);
    }
    let Some(envelope) = a.get("run_envelope") else { return Ok(Cell::Name("")) };
    if !envelope.is_object() {
        return Err(Abort::AttributeError);
    }
    Ok(envelope.get("run_id").map_or(Cell::Name(""), foreign))
}

/// `stage_lookup`: a stage's index by its dictionary key.
pub(super) struct StageLookup {
    by_key: HashMap<Vec<u8>, usize>,
}

/// The index of a stage that the order does not know.
const UNKNOWN_STAGE: usize = 99;

impl StageLookup {
    /// Loads the given stage order, else the sealed one.
    pub(super) fn load(text: Option<&[u8]>) -> Result<Self, Abort> {
        let text = text.unwrap_or(contracts::STAGE_ORDER.as_bytes());
        let document = Document::parse(text, &Dialect::PYTHON).map_err(|error| Abort::of_reading(error.kind))?;
        let order = super::subscript(document.root(), "stage_order")?;
        let mut by_key = HashMap::new();
        match order.kind() {
            Kind::Array => {
                for (index, name) in order.elements().enumerate() {
                    by_key.insert(Value::of(name).hash_key()?, index);
                }
            }
            // STG-02 leaves these out; Python would take characters and member names.
            Kind::String | Kind::Object => {}
            _ => return Err(Abort::TypeError),
        }
        Ok(Self { by_key })
    }

    /// The index of a stage given as text.
    pub(super) fn index_of_text(&self, stage: &[u8]) -> usize {
        self.by_key.get(&[b"s", stage].concat()).copied().unwrap_or(UNKNOWN_STAGE)
    }

    /// The index of any value that has a hash.
    pub(super) fn index_of(&self, stage: &Value) -> Result<usize, Abort> {
        Ok(self.by_key.get(&stage.hash_key()?).copied().unwrap_or(UNKNOWN_STAGE))
    }

    /// The index of a row's stage.
    pub(super) fn index_of_cell(&self, stage: &Cell) -> Result<usize, Abort> {
        match stage {
            Cell::Name(text) => Ok(self.index_of_text(text.as_bytes())),
            Cell::Text(text) => Ok(self.index_of_text(text.as_bytes())),
            other => self.index_of(&value_of(other)),
        }
    }
}
