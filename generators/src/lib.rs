//! Emits the corpus for other languages: vector packs, native test suites, adapter kits.
//!
//! A [`Collection`](collection::Collection) holds the selected cases in their [resolved](resolve::Resolved) form; a
//! [`Language`](language::Language) is a folder of data; [`plan`] makes files of both, and [`project`] writes them to disk,
//! compares them, or brings an earlier emission up to date. No language is named in this crate, nothing is escaped inside
//! a template, and no expectation is computed.

pub mod carried;
pub mod collection;
pub mod files;
pub mod language;
pub mod pack;
pub mod page;
pub mod plan;
pub mod project;
mod render;
pub mod resolve;

/// Who writes: name and version.
pub const GENERATOR: &str = concat!("assize ", env!("CARGO_PKG_VERSION"));
