//! The manifest of a pack, taken apart.

use super::member::{count, string, text};
use crate::digest::Digest;
use crate::json::NodeRef;

/// A manifest of the right shape.
#[derive(Debug)]
pub(crate) struct Manifest {
    pub(crate) files: Vec<ListedFile>,
    pub(crate) expected_files: Vec<String>,
    pub(crate) receipt_count: Option<u64>,
    pub(crate) attestation_sha256: String,
    pub(crate) pack_root: String,
    pub(crate) public_key: String,
    /// SHA-256 of the public key as declared.
    pub(crate) signer: String,
    pub(crate) signature: String,
    /// What is signed: the manifest without its signature and root.
    pub(crate) signed: Vec<u8>,
    /// Of the attestation's canonical bytes.
    pub(crate) attestation_digest: Digest,
    pub(crate) head_hash: String,
    pub(crate) receipt_integrity: String,
    pub(crate) claim_check: String,
    pub(crate) attested_receipts: Option<u64>,
    pub(crate) timestamp_end: String,
}

/// An entry of `files`.
#[derive(Debug)]
pub(crate) struct ListedFile {
    pub(crate) path: String,
    pub(crate) sha256: String,
    pub(crate) bytes: Option<u64>,
}

impl Manifest {
    /// None if a member is absent that the schemas demand.
    pub(crate) fn take(
        root: NodeRef<'_>,
        attestation: NodeRef<'_>,
        signed: Vec<u8>,
        attestation_digest: Digest,
    ) -> Option<Self> {
        let files = root.get("files")?.elements().map(ListedFile::take);
        let names = root.get("expected_files")?.elements().map(string);
        Some(Self {
            files: files.collect::<Option<_>>()?,
            expected_files: names.collect::<Option<_>>()?,
            receipt_count: count(root, "receipt_count_expected"),
            attestation_sha256: text(root, "attestation_sha256")?,
            pack_root: text(root, "pack_root_sha256")?,
            public_key: text(root, "signer_pubkey")?,
            signer: text(root, "signer_pubkey_sha256")?,
            signature: text(root, "signature")?,
            signed,
            attestation_digest,
            head_hash: text(attestation, "head_hash")?,
            receipt_integrity: text(attestation, "receipt_integrity")?,
            claim_check: text(attestation, "claim_check")?,
            attested_receipts: count(attestation, "n_receipts"),
            timestamp_end: text(attestation, "timestamp_end")?,
        })
    }
}

impl ListedFile {
    fn take(entry: NodeRef<'_>) -> Option<Self> {
        Some(Self { path: text(entry, "path")?, sha256: text(entry, "sha256")?, bytes: count(entry, "bytes") })
    }
}
