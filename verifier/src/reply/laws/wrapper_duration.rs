//! The measured duration: a number that is not negative.
//!
//! Spec: Canonical Reply System Architecture (Final), 8 and 11; rulings RE-7, RE-29. An
//! unsound one is reported as a member of the envelope.

use crate::json::NodeRef;
use crate::law::Law;

pub(crate) const LAW: Law = Law::named("reply/wrapper-duration");

pub(crate) fn is_sound(duration: NodeRef<'_>) -> bool {
    duration.as_number().is_some_and(|token| !is_negative(token.text))
}

/// StatedReply from the token: a double may round the smallest negative numbers to zero, and `-0` is not less than nothing.
fn is_negative(token: &str) -> bool {
    let mantissa = token.strip_prefix('-').and_then(|digits| digits.split(['e', 'E']).next());
    mantissa.is_some_and(|digits| digits.bytes().any(|digit| matches!(digit, b'1'..=b'9')))
}
