//! The laws of `canon`: one module each, which holds the law's predicate, value, code and message together.
//!
//! The build makes this list from `contracts/laws/canon`: a declared law is judged by the module of its name.

include!(concat!(env!("OUT_DIR"), "/canon_laws.rs"));
