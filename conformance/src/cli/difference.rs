//! Where two JSON values differ.

use std::collections::{BTreeMap, BTreeSet};

use assize_verifier::json::{Dialect, Document, JsonPointer, Kind, NodeRef};
use serde::Serialize;

use super::output;

/// A place at which two values differ. A side that has nothing there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Difference {
    pub(crate) pointer: String,
    /// In canonical form; cut where it is long.
    pub(crate) expected: Option<String>,
    /// As `expected`.
    pub(crate) observed: Option<String>,
}

/// The first places at which two values differ.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Differences {
    pub(crate) places: Vec<Difference>,
    /// Whether there are more of them.
    pub(crate) more: bool,
}

/// Places that are listed.
const MOST: usize = 10;

/// Compares two canonical documents. None if one of them is not JSON in the dialect.
///
/// Arrays are compared by position. Nothing recurses: what is compared may be nested deeply.
pub(crate) fn between(expected: &[u8], observed: &[u8], dialect: &Dialect) -> Option<Differences> {
    let old = Document::parse(expected, dialect).ok()?;
    let new = Document::parse(observed, dialect).ok()?;
    let mut found = Differences::default();
    let mut pending = vec![(JsonPointer::root(), Some(old.root()), Some(new.root()))];
    while let Some((place, old, new)) = pending.pop() {
        match (old, new) {
            // Both are canonical: the same bytes are the same value.
            (Some(old), Some(new)) if old.raw() == new.raw() => {}
            (Some(old), Some(new)) if old.kind() == new.kind() && matches!(old.kind(), Kind::Array | Kind::Object) => {
                let before = pending.len();
                match old.kind() {
                    Kind::Array => elements(&place, old, new, &mut pending),
                    _ => members(&place, old, new, &mut pending),
                }
                // What was pushed last is processed first.
                if let Some(pushed) = pending.get_mut(before..) {
                    pushed.reverse();
                }
            }
            _ if found.places.len() == MOST => {
                found.more = true;
                break;
            }
            (old, new) => found.places.push(Difference {
                pointer: place.as_str().to_owned(),
                expected: old.map(shown),
                observed: new.map(shown),
            }),
        }
    }
    Some(found)
}

type Pair<'d> = (JsonPointer, Option<NodeRef<'d>>, Option<NodeRef<'d>>);

fn elements<'d>(place: &JsonPointer, old: NodeRef<'d>, new: NodeRef<'d>, pending: &mut Vec<Pair<'d>>) {
    let (mut old, mut new) = (old.elements(), new.elements());
    for index in 0.. {
        match (old.next(), new.next()) {
            (None, None) => return,
            (Some(old), Some(new)) if old.raw() == new.raw() => {}
            (old, new) => pending.push((place.index(index), old, new)),
        }
    }
}

fn members<'d>(place: &JsonPointer, old: NodeRef<'d>, new: NodeRef<'d>, pending: &mut Vec<Pair<'d>>) {
    // Canonical names are spelled in one way only.
    let of = |node: NodeRef<'d>| node.members().map(|(name, value)| (name.raw, (name, value))).collect();
    let (old, new): (BTreeMap<_, _>, BTreeMap<_, _>) = (of(old), of(new));
    let names: BTreeSet<_> = old.keys().chain(new.keys()).copied().collect();
    for raw in names {
        let (old, new) = (old.get(raw), new.get(raw));
        if let Some((name, _)) = old.or(new) {
            let place = place.member(&name.decode().to_text_lossy());
            pending.push((place, old.map(|(_, value)| *value), new.map(|(_, value)| *value)));
        }
    }
}

fn shown(node: NodeRef<'_>) -> String {
    output::middle(&String::from_utf8_lossy(node.raw())).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &str, observed: &str, wanted: &[(&str, Option<&str>, Option<&str>)]) {
        let found = between(expected.as_bytes(), observed.as_bytes(), &Dialect::EPISODE).unwrap();
        let seen: Vec<_> = found
            .places
            .iter()
            .map(|place| (place.pointer.as_str(), place.expected.as_deref(), place.observed.as_deref()))
            .collect();
        assert_eq!((seen.as_slice(), found.more), (wanted, false));
    }

    #[test]
    fn values_part_at_pointers() {
        check("[1,2,3]", "[1,2,3]", &[]);
        check("1", "[]", &[("", Some("1"), Some("[]"))]);
        check("[1,[2]]", "[1,[3],4]", &[("/1/0", Some("2"), Some("3")), ("/2", None, Some("4"))]);
        check(
            r#"{"b":{"x/y":1},"a":null,"c":0}"#,
            r#"{"a":{},"b":{"x/y":"1"}}"#,
            &[("/a", Some("null"), Some("{}")), ("/b/x~1y", Some("1"), Some("\"1\"")), ("/c", Some("0"), None)],
        );
        check(r#"{"a\n":1}"#, r#"{"a\n":2}"#, &[("/a\n", Some("1"), Some("2"))]);
    }

    #[test]
    fn many_places_are_cut() {
        let many = |from: u32| serde_json::to_string(&(from..from + 100).collect::<Vec<_>>()).unwrap();
        let found = between(many(0).as_bytes(), many(1).as_bytes(), &Dialect::EPISODE).unwrap();
        assert_eq!((found.places.len(), found.more), (MOST, true));
        assert_eq!(found.places[9].pointer, "/9");
    }

    #[test]
    fn depth_is_no_trouble_and_what_is_no_json_is_not_compared() {
        let deep = |inside: &str| format!("{}{inside}{}", "[".repeat(512), "]".repeat(512));
        let found = between(deep("1").as_bytes(), deep("2").as_bytes(), &Dialect::EPISODE).unwrap();
        assert_eq!(found.places[0].pointer, "/0".repeat(512));
        assert_eq!(between(b"NaN", b"1", &Dialect::EPISODE), None);
    }
}
