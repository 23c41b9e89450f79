//! The files that lie beside this crate's sources, in the repository or in a package of it, each read when it is first asked for.

use std::{fs, path::Path, sync::OnceLock};

use crate::store::listing;

/// The folder of this crate.
const CRATE: &str = env!("CARGO_MANIFEST_DIR");

struct File {
    path: String,
    content: OnceLock<Option<Vec<u8>>>,
}

/// The files of one room, sorted. A room is listed when one of its files is asked for: whoever needs contracts alone does not
/// wait for the thousands of vectors.
fn room(number: usize) -> &'static [File] {
    static FILES: [OnceLock<Vec<File>>; listing::ROOMS.len()] = [const { OnceLock::new() }; listing::ROOMS.len()];
    let (Some(files), Some((room, place))) = (FILES.get(number), listing::ROOMS.get(number)) else { return &[] };
    files.get_or_init(|| {
        let mut paths = Vec::new();
        // What cannot be listed is absent, and whoever asks for it says so.
        listing::collect(&Path::new(CRATE).join(place), room, &mut paths, &mut |_| ());
        paths.sort_unstable();
        paths.into_iter().map(|path| File { path, content: OnceLock::new() }).collect()
    })
}

/// A file by its place in all rooms, which are in order.
fn file(mut place: usize) -> Option<&'static File> {
    (0..listing::ROOMS.len()).find_map(|number| {
        let room = room(number);
        let file = room.get(place);
        place = place.saturating_sub(room.len());
        file
    })
}

impl File {
    fn content(&self) -> Option<&[u8]> {
        self.content.get_or_init(|| fs::read(Path::new(CRATE).join(listing::place(&self.path)?)).ok()).as_deref()
    }
}

pub(super) fn count() -> usize {
    (0..listing::ROOMS.len()).map(|number| room(number).len()).sum()
}

pub(super) fn path(place: usize) -> Option<&'static str> {
    Some(&file(place)?.path)
}

pub(super) fn find(path: &str) -> Option<&'static [u8]> {
    let number = listing::ROOMS.iter().position(|(room, _)| path.starts_with(room))?;
    let room = room(number);
    room.get(room.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?)?.content()
}

pub(super) fn content(place: usize) -> Option<&'static [u8]> {
    file(place)?.content()
}
