//! Float ban: what no canonical surface may hold, with every place at which it stands.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Float Ban Law and Strict Canonical Parity Law; rulings NUM-02
//! to NUM-16, JSN-06, STR-06 to STR-09.
//!
//! Floats, NaN, infinities and `-0` are banned by their spelling. Lone surrogates and repeated names are found on the
//! same walk, because values with them have no canonical form either; those break canonical parity.

use crate::canon::TroubleKind;
use crate::json::{JsonPointer, JsonStr, Kind, NodeRef};
use crate::law::Law;
use crate::sovereign::report::reason;

/// A value without canonical form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Banned {
    pub(super) kind: TroubleKind,
    pub(super) pointer: JsonPointer,
}

impl Banned {
    /// The law that is broken.
    pub(super) fn law(&self) -> Law {
        match self.kind {
            TroubleKind::LoneSurrogate | TroubleKind::Duplicate | TroubleKind::Depth => Law::CanonicalParity,
            TroubleKind::Float | TroubleKind::NegativeZero | TroubleKind::NonFinite | TroubleKind::UnsafeInteger => {
                Law::FloatBan
            }
        }
    }

    /// The code of both laws.
    pub(super) const CODE: &'static str = reason::CANONICALIZATION;
}

/// Most places that one document's findings name; a limit of its own row says that there are more (RES-06).
pub(super) const MOST_FINDINGS: usize = 1_000;

/// What a walk has found and what matters of it, up to one more than [`MOST_FINDINGS`]: what does not matter takes no room.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) list: Vec<Banned>,
    matters: fn(&Banned) -> bool,
}

impl Default for Found {
    fn default() -> Self {
        Self::where_it(|_| true)
    }
}

impl Found {
    /// Keeps that for which `matters` holds.
    pub(super) fn where_it(matters: fn(&Banned) -> bool) -> Self {
        Self { list: Vec::new(), matters }
    }

    /// One more than is named is kept, so that the cut sees that there is more.
    fn is_full(&self) -> bool {
        self.list.len() > MOST_FINDINGS
    }

    fn add(&mut self, kind: TroubleKind, pointer: JsonPointer) {
        let banned = Banned { kind, pointer };
        if !self.is_full() && (self.matters)(&banned) {
            self.list.push(banned);
        }
    }
}

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
pub(super) fn scan(node: NodeRef<'_>, pointer: &JsonPointer, found: &mut Found) {
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
                if name.has_lone_surrogate() {
                    found.add(TroubleKind::LoneSurrogate, below.pointer());
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
            if node.as_string().is_some_and(|text| text.has_lone_surrogate()) {
                found.add(TroubleKind::LoneSurrogate, place.pointer());
            }
        }
        Kind::Number => {
            if let Some(token) = node.as_number()
                && token.is_banned()
            {
                let kind = match token.text {
                    "-0" => TroubleKind::NegativeZero,
                    text if text.ends_with(['N', 'y']) => TroubleKind::NonFinite,
                    _ => TroubleKind::Float,
                };
                found.add(kind, place.pointer());
            }
        }
        Kind::True | Kind::False | Kind::Null => {}
    }
}

/// Finds the members of one object whose names were used before.
pub(super) fn repeated_names(object: NodeRef<'_>, pointer: &JsonPointer, found: &mut Found) {
    find_repeated(object, &Place::Top(pointer), found);
}

fn find_repeated(object: NodeRef<'_>, place: &Place<'_, '_>, found: &mut Found) {
    let mut names: Vec<_> = object.members().map(|(name, _)| name.decode()).collect();
    names.sort_unstable();
    for run in names.chunk_by(|a, b| a == b).filter(|run| run.len() > 1) {
        if let Some(name) = run.first()
            && !found.is_full()
        {
            found.add(TroubleKind::Duplicate, Place::Member(place, name).pointer());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Dialect, Document};

    #[test]
    fn every_place_is_named() {
        let text = br#"{"a":[0,-0,1.0],"b":{"c":NaN,"c":"\ud800"},"ok":[1,"x",null]}"#;
        let document = Document::parse(text, &Dialect::LAW).expect("JSON");
        let mut found = Found::default();
        scan(document.root(), &JsonPointer::root(), &mut found);
        let found: Vec<_> = found.list.into_iter().map(|banned| (banned.pointer.to_string(), banned.kind)).collect();
        let expected = [
            ("/a/1", TroubleKind::NegativeZero),
            ("/a/2", TroubleKind::Float),
            ("/b/c", TroubleKind::Duplicate),
            ("/b/c", TroubleKind::NonFinite),
            ("/b/c", TroubleKind::LoneSurrogate),
        ];
        assert_eq!(found, expected.map(|(pointer, kind)| (pointer.to_owned(), kind)));
    }

    #[test]
    fn what_does_not_matter_takes_no_room() {
        let text = format!("[{}1.0]", "\"\\ud800\",".repeat(MOST_FINDINGS));
        let document = Document::parse(text.as_bytes(), &Dialect::LAW).expect("JSON");
        let mut floats = Found::where_it(|banned| banned.law() == Law::FloatBan);
        scan(document.root(), &JsonPointer::root(), &mut floats);
        assert_eq!(floats.list.len(), 1);
    }
}
