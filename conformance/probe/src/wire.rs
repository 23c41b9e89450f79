//! What a probe needs of a running server. Nothing here starts a process or reads a clock: whoever asks hands both in.

use crate::rules::Rule;

/// What came from a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A complete line, without its line feed.
    Line(Vec<u8>),
    /// A line longer than is taken; nothing is read after it.
    Overlong,
    /// The output has ended, inside a line or after one.
    End,
    /// Nothing came in time.
    Expired,
    /// Nothing comes to what was asked last, in words; the server may be asked further.
    Refused(String),
    /// A transport breaks a rule of its own.
    Breach(Breach),
    /// The probe is to end, and nothing is waited for any more.
    Stopped,
}

/// What is wrong with how messages are carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    pub(crate) rule: Rule,
    pub(crate) message: String,
}

/// A running server, at the other end of two pipes or of a connection.
pub trait Wire {
    /// Hands over a line without its line feed. Waits no longer than for an answer, and says nothing of a server that reads no more: that
    /// shows in what comes.
    fn send(&mut self, line: &[u8]);

    /// The next event; waits until the time of the question is up, at most.
    fn next(&mut self) -> Event;

    /// A question is asked: its time begins.
    fn begin(&mut self);

    /// A revision is agreed on.
    fn agreed(&mut self, _revision: &str) {}

    /// Closes the input, waits for the end, and says how it ended and what stood last on standard error.
    fn end(self: Box<Self>) -> Ended;
}

/// How a server ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ended {
    /// In words.
    pub how: String,
    /// The end of standard error.
    pub stderr: String,
    /// Processes that it left behind.
    pub orphans: Vec<String>,
    /// What its transport broke at the end.
    pub breaches: Vec<Breach>,
}

/// Starts servers.
pub trait Start {
    /// A new one, in a state of its own.
    ///
    /// # Errors
    /// If none can be started; the text says why.
    fn start(&mut self) -> Result<Box<dyn Wire>, String>;

    /// Whether the probe is to end.
    fn stopped(&self) -> bool {
        false
    }

    /// Whether servers are behind HTTP, and have no standard output.
    fn is_http(&self) -> bool {
        false
    }

    /// How long a wait for an answer lasts, in words; the first of a process may last longer.
    fn patience(&self, first: bool) -> String;
}
