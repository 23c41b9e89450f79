//! Second sources for Assize's tests: the sealed Python comparator, Python's own JSON, and models of the sovereign, authority,
//! episode, kernel and reply systems written on it, in an embedded interpreter.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, section C (`contracts/reference/comparator.py`, run as it stands).
//!
//! - [`comparator`] runs the sealed comparator on two bundles and their turn files. It says what the comparator does, which is
//!   not always what the laws say: the errata register lists where they part. Copies with a planted bug can be run in its place.
//! - [`mod@canonical`] asks Python for canonical bytes and digests.
//! - [`reading`] asks what Python's JSON reader sees in a text: its value, and the spelling that the value has lost.
//! - [`authority`] answers the authority operations, by a reading of the kernel's facts in plain Python.
//! - [`episode`] makes packs of episodes, looks at those of others, and judges contracts and receipts by themselves, in plain Python
//!   with signatures of its own.
//! - [`kernel`] answers the kernel operations in the same way, without what no ruling settles.
//! - [`reply`] answers the reply operations, by a reading of the reply system's facts in plain Python.
//! - [`sovereign`] answers what the comparator does not: what a recorder writes and what an audit finds, by a reading of contract and
//!   rulings.
//! - [`texts`] asks for the canonical forms of very many short texts at once.
//!
//! Nothing here shares code or tables with the verifier. Every crate whose tests link this one needs the three lines of this
//! crate's `build.rs`, or it may run on another libpython than the one it was built for.

pub mod authority;
pub mod canonical;
pub mod comparator;
pub mod episode;
mod interpreter;
pub mod kernel;
pub mod reading;
pub mod reply;
pub mod sovereign;
pub mod texts;

pub use canonical::{Canonical, PythonProfile, canonical, canonical_of_any_size};
pub use comparator::{AbortClass, Case, Comparator, Files, Outcome, compare};
pub use interpreter::{OracleError, comparator_source, libpython_folder, python_version};
pub use reading::{Reading, read};
