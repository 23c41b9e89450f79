//! The testee protocol, version 1 (ATP/1), from both ends.
//!
//! Contract: `contracts/interface/protocol.schema.json`. One JSON object a line; judged documents travel as base64 with
//! their digest, so that they arrive as they were sent. [`serve`] answers a harness with the built-in verifier; [`ask`]
//! writes what a harness sends and [`hear`] reads what a testee says. Framing decides no law.

pub mod ask;
mod frame;
pub mod hear;
mod serve;
mod write;

pub use frame::{Chain, VERSION, declared};
pub use serve::{DEFAULT_LINE, ServeError, Served, serve};
pub use write::{line, outputs};
