//! The resolved form says what the corpus says: over every vector, checks and agreement come to the same outcome and the same weight.
//!
//! The checks are evaluated by a judge of a few lines, as those of the emitted suites are; the other side is the corpus's own
//! comparison. Answers are the expected ones, and each of them changed in a place. No answer is excepted. What no vector happens to
//! say is tried with forces that are drawn for places of its own answers.

mod near;
mod suite;

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Outcome, Terms, judge},
    operation::{self, Operation},
    store::{self, Store},
    vector::{Case, Corpus, Weight},
};
use assize_generators::resolve::{self, Demand, Resolved};
use serde_json::json;

/// How often an answer came to what.
type Counts = BTreeMap<suite::Verdict, usize>;

/// Holds suite and harness together over each expected answer and those near to it.
fn compare(case: &Case, operation: &Operation, counts: &mut Counts) {
    let resolved = Resolved::new(case, operation::table()).unwrap();
    for expect in case.answers() {
        let expected = near::spelled_out(operation, expect);
        assert_eq!(suite::judge(&resolved, operation, &expected), (None, Outcome::Pass), "{}: its own answer", case.id);
        for answer in near::near(&expected) {
            let harness = judge(case, &answer, &Terms::default());
            let suite = suite::judge(&resolved, operation, &answer);
            let found = &harness.mismatches;
            let told = (harness.force, harness.outcome);
            assert_eq!(suite, told, "{}: {:?}\n{answer:?}\n{found:#?}\n{resolved:#?}", case.id, case.force);
            *counts.entry(suite).or_default() += 1;
        }
    }
}

fn operation(case: &Case) -> &'static Operation {
    operation::table().find(&case.op).unwrap()
}

#[test]
fn checks_and_agreement_come_to_the_same_weight() {
    let mut counts = Counts::new();
    for case in Corpus::load(&Store::embedded()).cases.values() {
        compare(case, operation(case), &mut counts);
    }
    println!("{counts:?}");
    assert!(counts[&(None, Outcome::Pass)] > 1_000);
    for weight in [Weight::Interface, Weight::Ruling, Weight::Spec] {
        let found: usize = counts.iter().filter(|((found, _), _)| *found == Some(weight)).map(|(_, count)| count).sum();
        assert!(found > 10_000, "{weight:?}: {found}");
    }
}

#[test]
fn they_do_so_whatever_binds_with_which_force() {
    let (mut counts, mut absent) = (Counts::new(), 0);
    for case in Corpus::load(&Store::embedded()).cases.values().step_by(3) {
        let case = near::drawn(case, operation(case));
        compare(&case, operation(&case), &mut counts);
        let resolved = Resolved::new(&case, operation::table()).unwrap();
        absent += resolved.expect.iter().flatten().filter(|check| check.demand == Demand::Absent(true)).count();
    }
    println!("{counts:?}, {absent} places that have to be empty");
    assert!(absent > 100, "{absent}");
    for weight in [Weight::Interface, Weight::Ruling, Weight::Spec] {
        for outcome in [Outcome::WrongOutput, Outcome::WrongCode, Outcome::WrongVerdict] {
            let found = counts.get(&(Some(weight), outcome)).copied().unwrap_or_default();
            assert!(found > 50, "{weight:?} {outcome}: {found}");
        }
    }
}

#[test]
fn every_resolved_case_has_the_shape_of_its_schema_and_is_ascii() {
    let schema = serde_json::from_slice(store::embedded("contracts/interface/resolved.schema.json").unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for case in Corpus::load(&Store::embedded()).cases.values() {
        let text = resolve::json(&Resolved::new(case, operation::table()).unwrap()).unwrap();
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{}", case.id);
        let errors: Vec<String> =
            validator.iter_errors(&serde_json::from_str(&text).unwrap()).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", case.id);
    }
    let broken = json!({"id": "a/b/c"});
    assert!(!validator.is_valid(&broken));
}
