//! What a pack is made of: files, paths, and what became of each step.

use std::collections::BTreeMap;

use super::canonical::Canon;
use super::payload::StepStatus;
use crate::canon::CanonError;
use crate::digest::Digest;

/// Files of a pack by their path in it.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Where the files of an episode lie in its pack.
pub(crate) struct Paths {
    /// In the order of the contract.
    pub(crate) inputs: Vec<String>,
    /// In the order of the script.
    pub(crate) traces: Vec<String>,
}

/// What a step gave.
#[derive(Debug)]
pub(crate) struct Output {
    /// JSON text, as it was recorded.
    pub(crate) text: Vec<u8>,
    /// Of its canonical bytes.
    pub(crate) digest: Digest,
    /// How many canonical bytes there are.
    pub(crate) size: usize,
}

impl Output {
    /// What a text gives that has a canonical form.
    pub(crate) fn read(text: Vec<u8>, canon: &mut Canon) -> Result<Self, CanonError> {
        let object = canon.object(&text)?;
        let (digest, size) = (object.digest(), object.len());
        Ok(Self { text, digest, size })
    }
}

/// A step that ran, or was passed over.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: StepStatus,
    /// None for a skipped step alone.
    pub(crate) output: Option<Output>,
    /// What is wrong with the shape of an output that was to be emitted.
    pub(crate) broken_schema: Option<String>,
}

impl Ran {
    /// The outcome of a step whose output is what counts.
    pub(crate) fn with(status: StepStatus, output: Output) -> Self {
        Self { status, output: Some(output), broken_schema: None }
    }
}
