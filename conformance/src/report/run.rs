//! What belongs to one run alone: nothing here is in the digest of the result.

use std::{collections::BTreeMap, time::Duration};

use serde::Serialize;

use crate::testee::{CommandInfo, Containment, Evidence, Receipt, SessionFault, SessionRow, TransportKind};

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
    /// How long cases took that were asked, by id: for forms that have a place for it.
    #[serde(skip)]
    pub took: BTreeMap<String, Duration>,
}
