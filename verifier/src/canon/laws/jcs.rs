//! The `jcs` profile: RFC 8785.
//!
//! Spec: RFC 8785 sections 3.1 to 3.2.4; RFC 7493 sections 2.1 to 2.3; rulings EP-25 (number form), EP-26 (integers
//! beyond 2^53-1 are refused) and EP-27 (I-JSON input).

use crate::canon::{CanonRefusalKind, Duplicates, KeyOrder, Rules, float};
use crate::json::{Dialect, NumberToken};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("canon/jcs");

pub(crate) const RULES: Rules = Rules {
    dialect: Dialect::STRICT,
    key_order: KeyOrder::Utf16,
    number,
    duplicates: Duplicates::Refused,
    depth: Dialect::STRICT.depth,
};

/// The same over the documents of the episode system.
pub(crate) const EPISODE: Rules = Rules { dialect: Dialect::EPISODE, depth: Dialect::EPISODE.depth, ..RULES };

/// "Assay JCS Profile v1" (ruling EP-25): integers in full, and exponents as `1E21` and `1E-7`.
pub(crate) const ASSAY: Rules = Rules { number: assay_number, ..EPISODE };

/// Largest integer that every double-based reader keeps exactly: 2^53-1.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

fn number(token: NumberToken<'_>, out: &mut Vec<u8>) -> Result<(), CanonRefusalKind> {
    if !token.float {
        let digits = token.text.trim_start_matches('-');
        let safe = digits.len() <= float::EXACT_DIGITS
            || digits.parse::<u64>().is_ok_and(|magnitude| magnitude <= MAX_SAFE_INTEGER);
        if !safe {
            return Err(CanonRefusalKind::UnsafeInteger);
        }
        float::append_integer(token, out);
        return Ok(());
    }
    if let Some(exact) = float::Exact::ecmascript(token.text) {
        exact.append_ecmascript(out);
        return Ok(());
    }
    float::Decimal::of(float::finite(token)?).append_ecmascript(out);
    Ok(())
}

fn assay_number(token: NumberToken<'_>, out: &mut Vec<u8>) -> Result<(), CanonRefusalKind> {
    if !token.float {
        float::append_integer(token, out);
        return Ok(());
    }
    float::Decimal::of(float::finite(token)?).append_assay(out);
    Ok(())
}
