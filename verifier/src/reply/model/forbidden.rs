//! Names that are expressly none, as `contracts/reply/tables/forbidden.json` lists them.
//!
//! Spec: Canonical Reply System Architecture (Final), 2, 5 and 9; ruling RE-27. What they are not is said by a law each.

use crate::tables::reply::forbidden::ROWS;

/// The names that are no `what`.
pub(crate) fn all(what: &str) -> impl Iterator<Item = &'static str> {
    ROWS.iter().filter(move |row| row.r#as == what).map(|row| row.name)
}

/// Whether a name, in exactly this case, is no `what`.
pub(crate) fn is(what: &str, name: &[u8]) -> bool {
    all(what).any(|forbidden| forbidden.as_bytes() == name)
}
