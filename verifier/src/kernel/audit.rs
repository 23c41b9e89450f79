//! Judges a home that somebody else wrote, file by file; nothing is changed and nothing recovered.
//!
//! Spec: Kernel v1 Requirements Pack, Kernel API, 3, and Laws 1 and 4 to 6; rulings KE-30, KE-31, KE-37, KE-49. A
//! finding stands at the path of the file or folder at fault, one for each breach. What cannot be read is found once,
//! where it lies: sources and links that could only be told with it are passed over.

mod change;
mod ties;
mod tree;

use super::issue::Outcome;
use super::layout::{COMMITTED, INDEX, NEW, OLD, STAGING, Tree, WRITING, location};
use super::path_safety::{TurnId, escape};
use super::snapshot::{Snapshot, join};
use super::{link_of_record, source_of_record};
use crate::files::{EntryKind, HomeEntry, HomeError, HomeReader};
use crate::finding::Finding;
use crate::law::Law;
pub(super) use ties::Ties;

/// What happened between a snapshot and now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ran<'r> {
    /// The operation that ran, by the name it has in scenarios.
    pub operation: Option<&'r str>,
    /// Its outcome; none where it was stopped, or nobody knows.
    pub outcome: Option<Outcome>,
}

/// Everything that is unlawful about a home, and about what became of its committed tree since a snapshot.
///
/// Findings are sorted. Memory grows with the references of the committed tree, some 70 bytes for each end of one, and with
/// the largest file.
#[must_use]
pub fn audit(home: &dyn HomeReader, before: Option<&Snapshot>, ran: &Ran<'_>) -> Vec<Finding> {
    let mut audit = Audit { home, findings: Vec::new(), bytes: Vec::new() };
    audit.index();
    if let Some(before) = before {
        audit.change(before, ran);
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
    fn find(&mut self, law: Law, path: &str, message: impl Into<String>) {
        self.findings.push(Finding::error(law, location(path), message));
    }

    /// Something stands where no stem, token or digest leads.
    fn misplaced(&mut self, path: &str) {
        self.find(Law::KernelPathSafety, path, "nothing of the index belongs here: move it away");
    }

    fn unreadable(&mut self, law: Law, path: &str, why: HomeError) {
        self.find(law, path, format!("it cannot be read: {why}"));
    }

    /// What lies in a folder; one that is none is found.
    fn list(&mut self, folder: &str) -> Vec<HomeEntry> {
        match self.home.list(folder) {
            Ok(entries) => entries,
            Err(HomeError::Absent) => Vec::new(),
            Err(why) => {
                self.unreadable(Law::KernelPathSafety, folder, why);
                Vec::new()
            }
        }
    }

    /// The folders among what lies in a folder where only folders belong.
    fn folders(&mut self, folder: &str) -> Vec<String> {
        let mut names = Vec::new();
        for entry in self.list(folder) {
            match entry.kind {
                EntryKind::Folder => names.push(entry.name),
                EntryKind::File | EntryKind::Other => self.misplaced(&join(folder, &entry.name)),
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
                (NEW | OLD, EntryKind::Folder) | (WRITING, EntryKind::File) => {}
                _ => self.misplaced(&path),
            }
        }
        let stands = |path| matches!(self.home.kind(path), Ok(Some(_)));
        if !stands(COMMITTED) && (stands(NEW) || stands(OLD)) {
            let message = "committed is gone and a tree stands ready in its place: let the kernel recover";
            self.find(Law::KernelPromotionAtomicity, COMMITTED, message);
        }
    }

    fn committed(&mut self) {
        let mut ties = Ties::default();
        self.tree(&Tree::committed(), Some(&mut ties));
        ties.close();
        self.findings.extend(link_of_record::check(&ties));
        self.findings.extend(source_of_record::check(&ties));
    }

    fn staging(&mut self) {
        for run in self.folders(STAGING) {
            let folder = join(STAGING, &run);
            if !is_escaped(&run) {
                self.misplaced(&folder);
                continue;
            }
            for turn in self.folders(&folder) {
                let place = join(&folder, &turn);
                if TurnId::parse(&turn).is_none() {
                    self.misplaced(&place);
                    continue;
                }
                self.tree(&Tree::at(&place), None);
            }
        }
    }
}

/// Whether a name is what some token is escaped to.
fn is_escaped(name: &str) -> bool {
    let token = match name {
        "%2E" => ".".to_owned(),
        "%2E%2E" => "..".to_owned(),
        _ => name.replace("%3A", ":").replace("%5C", "\\").replace("%2F", "/").replace("%25", "%"),
    };
    escape(&token) == name
}

#[cfg(test)]
mod tests;
