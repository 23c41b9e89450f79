//! What a step of the kernel says: its outcome, and issues as typed values.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-003, KernelIssue; rulings KE-4, KE-5, KE-22, KE-28, KE-35.
//!
//! Issues of the kernel itself are of this type. Those that a document brings may name stages that nobody knows, and keep
//! their members.

use crate::canon::compose;
use crate::json::JsonPointer;

/// What the kernel's API is called.
pub(crate) const CONTRACT: &str = "kernel_api/v1";

/// Whether a step went through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did.
    Pass,
    /// It did not; its issues say why.
    Fail,
}

impl Outcome {
    /// The spelling in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
        }
    }

    /// The outcome of that spelling.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pass, Self::Fail].into_iter().find(|outcome| outcome.name() == name)
    }
}

/// Weight of an [`Issue`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The step failed for this.
    Fail,
    /// Nothing is wrong.
    Info,
}

impl Level {
    /// The spelling in results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fail => "FAIL",
            Self::Info => "INFO",
        }
    }
}

sovereign_stage_order! {
    /// A stage, in the order of `contracts/sovereign/stage-order-v1.json`; the first five are the pipeline.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Stage
}

impl Stage {
    /// The name that the kernel writes.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.spelled()
    }

    /// The stage of that name; Spec-003's `rel_vocab` is the third (KE-4).
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        if name == "rel_vocab" {
            return Some(Self::RelationshipVocabulary);
        }
        Self::of_spelling(name.as_bytes())
    }
}

/// Canonical details of an issue: an object, `{}` where there is nothing to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details(Vec<u8>);

impl Details {
    /// Details of these members, whose values are canonical JSON already.
    pub(crate) fn of<V: AsRef<[u8]>>(members: &[(&str, V)]) -> Self {
        Self(compose::object(members))
    }

    /// Details whose values are all texts.
    pub(crate) fn texts(members: &[(&str, &str)]) -> Self {
        let written: Vec<_> = members.iter().map(|(name, text)| (*name, compose::string(text))).collect();
        Self(compose::object(&written))
    }

    /// Their canonical bytes.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.0
    }
}

impl Default for Details {
    fn default() -> Self {
        Self(b"{}".to_vec())
    }
}

/// What a step says about one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// Its weight.
    pub level: Level,
    /// The stage that says it.
    pub stage: Stage,
    /// A code of the union registry.
    pub code: &'static str,
    /// The place: in a triplet, in a request, or a path of the home as KE-37 writes it.
    pub location: JsonPointer,
    /// More about it.
    pub details: Details,
}

impl Issue {
    /// A failure without details.
    #[must_use]
    pub fn fail(stage: Stage, code: &'static str, location: JsonPointer) -> Self {
        Self { level: Level::Fail, stage, code, location, details: Details::default() }
    }

    /// An information without details.
    #[must_use]
    pub fn info(stage: Stage, code: &'static str, location: JsonPointer) -> Self {
        Self { level: Level::Info, ..Self::fail(stage, code, location) }
    }

    /// The same issue with details.
    #[must_use]
    pub(crate) fn with_details(self, details: Details) -> Self {
        Self { details, ..self }
    }

    /// The issue as a canonical document with the five members of a step's issue.
    #[must_use]
    pub fn canonical(&self) -> Vec<u8> {
        compose::object(&[
            ("level", compose::string(self.level.name())),
            ("stage", compose::string(self.stage.name())),
            ("code", compose::string(self.code)),
            ("location", compose::string(self.location.as_str())),
            ("details", self.details.as_slice().to_vec()),
        ])
    }
}

/// Issues in their order, which is the law kernel/issue-order: its module alone puts several of them together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Issues(pub(crate) Vec<Issue>);

impl Issues {
    /// The issues, in order.
    #[must_use]
    pub fn as_slice(&self) -> &[Issue] {
        &self.0
    }

    /// Fail as soon as one issue says so.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        if self.0.iter().any(|issue| issue.level == Level::Fail) { Outcome::Fail } else { Outcome::Pass }
    }
}

impl From<Issue> for Issues {
    fn from(issue: Issue) -> Self {
        Self(vec![issue])
    }
}

// The stages are held against contract 1 of the sovereign system.
#[cfg(test)]
#[cfg(feature = "sovereign")]
mod tests {
    use super::*;
    use crate::contracts;
    use crate::json::{Dialect, Document, NodeRef};

    fn at(stage: Stage, location: &str, code: &'static str) -> Issue {
        Issue::fail(stage, code, JsonPointer::from_text(location))
    }

    #[test]
    fn the_stages_are_those_of_contract_1_in_its_order() {
        let document = Document::parse(contracts::STAGE_ORDER.as_bytes(), &Dialect::STRICT).expect("sealed");
        let order = document.root().get("stage_order").expect("stages");
        let listed: Vec<_> = order.elements().filter_map(NodeRef::as_string).collect();
        assert_eq!(listed.len(), Stage::ALL.len());
        for (name, (index, stage)) in listed.iter().zip(Stage::ALL.into_iter().enumerate()) {
            assert!(*name == stage.name());
            assert_eq!(Stage::from_name(stage.name()), Some(stage));
            assert_eq!(stage as usize, index);
        }
    }

    #[test]
    fn spec_003_has_a_shorter_name_for_the_third_stage() {
        assert_eq!(Stage::from_name("rel_vocab"), Some(Stage::RelationshipVocabulary));
        assert_eq!(Stage::RelationshipVocabulary.name(), "relationship_vocabulary");
    }

    #[test]
    fn information_alone_passes() {
        let info = Issue::info(Stage::Promotion, "I_PROMOTION_PASS", JsonPointer::root());
        assert_eq!(Issues::sorted(vec![info.clone()]).outcome(), Outcome::Pass);
        assert_eq!(Issues::sorted(vec![info, at(Stage::Lsi, "", "E_A")]).outcome(), Outcome::Fail);
        assert_eq!(Issues::default().outcome(), Outcome::Pass);
    }

    #[test]
    fn an_issue_is_five_members() {
        let issue =
            at(Stage::Lsi, "/links/a~1b", "E_LSI_ORPHAN_REFERENCE").with_details(Details::texts(&[("id", "é")]));
        assert_eq!(
            String::from_utf8(issue.canonical()).expect("UTF-8"),
            r#"{"code":"E_LSI_ORPHAN_REFERENCE","details":{"id":"é"},"level":"FAIL","location":"/links/a~1b","stage":"lsi"}"#
        );
    }
}
