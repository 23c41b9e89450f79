//! Where the files of a language come from: the crate itself, or a folder on disk.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use rust_embed::Embed;

use super::LanguageError;

/// Every language that ships.
#[derive(Embed)]
#[folder = "languages/"]
#[exclude = "*/node_modules/*"]
#[exclude = "*/__pycache__/*"]
struct BuiltIn;

/// What tools leave behind; it is not part of a language.
const LITTER: [&str; 3] = ["node_modules", "__pycache__", ".pytest_cache"];

pub(super) fn names() -> Vec<String> {
    let tops: BTreeSet<String> =
        BuiltIn::iter().filter_map(|path| path.split_once('/').map(|(top, _)| top.to_owned())).collect();
    tops.into_iter().collect()
}

pub(super) fn built_in(name: &str) -> BTreeMap<String, Vec<u8>> {
    let below = |path: &str| path.strip_prefix(name)?.strip_prefix('/').map(str::to_owned);
    BuiltIn::iter().filter_map(|path| Some((below(&path)?, BuiltIn::get(&path)?.data.into_owned()))).collect()
}

/// The most bytes of all files of a language together.
const BYTES: u64 = 16 << 20;
/// The most files and folders.
const ENTRIES: usize = 4096;
/// The most folders inside one another.
const DEPTH: usize = 16;

pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, LanguageError> {
    let mut found = Found::default();
    walk(folder, "", 0, &mut found)?;
    Ok(found.files)
}

#[derive(Default)]
struct Found {
    files: BTreeMap<String, Vec<u8>>,
    bytes: u64,
    entries: usize,
}

fn walk(folder: &Path, prefix: &str, depth: usize, found: &mut Found) -> Result<(), LanguageError> {
    let broken = |path: &Path, source| LanguageError::Unreadable { path: path.display().to_string(), source };
    for entry in fs::read_dir(folder).map_err(|error| broken(folder, error))? {
        let entry = entry.map_err(|error| broken(folder, error))?;
        let path = entry.path();
        let Ok(name) = entry.file_name().into_string() else {
            let error = io::Error::new(io::ErrorKind::InvalidData, "the name is not UTF-8");
            return Err(broken(&path, error));
        };
        if LITTER.contains(&name.as_str()) {
            continue;
        }
        let below = format!("{prefix}{name}");
        let about = path.symlink_metadata().map_err(|error| broken(&path, error))?;
        found.entries += 1;
        if found.entries > ENTRIES || depth > DEPTH {
            let message = format!("a language has at most {ENTRIES} files and folders, {DEPTH} inside one another");
            return Err(LanguageError::broken(&below, message));
        }
        if about.is_dir() {
            walk(&path, &format!("{below}/"), depth + 1, found)?;
        } else if about.is_file() {
            found.bytes = found.bytes.saturating_add(about.len());
            if found.bytes > BYTES {
                let message = format!("the files of a language have at most {} MiB together", BYTES >> 20);
                return Err(LanguageError::broken(&below, message));
            }
            found.files.insert(below, fs::read(&path).map_err(|error| broken(&path, error))?);
        } else {
            // A link may lead out of the folder, and to read a pipe or a device may never end.
            let message = "is a link, a pipe or a device; put a regular file in its place";
            return Err(LanguageError::broken(&below, message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(fill: impl FnOnce(&Path)) -> String {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("language.toml"), "").unwrap();
        fill(folder.path());
        read(folder.path()).unwrap_err().to_string()
    }

    #[test]
    fn a_folder_of_files_is_read() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("a/node_modules")).unwrap();
        fs::write(folder.path().join("a/b"), "c").unwrap();
        fs::write(folder.path().join("a/node_modules/d"), "").unwrap();
        assert_eq!(read(folder.path()).unwrap(), BTreeMap::from([("a/b".to_owned(), b"c".to_vec())]));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_refused_by_its_name() {
        let link = refusal(|folder| std::os::unix::fs::symlink("/etc", folder.join("out")).unwrap());
        assert!(link.starts_with("out: is a link"), "{link}");
        let socket = refusal(|folder| drop(std::os::unix::net::UnixListener::bind(folder.join("s")).unwrap()));
        assert!(socket.starts_with("s: is a link, a pipe or a device"), "{socket}");
    }

    #[test]
    fn size_number_and_depth_have_limits() {
        // A hole has a length, and takes no place.
        let large = refusal(|folder| fs::File::create(folder.join("x")).unwrap().set_len(BYTES + 1).unwrap());
        assert!(large.starts_with("x: the files of a language have at most 16 MiB"), "{large}");
        let many = refusal(|folder| (0..=ENTRIES).for_each(|n| fs::write(folder.join(n.to_string()), "").unwrap()));
        assert!(many.contains("at most 4096 files and folders"), "{many}");
        let deep = refusal(|folder| fs::create_dir_all(folder.join("d/".repeat(DEPTH + 2))).unwrap());
        assert!(deep.contains("16 inside one another"), "{deep}");
    }
}
