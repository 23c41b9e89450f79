//! The laws of `toy`.

include!(concat!(env!("OUT_DIR"), "/toy_laws.rs"));
