//! `audit` and `canon`: one document.

use serde_json::json;

use crate::support::{run_in, scene, turn, write};

#[test]
fn canon_writes_bytes_or_a_digest() {
    let folder = scene();
    write(&folder, "x.json", "{\"b\": 1, \"a\": \"\\u0041\"}\n");
    let at = |args: &[&str]| run_in(folder.path(), args, b"[1.50, -0]");
    assert_eq!(at(&["canon", "--profile", "sovereign", "x.json"]).exits(0).text(), r#"{"a":"A","b":1}"#);
    // printf '{"a":"A","b":1}' | sha256sum
    let digest = "2fbac9efdc203ac32532d2f2dc78f5009d3f0cc6649bcd905622e1e50aa7e28e";
    let ran = at(&["canon", "--profile", "sovereign", "x.json", "--digest"]).exits(0);
    assert_eq!(ran.text(), format!("{digest}\n"));
    assert_eq!(at(&["canon", "--profile", "episode"]).exits(0).text(), "[1.5,0]");
    assert_eq!(at(&["canon", "--profile", "rfc8785"]).exits(0).text(), "[1.5,0]");
    let former = at(&["canon", "--profile", "jcs"]).exits(0);
    assert_eq!(former.text(), "[1.5,0]");
    former.complains(&["note: profile jcs is called episode now; rfc8785 is RFC 8785 and nothing else"]);
    assert_eq!(at(&["canon", "--profile", "authority", "-"]).exits(0).text(), "[1.5,0]");
    let ran = at(&["canon", "--profile", "sovereign"]).exits(1);
    assert!(ran.stdout.is_empty());
    ran.complains(&["standard input: byte 1, at /0: a number with a fraction", "profile sovereign", "fixed-point"]);
}

#[test]
fn canon_names_what_it_cannot_read() {
    let deep = "[".repeat(10_000);
    for (text, says) in [
        (&br#"{"a": [1, }"#[..], "x.json: byte 10, at /a/1: unexpected `}`"),
        (b"\xff", "x.json: byte 0: not UTF-8"),
        (b"", "x.json: byte 0: ends inside a value"),
        (deep.as_bytes(), "x.json: byte 256"),
    ] {
        let folder = scene();
        write(&folder, "x.json", text);
        let ran =
            run_in(folder.path(), &["canon", "-p", "episode", "x.json"], b"").exits(3).complains(&[says, "help: "]);
        assert!(ran.stdout.is_empty());
    }
    let folder = scene();
    for (file, says) in
        [("gone", "gone: cannot be read"), ("a", "a: is a folder"), ("/dev/zero", "/dev/zero: is a device")]
    {
        run_in(folder.path(), &["canon", "-p", "episode", file], b"").exits(3).complains(&[says]);
    }
}

#[test]
fn audit_lists_findings_by_law() {
    let folder = scene();
    let lawful = run_in(folder.path(), &["audit", "a/1.json"], b"").exits(0);
    lawful.says(&["lawful: a/1.json: 0 errors, 0 warnings"]);
    write(&folder, "bad.json", turn().to_string().replace(r#""n":1"#, r#""n":1.0"#));
    run_in(folder.path(), &["audit", "bad.json"], b"").exits(1).says(&[
        "sovereign/float-ban\n  error /issues/0/details/n: ",
        "[E_CANONICALIZATION_ERROR]",
        "unlawful: bad.json: 1 error, 0 warnings",
    ]);
    let found = run_in(folder.path(), &["audit", "bad.json", "--format", "json"], b"").exits(1).json();
    assert_eq!(found["exit_code"], 1);
    assert_eq!(found["findings"][0]["pointer"], "/issues/0/details/n");
    assert_eq!(found["findings"][0]["law"], "sovereign/float-ban");
}

#[test]
fn audit_takes_attempts_and_profiles() {
    let folder = scene();
    write(&folder, "attempts.json", json!([{"tool_name": "t", "action": "a", "conditions": []}]).to_string());
    let args = ["audit", "a/1.json", "--attempts", "attempts.json", "--profile", "turn-digest/published"];
    run_in(folder.path(), &args, b"").exits(1).says(&["sovereign/single-emission", "error"]);
}

/// The document at fault is named, for each of the three.
#[test]
fn audit_names_what_it_cannot_read() {
    let folder = scene();
    write(&folder, "broken.json", r#"{"a": [tru]}"#);
    write(&folder, "object.json", "{}");
    let broken = "broken.json: byte 10, at /a/0: unexpected `]`";
    for (args, says) in [
        (&["audit", "broken.json"][..], broken),
        (&["audit", "a/1.json", "--attempts", "broken.json"], broken),
        (&["audit", "a/1.json", "--registry", "broken.json"], broken),
        (&["audit", "a/1.json", "--attempts", "object.json"], "object.json: "),
        (&["audit", "gone.json"], "gone.json: cannot be read"),
        (&["audit", "a/1.json", "--attempts", "a"], "a: is a folder"),
    ] {
        let ran = run_in(folder.path(), args, b"").exits(3).complains(&[says, "help: "]);
        assert!(ran.stdout.is_empty());
    }
}
