//! A row for every check: a statement that is true but for what the row changes, signed by a valid key, and refused in the check's
//! own words. No report is there to catch it instead. What the schema catches before is refused by the check alone, too.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::certificate::{
    claim::{Claim, DOES_NOT_PROVE, NOT_SEALED},
    contradiction::check,
    keys::PrivateKey,
    open, sign,
    statement::Statement,
};
use crate::testee::MEASURES;

/// Whose words stand in the refusal of a signed statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Check,
    /// The schema's, which is asked first.
    Schema,
}
use By::{Check, Schema};

/// What is said, who says it of a signed statement, and the change.
type Row = (&'static str, By, fn(&mut Value));

const ANY: &str = "5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a";
const NONE: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A claim in which everything is true: nine of twelve cases of two laws were asked, one of them fails as was expected.
const CLAIM: &str = r#"{
    "contract": "assize-certificate/v2", "report_sha256": "ANY", "started": "2026-01-02T03:04:05Z", "seed": 7, "jobs": 1,
    "harness": {"version": "1", "sha256": "ANY"},
    "suite": {"sha256": "ANY", "cases": 12, "laws_sha256": "ANY", "operations_sha256": "ANY"},
    "testee": {"name": "t", "version": "1", "ops": {"canon.bytes": {}}, "capabilities": {}},
    "transport": "process",
    "command": {
        "argv": ["python3", "main.py"], "directory_given": false, "environment": ["HOME", "PATH"],
        "files": [
            {"argument": 0, "name": "python3", "sha256": "ANY"}, {"argument": 1, "name": "main.py", "sha256": "ANY"}
        ],
        "subject": {"paths": ["."], "files": 1, "bytes": 5, "sha256": "ANY"}
    },
    "selection": {"systems": ["canon", "kernel"]},
    "limits": {"line": 1, "case_ms": 1, "start_ms": 1, "ends": 1, "cpu_s": null, "memory_mb": null},
    "containment": {
        "level": "partly", "measures": ["process-group", "subreaper"], "missing": ["landlock", "memory-limit"]
    },
    "sessions": [
        {"purpose": "orders", "served": 16, "chain": "ANY", "agreed": true},
        {"purpose": "fresh", "served": 1, "chain": "ANY"}, {"purpose": "fresh", "served": 1, "chain": "ANY"},
        {"purpose": "fresh", "served": 1, "chain": "ANY"}, {"purpose": "fresh", "served": 1, "chain": "ANY"},
        {"purpose": "fresh", "served": 1, "chain": "ANY"}, {"purpose": "fresh", "served": 1, "chain": "ANY"},
        {"purpose": "fresh", "served": 1, "chain": "ANY"}
    ],
    "expectations": {"sha256": "ANY", "entries": 1, "expected": 1},
    "grade": "conforms", "fail_on": "spec",
    "rulings": {"rests_on": ["R-1", "R-2"], "left_out": ["R-3", "R-4"]},
    "totals": {"cases": 9, "pass": 7, "remarks": 1, "fail": 1, "spec": 0, "ruling": 1, "expected": 1,
        "not_applicable": 1, "not_run": 0},
    "not_selected": 3, "not_applicable": {"it was not declared": 1}, "not_run": {},
    "laws": [
        {"slug": "canon/one", "grade": "conforms", "in_suite": 6, "null_passes": 1, "credit": 3,
            "altered": {"planted": 2, "caught": 2},
            "counts": {"cases": 6, "pass": 4, "remarks": 1, "fail": 1, "spec": 0, "ruling": 1, "expected": 1,
                "not_applicable": 1, "not_run": 0}},
        {"slug": "kernel/two", "grade": "conforms-strictly", "in_suite": 5, "null_passes": 0, "credit": 3,
            "altered": {"planted": 1, "caught": 1},
            "counts": {"cases": 3, "pass": 3, "remarks": 0, "fail": 0, "spec": 0, "ruling": 0, "expected": 0,
                "not_applicable": 0, "not_run": 0}}
    ],
    "levels": [
        {"name": "one", "title": "One", "state": "held", "grade": "conforms", "cases": 4, "pass": 3},
        {"name": "two", "title": "Two", "state": "empty", "grade": "not-asked", "cases": 0, "pass": 0}
    ],
    "controls": {
        "altered": {"planted": 3, "caught": 3},
        "kinds": {"code": {"planted": 1, "caught": 1}, "verdict": {"planted": 2, "caught": 2}},
        "null_testees": [
            {"name": "accept-all", "cases": 8, "pass": 1}, {"name": "reject-all", "cases": 8, "pass": 0},
            {"name": "echo", "cases": 8, "pass": 0}, {"name": "constant", "cases": 8, "pass": 0}
        ]
    }
}"#;

fn claim() -> Value {
    let mut claim: Value = serde_json::from_str(&CLAIM.replace("ANY", ANY)).unwrap();
    let unproven: Vec<&str> = DOES_NOT_PROVE.into_iter().chain([NOT_SEALED]).collect();
    claim["does_not_prove"] = json!(unproven);
    claim
}

/// Two questions beside the corpus, of which one was answered.
fn challenged(claim: &mut Value) {
    claim["challenges"] = json!({"seed": "7", "each": 1, "cases": 2, "answered": 1});
    claim["not_selected"] = json!(5);
    for row in claim["controls"]["null_testees"].as_array_mut().unwrap() {
        row["cases"] = json!(7);
    }
}

/// Counts of which the second law has none: of all and of the first law at once.
fn both(claim: &mut Value, set: &[(&str, usize)]) {
    for (name, count) in set {
        claim["totals"][*name] = json!(count);
        claim["laws"][0]["counts"][*name] = json!(count);
    }
}

fn remove(object: &mut Value, name: &str) {
    object.as_object_mut().unwrap().remove(name).unwrap();
}

const PARTS: &str = "pass, fail, not_applicable and not_run do not add up to it";

#[rustfmt::skip]
const COUNTS: &[Row] = &[
    ("/totals/cases: pass, fail, not_applicable and not_run do not add up to it", Check, |c| c["totals"]["cases"] = json!(8)),
    ("/laws/1/counts/cases: pass, fail, not_applicable and not_run do not add up to it", Check, |c| c["laws"][1]["counts"]["cases"] = json!(4)),
    ("/totals/fail: spec and ruling do not add up to it", Check, |c| c["totals"]["spec"] = json!(1)),
    ("/totals/remarks: there are fewer passes", Check, |c| c["totals"]["remarks"] = json!(8)),
    ("/totals/expected: there are fewer failures", Check, |c| c["totals"]["expected"] = json!(2)),
    ("/totals/cases: the laws do not add up to it", Check, |c| drop(c["laws"].as_array_mut().unwrap().pop())),
    ("/totals/pass: the laws do not add up to it", Check, |c| {
        c["totals"]["pass"] = json!(8);
        c["totals"]["not_applicable"] = json!(0);
    }),
    ("/totals/remarks: the laws do not add up to it", Check, |c| c["totals"]["remarks"] = json!(0)),
    ("/totals/fail: the laws do not add up to it", Check, |c| {
        c["totals"]["fail"] = json!(2);
        c["totals"]["ruling"] = json!(2);
        c["totals"]["not_applicable"] = json!(0);
    }),
    ("/totals/spec: the laws do not add up to it", Check, |c| {
        c["totals"]["spec"] = json!(1);
        c["totals"]["ruling"] = json!(0);
    }),
    ("/totals/expected: the laws do not add up to it", Check, |c| c["totals"]["expected"] = json!(0)),
    ("/totals/not_applicable: the laws do not add up to it", Check, |c| {
        c["totals"]["not_applicable"] = json!(0);
        c["totals"]["not_run"] = json!(1);
    }),
    ("/not_selected: the totals and it do not add up to the cases of the suite, and to /challenges/cases", Check, |c| c["not_selected"] = json!(4)),
    ("/not_applicable: the totals count others", Check, |c| c["not_applicable"] = json!({"it was not declared": 2})),
    ("/totals/not_run: no certificate may leave a selected case out", Check, |c| {
        both(c, &[("not_applicable", 0), ("not_run", 1)]);
        c["not_applicable"] = json!({});
    }),
    ("/not_run: no certificate may leave a selected case out", Check, |c| c["not_run"] = json!({"nobody asked": 1})),
    ("/totals/pass: no case was answered", Check, |c| {
        drop(c["laws"].as_array_mut().unwrap().pop());
        let none = ["pass", "remarks", "fail", "ruling", "expected"];
        for counts in ["/totals", "/laws/0/counts"] {
            let counts = c.pointer_mut(counts).unwrap();
            none.iter().for_each(|name| counts[*name] = json!(0));
            counts["cases"] = json!(1);
        }
        c["not_selected"] = json!(11);
    }),
    ("/expectations: failures are expected by no file", Check, |c| remove(c, "expectations")),
    ("/expectations/expected: the totals count others", Check, |c| c["expectations"]["expected"] = json!(3)),
    ("/expectations/entries: no entry expects a failure", Check, |c| c["expectations"]["entries"] = json!(0)),
    ("/totals/expected: a failure is not expected, which no certificate may hold", Check, |c| {
        both(c, &[("expected", 0)]);
        c["fail_on"] = json!("ruling");
    }),
    ("/challenges/seed: the run has another seed", Check, |c| {
        challenged(c);
        c["challenges"]["seed"] = json!("07");
    }),
    ("/challenges/each: no set has as many", Schema, |c| {
        challenged(c);
        c["challenges"]["each"] = json!(0);
    }),
    ("/challenges/answered: fewer were made: /challenges/cases", Check, |c| {
        challenged(c);
        c["challenges"]["answered"] = json!(3);
    }),
    ("/challenges/answered: passes and failures are not these and the cases of every row of /controls/null_testees", Check, |c| {
        challenged(c);
        c["challenges"]["answered"] = json!(2);
    }),
];

#[rustfmt::skip]
const LAWS: &[Row] = &[
    ("/laws/1/slug: the law stands there twice", Check, |c| c["laws"][1]["slug"] = json!("canon/one")),
    ("/laws/2/counts/cases: no case of the law was selected", Check, |c| {
        let mut law = c["laws"][1].clone();
        law["slug"] = json!("kernel/three");
        law["counts"]["cases"] = json!(0);
        law["counts"]["pass"] = json!(0);
        c["laws"].as_array_mut().unwrap().push(law);
    }),
    ("/laws/0/in_suite: more cases were selected than the suite has", Check, |c| c["laws"][0]["in_suite"] = json!(5)),
    ("/laws/1/in_suite: all cases were selected, and yet fewer than the suite has", Check, |c| {
        c["suite"]["cases"] = json!(9);
        c["not_selected"] = json!(0);
    }),
    ("/laws/0/altered/caught: fewer than planted: an altered answer went through", Check, |c| c["laws"][0]["altered"]["caught"] = json!(1)),
    ("/laws/0/null_passes: fewer cases were answered", Check, |c| c["laws"][0]["null_passes"] = json!(6)),
    ("/laws/0/credit: there are fewer passes", Check, |c| c["laws"][0]["credit"] = json!(5)),
    ("/laws/0/grade: it does not follow from the counts", Check, |c| c["laws"][0]["grade"] = json!("violates")),
    ("/laws/0/grade: it does not follow from the counts", Check, |c| c["laws"][0]["grade"] = json!("conforms-strictly")),
    ("/laws/1/grade: it does not follow from the counts", Check, |c| c["laws"][1]["credit"] = json!(0)),
    ("/grade: it does not follow from the laws", Check, |c| c["grade"] = json!("conforms-strictly")),
    ("/grade: it does not follow from the laws", Check, |c| c["grade"] = json!("violates")),
    ("/rulings/rests_on: not sorted, or one stands there twice", Check, |c| c["rulings"]["rests_on"] = json!(["R-2", "R-1"])),
    ("/rulings/left_out: not sorted, or one stands there twice", Check, |c| c["rulings"]["left_out"] = json!(["R-4", "R-3"])),
    ("/rulings/rests_on: it rests on a ruling that was left out", Check, |c| c["rulings"]["left_out"] = json!(["R-1"])),
    ("/levels/1/name: the level stands there twice", Check, |c| c["levels"][1]["name"] = json!("one")),
    ("/levels/0/cases: the suite has fewer", Check, |c| c["levels"][0]["cases"] = json!(13)),
    ("/levels/0/pass: there are fewer cases, or fewer passes in all", Check, |c| c["levels"][0]["pass"] = json!(5)),
    ("/levels/0/pass: there are fewer cases, or fewer passes in all", Check, |c| {
        c["levels"][0]["cases"] = json!(8);
        c["levels"][0]["pass"] = json!(8);
    }),
    ("/levels/1/grade: nothing of it was asked", Check, |c| c["levels"][1]["grade"] = json!("conforms")),
    ("/levels/0/state: it does not follow from grade, cases and passes", Check, |c| c["levels"][0]["pass"] = json!(0)),
    ("/levels/0/state: it does not follow from grade, cases and passes", Check, |c| c["levels"][0]["state"] = json!("violated")),
    ("/levels/0/state: it does not follow from grade, cases and passes", Check, |c| c["levels"][0]["state"] = json!("empty")),
    ("/levels/1/state: it does not follow from grade, cases and passes", Check, |c| c["levels"][1]["state"] = json!("held")),
    ("/levels/1/state: it does not follow from grade, cases and passes", Check, |c| c["levels"][1]["state"] = json!("incomplete")),
    ("/levels/1/state: it does not follow from grade, cases and passes", Check, |c| c["levels"][1]["state"] = json!("undeclared")),
    ("/levels/0/state: selection.cases or selection.shard took a part of the corpus: it holds no level", Check, |c| c["selection"]["cases"] = json!(["canon"])),
    ("/levels/0/state: selection.cases or selection.shard took a part of the corpus: it holds no level", Check, |c| c["selection"]["shard"] = json!("1/2")),
];

#[rustfmt::skip]
const CONTROLS: &[Row] = &[
    ("/controls/altered/planted: nothing shows that the run could have failed", Check, |c| c["controls"]["altered"] = json!({"planted": 0, "caught": 0})),
    ("/controls/altered/caught: fewer than planted: an altered answer went through", Check, |c| c["controls"]["altered"]["caught"] = json!(2)),
    ("/controls/kinds/verdict/caught: fewer than planted: an altered answer went through", Check, |c| c["controls"]["kinds"]["verdict"]["caught"] = json!(1)),
    ("/controls/kinds: the kinds do not add up to what was altered", Check, |c| remove(&mut c["controls"]["kinds"], "code")),
    ("/controls/altered/planted: the laws do not add up to it", Check, |c| {
        c["controls"]["altered"] = json!({"planted": 4, "caught": 4});
        c["controls"]["kinds"]["code"] = json!({"planted": 2, "caught": 2});
    }),
    ("/controls/null_testees: the name of each, and their order, are not those of the null testees", Check, |c| c["controls"]["null_testees"].as_array_mut().unwrap().swap(1, 2)),
    ("/controls/null_testees: the name of each, and their order, are not those of the null testees", Check, |c| c["controls"]["null_testees"] = json!([])),
    ("/controls/null_testees/3/cases: it was not asked what the testee answered of the corpus", Check, |c| c["controls"]["null_testees"][3]["cases"] = json!(9)),
    ("/controls/null_testees/1/pass: the laws count fewer passes of null testees", Check, |c| c["controls"]["null_testees"][1]["pass"] = json!(2)),
    ("/controls/null_testees: the laws count more passes of null testees", Check, |c| c["controls"]["null_testees"][0]["pass"] = json!(0)),
];

#[rustfmt::skip]
const COMMAND: &[Row] = &[
    ("/command: a process has one, and the built-in verifier has none", Schema, |c| remove(c, "command")),
    ("/command: a process has one, and the built-in verifier has none", Schema, |c| c["transport"] = json!("in-process")),
    ("/containment: a process has one, the built-in verifier none", Schema, |c| remove(c, "containment")),
    ("/command/argv: it names no program", Check, |c| c["command"]["argv"] = json!(["", ""])),
    ("/command/environment: not sorted, one stands there twice, or one is not a name", Check, |c| c["command"]["environment"] = json!(["PATH", "HOME"])),
    ("/command/environment: not sorted, one stands there twice, or one is not a name", Check, |c| c["command"]["environment"] = json!(["PATH", "PATH"])),
    ("/command/environment: not sorted, one stands there twice, or one is not a name", Check, |c| c["command"]["environment"] = json!(["A=B"])),
    ("/command/environment: not sorted, one stands there twice, or one is not a name", Check, |c| c["command"]["environment"] = json!([""])),
    ("/command/files: no file of the command is known", Schema, |c| c["command"]["files"] = json!([])),
    ("/command/files: an argument that is none of argv, not sorted, or there twice", Check, |c| c["command"]["files"][1]["argument"] = json!(2)),
    ("/command/files: an argument that is none of argv, not sorted, or there twice", Check, |c| c["command"]["files"][1]["argument"] = json!(0)),
    ("/command/files: an argument that is none of argv, not sorted, or there twice", Check, |c| c["command"]["files"].as_array_mut().unwrap().reverse()),
    ("/command/subject: its files were not the same all the time, or are not known", Schema, |c| remove(&mut c["command"], "subject")),
    ("/command/subject/bytes: there are no files", Check, |c| c["command"]["subject"]["files"] = json!(0)),
    ("/command/runtime/paths: nothing was added to it, and yet there is one", Schema, |c| c["command"]["runtime"] = json!({"paths": [], "files": 1, "bytes": 5, "sha256": ANY})),
    ("/command/runtime/bytes: there are no files", Check, |c| c["command"]["runtime"] = json!({"paths": ["site-packages"], "files": 0, "bytes": 5, "sha256": ANY})),
    ("/command/runtime/undigested: there is a digest, and sha256 is it", Check, |c| c["command"]["runtime"] = json!({"paths": ["venv"], "files": 0, "bytes": 0, "sha256": ANY, "undigested": "too much"})),
    ("/command/runtime/files: nothing of it was digested", Check, |c| c["command"]["runtime"] = json!({"paths": ["venv"], "files": 1, "bytes": 0, "undigested": "too much"})),
    ("/command/runtime/sha256: there is none, and undigested does not say why", Check, |c| c["command"]["runtime"] = json!({"paths": ["venv"], "files": 1, "bytes": 5})),
    ("/containment/measures: not sorted, or one stands there twice", Check, |c| c["containment"]["measures"] = json!(["subreaper", "process-group"])),
    ("/containment/measures: not sorted, or one stands there twice", Check, |c| c["containment"]["missing"] = json!(["landlock", "landlock"])),
    ("/containment/missing: a measure was taken that was missing", Check, |c| c["containment"]["missing"] = json!(["subreaper"])),
    ("/containment/missing: `sealed` is said of everything that keeps a testee contained, and of nothing less", Check, |c| c["containment"]["level"] = json!("sealed")),
    ("/containment/measures: `sealed` is said of everything that keeps a testee contained, and of nothing less", Check, |c| {
        let measures: Vec<_> = MEASURES.into_iter().filter(|name| *name != "no-network").collect();
        c["containment"] = json!({"level": "sealed", "measures": measures, "missing": []});
    }),
    ("/containment/level: `sealed` is said of everything that keeps a testee contained, and of nothing less", Check, |c| c["containment"] = json!({"level": "partly", "measures": MEASURES, "missing": []})),
    ("/sessions: the built-in verifier has none", Check, |c| {
        c["transport"] = json!("in-process");
        remove(c, "command");
        remove(c, "containment");
    }),
    ("/sessions: no process said anything", Check, |c| c["sessions"] = json!([])),
    ("/sessions/0/purpose: no session is for that", Check, |c| c["sessions"][0]["purpose"] = json!("order")),
    ("/sessions/7/agreed: the testee counted other answers", Check, |c| c["sessions"][7]["agreed"] = json!(false)),
    ("/sessions/7/chain: it does not belong to that number of answers served", Check, |c| c["sessions"][7]["chain"] = json!(NONE)),
    ("/sessions/7/chain: it does not belong to that number of answers served", Check, |c| c["sessions"][7]["served"] = json!(0)),
    ("/sessions: none is for the two orders", Check, |c| c["sessions"][0]["purpose"] = json!("controls")),
    ("/sessions: another number of fresh processes than there are", Check, |c| drop(c["sessions"].as_array_mut().unwrap().pop())),
    ("/sessions: another number of fresh processes than there are", Check, |c| {
        let fresh = c["sessions"][7].clone();
        c["sessions"].as_array_mut().unwrap().extend([fresh.clone(), fresh]);
    }),
    // Seven passes were answered in two orders, and seven times more in fresh processes.
    ("/sessions: fewer answers were served than passes need", Check, |c| c["sessions"][0]["served"] = json!(6)),
];

#[rustfmt::skip]
const REST: &[Row] = &[
    ("/jobs: nobody was at work", Schema, |c| c["jobs"] = json!(0)),
    ("/limits/line: no frame fits", Schema, |c| c["limits"]["line"] = json!(0)),
    ("/limits/case_ms: no answer comes in no time", Schema, |c| c["limits"]["case_ms"] = json!(0)),
    ("/limits/start_ms: no process starts in no time", Schema, |c| c["limits"]["start_ms"] = json!(0)),
    ("/limits/ends: nothing would have been asked", Schema, |c| c["limits"]["ends"] = json!(0)),
    ("/selection/systems: not sorted, or one stands there twice", Check, |c| c["selection"]["systems"] = json!(["kernel", "canon"])),
    ("/selection/modes: not sorted, or one stands there twice", Check, |c| c["selection"]["modes"] = json!(["law", "law"])),
    ("/selection/levels: not sorted, or one stands there twice", Check, |c| c["selection"]["levels"] = json!(["two", "one"])),
    ("/selection/cases: not sorted, or one stands there twice", Check, |c| {
        c["selection"]["cases"] = json!(["kernel", "canon"]);
        c["levels"][0]["state"] = json!("incomplete");
    }),
    ("/selection/shard: there is no such part", Check, |c| {
        c["selection"]["shard"] = json!("3/2");
        c["levels"][0]["state"] = json!("incomplete");
    }),
    ("/not_selected: cases are missing, and no filter left them out", Check, |c| c["selection"] = json!({})),
    ("/does_not_prove: it is not what such a claim does not prove, by transport, containment.level, containment.readable and command.runtime.undigested", Check, |c| drop(c["does_not_prove"].as_array_mut().unwrap().pop())),
];

fn rows() -> impl Iterator<Item = &'static Row> {
    [COUNTS, LAWS, CONTROLS, COMMAND, REST].into_iter().flatten()
}

/// What whoever opens it is told of a claim that a valid key has signed; nothing where it is taken.
fn refusal(claim: Claim) -> Option<String> {
    let key = PrivateKey::from_seed(&[3; 32]);
    let certificate = sign(&Statement::around(claim), &key).unwrap();
    open(&certificate, &[key.public().unwrap()]).err().map(|error| error.to_string())
}

#[test]
fn what_is_altered_is_true_before() {
    let mut beside = claim();
    challenged(&mut beside);
    for claim in [claim(), beside] {
        assert_eq!(refusal(serde_json::from_value(claim).unwrap()), None);
    }
}

#[test]
fn each_is_refused_in_the_words_of_its_check() {
    let mut troubles = Vec::new();
    for (says, by, change) in rows() {
        let mut altered = claim();
        change(&mut altered);
        let altered: Claim = serde_json::from_value(altered).unwrap();
        let said = check(&altered).err().map(|error| error.to_string());
        if said.as_deref() != Some(&format!("/predicate/assize{says}")) {
            troubles.push(format!("{says}\n    the check: {said:?}"));
        }
        let said = refusal(altered).unwrap_or_default();
        let holds = match by {
            Check => said == format!("the statement cannot be true: /predicate/assize{says}"),
            Schema => said.starts_with("the statement, /predicate/assize"),
        };
        if !holds {
            troubles.push(format!("{says}\n    whoever opens it: {said}"));
        }
    }
    assert!(troubles.is_empty(), "{} troubles:\n{}", troubles.len(), troubles.join("\n"));
}

/// Every check as it stands in the source: a pattern of its member, and its words.
fn written() -> BTreeSet<(String, String)> {
    let source = include_str!("../contradiction.rs");
    let calls = source.match_indices("must(").map(|(place, name)| source.split_at(place + name.len()));
    let calls = calls.filter_map(|(before, after)| match &arguments(after)[..] {
        // The function itself, and those that put the place of a row before its member.
        [holds, ..] if holds.starts_with("holds") => None,
        [_, member, why] => Some((literal(before, after, member), literal(before, after, why))),
        other => panic!("a call of three arguments: {other:?}"),
    });
    calls.collect()
}

/// The arguments of a call, up to the parenthesis that closes it.
fn arguments(text: &str) -> Vec<String> {
    let (mut arguments, mut depth, mut quoted, mut before) = (vec![String::new()], 0_usize, false, ' ');
    for c in text.chars() {
        match c {
            // The one character literal with a quotation mark would stand between apostrophes.
            '"' if before != '\'' && before != '\\' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted && depth == 0 => break,
            ')' | ']' | '}' if !quoted => depth -= 1,
            ',' if !quoted && depth == 0 => {
                arguments.push(String::new());
                continue;
            }
            _ => {}
        }
        before = c;
        arguments.last_mut().unwrap().push(c);
    }
    arguments.into_iter().map(|argument| argument.trim().to_owned()).filter(|argument| !argument.is_empty()).collect()
}

/// What an argument says: what stands between its quotation marks, or between those where its name was last declared.
fn literal(before: &str, after: &str, argument: &str) -> String {
    let quoted = |text: &str| text.split('"').nth(1).unwrap_or_else(|| panic!("no text: {text}")).to_owned();
    if argument.contains('"') {
        return quoted(argument);
    }
    let name = argument.trim_start_matches('&');
    let constant = format!("const {name}: &str = ");
    let place = before.rsplit_once(&format!("let {name} = ")).or(before.split_once(&constant));
    let place = place.or(after.split_once(&constant));
    quoted(place.unwrap_or_else(|| panic!("{name} is declared nowhere as one text")).1)
}

/// Whether a member is one of a pattern, in which anything may stand between braces and before what is relative.
fn fits(member: &str, pattern: &str) -> bool {
    let whole = if pattern.starts_with('/') { pattern.to_owned() } else { format!("{{any}}/{pattern}") };
    let fixed: Vec<&str> = whole.split('{').map(|part| part.split_once('}').map_or(part, |(_, after)| after)).collect();
    let (Some(first), Some(last)) = (fixed.first(), fixed.last()) else { return false };
    if fixed.len() == 1 { member == *first } else { member.starts_with(first) && member.ends_with(last) }
}

#[test]
fn no_check_is_without_a_row() {
    let written = written();
    assert!(written.len() > 60, "{}: are all of them found?", written.len());
    assert!(written.contains(&("{member}/cases".to_owned(), PARTS.to_owned())), "{written:#?}");
    let shown = |(pattern, why): &&(String, String)| {
        rows().any(|(says, _, _)| {
            says.split_once(": ").is_some_and(|(member, words)| words == why && fits(member, pattern))
        })
    };
    let without: Vec<_> = written.iter().filter(|check| !shown(check)).collect();
    assert!(without.is_empty(), "{without:#?}");
}
