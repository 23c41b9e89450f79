//! Canonical bytes against second sources: Python's `json` for `sovereign` and `authority`, an independent RFC 8785 crate
//! for `jcs`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "test code stops at the first surprise"
)]

use assize_oracle::{Canonical, PythonProfile, canonical, pairs};
use assize_verifier::canon::{CanonError, Profile, TroubleKind, canonicalize};
use assize_verifier::json::{Dialect, Document, NodeRef};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

fn check(judge: impl Fn(&[u8]) -> Result<(), String>) {
    const TEXTS: u32 = 20_000;
    let config = Config { cases: TEXTS, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]));
    let run = runner.run(&pairs::json_texts(), |text| judge(&text).map_err(TestCaseError::fail));
    match run {
        Ok(()) => {}
        Err(TestError::Fail(reason, text)) => panic!("{reason}\nminimal text: {}", String::from_utf8_lossy(&text)),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

fn python(profile: PythonProfile, text: &[u8]) -> Canonical {
    canonical(profile, text).expect("the oracle works")
}

#[test]
fn authority_is_pythons_json() {
    check(|text| match (canonicalize(Profile::Authority, text), python(PythonProfile::Authority, text)) {
        (Ok(rust), Canonical::Bytes(python)) if rust.as_slice() == python => Ok(()),
        (Err(CanonError::Json(_)), Canonical::Unreadable(_)) => Ok(()),
        (Err(CanonError::Value { .. }), Canonical::Refused(_)) => Ok(()),
        // Python's limit of 4,300 digits is an interpreter setting (facts/authority.md 2.2).
        (_, Canonical::Unreadable(_)) if longest_run_of_digits(text) > 4_300 => Ok(()),
        (rust, python) => Err(format!("{rust:?} against {python:?}")),
    });
}

fn longest_run_of_digits(text: &[u8]) -> usize {
    text.split(|byte| !byte.is_ascii_digit()).map(<[u8]>::len).max().unwrap_or(0)
}

#[test]
fn sovereign_is_the_sealed_canonical_serialize_where_the_law_adds_nothing() {
    check(|text| match (canonicalize(Profile::Sovereign, text), python(PythonProfile::Sovereign, text)) {
        (Ok(rust), Canonical::Bytes(python)) if rust.as_slice() == python => Ok(()),
        (Err(CanonError::Json(_)), Canonical::Unreadable(_)) => Ok(()),
        (_, Canonical::Unreadable(_)) if longest_run_of_digits(text) > 4_300 => Ok(()),
        (Err(error), python) => match (error.trouble(), python) {
            // The code never sees these two: errata NUM-04 and JSN-06.
            (Some(TroubleKind::NegativeZero | TroubleKind::Duplicate), _) => Ok(()),
            (Some(_), Canonical::Refused(_)) => Ok(()),
            // What stands in a discarded repeat is trouble to the law as well.
            (Some(_), _) if repeats_a_name(text) => Ok(()),
            (trouble, python) => Err(format!("{trouble:?} against {python:?}")),
        },
        (rust, python) => Err(format!("{rust:?} against {python:?}")),
    });
}

#[test]
fn jcs_is_what_an_independent_crate_writes() {
    check(|text| match canonicalize(Profile::Jcs, text) {
        Err(_) => Ok(()),
        Ok(rust) => match serde_json_canonicalizer::pipe(&String::from_utf8_lossy(text)) {
            Ok(other) if other.as_bytes() == rust.as_slice() => Ok(()),
            other => Err(format!("{rust:?} against {other:?}")),
        },
    });
}

fn repeats_a_name(text: &[u8]) -> bool {
    fn below(node: NodeRef<'_>) -> bool {
        let mut names: Vec<_> = node.members().map(|(name, _)| name.decode()).collect();
        names.sort();
        names.windows(2).any(|pair| pair[0] == pair[1])
            || node.members().any(|(_, value)| below(value))
            || node.elements().any(below)
    }
    Document::parse(text, &Dialect::PYTHON).is_ok_and(|document| below(document.root()))
}
