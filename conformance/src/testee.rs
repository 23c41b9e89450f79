//! Who answers: what a testee says of itself, and the ways of putting questions to one.
//!
//! Contract: `contracts/interface/protocol.md`, Handshake and Outcomes. The built-in verifier, a child process, and the
//! sealed comparator behind its shim are reached through one trait, [`Bench`]; whatever is behind it, every question is
//! heard.

pub mod alter;
mod bench;
mod bounds;
mod child;
pub(crate) mod engine;
mod flight;
mod heard;
mod interview;
mod log;
pub mod process;
pub(crate) mod session;
mod timing;

pub use bench::{Bench, BuiltIn, TransportKind};
pub use child::{Child, Item, Unusable};
pub use flight::{Flight, Placed};
pub use heard::Heard;
pub use interview::Interview;
pub use log::{Evidence, Notes, Receipt, SessionFault};
pub use process::{CommandInfo, Containment, FileInfo, Launch, StartError};
pub use session::{SessionRow, Setup};
pub use timing::{Clock, Patience, Timing};
