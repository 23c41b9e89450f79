//! `assize laws --book`: a page for each law.

use std::{fs, io, path::Path};

use assize::{exit::Exit, law_pages};
use assize_corpus::store::Store;

use super::{CliError, output};

/// Writes the pages to a folder that is empty or absent, so that none of an earlier corpus stays among them.
pub(super) fn run(store: &Store, folder: &Path) -> Result<Exit, CliError> {
    let place = folder.display();
    let empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !empty {
        return Err(CliError::unreadable(
            format!("{place}: is not an empty folder"),
            "name one that is empty or absent",
        ));
    }
    let pages = law_pages::pages(store).map_err(|error| CliError::unreadable(error, "restore the corpus"))?;
    for (path, text) in &pages {
        let path = folder.join(path);
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        written.map_err(|error| CliError::unreadable(format!("{}: {error}", path.display()), "name another folder"))?;
    }
    output::out(format!("{} pages: {place}\n", pages.len()).as_bytes())?;
    Ok(Exit::Conforms)
}
