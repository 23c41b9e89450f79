//! The ways in which the verifier reaches files: whoever asks for a judgement hands in a reader.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deterministic Path Selection Law ([`Files`]); ruling EP-14
//! ([`PackFiles`]); Kernel v1 Requirements Pack, Spec-002, 3 Disk Layout, and rulings KE-30 and KE-33 ([`HomeReader`],
//! [`HomeFiles`]). The library itself opens nothing.

mod memory;
mod walk;

pub use memory::MemoryHome;
pub use walk::{Found, Lost};

/// Serves turn files. Where paths start, and what may be opened, is the implementor's promise.
pub trait Files: Sync {
    /// Reads the file at `path` into `into`, which is cleared first.
    ///
    /// `path` is as the bundle spells it, in WTF-8; it is never empty and holds no NUL.
    ///
    /// # Errors
    /// If the path is not readable, so that the next one is to be tried.
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable>;
}

/// Why a path was passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// For messages.
    pub reason: &'static str,
}

impl Unreadable {
    /// Nothing stands there.
    pub const ABSENT: Self = Self { reason: "no such file" };
    /// Reading began and failed.
    pub const FAILED: Self = Self { reason: "reading failed" };
    /// A folder stands there.
    pub const FOLDER: Self = Self { reason: "a folder" };
    /// No system has such a name.
    pub const NOT_A_NAME: Self = Self { reason: "no file can have this name" };
    /// The system says no, or the path leads out of the root.
    pub const OUTSIDE: Self = Self { reason: "no permission, or outside the root" };
    /// The system does not open it.
    pub const UNOPENED: Self = Self { reason: "cannot be opened" };
}

/// Serves the files of one proof pack. Nothing outside of the pack's folder is ever opened, and no symbolic link is
/// followed: both are the implementor's promise.
pub trait PackFiles: Sync {
    /// Reads the regular file at `path` into `into`, which is cleared first.
    ///
    /// `path` is relative to the pack, with `/` between names; it has no empty, `.` or `..` segment and no NUL.
    ///
    /// # Errors
    /// If the file is absent, is reached through a symbolic link, is not a regular file, has more than `limit` bytes, or
    /// cannot be read.
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError>;

    /// Whether something stands at `path`, which is as for [`PackFiles::read`].
    fn exists(&self, path: &str) -> bool;

    /// Names of what lies directly in the pack's folder, sorted; names that are not UTF-8 are given lossily.
    ///
    /// # Errors
    /// If the folder cannot be listed.
    fn entries(&self) -> Result<Vec<String>, PackFileError>;
}

/// Why a file of a pack could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PackFileError {
    /// Nothing stands there.
    #[error("there is no such file")]
    Absent,
    /// The path leads over a symbolic link.
    #[error("a symbolic link stands in its path")]
    Symlink,
    /// A folder, a pipe or a device.
    #[error("it is not a regular file")]
    NotAFile,
    /// The file is larger than what the reader asked for.
    #[error("it is larger than the limit of {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The system would not let it be read.
    #[error("it cannot be read: {0}")]
    Unreadable(&'static str),
}

/// Serves a home folder of the kernel system to whoever only looks.
///
/// Paths are relative to the home, with `/` between names, without empty, `.` or `..` names and without NUL; the empty path
/// is the home itself. Nothing outside of the home is ever reached and no symbolic link is followed, wherever it stands in
/// a path: both are the implementor's promise.
pub trait HomeReader {
    /// What stands at `path`, if anything does. What would lie below a file is absent.
    ///
    /// # Errors
    /// If the path leads over a symbolic link, or the system does not tell.
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, HomeError>;

    /// What lies directly in the folder at `path`, sorted by name. A name that is not UTF-8 is given lossily, as
    /// [`EntryKind::Other`]: no path leads there.
    ///
    /// # Errors
    /// If no folder stands there, or it cannot be listed.
    fn list(&self, path: &str) -> Result<Vec<HomeEntry>, HomeError>;

    /// Reads the regular file at `path` into `into`, which is cleared first.
    ///
    /// # Errors
    /// If no regular file of at most `limit` bytes stands there, or it cannot be read.
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), HomeError>;
}

/// Serves a home folder to the kernel, which writes it. Paths are as for [`HomeReader`].
///
/// Each operation but [`HomeFiles::remove`] happens or does not happen as seen by other processes; a file that
/// [`HomeFiles::create`] was stopped in may be there in part, so nothing is created where a reader looks.
pub trait HomeFiles: HomeReader {
    /// Writes a file that was not there. Its folder is there.
    ///
    /// # Errors
    /// If something stands at `path`, or the system does not write it.
    fn create(&mut self, path: &str, bytes: &[u8]) -> Result<(), HomeError>;

    /// Makes a folder and those that are missing on the way to it; one that is there stays as it is.
    ///
    /// # Errors
    /// If something else stands there or on the way, or the system does not make it.
    fn create_folder(&mut self, path: &str) -> Result<(), HomeError>;

    /// Moves a file or folder. A file replaces a file at `to`; nothing else may stand there.
    ///
    /// # Errors
    /// If nothing stands at `from`, something may not be replaced, or the system does not move it.
    fn rename(&mut self, from: &str, to: &str) -> Result<(), HomeError>;

    /// Makes the file at `from` appear at `to` too, where nothing stands: by a second name for it where the system can,
    /// else by a copy. Files are never changed in place, so nobody can tell.
    ///
    /// # Errors
    /// If no regular file stands at `from`, something stands at `to`, or the system does neither.
    fn share(&mut self, from: &str, to: &str) -> Result<(), HomeError>;

    /// Removes what stands at `path`, with all that lies below; links are removed, not followed. That nothing is there is
    /// no error.
    ///
    /// # Errors
    /// If the system leaves something of it.
    fn remove(&mut self, path: &str) -> Result<(), HomeError>;

    /// Returns when everything done so far would outlast a loss of power, as far as the implementor promises that at all.
    ///
    /// # Errors
    /// If the system reports that something could not be written.
    fn settle(&mut self) -> Result<(), HomeError>;
}

/// What stands at a path of a home.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link, pipe, device, or what no path leads to.
    Other,
}

/// Something in a folder of a home.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HomeEntry {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: EntryKind,
}

/// Why a home did not do what it was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HomeError {
    /// Nothing stands there.
    #[error("nothing is there")]
    Absent,
    /// Something stands there already.
    #[error("something else stands there")]
    Occupied,
    /// The path leads over a symbolic link.
    #[error("a symbolic link stands in its path")]
    Symlink,
    /// No regular file.
    #[error("it is not a regular file")]
    NotAFile,
    /// No folder.
    #[error("it is not a folder")]
    NotAFolder,
    /// The file is larger than what the reader asked for.
    #[error("it is larger than the limit of {limit} bytes")]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// A name that this file system does not hold.
    #[error("the file system holds no such name")]
    Name,
    /// No room is left.
    #[error("no room is left")]
    Full,
    /// No permission.
    #[error("permission is denied")]
    Denied,
    /// Anything else.
    #[error("{0}")]
    Failed(&'static str),
}

/// The folder that a path lies in.
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
