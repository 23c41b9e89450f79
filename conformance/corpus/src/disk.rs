//! Files on disk: the folder of a case, and the two ways in which the verifier may read one.
//!
//! Design: section 1 (the verifier opens no file it was not handed) and section 3 (law and reference mode).

mod files;
mod folder;

pub use files::{Contained, Parity};
pub use folder::{Folder, FolderError};
