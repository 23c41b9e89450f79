//! `kernel registry`: findings, exit codes, and files that are not revisions.

use serde_json::json;

use crate::support::run_in;

#[test]
fn a_rename_needs_a_major_version() {
    let folder = tempfile::tempdir().unwrap();
    let judged = |version: &str, format: &str, code: i32| {
        let revisions = json!([
            {"version": "1.0.0", "codes": {"E_DENIED": "denied"}},
            {"version": version, "codes": {"E_REFUSED": "denied"}},
        ]);
        let text = revisions.to_string();
        run_in(folder.path(), &["kernel", "registry", "-", "--format", format], text.as_bytes()).exits(code)
    };
    judged("2.0.0", "human", 0).says(&["lawful: "]);
    judged("1.1.0", "human", 1).says(&["kernel/registry-versions", "error /1/codes/E_DENIED: ", "1 error, "]);
    let document = judged("1.0.0", "json", 1).json();
    let found: Vec<_> =
        document["findings"].as_array().unwrap().iter().map(|one| (&one["pointer"], &one["code"])).collect();
    let (version, none) = (json!("/1/version"), json!(null));
    let places = ["/1/codes/E_DENIED", "/1/codes/E_REFUSED"].map(|place| json!(place));
    let codes = ["E_DENIED", "E_REFUSED"].map(|code| json!(code));
    assert_eq!(found, [(&places[0], &codes[0]), (&places[1], &codes[1]), (&version, &none)]);
    assert_eq!(document["exit_code"], 1);
}

#[test]
fn what_are_no_revisions_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (text, says) in [
        ("", "byte 0"),
        ("{}", "an array of revisions is due"),
        ("[]", "at least one revision is due"),
        (r#"[{"version":"1.0"}]"#, "/0/codes: the member is missing"),
        (r#"[{"version":"1.0","codes":{}}]"#, "/0/version: three decimal numbers"),
        (r#"[{"version":"1.0.0","codes":{"E_A":1}}]"#, "/0/codes/E_A: a string is due"),
    ] {
        run_in(folder.path(), &["kernel", "registry", "-"], text.as_bytes()).exits(3).complains(&[says]);
    }
}
