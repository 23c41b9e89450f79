//! Judges a home that somebody else wrote, file by file; nothing is changed and nothing recovered.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 3, and Laws 1 and 4 to 6; rulings KE-30, KE-31, KE-37, KE-49, KE-53. A
//! finding stands at the path of the file or folder at fault, one for each breach. What cannot be read is found once,
//! where it lies: sources and links that could only be told with it are passed over.

mod tree;

use super::laws::trace_artifacts::Audited;
use super::laws::{fortress, link_of_record, path_safety, promotion_atomicity, source_of_record};
use super::model::layout::{COMMITTED, INDEX, JOURNAL, NEW, OLD, STAGING, TRACE, Tree, WRITING};
use super::model::references::References;
use super::model::snapshot::{Change, LARGEST, Ran, Snapshot, join};
use crate::files::{EntryKind, HomeEntry, HomeError, HomeReader};
use crate::finding::Finding;

/// Everything that is unlawful about a home, and about what became of its committed tree since a snapshot.
///
/// Findings are sorted. Memory grows with the references of the committed tree, some 70 bytes for each end of one, and with
/// the largest file.
#[must_use]
pub fn audit(home: &dyn HomeReader, before: Option<&Snapshot>, ran: &Ran<'_>) -> Vec<Finding> {
    let mut audit = Audit { home, findings: Vec::new(), bytes: Vec::new() };
    audit.index();
    audit.trace();
    if let Some(before) = before {
        let change = Change::since(before, home);
        audit.findings.extend(promotion_atomicity::changed(&change, ran));
        audit.findings.extend(fortress::changed(&change, ran));
    }
    let mut findings = audit.findings;
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
    findings
}

/// An audit at work.
struct Audit<'h> {
    home: &'h dyn HomeReader,
    findings: Vec<Finding>,
    /// The file that was read last.
    bytes: Vec<u8>,
}

impl Audit<'_> {
    /// Something stands where no stem, token or digest leads.
    fn misplaced(&mut self, path: &str) {
        self.findings.push(path_safety::misplaced(path));
    }

    /// What was found, unless nothing is wrong.
    fn accepted<T>(&mut self, judged: Result<T, Finding>) -> Option<T> {
        judged.map_err(|finding| self.findings.push(finding)).ok()
    }

    /// Whether nothing is wrong.
    fn passes(&mut self, judged: Option<Finding>) -> bool {
        let passes = judged.is_none();
        self.findings.extend(judged);
        passes
    }

    /// What lies in a folder; what is not a folder is found.
    fn list(&mut self, folder: &str) -> Vec<HomeEntry> {
        match self.home.list(folder) {
            Ok(entries) => entries,
            Err(HomeError::Absent) => Vec::new(),
            Err(why) => {
                self.findings.push(path_safety::unlisted(folder, why));
                Vec::new()
            }
        }
    }

    /// The folders among what lies in a folder where only folders belong.
    fn folders(&mut self, folder: &str) -> Vec<String> {
        let mut names = Vec::new();
        for entry in self.list(folder) {
            if self.passes(path_safety::not_a_folder(&join(folder, &entry.name), entry.kind)) {
                names.push(entry.name);
            }
        }
        names
    }

    fn index(&mut self) {
        for entry in self.list(INDEX) {
            let path = join(INDEX, &entry.name);
            match (path.as_str(), entry.kind) {
                (COMMITTED, EntryKind::Folder) => self.committed(),
                (STAGING, EntryKind::Folder) => self.staging(),
                // Left by a promotion that was stopped; the next operation takes them away.
                (NEW | OLD | JOURNAL, EntryKind::Folder) | (WRITING, EntryKind::File) => {}
                _ => self.misplaced(&path),
            }
        }
        self.findings.extend(promotion_atomicity::unfinished(self.home));
    }

    /// Artifacts by run; what else stands there no ruling forbids.
    fn trace(&mut self) {
        for run in self.home.list(TRACE).unwrap_or_default() {
            let folder = join(TRACE, &run.name);
            if run.kind != EntryKind::Folder {
                continue;
            }
            let mut audited = Audited::new(&folder);
            for entry in self.list(&folder) {
                let path = join(&folder, &entry.name);
                let read = match entry.kind {
                    EntryKind::File => self.home.read(&path, LARGEST, &mut self.bytes).map(|()| self.bytes.as_slice()),
                    _ => Err(HomeError::NotAFile),
                };
                audited.file(&path, read);
            }
            self.findings.extend(audited.close());
        }
    }

    fn committed(&mut self) {
        let mut ends = References::default();
        self.tree(&Tree::committed(), Some(&mut ends));
        ends.close();
        self.findings.extend(link_of_record::check(&ends));
        self.findings.extend(source_of_record::check(&ends));
    }

    fn staging(&mut self) {
        for run in self.folders(STAGING) {
            let folder = join(STAGING, &run);
            if !self.passes(path_safety::run(&folder, &run)) {
                continue;
            }
            for turn in self.folders(&folder) {
                let place = join(&folder, &turn);
                if self.passes(path_safety::turn(&place, &turn)) {
                    self.tree(&Tree::at(&place), None);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
