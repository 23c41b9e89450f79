//! Lines of a manifest as there is something to judge them by: at once what lies on a disk, many together what lies in archives.
//!
//! An archive is read for all lines that wait for it and not for each; so that what waits is bounded, reading begins when so many lines wait
//! or the manifest has ended. A manifest that names one archive after the other has each of them read for all its lines at once, as long as
//! one alone has no more of them.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

use assize_archives::{Damage, Gather, Held, Kind, Limits, Scope};

use super::manifest::{Asked, Entry};

/// What a line needs of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The archive.
    pub archive: PathBuf,
    /// How it is laid out.
    pub kind: Kind,
    /// The parts that are read of it.
    pub scopes: Vec<Scope>,
}

/// A line, and what was read of an archive for it.
pub(super) struct Task {
    pub(super) entry: Entry,
    pub(super) read: Option<(Needs, Result<Held, Damage>)>,
}

/// Lines that wait at a time, and letters of what they say.
const WAITING: usize = 65_536;
const LETTERS: usize = 64 << 20;

/// Lines as they come.
pub(super) struct Tasks<'s, I> {
    manifest: Option<I>,
    stop: &'s AtomicBool,
    /// Lines that may wait.
    most: usize,
    waiting: Vec<(Entry, Needs)>,
    letters: usize,
    passes: VecDeque<Gather<'s, (Entry, Needs)>>,
}

impl<'s, I: Iterator<Item = io::Result<Entry>>> Tasks<'s, I> {
    pub(super) fn new(manifest: I, stop: &'s AtomicBool) -> Self {
        let manifest = Some(manifest);
        Self { manifest, stop, most: WAITING, waiting: Vec::new(), letters: 0, passes: VecDeque::new() }
    }

    /// The next line that can be judged; none at the end, or when it is time to stop.
    pub(super) fn next(&mut self, needs: impl Fn(&Entry) -> Option<Needs>) -> Option<io::Result<Task>> {
        while !self.stop.load(Ordering::Relaxed) {
            if let Some(pass) = self.passes.front_mut() {
                match pass.next() {
                    Some(((entry, needs), held)) => return Some(Ok(Task { entry, read: Some((needs, held)) })),
                    // What was stopped has not come to its end.
                    None if self.stop.load(Ordering::Relaxed) => return None,
                    None => drop(self.passes.pop_front()),
                }
                continue;
            }
            if self.manifest.is_none() || self.waiting.len() >= self.most || self.letters >= LETTERS {
                if self.waiting.is_empty() {
                    return None;
                }
                self.begin();
                continue;
            }
            match self.manifest.as_mut()?.next() {
                None => self.manifest = None,
                Some(Err(error)) => {
                    self.abandon();
                    return Some(Err(error));
                }
                Some(Ok(entry)) => match needs(&entry) {
                    None => return Some(Ok(Task { entry, read: None })),
                    Some(needs) => {
                        self.letters += entry.asked.as_ref().map_or(0, letters);
                        self.waiting.push((entry, needs));
                    }
                },
            }
        }
        None
    }

    /// Whether every line was handed over.
    pub(super) fn ended(&self) -> bool {
        self.manifest.is_none() && self.waiting.is_empty() && self.passes.is_empty()
    }

    /// Hands nothing over any more.
    pub(super) fn abandon(&mut self) {
        (self.manifest, self.waiting, self.passes) = (None, Vec::new(), VecDeque::new());
    }

    /// Puts what waits together by the archive.
    fn begin(&mut self) {
        // The archive of the last line may have more lines to come; what is read of it then is read once for all of them.
        let goes_on = self.manifest.as_ref().and_then(|_| self.waiting.last()).map(|(_, needs)| needs.archive.clone());
        let (later, now) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition::<Vec<_>, _>(|(_, needs)| goes_on.as_ref() == Some(&needs.archive));
        let (later, now) = if now.is_empty() { (now, later) } else { (later, now) };
        self.letters = later.iter().map(|(entry, _)| entry.asked.as_ref().map_or(0, letters)).sum();
        self.waiting = later;
        let mut archives: BTreeMap<PathBuf, (Kind, Vec<_>)> = BTreeMap::new();
        for (entry, mut needs) in now {
            let (_, wanted) = archives.entry(needs.archive.clone()).or_insert((needs.kind, Vec::new()));
            let scopes = std::mem::take(&mut needs.scopes);
            wanted.push(((entry, needs), scopes));
        }
        let passes = archives.into_iter();
        self.passes = passes
            .map(|(archive, (kind, wanted))| Gather::new(archive, kind, Limits::default(), self.stop, wanted))
            .collect();
    }
}

/// How much a line holds in memory, by and large.
fn letters(asked: &Asked) -> usize {
    let options = asked.options.iter().map(|(name, value)| name.len() + value.to_string().len());
    options.sum::<usize>() + 3 * asked.paths.iter().map(String::len).sum::<usize>()
}

#[cfg(test)]
mod tests;
