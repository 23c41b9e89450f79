//! Every integration test of the command line and the harness, in one program: linking is most of what a test build costs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

#[cfg(target_os = "linux")]
mod action;
mod additions;
mod arrows;
#[cfg(target_os = "linux")]
mod bench;
#[cfg(target_os = "linux")]
mod book;
mod census;
mod certificate;
mod certify;
mod challenges;
mod cli;
mod config_schema;
mod doctor;
mod emit;
mod empty_cells;
#[cfg(target_os = "linux")]
mod first_certificate;
mod gallery;
#[cfg(target_os = "linux")]
mod held_back;
#[cfg(target_os = "linux")]
mod hostile_testees;
mod kernel;
#[cfg(unix)]
mod languages;
mod ledger;
#[cfg(target_os = "linux")]
mod minimise;
mod mutation_score;
#[cfg(unix)]
mod page;
#[cfg(unix)]
mod probe;
#[cfg(target_os = "linux")]
mod process;
#[cfg(unix)]
mod release;
mod reply;
mod reply_sources;
mod report_schema;
mod seeded_faults;
#[cfg(target_os = "linux")]
mod shims;
mod support;
#[cfg(target_os = "linux")]
mod sweep;
mod tables;
mod testee;
mod verify;
#[cfg(target_os = "linux")]
mod wrong_testees;
