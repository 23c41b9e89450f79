//! What the author of a shim has got wrong: every rule of ATP/1 that can be tried, tried on its own and explained.
//!
//! Contract: `contracts/interface/protocol.md`. [`examine`] talks to a testee as a harness does and as a careless one
//! would: it stalls, sends nonsense, leaves documents out. Each [`Check`] says what was observed and what to change. A
//! testee in which every check holds speaks the protocol; whether it obeys the laws is for a run to find out, since only
//! one case of each operation is asked here.

mod chain;
mod conduct;
mod ending;
mod handshake;
mod questions;
mod sample;
mod talk;

use assize_corpus::{
    disk::{Below, Scratch},
    vector::Corpus,
};
use serde::Serialize;

use self::{
    sample::Sample,
    talk::{Halt, Notes, Parting, Talk},
};
use crate::{
    exit::Exit,
    protocol::{Declaration, Introduction, Named},
    testee::{Setup, StartError},
};

/// Everything that was found out about a testee.
#[derive(Debug, Clone, Serialize)]
pub struct Diagnosis {
    /// Name of this contract.
    pub contract: &'static str,
    /// How the command ends.
    pub exit_code: u8,
    /// Who answered; nothing when it never said hello.
    pub testee: Option<Patient>,
    /// Every check, in the order in which they were made.
    pub checks: Vec<Check>,
    /// The end of what a testee that cannot be used wrote to standard error.
    pub stderr: String,
    /// The same as `exit_code`, typed.
    #[serde(skip)]
    pub exit: Exit,
}

/// The testee, as it introduced itself.
#[derive(Debug, Clone, Serialize)]
pub struct Patient {
    /// The implementation.
    #[serde(flatten)]
    pub testee: Named,
    /// Its language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// What stands in front of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shim: Option<Named>,
    /// What it declares.
    pub ops: Declaration,
    /// How many cases may be outstanding.
    pub in_flight: usize,
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// The rule of the protocol that it rests on.
    pub rule: u8,
    /// What came of it.
    pub state: State,
    /// What was observed; the reason where it was skipped.
    pub observed: Vec<String>,
    /// Why the rule matters.
    pub why: &'static str,
    /// What to change in the shim; nothing where all is well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remedy: Vec<String>,
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The rule holds.
    Holds,
    /// No rule is broken, but this is probably not intended.
    Warning,
    /// The rule is broken.
    Broken,
    /// The check was not made.
    Skipped,
}

impl State {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Warning => "warning",
            Self::Broken => "broken",
            Self::Skipped => "skipped",
        }
    }
}

impl Diagnosis {
    /// How many checks ended in this state.
    #[must_use]
    pub fn count(&self, state: State) -> usize {
        self.checks.iter().filter(|check| check.state == state).count()
    }
}

/// What a check finds, before it has a name.
#[derive(Debug)]
struct Finding {
    state: State,
    observed: Vec<String>,
    remedy: Vec<String>,
    /// Whether the system was short of something, so that nothing is said of the testee.
    short: bool,
}

impl Finding {
    fn holds(observed: impl Into<String>) -> Self {
        Self { state: State::Holds, observed: vec![observed.into()], remedy: Vec::new(), short: false }
    }

    fn warning(observed: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { state: State::Warning, remedy: vec![remedy.into()], ..Self::holds(observed) }
    }

    fn broken(observed: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { state: State::Broken, ..Self::warning(observed, remedy) }
    }

    fn skipped(reason: impl Into<String>) -> Self {
        Self { state: State::Skipped, ..Self::holds(reason) }
    }

    /// No process was started: that is the testee's fault unless the system had none to give.
    fn unstarted(error: &StartError, remedy: impl Into<String>) -> Self {
        match error {
            StartError::Short(_) => Self { short: true, ..Self::skipped(error.to_string()) },
            _ => Self::broken(error.to_string(), remedy),
        }
    }

    /// Broken by everything in the list; holds when it is empty.
    fn unless(troubles: &[String], holds: impl Into<String>, remedy: &str) -> Self {
        /// A rule that is broken a hundred times is broken once.
        const SHOWN: usize = 5;
        if troubles.is_empty() {
            return Self::holds(holds);
        }
        let mut observed: Vec<_> = troubles.iter().take(SHOWN).cloned().collect();
        if let Some(rest) = troubles.len().checked_sub(SHOWN).filter(|rest| *rest > 0) {
            observed.push(format!("and {rest} more"));
        }
        Self { observed, ..Self::broken("", remedy) }
    }
}

/// A check before it was made.
struct Topic {
    name: &'static str,
    rule: u8,
    why: &'static str,
    make: fn(&mut Clinic<'_>) -> Finding,
}

/// Checks that begin a process of their own, then those that look back on all of them.
const TOPICS: [&[Topic]; 4] = [handshake::TOPICS, questions::TOPICS, conduct::TOPICS, ending::TOPICS];

/// Where checks are made.
struct Clinic<'s> {
    setup: &'s Setup,
    introduction: Introduction,
    sample: &'s Sample<'s>,
    /// Where folders of cases are made; nothing where any place will do.
    below: Option<&'s Below>,
    /// What all conversations have shown besides what they were about.
    notes: Notes,
    /// Waits for something that never came.
    expired: usize,
}

impl Clinic<'_> {
    /// After this many futile waits the rest is skipped: a testee that hangs must not hold up its author for minutes.
    const PATIENCE: usize = 3;

    /// A process that has said hello.
    fn open(&mut self) -> Result<Talk, Finding> {
        if self.expired >= Self::PATIENCE {
            let reason = format!("{} waits came to nothing already: mend what hangs first", self.expired);
            return Err(Finding::skipped(reason));
        }
        let mut talk = Talk::start(self.setup)
            .map_err(|error| Finding::unstarted(&error, "make it start as often as it is asked to"))?;
        match talk.greet(self.setup) {
            Ok(_) => Ok(talk),
            Err(halt) => Err(self.halted(talk, &halt, "say hello each time it is started, whatever ran before")),
        }
    }

    /// Talks with a fresh process, says goodbye, and takes note of both.
    fn converse(&mut self, remedy: &str, tell: impl FnOnce(&mut Talk) -> Result<Finding, Halt>) -> Finding {
        let mut talk = match self.open() {
            Ok(talk) => talk,
            Err(finding) => return finding,
        };
        let outcome = tell(&mut talk).and_then(|finding| talk.say_goodbye().map(|()| finding));
        match outcome {
            Ok(finding) => {
                let (ended, notes) = talk.finish(Parting::Goodbye);
                self.take(notes, ended.orphans);
                finding
            }
            Err(halt) => self.halted(talk, &halt, remedy),
        }
    }

    /// Ends a conversation that failed.
    fn halted(&mut self, talk: Talk, halt: &Halt, remedy: &str) -> Finding {
        let (ended, notes) = talk.finish(halt.parting());
        // A process that closes its output and keeps running was waited for as well.
        let waited = matches!(halt, Halt::Expired(_)) || matches!(halt, Halt::Ended(_)) && ended.status.is_none();
        self.expired += usize::from(waited);
        self.take(notes, ended.orphans.clone());
        let mut finding = Finding::broken(halt.described(&ended), remedy);
        if let Some(last) = ended.stderr.lines().rfind(|line| !line.trim().is_empty()) {
            finding.observed.push(format!("the last line on its standard error: {last}"));
        }
        finding
    }

    fn take(&mut self, notes: Notes, orphans: Vec<String>) {
        self.notes.add(notes);
        self.notes.children.extend(orphans);
    }
}

/// Runs every check. `watch` gets the name of each before it is made.
#[must_use]
pub fn examine(setup: &Setup, corpus: &Corpus, watch: &dyn Fn(&'static str)) -> Diagnosis {
    watch(handshake::HELLO.name);
    let (first, met, notes, stderr) = handshake::meet(setup);
    let mut short = first.short;
    let mut checks = vec![named(&handshake::HELLO, first)];
    let topics = TOPICS.into_iter().flatten();
    let Some(introduction) = met else {
        checks.extend(topics.map(|topic| named(topic, Finding::skipped("nothing can be tried before hello"))));
        return diagnosis(None, checks, stderr, if short { Exit::NoAnswer } else { Exit::Testee });
    };
    let sample = Sample::of(corpus, &introduction.ops, &introduction.capabilities);
    // A case is laid out before its process begins, so that a sealed testee must be let into a folder of this process.
    let shared = Scratch::new().and_then(|folder| {
        let path = folder.path().canonicalize()?;
        Ok((folder, Below { here: path.clone(), there: path }))
    });
    let mut setup = setup.clone();
    if let (Some(seal), Ok((_, below))) = (&mut setup.launch.seal, &shared) {
        seal.writable.push(below.there.clone());
    }
    let below = shared.as_ref().ok().map(|(_, below)| below);
    let mut clinic = Clinic { setup: &setup, introduction, sample: &sample, below, notes, expired: 0 };
    for topic in topics {
        watch(topic.name);
        let finding = (topic.make)(&mut clinic);
        short |= finding.short;
        checks.push(named(topic, finding));
    }
    let broken = checks.iter().any(|check| check.state == State::Broken);
    let Introduction { testee, lang, shim, ops, in_flight, .. } = clinic.introduction;
    let exit = if broken { Exit::Violates } else { Exit::Conforms };
    let exit = if short { exit.or(Exit::NoAnswer) } else { exit };
    diagnosis(Some(Patient { testee, lang, shim, ops, in_flight }), checks, String::new(), exit)
}

fn named(topic: &Topic, finding: Finding) -> Check {
    let Finding { state, observed, remedy, short: _ } = finding;
    Check { name: topic.name, rule: topic.rule, state, observed, why: topic.why, remedy }
}

fn diagnosis(testee: Option<Patient>, checks: Vec<Check>, stderr: String, exit: Exit) -> Diagnosis {
    Diagnosis { contract: "assize-diagnosis/v1", exit_code: exit.code(), testee, checks, stderr, exit }
}
