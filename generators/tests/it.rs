//! Every integration test of the generators, in one program: linking is most of what a test build costs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

mod resolved;
mod snapshots;
mod support;
mod toy;
mod verifier;
