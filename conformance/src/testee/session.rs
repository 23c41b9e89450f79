//! One conversation with one process: hello, questions, receipts, goodbye.
//!
//! Contract: `contracts/interface/protocol.md`, Handshake, Receipts and Clocks. A session knows frames and clocks;
//! which case is to blame when it breaks is the [`engine`](super::engine)'s question.

use std::{
    collections::BTreeMap,
    io, mem,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use assize_corpus::disk::Below;
use serde::Serialize;

use super::{
    Clock,
    process::{Ended, Event, Launch, Process, StartError, Tap},
};
use crate::{
    clean::brief,
    protocol::{
        Chain, Introduction, Limits,
        decode::{self, Judged, TesteeFrame},
        encode,
    },
};

/// What every session of a run begins with.
#[derive(Debug, Clone)]
pub struct Setup {
    /// What is started.
    pub launch: Launch,
    /// Clocks and sizes.
    pub limits: Limits,
    /// The run's random id.
    pub run: String,
    /// Digest of the suite.
    pub suite_sha256: String,
    /// Set when the run is to be interrupted.
    pub stop: &'static AtomicBool,
}

/// How much is handed over at once, however many questions that is.
const OUTBOX: usize = 256 << 10;

/// One process of the testee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionRow {
    /// What it was for: `orders`, `alone`, `fresh`, `controls`.
    pub purpose: &'static str,
    /// Answers that the harness counted.
    pub served: u64,
    /// The chain that the harness kept.
    pub chain: String,
    /// Whether the testee's goodbye said the same; nothing when it was ended before.
    pub agreed: Option<bool>,
}

/// How a session broke.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Broken {
    /// The process ended, or closed its output.
    Crash(String),
    /// No progress in time.
    Timeout(String),
    /// What came broke the protocol.
    Protocol(String),
    /// The run was interrupted.
    Interrupted,
}

impl Broken {
    /// The word in reports.
    #[must_use]
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Crash(_) => "crash",
            Self::Timeout(_) => "timeout",
            Self::Protocol(_) => "protocol",
            Self::Interrupted => "interrupted",
        }
    }

    /// What was observed.
    #[must_use]
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::Crash(message) | Self::Timeout(message) | Self::Protocol(message) => message,
            Self::Interrupted => "the run was broken off",
        }
    }
}

/// Why a session did not begin.
#[derive(Debug)]
pub(crate) enum OpenError {
    /// The process could not be started.
    Start(StartError),
    /// It speaks another version.
    Refused(String, Ended),
    /// It broke before it said hello.
    Broken(Broken, Ended),
}

/// A conversation after hello.
#[derive(Debug)]
pub(crate) struct Session {
    process: Process,
    /// Frames that were not handed over yet, end to end.
    outbox: Vec<u8>,
    /// What the clock showed before some of them had to go ahead of the rest.
    first: Option<Duration>,
    introduction: Introduction,
    chain: Chain,
    purpose: &'static str,
    stop: &'static AtomicBool,
    line: usize,
    clock: Clock,
    /// How long the process has to end by itself.
    ending: Duration,
}

/// What the end of a conversation leaves.
#[derive(Debug)]
pub(crate) struct Closed {
    /// Served, chain, and whether the testee agrees.
    pub(crate) row: SessionRow,
    /// What is wrong with the goodbye: a broken session, or receipts that do not match.
    pub(crate) broken: Option<Broken>,
    /// Receipts that do not match.
    pub(crate) receipt: Option<String>,
    /// How the process ended.
    pub(crate) ended: Ended,
}

impl Session {
    /// Starts a process and greets it.
    ///
    /// # Errors
    /// It cannot be started, refuses, or breaks before hello.
    pub(crate) fn open(setup: &Setup, purpose: &'static str, tap: Option<Tap>) -> Result<Self, OpenError> {
        let (clock, patience) = (setup.launch.timing.clock.clone(), setup.launch.timing.patience);
        let ending = patience.ending(setup.limits.case_ms);
        // As everywhere: a limit begins before the testee can have read what it has to answer.
        let deadline = clock.after(setup.limits.start_ms);
        let mut process = setup.launch.start(tap).map_err(OpenError::Start)?;
        let greeting = encode::hello(&setup.run, &setup.suite_sha256, &setup.limits).unwrap_or_default();
        process.heed(setup.stop);
        process.send(greeting);
        let response = listen(&mut process, deadline, setup.stop, setup.limits.line, || {
            format!("no hello within {} ms", setup.limits.start_ms)
        });
        let broken = match response {
            Ok(TesteeFrame::Hello(introduction)) => {
                let introduction = *introduction;
                let (chain, stop, line) = (Chain::default(), setup.stop, setup.limits.line);
                return Ok(Self {
                    process,
                    outbox: Vec::new(),
                    first: None,
                    introduction,
                    chain,
                    purpose,
                    stop,
                    line,
                    clock,
                    ending,
                });
            }
            Ok(TesteeFrame::Refuse { why }) => {
                return Err(OpenError::Refused(brief(why), process.finish(patience.grace)));
            }
            Ok(other) => Broken::Protocol(format!("the first frame is {}, not hello", named(&other))),
            Err(broken) => broken,
        };
        let (broken, ended) = end(process, broken, ending);
        Err(OpenError::Broken(broken, ended))
    }

    /// What the testee said about itself.
    #[must_use]
    pub(crate) fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    /// The process's own empty folder for temporary files.
    #[must_use]
    pub(crate) fn scratch(&self) -> &Path {
        self.process.scratch()
    }

    /// Where folders of cases are to be made; nothing where any place will do.
    #[must_use]
    pub(crate) fn below(&self) -> Option<&Below> {
        self.process.below()
    }

    /// Adds a frame to what is handed over next; one beyond the limit is refused here.
    ///
    /// # Errors
    /// The frame is longer than the limit.
    pub(crate) fn send(&mut self, frame: Vec<u8>) -> Result<(), String> {
        if frame.len() > self.line.saturating_add(1) {
            return Err(format!("the question has {} bytes, more than the limit of a line", frame.len() - 1));
        }
        self.outbox.extend_from_slice(&frame);
        if frame.last() != Some(&b'\n') {
            self.outbox.push(b'\n');
        }
        if self.outbox.len() >= OUTBOX {
            let first = self.hand_over();
            self.first = Some(first);
        }
        Ok(())
    }

    /// Hands over what was sent, to the thread that writes. Returns what the clock showed right before the first of it went.
    pub(crate) fn hand_over(&mut self) -> Duration {
        let now = self.clock.now();
        if !self.outbox.is_empty() {
            self.process.send_part(mem::take(&mut self.outbox));
        }
        self.first.take().unwrap_or(now)
    }

    /// The next frame, which has this many milliseconds from now on.
    ///
    /// # Errors
    /// The session broke, or nothing came in time.
    pub(crate) fn next(&mut self, since: Duration, ms: u64) -> Result<TesteeFrame, Broken> {
        let deadline = since.saturating_add(Duration::from_millis(ms));
        listen(&mut self.process, deadline, self.stop, self.line, || format!("no answer within {ms} ms"))
    }

    /// What the clock of its limits shows.
    #[must_use]
    pub(crate) fn now(&self) -> Duration {
        self.clock.now()
    }

    /// Counts an answer, and compares what it saw with what was sent.
    ///
    /// # Errors
    /// The receipt does not match; the text says where.
    pub(crate) fn count(&mut self, judged: &Judged, sent: &BTreeMap<String, String>) -> Result<(), String> {
        self.chain.add(&judged.id, judged.is.word());
        receipt(judged, sent)
    }

    /// Sends a ping, and returns what came instead of its pong.
    ///
    /// # Errors
    /// The session broke, or nothing came.
    pub(crate) fn barrier(&mut self, ms: u64) -> Result<Option<TesteeFrame>, Broken> {
        const MARK: i64 = 1;
        let now = self.hand_over();
        self.process.send(encode::ping(MARK).unwrap_or_default());
        match self.next(now, ms)? {
            TesteeFrame::Pong { n: MARK } => Ok(None),
            other => Ok(Some(other)),
        }
    }

    /// Says goodbye and compares receipts.
    #[must_use]
    pub(crate) fn close(mut self, ms: u64) -> Closed {
        let now = self.hand_over();
        self.process.send(encode::bye().unwrap_or_default());
        let response = self.next(now, ms);
        let (mut row, mut receipt) = (self.row(), None);
        let mut broken = match response {
            Ok(TesteeFrame::Bye { served, chain }) => {
                receipt = account(&row, served, &chain).err();
                row.agreed = Some(receipt.is_none());
                None
            }
            Ok(other) => Some(Broken::Protocol(format!("{} came instead of bye", named(&other)))),
            Err(broken) => Some(broken),
        };
        if broken.is_none() {
            // What was written with the goodbye or after it is there when the output ends, or the process.
            self.process.close_input();
            let more = self.process.afterwards(self.ending);
            broken = more.map(|text| Broken::Protocol(format!("after bye came {}", quoted(&text))));
        }
        // One that has said something else than goodbye need not be waited for: it may go on for as long as it likes.
        let ended = match &broken {
            None => self.process.finish(self.ending),
            Some(Broken::Crash(_)) => self.process.dismiss(self.ending),
            Some(_) => self.process.kill(),
        };
        if broken.is_none() && !ended.status.is_some_and(|status| status.success()) {
            broken = Some(if self.stop.load(Ordering::Relaxed) {
                Broken::Interrupted
            } else {
                Broken::Crash(format!("after bye: {}; a testee exits with 0", ended.described))
            });
        }
        Closed { row, broken, receipt, ended }
    }

    /// Ends a session that broke.
    #[must_use]
    pub(crate) fn abandon(self, broken: Broken) -> (Broken, SessionRow, Ended) {
        let row = self.row();
        let (broken, ended) = end(self.process, broken, self.ending);
        (broken, row, ended)
    }

    fn row(&self) -> SessionRow {
        let (served, chain) = (self.chain.served(), self.chain.link().to_owned());
        SessionRow { purpose: self.purpose, served, chain, agreed: None }
    }
}

/// Ends a process; one that closed its output is given time, so that its own exit can be told, while it does anything.
fn end(process: Process, broken: Broken, ending: Duration) -> (Broken, Ended) {
    match broken {
        Broken::Crash(message) => {
            let ended = process.dismiss(ending);
            let message = format!("{message}: {}", ended.described);
            (Broken::Crash(message), ended)
        }
        other => (other, process.kill()),
    }
}

/// Compares what a goodbye accounts for with what the harness counted.
///
/// # Errors
/// The text says both.
fn account(row: &SessionRow, served: u64, chain: &str) -> Result<(), String> {
    if served == row.served && chain == row.chain {
        return Ok(());
    }
    let said = quoted(chain.as_bytes());
    Err(format!("bye says served {served} and chain {said}; the harness counted {} and {}", row.served, row.chain))
}

/// Compares what an answer saw with what was sent.
///
/// # Errors
/// The text says where they differ.
pub(crate) fn receipt(judged: &Judged, sent: &BTreeMap<String, String>) -> Result<(), String> {
    if judged.seen == *sent {
        return Ok(());
    }
    let differs = sent.iter().find(|(name, digest)| judged.seen.get(*name) != Some(*digest));
    Err(match differs {
        Some((name, digest)) => match judged.seen.get(name) {
            Some(seen) => {
                format!("seen.{name} is {}; the bytes that were sent have {digest}", quoted(seen.as_bytes()))
            }
            None => format!("seen.{name} is absent; the bytes that were sent have {digest}"),
        },
        None => {
            let surplus = judged.seen.keys().find(|name| !sent.contains_key(*name));
            format!("seen names {}, which was not sent", quoted(surplus.map_or("", String::as_str).as_bytes()))
        }
    })
}

/// The frame's name, for messages.
#[must_use]
pub(crate) fn named(frame: &TesteeFrame) -> String {
    match frame {
        TesteeFrame::Hello(_) => "hello".to_owned(),
        TesteeFrame::Refuse { .. } => "refuse".to_owned(),
        TesteeFrame::Answer(judged) => format!("an answer to {}", quoted(judged.id.as_bytes())),
        TesteeFrame::Unsupported { id, .. } => format!("unsupported for {}", quoted(id.as_bytes())),
        TesteeFrame::Fault { id, .. } => format!("a fault of {}", quoted(id.as_bytes())),
        TesteeFrame::Pong { n } => format!("a pong of {n}"),
        TesteeFrame::Bye { .. } => "bye".to_owned(),
    }
}

fn listen(
    process: &mut Process,
    deadline: Duration,
    stop: &AtomicBool,
    line: usize,
    late: impl Fn() -> String,
) -> Result<TesteeFrame, Broken> {
    match process.next_by(deadline, || stop.load(Ordering::Relaxed)) {
        Event::Line(text) => decode::read(&text).map_err(|why| Broken::Protocol(format!("{why}: {}", quoted(&text)))),
        Event::Overlong(start) => {
            Err(Broken::Protocol(format!("a line has more than {line} bytes: {}", quoted(&start))))
        }
        Event::Unended(text) => Err(Broken::Crash(format!("its output ends inside a line, {}", quoted(&text)))),
        Event::Eof => Err(Broken::Crash("its output ends".to_owned())),
        Event::Expired if stop.load(Ordering::Relaxed) => Err(Broken::Interrupted),
        Event::Expired => Err(Broken::Timeout(late())),
    }
}

/// The first bytes of a line, or of a text in it, for people.
pub(crate) fn quoted(line: &[u8]) -> String {
    const SHOWN: usize = 120;
    let start = line.get(..line.len().min(SHOWN)).unwrap_or_default();
    let text = format!("\"{}\"", start.escape_ascii());
    if line.len() > SHOWN { format!("{text} and {} bytes more", line.len() - SHOWN) } else { text }
}

/// A random word for ids that a testee must not be able to guess.
///
/// # Errors
/// The system gives no randomness.
pub(crate) fn random_word() -> io::Result<u64> {
    getrandom::u64().map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGE: usize = 4 << 10;

    fn judged(id: &str, name: &str, seen: &str) -> Judged {
        let line = format!(r#"{{"t":"answer","id":"{id}","seen":{{"{name}":"{seen}"}},"is":"accept"}}"#);
        let Ok(TesteeFrame::Answer(judged)) = decode::read(line.as_bytes()) else { panic!("no answer: {line:.99}") };
        judged
    }

    #[test]
    fn what_a_receipt_says_has_little_of_what_the_testee_wrote() {
        let (sent, long) = (BTreeMap::from([("doc".to_owned(), "d".repeat(64))]), "\u{1}\u{e9}x".repeat(1 << 20));
        let long = long.replace('\u{1}', "\\u0001");
        for (name, seen) in [("doc", long.as_str()), (long.as_str(), "d")] {
            let why = receipt(&judged("k", name, seen), &sent).unwrap_err();
            assert!(why.contains("the bytes that were sent have d") && why.len() < MESSAGE, "{} bytes", why.len());
        }
        let mut surplus = judged("k", &long, "d");
        surplus.seen.extend(sent.clone());
        let why = receipt(&surplus, &sent).unwrap_err();
        assert!(why.contains("which was not sent") && why.len() < MESSAGE, "{} bytes", why.len());
        let row = SessionRow { purpose: "alone", served: 1, chain: "c".to_owned(), agreed: None };
        let why = account(&row, 1, &long).unwrap_err();
        assert!(why.ends_with("the harness counted 1 and c") && why.len() < MESSAGE, "{} bytes", why.len());
        assert_eq!(account(&row, 1, "c"), Ok(()));
        let other = named(&TesteeFrame::Answer(judged(&long, "doc", "d")));
        assert!(other.starts_with("an answer to \"") && other.len() < MESSAGE, "{} bytes", other.len());
    }
}
