//! A testee that can reach nothing but what it is given: what a caller says about that, and what this system holds to.
//!
//! Contract: `contracts/interface/protocol.md`, Containment. No `unsafe`: between fork and exec nothing can be done, so the
//! harness's own binary is started first, in a mode of its own ([`enter`]), restricts itself, and starts the testee.

#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod offer;
mod reading;
#[cfg(target_os = "linux")]
mod rules;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod view;
#[cfg(target_os = "linux")]
mod wire;

use std::path::PathBuf;

#[cfg(target_os = "linux")]
pub use launcher::enter;
#[cfg(target_os = "linux")]
pub(super) use {
    offer::offer,
    start::{Init, Launched, Unstarted, dismiss, start},
    view::{CASES, TEMPORARY},
    wire::Plan,
};

pub(super) use reading::{Reading, added, interprets, reading};

/// How a testee is kept from what is not its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seal {
    /// A binary that begins with [`enter`]: the harness itself.
    pub launcher: PathBuf,
    /// Files and folders that it may read beside its own.
    pub readable: Vec<PathBuf>,
    /// Folders that it may write, for those that make folders of cases themselves.
    pub writable: Vec<PathBuf>,
    /// Files and folders that it must not read, even where they lie in a folder that it may: the harness, the corpus, a key.
    pub hidden: Vec<PathBuf>,
    /// Whether it may read everything else. Such a testee is not sealed; it shows whether reading is what it lacks.
    pub open: bool,
}

impl Seal {
    /// With this process's own binary, which the testee does not see; nothing where the system offers no such thing.
    #[must_use]
    pub fn here(readable: Vec<PathBuf>, mut hidden: Vec<PathBuf>) -> Option<Self> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        hidden.extend(std::env::current_exe());
        // Not by its path: the file may be another one by now.
        Some(Self { launcher: "/proc/self/exe".into(), readable, writable: Vec::new(), hidden, open: false })
    }
}

/// What holds for every testee that a launcher starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Offer {
    /// Whether a testee gets namespaces of its own.
    pub(crate) namespaces: bool,
    /// Names of the measures.
    pub(crate) held: Vec<String>,
}

/// Nothing is offered here.
#[cfg(not(target_os = "linux"))]
pub(super) fn offer(_: &std::path::Path) -> Result<Option<Offer>, String> {
    Ok(None)
}

/// Nothing is started in this way here.
#[cfg(not(target_os = "linux"))]
#[must_use]
pub fn enter() -> Option<u8> {
    None
}
