//! What stands beside the cases: law manifests, the laws of each system, and flags.
//!
//! Contract: `contracts/interface/law.schema.json`. Reading one says nothing about whether it agrees with the cases: the
//! lint does.

use serde::Deserialize;

use super::model::Spec;

/// `law.json` in a folder of vectors.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// System and law.
    pub slug: String,
    /// Name for people.
    pub title: String,
    /// The law in one sentence.
    pub statement: String,
    /// Where it stands.
    pub spec: Spec,
    /// How many cases the folder holds.
    pub count: usize,
    /// Ids that are gone for ever.
    pub retired: Vec<String>,
    /// Questions without a ruling.
    pub open: Vec<String>,
    /// Why there are fewer than 25 cases.
    pub fewer: Option<String>,
}

/// `contracts/laws/<system>.json`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemLaws {
    /// The system.
    pub system: String,
    /// Its laws, in their published order.
    pub laws: Vec<Law>,
}

/// One law of a system.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Law {
    /// System and law.
    pub slug: String,
    /// Name for people.
    pub title: String,
    /// The law in one sentence.
    pub statement: String,
    /// Where it stands.
    pub spec: Spec,
    /// The verifier's module that decides it; empty for a law that is not judged.
    #[serde(default)]
    pub module: String,
    /// Operations that can test it; none for a law that is not judged.
    #[serde(default)]
    pub operations: Vec<String>,
    /// Why no operation can judge it.
    pub unjudged: Option<String>,
    /// Stated in text, in code, or as a contract.
    pub origin: String,
}

/// A bug class in `vectors/flags.json`, whatever is said about it.
pub type Flag = serde_json::Value;
