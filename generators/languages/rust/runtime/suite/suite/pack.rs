//! The vectors that a suite carries: their manifest, and the cases of each law, one a line.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use super::case::{Case, text};
use crate::{
    json::{self, Value},
    sha256,
};

const FORM: &str = "assize-pack/v2";
const MANIFEST: &str = "vectors/manifest.json";

/// A folder of vectors.
#[derive(Debug)]
pub(super) struct Pack {
    project: PathBuf,
    total: usize,
    pub(super) laws: Vec<Law>,
    /// By the id of the case.
    pub(super) known: BTreeMap<String, Known>,
}

/// A law with the file of its cases.
#[derive(Debug)]
pub(super) struct Law {
    slug: String,
    count: usize,
    file: String,
    sha256: String,
}

/// A known failure: the case fails in this class, for this reason.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) outcome: String,
    pub(super) reason: String,
    pub(super) link: String,
}

impl Pack {
    /// Reads the manifest of the vectors below a project's folder.
    pub(super) fn open(project: &Path) -> Result<Self, String> {
        let read = fs::read_to_string(project.join(MANIFEST)).map_err(|error| error.to_string());
        let manifest = read.and_then(|read| json::parse(&read).map_err(|error| error.to_string()));
        let manifest = manifest.map_err(|error| format!("{MANIFEST}: {error}"))?;
        let broken = |what: &str| format!("{MANIFEST}: {what}");
        match manifest.get("form").and_then(Value::text) {
            Some(FORM) => {}
            found => return Err(broken(&format!("the form is {found:?}, not {FORM:?}"))),
        }
        let mut laws = Vec::new();
        for law in list(&manifest, "laws") {
            laws.push(Law::new(law).ok_or_else(|| broken("a law is incomplete"))?);
        }
        let mut known = BTreeMap::new();
        for entry in list(&manifest, "known") {
            let (id, entry) = Known::new(entry).ok_or_else(|| broken("a known failure is incomplete"))?;
            known.insert(id, entry);
        }
        let total = count(&manifest, "total").ok_or_else(|| broken("no total"))?;
        Ok(Self { project: project.to_owned(), total, laws, known })
    }

    fn read(&self, law: &Law) -> Result<String, String> {
        fs::read_to_string(self.project.join(&law.file)).map_err(|error| format!("{}: {error}", law.file))
    }

    /// The cases of a law.
    pub(super) fn cases(&self, law: &Law) -> Result<Vec<Case>, String> {
        let mut cases = Vec::new();
        for (index, line) in self.read(law)?.lines().enumerate() {
            let case = Case::new(line).map_err(|error| format!("{}, line {}: {error}", law.file, index + 1))?;
            if case.law != law.slug {
                return Err(format!("{}, line {}: {} is a case of {}", law.file, index + 1, case.id, case.law));
            }
            cases.push(case);
        }
        if cases.len() != law.count {
            return Err(format!("{} has {} cases, and the manifest counts {}", law.file, cases.len(), law.count));
        }
        Ok(cases)
    }

    /// Holds the vectors against their manifest, and the tests against the vectors: no test at all must never look like
    /// success.
    pub(super) fn verify(&self, ran: usize) -> Result<(), String> {
        for law in &self.laws {
            let found = sha256::hex(self.read(law)?.as_bytes());
            if found != law.sha256 {
                return Err(format!("{} has the SHA-256 {found}, and the manifest states {}", law.file, law.sha256));
            }
        }
        let counted: usize = self.laws.iter().map(|law| law.count).sum();
        if counted != self.total || ran != self.total || ran == 0 {
            let total = self.total;
            return Err(format!("the manifest states {total} cases, its laws count {counted}, and {ran} were run"));
        }
        Ok(())
    }
}

impl Law {
    fn new(law: &Value) -> Option<Self> {
        let (slug, count) = (text(law, "slug")?, count(law, "count")?);
        Some(Self { slug, count, file: text(law, "file")?, sha256: text(law, "sha256")? })
    }
}

impl Known {
    fn new(entry: &Value) -> Option<(String, Self)> {
        let link = text(entry, "link").unwrap_or_default();
        Some((text(entry, "id")?, Self { outcome: text(entry, "outcome")?, reason: text(entry, "reason")?, link }))
    }
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    if let Some(Value::Array(items)) = value.get(name) { items } else { &[] }
}

fn count(value: &Value, name: &str) -> Option<usize> {
    if let Some(Value::Number(token)) = value.get(name) { token.parse().ok() } else { None }
}
