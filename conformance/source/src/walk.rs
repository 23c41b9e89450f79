//! The files of a tree that are read, and what is left out.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
};

use crate::{Language, Skipped, SourceError};

/// A file that can be read, by its name below the root.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) language: Language,
}

/// Where a module of Go begins, and what imports call it.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) folder: String,
    pub(crate) module: String,
}

/// What was found below a folder.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) entries: Vec<Entry>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) roots: Vec<Root>,
}

/// Bytes of a `go.mod` in which its module is looked for.
const HEAD: u64 = 1 << 16;

/// Levels of folders that are gone down.
const DEEPEST: usize = 100;

/// Folders of what others have written, or of what a machine has.
const FOREIGN: [&str; 2] = ["node_modules", "__pycache__"];

/// The sources below a folder, in order of their names. No link is followed, so nothing outside of the folder is read.
pub(crate) fn sources(root: &Path, exclude: &[String]) -> Result<Found, SourceError> {
    let unreadable = |path: &Path, error| SourceError::Unreadable { path: path.to_owned(), error };
    let mut found = Found::default();
    let mut pending = vec![(root.to_owned(), String::new(), 0, true)];
    while let Some((folder, prefix, depth, of_go)) = pending.pop() {
        let listed = match fs::read_dir(&folder) {
            Ok(listed) => listed,
            Err(error) if prefix.is_empty() => return Err(unreadable(&folder, error)),
            Err(error) => {
                found.skipped.push(Skipped { file: prefix, why: format!("cannot be listed: {error}") });
                continue;
            }
        };
        for entry in listed.flatten() {
            let Some(own) = entry.file_name().to_str().map(str::to_owned) else { continue };
            let name = if prefix.is_empty() { own.clone() } else { format!("{prefix}/{own}") };
            let Ok(kind) = entry.file_type() else { continue };
            // `*_test.go`
            let ends = |one: &String| one.strip_prefix('*').is_some_and(|end| !end.is_empty() && own.ends_with(end));
            if own.starts_with('.') || exclude.iter().any(|one| *one == name || ends(one)) {
                continue;
            }
            let path = entry.path();
            // What the tools of Go leave out as well.
            let of_go = of_go && own != "testdata" && !own.starts_with('_');
            if kind.is_dir() {
                let foreign = FOREIGN.contains(&own.as_str())
                    || path.join("pyvenv.cfg").exists()
                    || (own == "vendor" && path.join("modules.txt").exists());
                if foreign {
                    continue;
                }
                if depth < DEEPEST {
                    pending.push((path, name, depth + 1, of_go));
                } else {
                    found.skipped.push(Skipped { file: name, why: format!("lies below {DEEPEST} other folders") });
                }
            } else if let Some(language) = Language::of(&own).filter(|language| of_go || *language != Language::Go) {
                if kind.is_file() {
                    found.entries.push(Entry { name, path, language });
                } else if kind.is_symlink() {
                    found.skipped.push(Skipped { file: name, why: "is a link, and no link is followed".to_owned() });
                }
            } else if own == "go.mod"
                && kind.is_file()
                && let Some(module) = module(&path)
            {
                found.roots.push(Root { folder: prefix.clone(), module });
            }
        }
    }
    found.entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// The module that a `go.mod` declares.
fn module(path: &Path) -> Option<String> {
    let mut text = String::new();
    fs::File::open(path).ok()?.take(HEAD).read_to_string(&mut text).ok()?;
    let said = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
    let said = said.split("//").next().unwrap_or_default().trim().trim_matches('"');
    (!said.is_empty()).then(|| said.to_owned())
}

/// The text of a file, or why it is not read.
pub(crate) fn text(entry: &Entry, most: u64) -> Result<String, String> {
    let broken = |error: std::io::Error| format!("cannot be read: {error}");
    let file = fs::File::open(&entry.path).map_err(broken)?;
    let mut bytes = Vec::new();
    // What grows after it was measured is cut as well.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(broken)?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > most {
        return Err(format!("is larger than {most} bytes"));
    }
    let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned())?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
