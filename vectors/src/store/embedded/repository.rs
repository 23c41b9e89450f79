//! The files of the repository that this crate was built from, each read when it is first asked for.

use std::{fs, path::Path, sync::OnceLock};

use crate::store::listing;

/// The top of the repository.
const TOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

struct File {
    path: String,
    content: OnceLock<Option<Vec<u8>>>,
}

fn files() -> &'static [File] {
    static FILES: OnceLock<Vec<File>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut paths = Vec::new();
        for room in listing::ROOMS {
            // What cannot be listed is absent, and whoever asks for it says so.
            listing::collect(&Path::new(TOP).join(room), room, &mut paths, &mut |_| ());
        }
        paths.sort_unstable();
        paths.into_iter().map(|path| File { path, content: OnceLock::new() }).collect()
    })
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
