//! The one way in which a runner asks, whoever answers.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering},
};

use assize_corpus::{
    handler::InProcess,
    testee::{Answer, Testee as _},
    trial::Series,
    vector::Case,
};
use serde::{Deserialize, Serialize};

use super::{
    Child, Heard, Item, Unusable,
    alter::{Alteration, Altered},
    engine::{self, rootless},
};
use crate::atp::{
    self, Introduction,
    hear::{self, Said},
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

/// Whoever can be asked.
pub trait Bench: Sync {
    /// How it is reached.
    fn kind(&self) -> TransportKind;

    /// What it says of itself.
    ///
    /// # Errors
    /// It cannot be used at all.
    fn introduce(&self) -> Result<Introduction, Unusable>;

    /// Puts a docket, in its order, to one process or thread. Every place is heard; the last time decides.
    fn put(&self, docket: &[Item<'_>], purpose: &'static str, hear: &mut dyn FnMut(usize, Heard));

    /// The same testee for controls: answers can be altered on their way, no end of a process counts, and an answer has
    /// this time, if one is given and shorter than that of the run.
    ///
    /// # Errors
    /// The system gives no randomness for opaque ids.
    fn tapped(&self, case_ms: Option<u64>) -> io::Result<Box<dyn Bench + '_>>;
}

impl Bench for Child {
    fn kind(&self) -> TransportKind {
        TransportKind::Process
    }

    fn introduce(&self) -> Result<Introduction, Unusable> {
        self.introduce()
    }

    fn put(&self, docket: &[Item<'_>], purpose: &'static str, hear: &mut dyn FnMut(usize, Heard)) {
        engine::put(self, docket, purpose, hear);
    }

    fn tapped(&self, case_ms: Option<u64>) -> io::Result<Box<dyn Bench + '_>> {
        Ok(Box::new(self.for_controls(case_ms)?))
    }
}

/// The verifier in this process.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// Set when the run is to be broken off.
    pub stop: &'static AtomicBool,
}

impl Bench for BuiltIn {
    fn kind(&self) -> TransportKind {
        TransportKind::InProcess
    }

    fn introduce(&self) -> Result<Introduction, Unusable> {
        Ok(Introduction::built_in())
    }

    fn put(&self, docket: &[Item<'_>], _: &'static str, hear: &mut dyn FnMut(usize, Heard)) {
        // The verifier writes nothing, so its cases can take turns in one folder.
        let mut series = Series::default();
        for (place, item) in docket.iter().enumerate() {
            if self.stop.load(Ordering::Relaxed) {
                hear(place, Heard::NotRun("the run was broken off".to_owned()));
                continue;
            }
            let heard = series.put(item.case, |prepared| {
                let mut answer = InProcess.answer(&prepared.request);
                if let Some(folder) = &prepared.folder {
                    rootless(&mut answer, folder);
                }
                match item.alteration {
                    Some(alteration) => altered(item.case, alteration, &answer),
                    None => Heard::Answer(answer),
                }
            });
            hear(place, heard.unwrap_or_else(|error| Heard::unasked(&error)));
        }
    }

    fn tapped(&self, _: Option<u64>) -> io::Result<Box<dyn Bench + '_>> {
        Ok(Box::new(*self))
    }
}

/// The answer as it would travel, altered on its way.
fn altered(case: &Case, alteration: &Alteration, answer: &Answer) -> Heard {
    let line = atp::line("k", answer).unwrap_or_default();
    let mut lines = Altered::new(case, alteration, 0).pass(&line).into_iter();
    match lines.next().map(|line| hear::read(&line)) {
        Some(Ok(Said::Answer(judged))) => Heard::Answer(judged.into_answer(&case.op)),
        Some(_) => Heard::Protocol("no answer frame".to_owned()),
        None => Heard::Timeout("no answer".to_owned()),
    }
}
