//! The verdict on ledgers that were tampered with, that are broken, hostile or cut anywhere, and on large graphs and runs.
//!
//! Ledgers are made by a writer that shares no code with the verifier. A million records are `ledger_stream.rs`'s.

mod bad_input;
mod blocks;
mod forge;
mod large;
mod limits;
mod mutations;
mod results;
mod tampering;
