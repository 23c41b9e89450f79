//! What a testee is made of: its files, digested before and after a run.
//!
//! Contract: `contracts/interface/protocol.md`, Subject. A folder counts as all that lies in it; links are not followed, since a
//! sealed testee that reads where they lead reads another file of its subject, or of its runtime. What was added to its runtime is
//! digested in the same way.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    fs::{self, Metadata},
    path::{self, Path, PathBuf},
};

use assize_verifier::digest::Digest;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{
    barred::{Untaken, lawful},
    digests::{at, digest, hex},
};
use crate::{clean::clean, words::counted};

/// The most files and folders that a subject may have.
const ENTRIES: usize = 100_000;
/// The most bytes of its files together.
const BYTES: u64 = 1 << 30;
/// The same of what was added to a runtime, which is looked at for every statement and every replay: a collection of everything that
/// somebody ever installed tells nothing of one program, and a virtual environment does.
const ADDED: (usize, u64) = (10_000, 256 << 20);
/// The most changed files that a report names.
const NAMED: usize = 20;

/// What a testee consists of beside its program and its arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// Files and folders; the working folder where none is named.
    pub named: Vec<PathBuf>,
    /// Files and folders that are not part of it, wherever they lie: the harness writes them, or keeps them from it.
    pub apart: Vec<PathBuf>,
}

/// The files of a subject, or of what was added to a runtime, as a report has them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectInfo {
    /// Base names of what it consists of; `.` for the working folder, where nothing is named.
    pub paths: Vec<String>,
    /// How many files and links there were before the run.
    pub files: usize,
    /// Bytes of the files.
    pub bytes: u64,
    /// Digest over all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Why there is no digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undigested: Option<String>,
    /// What was another after the run, was gone or was new: the first of them by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
}

impl fmt::Display for SubjectInfo {
    /// How much there is with its digest, or why there is none, and what has changed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.sha256, &self.undigested) {
            (Some(sha256), _) => {
                let (files, bytes) = (counted(self.files, "file", "files"), counted(self.bytes, "byte", "bytes"));
                write!(f, "{files}, {bytes}, sha256 {sha256}")?;
            }
            (None, why) => write!(f, "not digested: {}", clean(why.as_deref().unwrap_or_default()))?,
        }
        match self.changed.iter().map(|name| clean(name)).collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => Ok(()),
            names => write!(f, "; changed during the run: {names}"),
        }
    }
}

/// What lies in a subject at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Snapshot {
    entries: BTreeMap<Key, Entry>,
    bytes: u64,
}

/// The number of a root, and the bytes of a path below it.
type Key = (usize, Vec<u8>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    kind: Kind,
    /// Digest of the bytes of a file, or of where a link leads.
    sha256: Option<String>,
    /// What the system counts up with every change, so that one that was changed and changed back is found; not in the digest.
    stamp: Option<[i64; 4]>,
    /// Its path, to be shown.
    path: PathBuf,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    File,
    Link,
    Folder,
}

impl Kind {
    /// Nothing for sockets, pipes and devices.
    fn of(about: &Metadata) -> Option<Self> {
        match about.file_type() {
            kind if kind.is_symlink() => Some(Self::Link),
            kind if kind.is_dir() => Some(Self::Folder),
            kind if kind.is_file() => Some(Self::File),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Link => "link",
            Self::Folder => "folder",
        }
    }
}

impl Snapshot {
    /// What was added to a runtime, by its folders and files, without what lies `apart`.
    ///
    /// # Errors
    /// Something cannot be read, or there is too much of it.
    pub(super) fn added(roots: &[PathBuf], apart: &[PathBuf]) -> Result<Self, Untaken> {
        Self::taken(roots, apart, None, ADDED, false)
    }

    /// The same of a subject, where nobody may have left a key with which the testee could sign.
    ///
    /// # Errors
    /// As [`Snapshot::added`], or there is one.
    pub(super) fn without_keys(roots: &[PathBuf], apart: &[PathBuf]) -> Result<Self, Untaken> {
        Self::taken(roots, apart, None, (ENTRIES, BYTES), true)
    }

    /// The same as [`Snapshot::added`], where files are read only if the system tells another time of their last change than in `known`,
    /// which has the same roots.
    ///
    /// # Errors
    /// As [`Snapshot::added`].
    pub(super) fn again(roots: &[PathBuf], apart: &[PathBuf], known: &Self) -> Result<Self, Untaken> {
        Self::taken(roots, apart, Some(known), ADDED, false)
    }

    fn taken(
        roots: &[PathBuf],
        apart: &[PathBuf],
        known: Option<&Self>,
        (most, largest): (usize, u64),
        without_keys: bool,
    ) -> Result<Self, Untaken> {
        let apart: BTreeSet<PathBuf> = apart.iter().map(|path| real(path)).collect();
        let (mut found, mut bytes) = (Vec::new(), 0_u64);
        for (number, root) in roots.iter().enumerate() {
            let real = root.canonicalize().map_err(|error| at(root, &error))?;
            if apart.contains(&real) {
                return Err(format!("{} is kept from the testee, or written by the harness", root.display()).into());
            }
            let mut left = vec![real.clone()];
            while let Some(path) = left.pop() {
                if apart.contains(&path) {
                    continue;
                }
                let about = path.symlink_metadata().map_err(|error| at(&path, &error))?;
                let Some(kind) = Kind::of(&about) else {
                    return Err(format!("{}: is neither a file nor a folder nor a link", path.display()).into());
                };
                if kind == Kind::Folder {
                    let entries = fs::read_dir(&path).map_err(|error| at(&path, &error))?;
                    for entry in entries {
                        left.push(entry.map_err(|error| at(&path, &error))?.path());
                    }
                }
                bytes = bytes.saturating_add(if kind == Kind::File { about.len() } else { 0 });
                if found.len() + left.len() > most || bytes > largest {
                    let shown = root.display();
                    return Err(format!(
                        "{shown} holds more than {most} files or {} MiB: name the files of the testee alone",
                        largest >> 20
                    )
                    .into());
                }
                let below = path.strip_prefix(&real).unwrap_or(&path).as_os_str().as_encoded_bytes().to_vec();
                found.push(((number, below), kind, stamp(&about), path));
            }
        }
        let read = |(key, kind, stamp, path): (Key, Kind, Option<[i64; 4]>, PathBuf)| {
            let known = known.and_then(|known| known.entries.get(&key));
            let sha256 = match kind {
                Kind::File => {
                    let same = known.filter(|known| known.kind == kind && stamp.is_some() && known.stamp == stamp);
                    if let Some(known) = same {
                        return Ok((key, known.clone()));
                    }
                    let digest = digest(&path).map_err(|error| at(&path, &error))?;
                    lawful(&path, &digest, without_keys)?;
                    Some(digest)
                }
                Kind::Link => {
                    let to = fs::read_link(&path).map_err(|error| at(&path, &error))?;
                    Some(Digest::of(to.as_os_str().as_encoded_bytes()).to_hex())
                }
                Kind::Folder => None,
            };
            Ok((key, Entry { kind, sha256, stamp, path }))
        };
        let entries = found.into_par_iter().map(read).collect::<Result<_, Untaken>>()?;
        Ok(Self { entries, bytes })
    }

    /// The files of a subject that consists of these.
    pub(super) fn info(&self, paths: Vec<String>) -> SubjectInfo {
        let mut hash = Sha256::new();
        for ((number, below), Entry { kind, sha256, .. }) in &self.entries {
            hash.update(format!("{} {} {number} ", kind.name(), sha256.as_deref().unwrap_or("-")));
            hash.update(below);
            // No path has one, so that no two subjects give the same bytes.
            hash.update([0]);
        }
        SubjectInfo {
            paths,
            files: self.entries.values().filter(|entry| entry.kind != Kind::Folder).count(),
            bytes: self.bytes,
            sha256: Some(hex(hash.finalize())),
            undigested: None,
            changed: Vec::new(),
        }
    }

    /// Paths of what is not the same as it was before.
    pub(super) fn changes(&self, before: &Self) -> Vec<String> {
        let other = |(key, entry): (&Key, &Entry), there: &Self| {
            let same = there.entries.get(key).is_some_and(|known| known == entry);
            (!same).then(|| entry.path.display().to_string())
        };
        let new = self.entries.iter().filter_map(|entry| other(entry, before));
        let gone = before.entries.iter().filter_map(|entry| other(entry, self));
        let names: BTreeSet<String> = new.chain(gone).collect();
        names.into_iter().take(NAMED).collect()
    }
}

/// Device, file and time of the last change; nothing for a folder, in which the harness may write too.
#[cfg(unix)]
fn stamp(about: &Metadata) -> Option<[i64; 4]> {
    use std::os::unix::fs::MetadataExt as _;
    let whole = |number: u64| number.cast_signed();
    (!about.is_dir()).then(|| [whole(about.dev()), whole(about.ino()), about.ctime(), about.ctime_nsec()])
}

#[cfg(not(unix))]
fn stamp(_: &Metadata) -> Option<[i64; 4]> {
    None
}

/// A path by the real name of its folder; the file itself need not be there.
fn real(path: &Path) -> PathBuf {
    let path = path::absolute(path).unwrap_or_else(|_| path.to_owned());
    match (path.parent().and_then(|folder| folder.canonicalize().ok()), path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::keys::A_KEY;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("subject");
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::write(root.join("a/b/one"), "1").unwrap();
        fs::write(root.join("two"), "22").unwrap();
        (folder, root)
    }

    fn taken(root: &Path) -> Snapshot {
        Snapshot::added(&[root.to_owned()], &[]).unwrap()
    }

    #[test]
    fn every_difference_in_a_subject_has_a_name() {
        let (folder, root) = folder();
        let before = taken(&root);
        assert_eq!(before, taken(&root));
        let info = before.info(vec![".".to_owned()]);
        assert_eq!((info.files, info.bytes), (2, 3));
        let differs = |change: &dyn Fn(), undo: &dyn Fn(), name: &str| {
            let before = taken(&root);
            change();
            let after = taken(&root);
            assert_eq!(after.changes(&before), [root.canonicalize().unwrap().join(name).display().to_string()]);
            assert_ne!(after.info(Vec::new()).sha256, info.sha256, "{name}");
            undo();
            assert_eq!(taken(&root).info(Vec::new()).sha256, info.sha256, "{name}");
        };
        let (one, two, three) = (root.join("a/b/one"), root.join("two"), root.join("three"));
        let write = |path: &Path, text: &str| fs::write(path, text).unwrap();
        differs(&|| write(&two, "23"), &|| write(&two, "22"), "two");
        differs(&|| write(&three, ""), &|| fs::remove_file(&three).unwrap(), "three");
        differs(&|| fs::remove_file(&one).unwrap(), &|| write(&one, "1"), "a/b/one");
        differs(&|| fs::create_dir(&three).unwrap(), &|| fs::remove_dir(&three).unwrap(), "three");
        drop(folder);
    }

    #[cfg(unix)]
    #[test]
    fn what_was_changed_and_changed_back_is_found() {
        let (_folder, root) = folder();
        let before = taken(&root);
        let (two, other) = (root.join("two"), root.join("other"));
        fs::write(&other, "22").unwrap();
        fs::rename(&other, &two).unwrap();
        let after = taken(&root);
        assert_eq!(after.info(Vec::new()).sha256, before.info(Vec::new()).sha256);
        assert_eq!(after.changes(&before).len(), 1);
    }

    #[test]
    fn what_is_looked_at_again_is_what_it_would_be_at_first() {
        let (_folder, root) = folder();
        let roots = std::slice::from_ref(&root);
        let before = taken(&root);
        assert_eq!(Snapshot::again(roots, &[], &before).unwrap(), before);
        fs::write(root.join("three"), "333").unwrap();
        fs::write(root.join("other"), "23").unwrap();
        fs::rename(root.join("other"), root.join("two")).unwrap();
        let after = Snapshot::again(roots, &[], &before).unwrap();
        assert_eq!(after, taken(&root));
        assert_eq!(after.changes(&before).len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_is_no_part_of_a_testee() {
        let (_folder, root) = folder();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("s")).unwrap();
        let none = Snapshot::added(std::slice::from_ref(&root), &[]);
        assert!(none.unwrap_err().why.contains("s: is neither a file nor a folder nor a link"));
        let kept = Snapshot::added(&[root.join("two")], &[root.join("two")]);
        assert!(kept.unwrap_err().why.contains("is kept from the testee"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_where_it_leads_and_is_not_followed() {
        let (folder, root) = folder();
        let outside = folder.path().join("outside");
        fs::write(&outside, "x").unwrap();
        std::os::unix::fs::symlink(&outside, root.join("link")).unwrap();
        let before = taken(&root);
        fs::write(&outside, "y").unwrap();
        assert_eq!(taken(&root), before);
        fs::remove_file(root.join("link")).unwrap();
        std::os::unix::fs::symlink("two", root.join("link")).unwrap();
        assert_eq!(taken(&root).changes(&before).len(), 1);
    }

    #[test]
    fn what_is_no_part_of_it_is_left_out() {
        let (_folder, root) = folder();
        let apart = [root.join("out.json")];
        let before = Snapshot::added(std::slice::from_ref(&root), &apart).unwrap();
        fs::write(root.join("out.json"), "{}").unwrap();
        assert_eq!(Snapshot::added(std::slice::from_ref(&root), &apart).unwrap(), before);
        assert_eq!(taken(&root).changes(&before).len(), 1);
    }

    #[test]
    fn what_is_barred_is_so_in_a_subject_unless_it_is_no_part_of_it() {
        let (_folder, root) = folder();
        let (copy, key, roots) = (root.join("a/copy"), root.join("a/key"), std::slice::from_ref(&root));
        fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
        let none = Snapshot::added(roots, &[]).unwrap_err();
        assert!(none.barred && none.why.contains("copy: is a copy of this harness"), "{none:?}");
        Snapshot::added(roots, std::slice::from_ref(&copy)).unwrap();
        fs::remove_file(&copy).unwrap();
        fs::write(&key, A_KEY).unwrap();
        let none = Snapshot::without_keys(roots, &[]).unwrap_err();
        assert!(none.barred && none.why.contains("key: holds a private key"), "{none:?}");
        Snapshot::without_keys(roots, std::slice::from_ref(&key)).unwrap();
        Snapshot::added(roots, &[]).unwrap();
    }

    #[test]
    fn what_is_not_there_has_no_digest() {
        let (folder, _) = folder();
        let none = Snapshot::added(&[folder.path().join("none")], &[]);
        let none = none.unwrap_err();
        assert!(!none.barred && none.why.contains("none: "), "{none:?}");
    }
}
