//! Removal of a folder in which a stranger has written: it takes no more stack or open files, however deep that is.
//!
//! The walk of the standard library goes down by recursion and keeps each folder on its way open. Here what lies below a folder of the top
//! is moved up to the top before it is looked into. That takes no room on the disk, which may be full.

use std::{io, path::Path};

/// Removes a folder with everything in it, and follows no link.
///
/// # Errors
/// Something in it cannot be removed, or there is no end of it; the rest stays.
#[cfg(unix)]
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    /// A testee may go on writing while this removes.
    const MOST: usize = 1 << 22;
    walk::remove(folder, MOST)
}

/// Here the standard library does what it can.
#[cfg(not(unix))]
pub(super) fn remove(folder: &Path) -> io::Result<()> {
    std::fs::remove_dir_all(folder)
}

#[cfg(unix)]
mod walk {
    use std::{ffi::CStr, io, os::fd::OwnedFd, path::Path};

    use rustix::{
        fs::{AtFlags, Dir, FileType, Mode, OFlags, open, openat, renameat, unlinkat},
        io::Errno,
    };

    /// Removes a folder of at most so many entries, those that are added meanwhile among them.
    pub(super) fn remove(folder: &Path, most: usize) -> io::Result<()> {
        let mut walk = Walk { top: open(folder, flags(), Mode::empty())?, left: most, name: 0 };
        while walk.pass()? {}
        std::fs::remove_dir(folder)
    }

    fn flags() -> OFlags {
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC
    }

    struct Walk {
        top: OwnedFd,
        /// How many entries may still be looked at.
        left: usize,
        /// The name under which the next folder is moved to the top.
        name: usize,
    }

    impl Walk {
        /// Removes what is in the top now, and moves up what lies two levels below it; says whether there was anything.
        fn pass(&mut self) -> io::Result<bool> {
            let mut found = false;
            for entry in Dir::read_from(&self.top)? {
                let entry = entry?;
                let name = entry.file_name();
                if is_dots(name) {
                    continue;
                }
                found = true;
                self.count()?;
                if !is_gone(&self.top, name, entry.file_type())? {
                    self.lift(name)?;
                }
            }
            Ok(found)
        }

        /// Empties a folder of the top and removes it.
        fn lift(&mut self, name: &CStr) -> io::Result<()> {
            let folder = openat(&self.top, name, flags(), Mode::empty())?;
            let mut found = true;
            while found {
                found = false;
                for entry in Dir::read_from(&folder)? {
                    let entry = entry?;
                    let inner = entry.file_name();
                    if is_dots(inner) {
                        continue;
                    }
                    found = true;
                    self.count()?;
                    if !is_gone(&folder, inner, entry.file_type())? {
                        self.move_up(&folder, inner)?;
                    }
                }
            }
            Ok(unlinkat(&self.top, name, AtFlags::REMOVEDIR)?)
        }

        fn move_up(&mut self, folder: &OwnedFd, name: &CStr) -> io::Result<()> {
            loop {
                let moved = renameat(folder, name, &self.top, self.name.to_string());
                self.name += 1;
                match moved {
                    // What has this name is removed when its turn comes.
                    Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => self.count()?,
                    moved => return Ok(moved?),
                }
            }
        }

        fn count(&mut self) -> io::Result<()> {
            self.left =
                self.left.checked_sub(1).ok_or_else(|| io::Error::other("there is no end of what lies in it"))?;
            Ok(())
        }
    }

    fn is_dots(name: &CStr) -> bool {
        matches!(name.to_bytes(), b"." | b"..")
    }

    /// Removes an entry, unless it is a folder with something in it.
    fn is_gone(folder: &OwnedFd, name: &CStr, kind: FileType) -> io::Result<bool> {
        if kind != FileType::Directory {
            match unlinkat(folder, name, AtFlags::empty()) {
                // Not every file system tells what kind an entry is.
                Err(Errno::ISDIR | Errno::PERM) if kind == FileType::Unknown => {}
                removed => return Ok(removed.map(|()| true)?),
            }
        }
        match unlinkat(folder, name, AtFlags::REMOVEDIR) {
            Err(Errno::NOTEMPTY | Errno::EXIST) => Ok(false),
            removed => Ok(removed.map(|()| true)?),
        }
    }

    #[cfg(test)]
    mod tests {
        use std::{fs, os::unix::fs::symlink};

        use rustix::fs::mkdirat;
        use tempfile::TempDir;

        use super::{super::super::folder::memory, *};

        const ANY: usize = 1 << 20;

        fn temporary() -> TempDir {
            tempfile::tempdir_in(memory()).unwrap()
        }

        /// Makes folders in each other, each called so and with a file beside the next.
        fn deepen(top: &Path, levels: usize, name: &str) {
            let mut folder = open(top, flags(), Mode::empty()).unwrap();
            for _ in 0..levels {
                mkdirat(&folder, name, Mode::RWXU).unwrap();
                openat(&folder, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
                folder = openat(&folder, name, flags(), Mode::empty()).unwrap();
            }
        }

        #[test]
        fn a_tree_is_removed_on_a_small_stack_though_names_are_in_its_way() {
            let top = temporary().keep();
            // Names under which folders are moved up, in its way.
            for name in ["0", "1", "2", "d"] {
                deepen(&top, 150, name);
            }
            deepen(&top.join("d"), 1, "e");
            fs::write(top.join("3"), "x").unwrap();
            let path = top.clone();
            let small = std::thread::Builder::new().stack_size(64 << 10);
            small.spawn(move || remove(&path, ANY)).unwrap().join().unwrap().unwrap();
            assert!(!top.exists());
        }

        #[test]
        fn nothing_is_removed_through_a_link() {
            let (top, outside) = (temporary(), temporary());
            let outside = outside.path();
            fs::write(outside.join("file"), "x").unwrap();
            deepen(top.path(), 3, "d");
            for place in ["link", "d/link", "d/d/d/link"] {
                symlink(outside, top.path().join(place)).unwrap();
            }
            let top = top.keep();
            remove(&top, ANY).unwrap();
            assert!(!top.exists() && outside.join("file").exists());
            let link = outside.join("link");
            symlink(outside, &link).unwrap();
            assert!(remove(&link, ANY).is_err() && outside.join("file").exists());
        }

        #[test]
        fn there_is_an_end_to_it() {
            let top = temporary();
            deepen(top.path(), 10, "d");
            // Ten folders with a file beside each, and every folder but the first is seen once more where it was moved to.
            assert!(remove(top.path(), 10).is_err());
            assert!(top.path().exists());
            remove(&top.keep(), 40).unwrap();
        }
    }
}
