//! `assize minimise`: what remains of an input for a testee with one planted fault, and what is written.
//!
//! Bounds on sizes are absolute: a reducer that gave its input back would exceed them. Needs Python 3.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::atomic::AtomicBool,
    time::Duration,
};

use assize::{
    minimise::{
        self, Bounds, Outcome,
        input::{Ask, Start},
        skeleton::Skeleton,
    },
    protocol::Limits,
    testee::Child,
};
use serde_json::{Value, json};

use crate::support::{Ran, held_setup, program, run_in, until};

/// Milliseconds for an answer: long enough for any machine, however busy.
const PATIENT: &str = "3600000";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A testee of the bank.
fn bank(name: &str) -> Vec<String> {
    let script = root().join("conformance/tests/wrong_testees/bank.py");
    ["python3", &script.to_string_lossy(), name].map(str::to_owned).to_vec()
}

/// The built-in verifier with a planted fault.
fn wrong(fault: &str) -> Vec<String> {
    let script = root().join("conformance/tests/minimise/wrong.py");
    ["python3", &script.to_string_lossy(), fault, env!("CARGO_BIN_EXE_assize")].map(str::to_owned).to_vec()
}

fn minimise(folder: &Path, args: &[&str], testee: &[String]) -> Ran {
    // What a test holds, or counts by, lies outside of the scratch.
    let mut line = vec!["minimise", "--unsealed", "--format", "json", "--time", PATIENT];
    line.extend(["--timeout", PATIENT].into_iter().chain(args.iter().copied()).chain(["--"]));
    line.extend(testee.iter().map(String::as_str));
    run_in(folder, &line, b"")
}

fn vector(id: &str) -> String {
    root().join(format!("vectors/{id}.json")).to_string_lossy().into_owned()
}

/// Minimises, and returns what is said, and the vector that was written.
fn minimised(folder: &Path, args: &[&str], testee: &[String]) -> (Value, Value) {
    let said = minimise(folder, args, testee).exits(1).json();
    let vector = fs::read(folder.join(said["file"].as_str().unwrap())).unwrap();
    let vector: Value = serde_json::from_slice(&vector).unwrap();
    assert_eq!((&vector["expect"], &vector["rationale"]), (&json!({}), &json!("")), "{vector:#}");
    assert_eq!((&vector["id"], &vector["provenance"]), (&said["id"], &json!("hand")));
    (said, vector)
}

/// The vector as a question, so that it can be asked again.
fn shows_the_same(folder: &Path, vector: &Value, said: &Value, testee: &[String]) {
    let mut filled = vector.clone();
    filled["expect"] = json!({"is": "accept"});
    fs::write(folder.join("again.json"), filled.to_string()).unwrap();
    let again = minimise(folder, &["again.json", "--max-questions", "0"], testee).exits(1).json();
    assert_eq!(again["signature"], said["signature"]);
    let honest = minimise(folder, &["again.json", "--out", "honest.json"], &wrong("honest")).exits(0).json();
    assert_eq!(honest["agree"], true);
}

#[test]
fn a_canonical_fault_comes_down_to_its_token() {
    let folder = tempfile::tempdir().unwrap();
    let doc = r#"{"turns": [{"id": "t-1", "score": 12}, {"id": "t-2", "score": -0}], "note": "no fault here", "x": [[], {}]}"#;
    fs::write(folder.path().join("doc.json"), doc).unwrap();
    let testee = bank("sovereign-negative-zero");
    let asked = ["doc.json", "--op", "canon.bytes", "--arg", "profile=sovereign"];
    let (said, vector) = minimised(folder.path(), &asked, &testee);
    assert_eq!(vector["in"]["doc"], json!({"text": "-0"}), "{said:#}");
    assert_eq!(said["signature"]["verifier"], "reject, E_CANONICALIZATION_ERROR");
    assert!(said["id"].as_str().unwrap().starts_with("canon/sovereign/doc"), "{said:#}");
    assert!(vector["twin"].as_str().unwrap().starts_with("canon/sovereign/"));
    shows_the_same(folder.path(), &vector, &said, &testee);
    // The vector exists now, and is kept.
    minimise(folder.path(), &asked, &testee).exits(3).complains(&["is not overwritten", "--force"]);
    minimise(folder.path(), &[&asked[..], &["--force"]].concat(), &testee).exits(1);
}

#[test]
fn a_sovereign_fault_keeps_a_pair_and_little_else() {
    let folder = crate::support::scene();
    let mut turn = crate::support::turn();
    turn["issues"][0]["message"] = "another".into();
    crate::support::write(&folder, "b/1.json", turn.to_string());
    for side in ["a", "b"] {
        fs::rename(folder.path().join(format!("{side}.json")), folder.path().join(format!("bundle_{side}.json")))
            .unwrap();
    }
    let testee = bank("messages-compared");
    let out = tempfile::tempdir().unwrap();
    let pair = folder.path().to_string_lossy();
    let (said, vector) = minimised(out.path(), &[&pair, "--arg", "mode=reference", "--out", "m.json"], &testee);
    assert_eq!(said["signature"]["verifier"], "accept, EQUIVALENT");
    assert_eq!(said["signature"]["testee"], "accept, DIVERGENT");
    assert!(said["bytes"]["after"].as_u64().unwrap() < 1300, "{said:#}\n{vector:#}");
    assert!(said["bytes"]["after"].as_u64() < said["bytes"]["before"].as_u64());
    shows_the_same(out.path(), &vector, &said, &testee);
}

#[test]
fn an_episode_fault_leaves_next_to_nothing_of_a_pack() {
    let folder = tempfile::tempdir().unwrap();
    let id = first("episode/pack-integrity", |case| case["op"] == "episode.verify" && fails(case));
    let testee = wrong("integrity-unchecked");
    let (said, found) = minimised(folder.path(), &[&vector(&id)], &testee);
    assert!(said["bytes"]["after"].as_u64().unwrap() < 200, "{said:#}");
    assert!(said["signature"]["places"].to_string().contains("/out/verdict"), "{said:#}");
    shows_the_same(folder.path(), &found, &said, &testee);
}

#[test]
fn an_authority_fault_leaves_one_record() {
    let folder = tempfile::tempdir().unwrap();
    let id = first("authority/ledger-integrity", |case| {
        case["op"] == "authority.chain" && case["expect"]["codes"] == json!(["authority/ledger-integrity"])
    });
    let testee = wrong("chain-unchecked");
    let (said, found) = minimised(folder.path(), &[&vector(&id)], &testee);
    assert!(said["bytes"]["after"].as_u64().unwrap() < 400, "{said:#}");
    assert!(said["id"].as_str().unwrap().starts_with("authority/ledger-integrity/"), "{said:#}");
    shows_the_same(folder.path(), &found, &said, &testee);
}

#[test]
fn a_crash_is_minimised_too() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("doc.json"), ODD).unwrap();
    let args = ["doc.json", "--op", "canon.bytes", "--arg", "profile=sovereign"];
    let (said, vector) = minimised(folder.path(), &args, &wrong("crashes"));
    assert_eq!(said["signature"]["testee"], "crash");
    assert_eq!(vector["in"]["doc"], json!({"text": "-0"}), "{said:#}");
}

/// A document with the token at which testees are odd.
const ODD: &str = r#"{"a":[1,-0],"b":"c"}"#;

/// Some questions are answered and others never are: the limit of both runs out when the testee says that it hangs.
#[test]
fn a_hang_is_minimised_too() {
    static STOP: AtomicBool = AtomicBool::new(false);
    let folder = tempfile::tempdir().unwrap();
    let hand = folder.path().join("clock");
    let argv = [wrong("hangs"), vec![hand.to_string_lossy().into_owned()]].concat().into_iter().map(Into::into);
    let limits = Limits { case_ms: 60_000, ends: usize::MAX, ..Limits::default() };
    let child = Child::new(held_setup(argv.collect(), limits, &hand)).unwrap();
    let args = json!({"profile": "sovereign"}).as_object().unwrap().clone();
    let ask = Ask { op: Some("canon.bytes".to_owned()), args, part: None };
    let case = Start::file("doc.json", ODD.into(), &ask).unwrap().case;
    let bounds = Bounds { questions: usize::MAX, time: Duration::MAX };
    let Outcome::Disagree(found) = minimise::minimise(&case, &child, &STOP, bounds, &|_| {}).unwrap() else {
        panic!("a testee that hangs agrees");
    };
    assert_eq!(found.signature.theirs.to_string(), "no answer in time");
    let text = Skeleton::new("canon/sovereign/hang".to_owned(), None, &found.case).text().unwrap();
    let vector: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(vector["in"]["doc"], json!({"text": "-0"}), "{text}");
}

#[test]
fn a_testee_that_changes_its_mind_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("doc.json"), "[1]").unwrap();
    let args = ["doc.json", "--op", "canon.bytes", "--arg", "profile=sovereign"];
    minimise(folder.path(), &args, &wrong("moody")).exits(4).complains(&["not deterministic", "asked twice"]);
    minimise(folder.path(), &args, &["false".to_owned()]).exits(4);
    minimise(folder.path(), &["doc.json", "--op", "sovereign.order"], &bank("honest-canonical")).exits(4);
    assert!(!folder.path().join("doc.min.json").exists());
}

#[test]
fn what_cannot_be_asked_is_wrong_usage_or_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("doc.json"), "{}").unwrap();
    let honest = wrong("honest");
    minimise(folder.path(), &["doc.json"], &honest).exits(64).complains(&["--op"]);
    minimise(folder.path(), &["doc.json", "--op", "canon.bytes"], &honest).exits(64).complains(&["profile"]);
    minimise(folder.path(), &["none.json"], &honest).exits(3);
    let taken = first("canon/episode", |_| true);
    let args = ["doc.json", "--op", "canon.bytes", "--arg", "profile=episode", "--id", &taken];
    minimise(folder.path(), &args, &honest).exits(64).complains(&["has or had this id"]);
    for (id, says) in [
        ("canon/episode", "is not an id"),
        ("canon/episode/A", "is not an id"),
        ("../canon/episode", "is not an id"),
        ("canon/nothing/x", "no law"),
    ] {
        let args = ["doc.json", "--op", "canon.bytes", "--arg", "profile=episode", "--id", id];
        minimise(folder.path(), &args, &honest).exits(64).complains(&[says]);
    }
    for value in ["7", "null"] {
        let profile = format!("profile={value}");
        let args = ["doc.json", "--op", "canon.bytes", "--arg", &profile];
        minimise(folder.path(), &args, &honest)
            .exits(64)
            .complains(&["profile is not", "rfc8785|episode|sovereign|authority"]);
    }
    fs::create_dir(folder.path().join("empty")).unwrap();
    minimise(folder.path(), &["empty"], &honest).exits(64).complains(&["pack_manifest.json", "--op"]);
}

#[test]
fn where_nothing_can_be_written_nothing_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("doc.json"), "[-0]").unwrap();
    fs::create_dir(folder.path().join("there")).unwrap();
    let asked = ["doc.json", "--op", "canon.bytes", "--arg", "profile=sovereign"];
    // There is no testee: the exit code would be 4 if anything were asked.
    let nobody = ["false".to_owned()];
    for place in [&["--out", "none/x.json"][..], &["--out", "there"], &["--out", "there", "--force"]] {
        let ran = minimise(folder.path(), &[&asked[..], place].concat(), &nobody).exits(3);
        assert!(!ran.stderr.contains("--output"), "{}", ran.stderr);
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
}

#[test]
fn what_can_no_longer_be_written_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("doc.json"), "[-0]").unwrap();
    fs::create_dir(folder.path().join("gone")).unwrap();
    let args = ["doc.json", "--op", "canon.bytes", "--arg", "profile=sovereign", "--out", "gone/x.json"];
    let ran = minimise(folder.path(), &args, &wrong("tidies")).exits(3).complains(&["cannot be written"]);
    let vector = ran.json();
    assert_eq!((&vector["in"]["doc"], &vector["expect"]), (&json!({"text": "-0"}), &json!({})));
}

#[test]
fn a_find_asks_what_its_target_asks() {
    let folder = tempfile::tempdir().unwrap();
    let question = json!({"op": "canon.bytes", "args": {"profile": "sovereign"}, "docs": {"doc": "text"}});
    let documents = json!({"text": {"text": "[1, -0]"}});
    let find = json!({"target": "canon_vs_python", "note": "", "asks": [question], "documents": documents});
    fs::write(folder.path().join("find.json"), find.to_string()).unwrap();
    let testee = bank("sovereign-negative-zero");
    let (_, vector) = minimised(folder.path(), &["find.json"], &testee);
    assert_eq!((&vector["op"], &vector["in"]["doc"]), (&json!("canon.bytes"), &json!({"text": "-0"})));
    // Another form, in which the fault does not show.
    minimise(folder.path(), &["find.json", "--arg", "profile=episode", "--force"], &wrong("honest")).exits(0);
    let frames = root().join("fuzz/regressions/protocol_frames/array-as-frame.json");
    let ran = minimise(folder.path(), &[&frames.to_string_lossy()], &testee);
    ran.exits(64).complains(&["judges Assize itself"]);
}

#[test]
fn a_pack_lies_beside_its_vector_and_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let outside = folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("secret"), "").unwrap();
    let vector = |root: &str| {
        json!({
            "id": "episode/pack-integrity/x", "op": "episode.verify", "spec": {"document": "d", "section": "s"},"force":"spec",
            "rationale": "r", "provenance": "hand", "root": root, "expect": {"is": "accept"}, "agreement": "exact",
        })
    };
    let honest = wrong("honest");
    for root in ["outside", "../outside", "/", "."] {
        fs::write(folder.path().join("v.json"), vector(root).to_string()).unwrap();
        minimise(folder.path(), &["v.json"], &honest).exits(3).complains(&["named after its vector"]);
    }
    fs::write(folder.path().join("v.json"), vector("v.pack").to_string()).unwrap();
    minimise(folder.path(), &["v.json"], &honest).exits(3).complains(&["v.pack", "is not a folder"]);
    std::os::unix::fs::symlink(&outside, folder.path().join("v.pack")).unwrap();
    minimise(folder.path(), &["v.json"], &honest).exits(3).complains(&["is not a folder"]);
    fs::remove_file(folder.path().join("v.pack")).unwrap();
    fs::create_dir(folder.path().join("v.pack")).unwrap();
    minimise(folder.path(), &["v.json"], &honest).exits(3).complains(&["is empty"]);
    fs::write(folder.path().join("v.pack/pack_manifest.json"), "{}").unwrap();
    minimise(folder.path(), &["v.json"], &honest).exits(0);
}

#[test]
fn links_and_empty_folders_are_part_of_a_pack() {
    let folder = tempfile::tempdir().unwrap();
    let pack = folder.path().join("p");
    fs::create_dir_all(pack.join("empty")).unwrap();
    fs::write(pack.join("pack_manifest.json"), "{}").unwrap();
    std::os::unix::fs::symlink("pack_manifest.json", pack.join("link")).unwrap();
    minimise(folder.path(), &["p"], &wrong("honest")).exits(0);
    let args = ["p", "--max-questions", "0", "--id", "episode/pack-integrity/links"];
    let (_, vector) = minimised(folder.path(), &args, &wrong("integrity-unchecked"));
    assert_eq!(vector["files"]["link"], json!({"kind": "symlink", "to": "pack_manifest.json"}), "{vector:#}");
    assert_eq!(vector["files"]["empty"], json!({"kind": "directory"}));
}

#[test]
fn an_unfinished_vector_tells_how_it_is_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("doc.json"), "[-0]").unwrap();
    let asked = ["doc.json", "--op", "canon.bytes", "--arg", "profile=sovereign"];
    minimised(folder.path(), &asked, &bank("sovereign-negative-zero"));
    let ran = minimise(folder.path(), &["doc.min.json"], &wrong("honest")).exits(3);
    let ran = ran.complains(&["the expectation is empty", "{\"is\": \"accept\", ...}"]);
    assert_eq!(ran.stderr.matches("doc.min.json").count(), 1, "{}", ran.stderr);
}

#[test]
fn no_corpus_takes_the_vector_before_its_expectation_is_argued() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("vectors/canon/sovereign");
    fs::create_dir_all(&place).unwrap();
    fs::write(folder.path().join("doc.json"), "[-0]").unwrap();
    let out = place.join("minus-zero.json").to_string_lossy().into_owned();
    let args = [
        "doc.json",
        "--op",
        "canon.bytes",
        "--arg",
        "profile=sovereign",
        "--id",
        "canon/sovereign/minus-zero",
        "--out",
        &out,
    ];
    minimised(folder.path(), &args, &bank("sovereign-negative-zero"));
    let ran = run_in(folder.path(), &["vectors", "check", "vectors"], b"").exits(1);
    let named: Vec<&str> = ran.text().lines().filter(|line| line.contains("minus-zero.json")).collect();
    assert!(named.iter().any(|line| line.contains("the expectation is empty")), "{named:?}");
    // Its layout is that of every vector.
    assert!(!named.iter().any(|line| line.contains("laid out") || line.contains("out of order")), "{named:?}");
}

#[test]
fn what_was_found_is_written_when_the_search_is_broken_off() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("doc.json"), json!({"a": vec![1; 200], "b": "text"}).to_string()).unwrap();
    let mut line = vec![
        "minimise",
        "--unsealed",
        "doc.json",
        "--op",
        "canon.bytes",
        "--arg",
        "profile=episode",
        "--timeout",
        PATIENT,
        "--time",
        PATIENT,
        "--",
    ];
    let testee = wrong("held");
    line.extend(testee.iter().map(String::as_str));
    let mut child = program(env!("CARGO_BIN_EXE_assize"))
        .args(&line)
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(&mut child, "the testee is held", || folder.path().join("held").exists());
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let text = fs::read_to_string(folder.path().join("doc.min.json")).unwrap();
    assert!(text.contains("\"expect\": {}"), "{text}");
}

/// The first case of a law of this kind.
fn first(law: &str, is: impl Fn(&Value) -> bool) -> String {
    let folder = root().join("vectors").join(law);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let cases = paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let mut cases = cases.map(|path| serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap());
    let case = cases.find(|case| case.get("id").is_some() && is(case)).expect("the law has such a case");
    case["id"].as_str().unwrap().to_owned()
}

fn fails(case: &Value) -> bool {
    case["expect"]["out"]["verdict"] == "INTEGRITY_FAIL"
}
