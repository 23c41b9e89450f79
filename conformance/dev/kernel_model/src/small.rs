//! A kernel of a page: a promotion writes beside committed, decides by one rename, carries that out file by file, and cleans up.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    committed::{Committed, Version},
    model::{Kernel, Stopped},
};

/// A mistake in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bug {
    /// Writes into committed at once, so that a stop leaves half of a turn.
    NoJournal,
    /// Recovers by throwing away what was decided.
    JournalDropped,
    /// Recovers by removing the page that says so before it carries out what was decided.
    PageFirst,
    /// Stages into committed.
    StagedInCommitted,
    /// Takes a turn that was promoted already.
    Repeated,
    /// Takes any later turn than the last one.
    Ahead,
    /// Counts the turns of all runs together.
    OneLedger,
    /// Leaves those sources alone that the turn itself has.
    SourcesForgotten,
}

impl Bug {
    /// Every bug, with the property that finds it.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::NoJournal, "all or nothing"),
        (Self::JournalDropped, "all or nothing"),
        (Self::PageFirst, "recovery"),
        (Self::StagedInCommitted, "fortress"),
        (Self::Repeated, "idempotence"),
        (Self::Ahead, "sequence by run"),
        (Self::OneLedger, "sequence by run"),
        (Self::SourcesForgotten, "no lost source"),
    ];
}

/// The kernel with its disk: texts by path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Small {
    bug: Option<Bug>,
    files: BTreeMap<String, String>,
    /// File operations that are left before a stop.
    left: Option<usize>,
}

const COMMITTED: &str = "committed/";
const NEW: &str = "new/";
const JOURNAL: &str = "journal/";
const PAGE: &str = "page";
/// All sources, in one record, since all triplets refer to one thing.
const SOURCES: &str = "sources";

fn triplet(stem: u8) -> String {
    format!("triplets/{stem}")
}

fn staging(turn: Version) -> String {
    format!("staging/{}/{}/", turn.run, turn.turn)
}

fn spelled(turn: Version) -> String {
    format!("{}.{}", turn.run, turn.turn)
}

fn version(text: &str) -> Option<Version> {
    let (run, turn) = text.split_once('.')?;
    Some(Version { run: run.parse().ok()?, turn: turn.parse().ok()? })
}

impl Small {
    /// An empty disk, and a kernel with a bug or without.
    #[must_use]
    pub fn new(bug: Option<Bug>) -> Self {
        Self { bug, ..Self::default() }
    }

    fn has(&self, bug: Bug) -> bool {
        self.bug == Some(bug)
    }

    /// One file operation.
    fn step(&mut self) -> Result<(), Stopped> {
        match &mut self.left {
            Some(0) => Err(Stopped),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Writes a file; a stop may come in the middle.
    fn write(&mut self, path: String, text: &str) -> Result<(), Stopped> {
        self.step()?;
        self.files.insert(path.clone(), String::new());
        self.step()?;
        self.files.insert(path, text.to_owned());
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> Result<(), Stopped> {
        self.step()?;
        for path in self.below(from) {
            if let (Some(text), Some(name)) = (self.files.remove(&path), path.strip_prefix(from)) {
                self.files.insert(format!("{to}{name}"), text);
            }
        }
        Ok(())
    }

    fn remove(&mut self, path: &str) -> Result<(), Stopped> {
        if self.files.contains_key(path) {
            self.step()?;
            self.files.remove(path);
        }
        Ok(())
    }

    fn below(&self, folder: &str) -> Vec<String> {
        self.files.keys().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    /// What a turn has staged, and what it has deleted.
    fn staged(&self, turn: Version) -> [BTreeSet<u8>; 2] {
        let folder = staging(turn);
        let stems = |kind: &str| {
            let paths = self.below(&format!("{folder}{kind}/")).into_iter();
            paths.filter_map(|path| path.rsplit_once('/')?.1.parse().ok()).collect()
        };
        [stems("triplets"), stems("deleted")]
    }

    /// What a promotion would write, by path below committed.
    fn plan(&self, turn: Version) -> Option<Vec<(String, String)>> {
        let before = self.committed()?;
        let last = before.ledger.get(&turn.run).copied().unwrap_or(0);
        let follows = match self.bug {
            Some(Bug::Repeated) => turn.turn == last || turn.turn == last + 1,
            Some(Bug::Ahead) => turn.turn > last,
            Some(Bug::OneLedger) => turn.turn == before.ledger.values().sum::<u8>() + 1,
            _ => turn.turn == last + 1,
        };
        if !follows {
            return None;
        }
        let [staged, deleted] = self.staged(turn);
        let mut sources: BTreeMap<u8, Version> = before.sources.iter().copied().collect();
        if self.has(Bug::SourcesForgotten) {
            sources.clear();
        }
        sources.retain(|stem, _| !deleted.contains(stem));
        sources.extend(staged.iter().map(|stem| (*stem, turn)));
        let sources: Vec<_> = sources.iter().map(|(stem, turn)| format!("{stem}@{}", spelled(*turn))).collect();
        let mut files: Vec<_> = staged.iter().map(|stem| (triplet(*stem), spelled(turn))).collect();
        files.push((SOURCES.to_owned(), sources.join(" ")));
        files.push((format!("ledger/{}", turn.run), turn.turn.to_string()));
        Some(files)
    }

    fn carry_out(&mut self, turn: Version) -> Result<(), Stopped> {
        for path in self.below(JOURNAL) {
            if let Some(name) = path.strip_prefix(JOURNAL).filter(|name| *name != PAGE) {
                let place = format!("{COMMITTED}{name}");
                self.step()?;
                if let Some(text) = self.files.remove(&path) {
                    self.files.insert(place, text);
                }
            }
        }
        let [_, deleted] = self.staged(turn);
        for stem in deleted {
            self.remove(&format!("{COMMITTED}{}", triplet(stem)))?;
        }
        Ok(())
    }

    /// The journal goes last: as long as it is there, all of this is done again.
    fn clean_up(&mut self, turn: Version) -> Result<(), Stopped> {
        for path in self.below(&staging(turn)) {
            self.remove(&path)?;
        }
        self.remove(&format!("{JOURNAL}{PAGE}"))
    }

    fn promoted(&mut self, turn: Version) -> Result<bool, Stopped> {
        self.recovered()?;
        let Some(files) = self.plan(turn) else { return Ok(false) };
        let folder = if self.has(Bug::NoJournal) { COMMITTED } else { NEW };
        for (path, text) in files {
            self.write(format!("{folder}{path}"), &text)?;
        }
        self.write(format!("{NEW}{PAGE}"), &spelled(turn))?;
        self.rename(NEW, JOURNAL)?;
        self.carry_out(turn)?;
        self.clean_up(turn)?;
        Ok(true)
    }

    fn recovered(&mut self) -> Result<(), Stopped> {
        let page = format!("{JOURNAL}{PAGE}");
        let Some(turn) = self.files.get(&page).and_then(|text| version(text)) else {
            for path in self.below(NEW) {
                self.remove(&path)?;
            }
            return Ok(());
        };
        if self.has(Bug::JournalDropped) {
            for path in self.below(JOURNAL) {
                self.remove(&path)?;
            }
            return Ok(());
        }
        if self.has(Bug::PageFirst) {
            self.remove(&page)?;
        }
        self.carry_out(turn)?;
        self.clean_up(turn)
    }
}

impl Kernel for Small {
    fn stage(&mut self, turn: Version, stem: u8) {
        let folder = if self.has(Bug::StagedInCommitted) { COMMITTED.to_owned() } else { staging(turn) };
        self.files.insert(format!("{folder}{}", triplet(stem)), spelled(turn));
    }

    fn delete(&mut self, turn: Version, stem: u8) {
        self.files.insert(format!("{}deleted/{stem}", staging(turn)), String::new());
    }

    fn promote(&mut self, turn: Version, until: Option<usize>) -> Result<bool, Stopped> {
        self.left = until;
        let end = self.promoted(turn);
        self.left = None;
        end
    }

    fn recover(&mut self, until: Option<usize>) -> Result<(), Stopped> {
        self.left = until;
        let end = self.recovered();
        self.left = None;
        end
    }

    fn committed(&self) -> Option<Committed> {
        let mut found = Committed::default();
        for path in self.below(COMMITTED) {
            let (text, name) = (self.files.get(&path)?, path.strip_prefix(COMMITTED)?);
            match name.split_once('/') {
                Some(("triplets", stem)) => drop(found.triplets.insert(stem.parse().ok()?, version(text)?)),
                Some((_, run)) => drop(found.ledger.insert(run.parse().ok()?, text.parse().ok()?)),
                None => {
                    for source in text.split_whitespace() {
                        let (stem, turn) = source.split_once('@')?;
                        found.sources.push((stem.parse().ok()?, version(turn)?));
                    }
                }
            }
        }
        Some(found)
    }

    fn bytes(&self) -> Vec<(String, Vec<u8>)> {
        let files = self.files.iter().filter(|(path, _)| path.starts_with(COMMITTED));
        files.map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect()
    }
}
