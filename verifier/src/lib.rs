//! Reference verifier for five specifications of replayable, fail-closed agent kernels.
//!
//! Bytes in, verdicts out. The crate opens no file that it was not handed ([`files::Files`]), reads no clock and no
//! environment, and starts no thread unless asked ([`threads::Threads`]).
//!
//! | question | paved path |
//! |---|---|
//! | canonical bytes and digest of a document | [`canon::canonicalize`] |
//! | do two recorded runs agree, by the law? | [`sovereign::compare()`] |
//! | what would the sealed comparator say? | [`sovereign::reference::compare`] |
//! | is one turn result lawful? | [`sovereign::audit()`] |
//! | does a document have its contract's shape? | [`sovereign::contract::check`] |
//! | what is the verdict on a proof pack? | [`episode::verify`] |
//! | is a ledger a chain, and of a run? | [`authority::chain()`], [`authority::replay()`] |
//! | what does the reference engine make of inputs? | [`authority::run`] |
//! | is a reply envelope, a trace of its builder, a registry of codes lawful? | [`reply`] |
//!
//! Three kinds of bad news are kept apart: a [`finding::Finding`] or a report row (the artefact breaks a law), a
//! [`sovereign::Rejection`] or [`json::JsonError`] (the input could not be used), and a panic, which would be a bug: none
//! is known, and the lints deny the usual sources.

pub mod contracts;
pub mod digest;
pub mod files;
pub mod finding;
pub mod json;
pub mod law;
pub mod operation;
mod rejection;
pub mod schema;
pub mod threads;

// A module for each declared system that has one.
include!(concat!(env!("OUT_DIR"), "/systems.rs"));
