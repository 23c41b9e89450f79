//! The testee protocol, version 1 (ATP/1): how another process asks the built-in verifier.
//!
//! Contract: `contracts/interface/protocol.schema.json`. One JSON object a line; judged documents travel as base64 with
//! their digest, so that they arrive as they were sent. What is said here is what the verifier answers in this process,
//! and nothing else: framing decides no law.

mod frame;
mod serve;
mod write;

pub use frame::{Chain, VERSION, declared};
pub use serve::{DEFAULT_LINE, ServeError, Served, serve};
pub use write::outputs;
