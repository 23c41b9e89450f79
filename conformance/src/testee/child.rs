//! A testee in another process: what a runner knows of it.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use assize_corpus::vector::Case;
use assize_verifier::digest::Digest;

use super::{
    alter::{Alteration, Altered},
    log::Log,
    process::{Ended, StartError, Tap},
    session::{Broken, OpenError, Session, Setup, random_word},
    timing::Leap,
};
use crate::{
    clean::word,
    protocol::{
        Introduction,
        decode::{self, TesteeFrame},
    },
};

/// One question of a batch.
#[derive(Debug, Clone, Copy)]
pub struct Item<'c> {
    /// The case.
    pub case: &'c Case,
    /// How its answer is altered on the way; nothing outside controls.
    pub alteration: Option<&'c Alteration>,
}

/// A testee in another process.
#[derive(Debug)]
pub struct Child {
    pub(super) setup: Setup,
    /// What its sessions leave for the report.
    pub log: Arc<Log>,
    ids: Ids,
    /// What the first process said about itself: this binds every later one.
    declared: OnceLock<Introduction>,
    /// What is altered on its way; nothing outside controls.
    controls: Option<Controls>,
}

/// What controls add to a testee, shared with the tap of every session.
#[derive(Debug, Clone)]
struct Controls {
    /// Alterations by opaque id.
    planted: Arc<Mutex<HashMap<String, Plant>>>,
    /// Passes the time of answers that never come, or come late.
    leap: Leap,
}

/// An alteration that waits for its answer, and then that answer.
#[derive(Debug)]
struct Plant {
    altered: Altered,
    /// The line as the testee wrote it.
    original: Option<Vec<u8>>,
}

/// Opaque ids: the next one cannot be derived from all that were given out.
#[derive(Debug)]
struct Ids {
    secret: [u8; 16],
    count: AtomicU64,
}

impl Ids {
    fn new() -> std::io::Result<Self> {
        let mut secret = [0; 16];
        for half in secret.chunks_exact_mut(8) {
            half.copy_from_slice(&random_word()?.to_le_bytes());
        }
        Ok(Self { secret, count: AtomicU64::new(0) })
    }

    fn next(&self) -> String {
        let count = self.count.fetch_add(1, Ordering::Relaxed).to_le_bytes();
        let digest = Digest::of_parts([self.secret.as_slice(), &count]).to_hex();
        format!("k-{}", digest.get(..32).unwrap_or(&digest))
    }
}

/// The fewest ends that a control needs: an answer that never comes ends one process, then two that are asked alone.
const ENDS_OF_A_CONTROL: usize = 3;

/// Why a testee cannot be used at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unusable {
    /// What was observed.
    pub message: String,
    /// The end of what it wrote to standard error.
    pub stderr: String,
    /// Whether the system was short of what every start takes, so that nothing is said of the testee.
    pub short: bool,
}

impl Child {
    /// A testee that will be started as the setup says.
    ///
    /// # Errors
    /// The system gives no randomness for opaque ids.
    pub fn new(setup: Setup) -> std::io::Result<Self> {
        let (ids, declared) = (Ids::new()?, OnceLock::new());
        Ok(Self { setup, log: Arc::default(), ids, declared, controls: None })
    }

    /// The same testee with answers that can be altered on their way, and a log of its own. It gets as many ends as any
    /// run: one that only breaks in the controls must not be started for ever. `untimely` says that answers never come, or too
    /// late: nobody waits for that, since the clock of its limits leaps.
    ///
    /// # Errors
    /// As [`Child::new`].
    pub fn for_controls(&self, untimely: bool) -> std::io::Result<Self> {
        let mut setup = self.setup.clone();
        setup.limits.ends = setup.limits.ends.max(ENDS_OF_A_CONTROL);
        let (clock, leap) = setup.launch.timing.clock.leaping();
        setup.launch.timing.clock = clock;
        // An alteration of an answer's content ends no process. Where time is altered, an end may be the harness's own doing.
        let log = Arc::new(Log::of_controls(Arc::clone(&self.log), !untimely));
        let (controls, declared) = (Some(Controls { planted: Arc::default(), leap }), self.declared.clone());
        Ok(Self { controls, declared, log, ..Self::new(setup)? })
    }

    /// Starts one process, reads what it says about itself, and says goodbye.
    ///
    /// # Errors
    /// It cannot be used: the text says why.
    pub fn introduce(&self) -> Result<Introduction, Unusable> {
        let unusable = |message: String, ended: Option<Ended>| {
            let stderr = ended.map(|ended| {
                self.log.unopened(&ended);
                ended.stderr
            });
            Unusable { message, stderr: stderr.unwrap_or_default(), short: false }
        };
        match self.open("hello") {
            Ok(session) => {
                let introduction = session.introduction().clone();
                self.log.closed(session.close(self.setup.limits.case_ms));
                Ok(introduction)
            }
            Err(OpenError::Start(error @ StartError::Short(_))) => {
                Err(Unusable { message: error.to_string(), stderr: String::new(), short: true })
            }
            Err(OpenError::Start(error)) => Err(unusable(format!("{error}{}", self.sealed_off("")), None)),
            Err(OpenError::Refused(why, ended)) => Err(unusable(format!("the testee refuses: {why}"), Some(ended))),
            Err(OpenError::Broken(broken, ended)) => {
                let why = match broken {
                    Broken::Crash(_) => self.sealed_off(&ended.stderr),
                    _ => String::new(),
                };
                Err(unusable(format!("no session begins: {}{why}", broken.message()), Some(ended)))
            }
        }
    }

    /// Whether it is the seal that keeps a testee from its start, and what to do then: it is started once more with reading
    /// left open, asked nothing, and ended.
    fn sealed_off(&self, stderr: &str) -> String {
        let mut setup = self.setup.clone();
        let Some(seal) = setup.launch.seal.as_mut().filter(|seal| !seal.open) else { return String::new() };
        seal.open = true;
        let Ok(session) = Session::open(&setup, "hello", None) else { return String::new() };
        // Nothing of it counts: what it answered is not a testee's of this run.
        let _ = session.close(setup.limits.case_ms);
        // Who wants a key would name it in just this way.
        let wanted = self.setup.launch.wanted(stderr).map_or("PATH for each folder that it needs".to_owned(), |path| {
            format!("{} once you know what that is: the testee names it, and will read all of it", word(&path))
        });
        // Where files are named, the working folder is not part of it any more, and what lies there cannot be read.
        let own = match setup.launch.subject.named.as_slice() {
            [] => "",
            _ => {
                ", or --subject PATH for what is its own: beside the files that are named so, it reads none of its folder"
            }
        };
        format!(
            "; it starts when it may read everything, so that it is the seal that stops it: give --readable {wanted}{own}"
        )
    }

    /// Why nothing more is asked; nothing while the run goes on.
    pub(super) fn halted(&self) -> Option<String> {
        if self.stopped() {
            return Some("the run was broken off".to_owned());
        }
        if let Some(why) = self.log.short() {
            return Some(why);
        }
        let most = self.setup.limits.ends;
        (self.log.ends() >= most).then(|| {
            format!("{most} processes of the testee ended by crash, time-out or bad frame: the rest is not run")
        })
    }

    pub(super) fn stopped(&self) -> bool {
        self.setup.stop.load(Ordering::Relaxed)
    }

    pub(super) fn open(&self, purpose: &'static str) -> Result<Session, OpenError> {
        let opened = Session::open(&self.setup, purpose, self.tap());
        match &opened {
            Err(OpenError::Broken(Broken::Interrupted, ended)) => self.log.unopened(ended),
            Err(OpenError::Start(error @ StartError::Short(_))) => self.log.ran_short(error.to_string()),
            _ => {}
        }
        let session = opened?;
        if self.declared.get_or_init(|| session.introduction().clone()) == session.introduction() {
            return Ok(session);
        }
        let other = "its hello says something else than that of the first process of this run".to_owned();
        let (broken, _, ended) = session.abandon(Broken::Protocol(other));
        Err(OpenError::Broken(broken, ended))
    }

    /// An id that says nothing and comes once.
    pub(super) fn fresh_id(&self) -> String {
        self.ids.next()
    }

    pub(super) fn plant(&self, id: &str, case: &Case, alteration: &Alteration) {
        if let Some(Controls { planted, .. }) = &self.controls {
            let altered = Altered::new(case, alteration, self.setup.limits.case_ms);
            let plant = Plant { altered, original: None };
            planted.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), plant);
        }
    }

    /// What the testee said before it was altered; nothing where nothing was altered.
    pub(super) fn original(&self, id: &str) -> Option<Result<TesteeFrame, String>> {
        let planted = self.controls.as_ref()?.planted.lock().unwrap_or_else(PoisonError::into_inner);
        let line = planted.get(id)?.original.clone()?;
        drop(planted);
        Some(decode::read(&line))
    }

    /// Whether the testee itself answered everything that was to be altered: only then is what came of it the alteration's doing.
    pub(super) fn answered_all(&self) -> bool {
        let is_answer = |line: &Vec<u8>| matches!(decode::read(line), Ok(TesteeFrame::Answer(_)));
        self.controls.as_ref().is_none_or(|Controls { planted, .. }| {
            let planted = planted.lock().unwrap_or_else(PoisonError::into_inner);
            planted.values().all(|plant| plant.original.as_ref().is_some_and(is_answer))
        })
    }

    fn tap(&self) -> Option<Tap> {
        let Controls { planted, leap } = self.controls.clone()?;
        Some(Box::new(move |line| {
            let Some(id) = crate::testee::alter::id_of(&line) else { return vec![line] };
            let altered = planted.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&id).map(|plant| {
                plant.original = Some(line.clone());
                plant.altered.clone()
            });
            let Some(altered) = altered else { return vec![line] };
            let (after, lines) = altered.pass(&line);
            leap.by(after);
            lines
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_id_comes_twice_or_tells_the_next() {
        let (ids, others) = (Ids::new().unwrap(), Ids::new().unwrap());
        let word = |id: &str| u128::from_str_radix(id.strip_prefix("k-").unwrap(), 16).unwrap();
        let given: Vec<_> = (0..100).map(|_| ids.next()).chain((0..100).map(|_| others.next())).collect();
        assert_eq!(given.iter().collect::<BTreeSet<_>>().len(), given.len());
        let steps: BTreeSet<_> = given.windows(2).map(|pair| word(&pair[1]).wrapping_sub(word(&pair[0]))).collect();
        assert_eq!(steps.len(), given.len() - 1);
    }
}
