//! The testee protocol, version 1 (ATP/1), from both ends.
//!
//! Contract: `contracts/interface/protocol.schema.json`. One JSON object a line; judged documents travel as base64 with
//! their digest, so that they arrive as they were sent. [`serve`] answers a harness with the built-in verifier; [`encode`]
//! writes what a harness sends and [`decode`] reads what a testee sends. Framing decides no law.

mod declaration;
pub mod decode;
pub mod encode;
mod frame;
mod introduction;
mod limits;
mod serve;
mod write;

pub use declaration::Declaration;
pub use frame::{Chain, VERSION, declared};
pub use introduction::{Introduction, Named};
pub use limits::{DEFAULT_LINE, Limits};
pub use serve::{ServeError, Served, serve};
pub use write::{line, outputs};
