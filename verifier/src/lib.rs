//! Reference verifier (skeleton).
#![allow(missing_docs)]
pub mod canon;
pub mod contracts;
pub mod digest;
pub mod files;
pub mod finding;
pub mod json;
pub mod law;
pub mod sovereign;
