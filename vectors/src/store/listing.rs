//! Which files belong to the suite, and where they lie. The build script packs them and other builds list them, by this one rule.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The rooms that hold the suite, sorted, each with its place below the folder of this crate: which lies among the vectors, and links
/// to the contracts. A package holds the files themselves at the same places.
pub(crate) const ROOMS: [(&str, &str); 2] = [("contracts", "contracts"), ("vectors", "")];
/// Folders that tools leave behind, wherever they lie.
const LITTER: &str = "__pycache__";
/// What lies beside the systems in `vectors/`: the crate that judges them, what Cargo adds to a package of it, and what it builds. No part
/// of the suite.
const CRATE: [&str; 12] = [
    ".cargo-ok",
    ".cargo_vcs_info.json",
    "Cargo.lock",
    "Cargo.toml",
    "Cargo.toml.orig",
    "LICENSE",
    "benches",
    "build.rs",
    "contracts",
    "src",
    "target",
    "tests",
];

/// Whether something directly below a folder of vectors is a part of the corpus's crate.
pub(crate) fn is_crate(last: &str) -> bool {
    CRATE.contains(&last)
}

/// Where a file of the suite lies, from the folder of this crate on.
pub(crate) fn place(path: &str) -> Option<PathBuf> {
    ROOMS.iter().find_map(|(room, place)| Some(Path::new(place).join(path.strip_prefix(room)?.strip_prefix('/')?)))
}

/// Adds every file below a folder, by its path in the repository. What is neither a file nor a folder, or has a name that is not
/// UTF-8, or cannot be listed, goes to `refuse`.
pub(crate) fn collect(folder: &Path, name: &str, found: &mut Vec<String>, refuse: &mut dyn FnMut(String)) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return refuse(format!("{name} cannot be listed: {error}")),
    };
    for entry in entries.flatten() {
        let Ok(last) = entry.file_name().into_string() else {
            refuse(format!("{name}/ holds a file whose name is not UTF-8: rename it"));
            continue;
        };
        if last == LITTER || name == "vectors" && is_crate(&last) {
            continue;
        }
        let path = format!("{name}/{last}");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(&entry.path(), &path, found, refuse),
            Ok(kind) if kind.is_file() => found.push(path),
            _ => refuse(format!("{path} is neither file nor folder: remove it")),
        }
    }
}
