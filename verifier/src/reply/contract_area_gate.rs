//! Opening and closing a contract is `GATE`; `OPEN` and `CLOSE` are no areas.
//!
//! Spec: Canonical Reply System Architecture (Final), 5, Clarification; rulings RE-26, RE-33.

pub(super) fn is_forbidden(area: &str) -> bool {
    matches!(area, "OPEN" | "CLOSE")
}
