//! What an agent can do next.
//!
//! Spec: Canonical Reply System Architecture (Final), 3; ruling RE-41 for the spelling. Which of them a type calls for is
//! decided by a law.

reply_types_action! {
    /// What an agent does.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Action
}

impl Action {
    /// The action of this spelling.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::of_spelling(name.as_bytes())
    }

    /// The spelling in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.spelled()
    }

    /// Whether the trace id is reported.
    pub(crate) fn reports(self) -> bool {
        self.row().reports
    }
}
