//! The manifest: read, held against its schema, and taken apart.

use std::sync::LazyLock;

use crate::contracts;
use crate::digest::Digest;
use crate::episode::canonical::Canon;
use crate::episode::inquiry::{Failed, Inquiry, MANIFEST};
use crate::episode::member::{count, string, text};
use crate::episode::{Numbers, Rejection, limits, time};
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, NodeRef};
use crate::law::Law;
use crate::schema::Schema;

/// A manifest of the right shape.
#[derive(Debug)]
pub(in crate::episode) struct Manifest {
    pub(super) files: Vec<ListedFile>,
    pub(super) expected_files: Vec<String>,
    pub(super) receipt_count: Option<u64>,
    pub(super) attestation_sha256: String,
    pub(super) pack_root: String,
    pub(super) public_key: String,
    /// SHA-256 of the public key as declared.
    pub(in crate::episode) signer: String,
    pub(super) signature: String,
    /// What is signed: the manifest without its signature and root.
    pub(super) signed: Vec<u8>,
    /// Of the attestation's canonical bytes.
    pub(super) attestation_digest: Digest,
    pub(super) head_hash: String,
    pub(super) receipt_integrity: String,
    pub(in crate::episode) claim_check: String,
    pub(super) attested_receipts: Option<u64>,
    pub(super) timestamp_end: String,
}

/// An entry of `files`.
#[derive(Debug)]
pub(super) struct ListedFile {
    pub(super) path: String,
    pub(super) sha256: String,
    pub(super) bytes: Option<u64>,
}

/// Members that the signature does not cover.
const UNSIGNED: [&str; 2] = ["signature", "pack_root_sha256"];

impl Manifest {
    /// Reads the manifest. Nothing else of the container means anything without it.
    pub(in crate::episode) fn read(inquiry: &mut Inquiry<'_>) -> Result<Self, Failed> {
        let mut text = Vec::new();
        if let Err(why) = inquiry.pack.read(MANIFEST, limits::MANIFEST_BYTES, &mut text) {
            inquiry.findings.unread(Law::PackIntegrity, MANIFEST, &why);
            return Err(Failed);
        }
        match Self::parse(&text, inquiry) {
            Ok(manifest) => Ok(manifest),
            Err((place, why)) => {
                inquiry.findings.rejected(Law::PackIntegrity, MANIFEST, &place, &why);
                Err(Failed)
            }
        }
    }

    fn parse(bytes: &[u8], inquiry: &mut Inquiry<'_>) -> Result<Self, (JsonPointer, Rejection)> {
        let whole = |why: Rejection| (JsonPointer::root(), why);
        let document = Document::parse(bytes, &Dialect::EPISODE).map_err(|why| whole(why.into()))?;
        let mut canon = Canon::new(Numbers::Rfc8785);
        let object = canon.object(bytes).map_err(|why| whole(why.into()))?;
        let root = document.root();
        inquiry.pack_root = text(root, "pack_root_sha256").filter(|root| Digest::is_spelled(root.as_bytes()));
        let breaches = MANIFEST_SCHEMA.breaches(root);
        if !breaches.is_empty() {
            return Err(whole(Rejection::Schema(breaches)));
        }
        let attestation = root.get("attestation");
        let place = JsonPointer::root().member("attestation");
        if let Some(attestation) = attestation {
            let breaches = ATTESTATION_SCHEMA.breaches(attestation);
            if !breaches.is_empty() {
                return Err((place, Rejection::Schema(breaches)));
            }
            let wrong = wrong_times(attestation);
            if !wrong.is_empty() {
                return Err((place, Rejection::Laws(wrong)));
            }
        }
        let signed = object.without(&UNSIGNED);
        let digest = object.member("attestation").map(Digest::of);
        // The schemas demand every member that is taken; without one of them nothing may pass.
        let taken =
            attestation.zip(digest).and_then(|(attestation, digest)| Self::take(root, attestation, signed, digest));
        taken.ok_or_else(|| whole(Rejection::Schema(Vec::new())))
    }

    fn take(root: NodeRef<'_>, attestation: NodeRef<'_>, signed: Vec<u8>, attestation_digest: Digest) -> Option<Self> {
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

/// Times whose shape is right and that no calendar has.
fn wrong_times(attestation: NodeRef<'_>) -> Vec<Finding> {
    let wrong = |name: &&str| {
        let value = text(attestation, name)?;
        let message = format!("{value:?} is no time of RFC 3339");
        let found = Finding::error(Law::PackIntegrity, JsonPointer::root().member(name), message);
        if time::rfc_3339(&value).is_some() { None } else { Some(found.with_code("E_TIMESTAMP_INVALID")) }
    };
    ["timestamp_start", "timestamp_end", "valid_until"].iter().filter_map(wrong).collect()
}

static MANIFEST_SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::compile(contracts::PACK_MANIFEST_SCHEMA, &[]));
static ATTESTATION_SCHEMA: LazyLock<Schema> =
    LazyLock::new(|| Schema::compile(contracts::PACK_ATTESTATION_SCHEMA, &[]));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schemas_compile() {
        assert!(MANIFEST_SCHEMA.is_usable() && ATTESTATION_SCHEMA.is_usable());
    }
}
