//! The corpus with one more vector, whose expectation is wrong: every testee fails it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::json;

use super::repository;

/// A copy of the vectors with one added.
#[derive(Debug)]
pub(crate) struct Widened {
    /// Where it lies.
    pub(crate) folder: PathBuf,
    /// Law of the vector that was added.
    pub(crate) law: &'static str,
    /// Its id.
    pub(crate) id: String,
}

impl Widened {
    /// Copies the vectors, and adds one to those of canonical bytes.
    pub(crate) fn new(folder: &Path) -> Self {
        copy(&repository("vectors"), folder);
        let law = "canon/sovereign";
        let id = format!("{law}/a-vector-that-was-added");
        let vector = json!({
            "id": id, "op": "canon.bytes", "args": {"profile": "sovereign"},
            "spec": {"document": "none", "section": "none"},
            "rationale": "Shows that a vector needs no edit of a suite.", "provenance": "hand",
            "in": {"doc": {"text": "[]"}}, "expect": {"is": "reject", "codes": ["A_JSON"]}, "agreement": "exact",
        });
        fs::write(folder.join(format!("{id}.json")), vector.to_string()).unwrap();
        Self { folder: folder.to_path_buf(), law, id }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
