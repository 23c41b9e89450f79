//! `assize probe mcp` and `assize reply tool-result`: real processes, and reports of the shape of their contract.

use std::{path::Path, process::Command};

use assize_corpus::store;
use serde_json::{Value, json};

use crate::support::{Ran, run_in};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples");

#[track_caller]
fn probe(args: &[&str]) -> Ran {
    run_in(Path::new(EXAMPLES), &[&["probe", "mcp"], args].concat(), b"")
}

/// Holds JSON to the contract, or to one of its definitions.
#[track_caller]
fn held(text: &str, definition: Option<&str>) -> Value {
    let schema = store::embedded("contracts/interface/probe.schema.json").unwrap();
    let mut schema: Value = serde_json::from_slice(schema).unwrap();
    if let Some(name) = definition {
        let definitions = schema["$defs"].clone();
        schema = definitions[name].clone();
        schema["$defs"] = definitions;
    }
    let value: Value = serde_json::from_str(text).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> =
        schema.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:?} in {value}");
    value
}

#[test]
fn a_report_says_what_the_server_breaks() {
    let report =
        probe(&["--plan", "probe/plan.json", "--yes", "--format", "json", "--", "python3", "probe/server.py"]).exits(0);
    let report = held(report.text(), None);
    assert_eq!((&report["verdict"], &report["server"]["name"]), (&json!("conforms"), &json!("adder")), "{report}");
    let rules: Vec<_> = report["findings"].as_array().unwrap().iter().map(|one| &one["rule"]).collect();
    assert_eq!(rules, ["reply/envelope-carried"], "{report}");
    let careless = probe(&["--format", "json", "--", "python3", "probe/server.py", "--careless"]).exits(1);
    let careless = held(careless.text(), None);
    let mut rules: Vec<_> =
        careless["findings"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect();
    rules.sort_unstable();
    rules.dedup();
    // Called from 2025-03-26 on: before, nothing says that the tool is read-only.
    assert_eq!(
        rules,
        ["output-schema-held", "reply/envelope-carried", "structured-text", "unknown-tool"],
        "{careless}"
    );
    assert_eq!(careless["not_called"], json!([{"tool": "add", "why": "not annotated read-only: --yes calls it"}]));
}

#[cfg(not(feature = "http"))]
#[test]
fn a_command_without_the_feature_asks_no_url() {
    let ran = probe(&["--url", "http://127.0.0.1:1/mcp"]).exits(64);
    ran.complains(&["without the feature http"]);
}

#[test]
fn drafts_rules_and_plans_are_of_their_shape() {
    let draft = probe(&["--draft-plan", "--", "python3", "probe/server.py"]).exits(0);
    let draft = held(draft.text(), Some("plan"));
    assert_eq!(draft["calls"], json!([{"tool": "add", "arguments": {"a": 1, "b": 1}}]));
    held(&std::fs::read_to_string(Path::new(EXAMPLES).join("probe/plan.json")).unwrap(), Some("plan"));
    held(probe(&["--rules", "--format", "json"]).exits(0).text(), Some("rules"));
    let plans = Path::new(env!("CARGO_MANIFEST_DIR")).join("probe/plans");
    let plans = std::fs::read_dir(plans).unwrap().map(|entry| entry.unwrap().path());
    let plans: Vec<_> = plans.filter(|path| path.extension().is_some_and(|kind| kind == "json")).collect();
    assert_eq!(plans.len(), 7);
    for plan in plans {
        held(&std::fs::read_to_string(plan).unwrap(), Some("plan"));
    }
}

#[test]
fn a_server_that_cannot_be_used_is_told_with_what_it_says() {
    probe(&["--", "nobody-has-this-program"]).exits(4).says(&["no program \"nobody-has-this-program\" is on the path"]);
    let ends = "import sys; sys.exit('no configuration \\x1b[31m')";
    let ended = probe(&["--revision", "2025-11-25", "--format", "json", "--", "python3", "-c", ends]).exits(4);
    let ended = held(ended.text(), None);
    assert!(ended["conversations"][0]["stderr"].as_str().unwrap().contains("no configuration"), "{ended}");
    let ended = probe(&["--revision", "2025-11-25", "--", "python3", "-c", ends]).exits(4).says(&["no configuration"]);
    assert!(!ended.text().contains('\x1b'), "{}", ended.text());
    // It never answers, however long anybody waits.
    let silent = probe(&["--timeout", "1", "--format", "json", "--", "sleep", "100000"]).exits(4);
    assert_eq!(held(silent.text(), None)["verdict"], "unusable");
}

#[test]
fn variables_are_handed_on_by_name_alone() {
    let tells = "import os; print('variables', sorted(name for name in os.environ if name.startswith('ASSIZE_PROBE')), flush=True)";
    let run = |args: &[&str]| {
        let args =
            [&["probe", "mcp", "--revision", "2025-11-25", "--format", "json"], args, &["--", "python3", "-c", tells]]
                .concat();
        let mut probe = Command::new(env!("CARGO_BIN_EXE_assize"));
        let probe = probe.args(args).current_dir(EXAMPLES).env("ASSIZE_PROBE_ONE", "1").env("ASSIZE_PROBE_TWO", "2");
        let output = probe.output().unwrap();
        assert_eq!(output.status.code(), Some(4));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run(&[]).contains("is not JSON") && !run(&[]).contains("ASSIZE_PROBE_ONE"));
    let handed = run(&["--env", "ASSIZE_PROBE_ONE"]);
    assert!(handed.contains("ASSIZE_PROBE_ONE") && !handed.contains("ASSIZE_PROBE_TWO"), "{handed}");
}

/// A captured result, with one thing about it changed.
fn captured(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let text = std::fs::read(Path::new(EXAMPLES).join("reply/captured.json")).unwrap();
    let mut document = serde_json::from_slice(&text).unwrap();
    change(&mut document);
    serde_json::to_vec(&document).unwrap()
}

#[test]
fn a_captured_result_is_judged_with_its_arguments() {
    let judged =
        |change: fn(&mut Value)| run_in(Path::new(EXAMPLES), &["reply", "tool-result", "-"], &captured(change));
    judged(|_| ()).exits(1).says(&["reply/flag-agrees", "write true"]);
    judged(|document| document["response"]["result"]["isError"] = json!(true)).exits(0).says(&["lawful"]);
    // A refusal of arguments that do not pass is no breach, and one of arguments that do is.
    let refused = |document: &mut Value| document["response"] = json!({"error": {"code": -32602, "message": "no"}});
    judged(refused).exits(1).says(&["reply/no-protocol-error"]);
    judged(|document| {
        document["arguments"] = json!({"path": 7});
        document["response"] = json!({"error": {"code": -32602, "message": "no"}});
    })
    .exits(0)
    .says(&["outside of the laws: the arguments are not valid by the tool's schema"]);
    judged(|document| document["tool"]["arguments_valid"] = json!(false))
        .exits(3)
        .complains(&["is not what the input schema says"]);
    judged(|document| document["tool"]["inputSchema"] = json!({"$ref": "#"}))
        .exits(3)
        .complains(&["cannot be applied"]);
    judged(|document| document["protocol_version"] = json!("2020-01-01")).exits(3).complains(&["a known revision"]);
}
