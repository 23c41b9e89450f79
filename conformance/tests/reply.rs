//! `assize reply` and `assize reply lint`: what they say, and how they end.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Ran, run_in, write};

fn folder(files: &[(&str, String)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("history")).expect("a folder");
    for (name, text) in files {
        write(&folder, name, text);
    }
    folder
}

fn lint(folder: &TempDir, args: &[&str]) -> Ran {
    run_in(folder.path(), &[&["lint", "replies"], args].concat(), b"")
}

/// A registry, one row on each line.
fn registry(codes: &[(&str, &str)], more: &str) -> String {
    let rows: Vec<_> = codes.iter().map(|(code, key)| json!({"code": code, "message_key": key}).to_string()).collect();
    format!("{{\"name\": \"canonical\"{more},\n\"active\": [\n{}\n]}}\n", rows.join(",\n"))
}

/// Two years of a registry with one fault of each kind.
fn project() -> TempDir {
    folder(&[
        (
            "registry.json",
            registry(
                &[("WA-RES-I-001", "a"), ("CT-OPEN-S-001", "b"), ("EN-WRITE-D-002", "contract"), ("WA-RES-I-001", "a")],
                r#", "retired": ["WA-RES-E-004"]"#,
            ),
        ),
        ("history/1.json", json!({"revision": "v1", "codes": {"EN-WRITE-D-002": "token", "WA-RES-I-001": "a"}}).to_string()),
        ("history/2.json", registry(&[("WA-RES-I-001", "a"), ("WA-RES-I-001", "b")], "")),
        ("history/notes.txt", "no revision".to_owned()),
        ("used.txt", "WA-RES-I-001\n\n  WA-RES-E-004\nDB-OPEN-E-001\n".to_owned()),
        (
            "sites.json",
            json!([
                {"file": "tools/a b.py", "line": 7, "receiver": "rb", "method": "warn", "code": null, "returned": false},
                {"file": "tools/c.py", "line": 9, "receiver": "rb", "method": "error", "code": "WA-RES-I-001", "returned": true},
            ])
            .to_string(),
        ),
    ])
}

const ALL: [&str; 7] = ["registry.json", "--history", "history", "--used", "used.txt", "--call-sites", "sites.json"];

#[test]
fn findings_stand_under_their_law_with_file_and_line() {
    lint(&project(), &ALL).exits(1).says(&[
        "reply/code-unique  1\n  registry.json:6 WA-RES-I-001: ",
        "reply/code-never-reused  1\n  registry.json:5 EN-WRITE-D-002: ",
        "reply/area-registered  1\n  registry.json:4 CT-OPEN-S-001: ",
        "reply/contract-area-gate  1\n",
        "reply/code-registered  2\n  used.txt:3 WA-RES-E-004: ",
        "  used.txt:4 DB-OPEN-E-001: ",
        "reply/legacy-retired  1\n",
        "reply/no-forbidden-methods  1\n  tools/a b.py:7 warn: ",
        "reply/type-agrees  1\n  tools/c.py:9 WA-RES-I-001: ",
        "unlawful: registry.json: 9 findings by 8 laws, 0 advised\n",
    ]);
}

#[test]
fn the_same_for_machines() {
    let said = lint(&project(), &[&ALL[..], &["--format", "json"]].concat()).exits(1).json();
    assert_eq!(said["laws"]["reply/code-registered"], 2);
    assert_eq!(said["laws"].as_object().unwrap().len(), 8);
    let reuse =
        said["findings"].as_array().unwrap().iter().find(|row| row["law"] == "reply/code-never-reused").unwrap();
    assert_eq!(
        (&reuse["file"], &reuse["line"], &reuse["subject"]),
        (&json!("registry.json"), &json!(5), &json!("EN-WRITE-D-002"))
    );
    assert_eq!(said["exit_code"], 1);
}

#[test]
fn sarif_names_rules_and_places() {
    let log = lint(&project(), &[&ALL[..], &["--format", "sarif"]].concat()).exits(1).json();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 9);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
        assert!(result["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64().unwrap() > 0);
    }
    let warn = results.iter().find(|result| result["ruleId"] == "reply/no-forbidden-methods").unwrap();
    let place = &warn["locations"][0]["physicalLocation"];
    assert_eq!(place, &json!({"artifactLocation": {"uri": "tools/a%20b.py"}, "region": {"startLine": 7}}));
}

#[test]
fn a_lawful_registry_and_what_is_not_checked() {
    let folder = folder(&[("r.json", registry(&[("WA-RES-I-001", "a")], ""))]);
    lint(&folder, &["r.json"])
        .exits(0)
        .says(&["advice  1\n  r.json: not checked", "lawful: r.json: 0 findings by 0 laws, 1 advised"]);
    let log = lint(&folder, &["r.json", "--format", "sarif"]).exits(0).json();
    assert_eq!(log["runs"][0]["results"][0]["level"], "note");
}

/// An earlier revision is where the reuse appeared; a document may hold everything itself.
#[test]
fn revisions_inside_and_outside_of_the_document() {
    let codes = |key: &str| json!({"codes": {"WA-RES-I-001": key}});
    let now = json!({"name": "r", "active": [{"code": "WA-RES-I-001", "message_key": "new"}]});
    let whole = json!({"registries": [now], "earlier": [codes("old"), codes("new")], "used": ["WA-RES-I-009"]});
    let folder = folder(&[
        ("whole.json", whole.to_string()),
        ("now.json", now.to_string()),
        ("history/a.json", codes("old").to_string()),
        ("history/b.json", json!({"revision": "v2", "codes": {"WA-RES-I-001": "new"}}).to_string()),
    ]);
    lint(&folder, &["whole.json"]).exits(1).says(&[
        "reply/code-never-reused  1\n  whole.json:1 (revision 1) WA-RES-I-001: ",
        "reply/code-registered  1\n  whole.json:1 WA-RES-I-009: ",
    ]);
    lint(&folder, &["now.json", "--history", "history"])
        .exits(1)
        .says(&["reply/code-never-reused  1\n  history/b.json:1 (revision v2) WA-RES-I-001: "]);
}

/// A meaning that changed once shows once, and only where revision 10 comes after revision 9.
#[test]
fn revisions_are_numbered_by_value() {
    let mut files: Vec<_> = (1..=10)
        .map(|n| (format!("history/r{n}.json"), if n < 9 { "old" } else { "new" }))
        .map(|(name, key)| (name, json!({"codes": {"WA-RES-I-001": key}}).to_string()))
        .collect();
    files.push(("now.json".to_owned(), registry(&[("WA-RES-I-001", "new")], "")));
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let said = lint(&folder(&files), &["now.json", "--history", "history", "--format", "json"]).exits(1).json();
    let places: Vec<_> = said["findings"].as_array().unwrap().iter().map(|one| &one["revision"]).collect();
    assert_eq!(places, [&json!("history/r9.json")]);
}

#[test]
fn lint_names_what_it_cannot_read() {
    let good = registry(&[("WA-RES-I-001", "a")], "");
    let folder = folder(&[
        ("good.json", good),
        ("twice.json", r#"{"active": [], "active": []}"#.to_owned()),
        ("shape.json", r#"{"active": 1}"#.to_owned()),
        ("sites.json", r#"[{"line": 1, "returned": true}]"#.to_owned()),
        ("object.json", "{}".to_owned()),
        ("used.json", r#"{"used": ["WA-RES-I-001"], "codes": []}"#.to_owned()),
    ]);
    lint(&folder, &["good.json", "--used", "used.json"]).exits(0).says(&["lawful: good.json: 0 findings"]);
    for (args, says) in [
        (&["gone.json"][..], "gone.json: cannot be read"),
        (&["twice.json"], "twice.json: byte 25, at /active: the member's name comes twice"),
        (&["shape.json"], "shape.json: /registries/0/active: an array is due"),
        (&["object.json"], "object.json: /registries/0/active: a member is due"),
        (&["good.json", "--history", "history"], "history: holds no revision"),
        (&["good.json", "--history", "none"], "none: cannot be listed"),
        (&["good.json", "--call-sites", "sites.json"], "sites.json: /call_sites/0/file: a member is due"),
        (&["good.json", "--call-sites", "object.json"], "object.json: an array of call sites"),
        (&["good.json", "--used", "object.json"], "object.json: an array of codes"),
    ] {
        let ran = lint(&folder, args).exits(3).complains(&[says, "help: "]);
        assert!(ran.stdout.is_empty());
    }
}

fn envelope(kind: &str, status: &str) -> Value {
    json!({
        "status": status, "reply_type": kind, "data": {}, "meta": {"trace_id": "t", "duration_ms": 1}, "error": null,
    })
}

#[test]
fn an_envelope_is_judged() {
    let folder = folder(&[]);
    let ask = |text: &str, args: &[&str]| {
        run_in(folder.path(), &[&["reply", "envelope", "-"], args].concat(), text.as_bytes())
    };
    ask(&envelope("S", "success").to_string(), &[]).exits(0).says(&["lawful: standard input: 0 findings, 0 advised"]);
    ask(&envelope("E", "success").to_string(), &[]).exits(1).says(&[
        "reply/status-agrees\n  meaning /status: ",
        "reply/error-agrees\n  meaning /error: ",
        "unlawful: standard input: 2 findings, 0 advised",
    ]);
    let said = ask("{}", &["--format", "json"]).exits(1).json();
    let places: Vec<_> =
        said["findings"].as_array().unwrap().iter().map(|one| (&one["pointer"], &one["class"])).collect();
    let gap = json!("gap");
    let due = ["/data", "/error", "/meta", "/reply_type", "/status"].map(|place| json!(place));
    assert_eq!(places, due.iter().map(|place| (place, &gap)).collect::<Vec<_>>());
    let twice = r#"{"status": "success", "st\u0061tus": "error"}"#;
    ask(twice, &[]).exits(3).complains(&["standard input: byte ", "at /status: the member's name comes twice"]);
}

#[test]
fn a_trace_is_shown_with_its_first_illegal_step() {
    let frozen = json!({"steps": [
        {"op": "new", "b": 1},
        {"op": "call", "b": 1, "method": "denied", "code": "EN-WRITE-D-001", "got": "reply"},
        {"op": "call", "b": 1, "method": "success", "got": "reply"},
        {"op": "return", "of": 2},
    ]});
    let folder = folder(&[("t.json", frozen.to_string()), ("end.json", r#"{"steps": []}"#.to_owned())]);
    let ask = |args: &[&str]| run_in(folder.path(), &[&["reply", "trace"], args].concat(), b"");
    ask(&["t.json"]).exits(1).says(&[
        "  step  event   recorded\n     0  new     b 1\n",
        "\n>    2  call    b 1, ",
        "reply/terminal-freeze\n  meaning /steps/2: ",
        "[tool, builder]",
        "unlawful: t.json: 2 findings, 0 advised\n",
    ]);
    let said = ask(&["t.json", "--format", "json"]).exits(1).json();
    assert_eq!((&said["first_illegal"], &said["steps"]), (&json!(2), &json!(4)));
    assert_eq!(said["findings"][0]["blame"], json!(["tool", "builder"]));
    ask(&["end.json"]).exits(1).says(&[">    0  (end)\n"]);
    write(&folder, "bad.json", r#"{"steps": [{"op": "jump"}]}"#);
    ask(&["bad.json"]).exits(3).complains(&["bad.json: /steps/0/op: new, call, direct"]);
}

#[test]
fn an_agent_acts_by_the_type_alone() {
    let folder = folder(&[]);
    let ask =
        |text: &str, args: &[&str]| run_in(folder.path(), &[&["reply", "action", "-"], args].concat(), text.as_bytes());
    ask(&envelope("I", "success").to_string(), &[]).exits(0).says(&["correct-and-retry\n"]);
    ask(&envelope("E", "success").to_string(), &[]).exits(0).says(&["stop, and report t\n"]);
    let said = ask(&envelope("D", "error").to_string(), &["--format", "json"]).exits(0).json();
    assert_eq!((&said["action"], &said["trace_id"]), (&json!("escalate"), &json!(null)));
    ask(r#"{"reply_type": "E"}"#, &[]).exits(1).says(&["reply/envelope-members\n  gap /meta: ", "unlawful: "]);
    ask(r#"{"reply_type": "e"}"#, &[]).exits(1).says(&["reply/type-closed\n"]);
    ask("{", &[]).exits(3).complains(&["standard input: byte "]);
}

#[test]
fn scripts_are_followed_by_builder_and_wrapper() {
    let folder = folder(&[]);
    let ask = |args: &[&str], script: Value| {
        run_in(folder.path(), &[&["reply"], args].concat(), script.to_string().as_bytes())
    };
    let calls = json!([
        {"method": "success", "data": {"a": 1}}, {"method": "warn"}, {"method": "denied", "code": "EN-WRITE-D-002"},
        {"method": "success"}
    ]);
    let script = json!({"calls": calls, "mutate": {"of": 2, "member": "code", "value": "x"}});
    ask(&["build", "-"], script.clone()).exits(0).says(&[
        "0  S MCP-SYS-S-001 {\"a\":1}\n1  raised\n2  D EN-WRITE-D-002 {}\n3  raised\n",
        "the reply cannot be changed\n",
    ]);
    let said = ask(&["build", "-", "--format", "json"], script).exits(0).json();
    let members = json!({"reply_type": "D", "code": "EN-WRITE-D-002", "data": {}});
    assert_eq!(
        said["results"],
        json!([{"reply_type": "S", "code": "MCP-SYS-S-001", "data": {"a": 1}}, null, members, null])
    );
    assert_eq!(said["mutated"], false);
    ask(&["build", "-"], json!({"calls": "success"})).exits(3).complains(&["/calls: an array is due"]);

    let said = ask(&["wrap", "-", "--format", "json"], json!({"calls": calls, "return": 2})).exits(0).json();
    let [one, other] = [&said["envelopes"][0], &said["envelopes"][1]];
    // The second call raises, and nobody catches that.
    assert_eq!((&one["reply_type"], &other["reply_type"]), (&json!("E"), &json!("E")));
    assert_ne!(one["meta"]["trace_id"], other["meta"]["trace_id"]);
    ask(&["wrap", "-"], json!({"calls": [], "throw": "denied"}))
        .exits(0)
        .says(&["\"reply_type\":\"E\"", "\"status\":\"error\""]);
    ask(&["wrap", "-"], json!({"calls": [], "return": 0})).exits(3).complains(&["/return: the index of a call is due"]);
}
