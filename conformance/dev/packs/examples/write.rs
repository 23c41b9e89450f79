//! Writes the vectors of this crate: `cargo run -p assize-packs --example write`.
//!
//! What lay in the folders of the laws goes, but for what begins with `made-`, which is written by hand; of the shared folder, what
//! begins with `pack-`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use assize_packs::cases::{LAWS, SHARED, corpus};

fn main() -> io::Result<()> {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../vectors");
    for law in LAWS {
        clear(&room.join(law.slug), |name| !name.starts_with("made-"))?;
    }
    clear(&room.join(SHARED.slug), |name| name.starts_with("pack-"))?;
    let files = corpus();
    for (path, content) in &files {
        let path = room.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&room))?;
        fs::write(path, content)?;
    }
    println!("{} files", files.len());
    Ok(())
}

/// Removes the entries of a folder whose names are such.
fn clear(folder: &Path, goes: fn(&str) -> bool) -> io::Result<()> {
    let entries: Vec<PathBuf> = match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for path in entries {
        if path.file_name().is_some_and(|name| goes(&name.to_string_lossy())) {
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
    }
    Ok(())
}
