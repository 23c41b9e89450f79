//! A home folder on disk that the kernel writes.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 3 Disk Layout; rulings KE-30 and KE-33. Every name on the way is looked
//! at and no link is followed; should one be put there in between, the capability still keeps everything below the
//! home. Folders that were used lately are kept open, since files of one folder come one after the other.

use std::{
    cell::RefCell,
    io::{self, Write as _},
    path::Path,
    rc::Rc,
};

use assize_verifier::files::{EntryKind, HomeEntry, HomeError, HomeFiles, HomeReader};
use cap_std::{
    ambient_authority,
    fs::{Dir, File, FileType, OpenOptions},
};

use super::files::fill;

/// A home below a folder of this machine.
#[derive(Debug)]
pub struct HomeFolder {
    root: Rc<Dir>,
    durability: Durability,
    /// Folders that were used lately, with their paths, the latest last.
    near: RefCell<Vec<(String, Rc<Dir>)>>,
}

/// Folders that are kept open: two trees of four levels, and room to spare.
const NEAR: usize = 12;

/// What a home has to outlast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The end of the process at any point: for homes of tests, and of cases that are asked once.
    Process,
    /// A loss of power too.
    Power,
}

impl HomeFolder {
    /// Opens a home that has to outlast its process.
    ///
    /// # Errors
    /// It is not a folder that can be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::with(path, Durability::Process)
    }

    /// Opens a home.
    ///
    /// # Errors
    /// It is not a folder that can be opened.
    pub fn with(path: &Path, durability: Durability) -> io::Result<Self> {
        let root = Dir::open_ambient_dir(path, ambient_authority())?;
        Ok(Self { root: Rc::new(root), durability, near: RefCell::default() })
    }

    /// Opens the folder at a path, or makes it.
    fn folder(&self, path: &str, missing: Missing) -> Result<Rc<Dir>, HomeError> {
        if path.is_empty() {
            return Ok(Rc::clone(&self.root));
        }
        let mut near = self.near.borrow_mut();
        let ends: Vec<_> = path.match_indices('/').map(|(end, _)| end).chain([path.len()]).collect();
        let mut known = 0;
        let mut folder = Rc::clone(&self.root);
        for end in ends.iter().rev() {
            let kept = path.get(..*end).and_then(|part| near.iter().position(|(kept, _)| kept == part));
            if let Some(kept) = kept {
                let latest = near.remove(kept);
                folder = Rc::clone(&latest.1);
                near.push(latest);
                known = end + 1;
                break;
            }
        }
        let mut start = known;
        for end in ends.into_iter().filter(|end| *end >= known) {
            let name = path.get(start..end).unwrap_or_default();
            folder = Rc::new(step(&folder, plain(name)?, missing)?);
            if near.len() == NEAR {
                near.remove(0);
            }
            near.push((path.get(..end).unwrap_or_default().to_owned(), Rc::clone(&folder)));
            start = end + 1;
        }
        Ok(folder)
    }

    /// The folder that something lies in, and its name there.
    fn within<'p>(&self, path: &'p str) -> Result<(Rc<Dir>, &'p str), HomeError> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        Ok((self.folder(folder, Missing::Stays)?, plain(name)?))
    }

    /// Forgets all folders, for one of them may not be where it was.
    fn forget(&self) {
        self.near.take();
    }
}

/// What becomes of a folder that is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    Stays,
    IsMade,
}

/// Goes one folder down, and over no link.
fn step(folder: &Dir, name: &str, missing: Missing) -> Result<Dir, HomeError> {
    if let Some(there) = enter(folder, name) {
        return Ok(there);
    }
    match look(folder, name)? {
        Some(EntryKind::Folder) => {}
        None if missing == Missing::IsMade => folder.create_dir(name).map_err(|error| why(&error))?,
        None => return Err(HomeError::Absent),
        Some(EntryKind::File) => return Err(HomeError::NotAFolder),
        Some(EntryKind::Other) if is_link(folder, name) => return Err(HomeError::Symlink),
        Some(EntryKind::Other) => return Err(HomeError::NotAFolder),
    }
    folder.open_dir(name).map_err(|error| why(&error))
}

/// The folder of a plain name, if that is what stands there: a look and an opening in one, as most steps need no more.
#[cfg(unix)]
fn enter(folder: &Dir, name: &str) -> Option<Dir> {
    use rustix::fs::{Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let there = rustix::io::retry_on_intr(|| openat(folder, name, flags, Mode::empty())).ok()?;
    Some(Dir::from_std_file(there.into()))
}

#[cfg(not(unix))]
fn enter(_: &Dir, _: &str) -> Option<Dir> {
    None
}

/// What a name stands for in a folder.
fn look(folder: &Dir, name: &str) -> Result<Option<EntryKind>, HomeError> {
    match folder.symlink_metadata(name) {
        Ok(found) => Ok(Some(kind(found.file_type()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(why(&error)),
    }
}

fn is_link(folder: &Dir, name: &str) -> bool {
    folder.symlink_metadata(name).is_ok_and(|found| found.is_symlink())
}

fn kind(found: FileType) -> EntryKind {
    if found.is_file() {
        EntryKind::File
    } else if found.is_dir() {
        EntryKind::Folder
    } else {
        EntryKind::Other
    }
}

/// A name that leads nowhere but into its folder.
fn plain(name: &str) -> Result<&str, HomeError> {
    if matches!(name, "" | "." | "..") || name.contains('\0') { Err(HomeError::Name) } else { Ok(name) }
}

fn why(error: &io::Error) -> HomeError {
    match error.kind() {
        io::ErrorKind::NotFound => HomeError::Absent,
        io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty => HomeError::Occupied,
        io::ErrorKind::NotADirectory => HomeError::NotAFolder,
        io::ErrorKind::IsADirectory => HomeError::NotAFile,
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => HomeError::Name,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => HomeError::Full,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => HomeError::Denied,
        _ => HomeError::Failed("the system did not do it"),
    }
}

impl HomeReader for HomeFolder {
    fn kind(&self, path: &str) -> Result<Option<EntryKind>, HomeError> {
        if path.is_empty() {
            return Ok(Some(EntryKind::Folder));
        }
        match self.within(path) {
            Ok((folder, name)) => look(&folder, name),
            Err(HomeError::Absent | HomeError::NotAFolder) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn list(&self, path: &str) -> Result<Vec<HomeEntry>, HomeError> {
        let folder = self.folder(path, Missing::Stays)?;
        let mut entries = Vec::new();
        for entry in folder.entries().map_err(|error| why(&error))? {
            let entry = entry.map_err(|error| why(&error))?;
            let kind = kind(entry.file_type().map_err(|error| why(&error))?);
            entries.push(match entry.file_name().into_string() {
                Ok(name) => HomeEntry { name, kind },
                Err(name) => HomeEntry { name: name.to_string_lossy().into_owned(), kind: EntryKind::Other },
            });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), HomeError> {
        into.clear();
        let (folder, name) = match self.within(path) {
            Err(HomeError::NotAFolder) => return Err(HomeError::Absent),
            within => within?,
        };
        let found = folder.symlink_metadata(name).map_err(|error| why(&error))?;
        if found.is_symlink() {
            return Err(HomeError::Symlink);
        }
        if !found.is_file() {
            return Err(HomeError::NotAFile);
        }
        if found.len() > limit {
            return Err(HomeError::TooLarge { limit });
        }
        let file = open(&folder, name).map_err(|error| why(&error))?.into_std();
        fill(&file, found.len(), limit, into).map_err(|why| HomeError::Failed(why.reason))?;
        if u64::try_from(into.len()).is_ok_and(|len| len > limit) {
            into.clear();
            return Err(HomeError::TooLarge { limit });
        }
        Ok(())
    }
}

/// Opens a file for reading, without waiting for anybody should it be a pipe by now.
fn open(folder: &Dir, name: &str) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        let flags = super::files::AT_ONCE | rustix::fs::OFlags::NOFOLLOW;
        cap_std::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits().cast_signed());
    }
    folder.open_with(name, &options)
}

impl HomeFiles for HomeFolder {
    fn create(&mut self, path: &str, bytes: &[u8]) -> Result<(), HomeError> {
        let (folder, name) = self.within(path)?;
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let written = folder.open_with(name, &options).and_then(|mut file| {
            file.write_all(bytes)?;
            // Where the whole file system is settled at once, no file needs it.
            if self.durability == Durability::Power && !cfg!(target_os = "linux") { file.sync_all() } else { Ok(()) }
        });
        written.map_err(|error| why(&error))
    }

    fn create_folder(&mut self, path: &str) -> Result<(), HomeError> {
        match self.folder(path, Missing::IsMade) {
            Err(HomeError::NotAFolder | HomeError::Symlink) => Err(HomeError::Occupied),
            made => made.map(drop),
        }
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), HomeError> {
        let (source, name) = self.within(from)?;
        let (target, new_name) = self.within(to)?;
        let moved = look(&source, name)?.ok_or(HomeError::Absent)?;
        match (moved, look(&target, new_name)?) {
            (EntryKind::File, Some(EntryKind::File)) | (_, None) => {}
            (_, Some(_)) => return Err(HomeError::Occupied),
        }
        if moved == EntryKind::Folder {
            self.forget();
        }
        source.rename(name, &target, new_name).map_err(|error| why(&error))
    }

    fn share(&mut self, from: &str, to: &str) -> Result<(), HomeError> {
        let (source, name) = self.within(from)?;
        match look(&source, name)? {
            Some(EntryKind::File) => {}
            Some(EntryKind::Other) if is_link(&source, name) => return Err(HomeError::Symlink),
            Some(EntryKind::Folder | EntryKind::Other) => return Err(HomeError::NotAFile),
            None => return Err(HomeError::Absent),
        }
        let (target, new_name) = self.within(to)?;
        match source.hard_link(name, &target, new_name) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(HomeError::Occupied),
            Err(_) => copy(&source, name, &target, new_name).map_err(|error| why(&error)),
        }
    }

    fn remove(&mut self, path: &str) -> Result<(), HomeError> {
        let (folder, name) = match self.within(path) {
            Err(HomeError::Absent | HomeError::NotAFolder) => return Ok(()),
            within => within?,
        };
        match look(&folder, name)? {
            None => Ok(()),
            Some(EntryKind::Folder) => {
                self.forget();
                folder.remove_dir_all(name).map_err(|error| why(&error))
            }
            Some(EntryKind::File | EntryKind::Other) => folder.remove_file(name).map_err(|error| why(&error)),
        }
    }

    fn settle(&mut self) -> Result<(), HomeError> {
        match self.durability {
            Durability::Process => Ok(()),
            Durability::Power => settle(&self.root).map_err(|error| why(&error)),
        }
    }
}

/// One call for everything: what matters is that all of it comes before the switch, and not what comes before what.
#[cfg(target_os = "linux")]
fn settle(root: &Dir) -> io::Result<()> {
    // The handle that the root is kept by stands for a place and cannot be synchronised.
    Ok(rustix::fs::syncfs(root.open(".")?)?)
}

#[cfg(not(target_os = "linux"))]
fn settle(root: &Dir) -> io::Result<()> {
    root.open(".")?.sync_all()
}

/// What a second name is where the system has none: on file systems without them, and for files of somebody else.
fn copy(source: &Dir, name: &str, target: &Dir, new_name: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    let mut from = open(source, name)?;
    io::copy(&mut from, &mut target.open_with(new_name, &options)?).map(drop)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use tempfile::TempDir;

    use super::*;

    /// A home with links, beside a folder that is outside of it.
    fn scene() -> (TempDir, HomeFolder) {
        let top = tempfile::tempdir().unwrap();
        let root = top.path().join("home");
        fs::create_dir_all(root.join("a/b")).unwrap();
        fs::create_dir(top.path().join("outside")).unwrap();
        fs::write(top.path().join("outside/f"), "secret").unwrap();
        fs::write(root.join("a/f"), "text").unwrap();
        symlink(top.path().join("outside"), root.join("out")).unwrap();
        symlink("f", root.join("a/l")).unwrap();
        let home = HomeFolder::open(&root).unwrap();
        (top, home)
    }

    fn read(home: &HomeFolder, path: &str) -> Result<Vec<u8>, HomeError> {
        let mut bytes = b"left over".to_vec();
        home.read(path, 4, &mut bytes).map(|()| bytes)
    }

    #[test]
    fn reads_regular_files_and_follows_no_link() {
        let (_top, home) = scene();
        assert_eq!(read(&home, "a/f"), Ok(b"text".to_vec()));
        assert_eq!(home.read("a/f", 3, &mut Vec::new()), Err(HomeError::TooLarge { limit: 3 }));
        for (path, error) in [
            ("a/l", HomeError::Symlink),
            ("out/f", HomeError::Symlink),
            ("a", HomeError::NotAFile),
            ("a/x", HomeError::Absent),
            ("a/f/x", HomeError::Absent),
            ("../outside/f", HomeError::Name),
            ("a//f", HomeError::Name),
            ("/etc/passwd", HomeError::Name),
        ] {
            assert_eq!(read(&home, path), Err(error), "{path}");
        }
        assert_eq!(home.kind("out"), Ok(Some(EntryKind::Other)));
        assert_eq!(home.kind("out/f"), Err(HomeError::Symlink));
        assert_eq!(home.kind("a/f/x"), Ok(None));
        let entry = |name: &str, kind| HomeEntry { name: name.to_owned(), kind };
        let expected = [entry("b", EntryKind::Folder), entry("f", EntryKind::File), entry("l", EntryKind::Other)];
        assert_eq!(home.list("a").as_deref(), Ok(&expected[..]));
        assert_eq!(home.list("out"), Err(HomeError::Symlink));
    }

    #[test]
    fn nothing_is_written_through_a_link() {
        let (top, mut home) = scene();
        assert_eq!(home.create("out/g", b"x"), Err(HomeError::Symlink));
        assert_eq!(home.create("a/l", b"x"), Err(HomeError::Occupied));
        assert_eq!(home.create_folder("out/g"), Err(HomeError::Occupied));
        assert_eq!(home.rename("a/f", "out/g"), Err(HomeError::Symlink));
        assert_eq!(home.share("a/l", "a/g"), Err(HomeError::Symlink));
        assert_eq!(home.share("a/f", "out/g"), Err(HomeError::Symlink));
        assert_eq!(home.remove("out/f"), Err(HomeError::Symlink));
        assert_eq!(home.remove("out"), Ok(()));
        assert_eq!(home.kind("out"), Ok(None));
        assert_eq!(fs::read_dir(top.path().join("outside")).unwrap().count(), 1);
    }

    #[test]
    fn a_shared_file_is_one_file_with_two_names() {
        use std::os::unix::fs::MetadataExt as _;
        let (top, mut home) = scene();
        assert_eq!(home.share("a/f", "a/b/g"), Ok(()));
        let inode = |path: &str| fs::metadata(top.path().join("home").join(path)).unwrap().ino();
        assert_eq!(inode("a/f"), inode("a/b/g"));
        assert_eq!(home.share("a/f", "a/b/g"), Err(HomeError::Occupied));
    }

    #[test]
    fn folders_that_moved_or_went_are_not_written_to() {
        let (_top, mut home) = scene();
        assert_eq!(home.create("a/b/one", b"1"), Ok(()));
        assert_eq!(home.rename("a", "c"), Ok(()));
        assert_eq!(home.create("a/b/two", b"2"), Err(HomeError::Absent));
        assert_eq!(home.create("c/b/two", b"2"), Ok(()));
        assert_eq!(home.remove("c"), Ok(()));
        assert_eq!(home.create_folder("c/b"), Ok(()));
        assert_eq!(home.create("c/b/two", b"2"), Ok(()));
        assert_eq!(home.rename("c/b/two", "c"), Err(HomeError::Occupied));
        assert_eq!(home.create(&format!("c/{}", "n".repeat(300)), b""), Err(HomeError::Name));
    }
}
