//! Issue multiplicity: issues are compared as a multimap, with cardinality.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, C, compare_issues; rulings ISS-02, ISS-04, ISS-05, ISS-07, ISS-15,
//! ISS-18.
//!
//! Issues meet in buckets of one stage, location, code and details. A bucket whose counts differ gives one row with the
//! digests of both whole lists; one whose counts agree gives a row for each pair of items that are not equal. Order in
//! the turn file means nothing.

use std::cmp::Ordering;

use crate::digest::Digest;
use crate::law::Law;
use crate::sovereign::model::issue::Issue;
use crate::sovereign::model::report::{Cell, Row, Surface, reason};

pub(crate) const LAW: Law = Law::named("sovereign/issue-multiplicity");

/// How two buckets of equal size are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairing {
    /// Law mode: equal items cancel, what is left is paired in order of digests.
    Leftovers,
    /// The comparator: whole lists are paired in order of digests, so that one replaced item may shift many.
    WholeLists,
}

/// Digest of `[{"_missing":true}]`, which stands for a side without any issue in the bucket.
pub(crate) fn missing() -> Digest {
    Digest::of(br#"[{"_missing":true}]"#)
}

/// Appends a row for each difference; rows come by stage index, location, code and digest of details.
pub(crate) fn compare(turn_id: &Cell, a: &mut [Issue<'_>], b: &mut [Issue<'_>], pairing: Pairing, rows: &mut Vec<Row>) {
    if a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.normal == b.normal) {
        return;
    }
    a.sort_by(by_bucket);
    b.sort_by(by_bucket);
    let mut differing: Vec<Bucket<'_, '_>> = Vec::new();
    let (mut rest_a, mut rest_b) = (&*a, &*b);
    while let Some(first) = smaller(rest_a.first(), rest_b.first()) {
        let (in_a, after_a) = split_bucket(rest_a, first);
        let (in_b, after_b) = split_bucket(rest_b, first);
        (rest_a, rest_b) = (after_a, after_b);
        let equal = in_a.len() == in_b.len() && in_a.iter().zip(in_b).all(|(a, b)| a.normal == b.normal);
        if !equal {
            differing.push(Bucket { first, a: in_a, b: in_b });
        }
    }
    // Buckets that share stage, location and code are told apart by the digest of their details, not by its bytes.
    for bucket in in_digest_order(&mut differing) {
        bucket.append_rows(turn_id, pairing, rows);
    }
}

fn by_bucket(a: &Issue<'_>, b: &Issue<'_>) -> Ordering {
    by_visible_key(a, b).then_with(|| a.details.cmp(b.details)).then_with(|| a.normal.cmp(b.normal))
}

fn by_visible_key(a: &Issue<'_>, b: &Issue<'_>) -> Ordering {
    a.stage_index.cmp(&b.stage_index).then_with(|| a.location.cmp(&b.location)).then_with(|| a.code.cmp(&b.code))
}

fn same_bucket(a: &Issue<'_>, b: &Issue<'_>) -> bool {
    by_visible_key(a, b).is_eq() && a.details == b.details
}

fn smaller<'i, 't>(a: Option<&'i Issue<'t>>, b: Option<&'i Issue<'t>>) -> Option<&'i Issue<'t>> {
    match (a, b) {
        (Some(a), Some(b)) => {
            Some(if by_visible_key(a, b).then_with(|| a.details.cmp(b.details)).is_le() { a } else { b })
        }
        (a, b) => a.or(b),
    }
}

fn split_bucket<'i, 't>(issues: &'i [Issue<'t>], key: &Issue<'t>) -> (&'i [Issue<'t>], &'i [Issue<'t>]) {
    let length = issues.iter().take_while(|issue| same_bucket(issue, key)).count();
    issues.split_at_checked(length).unwrap_or((issues, &[]))
}

struct Bucket<'i, 't> {
    first: &'i Issue<'t>,
    a: &'i [Issue<'t>],
    b: &'i [Issue<'t>],
}

/// Sorts runs of buckets with one visible key by the digest of their details, which is computed for such runs alone.
fn in_digest_order<'s, 'i, 't>(buckets: &'s mut [Bucket<'i, 't>]) -> impl Iterator<Item = &'s Bucket<'i, 't>> {
    for run in buckets.chunk_by_mut(|x, y| by_visible_key(x.first, y.first).is_eq()) {
        if run.len() > 1 {
            run.sort_by_cached_key(|bucket| Digest::of(bucket.first.details));
        }
    }
    buckets.iter()
}

impl Bucket<'_, '_> {
    fn append_rows(&self, turn_id: &Cell, pairing: Pairing, rows: &mut Vec<Row>) {
        let a = digests(self.a);
        let b = digests(self.b);
        if a.len() != b.len() {
            let stage = Cell::Name("replay");
            rows.push(self.row(turn_id, stage, list_digest(&a), list_digest(&b)));
            return;
        }
        let (a, b) = match pairing {
            Pairing::WholeLists => (a, b),
            Pairing::Leftovers => leftovers(a, b),
        };
        for ((digest_a, issue), (digest_b, _)) in a.into_iter().zip(b) {
            if digest_a != digest_b {
                rows.push(self.row(turn_id, text(&issue.stage), digest_a, digest_b));
            }
        }
    }

    fn row(&self, turn_id: &Cell, stage_name: Cell, expected: Digest, actual: Digest) -> Row {
        Row {
            turn_id: turn_id.clone(),
            stage_name,
            ordinal: Cell::Number(0),
            surface: Surface::Issue,
            path: text(&self.first.location),
            expected: Cell::Digest(expected),
            actual: Cell::Digest(actual),
            reason: Some(reason::EQUIVALENCE),
            diagnostic: None,
        }
    }
}

fn text(bytes: &[u8]) -> Cell {
    // Typed issues hold UTF-8: a lone surrogate is refused before it comes here.
    Cell::Text(String::from_utf8_lossy(bytes).into())
}

type Digested<'i, 't> = (Digest, &'i Issue<'t>);

/// The issues of one side in order of their digests.
fn digests<'i, 't>(issues: &'i [Issue<'t>]) -> Vec<Digested<'i, 't>> {
    let mut digested: Vec<_> = issues.iter().map(|issue| (Digest::of(issue.normal), issue)).collect();
    digested.sort_by_key(|(digest, _)| *digest);
    digested
}

/// Digest of the canonical list of a side's issues, in order of their digests.
fn list_digest(issues: &[Digested<'_, '_>]) -> Digest {
    if issues.is_empty() {
        return missing();
    }
    let mut list = Vec::with_capacity(issues.iter().map(|(_, issue)| issue.normal.len() + 1).sum::<usize>() + 1);
    for (index, (_, issue)) in issues.iter().enumerate() {
        list.push(if index == 0 { b'[' } else { b',' });
        list.extend_from_slice(issue.normal);
    }
    list.push(b']');
    Digest::of(&list)
}

/// Takes equal items out of both sorted lists.
fn leftovers<'i, 't>(
    a: Vec<Digested<'i, 't>>,
    b: Vec<Digested<'i, 't>>,
) -> (Vec<Digested<'i, 't>>, Vec<Digested<'i, 't>>) {
    let (mut left_a, mut left_b) = (Vec::new(), Vec::new());
    let (mut a, mut b) = (a.into_iter().peekable(), b.into_iter().peekable());
    loop {
        match (a.peek(), b.peek()) {
            (Some(x), Some(y)) => match x.0.cmp(&y.0) {
                Ordering::Less => left_a.extend(a.next()),
                Ordering::Greater => left_b.extend(b.next()),
                Ordering::Equal => {
                    a.next();
                    b.next();
                }
            },
            _ => {
                left_a.extend(a);
                left_b.extend(b);
                return (left_a, left_b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue<'t>(details: &'t str, normal: &'t str) -> Issue<'t> {
        Issue {
            stage_index: 3,
            stage: b"policy".into(),
            location: b"/x".into(),
            code: b"E_X".into(),
            details: details.as_bytes(),
            normal: normal.as_bytes(),
        }
    }

    fn rows(a: &[Issue<'_>], b: &[Issue<'_>], pairing: Pairing) -> usize {
        let mut rows = Vec::new();
        compare(&Cell::Name("t"), &mut a.to_vec(), &mut b.to_vec(), pairing, &mut rows);
        rows.len()
    }

    #[test]
    fn the_placeholder_has_the_sheets_digest() {
        assert_eq!(missing().to_hex(), "a03f27769b6e3d2d6371655396115e38d2b4a83b8eb3d9ccc692fe8bb5eebba6");
    }

    #[test]
    fn order_means_nothing_and_cardinality_does() {
        let (x, y) = (issue("{}", "x"), issue("{}", "y"));
        assert_eq!(rows(&[x.clone(), y.clone()], &[y.clone(), x.clone()], Pairing::WholeLists), 0);
        assert_eq!(rows(&[x.clone(), x.clone()], std::slice::from_ref(&x), Pairing::WholeLists), 1);
        let other_details = issue("[]", "z");
        assert_eq!(rows(&[x], &[other_details], Pairing::WholeLists), 2);
        assert_eq!(rows(&[], &[y], Pairing::Leftovers), 1);
    }

    #[test]
    fn leftovers_alone_are_reported_in_law_mode() {
        let names: Vec<String> = (0..9).map(|n| n.to_string()).collect();
        let issues: Vec<_> = names.iter().map(|name| issue("{}", name)).collect();
        assert_eq!(rows(&issues[..8], &issues[1..], Pairing::Leftovers), 1);
        assert!(rows(&issues[..8], &issues[1..], Pairing::WholeLists) >= 1);
    }
}
