//! How much of an archive is taken in.

/// What bounds memory and time, whatever an archive holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the files of one artefact.
    pub artefact: u64,
    /// Files and folders of one artefact, also those folders that only what lies in them tells of.
    pub members: u64,
    /// Bytes that are held of artefacts that are not complete; one artefact has room in any case.
    pub room: u64,
    /// An archive that is compressed may hold so many bytes, or [`Limits::expansion`] times its own.
    pub plain: u64,
    /// How many times its own size an archive may hold, above [`Limits::plain`].
    pub expansion: u64,
    /// Bytes of the list of members at the end of a zip.
    pub directory: u64,
    /// Bytes of the path of a member.
    pub path: usize,
    /// Names in that path.
    pub names: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            artefact: 512 << 20,
            members: 100_000,
            room: 512 << 20,
            plain: 256 << 20,
            expansion: 1000,
            directory: 64 << 20,
            path: 4096,
            names: 200,
        }
    }
}

impl Limits {
    /// How many bytes an archive of this size may hold.
    pub(crate) fn most(&self, size: u64) -> u64 {
        self.plain.max(size.saturating_mul(self.expansion))
    }
}
