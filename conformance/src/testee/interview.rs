//! One question after the other, each chosen by the answers to those before it.
//!
//! Contract: `contracts/interface/protocol.md`, Who is to blame. A batch is known beforehand; here it is not. One
//! process is asked as long as it lives, and a question that breaks it is asked again in a process of its own,
//! and only that assigns blame.

use assize_corpus::vector::Case;

use super::{
    Child, Item, Response,
    engine::{attempt, begin, blamed, exchange},
    session::{Broken, Session},
};

/// A testee that is asked one question at a time.
#[derive(Debug)]
pub struct Interview<'t> {
    child: &'t Child,
    session: Option<Session>,
}

impl<'t> Interview<'t> {
    /// Nothing is started before the first question.
    #[must_use]
    pub fn new(child: &'t Child) -> Self {
        Self { child, session: None }
    }

    /// Asks the running process, or a new one.
    pub fn ask(&mut self, case: &Case) -> Response {
        if let Some(reason) = self.child.halted() {
            return Response::NotRun(reason);
        }
        let (item, ms) = (Item { case, alteration: None }, self.child.setup.limits.case_ms);
        let (mut session, fresh) = match self.session.take() {
            Some(session) => (session, false),
            None => match begin(self.child, &item, "interview") {
                Ok(session) => (session, true),
                Err(response) => return response,
            },
        };
        match exchange(self.child, &mut session, &item, ms) {
            Ok(response) => {
                self.session = Some(session);
                response
            }
            Err(broken) if fresh || broken == Broken::Interrupted => blamed(self.child, session, &item, broken),
            Err(broken) => {
                let (_, row, ended) = session.abandon(broken);
                self.child.log.session(row, &ended);
                self.child.log.count_end();
                attempt(self.child, &item, ms)
            }
        }
    }

    /// Asks a fresh process.
    pub fn ask_alone(&self, case: &Case) -> Response {
        attempt(self.child, &Item { case, alteration: None }, self.child.setup.limits.case_ms)
    }
}

impl Drop for Interview<'_> {
    fn drop(&mut self) {
        if let Some(session) = self.session.take() {
            self.child.log.closed(session.close(self.child.setup.limits.case_ms));
        }
    }
}
