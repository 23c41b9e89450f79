//! On systems without a table of processes to search, only the group of a session is ended.

use std::{
    io,
    process::{Child, Command},
    time::Duration,
};

use super::{Clock, Patience, Stop};

/// Nobody's children can be told from others.
pub fn start_nothing_else() {}

pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

pub(super) fn forget(_: &Child) {}

/// Nothing is known about them.
#[derive(Debug)]
pub(super) struct Descendants;

impl Descendants {
    pub(super) fn of(_: &Child, _: String) -> Self {
        Self
    }

    pub(super) fn without_strays(self) -> Self {
        self
    }

    pub(super) fn settle(&mut self, _: Patience, _: Stop) {}

    /// Whether it rests is not known here.
    pub(super) fn await_end(
        &mut self,
        grace: Duration,
        patience: Patience,
        has_ended: impl FnMut() -> bool,
        stop: Stop,
    ) {
        let mut has_ended = has_ended;
        Clock::default().within(grace.min(patience.busy), || has_ended() || stop.is_set());
    }

    pub(super) fn sweep(&mut self) {}

    pub(super) fn note(&mut self, _: bool) {}

    pub(super) fn end(self, _: bool, _: Patience) -> Vec<String> {
        Vec::new()
    }
}
