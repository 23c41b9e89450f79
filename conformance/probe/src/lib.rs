#![doc = include_str!("../README.md")]

pub mod finding;
#[cfg(feature = "http")]
pub mod http;
pub mod plan;
pub mod probe;
pub mod report;
pub mod revision;
pub mod rules;
pub mod wire;

mod call;
mod content;
mod draft;
mod envelope;
mod framing;
mod message;
mod session;
mod structured;
mod tools;
mod trials;

pub use plan::Plan;
pub use probe::{Options, probe};
pub use report::Report;
pub use wire::{Event, Start, Wire};
