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

pub(super) fn read(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, LanguageError> {
    let mut files = BTreeMap::new();
    walk(folder, "", &mut files)?;
    Ok(files)
}

fn walk(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Result<(), LanguageError> {
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
        if entry.file_type().map_err(|error| broken(&path, error))?.is_dir() {
            walk(&path, &format!("{below}/"), files)?;
        } else {
            files.insert(below, fs::read(&path).map_err(|error| broken(&path, error))?);
        }
    }
    Ok(())
}
