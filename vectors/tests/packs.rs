//! The verdict on proof packs that were tampered with, that are broken, hostile or large.
//!
//! Packs are made by the builder, which shares no code with the verifier, and judged from memory or from disk. Whatever is
//! judged, the judgement is held to be consistent in itself.

mod bad_input;
mod consistency;
mod container;
#[cfg(unix)]
mod disk;
mod large;
mod limits;
mod made;
mod memory;
mod mutations;
mod output_schemas;
mod places;
mod scenes;
mod tampering;
