//! Who answers: what a testee says about itself, and the ways of asking one.
//!
//! Contract: `contracts/interface/protocol.md`, Handshake and Outcomes. The built-in verifier, a child process, and the
//! sealed comparator with its shim are reached through one trait, [`Driver`]; whichever answers, every question
//! gets a response.

pub mod alter;
mod bounds;
mod child;
mod driver;
pub(crate) mod engine;
mod flight;
mod interview;
mod log;
pub mod process;
mod response;
pub(crate) mod session;
mod timing;

pub use child::{Child, Item, Unusable};
pub use driver::{BuiltIn, Driver, TransportKind};
pub use flight::{Flight, Placed};
pub use interview::Interview;
pub use log::{Evidence, Notes, Receipt, SessionFault};
#[cfg(test)]
pub(crate) use process::MEASURES;
pub use process::{
    CommandInfo, Containment, FileInfo, Launch, Look, PARTLY, SEALED, Seal, StartError, Subject, SubjectInfo,
};
pub(crate) use process::{finds_orphans, seals};
pub use response::Response;
pub use session::{SessionRow, Setup};
pub use timing::{Clock, Patience, Timing};
