//! Two ways to read files for the verifier.
//!
//! [`Contained`] is law mode: sovereign, Deterministic Path Selection Law; only regular files below the root, whatever
//! links and dots a path holds. [`Parity`] is reference mode: what the operating system does with the path. Neither blocks
//! on a pipe nor reads a device. One open, one look at the kind, reads into the caller's buffer, close.

use std::{
    io,
    path::{Path, PathBuf},
};

use assize_verifier::files::{Files, Unreadable};
use cap_std::{ambient_authority, fs::Dir};

/// Reads regular files below a root, and nothing else.
#[derive(Debug)]
pub struct Contained {
    root: Dir,
}

impl Contained {
    /// Opens the root.
    ///
    /// # Errors
    /// The root is not a folder that can be opened.
    pub fn new(root: &Path) -> io::Result<Self> {
        Dir::open_ambient_dir(root, ambient_authority()).map(|root| Self { root })
    }
}

impl Files for Contained {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        into.clear();
        let Ok(path) = std::str::from_utf8(path) else {
            return Err(Unreadable::NOT_A_NAME);
        };
        if path.contains('\0') {
            return Err(Unreadable::NOT_A_NAME);
        }
        let mut options = cap_std::fs::OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        cap_std::fs::OpenOptionsExt::custom_flags(&mut options, flags());
        let file = self.root.open_with(path, &options).map_err(|error| why(&error))?.into_std();
        match look(&file)? {
            Kind::Regular(size) => fill(&file, size, u64::MAX, into),
            Kind::Folder => Err(Unreadable::FOLDER),
            Kind::Other => Err(Unreadable { reason: "neither a regular file nor a folder" }),
        }
    }
}

/// Reads what the operating system finds at a path; relative ones start at the root.
#[derive(Debug)]
pub struct Parity {
    root: PathBuf,
}

impl Parity {
    /// Relative paths start at `root`; absolute ones go where they say.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf() }
    }
}

impl Files for Parity {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        into.clear();
        let path = native(path)?;
        // An empty path is not a file to the system, where joining it would name the root.
        if path.as_os_str().is_empty() {
            return Err(Unreadable::ABSENT);
        }
        let mut options = std::fs::OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags());
        let file = options.open(self.root.join(path)).map_err(|error| why(&error))?;
        match look(&file)? {
            Kind::Regular(size) => fill(&file, size, u64::MAX, into),
            Kind::Folder => Err(Unreadable::FOLDER),
            Kind::Other => Ok(()),
        }
    }
}

pub(super) enum Kind {
    Regular(u64),
    Folder,
    Other,
}

fn why(error: &io::Error) -> Unreadable {
    match error.kind() {
        io::ErrorKind::NotFound => Unreadable::ABSENT,
        io::ErrorKind::PermissionDenied => Unreadable::OUTSIDE,
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => Unreadable::NOT_A_NAME,
        _ => Unreadable::UNOPENED,
    }
}

/// Open without waiting for a writer, and without taking a terminal.
#[cfg(unix)]
pub(super) const AT_ONCE: rustix::fs::OFlags = rustix::fs::OFlags::NONBLOCK.union(rustix::fs::OFlags::NOCTTY);

#[cfg(unix)]
fn flags() -> i32 {
    AT_ONCE.bits().cast_signed()
}

/// The system's spelling of a path: Python turns U+DC80 to U+DCFF back into the bytes that they once were.
#[cfg(unix)]
pub(crate) fn native(path: &[u8]) -> Result<PathBuf, Unreadable> {
    use std::os::unix::ffi::OsStringExt as _;
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path;
    loop {
        rest = match rest {
            [] => return Ok(std::ffi::OsString::from_vec(bytes).into()),
            [0, ..] => return Err(Unreadable::NOT_A_NAME),
            [0xed, middle @ (0xb2 | 0xb3), last, rest @ ..] => {
                bytes.push(((middle & 3) << 6) | (last & 0x3f));
                rest
            }
            [0xed, 0xa0..=0xbf, ..] => return Err(Unreadable::NOT_A_NAME),
            [byte, rest @ ..] => {
                bytes.push(*byte);
                rest
            }
        };
    }
}

#[cfg(not(unix))]
pub(crate) fn native(path: &[u8]) -> Result<PathBuf, Unreadable> {
    match std::str::from_utf8(path) {
        Ok(path) if !path.contains('\0') => Ok(path.into()),
        _ => Err(Unreadable::NOT_A_NAME),
    }
}

#[cfg(unix)]
pub(super) fn look(file: &std::fs::File) -> Result<Kind, Unreadable> {
    use rustix::fs::{FileType, fstat};
    let stat = fstat(file).map_err(|_| Unreadable::FAILED)?;
    Ok(match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Kind::Regular(u64::try_from(stat.st_size).unwrap_or(0)),
        FileType::Directory => Kind::Folder,
        _ => Kind::Other,
    })
}

#[cfg(not(unix))]
pub(super) fn look(file: &std::fs::File) -> Result<Kind, Unreadable> {
    let found = file.metadata().map_err(|_| Unreadable::FAILED)?;
    Ok(match found.file_type() {
        kind if kind.is_file() => Kind::Regular(found.len()),
        kind if kind.is_dir() => Kind::Folder,
        _ => Kind::Other,
    })
}

/// Reads to the end, into spare capacity; of a file that outgrows `limit` while it is read, just so much that its length
/// shows it. A short read at or past the stated size is the end; anything else reads on.
#[cfg(unix)]
pub(super) fn fill(file: &std::fs::File, size: u64, limit: u64, into: &mut Vec<u8>) -> Result<(), Unreadable> {
    use rustix::{buffer::spare_capacity, io::Errno};
    let size = usize::try_from(size).map_err(|_| Unreadable::FAILED)?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    into.try_reserve(size.saturating_add(1)).map_err(|_| Unreadable::FAILED)?;
    while into.len() <= limit {
        if into.len() == into.capacity() {
            let more = into.len().max(4096).min((limit - into.len()).saturating_add(1));
            into.try_reserve_exact(more).map_err(|_| Unreadable::FAILED)?;
        }
        let room = into.capacity() - into.len();
        match rustix::io::read(file, spare_capacity(into)) {
            Ok(0) => return Ok(()),
            Ok(count) if count < room && into.len() >= size => return Ok(()),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return Err(Unreadable::FAILED),
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(super) fn fill(file: &std::fs::File, _: u64, limit: u64, into: &mut Vec<u8>) -> Result<(), Unreadable> {
    let mut file = io::Read::take(file, limit.saturating_add(1));
    io::Read::read_to_end(&mut file, into).map(|_| ()).map_err(|_| Unreadable::FAILED)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    /// A root with one of everything, beside a file that is outside of it.
    fn scene() -> tempfile::TempDir {
        let top = tempfile::tempdir().unwrap();
        let root = top.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(top.path().join("outside"), "secret").unwrap();
        fs::write(root.join("a.json"), "{}").unwrap();
        fs::write(root.join("empty"), "").unwrap();
        fs::write(root.join("big"), vec![b'x'; 300_000]).unwrap();
        fs::write(root.join("sub/b.json"), "[]").unwrap();
        symlink("a.json", root.join("near")).unwrap();
        symlink("../outside", root.join("far")).unwrap();
        symlink(top.path().join("outside"), root.join("absolute")).unwrap();
        symlink("..", root.join("up")).unwrap();
        symlink("loop", root.join("loop")).unwrap();
        symlink("gone", root.join("dangling")).unwrap();
        mknodat(CWD, root.join("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        top
    }

    fn read(files: &dyn Files, path: &[u8]) -> Option<Vec<u8>> {
        let mut into = b"left over".to_vec();
        let result = files.read(path, &mut into);
        assert!(result.is_ok() || into.is_empty(), "an unreadable path leaves nothing");
        result.ok().map(|()| into)
    }

    #[test]
    fn contained_reads_regular_files_below_the_root() {
        let top = scene();
        let files = Contained::new(&top.path().join("root")).unwrap();
        for (path, text) in [
            ("a.json", "{}"),
            ("./a.json", "{}"),
            ("sub/../a.json", "{}"),
            ("sub//b.json", "[]"),
            ("near", "{}"),
            ("empty", ""),
        ] {
            assert_eq!(read(&files, path.as_bytes()).as_deref(), Some(text.as_bytes()), "{path}");
        }
        assert_eq!(read(&files, b"big").unwrap().len(), 300_000);
    }

    #[test]
    fn contained_reads_nothing_else() {
        let top = scene();
        let files = Contained::new(&top.path().join("root")).unwrap();
        let outside = top.path().join("outside").display().to_string();
        let inside = top.path().join("root/a.json").display().to_string();
        let escapes = ["../outside", "sub/../../outside", "far", "absolute", "up/outside", &outside, &inside];
        let kinds = [
            "",
            ".",
            "sub",
            "sub/",
            "pipe",
            "/dev/null",
            "/dev/zero",
            "a.json/",
            "a.json/x",
            "loop",
            "dangling",
            "gone",
            "a\0b",
        ];
        for path in escapes.into_iter().chain(kinds) {
            assert_eq!(read(&files, path.as_bytes()), None, "{path:?}");
        }
        assert_eq!(read(&files, b"\xed\xa0\x80"), None);
        assert_eq!(read(&files, &[b'n'; 5000]), None);
        assert!(Contained::new(&top.path().join("gone")).is_err());
    }

    #[test]
    fn parity_reads_what_the_system_finds() {
        let top = scene();
        let files = Parity::new(&top.path().join("root"));
        let outside = top.path().join("outside").display().to_string();
        for path in ["../outside", "sub/../../outside", "far", "absolute", "up/outside", &outside] {
            assert_eq!(read(&files, path.as_bytes()).as_deref(), Some(&b"secret"[..]), "{path}");
        }
        for path in ["pipe", "/dev/null", "/dev/zero"] {
            assert_eq!(read(&files, path.as_bytes()).as_deref(), Some(&b""[..]), "{path}");
        }
        for path in ["", ".", "sub", "a.json/", "a.json/x", "loop", "dangling", "gone", "a\0b"] {
            assert_eq!(read(&files, path.as_bytes()), None, "{path:?}");
        }
    }

    #[test]
    fn parity_turns_escaped_bytes_back() {
        assert_eq!(native(b"a\xed\xb2\x80\xed\xb3\xbf").unwrap().as_os_str().as_encoded_bytes(), b"a\x80\xff");
        assert!(native(b"a\xed\xa0\x80").is_err());
        assert_eq!(native("\u{ff61}\u{d7ff}".as_bytes()).unwrap(), Path::new("\u{ff61}\u{d7ff}"));
    }

    #[test]
    fn a_buffer_is_reused() {
        let top = scene();
        let files = Contained::new(&top.path().join("root")).unwrap();
        let mut into = Vec::new();
        files.read(b"big", &mut into).unwrap();
        let capacity = into.capacity();
        files.read(b"a.json", &mut into).unwrap();
        assert_eq!((into.as_slice(), into.capacity()), (&b"{}"[..], capacity));
    }
}
