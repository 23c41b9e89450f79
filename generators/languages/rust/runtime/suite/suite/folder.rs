//! The folder of a case.

use std::{
    env, fs, io,
    path::{Component, Path, PathBuf},
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
    /// Lays files out, in their order. A path that leaves the folder is an error before anything is written.
    pub(super) fn lay(files: &[File]) -> io::Result<Laid> {
        if let Some(File { path, .. }) = files.iter().find(|file| !is_inside(&file.path)) {
            return Err(refused(path, "is not a relative path of plain names"));
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = Self(env::temp_dir().join(format!("assize-case-{}-{number}", process::id())));
        fs::create_dir(&folder.0)?;
        for File { path, kind } in files {
            let (name, path) = (path, folder.0.join(path));
            if path.ancestors().take_while(|step| *step != folder.0).any(Path::is_symlink) {
                return Err(refused(name, "leads through a link of the same case"));
            }
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

fn is_inside(path: &str) -> bool {
    let is_plain = path.split('/').all(|name| !matches!(name, "" | "." | "..")) && !path.contains('\0');
    // Windows knows more ways out.
    is_plain && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn refused(path: &str, reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("{path:?} {reason}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, kind: Kind) -> File {
        File { path: path.to_owned(), kind }
    }

    fn refusal(files: &[File]) -> String {
        Folder::lay(files).map_or_else(|error| error.to_string(), |laid| format!("{laid:?}"))
    }

    #[test]
    fn no_path_leaves_the_folder() {
        let outside = env::temp_dir().join(format!("assize-outside-{}", process::id()));
        let absolute = outside.display().to_string();
        for path in ["", "/", &absolute, ".", "..", "../x", "a/../../x", "./x", "a/./x", "a//x", "a/", "a\0b"] {
            let said = refusal(&[file("first", Kind::Directory), file(path, Kind::File(Vec::new()))]);
            assert_eq!(said, format!("{path:?} is not a relative path of plain names"));
        }
        assert!(!outside.exists());
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_a_link() {
        let Ok(Laid::Whole(outside)) = Folder::lay(&[]) else { panic!("an empty folder") };
        let to = |path: &Path| Kind::Symlink(path.display().to_string());
        let links = || [file("d", to(outside.path())), file("f", to(&outside.path().join("x")))];
        assert!(matches!(Folder::lay(&links()), Ok(Laid::Whole(_))), "a link may lead anywhere");
        for (path, kind) in [
            ("d/x", Kind::File(Vec::new())),
            ("d/x/y", Kind::Directory),
            ("d/x", Kind::Symlink("y".to_owned())),
            ("f", Kind::File(Vec::new())),
            ("f", Kind::Unreadable(Vec::new())),
        ] {
            let [d, f] = links();
            let said = refusal(&[d, f, file(path, kind)]);
            assert_eq!(said, format!("{path:?} leads through a link of the same case"));
        }
        assert_eq!(fs::read_dir(outside.path()).map(Iterator::count).ok(), Some(0));
    }
}
