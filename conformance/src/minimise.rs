//! From a disagreement to the smallest input that shows it.
//!
//! Contract: `contracts/interface/protocol.md`, Outcomes and Clocks. One question is asked of the verifier in this
//! process and to a testee in another; while the two disagree in the same way ([`Signature`]), the question is made
//! smaller. Which of the two is right is not asked here, and nothing of what either says becomes an expectation: a
//! [`skeleton`] leaves that empty. The verifier is given no time limit; the testee has its own.

mod draft;
pub mod input;
pub(crate) mod shrink;
mod signature;
pub mod skeleton;
mod tree;

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use assize_corpus::{testee::Answer, vector::Case};
use thiserror::Error;

pub use signature::{Place, Signature, Way};

use crate::testee::{BuiltIn, Child, Driver as _, Interview, Item, Response, Unusable};
use shrink::Reply;

/// How far shrinking may go.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Questions to the testee.
    pub questions: usize,
    /// Time for all of them together.
    pub time: Duration,
}

/// What is known while it goes on.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// Questions so far.
    pub questions: usize,
    /// Bytes of the smallest input so far.
    pub size: usize,
}

/// Why shrinking ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// No step makes it any smaller.
    Smallest,
    /// The questions or the time were used up.
    Bounds,
    /// It was interrupted.
    Stopped,
}

impl Ending {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Smallest => "smallest",
            Self::Bounds => "bounds",
            Self::Stopped => "stopped",
        }
    }
}

/// A disagreement and the smallest question found that shows it.
#[derive(Debug)]
pub struct Minimised {
    /// How the two sides disagree.
    pub signature: Signature,
    /// The question.
    pub case: Case,
    /// What the verifier says to it.
    pub ours: Answer,
    /// What the testee says to it.
    pub theirs: Response,
    /// Bytes of the input as it was, names included.
    pub before: usize,
    /// Bytes of the smallest.
    pub after: usize,
    /// Questions that the testee was asked.
    pub questions: usize,
    /// Why it is not smaller.
    pub ending: Ending,
}

/// What came of it.
#[derive(Debug)]
pub enum Outcome {
    /// Both sides give the same answer.
    Agree(Answer),
    /// They disagree.
    Disagree(Box<Minimised>),
}

/// Why nothing can be said.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MinimiseError {
    /// The testee cannot be used.
    #[error("{0}")]
    Unusable(#[from] Unusable),
    /// The testee does not declare what is asked.
    #[error("the testee declares no answer to this question: {0}")]
    Undeclared(String),
    /// The same question gets different answers.
    #[error("the testee is not deterministic: {0}")]
    Unstable(&'static str),
    /// The question cannot be asked, or the run was interrupted before it was.
    #[error("the question was not put: {0}")]
    Unasked(String),
}

/// Makes the question of a case smaller while verifier and testee disagree in the same way.
///
/// # Errors
/// The testee cannot be used or is not deterministic, or the question cannot be asked.
pub fn minimise(
    case: &Case,
    child: &Child,
    stop: &'static AtomicBool,
    bounds: Bounds,
    watch: &dyn Fn(Step),
) -> Result<Outcome, MinimiseError> {
    let began = Instant::now();
    let introduction = child.introduce()?;
    if let Some(lack) = introduction.ops.lacks(case) {
        return Err(MinimiseError::Undeclared(lack));
    }
    let mut interview = Interview::new(child);
    let (ours, theirs) = (verifier(case, stop)?, interview.ask(case));
    unasked(&theirs)?;
    if !alike(&theirs, &interview.ask(case)) {
        return Err(MinimiseError::Unstable("asked twice in one process, it answers the same question differently"));
    }
    if !alike(&theirs, &interview.ask_alone(case)) {
        return Err(MinimiseError::Unstable("a process of its own answers the same question differently"));
    }
    let Some(signature) = Signature::of(&ours, &theirs) else {
        return Ok(Outcome::Agree(ours));
    };
    let before = shrink::size(case);
    let (mut questions, mut least, mut ending) = (0, before, Ending::Smallest);
    let mut said = (ours, theirs);
    let smallest = shrink::shrink(case, &mut |candidate, size| {
        if stop.load(Ordering::Relaxed) {
            return Reply::Stop;
        }
        if questions >= bounds.questions || began.elapsed() >= bounds.time {
            ending = Ending::Bounds;
            return Reply::Stop;
        }
        questions += 1;
        let shown = shown(&signature, candidate, &mut interview, stop);
        let reply = if shown.is_some() { Reply::Kept } else { Reply::Lost };
        if let Some(shown) = shown {
            (said, least) = (shown, size);
        }
        watch(Step { questions, size: least });
        reply
    });
    let confirmed = (!stop.load(Ordering::Relaxed)).then(|| interview.ask_alone(&smallest.case));
    // Interrupted, even just now: the smallest is kept, even if it was not asked of a fresh process.
    if stop.load(Ordering::Relaxed) {
        ending = Ending::Stopped;
    } else if confirmed.is_none_or(|theirs| !alike(&said.1, &theirs)) {
        return Err(MinimiseError::Unstable("a process of its own answers the smaller question differently"));
    }
    let (ours, theirs) = said;
    let (case, after) = (smallest.case, smallest.size);
    Ok(Outcome::Disagree(Box::new(Minimised { signature, case, ours, theirs, before, after, questions, ending })))
}

/// What both sides say to a question about which they disagree in this way; nothing where they do not.
fn shown(
    signature: &Signature,
    case: &Case,
    interview: &mut Interview<'_>,
    stop: &'static AtomicBool,
) -> Option<(Answer, Response)> {
    let said = (verifier(case, stop).ok()?, interview.ask(case));
    let other = Signature::of(&said.0, &said.1)?;
    signature.is_shown_by(&other).then_some(said)
}

/// The verifier's answer.
fn verifier(case: &Case, stop: &'static AtomicBool) -> Result<Answer, MinimiseError> {
    let mut answer = Err(MinimiseError::Unasked("the run was broken off".to_owned()));
    BuiltIn { stop }.run(&[Item { case, alteration: None }], "minimise", &mut |_, response, _| {
        answer = match response {
            Response::Answer(said) => Ok(said),
            other => unasked(&other).and(Err(MinimiseError::Unasked("no answer".to_owned()))),
        };
    });
    answer
}

fn unasked(response: &Response) -> Result<(), MinimiseError> {
    match response {
        Response::NotRun(why) | Response::Unasked(_, why) => Err(MinimiseError::Unasked(why.clone())),
        _ => Ok(()),
    }
}

/// Whether two answers are the same, or two ends of one kind.
fn alike(one: &Response, other: &Response) -> bool {
    match (one, other) {
        (Response::Answer(one), Response::Answer(other)) => one == other,
        _ => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}
