//! Writes the table of every file below `vectors/` and `contracts/`, so that an installed binary needs neither folder.
//!
//! Decides: nothing. Design: section 1 (rooms), and section 2 (every file is executed or the run fails).

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// Folders that tools leave behind; they are no part of the suite.
const LITTER: [&str; 1] = ["__pycache__"];

fn main() -> io::Result<()> {
    let top = Path::new("../..");
    let mut found = Vec::new();
    for room in ["contracts", "vectors"] {
        println!("cargo:rerun-if-changed=../../{room}");
        if top.join(room).is_dir() {
            collect(&top.join(room), room, &mut found)?;
        }
    }
    found.sort();
    let mut table = String::from("pub(crate) static FILES: &[(&str, &[u8])] = &[\n");
    for path in &found {
        let place = format!("/../../{path}");
        table.push_str(&format!("    ({path:?}, include_bytes!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {place:?}))),\n"));
    }
    table.push_str("];\n");
    let target = env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    fs::write(target.join("files.rs"), table)
}

fn collect(folder: &Path, name: &str, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(last) = entry.file_name().into_string() else {
            return Err(io::Error::other(format!("{name}/ holds a file whose name is not UTF-8: rename it")));
        };
        let path = format!("{name}/{last}");
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if !LITTER.contains(&last.as_str()) {
                collect(&entry.path(), &path, found)?;
            }
        } else if kind.is_file() {
            found.push(path);
        } else {
            return Err(io::Error::other(format!("{path} is neither file nor folder: remove it")));
        }
    }
    Ok(())
}
