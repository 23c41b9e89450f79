//! What a number is.

use crate::rejection::Rejection;

/// Reads decimal digits.
pub(super) fn read(text: &[u8]) -> Result<u32, Rejection> {
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    number.ok_or_else(|| Rejection::Input("decimal digits are owed".to_owned()))
}
