//! What may be suggested to a user to open to a testee that the seal keeps from its start.
//!
//! Which file it lacks, a testee says itself, on its standard error: a hostile one names what it would like to read. A suggestion is
//! therefore never what signs a statement, what the harness hides, or a folder with either in it.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use super::{Launch, barred::holds_key};

/// The most files and folders, of all paths of a message together, among which a key is looked for.
const ENTRIES: usize = 10_000;

/// Where a system shows itself as files: of no program, and of no honest length.
const OF_THE_SYSTEM: [&str; 2] = ["/proc", "/sys"];

impl Launch {
    /// The first path that a message names, and that is there, out of reach for the testee, and may be suggested: most programs say
    /// which file they did not find.
    pub(crate) fn wanted(&self, message: &str) -> Option<String> {
        let mut kept: Vec<PathBuf> = self.seal.iter().flat_map(|seal| seal.hidden.iter()).cloned().collect();
        kept.extend(env::var_os("HOME").map(PathBuf::from));
        let mut left = ENTRIES;
        named(message, |path| !self.may_read(path) && may_be_suggested(path, &kept, &mut left))
    }
}

/// The first absolute path in a message of which this holds.
fn named(message: &str, mut is: impl FnMut(&Path) -> bool) -> Option<String> {
    let is_end = |letter: char| letter.is_whitespace() || "'\"`:,;()<>".contains(letter);
    let mut paths = message.split(is_end).filter(|word| word.starts_with('/') && word.len() > 1);
    paths.find(|path| is(Path::new(path))).map(str::to_owned)
}

/// Whether a path is a file or a folder that neither is, nor lies above, one of those that are kept, and no key lies there. `left` is how much
/// may still be looked at: a message may name the same large folder over and over.
fn may_be_suggested(path: &Path, kept: &[PathBuf], left: &mut usize) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let is_kept = |kept: &PathBuf| kept.canonicalize().is_ok_and(|kept| kept.starts_with(&path));
    if kept.iter().any(is_kept) || OF_THE_SYSTEM.iter().any(|system| path.starts_with(system)) {
        return false;
    }
    path.metadata().is_ok_and(|about| about.is_file() || about.is_dir()) && is_harmless(path, left).unwrap_or(false)
}

/// Whether no key lies there, however deep: what is opened is opened with all that it holds.
fn is_harmless(path: PathBuf, left: &mut usize) -> io::Result<bool> {
    let mut waiting = vec![path];
    while let Some(path) = waiting.pop() {
        let Some(fewer) = left.checked_sub(1) else { return Ok(false) };
        *left = fewer;
        // Links are not followed, as the seal does not follow them; what else is neither file nor folder is not opened.
        let about = path.symlink_metadata()?;
        if about.is_file() && holds_key(&path)? {
            return Ok(false);
        }
        if about.is_dir() {
            for entry in fs::read_dir(&path)? {
                waiting.push(entry?.path());
                if waiting.len() > *left {
                    *left = 0;
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::keys::A_KEY;

    #[test]
    fn the_first_path_counts_that_may_be_suggested() {
        let message = "sh: 1: .: cannot open '/first/x' or \"/second\": no (/third/y), /";
        let paths = ["/first/x", "/second", "/third/y"];
        for wanted in paths {
            assert_eq!(named(message, |path| path == Path::new(wanted)).as_deref(), Some(wanted));
        }
        assert_eq!(named(message, |path| path != Path::new("/first/x")).as_deref(), Some("/second"));
        assert_eq!(named(message, |_| false), None);
    }

    #[test]
    fn a_key_is_never_suggested_and_no_folder_that_it_lies_in() {
        let folder = tempfile::tempdir().unwrap();
        let (lib, keys) = (folder.path().join("lib"), folder.path().join("keys"));
        for (folder, file, text) in [(&lib, "settings", "true\n"), (&keys, "release.key", A_KEY)] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join(file), text).unwrap();
        }
        let suggested = |path: &Path| may_be_suggested(path, &[], &mut { ENTRIES });
        assert!(suggested(&lib) && suggested(&lib.join("settings")));
        assert!(!suggested(&keys) && !suggested(&keys.join("release.key")));
        assert!(!suggested(&keys.join("other")) && !suggested(folder.path()));
        fs::write(keys.join("release.key"), A_KEY.replace("PRIVATE", "PUBLIC")).unwrap();
        assert!(suggested(&keys) && suggested(folder.path()));
        // What the system shows of itself.
        assert!(!suggested(Path::new("/proc/self/pagemap")) && !suggested(Path::new("/dev/null")));
    }

    #[test]
    fn a_folder_of_more_than_anybody_looks_through_is_not_suggested() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        (2..ENTRIES).for_each(|number| fs::write(inner.join(number.to_string()), "").unwrap());
        assert!(may_be_suggested(folder.path(), &[], &mut { ENTRIES }));
        fs::write(inner.join("one"), "").unwrap();
        assert!(!may_be_suggested(folder.path(), &[], &mut { ENTRIES }));
        // Nor is anything that the same message names behind it.
        let mut left = ENTRIES;
        assert!(!may_be_suggested(folder.path(), &[], &mut left));
        assert!(left == 0 && !may_be_suggested(&inner.join("one"), &[], &mut left));
    }

    #[test]
    fn what_is_kept_from_it_is_never_suggested_and_nothing_above_it() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        let kept = [folder.path().join("a/b/known.toml"), folder.path().join("gone")];
        fs::write(&kept[0], "").unwrap();
        fs::write(inner.join("other"), "").unwrap();
        for path in [kept[0].as_path(), &inner, &folder.path().join("a"), Path::new("/")] {
            assert!(!may_be_suggested(path, &kept, &mut { ENTRIES }), "{}", path.display());
        }
        assert!(may_be_suggested(&inner.join("other"), &kept, &mut { ENTRIES }));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_neither_file_nor_folder_is_never_suggested_or_opened() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert!(!may_be_suggested(&pipe, &[], &mut { ENTRIES }) && !may_be_suggested(&link, &[], &mut { ENTRIES }));
        // A folder with one in it is a folder as any.
        assert!(may_be_suggested(folder.path(), &[], &mut { ENTRIES }));
    }
}
