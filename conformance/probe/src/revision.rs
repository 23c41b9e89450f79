//! Revisions of the protocol.
//!
//! Spec: Model Context Protocol, Versioning: a revision is called by a date.

/// Those that are asked for, oldest first.
pub const REVISIONS: [&str; 5] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", STATELESS];

/// The first with Streamable HTTP.
pub const STREAMABLE: &str = "2025-03-26";

/// The first that knows no handshake: each request says its revision by itself.
pub(crate) const STATELESS: &str = "2026-07-28";

/// The last that knows one.
pub(crate) const HANDSHAKE: &str = "2025-11-25";

/// The only one in which messages come in batches.
pub(crate) const BATCHES: &str = "2025-03-26";

/// What no server speaks.
pub(crate) const NOBODY: &str = "1900-01-01";

/// Whether a text has the form of a revision.
pub(crate) fn is_revision(text: &str) -> bool {
    text.len() == 10
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if at == 4 || at == 7 { byte == b'-' } else { byte.is_ascii_digit() })
}
