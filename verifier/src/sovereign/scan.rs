//! The walk over a value for everything that has no canonical form, with every place at which it stands.
//!
//! One walk serves two laws: numbers are the float ban's, lone surrogates and repeated names canonical parity's.

use crate::canon::CanonRefusalKind;
use crate::json::{JsonPointer, JsonStr, Kind, NodeRef};

use super::laws::{canonical_parity, float_ban};
use super::model::banned::Found;

/// A place on the way down. Pointers are written for findings alone: long names would be copied once a value otherwise.
enum Place<'p, 'd> {
    Top(&'p JsonPointer),
    Member(&'p Place<'p, 'd>, &'p JsonStr<'d>),
    Element(&'p Place<'p, 'd>, usize),
}

impl Place<'_, '_> {
    fn pointer(&self) -> JsonPointer {
        match self {
            Self::Top(pointer) => (*pointer).clone(),
            Self::Member(parent, name) => parent.pointer().member(&name.to_text_lossy()),
            Self::Element(parent, index) => parent.pointer().index(*index),
        }
    }
}

/// Finds everything banned at or below a value.
pub(crate) fn scan(node: NodeRef<'_>, pointer: &JsonPointer, found: &mut Found) {
    scan_at(node, &Place::Top(pointer), found);
}

/// Recursion is bounded by the dialect's depth limit of 256.
fn scan_at(node: NodeRef<'_>, place: &Place<'_, '_>, found: &mut Found) {
    if found.is_full() {
        return;
    }
    match node.kind() {
        Kind::Object => {
            find_repeated(node, place, found);
            for (name, value) in node.members() {
                let name = name.decode();
                let below = Place::Member(place, &name);
                if let Some(kind) = canonical_parity::banned_text(&name) {
                    found.add(kind, below.pointer());
                }
                scan_at(value, &below, found);
            }
        }
        Kind::Array => {
            for (index, element) in node.elements().enumerate() {
                scan_at(element, &Place::Element(place, index), found);
            }
        }
        Kind::String => {
            if let Some(kind) = node.as_string().and_then(|text| canonical_parity::banned_text(&text)) {
                found.add(kind, place.pointer());
            }
        }
        Kind::Number => {
            if let Some(kind) = node.as_number().and_then(float_ban::banned_number) {
                found.add(kind, place.pointer());
            }
        }
        Kind::True | Kind::False | Kind::Null => {}
    }
}

/// Finds the members of one object whose names were used before.
pub(crate) fn repeated_names(object: NodeRef<'_>, pointer: &JsonPointer, found: &mut Found) {
    find_repeated(object, &Place::Top(pointer), found);
}

fn find_repeated(object: NodeRef<'_>, place: &Place<'_, '_>, found: &mut Found) {
    canonical_parity::each_repeated_name(object, |name| {
        if !found.is_full() {
            found.add(CanonRefusalKind::Duplicate, Place::Member(place, name).pointer());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, Document};
    use crate::sovereign::model::banned::MOST_FINDINGS;

    #[test]
    fn every_place_is_named() {
        let text = br#"{"a":[0,-0,1.0],"b":{"c":NaN,"c":"\ud800"},"ok":[1,"x",null]}"#;
        let document = Document::parse(text, &Dialect::LAW).expect("JSON");
        let mut found = Found::where_it(|_| true);
        scan(document.root(), &JsonPointer::root(), &mut found);
        let found: Vec<_> = found.list.into_iter().map(|banned| (banned.pointer.to_string(), banned.kind)).collect();
        let expected = [
            ("/a/1", CanonRefusalKind::NegativeZero),
            ("/a/2", CanonRefusalKind::Float),
            ("/b/c", CanonRefusalKind::Duplicate),
            ("/b/c", CanonRefusalKind::NonFinite),
            ("/b/c", CanonRefusalKind::LoneSurrogate),
        ];
        assert_eq!(found, expected.map(|(pointer, kind)| (pointer.to_owned(), kind)));
    }

    #[test]
    fn what_does_not_matter_takes_no_room() {
        let text = format!("[{}1.0]", "\"\\ud800\",".repeat(MOST_FINDINGS));
        let document = Document::parse(text.as_bytes(), &Dialect::LAW).expect("JSON");
        let mut floats = Found::where_it(|banned| float_ban::is_broken_by(banned.kind));
        scan(document.root(), &JsonPointer::root(), &mut floats);
        assert_eq!(floats.list.len(), 1);
    }
}
