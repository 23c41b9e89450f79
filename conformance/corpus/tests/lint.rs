//! The corpus has nothing to be found fault with.
//!
//! Design: section 1 (invariants) and section 2. That each rule of the lint fires is shown beside the rules.

use assize_corpus::{store::Store, vector::lint};

#[test]
fn the_corpus_is_clean() {
    let findings = lint::lint(&Store::embedded());
    let text: Vec<_> = findings.iter().map(ToString::to_string).collect();
    assert!(
        findings.is_empty(),
        "{} findings\n{}",
        text.len(),
        text.join("\n")
    );
}
