//! Servers as contained processes.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use assize::{
    protocol::Limits,
    testee::process::{Event as Came, Launch, Process},
};
use assize_probe::{Event, Start, Wire, wire::Ended};

/// Milliseconds that a server may take at most to end once its input is closed, if an answer may take as long.
const GRACE_MS: u64 = 2000;

/// Starts a process for each conversation.
pub(super) struct Launcher {
    pub(super) launch: Launch,
    pub(super) limits: Limits,
    /// Once it is set, nothing is waited for any more.
    pub(super) stop: &'static AtomicBool,
}

struct Pipes {
    process: Process,
    launch: Launch,
    limits: Limits,
    /// Whether something was asked.
    asked: bool,
    deadline: Duration,
    stop: &'static AtomicBool,
}

impl Start for Launcher {
    fn start(&mut self) -> Result<Box<dyn Wire>, String> {
        let mut process = self.launch.start(None).map_err(|why| why.to_string())?;
        process.heed(self.stop);
        Ok(Box::new(Pipes {
            process,
            launch: self.launch.clone(),
            limits: self.limits.clone(),
            asked: false,
            deadline: Duration::ZERO,
            stop: self.stop,
        }))
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn patience(&self, first: bool) -> String {
        format!("{} ms", if first { self.limits.start_ms } else { self.limits.case_ms })
    }
}

impl Wire for Pipes {
    fn send(&mut self, line: &[u8]) {
        self.process.send(line.to_vec());
    }

    fn next(&mut self) -> Event {
        match self.process.next_by(self.deadline, || self.stop.load(Ordering::Relaxed)) {
            Came::Line(line) => Event::Line(line),
            // A server that the same signal ended has broken nothing.
            _ if self.stop.load(Ordering::Relaxed) => Event::Stopped,
            Came::Overlong(_) => Event::Overlong,
            Came::Unended(_) | Came::Eof => Event::End,
            Came::Expired => Event::Expired,
        }
    }

    fn begin(&mut self) {
        let ms = if self.asked { self.limits.case_ms } else { self.limits.start_ms };
        (self.asked, self.deadline) = (true, self.launch.timing.clock.after(ms));
    }

    fn end(self: Box<Self>) -> Ended {
        let ended = self.process.finish(Duration::from_millis(self.limits.case_ms.min(GRACE_MS)));
        // How long that took is the machine's matter, so that no rule rests on it.
        let how = ended.status.map_or_else(|| "ended by the probe".to_owned(), |_| ended.described.clone());
        Ended { how, stderr: ended.stderr, orphans: ended.orphans, ..Ended::default() }
    }
}
