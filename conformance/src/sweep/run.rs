//! The work of a sweep: lines are handed to whoever is free, and rows written as they come.

use std::{
    collections::BTreeMap,
    io,
    panic::{self, AssertUnwindSafe},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Instant,
};

use assize_archives::{Damage, Held, last_words};
use serde::Serialize;
use thiserror::Error;

use super::{
    CONTRACT,
    earlier::Earlier,
    manifest::{Asked, Entry, Refused},
    row::{Judged, Row},
    rows::Rows,
    store::StoreError,
    tasks::{Needs, Task, Tasks},
};
use crate::exit::Exit;

/// How a sweep is made.
pub struct Sweep<'s, N, J> {
    /// Artefacts at a time, each judged by one thread.
    pub jobs: usize,
    /// Set when no further artefact is to be taken.
    pub stop: &'s AtomicBool,
    /// Rows that are taken over for the same lines.
    pub earlier: Option<&'s Earlier>,
    /// What is read of an archive for an artefact, if it lies in one.
    pub needs: N,
    /// Judges an artefact, with what was read of an archive for it.
    pub judge: J,
    /// Told after each row, whether or not it was there before.
    pub step: &'s (dyn Fn() + Sync),
}

/// How a sweep ended.
#[derive(Debug)]
pub enum Ended {
    /// Every line has its row.
    Whole {
        /// The rows.
        rows: Rows,
        /// How many were judged now.
        judged: u64,
    },
    /// It was stopped before; this many rows are there.
    Stopped(u64),
}

/// Why a sweep cannot go on.
#[derive(Debug, Error)]
pub enum SweepError {
    /// The manifest cannot be read to its end.
    #[error("the manifest cannot be read: {0}")]
    Manifest(io::Error),
    /// A row cannot be written.
    #[error("the results cannot be written: {0}")]
    Results(io::Error),
    /// A row of the earlier sweep cannot be read.
    #[error(transparent)]
    Earlier(#[from] StoreError),
}

impl<N, J> Sweep<'_, N, J>
where
    N: Fn(&Asked) -> Option<Needs> + Sync,
    J: Fn(&Asked, Option<(&Needs, &Held)>) -> Judged + Sync,
{
    /// Judges every line that has no row yet.
    ///
    /// # Errors
    /// The manifest cannot be read, or a row cannot be written.
    pub fn run(
        &self,
        manifest: impl Iterator<Item = io::Result<Entry>> + Send,
        rows: Rows,
    ) -> Result<Ended, SweepError> {
        let (tasks, rows) = (Mutex::new(Tasks::new(manifest, self.stop)), Mutex::new(rows));
        let (judged, broken) = (Mutex::new(0_u64), Mutex::new(None));
        // A line whose row is there, or is taken over, needs nothing.
        let needs = |entry: &Entry| {
            if held(&rows).has(entry.row, &entry.id) {
                return None;
            }
            let needs = (self.needs)(entry.asked.as_ref().ok()?)?;
            let earlier = self.earlier.is_some_and(|earlier| !matches!(earlier.row(entry), Ok(None)));
            (!earlier).then_some(needs)
        };
        let fail = |error| {
            held(&broken).get_or_insert(error);
            held(&tasks).abandon();
        };
        let work = || {
            while !self.stop.load(Ordering::Relaxed) {
                let next = held(&tasks).next(needs);
                let (entry, read) = match next {
                    None => return,
                    Some(Ok(Task { entry, read })) => (entry, read),
                    Some(Err(error)) => return fail(SweepError::Manifest(error)),
                };
                if !held(&rows).has(entry.row, &entry.id) {
                    let earlier = match self.earlier.map(|earlier| earlier.row(&entry)).transpose() {
                        Ok(row) => row.flatten(),
                        Err(error) => return fail(error.into()),
                    };
                    let new = earlier.is_none();
                    let row = earlier.unwrap_or_else(|| self.one(&entry, read));
                    let appended = held(&rows).append(&row);
                    if let Err(error) = appended {
                        return fail(SweepError::Results(error));
                    }
                    *held(&judged) += u64::from(new);
                }
                (self.step)();
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.jobs.max(1) {
                // Where the system gives no thread for it, fewer do the work.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        if let Some(error) = held(&broken).take() {
            return Err(error);
        }
        let ended = held(&tasks).ended();
        let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(if ended { Ended::Whole { rows, judged: *held(&judged) } } else { Ended::Stopped(rows.there()) })
    }

    fn one(&self, entry: &Entry, read: Option<(Needs, Result<Held, Damage>)>) -> Row {
        let begun = Instant::now();
        let judged = match (&entry.asked, &read) {
            (Err(why), _) => Judged::refused(Exit::NoAnswer, why.clone()),
            (Ok(_), Some((_, Err(damage)))) => {
                let exit = if damage.broke_off { Exit::Bug } else { Exit::NoAnswer };
                Judged::refused(exit, Refused::new(&damage.message, damage.help))
            }
            // The row of a judge that broke off says so, and the next artefact has another.
            (Ok(asked), read) => {
                let read = read.as_ref().and_then(|(needs, held)| Some((needs, held.as_ref().ok()?)));
                panic::catch_unwind(AssertUnwindSafe(|| (self.judge)(asked, read))).unwrap_or_else(|payload| {
                    let message = format!("assize broke off: {}", last_words(payload.as_ref()));
                    Judged::refused(
                        Exit::Bug,
                        Refused::new(message, "this is a bug of assize: report it with the artefact"),
                    )
                })
            }
        };
        Row::of(entry, judged, u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
}

/// What is behind a lock, whatever became of whoever held it.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All rows in short.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// [`CONTRACT`].
    pub contract: &'static str,
    /// Lines of the manifest.
    pub rows: u64,
    /// Those judged now; the others were there, or are an earlier sweep's.
    pub judged: u64,
    /// Those taken over from an earlier sweep, whenever that was done.
    pub earlier: u64,
    /// The largest code of a row, as of several packs.
    pub exit_code: u8,
    /// Rows by verdict.
    pub verdicts: BTreeMap<String, u64>,
    /// Rows by kind, and by verdict in that.
    pub kinds: BTreeMap<String, BTreeMap<String, u64>>,
    /// Lines that name no kind that there is.
    pub without_kind: u64,
    /// What breaks each law.
    pub laws: BTreeMap<String, Broken>,
    /// Kinds that there are: names out of a manifest would be as many as it likes.
    #[serde(skip)]
    known: Vec<&'static str>,
}

/// How often a law is broken.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Broken {
    /// Artefacts that break it.
    pub artefacts: u64,
    /// Findings that say so.
    pub findings: u64,
}

impl Summary {
    /// Of no row yet, and so without an answer.
    #[must_use]
    pub fn new(judged: u64, kinds: impl IntoIterator<Item = &'static str>) -> Self {
        Self {
            contract: CONTRACT,
            rows: 0,
            judged,
            earlier: 0,
            exit_code: Exit::NoAnswer.code(),
            verdicts: BTreeMap::new(),
            kinds: BTreeMap::new(),
            without_kind: 0,
            laws: BTreeMap::new(),
            known: kinds.into_iter().collect(),
        }
    }

    /// Counts a row.
    pub fn add(&mut self, row: &Row) {
        let worst = if self.rows == 0 { 0 } else { self.exit_code };
        self.exit_code = worst.max(row.judged.exit_code);
        self.rows += 1;
        self.earlier += u64::from(row.earlier);
        *self.verdicts.entry(row.judged.verdict.clone()).or_default() += 1;
        match row.kind.as_ref().filter(|kind| self.known.contains(&kind.as_str())) {
            Some(kind) => {
                *self.kinds.entry(kind.clone()).or_default().entry(row.judged.verdict.clone()).or_default() += 1;
            }
            None => self.without_kind += 1,
        }
        for (law, findings) in &row.judged.laws {
            let broken = self.laws.entry(law.clone()).or_default();
            broken.artefacts += 1;
            broken.findings += findings;
        }
    }
}

#[cfg(test)]
mod tests;
