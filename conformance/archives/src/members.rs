//! Members of an archive of any kind, one after the other.

use std::{
    fs::{self, File},
    io,
    path::Path,
    time::SystemTime,
};

use crate::{Damage, Kind, Limits, member::Member, stream::Stream, tar::Tar, zip::Zip};

/// What tells one state of a file from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    size: u64,
    changed: Option<SystemTime>,
}

/// An archive that is read through once.
pub(crate) struct Members {
    name: String,
    state: State,
    source: Source,
    limits: Limits,
}

enum Source {
    Tar(Tar),
    Zip(Box<Zip>),
}

const HELP: &str = "make the archive anew";

impl Members {
    /// Begins before the first member.
    pub(crate) fn open(path: &Path, kind: Kind, limits: &Limits) -> Result<Self, Damage> {
        let name = path.display().to_string();
        let unread =
            |error: io::Error| Damage::new(format!("{name}: cannot be read: {error}"), "name an archive that is there");
        let found = fs::metadata(path).map_err(unread)?;
        if !found.is_file() {
            return Err(Damage::new(format!("{name}: is no file"), "name the file of an archive"));
        }
        let state = State { size: found.len(), changed: found.modified().ok() };
        let file = File::open(path).map_err(unread)?;
        let source = match kind {
            Kind::Zip => Zip::new(file, state.size, limits).map(|zip| Source::Zip(Box::new(zip))),
            kind => {
                let most = if kind == Kind::Tar { u64::MAX } else { limits.most(state.size) };
                Ok(Source::Tar(Tar::new(Stream::new(file, state.size, kind, most))))
            }
        };
        let source = source.map_err(|what| Damage::new(format!("{name}: {what}"), HELP))?;
        Ok(Self { name, state, source, limits: *limits })
    }

    /// In what state the file was when it was opened.
    pub(crate) fn state(&self) -> State {
        self.state
    }

    /// The next member. What is wrong with one is wrong with the archive.
    pub(crate) fn next(&mut self) -> Result<Option<Member>, Damage> {
        let next = match &mut self.source {
            Source::Tar(tar) => tar.next(),
            Source::Zip(zip) => zip.next(),
        };
        let next = next.map_err(|what| Damage::new(format!("{}: {what}", self.name), HELP))?;
        next.map(|member| self.bounded(member)).transpose()
    }

    /// Refuses a member of which no file system would hold the path: whatever goes along a path goes along a short one.
    fn bounded(&self, member: Member) -> Result<Member, Damage> {
        const SHOWN: usize = 60;
        let (path, Limits { path: bytes, names, .. }) = (member.name.path(), self.limits);
        if path.len() <= bytes && path.split('/').count() <= names {
            return Ok(member);
        }
        let begin: String = path.chars().take(SHOWN).collect();
        let what = format!("its path has more than {bytes} bytes or {names} names");
        let message = format!("{}: member {}, {begin:?}...: {what}", self.name, member.number);
        Err(Damage::new(message, "make the archive anew, with shorter paths"))
    }

    /// The bytes of the member that came last. Of a zip another member may still be read where this one cannot be.
    pub(crate) fn read(&mut self, size: u64) -> Result<Vec<u8>, Unread> {
        match &mut self.source {
            Source::Tar(tar) => {
                tar.read(size).map_err(|what| Unread::All(Damage::new(format!("{}: {what}", self.name), HELP)))
            }
            Source::Zip(zip) => zip.read(size).map_err(Unread::One),
        }
    }

    /// The archive as messages call it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }
}

/// What cannot be read.
pub(crate) enum Unread {
    /// This member, and why.
    One(String),
    /// The archive.
    All(Damage),
}
