//! What a case says of the findings beside a verdict.
//!
//! Shape: `findings` of `episode.verify` in `contracts/interface/operations/episode.json`. A case names what words decide,
//! and leaves open what they do not: a member that is not here may be anything in an answer.

use serde_json::{Map, Value, json};

/// One finding, as far as words decide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    law: Option<&'static str>,
    file: Option<&'static str>,
    pointer: Option<&'static str>,
    severity: Option<&'static str>,
    /// Whether it is said that there is no code.
    uncoded: bool,
}

impl Finding {
    /// An error: this law is broken in this file.
    #[must_use]
    pub const fn new(law: &'static str, file: &'static str) -> Self {
        Self { law: Some(law), file: Some(file), pointer: None, severity: Some("error"), uncoded: false }
    }

    /// An error in this file, where no words decide which of several laws it breaks.
    #[must_use]
    pub const fn at(file: &'static str) -> Self {
        Self { law: None, ..Self::new("", file) }
    }

    /// An error against this law, where no words decide in which of several files.
    #[must_use]
    pub const fn of(law: &'static str) -> Self {
        Self { file: None, ..Self::new(law, "") }
    }

    /// A warning instead.
    #[must_use]
    pub const fn warning(self) -> Self {
        Self { severity: Some("warning"), ..self }
    }

    /// An error or a warning: of several findings, whose order no words decide, it may be either.
    #[must_use]
    pub const fn of_any_severity(self) -> Self {
        Self { severity: None, ..self }
    }

    /// At this place of the file.
    #[must_use]
    pub const fn pointer(self, pointer: &'static str) -> Self {
        Self { pointer: Some(pointer), ..self }
    }

    /// Without a code: no registered one is meant.
    #[must_use]
    pub const fn uncoded(self) -> Self {
        Self { uncoded: true, ..self }
    }

    /// What the expectation says of it.
    pub(crate) fn expected(self) -> Value {
        let named = [("law", self.law), ("file", self.file), ("pointer", self.pointer), ("severity", self.severity)];
        let members = named.into_iter().filter_map(|(name, value)| Some((name.to_owned(), json!(value?))));
        let code = self.uncoded.then(|| ("code".to_owned(), Value::Null));
        Value::Object(members.chain(code).collect::<Map<_, _>>())
    }
}
