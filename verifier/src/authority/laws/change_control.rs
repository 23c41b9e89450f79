//! authority/change-control: what breaks golden fixtures or hashes needs a higher major version that is documented.
//!
//! Spec: Kernel Contract 0.1.0, 5; ruling AU-48.

use std::collections::BTreeSet;

use crate::authority::model::release::{Fields, Release};
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

use super::goldens::LOCKED;

pub(crate) const LAW: Law = Law::named("authority/change-control");

/// What `later` changes without the version that it needs; `place` is where `later` stands.
pub(crate) fn undue(earlier: &Release, later: &Release, place: &JsonPointer) -> Vec<Finding> {
    let mut found = Vec::new();
    if later.version < earlier.version {
        found.push(finding(place.member("version"), "a version is not below the one before it"));
    }
    let breaks = later.version.has_higher_major_than(&earlier.version);
    if !breaks {
        goldens(earlier, later, &place.member("goldens"), &mut found);
    }
    let extends = later.version.has_higher_minor_than(&earlier.version);
    fields(earlier, later, (breaks, extends), &place.member("artifact_fields"), &mut found);
    found
}

/// A higher major version without documentation.
pub(crate) fn undocumented(
    earlier: &Release,
    later: &Release,
    documented: bool,
    place: JsonPointer,
) -> Option<Finding> {
    let owed = later.version.has_higher_major_than(&earlier.version) && !documented;
    owed.then(|| finding(place, "a higher major version comes with its documentation"))
}

fn goldens(earlier: &Release, later: &Release, place: &JsonPointer, found: &mut Vec<Finding>) {
    for (name, before) in &earlier.goldens {
        let place = place.member(name);
        let Some(after) = later.goldens.get(name) else {
            found.push(finding(place, "a golden is removed under a higher major version alone"));
            continue;
        };
        // A member that is gone does not lock any more: that is another law's.
        let differs = |member: &&str| after.contains_key(*member) && before.get(*member) != after.get(*member);
        let members = LOCKED.iter().copied().filter(differs);
        let message = "what a golden locks is changed under a higher major version alone";
        found.extend(members.map(|member| finding(place.member(member), message)));
    }
}

fn fields(
    earlier: &Release,
    later: &Release,
    (breaks, extends): (bool, bool),
    place: &JsonPointer,
    found: &mut Vec<Finding>,
) {
    let none = Fields::default();
    let artifacts: BTreeSet<&String> = earlier.fields.keys().chain(later.fields.keys()).collect();
    for artifact in artifacts {
        let before = earlier.fields.get(artifact).unwrap_or(&none);
        let after = later.fields.get(artifact).unwrap_or(&none);
        let place = place.member(artifact);
        let hashed: BTreeSet<_> = before.hashed.symmetric_difference(&after.hashed).filter(|_| !breaks).collect();
        let added = after.excluded.difference(&before.excluded).filter(|field| !extends && !hashed.contains(field));
        let message = "what is hashed of an artefact is changed under a higher major version alone";
        found.extend(hashed.iter().map(|field| finding(place.member(field), message)));
        let message = "a field that is not hashed is added under a higher minor version";
        found.extend(added.map(|field| finding(place.member(field), message)));
    }
}

fn finding(place: JsonPointer, message: &'static str) -> Finding {
    Finding::error(LAW, place, message)
}
