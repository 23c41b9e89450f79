//! Every integration test of the second sources, in one program: linking is most of what a test build costs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

mod canonical;
mod comparator;
mod episode;
mod interpreter;
mod kernel;
mod mix;
mod packs;
mod reply;
