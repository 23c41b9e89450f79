//! What `certify --format json` writes has the shape of its contract, for every kind of run.

use std::fs;

use crate::support::run;
use assize_corpus::store;
use serde_json::Value;

fn schema() -> jsonschema::Validator {
    let text = store::embedded("contracts/interface/report.schema.json").unwrap();
    jsonschema::validator_for(&serde_json::from_slice(text).unwrap()).unwrap()
}

#[track_caller]
fn check(args: &[&str], code: i32) -> Value {
    let report = run(&[&["certify", "--format", "json"], args].concat()).exits(code).json();
    let errors: Vec<_> =
        schema().iter_errors(&report).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    let report = report["result"].clone();
    assert_eq!(report["exit_code"], code);
    let sum = |counts: &Value| ["pass", "fail", "not_applicable", "not_run"].map(|name| counts[name].as_u64().unwrap());
    let laws = report["laws"].as_array().unwrap();
    for counts in laws.iter().chain([&report["totals"]]) {
        assert_eq!(counts["cases"].as_u64().unwrap(), sum(counts).iter().sum::<u64>());
    }
    assert_eq!(laws.iter().map(|law| law["cases"].as_u64().unwrap()).sum::<u64>(), report["totals"]["cases"]);
    report
}

#[test]
fn the_whole_corpus_conforms() {
    let report = check(&["--seed", "0"], 0);
    let count = |value: &Value| value.as_u64().unwrap();
    let beside = count(&report["challenges"]["cases"]);
    assert_eq!(count(&report["totals"]["cases"]), count(&report["suite"]["cases"]) + beside);
    let laws = assize::catalogue::laws(&store::Store::embedded()).unwrap();
    let published: Vec<_> = laws.iter().filter(|law| law.unjudged.is_none()).map(|law| law.slug.as_str()).collect();
    let slugs: Vec<_> = report["laws"].as_array().unwrap().iter().map(|law| law["slug"].as_str().unwrap()).collect();
    assert_eq!(slugs, published);
    assert_eq!(report["selection"], serde_json::json!({}));
}

#[test]
fn a_selection_is_stated() {
    let report = check(&["--system", "sovereign", "--mode", "law", "--filter", "*/float-ban/*"], 0);
    assert_eq!(
        report["selection"],
        serde_json::json!({"systems": ["sovereign"], "modes": ["law"], "cases": ["*/float-ban/*"]})
    );
    check(&["--filter", "nothing/like/it"], 3);
}

#[test]
fn two_runs_give_the_same_result() {
    let report =
        |jobs: &str| run(&["certify", "--format", "json", "--system", "canon", "--seed", "3", "--jobs", jobs]).json();
    let (one, three) = (report("1"), report("3"));
    assert_eq!((&one["result"], &one["digest"]), (&three["result"], &three["digest"]));
}

#[test]
fn failures_keep_their_number_tokens() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("sovereign/path-selection")).unwrap();
    let case = r#"{"id":"sovereign/path-selection/a","op":"sovereign.order","spec":{"document":"d","section":"s"},"force":"spec",
        "rationale":"r","flags":[],"provenance":"hand","in":{"mismatches":{"text":"[]"}},
        "expect":{"is":"accept","out":{"mismatches":[1e400, 1180591620717411303424]}},"agreement":"located"}"#;
    fs::write(folder.path().join("sovereign/path-selection/a.json"), case).unwrap();
    let corpus = folder.path().to_str().unwrap();
    let ran = run(&["certify", "--format", "json", "--corpus", corpus]).exits(1);
    ran.says(&["1e400", "1180591620717411303424"]);
    run(&["explain", "sovereign/path-selection/a", "--corpus", corpus, "--format", "json"]).exits(0).says(&["1e400"]);
    fs::write(folder.path().join("sovereign/path-selection/a.json"), case.replace("1e400, ", "")).unwrap();
    let report = check(&["--corpus", corpus], 1);
    assert_eq!(report["failures"][0]["outcome"], "WRONG-OUTPUT");
    fs::write(folder.path().join("sovereign/path-selection/b.json"), "").unwrap();
    assert_eq!(check(&["--corpus", corpus], 3)["totals"]["not_run"], 1);
}
