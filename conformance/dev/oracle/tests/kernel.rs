//! The kernel oracle expects what every kernel case of the corpus expects.
//!
//! Spec: rulings KE-1 to KE-58. The cases were argued from the rulings, the oracle was written from them; here the two
//! are held against each other, so that an expectation changed by hand, or a model changed for its own sake, shows.

use std::collections::BTreeMap;

use assize_corpus::agreement::{Outcome, Terms, judge};
use assize_corpus::operation::{self, Kind};
use assize_corpus::store::Store;
use assize_corpus::testee::{Answer, Output};
use assize_corpus::vector::{Case, Corpus, Entry};
use assize_oracle::authority;
use assize_oracle::kernel::{Question, ask};

fn answer(case: &Case) -> Answer {
    let documents = case.inputs.iter().map(|(name, document)| (name.clone(), document.bytes())).collect();
    let content = |entry: &Entry| match entry {
        Entry::File(document) => Some(document.bytes()),
        Entry::Directory => None,
        other => panic!("{}: the oracle has no {other:?}", case.id),
    };
    let files = case.files.iter().map(|(path, entry)| (path.clone(), content(entry))).collect();
    let args = serde_json::to_string(&case.args).expect("arguments");
    let question = Question { op: &case.op, args: &args, documents: &documents, files: &files };
    match ask(&question).unwrap_or_else(|error| panic!("{}: {error}", case.id)) {
        authority::OracleAnswer::Reject(codes) => Answer::Reject { codes, out: BTreeMap::new() },
        authority::OracleAnswer::Accept(outputs) => {
            let operation = operation::table().find(&case.op).expect("an operation of the table");
            Answer::accept(outputs.into_iter().map(|(name, text)| {
                let output = match operation.kind(true, &name) {
                    Some(Kind::Doc) => Output::Doc(text),
                    _ => Output::Value(serde_json::from_str(&text).expect("JSON")),
                };
                (name, output)
            }))
        }
    }
}

#[test]
fn the_oracle_agrees_with_every_kernel_case() {
    let corpus = Corpus::load(&Store::embedded());
    let cases: Vec<_> = corpus.cases.values().filter(|case| case.op.starts_with("kernel.")).collect();
    assert!(cases.len() > 600, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let judgement = judge(case, &answer(case), &Terms::default());
        if judgement.outcome != Outcome::Pass {
            wrong.push(format!("{}: {:?}", case.id, judgement.mismatches));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
