//! A registry holds a code once.
//!
//! Spec: Canonical Reply System Architecture (Final), 1 and 6, Properties.

use std::collections::HashSet;

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::registry::Row;
use crate::reply::model::text::quoted;

pub(crate) const LAW: Law = Law::named("reply/code-unique");

/// The codes of a registry so far.
#[derive(Default)]
pub(crate) struct Held<'d>(HashSet<&'d [u8]>);

impl<'d> Held<'d> {
    /// Takes the code of a row in, and objects to one that is there already.
    pub(crate) fn take(&mut self, row: &'d Row<'_>, at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
        if !self.0.insert(&row.code) {
            found.meaning(LAW, at(), format!("{} is listed twice: keep one row", quoted(&row.code)));
        }
    }
}
