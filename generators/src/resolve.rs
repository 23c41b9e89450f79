//! The resolved form of a case: what packs and suites are made of.
//!
//! Schema: `contracts/interface/resolved.schema.json`. Everything that the corpus says by rule (spellings of documents,
//! alternatives, how strictly an answer must agree) is spelled out here once, as base64 and as checks, so that no other
//! language repeats the rules. Nothing is computed that the case does not say: an expectation is only turned over.

mod ascii;
mod check;

use std::collections::BTreeMap;

use assize_corpus::{
    operation::Table,
    vector::{Case, Entry},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Serialize;
use thiserror::Error;

pub use ascii::{json, pretty};
pub use check::{Check, Demand};

/// A case that says everything by itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Resolved {
    /// Its id.
    pub id: String,
    /// System and law.
    pub law: String,
    /// The operation asked.
    pub op: String,
    /// Its arguments, plain JSON.
    pub args: serde_json::Map<String, serde_json::Value>,
    /// Documents by name, in base64.
    #[serde(rename = "in")]
    pub inputs: BTreeMap<String, String>,
    /// Whether the case is asked with a folder.
    pub root: bool,
    /// What lies in it.
    pub files: Vec<File>,
    /// Which wrong implementation the case would catch.
    pub rationale: String,
    /// The place in a specification that it rests on.
    pub spec: String,
    /// Alternatives: an answer conforms when every check of one of them holds.
    pub expect: Vec<Vec<Check>>,
}

/// What stands at a path of the case's folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct File {
    /// Relative, with `/` between names.
    pub path: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: FileKind,
}

/// What a file is, with its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FileKind {
    /// A file.
    File {
        /// Its bytes.
        base64: String,
    },
    /// An empty folder.
    Directory,
    /// A symbolic link.
    Symlink {
        /// What is written into it.
        to: String,
    },
    /// A file without read permission.
    Unreadable {
        /// Its bytes.
        base64: String,
    },
}

/// A case that cannot be resolved.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{case}: {message}; {remedy}")]
pub struct ResolveError {
    /// Its id.
    pub case: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: &'static str,
}

impl Resolved {
    /// Resolves a case; `table` says how each output travels.
    ///
    /// # Errors
    /// The operation or an output is not in the table, or expected bytes have no spelling.
    pub fn new(case: &Case, table: &Table) -> Result<Self, ResolveError> {
        let expect = case.answers().map(|expect| check::checks(case, expect, table)).collect::<Result<_, _>>()?;
        Ok(Self {
            id: case.id.clone(),
            law: case.law().to_owned(),
            op: case.op.clone(),
            args: case.args.clone(),
            inputs: case.inputs.iter().map(|(name, document)| (name.clone(), encoded(&document.bytes()))).collect(),
            root: case.wants_root(),
            files: case.files.iter().map(|(path, entry)| File { path: path.clone(), kind: kind(entry) }).collect(),
            rationale: case.rationale.clone(),
            spec: format!("{}, {}", case.spec.document, case.spec.section),
            expect,
        })
    }
}

fn kind(entry: &Entry) -> FileKind {
    match entry {
        Entry::File(document) => FileKind::File { base64: encoded(&document.bytes()) },
        Entry::Directory => FileKind::Directory,
        Entry::Symlink { to } => FileKind::Symlink { to: to.clone() },
        Entry::Unreadable { text } => FileKind::Unreadable { base64: encoded(text.as_bytes()) },
    }
}

fn encoded(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

#[cfg(test)]
mod tests;
