//! The one way in which the verifier reaches files: whoever asks for a comparison hands in a reader.
//!
//! Spec: `000_2d13fa6304d8a0d4.txt` section A, Deterministic Path Selection Law. The library itself opens nothing.

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
