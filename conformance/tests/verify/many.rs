//! Several packs at once.

use serde_json::json;

use super::{scene, verify, worked};

#[test]
fn the_worst_exit_counts_and_the_order_is_that_of_the_line() {
    let (good, mut other, mut broken) = (worked().sealed(), worked().sealed(), worked().sealed());
    other.put("recorded_traces/in.json", "[]");
    broken.put("pack_signature.sig", "");
    let folder = scene(&[("good", &good), ("other", &other), ("broken", &broken)]);
    for (packs, exit) in [
        (&["good", "good"][..], 0),
        (&["other", "good"], 1),
        (&["broken", "other", "good"], 2),
        (&["good", "gone", "broken", "other"], 3),
    ] {
        let document = verify(folder.path(), &[packs, &["--format", "json"]].concat()).exits(exit).json();
        assert_eq!(document["worst_exit"], exit);
        let seen: Vec<_> = document["packs"].as_array().unwrap().iter().map(|pack| pack["path"].clone()).collect();
        assert_eq!(json!(seen), json!(packs));
        verify(folder.path(), packs).exits(exit).says(&[&format!("exit code {exit}\n")]);
    }
}

#[test]
fn a_table_sums_up() {
    let (good, mut other) = (worked().sealed(), worked().sealed());
    other.put("recorded_traces/in.json", "[]");
    let folder = scene(&[("good", &good), ("other", &other)]);
    let ran = verify(folder.path(), &["good", "other", "gone", "good", "--quiet"]).exits(3);
    let wanted = "\
pack   verdict     exit  phase  integrity  claim check  episode claim  diverged  errors  warnings
good   MATCH       0     4      PASS       PASS         PASS           0         0       0
other  DIVERGE     1     4      PASS       FAIL         PASS           1         1       1
gone   unreadable  3     -      -          -            -              -         -       -
good   MATCH       0     4      PASS       PASS         PASS           0         0       0

4 packs: 2 MATCH, 1 DIVERGE, 1 unreadable; exit code 3
";
    assert_eq!(ran.text(), wanted);
    ran.complains(&["gone: cannot be opened"]);
    let whole = verify(folder.path(), &["good", "other"]).exits(1);
    assert!(whole.text().starts_with("good\n  phase 1"), "{}", whole.text());
    whole.says(&["\nother\n  phase 1", "1 divergence\n  in\n", "2 packs: 1 MATCH, 1 DIVERGE; exit code 1\n"]);
}
