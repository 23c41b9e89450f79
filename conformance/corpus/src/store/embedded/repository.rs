//! The files of the repository that this crate was built from, each read when it is first asked for.

use std::{fs, path::Path, sync::OnceLock};

/// The top of the repository.
const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
/// Folders that tools leave behind; they are no part of the suite.
const LITTER: &str = "__pycache__";

struct File {
    path: String,
    content: OnceLock<Option<Vec<u8>>>,
}

fn files() -> &'static [File] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut paths = Vec::new();
        for room in ["contracts", "vectors"] {
            collect(&Path::new(TOP).join(room), room, &mut paths);
        }
        paths.sort_unstable();
        paths.into_iter().map(|path| File { path, content: OnceLock::new() }).collect()
    })
}

/// What cannot be listed is absent, and whoever asks for it says so.
fn collect(folder: &Path, name: &str, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(last) = entry.file_name().into_string() else { continue };
        let path = format!("{name}/{last}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && last != LITTER => collect(&entry.path(), &path, found),
            Ok(kind) if kind.is_file() => found.push(path),
            _ => {}
        }
    }
}

pub(super) fn count() -> usize {
    files().len()
}

pub(super) fn path(place: usize) -> Option<&'static str> {
    Some(&files().get(place)?.path)
}

pub(super) fn content(place: usize) -> Option<&'static [u8]> {
    let file = files().get(place)?;
    file.content.get_or_init(|| fs::read(Path::new(TOP).join(&file.path)).ok()).as_deref()
}
