//! Packs every file below `vectors/` and `contracts/`, so that an installed binary needs neither folder.
//!
//! Decides: nothing. That every file is executed is the lint's question.

use std::{
    env, fs,
    io::{self, Read as _},
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
    let target = env::var_os("OUT_DIR").map(PathBuf::from).ok_or_else(|| io::Error::other("OUT_DIR is not set"))?;
    write(top, &found, &target)
}

/// Three files: every content in one, every path in one, and where each of both ends.
///
/// A table of references would be relocated entry by entry whenever the binary starts; offsets need nothing.
fn write(top: &Path, found: &[String], target: &Path) -> io::Result<()> {
    let (mut contents, mut paths, mut ends) = (Vec::new(), String::new(), Vec::new());
    for path in found {
        fs::File::open(top.join(path))?.read_to_end(&mut contents)?;
        paths.push_str(path);
        for end in [paths.len(), contents.len()] {
            let end = u32::try_from(end).map_err(|_| io::Error::other("more than 4 GiB to build in"))?;
            ends.extend(end.to_le_bytes());
        }
    }
    fs::write(target.join("contents"), contents)?;
    fs::write(target.join("paths"), paths)?;
    fs::write(target.join("ends"), ends)
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
