//! What an operation finds: breaches with their class and blame, and advice.

use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

/// Findings and advice on one artefact, in the order of findings everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judgement {
    /// Breaches: one for each law and place.
    pub findings: Vec<Breach>,
    /// What is lawful, but worth a look: warnings, which change no verdict.
    pub advice: Vec<Finding>,
}

/// A finding, and what the answers of this system say of it beside the law that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Law, place and text; always an error, and without a registered code.
    pub finding: Finding,
    /// What kind of breach it is, by the law `gap-not-semantic`.
    pub class: Class,
    /// Who is at fault; in traces only.
    pub blame: &'static [Party],
}

/// What kind a breach is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A member is missing.
    Gap,
    /// A member is of the wrong JSON kind, or has a value that it cannot have.
    Form,
    /// Members contradict each other, or a law of types and codes is broken.
    Meaning,
}

/// Who can be at fault in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The tool, for making the step.
    Tool,
    /// The builder, for giving a reply where it had to raise.
    Builder,
    /// The wrapper, for the envelope that it emitted.
    Wrapper,
}

impl Class {
    /// The spelling in findings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Gap => "gap",
            Self::Form => "form",
            Self::Meaning => "meaning",
        }
    }
}

impl Party {
    /// The spelling in findings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Builder => "builder",
            Self::Wrapper => "wrapper",
        }
    }
}

impl Judgement {
    /// Whether no law is broken.
    #[must_use]
    pub fn is_lawful(&self) -> bool {
        self.findings.is_empty()
    }

    /// The laws that are broken, each once, in published order.
    #[must_use]
    pub fn laws(&self) -> Vec<Law> {
        let mut laws: Vec<_> = self.findings.iter().map(|breach| breach.finding.law).collect();
        laws.sort_unstable();
        laws.dedup();
        laws
    }

    pub(super) fn breach(&mut self, law: Law, class: Class, pointer: JsonPointer, message: impl Into<String>) {
        self.findings.push(Breach { finding: Finding::error(law, pointer, message), class, blame: &[] });
    }

    /// A breach that is a matter of meaning, as all are outside envelopes and tool results.
    pub(super) fn meaning(&mut self, law: Law, pointer: JsonPointer, message: impl Into<String>) {
        self.breach(law, Class::Meaning, pointer, message);
    }

    pub(super) fn advise(&mut self, law: Law, pointer: JsonPointer, text: impl Into<String>) {
        self.advice.push(Finding::error(law, pointer, text).as_warning());
    }

    /// Puts findings and advice in order, and keeps one finding for each law and place.
    pub(super) fn settled(mut self) -> Self {
        self.findings.sort_by(|a, b| a.finding.order().cmp(&b.finding.order()));
        self.findings.dedup_by(|a, b| a.finding.order() == b.finding.order());
        self.advice.sort_by(|a, b| a.order().cmp(&b.order()));
        self
    }
}
