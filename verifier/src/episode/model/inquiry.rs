//! One verification under way: the pack, how it is judged, and what is known so far.

use super::contract::Identity;
use super::findings::Findings;
use super::options::Options;
use super::verdict::StepState;
use crate::files::PackFiles;

/// The contract's file.
pub(crate) const CONTRACT: &str = "episode_contract.json";
/// The manifest's file.
pub(crate) const MANIFEST: &str = "pack_manifest.json";
/// The raw signature beside the manifest.
pub(crate) const SIGNATURE: &str = "pack_signature.sig";
/// The receipts' file.
pub(crate) const RECEIPTS: &str = "receipt_pack.jsonl";
/// The folder of inputs.
pub(crate) const INPUTS: &str = "inputs";
/// The folder of traces.
pub(crate) const TRACES: &str = "recorded_traces";

/// One verification under way. What it gathers stays known when a later phase fails.
pub(crate) struct Inquiry<'a> {
    pub(crate) pack: &'a dyn PackFiles,
    pub(crate) options: &'a Options<'a>,
    pub(crate) findings: Findings,
    /// None if the contract gives none.
    pub(crate) identity: Option<Identity>,
    /// In the order of the replay, once phase 1 was passed.
    pub(crate) steps: Vec<StepState>,
    /// The root that the manifest names, once that could be read: bare.
    pub(crate) pack_root: Option<String>,
    /// Hash and time of the close receipt, once phase 2 was passed and if there is exactly one.
    pub(crate) close: Option<(String, String)>,
}

impl<'a> Inquiry<'a> {
    pub(crate) fn new(pack: &'a dyn PackFiles, options: &'a Options<'a>) -> Self {
        Self {
            pack,
            options,
            findings: Findings::default(),
            identity: None,
            steps: Vec::new(),
            pack_root: None,
            close: None,
        }
    }

    /// Ends a phase: its result if nothing was found wrong so far.
    pub(crate) fn passed<T>(&self, proof: T) -> Result<T, Failed> {
        if self.findings.failed() { Err(Failed) } else { Ok(proof) }
    }
}

/// A phase found an error, which is among the findings.
#[derive(Debug)]
pub(crate) struct Failed;
