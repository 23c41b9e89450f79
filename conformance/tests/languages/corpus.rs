//! The corpus with vectors more, whose expectations are wrong: whoever asks them fails, with the force that they bind with.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::repository;

/// The law to which vectors are added.
pub(crate) const LAW: &str = "canon/sovereign";

/// A vector against a specification.
pub(crate) const SPEC: &str = "canon/sovereign/a-vector-that-was-added";

/// A vector of which only a ruling decides what is wrong.
pub(crate) const RULING: &str = "canon/sovereign/a-vector-of-a-ruling";

/// A vector of which only a convention says what is wrong.
pub(crate) const CONVENTION: &str = "canon/sovereign/a-vector-of-a-convention";

/// Copies of the vectors.
#[derive(Debug)]
pub(crate) struct Widened {
    /// With a vector against a specification.
    pub(crate) spec: PathBuf,
    /// With one against a ruling and one against a convention.
    pub(crate) less: PathBuf,
}

impl Widened {
    /// Copies the vectors twice, and adds some beside vectors of canonical bytes.
    pub(crate) fn new(folder: &Path) -> Self {
        let widened = Self { spec: folder.join("spec"), less: folder.join("less") };
        let refused = json!({"is": "reject", "codes": ["A_JSON"]});
        let other = json!({"is": "accept", "out": {"bytes": {"text": "[ ]"}}});
        copy(&repository("vectors"), &widened.spec);
        add(&widened.spec, SPEC, &json!("spec"), &refused);
        copy(&repository("vectors"), &widened.less);
        add(&widened.less, RULING, &json!({"/is": "spec", "/out/bytes": "ruling NUM-04"}), &other);
        add(&widened.less, CONVENTION, &json!({"/is": "spec", "/out/bytes": "interface"}), &other);
        widened
    }
}

fn add(corpus: &Path, id: &str, force: &Value, expect: &Value) {
    let vector = json!({
        "id": id, "op": "canon.bytes", "args": {"profile": "sovereign"},
        "spec": {"document": "none", "section": "none"}, "force": force,
        "rationale": "Shows that a vector needs no edit of a suite.", "provenance": "hand",
        "in": {"doc": {"text": "[]"}}, "expect": expect, "agreement": "located",
    });
    fs::write(corpus.join(format!("{id}.json")), vector.to_string()).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (target, kind) = (to.join(entry.file_name()), entry.file_type().unwrap());
        if kind.is_dir() {
            copy(&entry.path(), &target);
        } else if kind.is_file() {
            // A link is the crate's, which lies in the same folder.
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
