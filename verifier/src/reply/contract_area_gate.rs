//! Opening and closing a contract is `GATE`; `OPEN` and `CLOSE` are no areas.
//!
//! Spec: section 5, Clarification; `facts/reply.md` 4 and 10.

pub(super) fn is_forbidden(area: &str) -> bool {
    matches!(area, "OPEN" | "CLOSE")
}
