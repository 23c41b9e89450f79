//! kernel/registry-versions: over the revisions of a registry, versions rise, a code keeps its meaning within a major version, a new one
//! needs a minor version and one that is renamed or gone a major version.
//!
//! Spec: Kernel v1 Requirements Pack, Error Codes, Registry Rule, and Law 7; ruling KE-58. There is one finding for a place, so what
//! is wrong with a code twice is told once.

use std::collections::BTreeMap;

use crate::finding::Finding;
use crate::json::{JsonPointer, JsonStr};
use crate::kernel::model::revision::{Revision, RevisionFinding};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/registry-versions");

/// What is wrong with revisions, oldest first, sorted by place.
pub(crate) fn check(revisions: &[Revision<'_>]) -> Vec<RevisionFinding> {
    let mut found = Found::default();
    // What each code meant last, by major version.
    let mut meanings: BTreeMap<_, BTreeMap<&JsonStr<'_>, &JsonStr<'_>>> = BTreeMap::new();
    let mut before = None;
    for (index, revision) in revisions.iter().enumerate() {
        let place = JsonPointer::root().index(index);
        if let Some(before) = before {
            found.between(before, revision, &place);
        }
        let codes = place.member("codes");
        let known = meanings.entry(revision.version.major()).or_default();
        for (code, meaning) in &revision.codes {
            if !is_named_as_due(code) {
                found.code(&codes, code, "a code is E_ or I_, then capital letters, digits and underscores");
            }
            if known.insert(code, meaning).is_some_and(|earlier| earlier != meaning) {
                found.code(&codes, code, "a code keeps its meaning within a major version");
            }
        }
        before = Some(revision);
    }
    found.0.into_values().collect()
}

/// Findings by their place, of which each has one.
#[derive(Default)]
struct Found(BTreeMap<JsonPointer, RevisionFinding>);

impl Found {
    /// What a revision owes to the one before it.
    fn between(&mut self, before: &Revision<'_>, revision: &Revision<'_>, place: &JsonPointer) {
        let (old, new) = (&before.version, &revision.version);
        let codes = place.member("codes");
        if new <= old {
            self.add(place.member("version"), None, "the version is not above that of the revision before");
        }
        if !new.has_higher_major_than(old) {
            for code in before.codes.keys().filter(|code| !revision.codes.contains_key(*code)) {
                self.code(&codes, code, "a code is renamed or taken away under a higher major version alone");
            }
        }
        if !new.has_higher_minor_than(old) {
            for code in revision.codes.keys().filter(|code| !before.codes.contains_key(*code)) {
                self.code(&codes, code, "a new code needs a higher minor version");
            }
        }
    }

    fn code(&mut self, codes: &JsonPointer, code: &JsonStr<'_>, message: &'static str) {
        let code = code.to_text_lossy().into_owned();
        self.add(codes.member(&code), Some(code), message);
    }

    fn add(&mut self, place: JsonPointer, code: Option<String>, message: &'static str) {
        let finding = Finding::error(LAW, place.clone(), message);
        self.0.entry(place).or_insert(RevisionFinding { finding, code });
    }
}

/// Whether a code is `[EI]_[A-Z0-9_]+` from its first letter to its last.
fn is_named_as_due(code: &JsonStr<'_>) -> bool {
    let due = |byte: &u8| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'_');
    match code.as_bytes() {
        [b'E' | b'I', b'_', name @ ..] => !name.is_empty() && name.iter().all(due),
        _ => false,
    }
}
