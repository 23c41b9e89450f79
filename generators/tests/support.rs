//! What several tests need: cases to emit.

use assize_corpus::{
    operation,
    store::Store,
    vector::{self, Corpus},
};
use assize_generators::collection::{Collection, Law};

/// The cases of these laws, as they were built in, but at most so many of each.
pub(crate) fn collection(laws: &[&str], most: usize) -> Collection {
    let store = Store::embedded();
    let mut corpus = Corpus::load(&store);
    let mut stated: Vec<vector::DeclaredLaw> = Vec::new();
    for law in laws {
        stated.push(corpus.laws.remove(*law).expect(law));
    }
    let cases = laws.iter().flat_map(|law| corpus.cases.values().filter(move |case| case.law() == *law).take(most));
    let revision = "0123456789abcdef".repeat(4);
    Collection::new(cases, stated.iter().map(Law::from), operation::table(), revision).unwrap()
}
