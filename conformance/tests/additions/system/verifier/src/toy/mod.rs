//! A toy system: numbers that have to be even.
//!
//! Spec: Toy Numbers, 1; ruling TOY-1.

pub(crate) mod laws;
mod model;
pub(crate) mod operations;

use crate::rejection::Rejection;

/// Half of a number.
///
/// # Errors
/// The text is not a number, or the number is not lawful.
pub fn halve(text: &[u8]) -> Result<u32, Rejection> {
    let number = model::read(text)?;
    laws::even::judge(number)?;
    Ok(number / 2)
}
