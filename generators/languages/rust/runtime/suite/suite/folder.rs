//! The folder of a case.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use super::case::{File, Kind};

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A folder with the files of a case, removed with this value.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

/// What came of laying the files out.
#[derive(Debug)]
pub(super) enum Laid {
    Whole(Folder),
    /// Whoever runs the suite can read files without permission, as root can, so that the case cannot be asked.
    Readable,
}

impl Folder {
    /// Lays files out, in their order.
    pub(super) fn lay(files: &[File]) -> io::Result<Laid> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = Self(env::temp_dir().join(format!("assize-case-{}-{number}", process::id())));
        fs::create_dir(&folder.0)?;
        for File { path, kind } in files {
            let path = folder.0.join(path);
            if let Kind::Directory = kind {
                fs::create_dir_all(&path)?;
                continue;
            }
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            match kind {
                Kind::Directory => {}
                Kind::File(content) => fs::write(&path, content)?,
                Kind::Symlink(target) => link(target, &path)?,
                Kind::Unreadable(content) => {
                    fs::write(&path, content)?;
                    close(&path)?;
                    if fs::read(&path).is_ok() {
                        return Ok(Laid::Readable);
                    }
                }
            }
        }
        Ok(Laid::Whole(folder))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("{}: {error}", self.0.display());
        }
    }
}

#[cfg(unix)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(unix)]
fn close(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o000))
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The file stays readable, and the case is left out.
#[cfg(not(unix))]
fn close(_: &Path) -> io::Result<()> {
    Ok(())
}
