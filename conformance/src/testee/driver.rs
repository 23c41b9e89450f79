//! The one way in which a runner asks, whichever testee answers.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use assize_corpus::{testee::Answer, trial::Posed, vector::Case};
use serde::{Deserialize, Serialize};

use super::{
    Child, Item, Response, Unusable,
    alter::{Alteration, Altered},
    engine,
};
use crate::protocol::{
    self, Introduction,
    decode::{self, TesteeFrame},
};

/// How a testee is reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransportKind {
    /// The built-in verifier, called.
    #[default]
    InProcess,
    /// A child process over ATP/1.
    Process,
}

/// A testee, as a runner asks it.
pub trait Driver: Sync {
    /// How it is reached.
    fn kind(&self) -> TransportKind;

    /// What it says about itself.
    ///
    /// # Errors
    /// It cannot be used at all.
    fn introduce(&self) -> Result<Introduction, Unusable>;

    /// Runs a batch, in its order, on one process or thread. Every place gets a response, with the time that counted against
    /// the limit of the case; the last one decides.
    fn run(&self, batch: &[Item<'_>], purpose: &'static str, respond: &mut dyn FnMut(usize, Response, Duration));

    /// The same testee for controls: answers can be altered on their way, and no end of a process counts. `untimely` says that it is
    /// their time that is altered.
    ///
    /// # Errors
    /// The system gives no randomness for opaque ids.
    fn tapped(&self, untimely: bool) -> io::Result<Box<dyn Driver + '_>>;
}

impl Driver for Child {
    fn kind(&self) -> TransportKind {
        TransportKind::Process
    }

    fn introduce(&self) -> Result<Introduction, Unusable> {
        self.introduce()
    }

    fn run(&self, batch: &[Item<'_>], purpose: &'static str, respond: &mut dyn FnMut(usize, Response, Duration)) {
        engine::run(self, batch, purpose, respond);
    }

    fn tapped(&self, untimely: bool) -> io::Result<Box<dyn Driver + '_>> {
        Ok(Box::new(self.for_controls(untimely)?))
    }
}

/// The verifier in this process.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// Set when the run is to be interrupted.
    pub stop: &'static AtomicBool,
}

impl Driver for BuiltIn {
    fn kind(&self) -> TransportKind {
        TransportKind::InProcess
    }

    fn introduce(&self) -> Result<Introduction, Unusable> {
        Ok(Introduction::built_in())
    }

    fn run(&self, batch: &[Item<'_>], _: &'static str, respond: &mut dyn FnMut(usize, Response, Duration)) {
        for (place, item) in batch.iter().enumerate() {
            if self.stop.load(Ordering::Relaxed) {
                respond(place, Response::NotRun("the run was broken off".to_owned()), Duration::ZERO);
                continue;
            }
            let mut took = Duration::ZERO;
            let response = Posed::new(item.case).and_then(|mut posed| {
                let began = Instant::now();
                let answer = posed.answer();
                took = began.elapsed();
                match item.alteration.map(|alteration| altered(item.case, alteration, &answer)) {
                    None => posed.observed(answer).map(Response::Answer),
                    Some(Response::Answer(answer)) => posed.observed(answer).map(Response::Answer),
                    Some(other) => Ok(other),
                }
            });
            respond(place, response.unwrap_or_else(|error| Response::unasked(&error)), took);
        }
    }

    fn tapped(&self, _: bool) -> io::Result<Box<dyn Driver + '_>> {
        Ok(Box::new(*self))
    }
}

/// The answer as it would travel, altered on its way.
fn altered(case: &Case, alteration: &Alteration, answer: &Answer) -> Response {
    let line = protocol::line("k", answer).unwrap_or_default();
    let (_, lines) = Altered::new(case, alteration, 0).pass(&line);
    match lines.first().map(|line| decode::read(line)) {
        Some(Ok(TesteeFrame::Answer(judged))) => Response::Answer(judged.into_answer(&case.op)),
        Some(_) => Response::Protocol("no answer frame".to_owned()),
        None => Response::Timeout("no answer".to_owned()),
    }
}
