//! A member of an archive of any kind.

use crate::name::Named;

/// Something that an archive holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its place in the archive, from 1.
    pub(crate) number: u64,
    pub(crate) name: Named,
    pub(crate) what: What,
    pub(crate) size: u64,
}

/// What a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    File,
    Folder,
    /// What no artefact may hold, in words.
    Other(&'static str),
}
