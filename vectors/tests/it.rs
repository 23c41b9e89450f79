//! Every integration test of the corpus but the vectors themselves, in one program: linking is most of what a test build costs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

mod challenge;
mod citations;
mod force;
mod held;
mod kernel;
mod lawful;
mod ledger;
mod lint;
mod packs;
mod reader;
mod relations;
mod reply;
mod sealed;
mod sentences;
mod sovereign;
