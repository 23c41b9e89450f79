//! Every sentence of the specifications that obliges somebody has laws with cases, or a reason why it has none; and every law a
//! sentence.

use std::collections::BTreeSet;

use assize_corpus::{
    sentences::Register,
    store::Store,
    vector::{Corpus, ruling::Documents},
};

/// Systems with a specification of their own.
const SPECIFIED: [&str; 5] = ["sovereign", "kernel", "reply", "episode", "authority"];

#[test]
fn the_register_of_sentences_is_whole() {
    let store = Store::embedded();
    let register = Register::new(&Documents::load(&store).unwrap(), &Corpus::load(&store));
    let faults = register.faults();
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    let systems: BTreeSet<&str> = register.beyond.keys().map(String::as_str).collect();
    assert_eq!(systems, BTreeSet::from(SPECIFIED));
    for system in SPECIFIED {
        let rows: Vec<_> = register.rows.iter().filter(|row| row.system == system).collect();
        assert!(rows.iter().any(|row| row.is_held()), "{system}: no sentence is held");
    }
}
