//! kernel/sort-order: sources stand by stem, location, relationship and artifact digest, in code point order.
//!
//! Spec: Kernel v1 Requirements Pack, Law 5 and Spec-002, 8; ruling KE-9. A null relationship counts as the empty text,
//! and indexes inside locations are text like the rest.

use crate::digest::Digest;
use crate::finding::Finding;
use crate::kernel::model::layout::location;
use crate::kernel::model::record::{RefRecord, Source};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("kernel/sort-order");

/// What sources of one record are sorted by.
fn key(source: &Source) -> (&str, &str, &str, Digest) {
    let relationship = source.relationship.as_deref().unwrap_or_default();
    (&source.stem, &source.location, relationship, source.artifact_digest)
}

/// Puts sources into their order.
pub(crate) fn sort(sources: &mut [Source]) {
    sources.sort_by(|a, b| key(a).cmp(&key(b)));
}

/// A stored reference record whose sources stand in another order.
pub(crate) fn check(path: &str, record: &RefRecord) -> Option<Finding> {
    let sorted = record.sources.is_sorted_by(|a, b| key(a) <= key(b));
    (!sorted).then(|| Finding::error(LAW, location(path), "its sources are not sorted"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(stem: &str, location: &str, relationship: Option<&str>, links: &[u8]) -> Source {
        Source {
            stem: stem.to_owned(),
            location: location.to_owned(),
            relationship: relationship.map(str::to_owned),
            artifact_digest: Digest::of(links),
        }
    }

    #[test]
    fn sources_sort_by_four_texts() {
        let mut links = [Digest::of(b"1"), Digest::of(b"2")];
        links.sort();
        let mut sorted = vec![
            source("a", "/links/k/10", None, b"{}"),
            source("a", "/links/k/2", None, b"{}"),
            source("a", "/links/k/2", Some("b"), b"{}"),
            source("a/b", "/links/a", None, b"{}"),
            source("a\u{ff61}", "/links/a", None, b"{}"),
            source("a\u{1f600}", "/links/a", None, b"{}"),
        ];
        let expected = sorted.clone();
        sorted.reverse();
        sort(&mut sorted);
        assert_eq!(sorted, expected);
        let mut same: Vec<_> = links.iter().rev().map(|_| source("a", "/links/k", Some("r"), b"")).collect();
        for (one, digest) in same.iter_mut().zip(links.iter().rev()) {
            one.artifact_digest = *digest;
        }
        sort(&mut same);
        assert_eq!(same.iter().map(|one| one.artifact_digest).collect::<Vec<_>>(), links);
    }
}
