//! Findings of one verification, each with the file that it is about.

use super::limits;
use crate::finding::{Finding, Severity};
use crate::json::JsonPointer;
use crate::rejection::Rejection;

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
pub(crate) struct Findings {
    errors: Vec<PackFinding>,
    warnings: Vec<PackFinding>,
    left_out: usize,
}

impl Findings {
    pub(crate) fn add(&mut self, file: &str, finding: Finding) {
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

    pub(crate) fn extend(&mut self, file: &str, found: impl IntoIterator<Item = Finding>) {
        found.into_iter().for_each(|finding| self.add(file, finding));
    }

    /// Everything that makes an operation on a single document refuse it. Findings that the rejection holds keep their law;
    /// `error` makes one of everything else.
    pub(crate) fn rejected(
        &mut self,
        file: &str,
        prefix: &JsonPointer,
        why: &Rejection,
        error: impl Fn(JsonPointer, String) -> Finding,
    ) {
        let below = |pointer: &JsonPointer| JsonPointer::from_text(format!("{prefix}{pointer}"));
        match why {
            Rejection::Schema(breaches) if !breaches.is_empty() => {
                for breach in breaches {
                    self.add(file, error(below(&breach.pointer), breach.message.to_string()).with_code("A_SCHEMA"));
                }
            }
            Rejection::Laws(found) => {
                for finding in found {
                    self.add(file, Finding { pointer: below(&finding.pointer), ..finding.clone() });
                }
            }
            other => {
                self.add(file, error(below(&other.pointer()), other.to_string()).with_code(other.code()));
            }
        }
    }

    pub(crate) fn failed(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Sorted by file, pointer, law and code, each once; `left_out` says how many there was no room for.
    pub(crate) fn finish(mut self, left_out: impl FnOnce(usize) -> Finding) -> Vec<PackFinding> {
        fn key(found: &PackFinding) -> (&String, (&JsonPointer, &'static str, Option<&'static str>), Severity) {
            (&found.file, found.finding.order(), found.finding.severity)
        }
        if self.left_out > 0 {
            self.warnings.push(PackFinding { file: String::new(), finding: left_out(self.left_out) });
        }
        let mut list = self.errors;
        list.append(&mut self.warnings);
        list.sort_by(|a, b| key(a).cmp(&key(b)));
        list.dedup();
        list
    }
}
