//! Small worlds of inputs, searched whole: every text, list, trace or graph below a bound, asked of the verifier and of a second source.
//!
//! Spec: the operations of `contracts/interface/operations.md`; the laws of each world stand in `contracts/worlds.json`.
//!
//! A world has an alphabet and a bound, and numbers what it holds; [`search()`] goes through all numbers and keeps the first differences.
//! Random inputs say that nothing was found; a searched world says that there is nothing to find below its bound, and
//! `contracts/worlds.json` says what lies outside of it. `cargo test` searches each world to a bound of some seconds, the program of this
//! crate (`.ci/worlds`) to that of hours.
//!
//! ```
//! use assize_worlds::{Limits, find, search};
//!
//! let world = find("attempts").expect("a world");
//! let tally = search(world, 1, &Limits::default(), &|_| {}).expect("the oracle answers");
//! assert_eq!((tally.count, tally.differences.len()), (65, 0));
//! ```

mod ask;
pub mod declared;
mod prefix;
mod reply;
mod report;
mod search;
mod sequences;
mod worlds;

pub use report::table;
pub use search::{Difference, Facts, Limits, Progress, Tally, World, item, search};
pub use worlds::{ALL, find};
