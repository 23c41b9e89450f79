//! A case for machines. Numbers keep their tokens, so nothing here passes through a value of `serde_json`.

use std::collections::{BTreeMap, BTreeSet};

use assize::{catalogue::law_of, protocol};
use assize_corpus::{
    agreement::{Mismatch, Outcome},
    node::Node,
    testee::Answer,
    vector::{
        Case, Document, Entry, Expect, Verdict,
        ruling::{Rulings, named},
    },
};
use serde::Serialize;
use serde_json::{Map, Value};

use super::{super::ruling, JudgedAnswer, agreement, alone, hex, provenance};

/// Everything about a case.
#[derive(Serialize)]
pub(super) struct Explained<'a> {
    id: &'a str,
    law: &'a str,
    op: &'a str,
    args: &'a Map<String, Value>,
    spec: Spec<'a>,
    rationale: &'a str,
    flags: &'a [String],
    provenance: String,
    rows: &'a [String],
    /// Those that the case names, in full.
    rulings: Vec<ruling::Shown<'a>>,
    twin: Option<&'a str>,
    pair: Option<&'a str>,
    #[serde(rename = "in")]
    inputs: BTreeMap<&'a str, Shown>,
    files: BTreeMap<&'a str, Shown>,
    expect: Vec<Expected<'a>>,
    agreement: &'static str,
    answer: Option<ShownAnswer<'a>>,
    outcome: Outcome,
    mismatches: &'a [Mismatch],
    note: Option<&'a str>,
    alone: String,
}

#[derive(Serialize)]
struct Spec<'a> {
    document: &'a str,
    section: &'a str,
}

/// Bytes as text where they are text, otherwise as hexadecimal digits; or what is there instead of a file.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Shown {
    Text(String),
    Hex(String),
    Directory(bool),
    Symlink(String),
    Unreadable(String),
}

#[derive(Serialize)]
struct Expected<'a> {
    is: &'static str,
    #[serde(skip_serializing_if = "none")]
    codes: &'a BTreeSet<String>,
    out: BTreeMap<&'a str, &'a Node>,
}

#[derive(Serialize)]
#[serde(tag = "is", rename_all = "lowercase")]
enum ShownAnswer<'a> {
    Accept { out: Value },
    Reject { codes: &'a BTreeSet<String>, out: Value },
    Unsupported { feature: &'a str },
    Fault { kind: &'a str, message: &'a str },
}

impl<'a> Explained<'a> {
    pub(super) fn of(case: &'a Case, rulings: &'a Rulings, judged: &'a JudgedAnswer) -> Self {
        Self {
            id: &case.id,
            law: law_of(&case.id),
            op: &case.op,
            args: &case.args,
            spec: Spec { document: &case.spec.document, section: &case.spec.section },
            rationale: &case.rationale,
            flags: &case.flags,
            provenance: provenance(&case.provenance),
            rows: &case.rows,
            rulings: rulings_of(case, rulings),
            twin: case.twin.as_deref(),
            pair: case.pair.as_deref(),
            inputs: case.inputs.iter().map(|(name, document)| (name.as_str(), shown(document))).collect(),
            files: case.files.iter().map(|(path, entry)| (path.as_str(), there(entry))).collect(),
            expect: case.answers().map(expected).collect(),
            agreement: agreement(case.agreement),
            answer: judged.answer.as_ref().map(answer_of),
            outcome: judged.judgement.outcome,
            mismatches: &judged.judgement.mismatches,
            note: judged.judgement.note.as_deref(),
            alone: alone(case),
        }
    }
}

fn rulings_of<'a>(case: &Case, rulings: &'a Rulings) -> Vec<ruling::Shown<'a>> {
    let found = named(case).into_iter().filter_map(|id| rulings.find(id));
    found.map(|(system, ruling)| ruling::Shown { system, ruling }).collect()
}

fn shown(document: &Document) -> Shown {
    match String::from_utf8(document.bytes()) {
        Ok(text) => Shown::Text(text),
        Err(error) => Shown::Hex(hex(error.as_bytes())),
    }
}

fn there(entry: &Entry) -> Shown {
    match entry {
        Entry::File(document) => shown(document),
        Entry::Directory => Shown::Directory(true),
        Entry::Symlink { to } => Shown::Symlink(to.clone()),
        Entry::Unreadable { text } => Shown::Unreadable(text.clone()),
    }
}

fn expected(expect: &Expect) -> Expected<'_> {
    let is = match expect.is {
        Verdict::Accept => "accept",
        Verdict::Reject => "reject",
    };
    let out = expect.out.iter().map(|(name, expected)| (name.as_str(), &expected.node)).collect();
    Expected { is, codes: &expect.codes, out }
}

fn answer_of(answer: &Answer) -> ShownAnswer<'_> {
    match answer {
        Answer::Accept { out } => ShownAnswer::Accept { out: protocol::outputs(out) },
        Answer::Reject { codes, out } => ShownAnswer::Reject { codes, out: protocol::outputs(out) },
        Answer::Unsupported { feature } => ShownAnswer::Unsupported { feature },
        Answer::Fault { kind, message } => ShownAnswer::Fault { kind, message },
    }
}

/// An acceptance has no codes.
fn none(codes: &&BTreeSet<String>) -> bool {
    codes.is_empty()
}
