//! What the C header says, as the build reads it there.
#![allow(non_camel_case_types, dead_code, reason = "C's names, and all of them")]

use crate::answer::Answer as assize_answer;

include!(concat!(env!("OUT_DIR"), "/header.rs"));
