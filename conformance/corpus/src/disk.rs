//! Files on disk: the folder of a case, the two ways in which the verifier may read turn files, and the one in which it
//! reads a proof pack.
//!
//! Design: section 1 (the verifier opens no file it was not handed) and section 3 (law and reference mode).

mod files;
mod folder;
mod pack;

pub use files::{Contained, Parity};
pub use folder::{Folder, FolderError};
pub use pack::PackFolder;
