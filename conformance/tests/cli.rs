//! The command line from outside: exit codes, help, messages, and that nothing half-written is left.

mod bad_input;
mod catalogue;
mod compare;
mod documents;
mod recorder;
use crate::support::run;

/// What a verb's help says is tested next to the verbs, where clap's own tree can be walked.
#[test]
fn help_and_version_are_answers() {
    let ran = run(&["--help"]).exits(0);
    ran.says(&["Usage: assize <COMMAND>", "Exit codes", "certify", "testee", "NO_COLOR"]);
    for verb in [&["certify", "--help"][..], &["kernel", "--help"], &["kernel", "run", "--help"]] {
        assert!(run(verb).exits(0).says(&["Usage: assize"]).stderr.is_empty(), "{verb:?}");
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
