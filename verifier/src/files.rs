//! The one door to files: whoever calls the verifier decides what it may read.

/// Reads files for the verifier.
pub trait Files: Sync {
    /// Reads the file at `path` (bytes as in the bundle, WTF-8; never contains NUL) into `into`, which is cleared first.
    ///
    /// # Errors
    /// The path is not readable, and the next one may be tried.
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable>;
}

/// Why a path cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unreadable {
    /// The reason, for people.
    pub reason: &'static str,
}
