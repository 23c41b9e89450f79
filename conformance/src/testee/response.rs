//! What came of one question.

use assize_corpus::{
    agreement::{Judgement, Outcome, judge},
    testee::Answer,
    trial::PrepareError,
    vector::Case,
};

use super::bounds;

/// What came of one question.
#[derive(Debug, Clone, PartialEq)]
pub enum Response {
    /// The testee said something.
    Answer(Answer),
    /// The process ended.
    Crash(String),
    /// No answer in time; the text tells slow from hung.
    Timeout(String),
    /// What came broke the protocol.
    Protocol(String),
    /// In the controls: the answer that was to be altered is not one that passes, as it did before.
    Changed,
    /// The question was not asked, because the run ended.
    NotRun(String),
    /// The question cannot be asked here: the outcome that this gives, and why.
    Unasked(Outcome, String),
}

impl Response {
    /// A case whose files cannot be written out.
    pub(super) fn unasked(error: &PrepareError) -> Self {
        let judgement = error.judgement();
        Self::Unasked(judgement.outcome, judgement.note.unwrap_or_default())
    }

    /// The outcome of the case. What a testee wrote may be long, and is cut: everything here goes into reports.
    #[must_use]
    pub fn judged(&self, case: &Case) -> Judgement {
        let judgement = match self {
            Self::Answer(answer) => judge(case, answer),
            Self::Crash(note) => Judgement::noted(Outcome::Crash, note),
            Self::Timeout(note) => Judgement::noted(Outcome::Timeout, note),
            Self::Protocol(note) => Judgement::noted(Outcome::Protocol, note),
            Self::Changed => Judgement::noted(Outcome::NotRun, "the answer to be altered no longer passes"),
            Self::NotRun(note) => Judgement::noted(Outcome::NotRun, note),
            Self::Unasked(outcome, note) => Judgement::noted(*outcome, note),
        };
        bounds::within(judgement)
    }
}
