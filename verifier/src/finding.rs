//! A located breach of a law in an artefact.
//!
//! It is the same type in every system. A system whose answers say more of a finding, such as the file that it stands in
//! or who is to blame for it, keeps that beside the finding.

use crate::json::JsonPointer;
use crate::law::Law;

/// What an audit found: law, code and place are compared; the text is for people and may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The law that is broken.
    pub law: Law,
    /// The registered code, where the specification gives the law one.
    pub code: Option<&'static str>,
    /// Where it is broken.
    pub pointer: JsonPointer,
    /// Whether it makes the artefact unlawful.
    pub severity: Severity,
    /// What is wrong and what to do.
    pub message: String,
}

/// Weight of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The artefact is unlawful.
    Error,
    /// The artefact is lawful, but something about it is doubtful.
    Warning,
}

impl Severity {
    /// The spelling in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

impl Finding {
    /// An error without a registered code.
    #[must_use]
    pub fn error(law: Law, pointer: JsonPointer, message: impl Into<String>) -> Self {
        Self { law, code: None, pointer, severity: Severity::Error, message: message.into() }
    }

    /// The same finding with a registered code.
    #[must_use]
    pub fn with_code(self, code: &'static str) -> Self {
        Self { code: Some(code), ..self }
    }

    /// The same finding as a warning.
    #[must_use]
    pub fn as_warning(self) -> Self {
        Self { severity: Severity::Warning, ..self }
    }

    /// The order of findings everywhere: pointer, then law, then code with none first.
    #[must_use]
    pub fn order(&self) -> (&JsonPointer, &'static str, Option<&'static str>) {
        (&self.pointer, self.law.slug(), self.code)
    }
}
