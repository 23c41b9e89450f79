//! A testee in another process: what a runner holds of it.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use assize_corpus::vector::Case;

use super::{
    Heard, Introduction, engine,
    log::Log,
    process::{Ended, Tap},
    session::{Broken, OpenError, Session, Setup, random_word},
};
use crate::control::alter::{Alteration, Altered};

/// One question on a docket.
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
    /// What its sessions leave behind.
    pub log: Log,
    ids: AtomicU64,
    /// What the first process said of itself.
    first: OnceLock<Introduction>,
    /// Alterations by opaque id, shared with the tap of every session; nothing outside controls.
    planted: Option<Planted>,
}

type Planted = Arc<Mutex<HashMap<String, Altered>>>;

/// Why a testee cannot be used at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unusable {
    /// What was observed.
    pub message: String,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}

impl Child {
    /// A testee that will be started as the setup says.
    ///
    /// # Errors
    /// The system gives no randomness for opaque ids.
    pub fn new(setup: Setup) -> std::io::Result<Self> {
        Ok(Self {
            setup,
            log: Log::default(),
            ids: AtomicU64::new(random_word()?),
            first: OnceLock::new(),
            planted: None,
        })
    }

    /// The same testee with answers that can be altered on their way, and a log of its own.
    ///
    /// # Errors
    /// As [`Child::new`].
    pub fn for_controls(&self, case_ms: Option<u64>) -> std::io::Result<Self> {
        let mut setup = self.setup.clone();
        setup.limits.case_ms = case_ms.map_or(setup.limits.case_ms, |ms| ms.min(setup.limits.case_ms));
        setup.limits.ends = usize::MAX;
        Ok(Self { planted: Some(Planted::default()), ..Self::new(setup)? })
    }

    /// Starts one process, hears what it says of itself, and says goodbye.
    ///
    /// # Errors
    /// It cannot be used: the text says why.
    pub fn introduce(&self) -> Result<Introduction, Unusable> {
        let unusable = |message: String, ended: Option<Ended>| {
            let stderr = ended.map(|ended| {
                self.log.unopened(&ended);
                ended.stderr
            });
            Unusable { message, stderr: stderr.unwrap_or_default() }
        };
        match self.open("hello") {
            Ok(session) => {
                let introduction = session.introduction().clone();
                self.log.closed(session.close(self.setup.limits.case_ms));
                Ok(introduction)
            }
            Err(OpenError::Start(error)) => Err(unusable(error.to_string(), None)),
            Err(OpenError::Refused(why)) => Err(unusable(format!("the testee refuses: {why}"), None)),
            Err(OpenError::Broken(broken, ended)) => {
                Err(unusable(format!("no session begins: {}", broken.message()), Some(ended)))
            }
        }
    }

    /// Puts a docket to one process, or to as many after it as it takes. Every place is heard; the last time decides.
    pub fn put(&self, docket: &[Item<'_>], purpose: &'static str, hear: &mut dyn FnMut(usize, Heard)) {
        engine::put(self, docket, purpose, hear);
    }

    /// Why nothing more is asked; nothing while the run goes on.
    pub(super) fn halted(&self) -> Option<String> {
        if self.stopped() {
            return Some("the run was broken off".to_owned());
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
            Err(_) => {}
            // What the first process declared binds; one that says something else is another testee.
            Ok(session) if self.first.get_or_init(|| session.introduction().clone()) != session.introduction() => {
                let message = "a process says something else of itself than the first one did".to_owned();
                self.log.fault("protocol", message, Vec::new(), String::new());
            }
            Ok(_) => {}
        }
        opened
    }

    /// An id that says nothing and comes once.
    pub(super) fn fresh_id(&self) -> String {
        // The multiplier is odd, so that counting through all words visits each once.
        let count = self.ids.fetch_add(1, Ordering::Relaxed);
        format!("k-{:016x}", count.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(super) fn plant(&self, id: &str, case: &Case, alteration: &Alteration) {
        if let Some(planted) = &self.planted {
            let altered = Altered::new(case, alteration, self.setup.limits.case_ms);
            planted.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), altered);
        }
    }

    fn tap(&self) -> Option<Tap> {
        let planted = Arc::clone(self.planted.as_ref()?);
        Some(Box::new(move |line| {
            let Some(id) = crate::control::alter::id_of(&line) else { return vec![line] };
            let altered = planted.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned();
            altered.map_or_else(|| vec![line.clone()], |altered| altered.pass(&line))
        }))
    }
}
