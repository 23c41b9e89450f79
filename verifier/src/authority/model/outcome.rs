//! How a run ends.

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With a blueprint and a verification pack.
    Success,
    /// With a refusal report.
    Refusal,
}

impl Outcome {
    /// The name in answers.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Refusal => "refusal",
        }
    }
}
