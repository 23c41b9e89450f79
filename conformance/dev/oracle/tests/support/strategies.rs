//! Strategies over inputs that are drawn from bytes: proptest draws and shrinks the bytes.

#![allow(dead_code, reason = "no test draws from all of them")]

use arbitrary::Unstructured;
use assize_inputs::{Pair, pairs::json_text};
use proptest::prelude::{Strategy, any};

/// A strategy over [`Pair`]; a failure shrinks towards a lawful pair.
pub(crate) fn pairs() -> impl Strategy<Value = Pair> {
    proptest::collection::vec(any::<u8>(), 0..1024).prop_map(|octets| Pair::from_bytes(&octets))
}

/// A strategy over single JSON texts, about one in five of them malformed.
pub(crate) fn json_texts() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(any::<u8>(), 0..256)
        .prop_map(|octets| json_text(&mut Unstructured::new(&octets)).unwrap_or_default())
}
