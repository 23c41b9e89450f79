//! A tool returns a reply, and nothing raw.
//!
//! Spec: Canonical Reply System Architecture (Final), 12; rulings RE-20, RE-37.

/// What a trace calls the raw things that a tool can return.
pub(super) fn is_raw(name: &[u8]) -> bool {
    matches!(name, b"dict" | b"text" | b"none")
}

/// Whether a call site returns without a receiver, and so without a builder.
pub(super) fn is_raw_site(receiver: Option<&[u8]>) -> bool {
    receiver.is_none()
}
