//! Kept results of every kind, made up.

use std::{fs, path::Path, sync::LazyLock};

use assize::suite;
use assize_corpus::store::Store;
use serde_json::{Value, json};

/// The cases that the results name: a corpus of these alone is read in an instant.
const CASES: [&str; 3] = ["canon/rfc8785/lone-high", "canon/rfc8785/lone-low", "canon/i-json/lone-in-name"];

/// Writes that corpus below a folder.
pub(super) fn corpus(folder: &Path) {
    for case in CASES {
        let to = folder.join(format!("{case}.json"));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../vectors/{case}.json"));
        fs::copy(from, to).unwrap();
    }
}

/// What a report says about it.
static SUITE: LazyLock<Value> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    corpus(folder.path());
    json!(suite::info(&Store::folder(folder.path()).unwrap()).unwrap())
});

/// A name that would be markup, end an attribute, lead out of a folder.
pub(super) const HOSTILE: &str = "<script>alert(1)</script>\"'/";

/// One of each kind, and a second version of one.
pub(super) fn all() -> Vec<Value> {
    let mut hostile = violating(HOSTILE, "");
    hostile["implementation"]["claims"] = Value::Null;
    hostile["implementation"]["link"] = json!("javascript:alert(1)");
    hostile["implementation"]["language"] = json!("<b>c\u{202e}");
    hostile["table"] = json!("<i>'table'.toml");
    for member in ["rationale", "note"] {
        hostile["report"]["result"]["failures"][0][member] = json!(HOSTILE);
    }
    hostile["report"]["result"]["unrun"][0]["reason"] = json!(HOSTILE);
    hostile["report"]["result"]["faults"] = json!([HOSTILE]);
    let mut away = kept("away", "1.0", "not-installed");
    away["why"] = json!("cargo exited with 101: no such package");
    let mut mute = kept("mute", "1.0", "not-judged");
    mute["why"] = json!("its shim does not keep the protocol: no hello");
    let broken = violating("broken", "2.0");
    vec![
        strict("strict", "1.0"),
        ruled("ruled", "1.0"),
        broken,
        strict("broken", "10.0"),
        unasked(),
        unusable(),
        hostile,
        away,
        mute,
    ]
}

/// A result as `assize bench` keeps it; the report of one that is judged has nothing against anybody.
pub(super) fn kept(name: &str, version: &str, state: &str) -> Value {
    json!({
        "contract": "assize-bench/v1",
        "table": "shims/bench.toml",
        "implementation": {
            "name": name, "version": version, "language": "python", "client": "pip", "claims": "RFC 8785",
            "link": "https://example.org/about",
        },
        "asked": ["canon/rfc8785", "canon/i-json"],
        "key": "5".repeat(64),
        "judged": "2026-01-02T03:04:05Z",
        "state": state,
        "why": null,
        "installed": {"packages": [format!("{name}=={version}")], "files": {"installed.json": "6".repeat(64)}},
        "report": if state == "judged" { report("conforms-strictly", 0) } else { Value::Null },
    })
}

pub(super) fn strict(name: &str, version: &str) -> Value {
    kept(name, version, "judged")
}

/// A ruling is broken, and a convention: it conforms, and not strictly.
pub(super) fn ruled(name: &str, version: &str) -> Value {
    let mut kept = kept(name, version, "judged");
    let result = &mut kept["report"]["result"];
    result["grade"] = json!("conforms");
    result["laws"][0] = law("canon/rfc8785", "conforms", 3, [2, 1, 0, 1]);
    result["totals"] = counts(4, [2, 1, 0, 1]);
    let mut failed = failure("canon/rfc8785/lone-high", "ruling", "ruling NUM-04");
    result["failures"] = json!([failed.clone()]);
    result["clusters"] = json!([cluster(&["canon/rfc8785/lone-high"], "ruling")]);
    failed["id"] = json!("canon/rfc8785/lone-low");
    (failed["force"], failed["mismatches"][0]["force"]) = (json!("interface"), json!("interface"));
    failed["outcome"] = json!("PASS");
    result["remarks"] = json!([failed]);
    kept
}

/// Two cases fail alike, against the specification.
pub(super) fn violating(name: &str, version: &str) -> Value {
    let mut kept = kept(name, version, "judged");
    kept["report"]["result"]["exit_code"] = json!(1);
    let result = &mut kept["report"]["result"];
    result["grade"] = json!("violates");
    result["laws"][0] = law("canon/rfc8785", "violates", 3, [1, 2, 2, 0]);
    result["totals"] = counts(4, [1, 2, 2, 0]);
    let ids = ["canon/rfc8785/lone-high", "canon/rfc8785/lone-low"];
    result["failures"] = json!(ids.map(|id| failure(id, "spec", "spec")));
    result["clusters"] = json!([cluster(&ids, "spec")]);
    kept
}

/// Too little was asked for a grade.
fn unasked() -> Value {
    let mut kept = kept("unasked", "1.0", "judged");
    kept["report"] = report("incomplete", 3);
    for law in kept["report"]["result"]["laws"].as_array_mut().unwrap() {
        law["grade"] = json!("not-asked");
    }
    kept
}

/// What answered was not the implementation.
fn unusable() -> Value {
    let mut kept = kept("unusable", "1.0", "judged");
    kept["report"] = report("incomplete", 4);
    kept["report"]["result"]["complete"] = json!(false);
    kept["report"]["result"]["faults"] = json!(["it could not be started\nit wrote: no module"]);
    kept
}

fn report(grade: &str, exit: u8) -> Value {
    json!({
        "contract": "assize-report/v2",
        "digest": "7".repeat(64),
        "result": {
            "assize": "0.1.0",
            "complete": true,
            "grade": grade,
            "exit_code": exit,
            "suite": *SUITE,
            "testee": {
                "name": "x", "version": "1", "ops": {"canon.bytes": {"profile": ["rfc8785"]}},
                "capabilities": {"input": "value"}, "shim": {"name": "shim", "version": "1"},
            },
            "seed": 0,
            "totals": counts(4, [3, 0, 0, 0]),
            "laws": [
                law("canon/rfc8785", "conforms-strictly", 3, [3, 0, 0, 0]),
                law("canon/i-json", "not-asked", 1, [0, 0, 0, 0]),
            ],
            "clusters": [],
            "failures": [],
            "remarks": [],
            "unrun": [{"id": "canon/i-json/lone-in-name", "outcome": "NOT-APPLICABLE", "reason": "it is handed values"}],
            "unstable": [],
            "faults": [],
        },
        "run": {"session_faults": [], "receipts": [], "orphans": [], "evidence": {}},
    })
}

/// Counts of so many cases: passes, failures, those against a specification, those against a ruling; the rest does not apply.
fn counts(cases: u64, [pass, fail, spec, ruling]: [u64; 4]) -> Value {
    json!({
        "cases": cases, "pass": pass, "remarks": 0, "fail": fail, "spec": spec, "ruling": ruling, "expected": 0,
        "not_applicable": cases - pass - fail, "not_run": 0,
    })
}

fn law(slug: &str, grade: &str, cases: u64, numbers: [u64; 4]) -> Value {
    let mut law = counts(cases, numbers);
    for (member, value) in [("slug", slug), ("title", "A law"), ("grade", grade)] {
        law[member] = json!(value);
    }
    law
}

fn failure(id: &str, force: &str, binds: &str) -> Value {
    json!({
        "id": id, "law": "canon/rfc8785", "outcome": "WRONG-VERDICT", "force": force,
        "mismatches": [{"pointer": "/is", "expected": "reject", "actual": "accept", "force": binds}],
        "rationale": "A reader that writes U+FFFD for half a pair.",
    })
}

fn cluster(ids: &[&str], force: &str) -> Value {
    json!({
        "law": "canon/rfc8785", "force": force, "outcome": "WRONG-VERDICT", "place": "/is",
        "difference": "expected \"reject\", got \"accept\"", "flags": ["LoneSurrogate"], "smallest": ids[0], "cases": ids,
    })
}
