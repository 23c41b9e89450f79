//! Reference mode against the sealed comparator: every reference vector, and a seeded stream of generated pairs.
//!
//! `ASSIZE_PAIRS` sets the number of generated pairs (default 5,000), `ASSIZE_SEED` the stream.
use std::collections::BTreeMap;

use assize_corpus::disk::{Folder, Parity};
use assize_corpus::store::Store;
use assize_corpus::vector::{Case, Corpus};
use assize_fuzzing::oracles::comparator::verifier_says;
use assize_fuzzing::target::Target;
use assize_fuzzing::targets::CompareVsComparator;
use assize_oracle::{Files, Outcome};
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

use crate::stream::setting;

fn stream(cases: u64, seed: u64) -> TestRunner {
    let config = Config { cases: u32::try_from(cases).expect("fits"), failure_persistence: None, ..Config::default() };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// Hands a stream of strings to a target; a failure is shrunk, and told with its documents.
fn run<T: Target>(cases: u64, seed: u64) {
    let strings = proptest::collection::vec(any::<u8>(), 0..1024);
    let judged = stream(cases, seed).run(&strings, |octets| {
        let input = T::decode(&octets).expect("every string stands for a pair");
        T::check(&input).map_err(|why| TestCaseError::fail(format!("{why}\n{:?}", T::documents(&input))))
    });
    if let Err(error) = judged {
        panic!("{error}");
    }
}

#[test]
fn generated_pairs_give_the_same_report_bytes_or_the_same_abort() {
    run::<CompareVsComparator>(setting("ASSIZE_PAIRS", 5_000), setting("ASSIZE_SEED", 1));
}

fn reference_cases() -> Vec<Case> {
    let corpus = Corpus::load(&Store::embedded());
    assert!(corpus.errors.is_empty(), "{:?}", corpus.errors);
    let reference = |case: &Case| case.args.get("mode").and_then(|mode| mode.as_str()) == Some("reference");
    let cases: Vec<Case> = corpus.cases.into_values().filter(reference).collect();
    assert!(cases.len() > 1_000, "only {} reference vectors", cases.len());
    cases
}

/// The vectors' expectations are the comparator's own words, and the verifier repeats them.
#[test]
fn every_reference_vector_is_what_the_comparator_says() {
    let mut wrong = Vec::new();
    for case in reference_cases() {
        let request = case.request(None);
        let doc = |name: &str| request.docs.get(name).map(Vec::as_slice);
        let (Some(bundle_a), Some(bundle_b)) = (doc("bundle_a"), doc("bundle_b")) else {
            panic!("{}: no bundles", case.id)
        };
        let folder = Folder::create(&case.files).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        let files = Files::Folder(folder.path());
        let asked = assize_oracle::Case { bundle_a, bundle_b, stage_order: doc("stage_order"), files };
        let python = assize_oracle::compare(&asked).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        let rust = verifier_says(bundle_a, bundle_b, doc("stage_order"), &Parity::new(folder.path()))
            .unwrap_or_else(|error| panic!("{}: {error}", case.id));
        if python != rust {
            wrong.push(format!("{}: comparator {python:?}, verifier {rust:?}", case.id));
        }
        let answer = match &python {
            Outcome::Report(text) => {
                let text = String::from_utf8(text.clone()).expect("UTF-8");
                assize_corpus::testee::Answer::accept([("report", assize_corpus::testee::Output::Doc(text))])
            }
            Outcome::Abort(class) => assize_corpus::testee::Answer::Reject {
                codes: ["ABORT".to_owned()].into(),
                out: BTreeMap::from([(
                    "exception".to_owned(),
                    assize_corpus::testee::Output::Value(class.name().into()),
                )]),
            },
        };
        let judged = assize_corpus::agreement::judge(&case, &answer, &assize_corpus::agreement::Terms::default());
        if !judged.mismatches.is_empty() {
            wrong.push(format!("{}: the vector expects something else: {:?}", case.id, judged.mismatches));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
