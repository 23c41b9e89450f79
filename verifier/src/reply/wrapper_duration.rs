//! The measured duration: a number that is not negative.
//!
//! Spec: section 11; `facts/reply.md` 6, rulings RE-7 and RE-29. An unsound one is named as a member of the envelope.

use crate::json::NodeRef;

pub(super) fn is_sound(duration: NodeRef<'_>) -> bool {
    duration.as_number().is_some_and(|token| !is_negative(token.text))
}

/// Told from the token: a double may round the smallest negative numbers to zero, and `-0` is not less than nothing.
fn is_negative(token: &str) -> bool {
    let mantissa = token.strip_prefix('-').and_then(|digits| digits.split(['e', 'E']).next());
    mantissa.is_some_and(|digits| digits.bytes().any(|digit| matches!(digit, b'1'..=b'9')))
}
