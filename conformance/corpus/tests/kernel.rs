//! What the kernel promises whatever it is asked, and wherever it is stopped.
//!
//! `ASSIZE_KERNEL_SEQUENCES` asks for another number of random sequences than 10,000.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code stops at the first surprise"
)]

#[path = "kernel/acts.rs"]
mod acts;
#[path = "kernel/disk.rs"]
mod disk;
#[path = "kernel/sequences.rs"]
mod sequences;
