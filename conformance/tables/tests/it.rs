//! All tests of the crate in one program.

#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "everything here is a test")]

mod parquet;
