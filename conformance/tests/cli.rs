//! The command line from outside: exit codes, help, messages, and that nothing half-written is left.

mod bad_input;
mod catalogue;
mod compare;
mod documents;
use crate::support::run;

const VERBS: [&[&str]; 28] = [
    &["certify"],
    &["verify-certificate"],
    &["keygen"],
    &["verify"],
    &["episode"],
    &["episode", "hash"],
    &["episode", "explain"],
    &["ledger"],
    &["ledger", "verify"],
    &["ledger", "replay"],
    &["ledger", "show"],
    &["engine"],
    &["engine", "run"],
    &["kernel"],
    &["kernel", "audit"],
    &["kernel", "snapshot"],
    &["kernel", "run"],
    &["compare"],
    &["audit"],
    &["canon"],
    &["laws"],
    &["errata"],
    &["explain"],
    &["vectors"],
    &["vectors", "check"],
    &["vectors", "census"],
    &["minimise"],
    &["testee"],
];

#[test]
fn every_verb_has_help_with_what_it_needs() {
    run(&["--help"]).exits(0).says(&["Usage: assize <COMMAND>", "Exit codes", "certify", "testee", "NO_COLOR"]);
    for verb in VERBS {
        let args = [verb, &["--help"]].concat();
        let ran = run(&args).exits(0).says(&["Usage: assize"]);
        assert!(ran.stderr.is_empty());
        if ![&["vectors"][..], &["episode"], &["ledger"], &["engine"], &["kernel"]].contains(&verb) {
            ran.says(&["Example", "Exit codes:"]);
        }
    }
    run(&["--version"]).exits(0).says(&[concat!("assize ", env!("CARGO_PKG_VERSION"))]);
}

#[test]
fn wrong_usage_is_64() {
    for args in [
        &[][..],
        &["dance"],
        &["compare", "only-one.json"],
        &["canon", "--profile", "none"],
        &["canon"],
        &["certify", "--mode", "none"],
        &["certify", "--filter", ""],
        &["audit"],
        &["audit", "x.json", "--profile", "none"],
        &["vectors"],
        &["kernel", "audit", "home", "--operation", "promote"],
        &["testee", "surplus"],
        &["compare", "a.json", "b.json", "--mode", "reference", "--registry", "r.json"],
    ] {
        let ran = run(args).exits(64);
        assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{args:?}");
    }
}
