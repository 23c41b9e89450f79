//! What is kept of an implementation: one file, written whole, that says what was asked and what came of it.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::clean::word;

/// What the files call themselves.
pub const CONTRACT: &str = "assize-bench/v1";

/// The largest file that is read, in bytes: a report of the whole corpus has some millions.
const LARGEST: u64 = 256 << 20;

/// One implementation in one version, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// [`CONTRACT`].
    pub contract: String,
    /// The table that it stands in, as the command line named it: the command that asks it again names it too.
    pub table: String,
    /// Words of the command line that the answer may depend on, such as another corpus: the same command repeats them.
    #[serde(default)]
    pub options: Vec<String>,
    /// Who was asked.
    pub implementation: Implementation,
    /// The filters of what it was asked.
    pub asked: Vec<String>,
    /// Digest of everything that the answer depends on and this repository knows: its entry but for words, its shim, the suite with
    /// its laws and operations, the version of Assize. What has another key is asked anew.
    pub key: String,
    /// When, as RFC 3339 has it, in whole seconds of UTC.
    pub judged: String,
    /// How far it came.
    pub state: State,
    /// Why no further: what the client or the shim said.
    pub why: Option<String>,
    /// What was installed.
    pub installed: Contents,
    /// The report of `assize certify`, as JSON.
    pub report: Option<Value>,
}

/// The command that asks one implementation of a table, for a shell.
#[derive(Debug, Clone, Copy)]
pub struct Again<'k> {
    /// As [`Kept::table`].
    pub table: &'k str,
    /// As [`Kept::options`].
    pub options: &'k [String],
    /// Name and version.
    pub label: &'k str,
}

impl Again<'_> {
    /// The command that installs it and asks it everything.
    #[must_use]
    pub fn everything(self) -> String {
        format!("{} --update {}", self.chosen(), word(self.label))
    }

    /// The command that installs it and asks it one case.
    #[must_use]
    pub fn alone(self, case: &str) -> String {
        format!("{} --case {}", self.chosen(), word(case))
    }

    fn chosen(self) -> String {
        let words = [self.table].into_iter().chain(self.options.iter().map(String::as_str));
        let words = words.chain(["--only", self.label]).map(word);
        words.fold("assize bench".to_owned(), |line, word| format!("{line} {word}"))
    }
}

/// Who was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Implementation {
    /// Its name, as its ecosystem has it.
    pub name: String,
    /// Its version; empty for one that only has a path.
    pub version: String,
    /// The language that it is written in.
    pub language: String,
    /// The client that installs it; nothing for one that only has a path.
    pub client: Option<String>,
    /// What its makers say that it does.
    pub claims: Option<String>,
    /// Where to read about it.
    pub link: Option<String>,
    /// Whether its makers claim what it is asked. Where they claim something else, what it then does otherwise is told, and is no
    /// violation.
    #[serde(default = "claimed")]
    pub bound: bool,
}

/// What holds where nothing else is said.
fn claimed() -> bool {
    true
}

impl Implementation {
    /// Name and version, for people and for `--only`.
    #[must_use]
    pub fn label(&self) -> String {
        if self.version.is_empty() { self.name.clone() } else { format!("{}@{}", self.name, self.version) }
    }

    /// A name for files and folders: letters, digits, points, dashes and underscores.
    ///
    /// Two implementations of a table whose names come to the same are refused when it is read.
    #[must_use]
    pub fn slug(&self) -> String {
        let label = if self.version.is_empty() { self.name.clone() } else { format!("{}-{}", self.name, self.version) };
        let plain = |char: char| if char.is_ascii_alphanumeric() || "._-".contains(char) { char } else { '-' };
        // No name may lead out of its folder, or be hidden in it.
        label.trim_start_matches(['.', '@']).chars().map(plain).collect()
    }
}

/// How far an implementation came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It was asked, and there is a report.
    Judged,
    /// Its client did not install it.
    NotInstalled,
    /// It was installed, and its shim does not keep the protocol or the run gave no report: nothing is said of it.
    NotJudged,
}

/// What was installed, exactly.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    /// The packages that the client was asked for, as it spells them.
    pub packages: Vec<String>,
    /// SHA-256 of each file that the table names to tell what was installed, by its path in the scratch folder.
    pub files: BTreeMap<String, String>,
}

/// Kept results that cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KeptError {
    /// The folder or a file in it.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of another shape.
    #[error("{}: is no result that `assize bench` has kept: {why}", path.display())]
    Shape {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
}

impl Kept {
    /// Reads a file; nothing where there is none.
    ///
    /// # Errors
    /// It cannot be read, or has another shape.
    pub fn read(path: &Path) -> Result<Option<Self>, KeptError> {
        let shape = |why: String| KeptError::Shape { path: path.to_owned(), why };
        let unreadable = |source| KeptError::Unreadable { path: path.to_owned(), source };
        match fs::metadata(path) {
            // A pipe would be waited for.
            Ok(found) if !found.is_file() => return Err(shape("it is no file".to_owned())),
            Ok(found) if found.len() > LARGEST => return Err(shape(format!("it has {} bytes", found.len()))),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(unreadable(source)),
        }
        let bytes = fs::read(path).map_err(unreadable)?;
        let kept: Self = serde_json::from_slice(&bytes).map_err(|error| shape(error.to_string()))?;
        if kept.contract != CONTRACT {
            return Err(shape(format!("it calls itself {:?}, not {CONTRACT:?}", kept.contract)));
        }
        Ok(Some(kept))
    }

    /// Takes over words that change no answer, as the table has them now; whether any has changed.
    pub fn reword(&mut self, table: &str, implementation: &Implementation) -> bool {
        let same = self.table == table && self.implementation == *implementation;
        (self.table, self.implementation) = (table.to_owned(), implementation.clone());
        !same
    }

    /// The file of an implementation among the kept ones.
    #[must_use]
    pub fn place(folder: &Path, implementation: &Implementation) -> PathBuf {
        folder.join(format!("{}.json", implementation.slug()))
    }
}

/// The files of a folder whose names end in `.json`, sorted, each with the result that it holds or with what is wrong with it.
///
/// # Errors
/// The folder cannot be read.
pub fn read_all(folder: &Path) -> Result<BTreeMap<PathBuf, Result<Kept, KeptError>>, KeptError> {
    let unreadable = |source| KeptError::Unreadable { path: folder.to_owned(), source };
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.extension().is_some_and(|ending| ending == "json")
            // One that is gone by now is none.
            && let Some(kept) = Kept::read(&path).transpose()
        {
            all.insert(path, kept);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn slug(name: &str, version: &str) -> String {
        let (name, version, language) = (name.to_owned(), version.to_owned(), "go".to_owned());
        Implementation { name, version, language, client: None, claims: None, link: None, bound: true }.slug()
    }

    #[test]
    fn no_name_leads_out_of_its_folder() {
        assert_eq!(slug("rfc8785", "0.1.4"), "rfc8785-0.1.4");
        assert_eq!(slug("@truestamp/canonify", "2.0.0"), "truestamp-canonify-2.0.0");
        assert_eq!(slug("../../etc", ""), "-..-etc");
        assert_eq!(slug("a\\b:c\u{e9}\0", "1"), "a-b-c---1");
    }

    /// What is wrong with the only file of a folder.
    fn wrong(folder: &Path) -> String {
        read_all(folder).unwrap().into_values().next().unwrap().unwrap_err().to_string()
    }

    #[test]
    fn what_is_no_result_is_named() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Kept::read(&folder.path().join("gone.json")).unwrap().is_none());
        for (written, said) in [("{}", "missing field"), ("[", "EOF"), ("", "EOF")] {
            let path = folder.path().join("a.json");
            fs::write(&path, written).unwrap();
            let error = wrong(folder.path());
            assert!(error.contains(said) && error.contains("a.json"), "{error}");
        }
        assert!(read_all(&folder.path().join("gone")).is_err());
        fs::remove_file(folder.path().join("a.json")).unwrap();
        fs::create_dir(folder.path().join("b.json")).unwrap();
        assert!(wrong(folder.path()).contains("it is no file"));
    }
}
