//! A proof pack, closed in stages.
//!
//! Spec: ruling EP-14; `contracts/episode/pack-manifest.schema.json`. [`Pack::seal`] runs the stages one after the
//! other, and [`Episode::planted`](crate::Episode::planted) alters the pack in between. What a later stage derives from
//! the altered part is then consistent with it.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use crate::{
    TestKey,
    canon::{hash, jcs, pretty, sha256},
};

/// The receipts, one a line.
pub const RECEIPTS: &str = "receipt_pack.jsonl";
/// The signed root.
pub const MANIFEST: &str = "pack_manifest.json";
/// The signature's 64 bytes.
pub const SIGNATURE: &str = "pack_signature.sig";
const REPORT: &str = "verify_report.json";
const TRANSCRIPT: &str = "verify_transcript.md";

/// A proof pack.
#[derive(Debug, Clone)]
pub struct Pack {
    /// The receipts in the order of their lines.
    pub receipts: Vec<Map<String, Value>>,
    /// The manifest; [`Pack::attest`] and [`Pack::sign`] fill in what is derived.
    pub manifest: Map<String, Value>,
    /// The attestation, which becomes a member of the manifest.
    pub attestation: Map<String, Value>,
    /// What lies in the folder, by relative path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What the manifest lists beside the three files that it always lists.
    pub listed: Vec<String>,
    /// Who signs.
    pub key: TestKey,
}

impl Pack {
    pub(crate) fn new(
        receipts: Vec<Map<String, Value>>,
        files: BTreeMap<String, Vec<u8>>,
        listed: Vec<String>,
    ) -> Self {
        let digest = |text: &str| sha256(text.as_bytes());
        let attestation = members(json!({
            "pack_format_version": "0.1.0", "fingerprint_version": 1,
            "pack_id": "pack_assize_test", "run_id": "run_assize_test",
            "suite_id": "episode", "suite_hash": digest("episode"),
            "verifier_version": "0.1.0", "canon_version": "jcs-rfc8785",
            "canon_impl": "serde_json_canonicalizer", "canon_impl_version": "0.4",
            "policy_hash": digest("default-policy-v0"),
            "claim_set_id": "none", "claim_set_hash": digest("none"),
            "receipt_integrity": "PASS", "claim_check": "N/A",
            "assurance_level": "L0", "proof_tier": "signed-pack", "mode": "shadow",
            "head_hash": "", "head_hash_algorithm": "last-receipt-digest-v0",
            "time_authority": "local_clock", "n_receipts": 0, "timestamp_start": "", "timestamp_end": "",
            "discrepancy_fingerprint": null, "valid_until": null, "superseded_by": null, "ci_binding": null,
        }));
        let key = TestKey::usual();
        let manifest = members(json!({
            "pack_id": "pack_assize_test", "pack_version": "0.1.0", "manifest_version": "1.0.0", "hash_alg": "sha256",
            "suite_hash": digest("episode"), "claim_set_id": "none", "claim_set_hash": digest("none"),
            "receipt_count_expected": 0, "files": [],
            "expected_files": [RECEIPTS, REPORT, TRANSCRIPT, MANIFEST, SIGNATURE],
            "signer_id": "assize-public-test-key",
            "signature_alg": "ed25519", "signature_scope": "JCS(pack_manifest_excluding_signature_and_pack_root_sha256)",
        }));
        let mut pack = Self { receipts, manifest, attestation, files, listed, key: key.clone() };
        pack.signed_by(key);
        pack
    }

    /// All stages: links the receipts, records them, lists the files, attests and signs.
    pub fn seal(&mut self) {
        self.link();
        self.reseal();
    }

    /// The stages after the chain, for receipts whose parents stand already.
    pub fn reseal(&mut self) {
        self.record();
        self.list();
        self.attest();
        self.sign();
    }

    /// Lets each receipt name the one before it, and fills in each declared `receipt_hash`.
    pub fn link(&mut self) {
        self.link_from(0);
    }

    /// The same, from the receipt at `start` on; that one keeps its parents.
    pub fn link_from(&mut self, start: usize) {
        let mut before: Option<String> = None;
        for receipt in self.receipts.iter_mut().skip(start) {
            if let Some(parent) = before {
                receipt.insert("parent_hashes".to_owned(), json!([parent]));
            } else if start == 0 {
                receipt.insert("parent_hashes".to_owned(), json!([]));
            }
            let hash = receipt_hash(receipt);
            if let Some(declared) = receipt.get_mut("receipt_hash") {
                *declared = Value::from(hash.as_str());
            }
            before = Some(hash);
        }
    }

    /// Writes `receipt_pack.jsonl` and the two reports, and attests count, head hash and times.
    pub fn record(&mut self) {
        let mut lines = Vec::new();
        for receipt in &self.receipts {
            lines.extend(jcs(&Value::Object(receipt.clone())));
            lines.push(b'\n');
        }
        self.files.insert(RECEIPTS.to_owned(), lines);
        let mut times: Vec<_> = self
            .receipts
            .iter()
            .filter_map(|receipt| receipt.get("timestamp").or(receipt.get("ts"))?.as_str())
            .collect();
        times.sort_unstable();
        let span = [times.first(), times.last()].map(|time| Value::from(*time.unwrap_or(&"2026-03-02T09:00:00+00:00")));
        let [start, end] = span;
        let count = Value::from(self.receipts.len());
        self.attestation.insert("head_hash".to_owned(), Value::from(head_hash(self.receipts.last())));
        self.attestation.insert("n_receipts".to_owned(), count.clone());
        self.attestation.insert("timestamp_start".to_owned(), start);
        self.attestation.insert("timestamp_end".to_owned(), end);
        self.manifest.insert("receipt_count_expected".to_owned(), count);
        let report = json!({
            "receipt_integrity": self.attestation["receipt_integrity"], "claim_check": self.attestation["claim_check"],
            "n_receipts": self.receipts.len(), "head_hash": self.attestation["head_hash"], "errors": [],
        });
        self.files.insert(REPORT.to_owned(), pretty(&report).into_bytes());
        let transcript = format!(
            "# Proof pack of a test\n\n{} receipts. Signed with a public test key: it proves nothing.\n",
            self.receipts.len()
        );
        self.files.insert(TRANSCRIPT.to_owned(), transcript.into_bytes());
    }

    /// Lists the files in the manifest with digests and lengths.
    ///
    /// # Panics
    /// If a listed file is absent.
    pub fn list(&mut self) {
        let names = [RECEIPTS, REPORT, TRANSCRIPT].into_iter().chain(self.listed.iter().map(String::as_str));
        let files: Value = names
            .map(|path| {
                let content = self.files.get(path).unwrap_or_else(|| panic!("{path} is listed and absent"));
                json!({"path": path, "sha256": sha256(content), "bytes": content.len()})
            })
            .collect();
        self.manifest.insert("files".to_owned(), files);
    }

    /// Puts the attestation into the manifest, with its digest, which is the pack's root.
    pub fn attest(&mut self) {
        let attestation = Value::Object(self.attestation.clone());
        let digest = Value::from(sha256(&jcs(&attestation)));
        self.manifest.insert("attestation".to_owned(), attestation);
        self.manifest.insert("attestation_sha256".to_owned(), digest.clone());
        self.manifest.insert("pack_root_sha256".to_owned(), digest);
    }

    /// Signs the manifest as it stands, and writes it with its signature.
    pub fn sign(&mut self) {
        let signature = self.key.sign(&self.signed_bytes());
        self.manifest.insert("signature".to_owned(), Value::from(STANDARD.encode(&signature)));
        self.files.insert(SIGNATURE.to_owned(), signature);
        self.write();
    }

    /// What the signature covers: the manifest without `signature` and `pack_root_sha256`.
    #[must_use]
    pub fn signed_bytes(&self) -> Vec<u8> {
        let mut covered = self.manifest.clone();
        covered.remove("signature");
        covered.remove("pack_root_sha256");
        jcs(&Value::Object(covered))
    }

    /// Writes the manifest as it stands.
    pub fn write(&mut self) {
        self.files.insert(MANIFEST.to_owned(), pretty(&Value::Object(self.manifest.clone())).into_bytes());
    }

    /// Names another signer, whose key signs from now on.
    pub fn signed_by(&mut self, key: TestKey) {
        self.manifest.insert("signer_pubkey".to_owned(), Value::from(key.public()));
        self.manifest.insert("signer_pubkey_sha256".to_owned(), Value::from(key.fingerprint()));
        self.key = key;
    }

    /// The index of the receipt of a step.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn step(&self, step_id: &str) -> usize {
        let id = |receipt: &Map<String, Value>| {
            receipt.get("step_id").or_else(|| receipt.get("payload")?.get("step_id")).cloned()
        };
        let found = self.receipts.iter().position(|receipt| id(receipt) == Some(Value::from(step_id)));
        found.unwrap_or_else(|| panic!("no receipt of the step {step_id:?}"))
    }

    /// The index of the close receipt, where it still comes last.
    #[must_use]
    pub fn close(&self) -> usize {
        self.receipts.len() - 1
    }

    /// The recomputed hash of a receipt.
    #[must_use]
    pub fn receipt_hash(&self, index: usize) -> String {
        receipt_hash(&self.receipts[index])
    }

    /// Sets a member of a receipt.
    pub fn set(&mut self, index: usize, name: &str, value: impl Into<Value>) {
        self.receipts[index].insert(name.to_owned(), value.into());
    }

    /// The text of a file.
    ///
    /// # Panics
    /// If it is absent or no text.
    #[must_use]
    pub fn text(&self, path: &str) -> &str {
        let content = self.files.get(path).unwrap_or_else(|| panic!("no file {path}"));
        std::str::from_utf8(content).expect("a text file")
    }

    /// Writes a file as it is given.
    pub fn put(&mut self, path: &str, content: impl Into<Vec<u8>>) {
        self.files.insert(path.to_owned(), content.into());
    }
}

/// `receipt_hash` by the Constitutional Receipt Standard: of everything but the hash itself and the signature.
#[must_use]
pub fn receipt_hash(receipt: &Map<String, Value>) -> String {
    hash(&without(receipt, &["receipt_hash", "signature"]))
}

/// `head_hash`: the last receipt by the tool's projection, bare; of the word `empty` where there is none.
#[must_use]
pub fn head_hash(last: Option<&Map<String, Value>>) -> String {
    const LEFT_OUT: [&str; 5] = ["receipt_hash", "signature", "signatures", "cose_signature", "anchor"];
    last.map_or_else(|| sha256(b"empty"), |receipt| sha256(&jcs(&without(receipt, &LEFT_OUT))))
}

fn without(receipt: &Map<String, Value>, left_out: &[&str]) -> Value {
    let mut kept = receipt.clone();
    kept.retain(|name, _| !left_out.contains(&name.as_str()));
    Value::Object(kept)
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("{other} is not an object"),
    }
}

#[cfg(test)]
mod tests {
    use ed25519_compact::{PublicKey, Signature};

    use super::*;
    use crate::{Episode, Outcome, Shape, step};

    fn episode() -> Episode {
        Episode::new(&[("a", "x")], [(step::load("a", "a"), Outcome::pass(json!("x")))])
    }

    #[test]
    fn the_head_of_an_empty_pack() {
        assert_eq!(head_hash(None), "2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d");
        let mut pack = episode().pack();
        assert_eq!(
            pack.attestation["policy_hash"],
            json!("4791aaa760a131484e3c971c4f9b171ad1ef2f6fb9c2e4858fdad6d8fc8f6c0f")
        );
        pack.receipts.clear();
        pack.seal();
        assert!(pack.files[RECEIPTS].is_empty());
    }

    #[test]
    fn the_two_hash_rules() {
        let plain = members(json!({"a": 1}));
        let dressed = members(json!({"a": 1, "signature": {}, "receipt_hash": "x", "cose_signature": "", "anchor": 1}));
        assert_eq!(head_hash(Some(&plain)), head_hash(Some(&dressed)));
        assert_ne!(receipt_hash(&plain), receipt_hash(&dressed));
        assert_eq!(receipt_hash(&dressed), hash(&json!({"a": 1, "cose_signature": "", "anchor": 1})));
    }

    #[test]
    fn each_receipt_names_the_one_before() {
        for shape in [Shape::Flat, Shape::Crs, Shape::Both] {
            let pack = Episode { shape, ..episode() }.sealed();
            assert_eq!(pack.receipts[0]["parent_hashes"], json!([]));
            for index in 1..pack.receipts.len() {
                assert_eq!(pack.receipts[index]["parent_hashes"], json!([pack.receipt_hash(index - 1)]));
            }
            assert_eq!(pack.receipts[0].contains_key("receipt_hash"), shape == Shape::Crs);
            assert_eq!(pack.step("a"), 1);
        }
    }

    #[test]
    fn the_signature_covers_the_manifest() {
        let mut pack = episode().sealed();
        assert_eq!(pack.manifest["pack_root_sha256"], pack.manifest["attestation_sha256"]);
        let public = PublicKey::from_slice(&STANDARD.decode(TestKey::usual().public()).unwrap()).unwrap();
        let signature = Signature::from_slice(&pack.files[SIGNATURE]).unwrap();
        assert!(public.verify(pack.signed_bytes(), &signature).is_ok());
        pack.manifest.insert("pack_root_sha256".to_owned(), json!("0"));
        assert!(public.verify(pack.signed_bytes(), &signature).is_ok());
        pack.manifest.insert("signer_id".to_owned(), json!("x"));
        assert!(public.verify(pack.signed_bytes(), &signature).is_err());
    }
}
