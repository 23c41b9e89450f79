//! The tables of the specifications, as `contracts/<system>/tables` states them.
//!
//! The build makes a module of rows for each table, and for each of its keys a macro that makes an enumeration: `reply_types_letter!` of
//! the column `letter` of `contracts/reply/tables/types.json`. What a specification lists stands nowhere else in this crate.
#![allow(dead_code, unused_macros, reason = "a table is whole, whatever a build reads of it")]

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// A number of a table that is small, such as an exit code; a larger one is none of success.
pub(crate) fn small(stated: u64) -> u8 {
    u8::try_from(stated).unwrap_or(u8::MAX)
}
