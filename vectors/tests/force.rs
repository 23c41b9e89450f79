//! What the corpus as a whole has to say with the words of specifications.

use std::collections::BTreeMap;

use assize_corpus::{
    lint::accepted,
    store::Store,
    vector::{Corpus, Force},
};

/// Laws that a text states and that fewer than three of its sentences let a case refuse, each with the ruling that decides the rest.
const BY_RULING: [(&str, &str); 5] = [
    ("kernel/path-safety", "KE-33"),
    ("reply/flag-agrees", "RE-36"),
    ("reply/no-protocol-error", "RE-36"),
    ("reply/number-from-one", "RE-9"),
    ("reply/trace-distinct", "RE-40"),
];

#[test]
fn a_law_that_a_text_states_has_three_cases_that_the_text_decides() {
    let corpus = Corpus::load(&Store::embedded());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for case in corpus.cases.values().filter(|case| case.twin.is_some() || !accepted(case)) {
        let ordered = case.force.iter().any(|force| matches!(force, Force::Spec(_)));
        *counts.entry(case.law()).or_default() += usize::from(ordered);
    }
    let stated = corpus.laws.values().filter(|law| law.origin == "text" && law.is_judged());
    let few: Vec<&str> =
        stated.map(|law| law.slug.as_str()).filter(|slug| counts.get(slug).copied().unwrap_or_default() < 3).collect();
    assert_eq!(few, BY_RULING.map(|(law, _)| law));
}

#[test]
fn each_exception_rests_on_its_ruling() {
    let corpus = Corpus::load(&Store::embedded());
    for (law, id) in BY_RULING {
        let rests = |force: &Force| matches!(force, Force::Ruling(ruling) if ruling == id);
        let found = corpus.cases.values().filter(|case| case.law() == law && case.force.iter().any(rests)).count();
        assert!(found > 0, "{law} has no case that binds by {id}");
    }
}
