//! What belongs to one run alone: nothing here is in the digest of the result.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The run itself.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Run {
    /// Its random id.
    pub id: String,
    /// When it began, RFC 3339 in UTC.
    pub started: String,
    /// How long it took.
    pub seconds: f64,
    /// Testee processes, or threads, at work at a time.
    pub jobs: usize,
    /// How the testee was reached.
    pub transport: TransportKind,
    /// What was started; nothing for the built-in verifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<CommandInfo>,
    /// How far the testee was contained; nothing for the built-in verifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub containment: Option<Containment>,
    /// Every process of the testee that said hello, in the order of their ends.
    pub sessions: Vec<SessionRow>,
    /// Ends of a process that no case alone explains: each blocks a certificate.
    pub session_faults: Vec<SessionFault>,
    /// Receipts that do not match: each blocks a certificate.
    pub receipts: Vec<Receipt>,
    /// Command lines of processes that outlived the testee and were ended.
    pub orphans: Vec<String>,
    /// What was observed of cases that failed without an answer, by id.
    pub evidence: BTreeMap<String, Evidence>,
}

/// How a testee is reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TransportKind {
    /// The built-in verifier, called.
    #[default]
    InProcess,
    /// A child process over ATP/1.
    Process,
}

/// What was started.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CommandInfo {
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Working folder, where one was configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Names of the environment variables that were handed on.
    pub environment: Vec<String>,
    /// The program and every argument that names a file, with their digests.
    pub files: Vec<FileInfo>,
}

/// A file of the command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileInfo {
    /// Which word of the command; 0 is the program.
    pub argument: usize,
    /// Base name of the file.
    pub name: String,
    /// Digest of its bytes.
    pub sha256: String,
}

/// How far the testee was contained.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Containment {
    /// `full`, `group` or `none`: everything below; a process group of its own; nothing.
    pub level: &'static str,
    /// What was done, in words, sorted: `process-group`, `subreaper`, `cpu-limit`, `memory-limit`, ...
    pub measures: Vec<&'static str>,
    /// What this system did not offer.
    pub missing: Vec<&'static str>,
}

/// One process of the testee.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionRow {
    /// What it was for: `orders`, `alone`, `fresh`, `controls`.
    pub purpose: &'static str,
    /// Answers that the harness counted.
    pub served: u64,
    /// The chain that the harness kept.
    pub chain: String,
    /// Whether the testee's goodbye said the same; nothing when it was ended before.
    pub agreed: Option<bool>,
}

/// An end of a process that no case alone explains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionFault {
    /// `crash`, `timeout`, `protocol` or `bye`.
    pub kind: &'static str,
    /// What was observed.
    pub message: String,
    /// Cases that were in flight, by id.
    pub cases: Vec<String>,
    /// The end of what it wrote to standard error.
    pub stderr: String,
}

/// A receipt that does not match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The case, unless it is about a whole session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What was expected and what came.
    pub message: String,
}

/// What was observed of a case that failed without an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The observation.
    pub message: String,
    /// The end of what the process wrote to standard error.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}
