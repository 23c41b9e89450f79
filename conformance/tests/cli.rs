//! The command line from outside: exit codes, help, messages, and that nothing half-written is left.

mod bad_input;
mod catalogue;
mod compare;
mod documents;
mod former;
#[cfg(unix)]
mod pipes;
mod recorder;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(target_os = "linux")]
mod threads;

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

/// What a verb was called before still does the same.
#[test]
fn former_names_of_verbs_lead_to_the_same() {
    for (former, now) in [
        (&["compare", "x", "y"][..], &["bundle", "compare", "x", "y"][..]),
        (&["audit", "x"], &["bundle", "audit", "x"]),
        (&["record", "x", "--run", "r", "--turn", "t"], &["bundle", "record", "x", "--run", "r", "--turn", "t"]),
        (
            &["bundle", "x", "--run", "r", "--workflow", "w", "--digests", "d"],
            &["bundle", "make", "x", "--run", "r", "--workflow", "w", "--digests", "d"],
        ),
        (&["verify", "x"], &["pack", "verify", "x"]),
        (&["episode", "explain", "x"], &["pack", "explain", "x"]),
        (&["episode", "hash", "x"], &["pack", "hash", "x"]),
        (
            &["episode", "pack", "x", "--inputs", "i", "--outputs", "o", "--now", "n", "--key", "k", "--out", "p"],
            &["pack", "make", "x", "--inputs", "i", "--outputs", "o", "--now", "n", "--key", "k", "--out", "p"],
        ),
        (&["lint", "replies", "x"], &["reply", "lint", "x"]),
    ] {
        // Nothing of what is named is there, which the verb itself finds out.
        let (former, now) = (run(former), run(now).exits(3));
        assert_eq!((former.code, former.stdout, former.stderr), (3, now.stdout, now.stderr));
    }
    let help = run(&["--help"]).exits(0);
    let verbs = help.text().lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let verbs: Vec<_> = verbs.filter(|verb| !verb.is_empty()).collect();
    for (verb, listed) in [("bundle", true), ("pack", true), ("compare", false), ("verify", false), ("lint", false)] {
        assert_eq!(verbs.contains(&verb), listed, "{verb}");
    }
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
