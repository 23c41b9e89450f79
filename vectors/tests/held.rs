//! What the verifier answers where memory holds the files of a case, and where they lie in a folder.

use assize_corpus::{
    handler::answer,
    observe::observed,
    store::Store,
    trial::{Posed, prepare},
    vector::{Case, Corpus, Entry},
};

/// Whether memory holds all of a case, so that the two ways of asking differ.
fn is_plain(case: &Case) -> bool {
    case.files.values().all(|entry| matches!(entry, Entry::File(_) | Entry::Directory))
}

#[test]
fn every_case_with_files_is_answered_as_from_its_folder() {
    let corpus = Corpus::load(&Store::embedded());
    let mut compared = 0;
    for case in corpus.cases.values().filter(|case| case.wants_root() && is_plain(case)) {
        let mut posed = Posed::new(case).unwrap();
        let said = posed.answer();
        let from_memory = posed.observed(said).unwrap();
        let laid = prepare(case).unwrap();
        let from_folder = observed(&laid.request, answer(&laid.request));
        assert_eq!(from_memory, from_folder, "{}", case.id);
        compared += 1;
    }
    assert!(compared > 3_000, "{compared}");
}
