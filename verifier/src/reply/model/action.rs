//! What an agent can do next.
//!
//! Spec: Canonical Reply System Architecture (Final), 3; ruling RE-41 for the spelling. Which of them a type calls for is
//! decided by a law.

/// What an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It goes on.
    Proceed,
    /// It corrects its own mistake and tries again.
    CorrectAndRetry,
    /// It asks for a scope that it lacks.
    Escalate,
    /// It stops and reports the trace id.
    Stop,
}

impl Action {
    /// The spelling in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Proceed => "proceed",
            Self::CorrectAndRetry => "correct-and-retry",
            Self::Escalate => "escalate",
            Self::Stop => "stop",
        }
    }

    /// Whether the trace id is reported.
    pub(crate) fn reports(self) -> bool {
        self == Self::Stop
    }
}
