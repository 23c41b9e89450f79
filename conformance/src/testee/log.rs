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

/// Everything that sessions leave for the report.
#[derive(Debug, Default)]
pub struct Log {
    ends: AtomicUsize,
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
        self.notes().orphans.extend(ended.orphans.iter().cloned());
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
        self.notes().faults.push(SessionFault { kind, message, cases, stderr });
    }

    /// Records a receipt that does not match.
    pub(crate) fn receipt(&self, id: Option<String>, message: String) {
        if let Some(run) = &self.run {
            run.log.receipt(id.clone(), format!("in the controls: {message}"));
        }
        self.notes().receipts.push(Receipt { id, message });
    }

    /// Records what was observed of a failing case.
    pub(crate) fn evidence(&self, id: &str, message: String, stderr: String) {
        self.notes().evidence.insert(id.to_owned(), Evidence { message, stderr });
    }

    /// Everything recorded so far.
    #[must_use]
    pub fn snapshot(&self) -> Notes {
        self.notes().clone()
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        // Notes stay true if another thread panics.
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
