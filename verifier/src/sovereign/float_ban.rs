//! Float ban: what no canonical surface may hold, with every place at which it stands.
//!
//! Spec: `000_2d13fa6304d8a0d4.txt` section A, Float Ban Law and Strict Canonical Parity Law; behaviour table NUM-02 to
//! NUM-16, JSN-06, STR-06 to STR-09.
//!
//! Floats, NaN, infinities and `-0` are banned by their spelling. Lone surrogates and repeated names are found on the
//! same walk, because values with them have no canonical form either; those break canonical parity.

use crate::canon::TroubleKind;
use crate::json::{JsonPointer, Kind, NodeRef};
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

/// Visits everything banned at or below a value. Recursion is bounded by the dialect's depth limit of 256.
pub(super) fn scan(node: NodeRef<'_>, pointer: &JsonPointer, found: &mut dyn FnMut(Banned)) {
    match node.kind() {
        Kind::Object => {
            repeated_names(node, pointer, found);
            for (name, value) in node.members() {
                let name = name.decode();
                let below = pointer.member(&name.to_text_lossy());
                if name.has_lone_surrogate() {
                    found(Banned { kind: TroubleKind::LoneSurrogate, pointer: below.clone() });
                }
                scan(value, &below, found);
            }
        }
        Kind::Array => {
            for (index, element) in node.elements().enumerate() {
                scan(element, &pointer.index(index), found);
            }
        }
        Kind::String => {
            if node.as_string().is_some_and(|text| text.has_lone_surrogate()) {
                found(Banned { kind: TroubleKind::LoneSurrogate, pointer: pointer.clone() });
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
                found(Banned { kind, pointer: pointer.clone() });
            }
        }
        Kind::True | Kind::False | Kind::Null => {}
    }
}

/// Visits the members of one object whose names were used before.
pub(super) fn repeated_names(object: NodeRef<'_>, pointer: &JsonPointer, found: &mut dyn FnMut(Banned)) {
    let mut names: Vec<_> = object.members().map(|(name, _)| name.decode()).collect();
    names.sort_unstable();
    for run in names.chunk_by(|a, b| a == b).filter(|run| run.len() > 1) {
        if let Some(name) = run.first() {
            found(Banned { kind: TroubleKind::Duplicate, pointer: pointer.member(&name.to_text_lossy()) });
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
        let mut found = Vec::new();
        scan(document.root(), &JsonPointer::root(), &mut |banned| {
            found.push((banned.pointer.to_string(), banned.kind))
        });
        let expected = [
            ("/a/1", TroubleKind::NegativeZero),
            ("/a/2", TroubleKind::Float),
            ("/b/c", TroubleKind::Duplicate),
            ("/b/c", TroubleKind::NonFinite),
            ("/b/c", TroubleKind::LoneSurrogate),
        ];
        assert_eq!(found, expected.map(|(pointer, kind)| (pointer.to_owned(), kind)));
    }
}
