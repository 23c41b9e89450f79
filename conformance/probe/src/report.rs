//! What a probe has found.
//!
//! Contract: `contracts/interface/probe.schema.json`.

use serde::Serialize;

use crate::{finding::Finding, plan::LeftOut, rules::Force};

/// What a report says it is.
pub const CONTRACT: &str = "assize-probe/v1";

/// Everything that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// [`CONTRACT`].
    pub contract: &'static str,
    /// What the server calls itself.
    pub server: Option<Server>,
    /// A conversation for each revision that was asked for.
    pub conversations: Vec<Conversation>,
    /// What is wrong, in the order in which it was first seen.
    pub findings: Vec<Finding>,
    /// Different findings that were too many to be kept.
    pub omitted: u64,
    /// Calls of listed tools that were answered, and how many answers carry a reply envelope.
    pub envelopes: Envelopes,
    /// Tools that were not called, with the reason.
    pub not_called: Vec<LeftOut>,
    /// What was not judged, with the reason.
    pub not_judged: Vec<String>,
    /// The end.
    pub verdict: Verdict,
}

/// Name and version, as a server says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Server {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// One process of the server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Conversation {
    /// The revision that was asked for.
    pub asked: String,
    /// The one that was agreed on.
    pub spoken: Option<String>,
    /// How many tools were listed.
    pub tools: usize,
    /// How many calls were answered, those with arguments that do not pass included.
    pub calls: u64,
    /// How the process ended.
    pub ended: String,
    /// Why it is not whole, or what it leaves out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The end of standard error, where the conversation is not whole.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// Processes that were left behind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orphans: Vec<String>,
}

/// Envelopes among the answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Envelopes {
    /// Calls of listed tools, with arguments that pass, that were answered.
    pub answered: u64,
    /// Answers with an envelope.
    pub carried: u64,
}

/// What all of it comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No MUST and no law is broken.
    Conforms,
    /// One is, whatever else went without an answer.
    Violates,
    /// None is, but questions went without an answer, or a limit was reached.
    Incomplete,
    /// No server was started, or none said which revision it speaks.
    Unusable,
}

impl Report {
    /// Findings of one force.
    #[must_use]
    pub fn count(&self, force: Force) -> usize {
        self.findings.iter().filter(|finding| finding.force == force).count()
    }
}
