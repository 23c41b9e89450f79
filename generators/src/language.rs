//! A language: a folder of data that says how a project in it looks.
//!
//! No Rust names a language. `language.toml` holds names, literals, types, commands and which file goes where;
//! templates and runtime files lie beside it. The languages that ship are built in, and any folder can stand in for
//! one.

mod config;
mod folder;

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use thiserror::Error;

pub use config::{Carries, Commands, Config, Each, FileRule, Part, Review, Runtime, Strings, Verifier};

/// A language, with every file of its folder in memory.
#[derive(Debug, Clone)]
pub struct Language {
    /// `language.toml`.
    pub config: Config,
    /// Bugs that can be planted into the worked example.
    pub bugs: Vec<Bug>,
    files: BTreeMap<String, Vec<u8>>,
}

/// One planted bug: a textual change of the worked example.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bug {
    /// Its name, the same in every language.
    pub name: String,
    /// The laws that it breaks.
    pub laws: Vec<String>,
    /// The file of the project that it changes; a template of a path.
    pub file: String,
    /// What is changed; it stands there exactly once.
    pub find: String,
    /// What it is changed to.
    pub replace: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bugs {
    #[serde(default)]
    bug: Vec<Bug>,
}

/// Why a language cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LanguageError {
    /// No language of that name is built in.
    #[error("no language is called {name:?}; there are {known}, and --language-dir takes the folder of another")]
    Unknown {
        /// The name asked for.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// The folder cannot be read.
    #[error("{path}: cannot be read: {source}; name the folder that holds language.toml")]
    Unreadable {
        /// The path at fault.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file of the folder is absent or wrong.
    #[error("{file}: {message}")]
    Broken {
        /// The file, below the language's folder.
        file: String,
        /// What is wrong, and what to do.
        message: String,
    },
}

impl LanguageError {
    pub(crate) fn broken(file: &str, message: impl ToString) -> Self {
        Self::Broken { file: file.to_owned(), message: message.to_string() }
    }
}

const CONFIG: &str = "language.toml";
const BUGS: &str = "bugs.toml";

impl Language {
    /// Names of the languages that are built in, sorted.
    #[must_use]
    pub fn names() -> Vec<String> {
        folder::names()
    }

    /// One that is built in, by its name or an alias.
    ///
    /// # Errors
    /// There is no language of that name, or its folder is not sound.
    pub fn built_in(name: &str) -> Result<Self, LanguageError> {
        let files = folder::built_in(name);
        if !files.is_empty() {
            return Self::new(files);
        }
        let mut known = Vec::new();
        for own in Self::names() {
            let language = Self::new(folder::built_in(&own))?;
            if language.answers_to(name) {
                return Ok(language);
            }
            known.extend(std::iter::once(own).chain(language.config.aliases));
        }
        Err(LanguageError::Unknown { name: name.to_owned(), known: known.join(", ") })
    }

    /// Whether a user who writes this name means this language.
    #[must_use]
    pub fn answers_to(&self, name: &str) -> bool {
        self.config.name == name || self.config.aliases.iter().any(|alias| alias == name)
    }

    /// One that lies in a folder.
    ///
    /// # Errors
    /// The folder cannot be read, or is not sound.
    pub fn folder(path: &Path) -> Result<Self, LanguageError> {
        Self::new(folder::read(path)?)
    }

    fn new(files: BTreeMap<String, Vec<u8>>) -> Result<Self, LanguageError> {
        let config: Config = parse(&files, CONFIG)?
            .ok_or_else(|| LanguageError::broken(CONFIG, "is not there; a language begins with this file"))?;
        let bugs = parse::<Bugs>(&files, BUGS)?.unwrap_or_default().bug;
        config.check(&files)?;
        Ok(Self { config, bugs, files })
    }

    /// The files that a rule takes: path below what it names, and bytes.
    pub(crate) fn taken<'l>(&'l self, rule: &'l FileRule) -> impl Iterator<Item = (&'l str, &'l [u8])> {
        let below = move |path: &'l str| path.strip_prefix(rule.from.as_str())?.strip_prefix('/');
        let whole = move |path: &str| path == rule.from;
        self.files.iter().filter_map(move |(path, bytes)| match below(path) {
            Some(rest) => Some((rest, bytes.as_slice())),
            None => whole(path).then_some(("", bytes.as_slice())),
        })
    }
}

fn parse<T: for<'d> Deserialize<'d>>(
    files: &BTreeMap<String, Vec<u8>>,
    name: &str,
) -> Result<Option<T>, LanguageError> {
    let Some(bytes) = files.get(name) else {
        return Ok(None);
    };
    let text = std::str::from_utf8(bytes).map_err(|error| LanguageError::broken(name, error))?;
    toml::from_str(text).map(Some).map_err(|error| LanguageError::broken(name, error))
}
