//! The three pipes of a process, each with a thread of its own, so that neither side ever waits for the other.
//!
//! No thread is ever joined: one that waits for a process that cannot be ended must not hold up the harness. Each ends by
//! itself when its pipe closes or its receiver is gone.

use std::{
    convert::Infallible,
    io::{self, BufReader, Read as _, Write as _},
    mem,
    process::{ChildStderr, ChildStdin, ChildStdout},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, Sender, SyncSender},
    },
    thread,
    time::Duration,
};

use super::{Clock, Event, Tap, lines::next_line, ring::Ring};

/// How much is read at a time, and written if there is that much.
const CHUNK: usize = 256 << 10;
/// Lines that are handed over at a time.
const BATCH: usize = 1024;
/// Batches that wait for the harness; then the reader waits, and after it the testee.
const WAITING: usize = 4;

/// What the reader hands over.
#[derive(Debug)]
pub(super) enum Received {
    /// Complete lines, and what the clock showed when they were there; none where a tap has kept one.
    Lines(Vec<Vec<u8>>, Duration),
    /// The last event. The pipe comes with it: closed at once, it would end the testee with a signal before anybody has looked.
    End(Event, Duration, ChildStdout),
}

/// Starts a thread that splits the output at line feeds.
pub(super) fn reader(
    stdout: ChildStdout,
    limit: usize,
    tap: Option<Tap>,
    clock: Clock,
) -> io::Result<Receiver<Received>> {
    let (out, received) = mpsc::sync_channel(WAITING);
    thread::Builder::new().name("testee stdout".to_owned()).spawn(move || read(stdout, limit, tap, &clock, &out))?;
    Ok(received)
}

fn read(stdout: ChildStdout, limit: usize, mut tap: Option<Tap>, clock: &Clock, out: &SyncSender<Received>) {
    let mut input = BufReader::with_capacity(CHUNK, stdout);
    let mut batch = Vec::new();
    let mut dropped = false;
    let end = loop {
        // Nothing is held back while the testee is waited for, or where a tap lets time pass. Of a line that the tap keeps nothing comes
        // but the news that it is so late by now.
        let due = tap.is_some() || batch.len() >= BATCH || !input.buffer().contains(&b'\n');
        let news = !batch.is_empty() || mem::take(&mut dropped);
        if due && news && out.send(Received::Lines(mem::take(&mut batch), clock.now())).is_err() {
            return;
        }
        match next_line(&mut input, limit) {
            Event::Line(line) => match &mut tap {
                Some(tap) => {
                    batch.extend(tap(line));
                    dropped = batch.is_empty();
                }
                None => batch.push(line),
            },
            end => break end,
        }
    };
    let now = clock.now();
    if batch.is_empty() || out.send(Received::Lines(batch, now)).is_ok() {
        // Without a receiver the pipe closes here.
        let _ = out.send(Received::End(end, now, input.into_inner()));
    }
}

/// Starts a thread that writes frames; the input of the testee closes after the last of them when the sender is dropped.
pub(super) fn writer(stdin: ChildStdin) -> io::Result<Sender<Vec<u8>>> {
    let (frames, queue) = mpsc::channel();
    thread::Builder::new().name("testee stdin".to_owned()).spawn(move || write(stdin, &queue))?;
    Ok(frames)
}

fn write(mut stdin: ChildStdin, queue: &Receiver<Vec<u8>>) {
    let mut buffer = Vec::new();
    while let Ok(frame) = queue.recv() {
        buffer.clear();
        buffer.extend_from_slice(&frame);
        while buffer.len() < CHUNK
            && let Ok(frame) = queue.try_recv()
        {
            buffer.extend_from_slice(&frame);
        }
        // A testee that no longer reads is about to end, or ends the session by its silence.
        if stdin.write_all(&buffer).is_err() {
            return;
        }
    }
}

/// The end of what a process writes to standard error.
#[derive(Debug)]
pub(super) struct Tail {
    ring: Arc<Mutex<Ring>>,
    /// Sends nothing; is dropped when everything is read.
    all: Receiver<Infallible>,
}

impl Tail {
    /// Starts a thread that reads everything, so that a testee that floods is never held up.
    pub(super) fn of(mut stderr: ChildStderr) -> io::Result<Self> {
        let ring = Arc::new(Mutex::new(Ring::default()));
        let (reading, all) = mpsc::channel();
        let kept = Arc::clone(&ring);
        thread::Builder::new().name("testee stderr".to_owned()).spawn(move || {
            let _reading: Sender<Infallible> = reading;
            let mut chunk = vec![0; CHUNK];
            loop {
                match stderr.read(&mut chunk) {
                    Ok(0) => return,
                    Ok(length) => {
                        let chunk = chunk.get(..length).unwrap_or_default();
                        kept.lock().unwrap_or_else(PoisonError::into_inner).push(chunk);
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => return,
                }
            }
        })?;
        Ok(Self { ring, all })
    }

    /// The text, once everything is read or the wait is over.
    pub(super) fn text(&self, patience: Duration) -> String {
        let _ = self.all.recv_timeout(patience);
        self.ring.lock().unwrap_or_else(PoisonError::into_inner).text()
    }
}
