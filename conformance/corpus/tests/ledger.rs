//! The verdict on ledgers that were tampered with, that are broken, hostile or cut anywhere, and on large graphs and runs.
//!
//! Ledgers are made by a writer that shares no code with the verifier. A million records are `ledger_stream.rs`'s.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

#[path = "ledger/bad_input.rs"]
mod bad_input;
#[path = "ledger/blocks.rs"]
mod blocks;
#[path = "ledger/forge.rs"]
mod forge;
#[path = "ledger/large.rs"]
mod large;
#[path = "ledger/limits.rs"]
mod limits;
#[path = "ledger/mutations.rs"]
mod mutations;
#[path = "ledger/results.rs"]
mod results;
#[path = "ledger/tampering.rs"]
mod tampering;
