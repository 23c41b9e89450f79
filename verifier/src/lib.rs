//! Reference verifier (skeleton).
#![allow(missing_docs)]
pub mod canon;
pub mod digest;
pub mod json;
