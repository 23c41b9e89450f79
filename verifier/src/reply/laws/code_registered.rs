//! What is used has to be registered, and not retired.
//!
//! Spec: Canonical Reply System Architecture (Final), 1 and 12; rulings RE-31, RE-32, RE-37, RE-38.

use std::collections::HashSet;

use super::legacy_retired;
use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::registry::Registry;
use crate::reply::model::text::{Text, quoted};

pub(crate) const LAW: Law = Law::named("reply/code-registered");

/// The codes that may be used.
#[derive(Clone, Debug)]
pub(crate) struct Registered<'r>(HashSet<Text<'r>>);

impl<'r> Registered<'r> {
    /// Those of the active registry.
    pub(crate) fn of<'d: 'r>(registry: Option<&'r Registry<'d>>) -> Self {
        let active = registry.iter().flat_map(|one| &one.active);
        let mut codes: HashSet<Text<'r>> = active.map(|row| Text::Borrowed(&*row.code)).collect();
        for retired in registry.iter().flat_map(|one| &one.retired) {
            codes.remove(&**retired);
        }
        Self(codes)
    }

    /// The same, apart from the document that they were read from.
    pub(crate) fn owned(&self) -> Registered<'static> {
        Registered(self.0.iter().map(|code| Text::Owned(code.to_vec())).collect())
    }

    /// Objects to the code of a call.
    pub(crate) fn judge_call(&self, code: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
        if !self.holds(code) {
            let message = format!("{} is not registered, or retired: register it, or use another", quoted(code));
            found.meaning(LAW, at(), message);
        }
    }

    /// Objects to a code that is listed as used.
    pub(crate) fn judge_use(&self, code: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
        if legacy_retired::is_legacy(code) || !self.holds(code) {
            let message =
                format!("{} is used and not registered, or retired: register it, or use another", quoted(code));
            found.meaning(LAW, at(), message);
        }
    }

    /// Objects to the code that an alias leads to.
    pub(crate) fn judge_alias(&self, new: &[u8], at: impl FnOnce() -> JsonPointer, found: &mut Judgement) {
        if !self.holds(new) {
            let message = format!("the alias leads to {}, which is not registered", quoted(new));
            found.meaning(LAW, at(), message);
        }
    }

    fn holds(&self, code: &[u8]) -> bool {
        self.0.contains(code)
    }
}
