//! The `sovereign` profile: code point order, integers of any size, no floats.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Float Ban Law, and C, canonical_serialize; rulings OP, SV-13 to
//! SV-15, JSN-06, RES-02.

use crate::canon::{CanonRefusalKind, Duplicates, KeyOrder, Rules};
use crate::json::{Dialect, NumberToken};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("canon/sovereign");

pub(crate) const RULES: Rules = Rules {
    // Constants are read so that they are refused as floats on a canonical surface, not as bad syntax.
    dialect: Dialect::LAW,
    key_order: KeyOrder::CodePoint,
    number,
    duplicates: Duplicates::Refused,
    depth: Dialect::LAW.depth,
};

pub(crate) const PARITY: Rules = Rules {
    dialect: Dialect::PYTHON,
    number: number_after_python,
    duplicates: Duplicates::LastWins,
    // CPython 3.11 leaves the number check's recursion at 331 or 332 levels (RES-02).
    depth: 330,
    ..RULES
};

fn number(token: NumberToken<'_>, out: &mut Vec<u8>) -> Result<(), CanonRefusalKind> {
    if token.text == "-0" {
        return Err(CanonRefusalKind::NegativeZero);
    }
    number_after_python(token, out)
}

/// Python's reader has already turned the token `-0` into the integer 0.
fn number_after_python(token: NumberToken<'_>, out: &mut Vec<u8>) -> Result<(), CanonRefusalKind> {
    if token.float {
        return Err(if token.text.ends_with(['N', 'y']) {
            CanonRefusalKind::NonFinite
        } else {
            CanonRefusalKind::Float
        });
    }
    out.extend_from_slice(if token.text == "-0" { b"0" } else { token.text.as_bytes() });
    Ok(())
}
