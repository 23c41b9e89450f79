//! The laws of `sovereign`: one module each, which holds the law's predicate, value, code and message together.
//!
//! The build makes this list from `contracts/laws/sovereign`: a declared law is judged by the module of its name.

include!(concat!(env!("OUT_DIR"), "/sovereign_laws.rs"));
