//! The probe against a server whose faults are known, and against servers that are up to no good.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may panic, and its helpers with it"
)]

mod fixture;
mod guarded;
mod listener;

mod planted;
mod streamable;
mod support;
mod untrusted;
