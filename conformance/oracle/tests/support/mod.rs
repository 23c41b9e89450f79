//! What the differential tests share: files in memory for the verifier, and the two answers side by side.

use std::collections::BTreeMap;

use assize_oracle::{AbortClass, Case, Outcome, Pair};
use assize_verifier::files::{Files, Unreadable};
use assize_verifier::sovereign::{Inputs, reference};
use assize_verifier::threads::Threads;

/// Turn files of a generated pair. Paths are walked as an operating system does.
pub(crate) struct MemoryFiles<'p>(pub(crate) &'p BTreeMap<String, Vec<u8>>);

impl MemoryFiles<'_> {
    fn find(&self, path: &str) -> Option<&Vec<u8>> {
        if path.starts_with('/') {
            return None;
        }
        let mut walked: Vec<&str> = Vec::new();
        let steps: Vec<&str> = path.split('/').collect();
        for (index, step) in steps.iter().enumerate() {
            let last = index + 1 == steps.len();
            match *step {
                // A slash or a dot at the end asks for a folder.
                "" | "." if last => return None,
                "" | "." => {}
                ".." if last => return None,
                ".." => {
                    walked.pop()?;
                }
                name => {
                    walked.push(name);
                    if !last && !self.is_folder(&walked.join("/")) {
                        return None;
                    }
                }
            }
        }
        self.0.get(&walked.join("/"))
    }

    fn is_folder(&self, path: &str) -> bool {
        self.0.keys().any(|name| name.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
    }
}

impl Files for MemoryFiles<'_> {
    fn read(&self, path: &[u8], into: &mut Vec<u8>) -> Result<(), Unreadable> {
        let found = std::str::from_utf8(path).ok().and_then(|path| self.find(path));
        let found = found.ok_or(Unreadable { reason: "no such file" })?;
        into.clear();
        into.extend_from_slice(found);
        Ok(())
    }
}

/// What the verifier says in reference mode, in the oracle's terms.
pub(crate) fn verifier_says(
    bundle_a: &[u8],
    bundle_b: &[u8],
    stage_order: Option<&[u8]>,
    files: &dyn Files,
) -> Outcome {
    let inputs = Inputs { stage_order, ..Inputs::of(bundle_a, bundle_b) };
    match reference::compare(&inputs, files, Threads::Caller) {
        Ok(report) => Outcome::Report(report.text.into_bytes()),
        Err(abort) => Outcome::Abort(abort.name().parse::<AbortClass>().expect("a class that both sides know")),
    }
}

/// Demands that both sides say the same of a pair.
pub(crate) fn agree(pair: &Pair) -> Result<(), String> {
    let Case { bundle_a, bundle_b, stage_order, .. } = pair.case();
    let python = assize_oracle::compare(&pair.case()).map_err(|error| format!("the oracle broke: {error}"))?;
    let rust = verifier_says(bundle_a, bundle_b, stage_order, &MemoryFiles(&pair.files));
    if python == rust { Ok(()) } else { Err(format!("comparator: {}\nverifier:   {}", show(&python), show(&rust))) }
}

fn show(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Report(text) => String::from_utf8_lossy(text).into_owned(),
        Outcome::Abort(class) => format!("abort with {class}"),
    }
}
