//! What the sessions of a run leave for the report, gathered over all its threads.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use serde::{Deserialize, Serialize};

use super::{
    SessionRow,
    process::Ended,
    session::{Broken, Closed},
};
use crate::clean::brief;

/// An end of a process that no case alone explains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionFault {
    /// `crash`, `timeout`, `protocol` or `bye`.
    pub kind: &'static str,
    /// What was observed.
    pub message: String,
    /// Cases that were in flight, by id.
    pub cases: Vec<String>,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}

/// A receipt that does not match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The case, unless it is about a whole session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What was expected and what came.
    pub message: String,
}

/// What was observed of a case that failed without an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The observation.
    pub message: String,
    /// The end of what the process wrote to standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// How many receipts, and how many orphans, are told one by one: a testee may leave one for each answer or process.
const TOLD: usize = 1000;

/// Everything that sessions leave for the report.
#[derive(Debug, Default)]
pub struct Log {
    ends: AtomicUsize,
    /// Receipts beyond those that are told.
    more_receipts: AtomicUsize,
    /// Orphans beyond those that are told.
    more_orphans: AtomicUsize,
    /// Why no process can be made any more, through no fault of the testee.
    short: OnceLock<String>,
    notes: Mutex<Notes>,
    /// The log of the run, for that of its controls: what is wrong with the testee itself belongs there.
    run: Option<OfRun>,
}

#[derive(Debug)]
struct OfRun {
    log: Arc<Log>,
    /// Whether ends that no case explains are the testee's own, and not those of a clock that was set short.
    faults: bool,
}

/// The parts that go into a report.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    /// Every process that said hello.
    pub sessions: Vec<SessionRow>,
    /// Ends that no case alone explains.
    pub faults: Vec<SessionFault>,
    /// Receipts that do not match.
    pub receipts: Vec<Receipt>,
    /// Command lines of processes that had to be ended.
    pub orphans: Vec<String>,
    /// What was observed of failing cases.
    pub evidence: BTreeMap<String, Evidence>,
    /// The end of what a process wrote to standard error that ended as it should; the last that wrote something.
    pub written: String,
}

impl Log {
    /// A log for the controls of a run: its ends are its own, and the run is told of receipts, of orphans, and of session
    /// faults where that is asked for.
    pub(crate) fn of_controls(log: Arc<Self>, faults: bool) -> Self {
        Self { run: Some(OfRun { log, faults }), ..Self::default() }
    }

    /// Ends of a process by crash, time-out or bad frame so far.
    #[must_use]
    pub fn ends(&self) -> usize {
        self.ends.load(Ordering::Relaxed)
    }

    /// Counts one more such end.
    pub(crate) fn count_end(&self) {
        self.ends.fetch_add(1, Ordering::Relaxed);
    }

    /// Why no process can be made any more, through no fault of the testee.
    pub(crate) fn short(&self) -> Option<String> {
        self.short.get().cloned()
    }

    /// The system has no process to give: nothing more is asked.
    pub(crate) fn ran_short(&self, why: String) {
        if let Some(run) = &self.run {
            run.log.ran_short(why.clone());
        }
        // Of two threads that find out, either is right.
        let _ = self.short.set(why);
    }

    /// Records a session, and processes that outlived it.
    pub(crate) fn session(&self, row: SessionRow, ended: &Ended) {
        let mut notes = self.notes();
        notes.sessions.push(row);
        if !ended.stderr.is_empty() {
            notes.written.clone_from(&ended.stderr);
        }
        drop(notes);
        self.unopened(ended);
    }

    /// Records processes that outlived one which never said hello.
    pub(crate) fn unopened(&self, ended: &Ended) {
        if let Some(run) = &self.run {
            run.log.unopened(ended);
        }
        let mut notes = self.notes();
        for orphan in &ended.orphans {
            if notes.orphans.len() < TOLD {
                notes.orphans.push(brief(orphan.clone()));
            } else {
                self.more_orphans.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Records a goodbye.
    pub(crate) fn closed(&self, closed: Closed) {
        if let Some(message) = closed.receipt {
            self.receipt(None, message);
        }
        if let Some(broken) = &closed.broken
            && *broken != Broken::Interrupted
        {
            self.count_end();
            let message = format!("at the end of a session: {}", broken.message());
            self.fault("bye", message, Vec::new(), closed.ended.stderr.clone());
        }
        self.session(closed.row, &closed.ended);
    }

    /// Records an end that no case alone explains.
    pub(crate) fn fault(&self, kind: &'static str, message: String, mut cases: Vec<String>, stderr: String) {
        if let Some(OfRun { log, faults: true }) = &self.run {
            log.fault(kind, format!("in the controls: {message}"), cases.clone(), stderr.clone());
        }
        cases.sort();
        let message = brief(message);
        self.notes().faults.push(SessionFault { kind, message, cases, stderr });
    }

    /// Records a receipt that does not match.
    pub(crate) fn receipt(&self, id: Option<String>, message: String) {
        if let Some(run) = &self.run {
            run.log.receipt(id.clone(), format!("in the controls: {message}"));
        }
        let mut notes = self.notes();
        if notes.receipts.len() < TOLD {
            notes.receipts.push(Receipt { id, message: brief(message) });
        } else {
            self.more_receipts.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Records what was observed of a failing case.
    pub(crate) fn evidence(&self, id: &str, message: String, stderr: String) {
        self.notes().evidence.insert(id.to_owned(), Evidence { message: brief(message), stderr });
    }

    /// Everything recorded so far; of what there is too much to tell, how much more there was.
    #[must_use]
    pub fn snapshot(&self) -> Notes {
        let mut notes = self.notes().clone();
        let more = |count: &AtomicUsize, what| {
            let count = count.load(Ordering::Relaxed);
            (count > 0).then(|| format!("and {count} more {what}"))
        };
        let receipts = more(&self.more_receipts, "receipts that do not match");
        notes.receipts.extend(receipts.map(|message| Receipt { id: None, message }));
        notes.orphans.extend(more(&self.more_orphans, "processes"));
        notes
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        // Notes stay true if another thread panics.
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: usize = 1 << 20;

    #[test]
    fn what_a_testee_wrote_is_not_kept_whole() {
        let run = Arc::new(Log::default());
        let log = Log::of_controls(Arc::clone(&run), true);
        log.receipt(Some("a/b/c".to_owned()), "r".repeat(LONG));
        log.fault("protocol", "f".repeat(LONG), Vec::new(), String::new());
        log.evidence("a/b/c", "e".repeat(LONG), String::new());
        let orphans = vec!["o".repeat(LONG)];
        log.unopened(&Ended { status: None, described: String::new(), stderr: String::new(), orphans });
        for notes in [log.snapshot(), run.snapshot()] {
            let messages = [&notes.receipts[0].message, &notes.faults[0].message, &notes.orphans[0]];
            for message in messages.into_iter().chain(notes.evidence.values().map(|seen| &seen.message)) {
                assert!(message.len() < 4096 && message.contains(" bytes)"), "{} bytes", message.len());
            }
        }
    }

    #[test]
    fn receipts_and_orphans_beyond_a_number_are_counted() {
        let log = Log::default();
        let ended = |orphans| Ended { status: None, described: String::new(), stderr: String::new(), orphans };
        for _ in 0..TOLD {
            log.receipt(None, "r".to_owned());
        }
        log.unopened(&ended(vec!["o".to_owned(); TOLD]));
        let last = |log: &Log| {
            let Notes { receipts, orphans, .. } = log.snapshot();
            assert!(receipts.len() <= TOLD + 1 && orphans.len() <= TOLD + 1);
            (receipts.last().unwrap().message.clone(), orphans.last().unwrap().clone())
        };
        assert_eq!(last(&log), ("r".to_owned(), "o".to_owned()));
        log.receipt(None, "r".to_owned());
        log.receipt(None, "r".to_owned());
        log.unopened(&ended(vec!["o".to_owned(); 3]));
        let (receipts, orphans) = last(&log);
        assert_eq!((&*receipts, &*orphans), ("and 2 more receipts that do not match", "and 3 more processes"));
    }
}
