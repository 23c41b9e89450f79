//! Certificates: what may be certified, what a certificate says, and that nothing in one can be changed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

#[path = "certificate/cli.rs"]
mod cli;
#[path = "certificate/open.rs"]
mod open;
#[path = "certificate/refusal.rs"]
mod refusal;
#[path = "certificate/replay.rs"]
mod replay;
#[path = "certificate/run.rs"]
mod run;
mod support;
