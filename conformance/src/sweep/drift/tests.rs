use std::fs;

use serde_json::json;

use super::*;

/// A folder of results with such rows: path, verdict, exit code, broken laws, digest of what was read.
fn swept(folder: &Path, rows: &[(&str, &str, u8, &[&str], &str)]) {
    fs::create_dir_all(folder).unwrap();
    let order =
        json!({"contract": "assize-sweep/v1", "assize": "0.1.0", "manifest": null, "root": "r", "sought": null});
    fs::write(folder.join("sweep.json"), order.to_string()).unwrap();
    let line = |(index, (path, verdict, exit, laws, digest)): (usize, &(&str, &str, u8, &[&str], &str))| {
        let laws: BTreeMap<_, _> = laws.iter().map(|law| (*law, 2)).collect();
        let row = json!({
            "row": index + 1, "line": index + 1, "id": "0".repeat(64), "kind": "pack", "paths": [path], "verdict": verdict,
            "exit_code": exit, "first": null, "findings": 0, "warnings": 0, "laws": laws, "digests": {"pack": digest}, "ms": index,
        });
        format!("{row}\n")
    };
    fs::write(folder.join("results.jsonl"), rows.iter().enumerate().map(line).collect::<String>()).unwrap();
}

#[test]
fn what_changed_between_the_last_two_is_counted_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    swept(&place("0"), &[("a", "MATCH", 0, &[], "1"), ("b", "DIVERGE", 1, &["episode/x"], "1")]);
    swept(
        &place("1"),
        &[
            ("a", "MATCH", 0, &[], "1"),
            ("b", "DIVERGE", 1, &["episode/x"], "1"),
            ("c", "MATCH", 0, &[], "1"),
            ("d", "BROKEN", 2, &["episode/x"], "1"),
            ("gone", "MATCH", 0, &[], "1"),
        ],
    );
    swept(
        &place("2"),
        &[
            ("new", "MATCH", 0, &[], "1"),
            ("d", "BROKEN", 2, &["episode/y"], "1"),
            ("c", "DIVERGE", 1, &["episode/y"], "2"),
            ("b", "MATCH", 0, &[], "2"),
            ("a", "MATCH", 0, &[], "2"),
        ],
    );
    let of = |names: &[&str], most| Drift::of(&names.iter().map(|name| place(name)).collect::<Vec<_>>(), most).unwrap();
    let drift = of(&["0", "1", "2"], 2);
    assert_eq!((drift.same, drift.new, drift.gone, drift.changed, drift.worse), (1, 1, 1, 3, 2));
    let turned: Vec<_> = drift.laws.iter().map(|(law, turned)| (law.as_str(), turned.begin, turned.cease)).collect();
    assert_eq!(turned, [("episode/x", 0, 2), ("episode/y", 2, 0)]);
    let shown: Vec<_> =
        drift.changes.iter().map(|change| (&*change.paths[0], change.worse, change.other_bytes)).collect();
    assert_eq!(shown, [("d", true, false), ("c", true, true)], "two of three, in the order of the last sweep");
    assert_eq!(drift.sweeps.iter().map(|sweep| sweep.rows).collect::<Vec<_>>(), [2, 5, 5]);
    assert_eq!(drift.sweeps[1].laws["episode/x"], 2);
    let page = page(&drift).unwrap().unwrap();
    assert!(page.contains("2 of 3 are shown") && page.contains("<code>episode&#x2f;y</code>"), "{page}");
    let back = of(&["2", "1"], 9);
    assert_eq!(
        (back.changed, back.worse, back.changes.len()),
        (3, 2, 3),
        "d breaks another law than before in either direction"
    );
    let none = of(&["1", "1"], 9);
    assert_eq!((none.same, none.changed, none.new, none.gone), (5, 0, 0, 0));
}

#[test]
fn a_folder_without_results_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    swept(&folder.path().join("a"), &[]);
    let error = Drift::of(&[folder.path().join("a"), folder.path().to_path_buf()], 9).unwrap_err();
    assert!(matches!(error, StoreError::Nothing(_)), "{error}");
}

#[test]
fn what_was_not_judged_breaks_no_law_and_keeps_none() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("1"), folder.path().join("2"));
    swept(&one, &[("a", "DIVERGE", 1, &["episode/x"], "1")]);
    swept(&two, &[("a", "unreadable", 3, &[], "1")]);
    let text = fs::read_to_string(two.join("results.jsonl")).unwrap();
    let refused = text.replace("\"digests\":{\"pack\":\"1\"}", "\"digests\":{},\"error\":\"gone\",\"help\":\"look\"");
    assert_ne!(refused, text);
    fs::write(two.join("results.jsonl"), refused).unwrap();
    let there = Drift::of(&[one.clone(), two.clone()], 9).unwrap();
    assert_eq!((there.changed, there.worse, there.laws.len()), (1, 1, 0));
    assert_eq!((there.changes[0].other_bytes, there.changes[0].after.error.as_deref()), (false, Some("gone")));
    let back = Drift::of(&[two, one], 9).unwrap();
    assert_eq!((back.changed, back.worse, back.laws.len()), (1, 0, 0));
}

#[test]
fn an_artefact_that_is_listed_twice_has_two_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("1"), folder.path().join("2"));
    swept(&one, &[("a", "MATCH", 0, &[], "1"), ("a", "MATCH", 0, &[], "1")]);
    swept(&two, &[("a", "MATCH", 0, &[], "1")]);
    let counts = |one: &Path, two: &Path| {
        let drift = Drift::of(&[one.to_path_buf(), two.to_path_buf()], 9).unwrap();
        (drift.same, drift.new, drift.gone)
    };
    assert_eq!(counts(&one, &one), (2, 0, 0));
    assert_eq!(counts(&one, &two), (1, 0, 1));
    assert_eq!(counts(&two, &one), (1, 1, 0));
}

#[test]
fn a_line_in_between_that_is_no_row_is_an_error_and_a_last_one_without_an_end_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("1"), folder.path().join("2"));
    let rows: [(&str, &str, u8, &[&str], &str); 2] = [("a", "MATCH", 0, &[], "1"), ("b", "MATCH", 0, &[], "1")];
    swept(&one, &rows);
    swept(&two, &rows);
    let text = fs::read_to_string(two.join("results.jsonl")).unwrap();
    fs::write(two.join("results.jsonl"), text.trim_end()).unwrap();
    assert_eq!(Drift::of(&[one.clone(), two.clone()], 9).unwrap().gone, 1);
    fs::write(two.join("results.jsonl"), text.replacen("\"row\"", "\"r0w\"", 1)).unwrap();
    let error = Drift::of(&[one, two], 9).unwrap_err();
    assert!(error.to_string().contains("at byte 0 stands no row"), "{error}");
}
