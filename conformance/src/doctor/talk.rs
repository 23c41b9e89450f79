//! One conversation with one process, in which everything is noted that a run would only call a bad frame.
//!
//! Contract: `contracts/interface/protocol.md`, Handshake, Receipts and Pipelining. What holds over all conversations
//! (frames alone, ids, receipts, goodbyes) is noted on the way; what a conversation was about is the check's question.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use assize_corpus::{disk::Below, testee::Request};
use serde_json::Value;

use super::chain::{self, Difference, Entry};
use crate::{
    protocol::{
        Declaration, Introduction,
        decode::{self, Judged, TesteeFrame},
        encode,
    },
    testee::{
        Clock, Patience, Setup, StartError, Timing,
        process::{Ended, Event, Process},
        session::{named, quoted, receipt},
    },
};

/// Lines that are not frames before a conversation is given up.
const NOISE: usize = 8;

/// Why a conversation failed.
#[derive(Debug)]
pub(super) enum Halt {
    /// The process ended, or closed its output, while this was waited for.
    Ended(String),
    /// This did not come in time.
    Expired(String),
    /// The conversation cannot continue after what came.
    Conduct(String),
}

impl Halt {
    /// How its process is to be ended.
    pub(super) fn parting(&self) -> Parting {
        match self {
            Self::Ended(_) => Parting::Silent,
            Self::Expired(_) | Self::Conduct(_) => Parting::Hung,
        }
    }

    /// What was observed, once it is known how the process ended.
    pub(super) fn described(&self, ended: &Ended) -> String {
        match self {
            Self::Ended(awaited) => match ended.status {
                Some(_) => format!("the process ended and {awaited} did not come: {}", ended.described),
                None => format!("the output was closed, the process lived on, and {awaited} did not come"),
            },
            Self::Expired(awaited) => format!("{awaited} did not come in time"),
            Self::Conduct(observed) => observed.clone(),
        }
    }
}

/// What conversations show besides what they are about.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Lines that are not frames, and frames that nobody asked for.
    pub(super) frames: Vec<String>,
    /// Ids that came twice, or never were asked.
    pub(super) ids: Vec<String>,
    /// Receipts that do not fit.
    pub(super) receipts: Vec<String>,
    /// Goodbyes that do not fit.
    pub(super) goodbyes: Vec<Difference>,
    /// Processes that were left behind.
    pub(super) children: Vec<String>,
    /// Replies that were accepted.
    pub(super) replies: usize,
    /// Receipts that fit.
    pub(super) receipted: usize,
    /// Goodbyes that were received, and the answers that they were for.
    pub(super) parted: (usize, u64),
}

impl Notes {
    pub(super) fn add(&mut self, other: Self) {
        self.frames.extend(other.frames);
        self.ids.extend(other.ids);
        self.receipts.extend(other.receipts);
        self.goodbyes.extend(other.goodbyes);
        self.children.extend(other.children);
        self.replies += other.replies;
        self.receipted += other.receipted;
        self.parted = (self.parted.0 + other.parted.0, self.parted.1 + other.parted.1);
    }
}

/// What came of one question.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) id: String,
    pub(super) frame: TesteeFrame,
}

/// How a conversation stands when its process is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parting {
    /// Nothing shows that it is about to end, and it is not a fault if it does not.
    Hung,
    /// Its output or its input has ended: the end is described.
    Silent,
    /// Goodbye was said.
    Goodbye,
}

/// One conversation.
#[derive(Debug)]
pub(super) struct Talk {
    process: Process,
    ms: u64,
    clock: Clock,
    patience: Patience,
    /// What the clock showed when something was last sent or heard.
    progress: Duration,
    notes: Notes,
    noise: usize,
    /// Questions without a reply, with the receipts that are due; nothing where the check looks at those itself.
    open: BTreeMap<String, Option<BTreeMap<String, String>>>,
    settled: BTreeSet<String>,
    asked: Vec<String>,
    history: Vec<Entry>,
    /// What it has declared so far.
    ops: Declaration,
}

impl Talk {
    /// Where folders of cases are made; nothing where any place will do.
    pub(super) fn below(&self) -> Option<&Below> {
        self.process.below()
    }

    pub(super) fn start(setup: &Setup) -> Result<Self, StartError> {
        let Timing { clock, patience } = setup.launch.timing.clone();
        // Before it starts: a limit begins before the testee can have done anything.
        let progress = clock.now();
        Ok(Self {
            process: setup.launch.start(None)?,
            ms: setup.limits.case_ms,
            clock,
            patience,
            progress,
            notes: Notes::default(),
            noise: 0,
            open: BTreeMap::new(),
            settled: BTreeSet::new(),
            asked: Vec::new(),
            history: Vec::new(),
            ops: Declaration::default(),
        })
    }

    /// Greets as a run does.
    pub(super) fn greet(&mut self, setup: &Setup) -> Result<Introduction, Halt> {
        self.greet_with(greeting(setup), setup)
    }

    pub(super) fn greet_with(&mut self, greeting: Vec<u8>, setup: &Setup) -> Result<Introduction, Halt> {
        match self.first(greeting, setup, "hello")?.0 {
            TesteeFrame::Hello(introduction) => {
                self.ops.clone_from(&introduction.ops);
                Ok(*introduction)
            }
            TesteeFrame::Refuse { why } => {
                Err(Halt::Conduct(format!("it refuses the version that it is offered: {why}")))
            }
            other => Err(Halt::Conduct(format!("the first frame is {}, not hello", named(&other)))),
        }
    }

    /// Sends the first frame, and reads the reply for as long as a start may take.
    pub(super) fn first(
        &mut self,
        greeting: Vec<u8>,
        setup: &Setup,
        awaited: &str,
    ) -> Result<(TesteeFrame, Vec<u8>), Halt> {
        let started = self.progress;
        self.send(greeting);
        self.receive(started.saturating_add(Duration::from_millis(setup.limits.start_ms)), awaited)
    }

    pub(super) fn send(&mut self, frame: Vec<u8>) {
        self.progress = self.clock.now();
        self.process.send(frame);
    }

    /// Bytes as they are, with no line feed added.
    pub(super) fn send_part(&mut self, bytes: Vec<u8>) {
        self.progress = self.clock.now();
        self.process.send_part(bytes);
    }

    /// A question as a frame, which is expected to be answered once it is sent.
    pub(super) fn draw_up(&mut self, request: &Request) -> Result<Vec<u8>, Halt> {
        let digests = encode::digests(request);
        self.draw_up_with(request, &digests.clone(), Some(digests))
    }

    /// The same with digests that the caller gives.
    pub(super) fn draw_up_with(
        &mut self,
        request: &Request,
        stated: &BTreeMap<String, String>,
        owed: Option<BTreeMap<String, String>>,
    ) -> Result<Vec<u8>, Halt> {
        let id = format!("k-{:016x}", fastrand::u64(..));
        let spelled = Request { args: self.ops.spelled(&request.op, &request.args).into_owned(), ..request.clone() };
        let frame = encode::case(&id, &spelled, stated, self.ms).map_err(|error| Halt::Conduct(error.to_string()))?;
        self.asked.push(id.clone());
        self.open.insert(id, owed);
        Ok(frame)
    }

    /// Sends a question; gives the id under which the reply will come.
    pub(super) fn post(&mut self, request: &Request) -> Result<String, Halt> {
        let frame = self.draw_up(request)?;
        self.send(frame);
        Ok(self.asked.last().cloned().unwrap_or_default())
    }

    /// Puts one question and waits for its reply.
    pub(super) fn ask(&mut self, request: &Request) -> Result<TesteeFrame, Halt> {
        self.post(request)?;
        Ok(self.reply()?.frame)
    }

    /// How many questions have no reply yet.
    pub(super) fn outstanding(&self) -> usize {
        self.open.len()
    }

    /// The next reply to any question.
    pub(super) fn reply(&mut self) -> Result<Reply, Halt> {
        let deadline = self.soon();
        loop {
            let frame = self.receive(deadline, "the reply to a case")?.0;
            let (id, word) = match &frame {
                TesteeFrame::Answer(judged) => (judged.id.clone(), judged.is.word()),
                TesteeFrame::Fault { id, .. } => (id.clone(), "fault"),
                TesteeFrame::Unsupported { id, .. } => (id.clone(), "unsupported"),
                other => {
                    self.notes.frames.push(format!("{} came while a case was to be answered", named(other)));
                    continue;
                }
            };
            let Some(owed) = self.open.remove(&id) else {
                self.stray(&frame, &id);
                if self.settled.contains(&id) {
                    continue;
                }
                return Err(Halt::Conduct(format!("{} came, and nobody asked that", named(&frame))));
            };
            if let (TesteeFrame::Answer(judged), Some(owed)) = (&frame, owed) {
                self.receipt(judged, &owed);
            }
            self.notes.replies += 1;
            self.settled.insert(id.clone());
            self.history.push(Entry { id: id.clone(), word });
            return Ok(Reply { id, frame });
        }
    }

    fn stray(&mut self, frame: &TesteeFrame, id: &str) {
        let what = if self.settled.contains(id) { "a second time" } else { "and no such case was sent" };
        self.notes.ids.push(format!("{} came {what}", named(frame)));
    }

    fn receipt(&mut self, judged: &Judged, owed: &BTreeMap<String, String>) {
        match receipt(judged, owed) {
            Ok(()) => self.notes.receipted += 1,
            Err(message) => self.notes.receipts.push(message),
        }
    }

    /// Whether a ping comes back.
    pub(super) fn ping(&mut self, n: i64) -> Result<(), Halt> {
        self.send(encode::ping(n).unwrap_or_default());
        let deadline = self.soon();
        loop {
            match self.receive(deadline, "the pong to a ping")?.0 {
                TesteeFrame::Pong { n: back } if back == n => return Ok(()),
                TesteeFrame::Pong { n: back } => {
                    return Err(Halt::Conduct(format!("ping {n} is answered by pong {back}")));
                }
                other => self.unasked(&other),
            }
        }
    }

    /// Says goodbye and compares receipts. An answer that comes late shows here.
    pub(super) fn say_goodbye(&mut self) -> Result<(), Halt> {
        self.send(encode::bye().unwrap_or_default());
        let deadline = self.soon();
        loop {
            match self.receive(deadline, "bye")?.0 {
                TesteeFrame::Bye { served, chain } => {
                    self.notes.parted = (1, chain::owed(&self.history).0);
                    self.notes.goodbyes.extend(chain::differences(&self.history, &self.asked, served, &chain));
                    return Ok(());
                }
                other => self.unasked(&other),
            }
        }
    }

    fn unasked(&mut self, frame: &TesteeFrame) {
        match frame {
            TesteeFrame::Answer(Judged { id, .. })
            | TesteeFrame::Fault { id, .. }
            | TesteeFrame::Unsupported { id, .. } => {
                self.stray(frame, &id.clone());
            }
            other => self.notes.frames.push(format!("{} came unasked", named(other))),
        }
    }

    /// The next frame, with the line that it was.
    fn receive(&mut self, deadline: Duration, awaited: &str) -> Result<(TesteeFrame, Vec<u8>), Halt> {
        loop {
            match self.process.next_by(deadline, || false) {
                Event::Line(line) => match decode::read(&line) {
                    Ok(frame) => {
                        self.progress = self.clock.now();
                        return Ok((frame, line));
                    }
                    Err(why) => self.no_frame(&line, &why)?,
                },
                Event::Overlong(start) => {
                    let message = format!("a line is longer than limits.line: {}", quoted(&start));
                    self.notes.frames.push(message.clone());
                    return Err(Halt::Conduct(message));
                }
                Event::Unended(line) => {
                    self.notes.frames.push(format!("the output ends inside a line: {}", quoted(&line)));
                    return Err(Halt::Ended(awaited.to_owned()));
                }
                Event::Eof => return Err(Halt::Ended(awaited.to_owned())),
                Event::Expired => return Err(Halt::Expired(awaited.to_owned())),
            }
        }
    }

    /// Printed text is skipped; a faulty frame is what was waited for.
    fn no_frame(&mut self, line: &[u8], why: &str) -> Result<(), Halt> {
        /// Frames that cannot be skipped: nothing else would come in their place.
        const MEANT: [&str; 6] = ["hello", "answer", "unsupported", "fault", "pong", "bye"];
        let message = format!("{why}: {}", quoted(line));
        self.notes.frames.push(message.clone());
        self.noise += 1;
        let frame: Value = serde_json::from_slice(line).unwrap_or_default();
        let meant = frame.get("t").and_then(Value::as_str).is_some_and(|t| MEANT.contains(&t));
        if meant || self.noise > NOISE { Err(Halt::Conduct(message)) } else { Ok(()) }
    }

    /// Closes the input and takes every line until the output ends; `false` when that takes too long.
    pub(super) fn drain(&mut self) -> (Vec<Vec<u8>>, bool) {
        self.progress = self.clock.now();
        self.process.close_input();
        let (deadline, mut lines) = (self.soon(), Vec::new());
        loop {
            match self.process.next_by(deadline, || false) {
                Event::Line(line) if lines.len() < NOISE => lines.push(line),
                Event::Line(_) => {}
                Event::Overlong(line) | Event::Unended(line) => lines.push(line),
                Event::Eof => return (lines, true),
                Event::Expired => return (lines, false),
            }
        }
    }

    /// Ends it; after a goodbye it has to end by itself.
    pub(super) fn finish(self, parting: Parting) -> (Ended, Notes) {
        let Self { process, mut notes, ms, patience, .. } = self;
        let ended = process.finish(match parting {
            Parting::Hung => patience.grace,
            Parting::Silent | Parting::Goodbye => patience.ending(ms),
        });
        if parting == Parting::Goodbye {
            match ended.status {
                Some(status) if status.success() => {}
                Some(_) => notes.goodbyes.push(Difference {
                    observed: format!("after bye: {}", ended.described),
                    mistake: "exit with 0".to_owned(),
                }),
                None => notes.goodbyes.push(Difference {
                    observed: "after bye it does not end by itself".to_owned(),
                    mistake: "exit with 0 at once, whether or not the input is still open".to_owned(),
                }),
            }
        }
        (ended, notes)
    }

    fn soon(&self) -> Duration {
        self.progress.saturating_add(Duration::from_millis(self.ms))
    }
}

/// The first frame of a run.
pub(super) fn greeting(setup: &Setup) -> Vec<u8> {
    encode::hello(&setup.run, &setup.suite_sha256, &setup.limits).unwrap_or_default()
}
