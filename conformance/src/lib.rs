//! The harness of Assize: what puts the corpus to an implementation and says what became of it.
//!
//! | question | path |
//! |---|---|
//! | does an implementation obey every law? | [`certification::Certification`], from order to [`report::Report`] |
//! | who is asked, and in which order? | [`testee`] for one process after another, [`runner`] for the whole run |
//! | how does another process ask it? | [`protocol::serve`] |
//! | how small can an input be over which testee and verifier disagree? | [`minimise`] |
//! | what laws and errata are there? | [`catalogue`] |
//! | how is each law shown to readers? | [`law_pages`] |
//! | which changes of the verifier do their vectors catch? | [`mutation_score`] |
//! | which small worlds of inputs were searched whole? | [`worlds`] |
//! | what does the corpus reach? | [`census`] |
//! | who can check what a run found out, and how? | [`certificate`] |
//! | what are a great many artefacts worth? | [`sweep::Sweep`], with the judge of a verb |
//! | what do implementations of the world make of it? | [`mod@bench`], and [`gallery`] for pages of it |
//!
//! Everything here returns data; the command line, in the binary of the same name, reads arguments and renders. No law is
//! decided in this crate: that is the verifier's business, and the corpus decides whether an answer agrees.

pub mod bench;
pub mod catalogue;
pub mod census;
pub mod certificate;
pub mod certification;
pub mod clean;
pub mod config;
pub mod doctor;
pub mod emission;
pub mod exit;
pub mod expectations;
pub mod gallery;
pub mod laps;
pub mod law_pages;
pub mod minimise;
pub mod mutation_score;
pub mod protocol;
pub mod report;
pub mod runner;
pub mod selection;
pub mod suggest;
pub mod suite;
pub mod sweep;
pub mod testee;
mod toml_file;
pub mod words;
pub mod worlds;
