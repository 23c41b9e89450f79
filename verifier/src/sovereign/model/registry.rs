//! The local error-code registry.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, B.2, error-codes-v1.json.

use std::sync::Arc;

use crate::digest::Digest;
use crate::json::NodeRef;

/// The local registry: its digest, and what it says of each code.
#[derive(Clone, Debug)]
pub(crate) struct Registry {
    pub(crate) digest: Digest,
    /// Codes with their stage, where the entry gives one.
    codes: Arc<[(String, Option<String>)]>,
}

impl Registry {
    /// Takes the codes of a registry with that digest.
    pub(crate) fn of(digest: Digest, registry: NodeRef<'_>) -> Self {
        Self { digest, codes: codes(registry).into() }
    }

    /// Whether a code is registered, and for that stage where the registry gives stages.
    pub(crate) fn has(&self, code: &str, stage: &str) -> bool {
        self.codes.iter().any(|(known, of)| known == code && of.as_deref().is_none_or(|of| of == stage))
    }
}

/// Both published forms: an object of entries, and the older list of bare codes.
fn codes(registry: NodeRef<'_>) -> Vec<(String, Option<String>)> {
    let Some(codes) = registry.get("codes") else { return Vec::new() };
    let text = |node: NodeRef<'_>| node.as_string().map(|text| text.to_text_lossy().into_owned());
    if codes.is_array() {
        return codes.elements().filter_map(text).map(|code| (code, None)).collect();
    }
    let entry = |(name, entry): (crate::json::RawString<'_>, NodeRef<'_>)| {
        (name.decode().to_text_lossy().into_owned(), entry.get("stage").and_then(text))
    };
    codes.members().map(entry).collect()
}
