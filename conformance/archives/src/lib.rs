//! Artefacts out of archives, held in memory as the verifier reads them.
//!
//! Nothing is unpacked to a disk. An archive is looked through first, which tells whether it is whole, and how large what is wanted of it
//! is; then it is read again, and each artefact is handed over when its last file has come. So much is held as has come of artefacts that
//! are not complete, up to a limit: beyond it some wait for another pass.

mod caught;
mod gather;
mod held;
mod index;
mod kind;
mod limits;
mod list;
mod member;
mod members;
mod name;
mod place;
mod stream;
mod tar;
mod zip;

pub use caught::last_words;
pub use gather::Gather;
pub use held::Held;
pub use index::Scope;
pub use kind::Kind;
pub use limits::Limits;
pub use list::list;
pub use place::{Place, place, spelled};

/// Why an archive, or something in it, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where, and what is wrong.
    pub message: String,
    /// What to do about it.
    pub help: &'static str,
    /// Whether what reads the archive broke off over it, which it never should.
    pub broke_off: bool,
}

impl Damage {
    fn new(message: impl Into<String>, help: &'static str) -> Self {
        Self { message: message.into(), help, broke_off: false }
    }
}

impl std::fmt::Display for Damage {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.message)
    }
}

impl std::error::Error for Damage {}
