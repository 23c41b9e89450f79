//! The laws of `episode`: one module each, which holds the law's predicate, value, code and message together.
//!
//! The build makes this list from `contracts/laws/episode`: a declared law is judged by the module of its name.

include!(concat!(env!("OUT_DIR"), "/episode_laws.rs"));
