//! Finds in the sources of a code base what the laws of replies speak of: calls of the builder with their codes, replies and envelopes
//! that are made without it, what tools return, and what comes after a reply that ends a call.
//!
//! What a call site means is for the verifier to say: [`Tree::sites`] is what its operation `reply.source` reads. [`Tree::findings`] has
//! the rest, breaches that no call site shows by itself. A code base that uses no builder has none of either. What cannot be followed
//! is advice: this crate reads sources, and runs nothing.

mod allow;
mod cache;
mod definitions;
mod fix;
mod flow;
mod go;
mod java;
mod layers;
mod load;
mod lookup;
mod names;
mod package;
mod place;
mod python;
mod reader;
mod roles;
mod site;
mod syntax;
mod typescript;
mod visit;
mod walk;
mod walker;
mod world;

use std::{
    io,
    path::{Path, PathBuf},
};

pub use allow::Allow;
pub use cache::{Cache, Unusable};
pub use fix::{Edit, spelling};
pub use names::Names;
pub use place::Place;
use rayon::prelude::*;
use serde::Serialize;
use thiserror::Error;

/// What is read of a tree, and how it is understood.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// What things are called.
    pub names: Names,
    /// Files and folders that are left out, by their paths below the root with `/` between, or by the end of their names after a `*`.
    pub exclude: Vec<String>,
    /// Bytes of the largest file that is read.
    pub most: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { names: Names::default(), exclude: Vec::new(), most: 4 << 20 }
    }
}

/// Why a tree cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SourceError {
    /// A folder cannot be listed.
    #[error("{path}: cannot be listed: {error}")]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// There are no threads to read with.
    #[error("no threads can be started: {0}")]
    Threads(String),
}

/// A language that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// Python.
    Python,
    /// TypeScript without elements of JSX.
    TypeScript,
    /// TypeScript or JavaScript with them.
    Tsx,
    /// Go.
    Go,
    /// Java.
    Java,
}

/// Languages whose sources run together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Family {
    Python,
    Script,
    Go,
    Java,
}

impl Family {
    pub(crate) const ALL: [Self; 4] = [Self::Python, Self::Script, Self::Go, Self::Java];

    /// Whether every value has a type that is known before anything runs.
    pub(crate) fn is_typed(self) -> bool {
        matches!(self, Self::Go | Self::Java)
    }

    /// A method as the laws call it: in Go, those that others may call begin with a capital letter.
    pub(crate) fn method(self, name: &str) -> String {
        let mut letters = name.chars();
        match letters.next() {
            Some(first) if self == Self::Go => first.to_lowercase().chain(letters).collect(),
            _ => name.to_owned(),
        }
    }
}

/// What the names of sources end in; the hook for pre-commit takes the same.
const ENDINGS: [(&str, Language); 11] = [
    ("py", Language::Python),
    ("ts", Language::TypeScript),
    ("mts", Language::TypeScript),
    ("cts", Language::TypeScript),
    ("tsx", Language::Tsx),
    ("js", Language::Tsx),
    ("mjs", Language::Tsx),
    ("cjs", Language::Tsx),
    ("jsx", Language::Tsx),
    ("go", Language::Go),
    ("java", Language::Java),
];

impl Language {
    pub(crate) const ALL: [Self; 5] = [Self::Python, Self::TypeScript, Self::Tsx, Self::Go, Self::Java];

    fn of(name: &str) -> Option<Self> {
        let (stem, ending) = name.rsplit_once('.')?;
        // Declarations make no reply.
        if stem.ends_with(".d") && ending.ends_with("ts") {
            return None;
        }
        ENDINGS.iter().find(|(own, _)| *own == ending).map(|(_, language)| *language)
    }

    pub(crate) fn family(self) -> Family {
        match self {
            Self::Python => Family::Python,
            Self::TypeScript | Self::Tsx => Family::Script,
            Self::Go => Family::Go,
            Self::Java => Family::Java,
        }
    }

    pub(crate) fn grammar(self) -> tree_sitter::Language {
        match self {
            Self::Python => tree_sitter_python::LANGUAGE.into(),
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
            Self::Go => tree_sitter_go::LANGUAGE.into(),
            Self::Java => tree_sitter_java::LANGUAGE.into(),
        }
    }
}

/// A file that was not read, or not all of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Skipped {
    /// Its path below the root.
    pub file: String,
    /// Why.
    pub why: String,
}

/// A code as a call site gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// None is given.
    Absent,
    /// This one.
    Known(String),
    /// One that is not followed, and why.
    Unknown(&'static str),
}

/// A place where a reply is made, or something else is returned.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Site {
    /// Where the call stands.
    pub place: Place,
    /// Where its code stands, if that is elsewhere.
    pub code_place: Option<Place>,
    /// What the method is called on; none for a raw return.
    pub receiver: Option<String>,
    /// The method; none for a reply that is made without the builder.
    pub method: Option<String>,
    /// The code.
    pub code: Code,
    /// Whether it is returned at once.
    pub returned: bool,
    /// Whether the call has this code whatever came before it.
    pub certain: bool,
    /// Whether no other code may arrive in the same call.
    pub alone: bool,
    /// Where the code is written, if as one literal.
    pub literal: Option<Place>,
    /// What takes the place of a method that does not exist.
    pub edit: Option<Edit>,
}

/// What is wrong at a place by a law, or worth a look there.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found {
    /// The law, with its system.
    pub law: &'static str,
    /// Where.
    pub place: Place,
    /// What it is about.
    pub subject: String,
    /// What is wrong.
    pub message: String,
}

/// All that was found below a folder.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Tree {
    /// Files that were read.
    pub files: usize,
    /// Lines of them.
    pub lines: usize,
    /// Files in which the grammar does not fit somewhere.
    pub broken: Vec<String>,
    /// Files that were not read, or not to the end.
    pub skipped: Vec<Skipped>,
    /// Whether a builder is used anywhere.
    pub uses_builder: bool,
    /// What the verifier has to judge.
    pub sites: Vec<Site>,
    /// Breaches that no single call site shows.
    pub findings: Vec<Found>,
    /// What is lawful, or not to be followed, and worth a look.
    pub advice: Vec<Found>,
    /// Findings that are allowed where they stand.
    pub allowed: Vec<Allow>,
}

/// A source that was read.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) language: Language,
    pub(crate) text: String,
    pub(crate) lines: place::Lines,
    pub(crate) module: syntax::Module,
    /// The package that it belongs to, as imports of others call it.
    pub(crate) package: Option<String>,
    pub(crate) allowed: Vec<Allow>,
}

/// Levels that are followed need some room each, in a build without optimisation most.
const STACK: usize = 64 << 20;

/// Reads all sources below a folder.
///
/// # Errors
/// The folder cannot be listed, or there are no threads.
pub fn read(root: &Path, options: &Options) -> Result<Tree, SourceError> {
    tree(root, options, None)
}

/// The same, with what earlier runs have kept of sources that have not changed; what is told is the same. The cache holds these sources
/// from then on, and no others.
///
/// # Errors
/// As [`read`].
pub fn read_again(root: &Path, options: &Options, cache: &mut Cache) -> Result<Tree, SourceError> {
    tree(root, options, Some(cache))
}

fn tree(root: &Path, options: &Options, mut cache: Option<&mut Cache>) -> Result<Tree, SourceError> {
    let walk::Found { entries, mut skipped, roots } = walk::sources(root, &options.exclude)?;
    let threads = rayon::ThreadPoolBuilder::new().stack_size(STACK).build();
    let threads = threads.map_err(|error| SourceError::Threads(error.to_string()))?;
    threads.install(|| {
        let mut texts = Vec::with_capacity(entries.len());
        let read: Vec<_> = entries.into_par_iter().map(|entry| load::text(entry, options.most)).collect();
        for one in read {
            match one {
                Ok(text) => texts.push(text),
                Err(why) => skipped.push(why),
            }
        }
        let asked = load::with_builders(&texts, &options.names);
        let kept = cache.as_deref();
        let read: Vec<_> = texts.into_par_iter().map(|text| load::source(text, &roots, &asked, kept)).collect();
        let mut sources = Vec::with_capacity(read.len());
        let mut known = Vec::new();
        for one in read {
            match one {
                Ok((source, entry)) => {
                    sources.push(source);
                    known.extend(entry);
                }
                Err(why) => skipped.push(why),
            }
        }
        if let Some(cache) = &mut cache {
            cache.renew(known);
        }
        let deep = sources.iter().filter(|one| one.module.too_deep);
        let why = "is nested too deeply to be followed everywhere";
        skipped.extend(deep.map(|one| Skipped { file: one.name.clone(), why: why.to_owned() }));
        skipped.sort_by(|a, b| a.file.cmp(&b.file));
        let mut tree = visit::tree(&sources, &options.names, &asked);
        tree.skipped = skipped;
        tree.files = sources.len();
        tree.lines = sources.iter().map(|source| source.text.lines().count()).sum();
        tree.broken = sources.iter().filter(|one| !one.module.whole).map(|one| one.name.clone()).collect();
        tree.allowed = sources.par_iter_mut().flat_map_iter(|source| std::mem::take(&mut source.allowed)).collect();
        // What is nested deeply is freed here, where there is room for it.
        drop(sources);
        Ok(tree)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::ENDINGS;

    #[test]
    fn the_hook_takes_every_file_that_is_read_and_registries() {
        let hooks = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.pre-commit-hooks.yaml");
        let hooks = std::fs::read_to_string(hooks).unwrap();
        let all: Vec<_> = ENDINGS.iter().map(|(ending, _)| *ending).chain(["json"]).collect();
        let due = format!("  files: \\.({})$", all.join("|"));
        assert!(hooks.lines().any(|line| line == due), "{due}");
    }
}
