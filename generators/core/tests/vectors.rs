//! Every vector that needs no disk of its own, through frames: the core answers as the verifier does that is called.

use std::collections::{BTreeMap, BTreeSet};

use assize_core::answer;
use assize_corpus::{
    store::Store,
    trial::Posed,
    vector::{Case, Corpus, Entry},
};
use assize_verifier::operation::{Answer, Output};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

/// Whether memory holds all that a case needs: the system alone knows what cannot be read.
pub(crate) fn needs_no_disk(case: &Case) -> bool {
    case.files.values().all(|entry| !matches!(entry, Entry::Unreadable { .. }))
}

/// A case as a frame; its documents lie behind the line, so that both ways to hand over bytes are used.
pub(crate) fn frame(case: &Case) -> Vec<u8> {
    let mut behind = Vec::new();
    let mut docs = Map::new();
    for (name, document) in &case.inputs {
        let bytes = document.bytes();
        docs.insert(name.clone(), json!({"at": behind.len(), "len": bytes.len()}));
        behind.extend(bytes);
    }
    let mut line = json!({"op": case.op, "args": case.args, "in": docs, "platform": std::env::consts::OS});
    if case.wants_root() {
        let entry = |entry: &Entry| match entry {
            Entry::File(document) => json!({"b64": STANDARD.encode(document.bytes())}),
            Entry::Symlink { to } => json!({"kind": "symlink", "to": to}),
            Entry::Directory | Entry::Unreadable { .. } => json!({"kind": "directory"}),
        };
        line["files"] = case.files.iter().map(|(path, held)| (path.clone(), entry(held))).collect();
    }
    [line.to_string().as_bytes(), b"\n", &behind].concat()
}

/// What the verifier says, as a frame would.
fn expected(said: &Answer) -> (String, BTreeSet<String>, BTreeMap<String, Value>) {
    let (is, codes, out) = match said {
        Answer::Accept { out } => ("accept", BTreeSet::new(), out),
        Answer::Reject { codes, out } => ("reject", codes.clone(), out),
        other => panic!("{other:?}"),
    };
    let value = |output: &Output| match output {
        Output::Doc(text) => text.as_str().into(),
        Output::Bytes(bytes) => STANDARD.encode(bytes).into(),
        Output::Value(value) => value.clone(),
    };
    (is.to_owned(), codes, out.iter().map(|(name, output)| (name.clone(), value(output))).collect())
}

fn found(line: &[u8]) -> (String, BTreeSet<String>, BTreeMap<String, Value>) {
    let said: Value = serde_json::from_slice(line).unwrap();
    assert_eq!(said["t"], "answer", "{said}");
    let codes = said["codes"].as_array().into_iter().flatten().map(|code| code.as_str().unwrap().to_owned()).collect();
    let out =
        said["out"].as_object().into_iter().flatten().map(|(name, value)| (name.clone(), value.clone())).collect();
    (said["is"].as_str().unwrap().to_owned(), codes, out)
}

#[test]
fn every_vector_that_needs_no_disk_is_answered_as_by_the_verifier() {
    let corpus = Corpus::load(&Store::embedded());
    let (mut compared, mut systems, mut parted) = (0, BTreeSet::new(), Vec::new());
    for case in corpus.cases.values().filter(|case| needs_no_disk(case)) {
        let said = Posed::new(case).unwrap().answer();
        if found(&answer(&frame(case))) != expected(&said) {
            parted.push(case.id.as_str());
        }
        compared += 1;
        systems.insert(case.op.split('.').next().unwrap());
    }
    assert!(parted.is_empty(), "{} cases: {parted:#?}", parted.len());
    assert!(compared > 9_000 && compared * 100 > corpus.cases.len() * 95, "{compared} of {}", corpus.cases.len());
    let owed = assize_core::operations().map(|name| name.split('.').next().unwrap()).collect();
    assert_eq!(systems, owed);
}
