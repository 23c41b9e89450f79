//! The `authority` profile: Python's numbers.
//!
//! Spec: `facts/authority.md` sections 1 and 2 (contract section 2.1).

use super::{Duplicates, KeyOrder, Rules, TroubleKind, float};
use crate::json::{Dialect, NumberToken};

pub(super) const RULES: Rules = Rules {
    dialect: Dialect::AUTHORITY,
    key_order: KeyOrder::CodePoint,
    number,
    duplicates: Duplicates::LastWins,
    depth: Dialect::AUTHORITY.depth,
};

fn number(token: NumberToken<'_>, out: &mut Vec<u8>) -> Result<(), TroubleKind> {
    if !token.float {
        out.extend_from_slice(if token.text == "-0" { b"0" } else { token.text.as_bytes() });
        return Ok(());
    }
    let value = token.to_f64();
    if !value.is_finite() {
        return Err(TroubleKind::NonFinite);
    }
    float::Decimal::of(value).append_python(out);
    Ok(())
}
