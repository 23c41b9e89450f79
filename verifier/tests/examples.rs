//! The examples, run: what they print is what they are there to show.
#![cfg(every_system)]
#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "the programs' own `main` is left out; a test stops at the first surprise"
)]

#[path = "../examples/canonical_bytes.rs"]
mod canonical_bytes;
#[path = "../examples/compare_bundles.rs"]
mod compare_bundles;
#[path = "../examples/lint_registry.rs"]
mod lint_registry;
#[path = "../examples/verify_pack.rs"]
mod verify_pack;

use std::path::Path;

use assize_verifier::operation::MemoryRoot;

#[test]
fn canonical_bytes_differ_by_profile() {
    let table = canonical_bytes::table(r#"{"b": 1, "a": "\u0041"}"#);
    let lines: Vec<_> = table.lines().map(|line| line.rsplit_once(' ').unwrap().0).collect();
    let bytes = r#"{"a":"A","b":1}"#;
    assert_eq!(lines, ["rfc8785", "episode", "sovereign", "authority"].map(|profile| format!("{profile}: {bytes}")));
    assert!(canonical_bytes::table("[1.0]").contains("\nsovereign: a number with a fraction"));
}

#[test]
fn bundles_under_two_policies_do_not_agree() {
    let (one, other) = (compare_bundles::bundle("one"), compare_bundles::bundle("other"));
    assert_eq!(compare_bundles::outcome(&one, &one), "EQUIVALENT\n");
    assert!(compare_bundles::outcome(&one, &other).contains("E_REPLAY_VERSION_MISMATCH"));
}

#[test]
fn a_registry_is_linted_by_law_and_place() {
    let of = |retired: &str| {
        let code = r#"{"code": "WA-RES-S-001", "message_key": "k"}"#;
        lint_registry::lint(&format!(
            r#"{{"registries": [{{"name": "canonical", "active": [{code}], "retired": [{retired}]}}]}}"#
        ))
    };
    assert_eq!(of(r#""WA-RES-S-002""#).unwrap(), "lawful\n");
    assert!(of(r#""WA-RES-S-001""#).unwrap().starts_with("/registries/0/active/0 reply/code-never-reused: "));
}

#[test]
fn a_pack_is_judged_from_memory() {
    let mut root = MemoryRoot::default();
    assert_eq!(verify_pack::verdict(&mut root).unwrap(), "INTEGRITY_FAIL");
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/episode/exit-codes/zero-for-a-match.pack");
    verify_pack::read(&pack, "", &mut root.files).unwrap();
    assert_eq!(verify_pack::verdict(&mut root).unwrap(), "MATCH");
}
