#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(every_system),
    allow(dead_code, unused_imports, reason = "what the systems share serves those that are left out too")
)]

// First, for its macros.
#[macro_use]
mod tables;

pub mod contracts;
pub mod digest;
pub mod files;
pub mod finding;
pub mod law;
pub mod operation;
pub mod rejection;
#[cfg(feature = "schema")]
mod schema;
pub mod threads;
mod version;

// A module for each declared system that has one.
include!(concat!(env!("OUT_DIR"), "/systems.rs"));
