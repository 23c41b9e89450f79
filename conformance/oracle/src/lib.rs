//! Second sources for Assize's tests: the sealed Python comparator, Python's own JSON, and an authority kernel written on it,
//! in an embedded interpreter.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, section C (`contracts/reference/comparator.py`, run as it stands).
//!
//! - [`comparator`] runs the sealed comparator on two bundles and their turn files. It says what the comparator does, which is
//!   not always what the laws say: the errata register lists where they part.
//! - [`mod@canonical`] asks Python for canonical bytes and digests.
//! - [`authority`] answers the authority operations, by a reading of the kernel's facts in plain Python.
//! - [`pairs`] makes inputs: pairs of bundles with their turn files, and single JSON texts, for property tests and fuzzing.
//!
//! Nothing here shares code or tables with the verifier. Every crate whose tests link this one needs the three lines of this
//! crate's `build.rs`, or it may run on another libpython than the one it was built for.

pub mod authority;
pub mod canonical;
pub mod comparator;
mod interpreter;
pub mod pairs;

pub use canonical::{Canonical, PythonProfile, canonical};
pub use comparator::{AbortClass, Case, Files, Outcome, compare};
pub use interpreter::{OracleError, libpython_folder, python_version};
pub use pairs::Pair;
