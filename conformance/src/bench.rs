//! Implementations of the world on the bench: a table of them, each installed by its own ecosystem's client in a folder of its own,
//! examined, asked, and kept.
//!
//! Nothing here knows an ecosystem: how a client installs is written in the table. What is fetched never becomes a part of this
//! repository; which versions it was, and what they consist of by digest, is kept beside each answer.

mod client;
pub mod disagree;
mod install;
mod kept;
mod table;
mod words;

pub use client::{Ended, Stop, end_all};
pub use install::{Scratch, read_whole};
pub use kept::{Again, CONTRACT, Contents, Implementation, Kept, KeptError, State, read_all};
pub use table::{Client, Copied, Entry, Table};
