//! The harness of Assize: what puts the corpus to an implementation and says what became of it.
//!
//! | question | path |
//! |---|---|
//! | does the built-in verifier obey every law? | [`run::run`] over a corpus, then [`report::sum::sum`] |
//! | how does another process ask it? | [`atp::serve`] |
//! | what laws and errata are there? | [`catalogue`] |
//!
//! Everything here returns data; the command line, in the binary of the same name, reads arguments and renders. No law is
//! decided in this crate: that is the verifier's business, and the corpus decides whether an answer agrees.

pub mod atp;
pub mod catalogue;
pub mod control;
pub mod doctor;
pub mod exit;
pub mod near;
pub mod report;
pub mod run;
pub mod runner;
pub mod testee;
