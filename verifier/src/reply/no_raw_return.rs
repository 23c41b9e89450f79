//! A tool returns a reply, and nothing raw.
//!
//! Spec: section 12; `facts/reply.md` 8, rulings RE-20 and RE-37.

/// What a trace calls the raw things that a tool can return.
pub(super) fn is_raw(name: &[u8]) -> bool {
    matches!(name, b"dict" | b"text" | b"none")
}

/// Whether a call site returns without a receiver, and so without a builder.
pub(super) fn is_raw_site(receiver: Option<&[u8]>) -> bool {
    receiver.is_none()
}
