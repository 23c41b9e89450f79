//! Files on disk: the folder of a case, the two ways in which the verifier may read turn files, the one in which it reads a
//! proof pack, and the one in which it writes a home.
//!
//! Design: section 1 (the verifier opens no file it was not handed) and section 3 (law and reference mode).

mod files;
mod folder;
mod home;
mod pack;

pub use files::{Contained, Parity};
pub use folder::{Folder, FolderError};
pub use home::{Durability, HomeFolder};
pub use pack::PackFolder;
