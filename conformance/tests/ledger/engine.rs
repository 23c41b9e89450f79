//! `engine run`: what it prints, what it writes, what it refuses.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::{
    lines,
    made::{blueprint, refusal, refused, verification, worked},
    run_in,
};
use crate::support::Ran;

/// The inputs of the worked example: the case `authority/goldens/worked-example`.
fn inputs() -> Value {
    json!({
        "run_id": "demo-1",
        "seed_text": "Tea timer ☕",
        "pin": {"limit": 1e16, "tiny": 1e-7, "on": true},
        "policy": {
            "max_interpretations": 2, "max_nodes": 10, "max_depth": 4, "contradiction_budget": 1, "max_steps": 9,
        },
        "ts_base": "T0",
        "interpretations": [
            {"name": "Brew", "assumptions": ["one cup"], "intent_summary": "Count down minutes"},
            {"name": "Bell", "assumptions": ["one cup", "sound on"], "intent_summary": "Ring once"},
        ],
    })
}

/// The inputs with another value at a pointer.
fn with(pointer: &str, value: Value) -> Value {
    let mut inputs = inputs();
    *inputs.pointer_mut(pointer).unwrap() = value;
    inputs
}

fn refusing() -> Value {
    let mut inputs = with("/policy/contradiction_budget", json!(0));
    inputs["policy"]["max_steps"] = json!(1);
    inputs
}

/// Runs `assize engine run -`.
#[track_caller]
fn engine(folder: &Path, inputs: &str, args: &[&str]) -> Ran {
    run_in(folder, &[&["engine", "run", "-"], args].concat(), inputs.as_bytes())
}

fn file(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).unwrap()
}

#[test]
fn a_success_is_the_worked_example_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.json"), inputs().to_string()).unwrap();
    let wanted = "\
success: in.json: 5 records, the last 28fb3f250daa973314a46e92766bba76685040ea6833f8565e684493382981df
  summary_hash      cea463d173650f8869f6e483f9fed6434b4657103e7bd9e300dc883e2fb81c0f
  dag_root_hash     74c8b1b756ca960b9fe13b4d454c266b467ee3fdf2472fbe3115dfc285531d00
  blueprint hash    c8c4dbcec465aac9b5459f9de5ddfab161dde042630372edba4b6ae0bbd15303
  sealed_last_hash  3b05c357fffeec12ff79f10b8ebc66a5594caf2cf95fcd378ad1294dd0bd1880
  ledger_last_hash  28fb3f250daa973314a46e92766bba76685040ea6833f8565e684493382981df
  interpretation    Brew
  nodes             3: 1 assumption, 1 interpretation, 1 seed
  edges             2

interpretation  cost
Brew            33    chosen
Bell            34    kept

";
    let at = |args: &[&str]| run_in(folder.path(), &[&["engine", "run", "in.json"], args].concat(), b"").exits(0);
    let nothing = "nothing was written: --out DIR keeps ledger and artefacts, --format json prints them\n";
    assert_eq!(at(&[]).text(), format!("{wanted}{nothing}"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let written = "wrote a/b/blueprint.json\nwrote a/b/verification.json\nwrote a/b/ledger.jsonl\n";
    assert_eq!(at(&["--out", "a/b"]).text(), format!("{wanted}{written}"));
    assert_eq!(fs::read_dir(folder.path().join("a/b")).unwrap().count(), 3);
    assert_eq!(file(folder.path(), "a/b/ledger.jsonl"), lines(&worked()));
    assert_eq!(file(folder.path(), "a/b/blueprint.json"), blueprint());
    assert_eq!(file(folder.path(), "a/b/verification.json"), verification());
    assert_eq!(at(&["--quiet"]).text(), wanted.lines().next().unwrap().to_owned() + "\n");
}

#[test]
fn a_refusal_says_why_and_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = "\
refusal: standard input: 3 records, the last 7579ef8d30ff095bc01a6a438231286ba776690d176c80a9a108f5eb883277e1
  contradictions_exceeded:1>0
    Increase contradiction_budget or reduce assumption overlap
  max_steps_exceeded:2>1
    Increase max_steps or reduce exploration depth

wrote run/refusal.json
wrote run/ledger.jsonl
";
    assert_eq!(engine(folder.path(), &refusing().to_string(), &["--out", "run"]).exits(1).text(), wanted);
    assert_eq!(fs::read_dir(folder.path().join("run")).unwrap().count(), 2);
    assert_eq!(file(folder.path(), "run/ledger.jsonl"), lines(&refused()));
    assert_eq!(file(folder.path(), "run/refusal.json"), refusal());
}

#[test]
fn the_json_document_holds_all_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let run = |inputs: &Value| engine(folder.path(), &inputs.to_string(), &["--format", "json"]);
    let ran = run(&inputs()).exits(0);
    assert_eq!(ran.stdout, run(&inputs()).stdout);
    // Records that are read from it are the bytes that were hashed.
    for record in worked() {
        assert!(ran.text().contains(&record.text()), "{}", ran.text());
    }
    let found = ran.json();
    for (member, value) in [
        ("path", json!("standard input")),
        ("outcome", json!("success")),
        ("ledger_last_hash", json!("28fb3f250daa973314a46e92766bba76685040ea6833f8565e684493382981df")),
        ("candidates", json!([{"name": "Brew", "cost": 33, "kept": true}, {"name": "Bell", "cost": 34, "kept": true}])),
        ("reason_codes", json!([])),
        ("policy_suggestions", json!([])),
        ("advisories", json!([])),
        ("files", json!([])),
        ("exit_code", json!(0)),
    ] {
        assert_eq!(found[member], value, "{member}");
    }
    let golden = &found["golden"];
    assert_eq!(
        (&golden["interpretation"], &golden["node_count"], &golden["edge_count"]),
        (&json!("Brew"), &json!(3), &json!(2))
    );
    assert_eq!(golden["summary_hash"], "cea463d173650f8869f6e483f9fed6434b4657103e7bd9e300dc883e2fb81c0f");
    let nodes: Vec<_> = found["dag"]["nodes"].as_array().unwrap().iter().map(|node| &node["payload_hash"]).collect();
    let wanted = [
        "1668a063612967d9bf956b4bf7259640702b5e76c51b59c04188ef817e04ed91",
        "3bd6ebf6038ac87127ef1adf17541ac743c187397a59af42e0880801b51c750a",
        "f1a16efdb6ebec87bccabc071bb6890b61e2f7bbfea9e930f83ce0c0d5184230",
    ];
    assert_eq!(nodes, wanted);
    let edge = &found["dag"]["edges"][1];
    assert_eq!(edge["from_id"], "59594efa0b693168ee11663fed61997b70adcfdc6383de1ce4a8d1c2e431e2b2");

    let found = run(&refusing()).exits(1).json();
    let codes = json!(["contradictions_exceeded:1>0", "max_steps_exceeded:2>1"]);
    assert_eq!((&found["outcome"], &found["reason_codes"]), (&json!("refusal"), &codes));
    assert_eq!((&found["golden"], &found["candidates"]), (&Value::Null, &json!([])));
    assert_eq!(found["artifacts"]["refusal"]["status"], "refused");
    assert_eq!(found["policy_suggestions"].as_array().unwrap().len(), 2);
}

#[test]
fn nothing_is_overwritten() {
    for name in ["ledger.jsonl", "blueprint.json", "verification.json", "refusal.json"] {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("run")).unwrap();
        fs::write(folder.path().join("run").join(name), "mine").unwrap();
        for inputs in [inputs(), refusing()] {
            let ran = engine(folder.path(), &inputs.to_string(), &["--out", "run"]).exits(3);
            assert!(ran.stdout.is_empty());
            ran.complains(&[&format!("{name}: is there already, and is not overwritten"), "help: "]);
        }
        assert_eq!(fs::read_dir(folder.path().join("run")).unwrap().count(), 1);
        assert_eq!(file(folder.path(), &format!("run/{name}")), "mine");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("run"), "mine").unwrap();
    for (out, says) in [("run", "is there already, and no folder"), ("run/below", "cannot be made")] {
        engine(folder.path(), &inputs().to_string(), &["--out", out]).exits(3).complains(&[says, "help: "]);
    }
}

#[test]
fn an_answer_replaces_neither_inputs_nor_ledger() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.json"), inputs().to_string()).unwrap();
    let run = |output| run_in(folder.path(), &["engine", "run", "in.json", "--out", "run", "--output", output], b"");
    run("./in.json").exits(64).complains(&["would replace what it is about"]);
    assert!(!folder.path().join("run").exists());
    run("run/refusal.json").exits(64).complains(&["is the name of a file of the run"]);
    assert!(!folder.path().join("run").exists());
    run("run/../run/ledger.jsonl").exits(64).complains(&["is the name of a file of the run"]);
    assert_eq!(file(folder.path(), "in.json"), inputs().to_string());
    assert_eq!(file(folder.path(), "run/ledger.jsonl"), lines(&worked()));
}

#[test]
fn what_an_engine_writes_is_a_chain_and_derives_again() {
    let deep = format!("{}{}", "[".repeat(900), "]".repeat(900));
    let many: Vec<_> = (0..40).map(|n| format!("assumption {n}")).collect();
    let hostile = "\u{1b}[31m\u{202e}</script>\"|";
    let mut strange = with("/interpretations/0/name", json!(hostile));
    strange["seed_text"] = json!(hostile);
    strange["interpretations"][0]["assumptions"] = json!([hostile, "one cup"]);
    for (inputs, exit) in [
        (inputs().to_string(), 0),
        (refusing().to_string(), 1),
        (with("/interpretations", json!([])).to_string(), 1),
        (with("/interpretations/1/assumptions", json!(many)).to_string(), 0),
        (with("/interpretations/0/assumptions", json!([])).to_string(), 0),
        (with("/pin", json!("PIN")).to_string().replace("\"PIN\"", &deep), 0),
        (with("/pin", json!("PIN")).to_string().replace("\"PIN\"", &format!("-{}", "7".repeat(4_000))), 0),
        (with("/policy/max_interpretations", json!("N")).to_string().replace("\"N\"", &"9".repeat(100)), 0),
        (strange.to_string(), 0),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let ran = engine(folder.path(), &inputs, &["--out", "run"]).exits(exit);
        assert!(!ran.text().contains(['\u{1b}', '\u{202e}']), "{}", ran.text());
        let outcome = ["success: ", "refusal: "][usize::from(exit == 1)];
        let at = |args: &[&str]| run_in(folder.path(), &[&["ledger"], args, &["run/ledger.jsonl"]].concat(), b"");
        at(&["verify"]).exits(0);
        at(&["replay"]).exits(0).says(&[outcome]);
        for form in ["text", "mermaid", "dot"] {
            let drawn = at(&["show", "--graph", form]).exits(0);
            assert!(!drawn.text().contains(['\u{1b}', '\u{202e}']), "{}", drawn.text());
            assert!(form != "mermaid" || !drawn.text().contains("</script>"), "{}", drawn.text());
        }
    }
}

#[test]
fn a_proposal_of_another_source_needs_its_name_to_derive_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = inputs();
    inputs["proposal_source"] = json!("oracle\u{1b}");
    inputs["proposal_confidence"] = json!(0.5);
    inputs["policy"]["max_nodes"] = json!(1);
    engine(folder.path(), &inputs.to_string(), &["--out", "run"]).exits(0).says(&[
        "  warning: /policy/max_nodes: ",
        "  warning: /proposal_source: \"oracle\\u{1b}\" is none of the sources",
    ]);
    let replay =
        |args: &[&str]| run_in(folder.path(), &[&["ledger", "replay", "run/ledger.jsonl"], args].concat(), b"");
    replay(&[]).exits(1).says(&["authority/commit-source"]);
    replay(&["--source", "oracle\u{1b}"]).exits(1);
    replay(&["--source", "oracle\u{1b}", "--confidence", "5e-1"]).exits(0).says(&["  warning: "]);
}

#[test]
fn invalid_inputs_are_refused_with_code_and_place() {
    let without = |member: &str| {
        let mut inputs = inputs();
        inputs.as_object_mut().unwrap().remove(member);
        inputs.to_string()
    };
    let whole = inputs().to_string();
    let raw = |pointer: &str, text: &str| with(pointer, json!("RAW")).to_string().replace("\"RAW\"", text);
    for (inputs, says) in [
        ("[1,".to_owned(), "A_JSON: byte 3, at /1: "),
        (String::new(), "A_JSON: byte 0: "),
        (format!("{whole} x"), &*format!("A_JSON: byte {}: something follows", whole.len() + 1)),
        ("[]".to_owned(), "A_INPUT: "),
        (without("pin"), "A_INPUT: /pin: the member is missing"),
        (without("policy"), "A_INPUT: /policy: "),
        (whole.replacen('{', "{\"extra\":1,", 1), "A_INPUT: /extra: "),
        (raw("/run_id", "7"), "A_INPUT: /run_id: "),
        (raw("/policy/max_steps", "0"), "A_INPUT: /policy/max_steps: 0 is out of bounds"),
        (raw("/policy/contradiction_budget", "-1"), "A_INPUT: /policy/contradiction_budget: "),
        (raw("/policy/max_nodes", "10.0"), "A_INPUT: /policy/max_nodes: "),
        (raw("/policy/max_depth", "NaN"), "A_INPUT: /policy/max_depth: "),
        (
            raw("/policy/max_depth", "4,\"deterministic_tiebreak\":\"none\""),
            "A_INPUT: /policy/deterministic_tiebreak: ",
        ),
        (raw("/interpretations", "{}"), "A_INPUT: /interpretations: "),
        (raw("/interpretations/1/assumptions/1", "\"one cup\""), "A_INPUT: /interpretations/1/assumptions/1: "),
        (raw("/interpretations/0/name", "null"), "A_INPUT: /interpretations/0/name: "),
        (raw("/pin/tiny", "NaN"), "A_VALUE: /pin/tiny: "),
        (raw("/pin/tiny", "1e999"), "A_VALUE: /pin/tiny: "),
        (raw("/seed_text", "\"\\ud800\""), "A_VALUE: /seed_text: "),
        (raw("/pin", &"[".repeat(3_000)), "A_LIMIT: byte "),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for args in [&["--out", "run"][..], &["--format", "json"]] {
            let ran = engine(folder.path(), &inputs, args).exits(3);
            assert!(ran.stdout.is_empty(), "{inputs}");
            ran.complains(&[&format!("error: standard input: {says}"), "\n  help: "]);
        }
        assert!(!folder.path().join("run").exists());
    }
    run_in(Path::new("."), &["engine", "run", "gone"], b"").exits(3).complains(&["gone: cannot be read"]);
}
