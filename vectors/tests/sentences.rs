//! Every sentence of the specifications that obliges somebody has laws with cases, or a reason why it has none; and every law a
//! sentence.

use std::collections::BTreeSet;

use assize_corpus::{
    sentences::Register,
    store::Store,
    vector::{Corpus, System, ruling::Documents},
};

#[test]
fn the_register_of_sentences_is_whole() {
    let store = Store::embedded();
    let documents = Documents::load(&store).unwrap();
    let register = Register::new(&documents, &Corpus::load(&store));
    let faults = register.faults();
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    // A system with a specification of its own has a file of places; what others cite stands in one that no system is called by.
    let systems = System::load(&store).unwrap();
    let is_system = |name: &&str| systems.iter().any(|system| system.name == **name);
    let specified: BTreeSet<&str> = documents.iter().map(|file| file.system.as_str()).filter(is_system).collect();
    assert!(specified.len() > 1, "{specified:?}");
    assert_eq!(register.beyond.keys().map(String::as_str).collect::<BTreeSet<_>>(), specified);
    for system in specified {
        let rows: Vec<_> = register.rows.iter().filter(|row| row.system == system).collect();
        assert!(rows.iter().any(|row| row.is_held()), "{system}: no sentence is held");
    }
}
