//! `info`, `warn` and `fail` do not exist and are not called.
//!
//! Spec: section 9, Explicitly Forbidden; `facts/reply.md` 8.

pub(super) fn is_forbidden(method: &[u8]) -> bool {
    [b"info", b"warn", b"fail"].iter().any(|forbidden| *forbidden == method)
}
