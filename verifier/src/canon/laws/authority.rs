//! The `authority` profile: Python's numbers.
//!
//! Spec: Kernel Contract 0.1.0, 2.1; rulings AU-42 to AU-44 and AU-46.

use crate::canon::{CanonRefusalKind, Duplicates, KeyOrder, Rules, float};
use crate::json::{Dialect, NumberToken};
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("canon/authority");

pub(crate) const RULES: Rules = Rules {
    dialect: Dialect::AUTHORITY,
    key_order: KeyOrder::CodePoint,
    number,
    duplicates: Duplicates::LastWins,
    depth: Dialect::AUTHORITY.depth,
};

fn number(token: NumberToken<'_>, out: &mut Vec<u8>) -> Result<(), CanonRefusalKind> {
    if !token.float {
        float::append_integer(token, out);
        return Ok(());
    }
    if let Some(exact) = float::Exact::python(token.text) {
        exact.append_python(out);
        return Ok(());
    }
    let value = float::finite(token)?;
    if !float::append_shortest(token, value, out) {
        float::Decimal::of(value).append_python(out);
    }
    Ok(())
}
