//! The `rfc8785` profile: RFC 8785 over I-JSON.
//!
//! Spec: RFC 8785 sections 3.1 to 3.2.4; ECMA-262 section 7.1.12.1. Where the texts leave the choice open, an integer that is no
//! double is rounded to one, as any other number is, and a byte order mark is refused.

use super::i_json;
use crate::canon::{CanonRefusalKind, KeyOrder, Rules, float};
use crate::json::{Dialect, NumberToken};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("canon/rfc8785");

pub(crate) const RULES: Rules = Rules {
    dialect: Dialect::I_JSON,
    key_order: KeyOrder::Utf16,
    number,
    duplicates: i_json::DUPLICATES,
    depth: Dialect::I_JSON.depth,
};

/// Section 3.2.2.3: the nearest double, as ECMAScript prints it.
pub(crate) fn number(token: NumberToken<'_>, out: &mut Vec<u8>) -> Result<(), CanonRefusalKind> {
    if !token.float && i_json::is_safe(token) {
        float::append_integer(token, out);
        return Ok(());
    }
    if let Some(exact) = float::Exact::ecmascript(token.text) {
        exact.append_ecmascript(out);
        return Ok(());
    }
    let value = float::finite(token)?;
    if !float::append_shortest(token, value, out) {
        float::Decimal::of(value).append_ecmascript(out);
    }
    Ok(())
}
