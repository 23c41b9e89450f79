//! What one verification has gathered so far: findings, and what a replay result may say.

use super::Options;
use super::limits;
use crate::files::{PackFileError, PackFiles};
use crate::finding::{Finding, Severity};
use crate::json::JsonPointer;
use crate::law::Law;
use crate::rejection::Rejection;

/// The contract's file.
pub(super) const CONTRACT: &str = "episode_contract.json";
/// The manifest's file.
pub(super) const MANIFEST: &str = "pack_manifest.json";
/// The receipts' file.
pub(super) const RECEIPTS: &str = "receipt_pack.jsonl";
/// The folder of inputs.
pub(super) const INPUTS: &str = "inputs";
/// The folder of traces.
pub(super) const TRACES: &str = "recorded_traces";

/// A finding in a file of the pack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackFinding {
    /// The file, relative to the pack. In `receipt_pack.jsonl` a pointer begins with the index of a receipt.
    pub file: String,
    /// What was found. Errors decided the verdict; warnings stand beside it.
    pub finding: Finding,
}

/// Findings in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct Findings {
    errors: Vec<PackFinding>,
    warnings: Vec<PackFinding>,
    left_out: usize,
}

impl Findings {
    pub(super) fn add(&mut self, file: &str, finding: Finding) {
        // Each has room of its own: warnings never push an error out.
        let list = match finding.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if list.len() < limits::FINDINGS {
            list.push(PackFinding { file: file.to_owned(), finding });
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn error(&mut self, law: Law, file: &str, pointer: JsonPointer, message: impl Into<String>) {
        self.add(file, Finding::error(law, pointer, message));
    }

    pub(super) fn coded(
        &mut self,
        code: &'static str,
        law: Law,
        file: &str,
        pointer: JsonPointer,
        message: impl Into<String>,
    ) {
        self.add(file, Finding::error(law, pointer, message).with_code(code));
    }

    pub(super) fn warn(&mut self, law: Law, file: &str, pointer: JsonPointer, message: impl Into<String>) {
        self.add(file, Finding::error(law, pointer, message).as_warning());
    }

    /// Everything that makes an operation on a single document refuse it.
    pub(super) fn rejected(&mut self, law: Law, file: &str, prefix: &JsonPointer, why: &Rejection) {
        let below = |pointer: &JsonPointer| JsonPointer::from_text(format!("{prefix}{pointer}"));
        match why {
            Rejection::Schema(breaches) if !breaches.is_empty() => {
                for breach in breaches {
                    self.coded("A_SCHEMA", law, file, below(&breach.pointer), &breach.message);
                }
            }
            Rejection::Laws(found) => {
                for finding in found {
                    self.add(file, Finding { pointer: below(&finding.pointer), ..finding.clone() });
                }
            }
            other => {
                self.coded(other.code(), law, file, below(&other.pointer()), other.to_string());
            }
        }
    }

    /// A file that could not be read.
    pub(super) fn unread(&mut self, law: Law, file: &str, why: &PackFileError) {
        self.add(file, unread(law, why));
    }

    pub(super) fn failed(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Sorted by file, pointer, law and code, each once.
    pub(super) fn finish(mut self) -> Vec<PackFinding> {
        fn key(found: &PackFinding) -> (&String, (&JsonPointer, &'static str, Option<&'static str>), Severity) {
            (&found.file, found.finding.order(), found.finding.severity)
        }
        if self.left_out > 0 {
            let message = format!("{} more findings are left out: mend these first", self.left_out);
            let finding = Finding::error(Law::VerdictPrecedence, JsonPointer::root(), message).as_warning();
            self.warnings.push(PackFinding { file: String::new(), finding });
        }
        let mut list = self.errors;
        list.append(&mut self.warnings);
        list.sort_by(|a, b| key(a).cmp(&key(b)));
        list.dedup();
        list
    }
}

/// The finding for a file that could not be read.
pub(super) fn unread(law: Law, why: &PackFileError) -> Finding {
    let law = if *why == PackFileError::Symlink { Law::PathSafety } else { law };
    let finding = Finding::error(law, JsonPointer::root(), why.to_string());
    if matches!(why, PackFileError::TooLarge { .. }) { finding.with_code("A_LIMIT") } else { finding }
}

/// One verification under way.
pub(super) struct Inquiry<'a> {
    pub(super) pack: &'a dyn PackFiles,
    pub(super) options: &'a Options<'a>,
    pub(super) findings: Findings,
    /// The root that the manifest names, once that could be read: bare.
    pub(super) pack_root: Option<String>,
    /// Hash and time of the close receipt, once phase 2 was passed and if there is exactly one.
    pub(super) close: Option<(String, String)>,
}

impl<'a> Inquiry<'a> {
    pub(super) fn new(pack: &'a dyn PackFiles, options: &'a Options<'a>) -> Self {
        Self { pack, options, findings: Findings::default(), pack_root: None, close: None }
    }

    /// Ends a phase: its result if nothing was found wrong so far.
    pub(super) fn passed<T>(&self, proof: T) -> Result<T, Failed> {
        if self.findings.failed() { Err(Failed) } else { Ok(proof) }
    }
}

/// A phase found an error, which is among the findings.
#[derive(Debug)]
pub(super) struct Failed;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_never_push_errors_out() {
        let mut findings = Findings::default();
        for index in 0..limits::FINDINGS + 5 {
            findings.warn(Law::PackIntegrity, "w", JsonPointer::root().index(index), "a doubt");
        }
        findings.error(Law::PackIntegrity, "a", JsonPointer::root(), "one");
        findings.error(Law::PackIntegrity, "z", JsonPointer::root(), "another");
        let list = findings.finish();
        assert_eq!(list.len(), limits::FINDINGS + 3);
        assert_eq!(list.iter().filter(|found| found.finding.severity == Severity::Error).count(), 2);
        let first = list.first().map(|found| (found.file.as_str(), found.finding.message.as_str()));
        assert_eq!(first, Some(("", "5 more findings are left out: mend these first")));
        assert!(list.is_sorted_by_key(|found| (found.file.clone(), found.finding.pointer.clone())));
    }
}
