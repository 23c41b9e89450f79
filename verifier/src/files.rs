//! The ways in which the verifier reaches files: whoever asks for a judgement hands in a reader.
//!
//! Spec: `000_2d13fa6304d8a0d4.txt` section A, Deterministic Path Selection Law ([`Files`]); `facts/episode.md` section 7.1
//! ([`PackFiles`]). The library itself opens nothing.

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

/// Serves the files of one proof pack. Nothing outside of the pack's folder is ever opened, and no symbolic link is
/// followed: both are the implementor's promise.
pub trait PackFiles: Sync {
    /// Reads the regular file at `path` into `into`, which is cleared first.
    ///
    /// `path` is relative to the pack, with `/` between names; it has no empty, `.` or `..` segment and no NUL.
    ///
    /// # Errors
    /// If the file is absent, is reached through a symbolic link, is no regular file, has more than `limit` bytes, or
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
    #[error("it is no regular file")]
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
