//! The test vectors of Assize, and everything needed to put one of them to an implementation.
//!
//! A vector file becomes a [`Case`](vector::Case); the case becomes a [`Request`](testee::Request), with a folder of
//! its own on disk where the operation reads files; a [`Testee`](testee::Testee) gives an [`Answer`](testee::Answer); and
//! [`agreement`] turns answer and expectation into an [`Outcome`](agreement::Outcome). The verifier is asked without a folder.
//!
//! This crate knows the verifier, the vectors and the contracts. It knows no process, no report and no command line,
//! so that testing a change in the verifier links nothing else.
//!
//! ```
//! use assize_corpus::{store::Store, trial, vector::Corpus};
//!
//! let corpus = Corpus::load(&Store::embedded());
//! for case in corpus.cases.values().take(3) {
//!     println!("{} {}", case.id, trial::verify(case).outcome);
//! }
//! ```

pub mod agreement;
pub mod challenge;
pub mod closed;
pub mod disk;
pub mod errata;
pub mod force;
pub mod handler;
mod held;
pub mod lint;
pub mod needs;
pub mod node;
pub mod observe;
pub mod operation;
pub mod sentences;
mod source;
pub mod store;
pub mod table;
pub mod testee;
pub mod trial;
pub mod unique;
pub mod vector;
