//! The fuzz targets of Assize, without a fuzzing engine: each joins an input to an oracle, and all are tested on stable.
//!
//! An *input* (crate `assize-inputs`) is made from a string of bytes. An *oracle* says whether what the verifier makes
//! of it is right: by a second source in Python, or by a law between two answers. A [`Target`](target::Target) joins
//! the two, and the programs below `fuzz/` hand it libFuzzer's bytes.
//!
//! A find is stored decoded, as the [`documents`] that were judged, so that a change of the generators cannot turn it into
//! another input. Those below `fuzz/regressions` are replayed by `cargo test`.

pub mod documents;
pub mod find;
pub mod generators;
pub mod oracles;
pub mod target;
pub mod targets;
