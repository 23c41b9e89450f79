//! The verdict on proof packs that were tampered with, that are broken, hostile or large.
//!
//! Packs are made by the builder, which shares no code with the verifier, and judged from memory or from disk. Whatever is
//! judged, the judgement is held to be consistent in itself.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "everything here is a test; helpers outside test functions are not recognised as such"
)]

#[path = "packs/bad_input.rs"]
mod bad_input;
#[path = "packs/consistency.rs"]
mod consistency;
#[path = "packs/container.rs"]
mod container;
#[cfg(unix)]
#[path = "packs/disk.rs"]
mod disk;
#[path = "packs/large.rs"]
mod large;
#[path = "packs/limits.rs"]
mod limits;
#[path = "packs/memory.rs"]
mod memory;
#[path = "packs/mutations.rs"]
mod mutations;
#[path = "packs/output_schemas.rs"]
mod output_schemas;
#[path = "packs/places.rs"]
mod places;
#[path = "packs/scenes.rs"]
mod scenes;
#[path = "packs/tampering.rs"]
mod tampering;
