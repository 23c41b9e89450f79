//! Trees with planted faults: each is found on its line, and nothing anywhere else.

use assize_source::{Options, read};

use crate::support::{announced, breaches, planted, tree};

fn registry() -> Vec<u8> {
    std::fs::read(planted("registry.json")).unwrap()
}

#[test]
fn every_planted_fault_is_found_and_nothing_else() {
    for language in ["python", "typescript", "go", "java"] {
        let root = planted(language);
        let due = announced(&root);
        assert!(due.len() >= 30, "{language}: {} faults are planted", due.len());
        let tree = tree(&root);
        assert_eq!(tree.broken, Vec::<String>::new());
        let found = breaches(&tree, &registry());
        let missing: Vec<_> = due.iter().filter(|one| !found.contains(one)).collect();
        let wrong: Vec<_> = found.iter().filter(|one| !due.contains(one)).collect();
        assert!(missing.is_empty() && wrong.is_empty(), "{language}: missing {missing:#?}\nwrong {wrong:#?}");
        let allowed = tree.allowed.iter().filter(|one| !one.reason.is_empty()).count();
        assert_eq!(allowed, 2, "{language}");
    }
}

/// The same code without a builder has nothing to be held to.
#[test]
fn a_tree_without_a_builder_has_no_finding() {
    let mut options = Options::default();
    options.names.builders = vec!["AnswerFactory".to_owned()];
    for language in ["python", "typescript", "go", "java"] {
        let tree = read(&planted(language), &options).unwrap();
        assert!(!tree.uses_builder && tree.sites.is_empty() && tree.findings.is_empty(), "{language}: {tree:#?}");
    }
}
