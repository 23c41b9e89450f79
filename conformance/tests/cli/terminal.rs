//! Lines fit a terminal, and are as long as they are where there is none.

use std::process::Command;

use crate::support::run;

/// What a verb shows on a terminal of so many columns, standard error included, and how it ends.
fn shown(columns: usize, args: &[&str]) -> (i32, String) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/terminal.py");
    let ran = Command::new("python3")
        .args([script, &columns.to_string(), env!("CARGO_BIN_EXE_assize")])
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples"))
        .output()
        .unwrap();
    assert!(ran.stderr.is_empty(), "{}", String::from_utf8_lossy(&ran.stderr));
    (ran.status.code().unwrap(), String::from_utf8(ran.stdout).unwrap())
}

#[test]
fn lines_fit_the_terminal() {
    for (args, code, says) in [
        (&["laws", "canon"][..], 0, "canon/rfc8785"),
        (&["laws", "canon/rfc8785"], 0, "lone surrogate"),
        (&["explain", "EP-1"], 0, "Either value is accepted"),
        (&["explain", "canon/rfc8785/no-such-case"], 64, "`assize laws SLUG` lists what there is"),
        (&["vectors", "check", "gone"], 3, "gone: cannot be read"),
        (&["bundle", "compare", "pair/expected.json", "pair/divergent.json", "--format", "human"], 1, "DIVERGENT"),
        (&["certify", "--filter", "canon/i-json", "--challenges", "none"], 0, "\ncanon/i-json\n  "),
    ] {
        let (ended, text) = shown(80, args);
        assert!(ended == code && text.contains(says), "{args:?} ended with {ended}:\n{text}");
        for line in text.lines().map(|line| line.rsplit('\r').next().unwrap()) {
            assert!(line.chars().count() <= 80, "{args:?}: {line}");
        }
    }
}

#[test]
fn lines_stay_whole_where_nobody_watches() {
    let text = run(&["laws", "canon/rfc8785"]).exits(0).text().to_owned();
    let statement = text.lines().find(|line| line.contains("lone surrogate")).unwrap();
    assert!(statement.len() > 200 && statement.starts_with("  A value's"), "{statement}");
    let complaint = run(&["explain", "canon/rfc8785/no-such-case"]).exits(64).stderr;
    assert_eq!(complaint.lines().filter(|line| line.starts_with("  help: ")).count(), 1);
    assert!(complaint.lines().all(|line| !line.starts_with("    ")), "{complaint}");
}
