//! The questions that wait for their answers.
//!
//! Contract: `contracts/interface/protocol.md`, Pipelining. An answer is accepted for a question that was asked and has
//! not been answered; anything else ends the session.

use std::collections::HashMap;

use super::session::named;
use crate::protocol::decode::TesteeFrame;

/// Questions on their way, by their opaque ids, each with what is kept of it.
#[derive(Debug)]
pub struct Flight<S> {
    outstanding: HashMap<String, S>,
    settled: HashMap<String, usize>,
    repeated: Option<usize>,
}

impl<S> Default for Flight<S> {
    fn default() -> Self {
        Self { outstanding: HashMap::new(), settled: HashMap::new(), repeated: None }
    }
}

impl<S: Placed> Flight<S> {
    /// A question that has been sent.
    pub fn sent(&mut self, id: String, sent: S) {
        self.outstanding.insert(id, sent);
    }

    /// The question that a frame answers: it is no longer outstanding.
    ///
    /// # Errors
    /// The frame answers no question that waits for one; the text says what it is.
    pub fn claim(&mut self, frame: &TesteeFrame) -> Result<S, String> {
        let id = match frame {
            TesteeFrame::Answer(judged) => &judged.id,
            TesteeFrame::Unsupported { id, .. } | TesteeFrame::Fault { id, .. } => id,
            other => return Err(format!("{} came unasked", named(other))),
        };
        if let Some((id, sent)) = self.outstanding.remove_entry(id) {
            self.settled.insert(id, sent.place());
            return Ok(sent);
        }
        self.repeated = self.settled.get(id).copied();
        let what = if self.repeated.is_some() { "a second time" } else { "to no question that was asked" };
        Err(format!("{} came {what}", named(frame)))
    }

    /// Questions that wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.outstanding.len()
    }

    /// Place of the case that was answered a second time.
    #[must_use]
    pub fn repeated(&self) -> Option<usize> {
        self.repeated
    }

    /// What is kept of the questions that wait.
    pub fn into_waiting(self) -> impl Iterator<Item = S> {
        self.outstanding.into_values()
    }
}

/// What is kept of a question tells which case it asks.
pub trait Placed {
    /// Place of the case in its batch.
    fn place(&self) -> usize;
}
