//! A number is even, and zero is.
//!
//! Spec: Toy Numbers, 1; ruling TOY-1.

use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;
use crate::rejection::Rejection;

pub(crate) const LAW: Law = Law::named("toy/even");

pub(crate) fn judge(number: u32) -> Result<(), Rejection> {
    if number % 2 == 0 {
        return Ok(());
    }
    Err(Rejection::Laws(vec![Finding::error(LAW, JsonPointer::root(), "the number is odd")]))
}
