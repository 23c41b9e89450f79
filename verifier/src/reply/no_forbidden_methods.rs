//! `info`, `warn` and `fail` do not exist and are not called.
//!
//! Spec: Canonical Reply System Architecture (Final), 9, Explicitly Forbidden.

pub(super) fn is_forbidden(method: &[u8]) -> bool {
    [b"info", b"warn", b"fail"].iter().any(|forbidden| *forbidden == method)
}
