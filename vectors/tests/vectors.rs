//! Every test vector as one named test, answered by the verifier in this process.
//!
//! The verifier answers here without protocol or processes: `cargo test -p assize-corpus`.

use std::{fmt, path::Path, sync::OnceLock};

use assize_corpus::{
    agreement::{Outcome, against},
    store::Store,
    trial,
    vector::{Case, Provenance},
};

const VECTORS: &str = env!("CARGO_MANIFEST_DIR");

/// Shown as it is: a test's error is printed with `Debug`, which would escape every line.
struct Failure(String);

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

fn vector(path: &Path) -> datatest_stable::Result<()> {
    static STORE: OnceLock<Result<Store, String>> = OnceLock::new();
    let store = STORE.get_or_init(|| Store::folder(Path::new(VECTORS)).map_err(|error| error.to_string()));
    let store = store.as_ref().map_err(Clone::clone)?;
    let below = path.strip_prefix(VECTORS).or_else(|_| path.strip_prefix("."))?;
    let case = Case::load(store, &format!("vectors/{}", below.to_string_lossy().replace('\\', "/")))
        .map_err(|error| Failure(error.to_string()))?;
    let judgement = trial::verify(&case);
    match judgement.outcome {
        Outcome::Pass => return Ok(()),
        Outcome::NotApplicable => {
            eprintln!("{}: NOT-APPLICABLE: {}", case.id, judgement.note.unwrap_or_default());
            return Ok(());
        }
        _ => {}
    }
    let mut text = format!("{}: {}\n  {}\n", case.id, judgement.outcome, case.rationale);
    for line in judgement.note.iter().cloned().chain(judgement.mismatches.iter().map(ToString::to_string)) {
        text.push_str(&format!("  - {line}\n"));
    }
    if let Some(weight) = judgement.force {
        text.push_str(&format!("  against: {}\n", against(weight, &judgement.mismatches)));
    }
    if let Provenance::Ruling(id) = &case.provenance {
        text.push_str(&format!("  follows a ruling: assize explain {id}\n"));
    }
    text.push_str(&format!("  alone: cargo test -p assize-corpus --test vectors -- --exact vector::{}.json", case.id));
    Err(Failure(text).into())
}

datatest_stable::harness! {
    { test = vector, root = ".", pattern = r"^(\./)?(?!flags\.json$)(?!src/)(?!tests/)(?!benches/)(?!.*\.pack/).*\.json$" },
}
