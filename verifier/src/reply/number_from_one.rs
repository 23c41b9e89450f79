//! Numbers count from one. `000` has three digits, so that it is accepted, with advice.
//!
//! Spec: Canonical Reply System Architecture (Final), 6; rulings RE-9, RE-26.

use super::code_shape::Segments;

pub(super) fn is_unusual(segments: &Segments<'_>) -> bool {
    segments.value() == 0
}
