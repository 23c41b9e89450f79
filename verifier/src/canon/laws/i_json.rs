//! I-JSON: what RFC 8785 serializes.
//!
//! Spec: RFC 7493 sections 2.1 to 2.3. That a surrogate stands alone is noticed by whoever writes it
//! ([`CanonRefusalKind::LoneSurrogate`](crate::canon::CanonRefusalKind)). Noncharacters are kept: the text forbids them to authors and
//! orders nobody to refuse them.

use crate::canon::{Duplicates, float};
use crate::json::NumberToken;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("canon/i-json");

/// Section 2.3: no two members of one object have the same name.
pub(crate) const DUPLICATES: Duplicates = Duplicates::Refused;

/// Section 2.2: largest integer that every double-based reader keeps exactly, 2^53-1.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Whether every reader keeps an integer token exactly.
pub(crate) fn is_safe(integer: NumberToken<'_>) -> bool {
    let digits = integer.text.trim_start_matches('-');
    digits.len() <= float::EXACT_DIGITS || digits.parse::<u64>().is_ok_and(|magnitude| magnitude <= MAX_SAFE_INTEGER)
}
