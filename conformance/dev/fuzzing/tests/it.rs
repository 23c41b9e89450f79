//! Every integration test of the fuzz targets, in one program: linking is most of what a test build costs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

mod authority;
mod canon_idempotent;
mod canonical_forms;
mod census;
mod challenges;
mod compare_vs_comparator;
mod dictionary;
mod episode;
mod episode_alone;
mod json_reader;
mod kernel;
mod law_mode;
mod law_mode_total;
mod minimise;
mod packs;
mod reference;
mod regressions;
mod relations;
mod reply;
mod sovereign;
mod stream;
mod targets;
mod vectors;
