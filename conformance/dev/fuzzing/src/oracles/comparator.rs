//! The sealed comparator as a second source of reference mode: the same report bytes, or an abort of the same class.
//!
//! Spec: Sealed comparator v1.2.1; ruling LAW-12 (an abort in reference mode).

use assize_inputs::Pair;
use assize_oracle::{AbortClass, Case, Comparator, Outcome};
use assize_verifier::files::Files;
use assize_verifier::sovereign::{Inputs, reference};
use assize_verifier::threads::Threads;

use super::memory_files::MemoryFiles;

/// What the verifier says in reference mode, in the oracle's terms.
///
/// # Errors
/// The verifier names an abort that the oracle does not know.
pub fn verifier_says(
    bundle_a: &[u8],
    bundle_b: &[u8],
    stage_order: Option<&[u8]>,
    files: &dyn Files,
) -> Result<Outcome, String> {
    let inputs = Inputs { stage_order, ..Inputs::of(bundle_a, bundle_b) };
    match reference::compare(&inputs, files, Threads::Caller) {
        Ok(report) => Ok(Outcome::Report(report.text.into_bytes())),
        Err(abort) => {
            let class: AbortClass = abort.name().parse().map_err(|error| format!("the verifier: {error}"))?;
            Ok(Outcome::Abort(class))
        }
    }
}

/// Demands that a comparator and the verifier say the same of a pair.
///
/// # Errors
/// What each side says, or why the comparator gave no answer.
pub fn agree(comparator: &Comparator, pair: &Pair) -> Result<(), String> {
    let python = comparator.compare(&Case::from(pair)).map_err(|error| format!("the oracle broke: {error}"))?;
    let rust = verifier_says(&pair.bundle_a, &pair.bundle_b, None, &MemoryFiles(&pair.files))?;
    same(&python, &rust)
}

/// Demands that two outcomes are the same.
///
/// # Errors
/// Both outcomes.
pub fn same(comparator: &Outcome, verifier: &Outcome) -> Result<(), String> {
    if comparator == verifier {
        return Ok(());
    }
    Err(format!("comparator: {}\nverifier:   {}", show(comparator), show(verifier)))
}

fn show(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Report(text) => String::from_utf8_lossy(text).into_owned(),
        Outcome::Abort(class) => format!("abort with {class}"),
    }
}
