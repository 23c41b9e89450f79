//! Python finds the digests that the proof packs of the corpus carry, and those that their cases expect.
//!
//! Spec: RFC 8785; RCE Profile v0.1; Constitutional Receipt Standard v0.1. The packs are built with Rust crates;
//! `hashlib` and `json` share no code with them. Of packs that match, everything is recomputed; of every pack, what its
//! case says of the replay result.
//!
//! Python's `json` is not RFC 8785 for some floats, and for the order of names beyond the basic plane. Packs with such a trace
//! are named below; `assize-fuzzing` compares an independent RFC 8785 crate with the canonical writer.
use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::store::Store;
use assize_corpus::vector::{Case, Corpus, Entry};
use assize_oracle::canonical::sha256_hex;
use assize_oracle::{Canonical, PythonProfile, canonical};
use serde_json::{Map, Value, json};

/// Packs of which a trace has another form in Python: small exponents, fractions of zero, and the order of astral names.
const OTHER_FORMS: [&str; 3] = [
    "episode/replay-comparison/a-trace-with-names-beyond-ascii",
    "episode/replay-comparison/exponents-by-rfc-8785",
    "episode/replay-comparison/numbers-in-other-spellings",
];

/// SHA-256 of the canonical text of a JSON text, bare.
fn digest(text: &[u8]) -> String {
    match canonical(PythonProfile::Authority, text).expect("an answer") {
        Canonical::Bytes(octets) => sha256_hex(&octets).expect("a digest"),
        other => panic!("{other:?}: {}", String::from_utf8_lossy(text)),
    }
}

/// `H(x)`.
fn hash(value: &Value) -> String {
    prefixed(&digest(value.to_string().as_bytes()))
}

fn prefixed(bare: &str) -> String {
    format!("sha256:{bare}")
}

/// A receipt without some of its members, bare.
fn projected(receipt: &Value, left_out: &[&str]) -> String {
    let mut members = receipt.as_object().expect("a receipt").clone();
    members.retain(|name, _| !left_out.contains(&name.as_str()));
    digest(Value::Object(members).to_string().as_bytes())
}

fn receipt_hash(receipt: &Value) -> String {
    prefixed(&projected(receipt, &["receipt_hash", "signature"]))
}

/// The payload of a receipt in either shape, with its type.
fn payload(receipt: &Value) -> (&str, &Value) {
    let kind = receipt.get("type").or(receipt.get("receipt_type")).and_then(Value::as_str).expect("a type");
    (kind, receipt.get("payload").filter(|payload| payload.is_object()).unwrap_or(receipt))
}

/// The files of a pack.
struct Pack<'c> {
    id: &'c str,
    files: BTreeMap<&'c str, Vec<u8>>,
}

impl<'c> Pack<'c> {
    fn of(case: &'c Case) -> Self {
        let file = |(path, entry): (&'c String, &Entry)| match entry {
            Entry::File(document) => Some((path.as_str(), document.bytes())),
            _ => None,
        };
        Self { id: &case.id, files: case.files.iter().filter_map(file).collect() }
    }

    fn bytes(&self, path: &str) -> &[u8] {
        self.files.get(path).unwrap_or_else(|| panic!("{}: no {path}", self.id))
    }

    fn json(&self, path: &str) -> Value {
        serde_json::from_slice(self.bytes(path)).unwrap_or_else(|error| panic!("{}: {path}: {error}", self.id))
    }

    /// The receipts that can be read, whatever the pack is worth.
    fn receipts(&self) -> Vec<Value> {
        let lines = self.files.get("receipt_pack.jsonl").map_or(&[][..], Vec::as_slice).split(|byte| *byte == b'\n');
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
    }

    fn same(&self, what: &str, carried: &Value, found: &str) {
        assert_eq!(carried.as_str(), Some(found), "{}: {what}", self.id);
    }
}

/// Container: files, attestation and head.
fn container(pack: &Pack<'_>, receipts: &[Value]) -> usize {
    let manifest = pack.json("pack_manifest.json");
    let files = manifest["files"].as_array().expect("files");
    for file in files {
        let path = file["path"].as_str().expect("a path");
        pack.same(path, &file["sha256"], &sha256_hex(pack.bytes(path)).expect("a digest"));
    }
    let attestation = digest(manifest["attestation"].to_string().as_bytes());
    pack.same("attestation_sha256", &manifest["attestation_sha256"], &attestation);
    pack.same("pack_root_sha256", &manifest["pack_root_sha256"], &attestation);
    let left_out = ["receipt_hash", "signature", "signatures", "cose_signature", "anchor"];
    let head = projected(receipts.last().expect("a receipt"), &left_out);
    pack.same("head_hash", &manifest["attestation"]["head_hash"], &head);
    files.len() + 3
}

/// Receipts: declared hashes and parents.
fn chain(pack: &Pack<'_>, receipts: &[Value]) -> usize {
    let hashes: BTreeSet<String> = receipts.iter().map(receipt_hash).collect();
    for receipt in receipts {
        for parent in receipt["parent_hashes"].as_array().expect("parents") {
            assert!(hashes.contains(parent.as_str().expect("a hash")), "{}: {parent} is not a receipt's hash", pack.id);
        }
        if let Some(declared) = receipt.get("receipt_hash") {
            pack.same("receipt_hash", declared, &receipt_hash(receipt));
        }
    }
    receipts.len()
}

/// The replay-normative view and the environment's four members.
fn views(contract: &Value) -> (Value, Value) {
    let cut = |value: &Value, names: &[&str]| -> Value {
        Value::Object(names.iter().map(|name| ((*name).to_owned(), value[*name].clone())).collect::<Map<_, _>>())
    };
    let environment = cut(&contract["environment"], &["provider", "model_id", "tool_versions", "container_digest"]);
    let mut view = cut(contract, &["inputs", "replay_script", "replay_policy"]);
    view["environment"] = environment.clone();
    (view, environment)
}

/// Episode: inputs, derived hashes, outputs.
fn episode(pack: &Pack<'_>, receipts: &[Value]) -> usize {
    let contract = pack.json("episode_contract.json");
    let (view, environment) = views(&contract);
    for item in contract["inputs"].as_array().expect("inputs") {
        let content = pack.bytes(&format!("inputs/{}", item["ref"].as_str().expect("a ref")));
        pack.same("an input", &item["hash"], &prefixed(&sha256_hex(content).expect("a digest")));
    }
    let of_kind = |kind: &str| {
        let payloads = receipts.iter().map(payload).filter(move |(other, _)| *other == kind);
        payloads.map(|(_, payload)| payload).collect::<Vec<_>>()
    };
    let (open, steps, close) =
        (of_kind("rce.episode_open/v0")[0], of_kind("rce.episode_step/v0"), of_kind("rce.episode_close/v0")[0]);
    pack.same("env_fingerprint_hash", &contract["environment"]["env_fingerprint_hash"], &hash(&environment));
    for (member, value) in [
        ("env_fingerprint_hash", &environment),
        ("episode_spec_hash", &view),
        ("inputs_hash", &contract["inputs"]),
        ("script_hash", &contract["replay_script"]),
    ] {
        pack.same(member, &open[member], &hash(value));
    }
    pack.same("episode_spec_hash", &close["episode_spec_hash"], &hash(&view));
    let mut emitted = BTreeMap::new();
    for step in &steps {
        let id = step["step_id"].as_str().expect("an id");
        if step["step_status"] == "SKIPPED" {
            continue;
        }
        let trace = pack.bytes(&format!("recorded_traces/{id}.json"));
        pack.same(id, &step["output_hash"], &prefixed(&digest(trace)));
        if step["opcode"] == "EMIT_OUTPUT" && step["step_status"] == "PASS" {
            // By code point, as a map of texts sorts.
            emitted.insert(id, json!({"step_id": id, "output_hash": step["output_hash"]}));
        }
    }
    let outputs: Value = emitted.into_values().collect();
    pack.same("outputs_hash", &close["outputs_hash"], &hash(&outputs));
    steps.len() + 7
}

fn expected(case: &Case, name: &str) -> Value {
    let expected = case.expect.out.get(name);
    expected.map_or(Value::Null, |expected| serde_json::from_str(expected.raw.get()).expect("JSON"))
}

/// Cases that ask for a verdict, by id.
fn cases(corpus: &Corpus) -> impl Iterator<Item = &Case> {
    corpus.cases.values().filter(|case| case.op == "episode.verify")
}

#[test]
fn every_digest_of_the_packs_that_match() {
    let corpus = Corpus::load(&Store::embedded());
    let (mut packs, mut digests) = (0, 0);
    let matching = cases(&corpus).filter(|case| expected(case, "verdict") == "MATCH");
    for case in matching.filter(|case| !OTHER_FORMS.contains(&case.id.as_str())) {
        let pack = Pack::of(case);
        let receipts = pack.receipts();
        digests += container(&pack, &receipts) + chain(&pack, &receipts) + episode(&pack, &receipts);
        packs += 1;
    }
    println!("{packs} packs, {digests} digests");
    assert!(packs > 60, "{packs} packs alone: where are the others?");
}

#[test]
fn the_texts_of_another_form_are_those_that_are_named() {
    let corpus = Corpus::load(&Store::embedded());
    for id in OTHER_FORMS {
        let pack = Pack::of(&corpus.cases[id]);
        let trace = "recorded_traces/out.json";
        let Ok(Canonical::Bytes(python)) = canonical(PythonProfile::Authority, pack.bytes(trace)) else {
            panic!("{id}: its trace has no form in Python")
        };
        let jcs = serde_json_canonicalizer::to_vec(&pack.json(trace)).expect("a canonical form");
        assert_ne!(python, jcs, "{id} needs no exception");
    }
}

#[test]
fn every_digest_that_a_replay_result_is_expected_to_hold() {
    let corpus = Corpus::load(&Store::embedded());
    let script = json!({"schema_version": "replay_script/0.1", "steps": []});
    let stand_in = json!({
        "inputs": [], "replay_script": script,
        "replay_policy": {"replay_basis": "recorded_trace", "comparator_tier": "A"},
        "environment": {"provider": "unknown", "model_id": "unknown", "tool_versions": {}, "container_digest": null},
    });
    let stand_ins = [hash(&stand_in), hash(&script)];
    let mut results = 0;
    for case in cases(&corpus) {
        let result = expected(case, "replay_result");
        if result.is_null() {
            continue;
        }
        results += 1;
        let pack = Pack::of(case);
        let contract: Value = pack
            .files
            .get("episode_contract.json")
            .and_then(|text| serde_json::from_slice(text).ok())
            .unwrap_or_default();
        for (member, value, stand_in) in [
            ("episode_spec_hash", &views_or_null(&contract), &stand_ins[0]),
            ("script_hash", &contract["replay_script"], &stand_ins[1]),
        ] {
            if let Some(stated) = result.get(member) {
                let own = hash(value);
                assert!(stated == own.as_str() || stated == stand_in.as_str(), "{}: {member}", case.id);
            }
        }
        if let Some(root) =
            result.get("original_pack_root_sha256").filter(|root| **root != json!(prefixed(&"0".repeat(64))))
        {
            let manifest = pack.json("pack_manifest.json");
            pack.same("root", root, &prefixed(manifest["pack_root_sha256"].as_str().expect("a root")));
        }
        let receipts = pack.receipts();
        for parent in result["parent_hashes"].as_array().into_iter().flatten() {
            let mut closing = receipts.iter().filter(|receipt| payload(receipt).0 == "rce.episode_close/v0");
            pack.same("parent_hashes", parent, &receipt_hash(closing.next().expect("a close receipt")));
        }
        for entry in result["dispute"]["divergent_steps"].as_array().into_iter().flatten() {
            let id = entry["step_id"].as_str().expect("an id");
            let trace = pack.bytes(&format!("recorded_traces/{id}.json"));
            pack.same(id, &entry["observed_output_hash"], &prefixed(&digest(trace)));
            let step = receipts.iter().map(|receipt| payload(receipt).1).find(|step| step["step_id"] == id);
            assert_eq!(entry["expected_output_hash"], step.expect("a receipt")["output_hash"], "{}: {id}", case.id);
        }
    }
    println!("{results} results");
    assert!(results > 30, "{results} results alone: where are the others?");
}

/// The view of a contract that is an object, else null.
fn views_or_null(contract: &Value) -> Value {
    if contract.is_object() { views(contract).0 } else { Value::Null }
}
