//! Artefacts of a folder in place of a manifest.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    vec,
};

use assize_archives::{Kind, Limits, spelled};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::selection::glob;

/// What is looked for in a folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sought {
    /// The kind of all artefacts.
    pub kind: String,
    /// Their paths below the folder; `*` stands for any run of letters, slashes too, and `?` for one. What stands before a
    /// `!/` names archives, unless that is another `!`.
    pub pattern: String,
    /// Where the other one of a pair is, seen from the folder of the one.
    pub against: Option<String>,
    /// How all of them are to be judged.
    pub options: BTreeMap<String, Value>,
    /// Whether an artefact is a folder.
    pub folders: bool,
}

/// The paths below a folder that match, sorted name by name. Of each folder on the way the names alone are held. No link is
/// followed.
#[derive(Debug)]
pub struct Listing<'s> {
    sought: &'s Sought,
    spared: Vec<PathBuf>,
    open: Vec<(PathBuf, vec::IntoIter<(String, PathBuf)>)>,
    /// Those of an archive.
    inside: vec::IntoIter<String>,
}

impl<'s> Listing<'s> {
    /// Begins at a folder; `spared` are those that are passed over.
    ///
    /// # Errors
    /// The folder cannot be listed.
    pub fn new(folder: &Path, sought: &'s Sought, spared: &[&Path]) -> io::Result<Self> {
        let names = sorted(folder, "")?;
        let spared = spared.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        Ok(Self { sought, spared, open: vec![(folder.to_path_buf(), names)], inside: Vec::new().into_iter() })
    }

    /// Begins at one archive of a folder.
    #[must_use]
    pub fn of_archive(folder: &Path, name: &str, sought: &'s Sought) -> Self {
        let names = vec![(name.to_owned(), folder.join(name))].into_iter();
        Self { sought, spared: Vec::new(), open: vec![(folder.to_path_buf(), names)], inside: Vec::new().into_iter() }
    }

    /// Writes them as a manifest.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(self, to: &mut dyn Write) -> io::Result<()> {
        let Sought { kind, against, options, .. } = self.sought;
        for path in self {
            let mut paths = vec![path.clone()];
            paths.extend(against.as_ref().map(|other| match path.rsplit_once('/') {
                Some((folder, _)) => format!("{folder}/{other}"),
                None => other.clone(),
            }));
            let line = match options.is_empty() {
                true => json!({"kind": kind, "paths": paths}),
                false => json!({"kind": kind, "paths": paths, "options": options}),
            };
            writeln!(to, "{line}")?;
        }
        Ok(())
    }
}

impl Iterator for Listing<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        loop {
            if let Some(inside) = self.inside.next() {
                return Some(inside);
            }
            let (_, names) = self.open.last_mut()?;
            let Some((below, path)) = names.next() else {
                self.open.pop();
                continue;
            };
            let Ok(kind) = fs::symlink_metadata(&path).map(|found| found.file_type()) else { continue };
            let spared = || path.canonicalize().is_ok_and(|path| self.spared.contains(&path));
            if kind.is_symlink() || kind.is_dir() && spared() {
                continue;
            }
            let due = spelled(&below);
            let archive = Kind::of(&below).filter(|_| kind.is_file() && self.looks_into(&due));
            if let Some(archive) = archive {
                self.inside = self.inside(&due, &path, archive).into_iter();
            }
            if kind.is_dir() == self.sought.folders && self.matches(&due) {
                return Some(due);
            }
            if kind.is_dir() {
                match sorted(&path, &below) {
                    Ok(names) => self.open.push((path, names)),
                    // What lies in it is not known: its own row says that it is no artefact that can be read.
                    Err(_) => return Some(due),
                }
            }
        }
    }
}

impl Listing<'_> {
    /// Whether an archive is one of those that the pattern names: with what stands before a `!/` of it. Before one with another `!` stands a
    /// folder that is called like an archive.
    fn looks_into(&self, archive: &str) -> bool {
        let pattern = &self.sought.pattern;
        let mut named = pattern.match_indices("!/").filter_map(|(end, _)| pattern.get(..end));
        named.any(|named| !named.ends_with('!') && glob(named.as_bytes(), archive.as_bytes()))
    }

    fn matches(&self, path: &str) -> bool {
        glob(self.sought.pattern.as_bytes(), path.as_bytes())
    }

    /// What an archive holds that matches; in what matches nothing more is looked for.
    fn inside(&self, archive: &str, path: &Path, kind: Kind) -> Vec<String> {
        let top = format!("{archive}!/");
        if self.sought.folders && self.matches(&top) {
            return vec![top];
        }
        let wanted = |inner: &str, folder: bool| {
            folder == self.sought.folders && self.matches(&format!("{top}{}", spelled(inner)))
        };
        let Ok(found) = assize_archives::list(path, kind, &Limits::default(), wanted) else {
            // Its own row says what is wrong with it.
            return vec![top];
        };
        found.into_iter().map(|inner| format!("{top}{}", spelled(&inner))).collect()
    }
}

fn sorted(folder: &Path, below: &str) -> io::Result<vec::IntoIter<(String, PathBuf)>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        names.push((if below.is_empty() { name } else { format!("{below}/{name}") }, entry.path()));
    }
    names.sort();
    Ok(names.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matches_is_listed_name_by_name_without_what_is_spared() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["b/x.json", "a/2/x.json", "a/10/x.json", "a/10/y.txt", "out/x.json", "x.json"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let sought = |pattern: &str, folders, against: Option<&str>| Sought {
            kind: "k".to_owned(),
            pattern: pattern.to_owned(),
            against: against.map(str::to_owned),
            options: BTreeMap::new(),
            folders,
        };
        let list = |sought: &Sought| {
            let mut text = Vec::new();
            let listing = Listing::new(folder.path(), sought, &[&folder.path().join("out")]).unwrap();
            listing.write(&mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        let line = |paths: &[&str]| format!("{}\n", json!({"kind": "k", "paths": paths}));
        let files = list(&sought("*.json", false, None));
        assert_eq!(files, ["a/10/x.json", "a/2/x.json", "b/x.json", "x.json"].map(|path| line(&[path])).concat());
        let folders = list(&sought("a/*", true, None));
        assert_eq!(folders, ["a/10", "a/2"].map(|path| line(&[path])).concat());
        let pairs = list(&sought("?/x.json", false, Some("y.json")));
        assert_eq!(pairs, line(&["b/x.json", "b/y.json"]));
        assert_eq!(list(&sought("x.json", false, Some("y.json"))), line(&["x.json", "y.json"]));
    }
}
