//! Input that is broken or hostile: a report or a message that says what and where, and never a panic.

use serde_json::{Value, json};

use crate::support::{Ran, bundle, run_in, scene, turn, write};

#[track_caller]
fn compare(folder: &tempfile::TempDir) -> Ran {
    run_in(folder.path(), &["compare", "a.json", "b.json"], b"")
}

/// Law mode: a report of status ERROR, whose first breach of side B is shown on standard error.
#[track_caller]
fn reports(folder: &tempfile::TempDir, says: &[&str]) -> Value {
    let ran = compare(folder).exits(3).complains(&["ERROR: a.json against b.json: "]).complains(says);
    let report = ran.json();
    assert_eq!((&report["status"], &report["exit_code"]), (&"ERROR".into(), &1.into()));
    report
}

#[test]
fn bundles_that_cannot_be_read_are_named() {
    let folder = scene();
    for (b, says) in [
        ("gone.json", ["gone.json: cannot be read", "check the spelling"]),
        ("a", ["a: is a folder, not a file", "name a file in it"]),
        ("/dev/zero", ["/dev/zero: is a device, not a file", "name a regular file"]),
        #[cfg(target_os = "linux")]
        ("/proc/kmsg", ["/proc/kmsg: is a file of the kernel", "copy what it says"]),
        ("a.json/x", ["a.json/x: cannot be read", "readable file"]),
    ] {
        for mode in ["law", "reference"] {
            let ran = run_in(folder.path(), &["compare", "a.json", b, "--mode", mode], b"").exits(3).complains(&says);
            assert!(ran.stdout.is_empty());
        }
    }
}

#[test]
fn bundles_that_are_no_json_are_reported_with_file_pointer_and_offset() {
    let deep = format!("{{\"turn_results\":{}", "[".repeat(10_000));
    for (text, says) in [
        (
            &br#"{"digests": {"policy_digest": nul}}"#[..],
            "b.json: the document: unexpected `}` at byte 33, at /digests/policy_digest",
        ),
        (br#"{"digests": "#, "b.json: the document: ends inside a value at byte 12"),
        (b"", "ends inside a value at byte 0"),
        (b"{\"a\": \"\xff\"}", "not UTF-8 at byte 7"),
        (b"\xef\xbb\xbf{}", "begins with a byte order mark at byte 0"),
        (b"{\"a\": \"\x00\"}", "unescaped control character U+0000 in a string at byte 7"),
        (b"{} {}", "something follows the document at byte 3"),
        (deep.as_bytes(), "nested deeper than the limit of 256 levels at byte 271"),
    ] {
        let folder = scene();
        write(&folder, "b.json", text);
        reports(&folder, &[says]);
    }
}

#[test]
fn bundles_of_wrong_types_are_reported() {
    for (text, says) in [("[]", ""), ("null", ""), ("7", ""), (r#"{"turn_results": []}"#, "/contract_version")] {
        let folder = scene();
        write(&folder, "b.json", text);
        reports(&folder, &["b.json: ", says]);
    }
    for member in ["run_envelope", "registry_digest", "digests", "turn_results"] {
        let folder = scene();
        let mut bent = bundle(&[]);
        bent[member] = json!(7);
        write(&folder, "b.json", bent.to_string());
        let report = reports(&folder, &["b.json", &format!("/{member}")]);
        assert_eq!(report["mismatches"][0]["surface"].as_str().map(str::is_empty), Some(false));
    }
}

/// Nothing outside the root is read in law mode, and nothing that is not a regular file.
#[cfg(unix)]
#[test]
fn turn_paths_that_lead_out_are_missing_inputs() {
    let folder = scene();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("1.json"), turn().to_string()).unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("1.json"), folder.path().join("link.json")).unwrap();
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    let absolute = outside.path().join("1.json").to_str().unwrap().to_owned();
    let upwards = format!("../{name}/1.json");
    let inside = folder.path().join("b/1.json").to_str().unwrap().to_owned();
    for path in [
        &absolute,
        &upwards,
        &inside,
        "link/1.json",
        "link.json",
        "b",
        "gone.json",
        "/dev/zero",
        "/dev/null",
        "",
        "b/1\u{0}.json",
    ] {
        write(&folder, "b.json", bundle(&[("turn-0001", path)]).to_string());
        let report = reports(&folder, &["b.json, turn turn-0001: /turn_results/turn-0001/paths: "]);
        let row = &report["mismatches"][0];
        assert_eq!(row["reason_code"], "E_REPLAY_INPUT_MISSING", "{path:?}");
        assert_eq!((&row["path"], &row["diagnostic"]["side"]), (&"/turn_results/turn-0001/paths".into(), &"b".into()));
    }
}

#[test]
fn turn_files_that_are_broken_are_reported() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for text in [&b"{"[..], b"\xff", b"[]", b"null", deep.as_bytes()] {
        let folder = scene();
        write(&folder, "b/1.json", text);
        reports(&folder, &["b.json, turn turn-0001: "]);
    }
    let folder = scene();
    let mut banned = turn().to_string();
    banned = banned.replace(r#""n":1"#, r#""n":-0"#);
    write(&folder, "b/1.json", banned);
    let report = reports(&folder, &["b.json, turn turn-0001: /issues/0/details/n: ", "[E_CANONICALIZATION_ERROR]"]);
    assert_eq!(report["mismatches"][0]["path"], "/issues/0/details/n");
}

#[test]
fn duplicate_turns_are_reported() {
    let folder = scene();
    write(&folder, "b.json", bundle(&[("turn-0001", "b/1.json"), ("turn-0001", "b/1.json")]).to_string());
    reports(&folder, &["b.json", "turn-0001"]);
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    let folder = scene();
    write(&folder, "b.json", bundle(&[("turn-\u{1b}[31m", "b/1.json")]).to_string());
    let ran = compare(&folder);
    assert!(!ran.stderr.contains('\u{1b}') && ran.stderr.contains("turn-\\u{1b}[31m"), "{}", ran.stderr);
}

/// Reference mode: what does not load is an abort or a missing input, and the process goes on.
#[test]
fn reference_mode_survives_bad_input() {
    let deep = "[".repeat(10_000);
    for (text, exception, place) in [
        (&b"{"[..], "ValueError", "b.json: byte 1: ends inside a value"),
        (b"{\"a\": \"\xff\"}", "ValueError", "b.json: byte 7: not UTF-8"),
        (b"7", "TypeError", "a type that the comparator does not expect"),
        (deep.as_bytes(), "ValueError", "b.json: byte 990, at /0/0"),
    ] {
        let folder = scene();
        write(&folder, "b.json", text);
        let ran = run_in(folder.path(), &["compare", "a.json", "b.json", "--mode", "reference"], b"").exits(3);
        assert!(ran.stdout.is_empty());
        ran.complains(&[exception, place]);
    }
}

/// What is wrong with a whole document has the empty pointer, which no message shows as nothing.
#[test]
fn no_message_points_at_an_empty_pointer() {
    let folder = scene();
    let mut said = String::new();
    for (name, text) in [("nan.json", "NaN"), ("array.json", "[]"), ("text.json", "\"x\""), ("empty.json", "")] {
        write(&folder, name, text);
        for verb in [
            &["bundle", "compare", name, "b.json", "--format", "human"][..],
            &["bundle", "audit", name],
            &["bundle", "record", name, "--run", "r", "--turn", "t"],
            &["bundle", "make", name, "--run", "r", "--workflow", "w", "--digests", name],
            &["sovereign", "contract", "turn-result", name],
            &["canon", "--profile", "sovereign", name],
            &["pack", "hash", name],
            &["reply", "envelope", name],
            &["reply", "trace", name],
            &["reply", "lint", name],
            &["kernel", "run", name],
            &["kernel", "registry", name],
            &["engine", "run", name],
            &["ledger", "verify", name],
        ] {
            let ran = run_in(folder.path(), verb, b"");
            assert_ne!(ran.code, 70, "{verb:?}: {}", ran.stderr);
            said.push_str(&format!("$ {}\n{}{}", verb.join(" "), String::from_utf8_lossy(&ran.stdout), ran.stderr));
        }
    }
    // A turn file with nothing but a constant.
    write(&folder, "a/1.json", "NaN");
    let ran = run_in(folder.path(), &["bundle", "compare", "a.json", "b.json", "--format", "human"], b"");
    said.push_str(&ran.stderr);
    said.push_str(&String::from_utf8_lossy(&ran.stdout));
    assert!(said.matches("NaN or an infinity").count() > 1, "{said}");
    for line in said.lines().map(str::trim_end) {
        let nowhere = line.ends_with(" at")
            || [" at :", " at ,", "at `", "``", ": : ", ":  "].iter().any(|gap| line.contains(gap));
        assert!(!nowhere, "{line}\nin\n{said}");
    }
}
