//! Files on disk: the folder of a case, the two ways in which the verifier may read turn files, the one in which it reads a
//! proof pack, and the one in which it writes a home.
//!
//! The verifier opens no file: what it may read is handed to it from here, for law mode and for reference mode.

mod files;
mod folder;
mod home;
mod pack;
mod removal;
mod root;
mod scratch;

pub(crate) use files::native;
pub use files::{Contained, Parity};
pub(crate) use folder::check;
pub use folder::{Below, Folder, FolderError};
pub use home::{Durability, HomeFolder};
pub use pack::PackFolder;
pub(crate) use pack::is_plain;
pub use root::CaseRoot;
pub use scratch::Scratch;
