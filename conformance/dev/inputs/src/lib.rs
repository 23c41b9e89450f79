//! Inputs for property tests, the census and fuzzing, each drawn from a string of bytes through [`arbitrary`].
//!
//! A module makes one kind of input and is named for it. Every string of bytes stands for an input, so libFuzzer can
//! steer it and a property test can shrink it. Nothing here judges: that is the oracles' business.

pub mod authority;
pub mod claims;
pub mod frames;
pub mod kernel;
pub mod packs;
pub mod pairs;
pub mod reply;
pub mod seed;
pub mod sovereign;
mod spoil;
pub mod texts;

pub use claims::SignedClaim;
pub use frames::Frames;
pub use pairs::{EquivalentPair, Pair};
