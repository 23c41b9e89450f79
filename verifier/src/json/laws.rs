//! The law of `json`: what is JSON text.
//!
//! The build makes this list from `contracts/laws/json`: a declared law is judged by the module of its name.

include!(concat!(env!("OUT_DIR"), "/json_laws.rs"));
