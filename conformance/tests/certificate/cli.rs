//! `keygen`, `sign` and `verify-certificate` from outside.

use std::{fs, path::Path};

use assize::{
    certificate::{
        self,
        keys::{PrivateKey, PublicKey},
    },
    report::{self},
    testee::TransportKind,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::run::{LAW, Shape, certificate, found, harness, report};
use crate::support::{Ran, run_in, write};

/// A folder with a certificate of a run, signed by the pair `mine`, its report, and the pair `other`.
fn scene(shape: &Shape) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for pair in ["mine", "other"] {
        run_in(folder.path(), &["keygen", pair], b"").exits(0);
    }
    let key = PrivateKey::from_pem("mine.key", fs::read(folder.path().join("mine.key")).unwrap()).unwrap();
    let report = report(shape);
    let statement = certificate::statement(&report, &harness()).unwrap();
    write(&folder, "s.json", serde_json::to_vec_pretty(&statement).unwrap());
    write(&folder, "c.json", certificate::sign(&statement, &key).unwrap());
    write(&folder, "r.json", report::json(&report).unwrap());
    folder
}

fn verify(folder: &TempDir, args: &[&str]) -> Ran {
    // The runs of these tests are made by hand, have no challenges, and say that their testee was not sealed.
    let contained: &[&str] =
        if args.contains(&"--require-containment") { &[] } else { &["--require-containment", "none"] };
    run_in(folder.path(), &[&["verify-certificate", "--allow-known-questions"], contained, args].concat(), b"")
}

#[test]
fn keygen_writes_a_pair_once() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(folder.path(), &["keygen", "release"], b"").exits(0).complains(&["release.key", "release.pub"]);
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    let (private, public) = (read("release.key"), read("release.pub"));
    let key = PrivateKey::from_pem("k", private.clone()).unwrap();
    assert_eq!(PublicKey::from_pem("k", &public).unwrap(), key.public().unwrap());
    assert_eq!(ran.text(), format!("{}\n", key.public().unwrap().id()));
    assert!(!ran.stderr.contains("BEGIN"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode("release.key"), 0o600);
        assert_eq!(mode("release.pub") & 0o600, 0o600);
    }
    run_in(folder.path(), &["keygen", "release"], b"")
        .exits(3)
        .complains(&["release.key: is there already", "help: choose another name"]);
    // Either file is enough for a refusal, and then neither is made.
    fs::remove_file(folder.path().join("release.key")).unwrap();
    run_in(folder.path(), &["keygen", "release"], b"").exits(3).complains(&["release.pub: is there already"]);
    assert!(!folder.path().join("release.key").exists());
    assert_eq!(read("release.pub"), public);
    run_in(folder.path(), &["keygen", "another"], b"").exits(0);
    assert_ne!(read("another.key"), private);
    run_in(folder.path(), &["keygen", "gone/release"], b"")
        .exits(3)
        .complains(&["gone/release.key: cannot be written"]);
    run_in(folder.path(), &["keygen", ".."], b"").exits(64).complains(&["names no file"]);
}

#[cfg(unix)]
#[test]
fn keygen_follows_no_link() {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("elsewhere", folder.path().join("k.key")).unwrap();
    run_in(folder.path(), &["keygen", "k"], b"").exits(3).complains(&["k.key: is there already"]);
    assert!(!folder.path().join("elsewhere").exists() && !folder.path().join("k.pub").exists());
}

#[test]
fn a_certificate_is_shown_with_what_it_does_not_prove() {
    let folder = scene(&Shape { expected: true, undeclared: true, ..Shape::default() });
    let key = ["--key", "mine.pub", "--allow-expected-failures"];
    let ran = verify(&folder, &[&["c.json", "--report", "r.json", "--key", "other.pub"], &key[..]].concat()).exits(0);
    let digest = report(&Shape { expected: true, undeclared: true, ..Shape::default() }).digest;
    let ran = ran.says(&[
        "scope             PARTIAL: 62 of ",
        "signed by         key ",
        "result            WARNED\n",
        "testee            assize 0.1.0 (rust)",
        "subject           main.py (argument 2) sha256 2222",
        "containment       partly: orphan-search, process-group, subreaper; without: memory-limit; it could also read: /opt/data\n",
        "levels held       none\n",
        "1 fail as expected, 8 not applicable, 0 not run, ",
        " not selected\n",
        "not applicable    8: sovereign.compare is not declared\n",
        " altered answers caught: ",
        "null testee accept-all passes ",
        &format!("report            {digest}\n"),
        "(as built in here)\n",
        LAW,
        "does not prove\n  - Nothing is shown beyond the cases",
        "holds: report: the report makes this statement, member by member\nvalid: c.json\n",
    ]);
    assert!(ran.text().starts_with("scope  "), "nobody reads on who takes a part for the whole");
    let answer = verify(&folder, &[&["c.json", "--format", "json"], &key[..]].concat()).exits(0).json();
    assert_eq!(answer["valid"], true);
    assert_eq!(answer["statement"]["predicate"]["assize"]["report_sha256"], *digest);
    assert_eq!(answer["built_in"][0]["same"], true);
    assert_eq!(answer["checks"], json!([{"check": "policy", "holds": true, "message": "it is all that is asked for"}]));
}

#[test]
fn nothing_is_said_of_a_certificate_that_nobody_signed() {
    let folder = scene(&Shape::default());
    for format in ["human", "json"] {
        let ran = verify(&folder, &["c.json", "--key", "other.pub", "--format", format]).exits(1);
        assert!(ran.stdout.is_empty());
        ran.complains(&["c.json: no signature holds", "help: trust nothing in it"]);
    }
    let text = fs::read_to_string(folder.path().join("c.json")).unwrap();
    let mut envelope: Value = serde_json::from_str(&text).unwrap();
    envelope["signatures"] = json!([]);
    write(&folder, "c.json", envelope.to_string());
    verify(&folder, &["c.json", "--key", "mine.pub"]).exits(1).complains(&["c.json: the envelope holds no signature"]);
}

#[test]
fn files_of_the_run_are_checked_by_digest() {
    let folder = scene(&Shape { expected: true, ..Shape::default() });
    write(&folder, "e.toml", super::run::known());
    write(&folder, "x.toml", format!("{}# another", super::run::known()));
    let key = ["c.json", "--key", "mine.pub", "--allow-expected-failures"];
    let with = |args: &[&str]| verify(&folder, &[&key, args].concat());
    with(&["--expectations", "e.toml"]).exits(0).says(&["holds: expectations: the file is the one of the run"]);
    let ran = with(&["--expectations", "x.toml"]).exits(1);
    ran.says(&["differs: expectations: another file: its digest is ", "not valid: c.json"]);
    let other = fs::read_to_string(folder.path().join("r.json")).unwrap().replace("\"seed\": 7", "\"seed\": 8");
    write(&folder, "r.json", other);
    let answer = with(&["--report", "r.json", "--expectations", "e.toml", "--format", "json"]).exits(1).json();
    let checks: Vec<_> =
        answer["checks"].as_array().unwrap().iter().map(|check| (&check["check"], &check["holds"])).collect();
    let names = ["policy", "expectations", "report"].map(|name| json!(name));
    assert_eq!(checks, [(&names[0], &json!(true)), (&names[1], &json!(true)), (&names[2], &json!(false))]);
    assert_eq!(answer["valid"], false);
    assert_eq!(answer["checks"][2]["differences"][0]["member"], "/digest");
    write(&folder, "r.json", "{}");
    with(&["--report", "r.json"])
        .exits(3)
        .complains(&["r.json: the whole: \"contract\" is a required", "help: name what"]);
    with(&["--report", "gone.json"]).exits(3).complains(&["gone.json: cannot be read"]);
    let folder = scene(&Shape::default());
    write(&folder, "e.toml", super::run::known());
    let ran = verify(&folder, &["c.json", "--key", "mine.pub", "--expectations", "e.toml"]).exits(1);
    ran.says(&["differs: expectations: the run had no expectations file"]);
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = scene(&Shape::default());
    let (pem, whole) = ("mine.pub", fs::read_to_string(folder.path().join("mine.pub")).unwrap());
    fs::File::create(folder.path().join("large")).unwrap().set_len(64 << 20 | 1).unwrap();
    for (file, text, says) in [
        ("empty.json", "", "empty.json: no DSSE envelope: EOF"),
        ("garbage.json", "\u{1b}[31m", "garbage.json: no DSSE envelope: expected value at line 1 column 1"),
        ("twice.json", r#"{"payload":"","payload":""}"#, "twice.json: no DSSE envelope: duplicate field `payload`"),
    ] {
        write(&folder, file, text);
        let ran = verify(&folder, &[file, "--key", pem]).exits(3).complains(&[says, "help: name a file that"]);
        assert!(ran.stdout.is_empty());
    }
    verify(&folder, &["large", "--key", pem]).exits(3).complains(&["large: larger than the limit of 67108864 bytes"]);
    verify(&folder, &["gone.json", "--key", pem]).exits(3).complains(&["gone.json: cannot be read"]);
    verify(&folder, &[".", "--key", pem]).exits(3).complains(&[".: is a folder"]);
    if Path::new("/dev/zero").exists() {
        verify(&folder, &["/dev/zero", "--key", pem]).exits(3).complains(&["/dev/zero: is a device"]);
    }
    for (text, says) in [
        (whole.split_at(whole.len() - 9).0.to_owned(), "k.pub: line 3: truncated: -----END PUBLIC KEY----- is missing"),
        (format!("{whole}x"), "k.pub: line 4: something follows the key"),
        ("x".repeat(1 << 20), "k.pub: larger than the limit of 65536 bytes"),
        (fs::read_to_string(folder.path().join("mine.key")).unwrap(), "k.pub: line 1: a private key, where"),
    ] {
        write(&folder, "k.pub", text);
        verify(&folder, &["c.json", "--key", "k.pub"]).exits(3).complains(&[says, "help: "]);
    }
}

#[test]
fn a_certificate_of_another_corpus_is_valid_where_it_is_named() {
    let folder = scene(&Shape::default());
    let mut other = report::sum::sum(found(&Shape::default()));
    other.result.suite.sha256 = "9".repeat(64);
    other.digest = other.result.digest().unwrap().to_hex();
    write(&folder, "c.json", certificate(&other));
    write(&folder, "one.pub", super::run::public(1).to_pem().unwrap());
    let key = ["c.json", "--key", "one.pub"];
    let ran = verify(&folder, &key).exits(1);
    ran.says(&["differs: policy: it falls short in 1 point", "/suite/sha256: another corpus", "not valid: c.json"]);
    let nines = "9".repeat(64);
    let key = ["c.json", "--key", "one.pub", "--accept", &nines];
    verify(&folder, &key).exits(0).says(&["corpus            9999", "(built in here is ", "valid: c.json"]);
    let ran = verify(&folder, &[&key[..], &["--replay", "--", "python3"]].concat()).exits(3);
    ran.complains(&["cannot be replayed: built in here is another corpus", "help: use assize 0.1.0"]);
}

#[test]
fn a_replay_needs_what_the_run_had() {
    let folder = scene(&Shape { expected: true, ..Shape::default() });
    let key = ["c.json", "--key", "mine.pub"];
    let with = |args: &[&str]| verify(&folder, &[&key, args].concat()).exits(64);
    with(&["--replay"]).complains(&["--replay needs the command", "python3"]);
    with(&["--replay", "--", "python3"]).complains(&["and --replay needs it", "--expectations FILE"]);
    with(&["--", "python3"]).complains(&["--replay"]);
    verify(&folder, &["c.json"]).exits(64).complains(&["--key <PUB>"]);
    let folder = scene(&Shape { configured: true, ..Shape::default() });
    let ran = verify(&folder, &["c.json", "--key", "mine.pub", "--replay", "--", "python3"]).exits(64);
    ran.complains(&["a configuration file gave", "--replay needs it", "--config FILE"]);
    let folder = scene(&Shape { transport: TransportKind::InProcess, ..Shape::default() });
    let ran = verify(&folder, &["c.json", "--key", "mine.pub", "--replay", "--", "python3"]).exits(64);
    ran.complains(&["about the built-in verifier", "leave out"]);
    let ran = verify(&folder, &["c.json", "--key", "mine.pub", "--replay"]).exits(1);
    ran.says(&["differs: replay: with the seed 7 the run went another way", "differs: replay, other seed: "]);
}

#[test]
fn what_a_certificate_holds_steers_no_terminal() {
    let mut found = found(&Shape::default());
    found.introduction.as_mut().unwrap().testee.name = "\u{1b}[2Jx\nvalid".to_owned();
    let folder = scene(&Shape::default());
    write(&folder, "c.json", certificate(&report::sum::sum(found)));
    write(&folder, "one.pub", super::run::public(1).to_pem().unwrap());
    let ran = verify(&folder, &["c.json", "--key", "one.pub"]).exits(0).says(&[r"\u{1b}[2Jx\nvalid"]);
    assert!(!ran.text().contains('\u{1b}'));
}

#[test]
fn a_statement_is_signed_by_whoever_holds_the_key() {
    let folder = scene(&Shape::default());
    let sign = |args: &[&str], stdin: &[u8]| run_in(folder.path(), &[&["sign"], args].concat(), stdin);
    let certificate = fs::read(folder.path().join("c.json")).unwrap();
    assert_eq!(sign(&["s.json", "--key", "mine.key"], b"").exits(0).stdout, certificate);
    sign(&["s.json", "--key", "mine.key", "--output", "again.json"], b"").exits(0);
    assert_eq!(fs::read(folder.path().join("again.json")).unwrap(), certificate);
    #[cfg(unix)]
    {
        let key = fs::read(folder.path().join("mine.key")).unwrap();
        assert_eq!(sign(&["s.json", "--key-fd", "0"], &key).exits(0).stdout, certificate);
        sign(&["s.json", "--key-fd", "0"], b"x").exits(3).complains(&["file descriptor 0: line 1: no PEM"]);
        sign(&["s.json", "--key-fd", "77"], b"").exits(3).complains(&["/dev/fd/77: cannot be read"]);
    }
    sign(&["s.json"], b"").exits(64).complains(&["--key <FILE>"]);
    sign(&["s.json", "--key", "mine.key", "--key-fd", "0"], b"").exits(64);
    sign(&["s.json", "--key", "mine.key", "--output", "mine.key"], b"").exits(64).complains(&["would replace"]);
    sign(&["s.json", "--key", "mine.pub"], b"").exits(3).complains(&["a public key, where a private key is needed"]);
    sign(&["c.json", "--key", "mine.key"], b"")
        .exits(3)
        .complains(&["c.json: /_type is not there", "help: name a file"]);
    fs::File::create(folder.path().join("large")).unwrap().set_len(64 << 20 | 1).unwrap();
    sign(&["large", "--key", "mine.key"], b"").exits(3).complains(&["large: larger than the limit of 67108864 bytes"]);
    let mut statement: Value = serde_json::from_slice(&fs::read(folder.path().join("s.json")).unwrap()).unwrap();
    statement["predicate"]["assize"]["totals"]["pass"] = json!(0);
    write(&folder, "s.json", statement.to_string());
    let ran = sign(&["s.json", "--key", "mine.key"], b"").exits(1).complains(&["s.json: ", "do not add up"]);
    assert!(ran.stdout.is_empty());
}

#[test]
fn whoever_checks_says_what_is_enough() {
    let folder = scene(&Shape { expected: true, ..Shape::default() });
    let with = |args: &[&str]| verify(&folder, &[&["c.json", "--key", "mine.pub"], args].concat());
    with(&[]).exits(1).says(&["/totals/expected: 1 known failures: --allow-expected-failures takes them"]);
    let allowed = |args: &[&str]| with(&[&["--allow-expected-failures"], args].concat());
    allowed(&["--max-age", "5000w"]).exits(0);
    allowed(&["--max-age", "1h"]).exits(1).says(&["/started: the run began 2026-01-02T03:04:05Z, longer ago than 1h"]);
    allowed(&["--max-age", "soon"]).exits(64).complains(&["\"soon\" is not a length of time"]);
    let ran = allowed(&["--require-grade", "conforms"]).exits(1);
    ran.says(&["/grade: \"conforms\" is required, and it is \"violates\""]);
    let ran = allowed(&["--require-level", "auditor", "--require-level", "engine"]).exits(1);
    ran.says(&["it falls short in 2 points", "auditor is required to be held, and is ", "/state: engine is required"]);
    allowed(&["--require-level", "none"]).exits(64).complains(&["comparator-law"]);
    allowed(&["--require-containment", "partly"]).exits(0);
    let ran = allowed(&["--require-containment", "sealed"]).exits(1);
    ran.says(&["/containment/level: sealed is required, and it is partly"]);
    allowed(&["--require-containment", "none"]).exits(0);
    allowed(&["--require-containment", "some"]).exits(64).complains(&["sealed, partly, none"]);
    let inside = scene(&Shape { transport: TransportKind::InProcess, ..Shape::default() });
    let ran = verify(&inside, &["c.json", "--key", "mine.pub", "--require-containment", "partly"]).exits(1);
    ran.says(&["/containment/level: partly is required, and it is not there"]);
    let folder = scene(&Shape::default());
    let strictly = ["c.json", "--key", "mine.pub", "--require-grade", "conforms-strictly"];
    verify(&folder, &strictly).exits(0).says(&["holds: policy: it is all that is asked for"]);
    let ran = run_in(folder.path(), &["verify-certificate", "c.json", "--key", "mine.pub"], b"").exits(1);
    ran.says(&[
        "/challenges: no questions for each law beside the corpus",
        "--allow-known-questions takes it",
        "/containment/level: sealed is required, and it is partly: ",
        "--require-containment partly takes it",
        "it falls short in 2 points",
    ]);
}

#[test]
fn sign_refuses_what_does_not_follow_from_the_report() {
    let folder = scene(&Shape::default());
    let sign = |report: &str| run_in(folder.path(), &["sign", "s.json", "--key", "mine.key", "--report", report], b"");
    sign("r.json").exits(0);
    let other = report(&Shape { expected: true, ..Shape::default() });
    write(&folder, "x.json", report::json(&other).unwrap());
    let ran = sign("x.json").exits(1).complains(&["s.json: does not follow from x.json: /", "help: sign no statement"]);
    assert!(ran.stdout.is_empty());
}
