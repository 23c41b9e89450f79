//! `law_mode_total`: its inputs reach what they are meant to reach, and its oracle catches reports that are wrong on purpose.
use std::collections::BTreeMap;

use assize_fuzzing::targets::LawModeTotal;
use assize_inputs::{EquivalentPair, Pair, seed::noise};
use assize_oracle::canonical::sha256_hex;
use assize_oracle::{Canonical, PythonProfile, canonical};
use serde_json::{Value, json};

const INPUTS: u64 = 2_000;
const SURFACES: [&str; 5] = ["decision_record", "issue", "transition", "bundle_digest", "schema"];
const CODES: [&str; 5] = [
    "E_CANONICALIZATION_ERROR",
    "E_REPLAY_INPUT_MISSING",
    "E_REPLAY_VERSION_MISMATCH",
    "E_REPLAY_EQUIVALENCE_FAILED",
    "E_REGISTRY_DIGEST_MISMATCH",
];

fn stream() -> impl Iterator<Item = EquivalentPair> {
    (0..INPUTS).map(|seed| EquivalentPair::from_bytes(&noise(seed, 1_500)))
}

#[test]
fn inputs_reach_every_status_surface_and_code() {
    let mut tally = BTreeMap::<String, u64>::new();
    let mut count = |what: String| *tally.entry(what).or_default() += 1;
    for both in stream() {
        let text = LawModeTotal::report(&both.pair);
        let kind = if both.lawful { "lawful" } else { "any" };
        count(kind.to_owned());
        for status in ["EQUIVALENT", "DIVERGENT", "ERROR"] {
            if text.contains(&format!(r#""status":"{status}""#)) {
                count(format!("{kind} {status}"));
            }
        }
        for name in SURFACES.iter().chain(&CODES).filter(|name| text.contains(&format!(r#":"{name}""#))) {
            count(format!("{kind} {name}"));
        }
        match &both.equivalent {
            Some(again) if *again != both.pair => count(format!("{kind} rewritten otherwise")),
            Some(_) => count(format!("{kind} rewritten alike")),
            None => {}
        }
    }
    tally.iter().for_each(|(what, number)| println!("{number:6} {what}"));
    let share = |what: &str| tally.get(what).copied().unwrap_or_default() * 100 / INPUTS;
    assert!(share("lawful") >= 30 && share("any") >= 30);
    assert!(share("lawful EQUIVALENT") >= 8 && share("lawful DIVERGENT") >= 15);
    assert!(share("any EQUIVALENT") >= 3 && share("any DIVERGENT") >= 3 && share("any ERROR") >= 15);
    assert!(share("lawful rewritten otherwise") >= 25 && share("any rewritten otherwise") >= 20);
    for name in SURFACES.iter().chain(&CODES) {
        assert!(tally.contains_key(&format!("any {name}")), "{name}");
    }
    for surface in SURFACES {
        assert!(tally.contains_key(&format!("lawful {surface}")), "{surface}");
    }
}

#[test]
fn bytes_that_run_out_make_a_lawful_pair_of_equal_sides_told_otherwise() {
    let both = EquivalentPair::from_bytes(&[]);
    assert!(both.lawful);
    assert!(both.equivalent.as_ref().is_some_and(|again| *again != both.pair));
    assert!(LawModeTotal::report(&both.pair).contains(r#""status":"EQUIVALENT""#));
}

/// A report with a right identity, so that only what was changed before is wrong with it. By Python alone.
fn sealed(mut report: Value) -> String {
    report["report_id"] = Value::Null;
    let mut nulled = report.clone();
    for row in nulled["mismatches"].as_array_mut().unwrap() {
        row["diagnostic"] = Value::Null;
    }
    report["report_id"] = sha256_hex(&python(&nulled)).unwrap().into();
    String::from_utf8(python(&report)).unwrap()
}

fn python(value: &Value) -> Vec<u8> {
    match canonical(PythonProfile::Sovereign, value.to_string().as_bytes()).unwrap() {
        Canonical::Bytes(octets) => octets,
        refused => panic!("{refused:?}"),
    }
}

fn read(pair: &Pair) -> Value {
    serde_json::from_str(&LawModeTotal::report(pair)).unwrap()
}

fn rows(report: &mut Value) -> &mut Vec<Value> {
    report["mismatches"].as_array_mut().unwrap()
}

fn set_status(report: &mut Value) {
    let equivalent = rows(report).is_empty();
    report["status"] = if equivalent { "EQUIVALENT".into() } else { "DIVERGENT".into() };
    report["exit_code"] = i32::from(!equivalent).into();
}

/// True if ordinals are too large for this test's reader, which would spoil them.
fn is_beyond_machines(pair: &Pair) -> bool {
    read(pair)["mismatches"].as_array().unwrap().iter().any(|row| row["ordinal"].is_f64())
}

/// Hands a wrong verifier to the oracle until it is caught for this reason.
#[track_caller]
fn check_caught(why: &str, wrong: impl Fn(&Pair) -> String) {
    let inputs = stream().filter(|both| !is_beyond_machines(&both.pair));
    let mut caught = inputs.filter_map(|both| LawModeTotal::judge(&both, &wrong).err());
    assert!(caught.any(|caught| caught.contains(why)), "never caught because of: {why}");
}

/// What the planted faults below are built on is itself not caught, and Python finds the same identities.
#[test]
fn reports_sealed_by_python_pass() {
    let mut judged = 0;
    for both in stream().filter(|both| !is_beyond_machines(&both.pair)).take(500) {
        LawModeTotal::judge(&both, |pair| sealed(read(pair))).unwrap_or_else(|why| panic!("{why}\n{both:?}"));
        judged += 1;
    }
    assert_eq!(judged, 500);
}

#[test]
fn what_a_report_owes_by_itself_is_demanded() {
    let planted = |change: fn(&mut Value)| {
        move |pair: &Pair| {
            let mut report = read(pair);
            change(&mut report);
            sealed(report)
        }
    };
    check_caught("another shape", |pair| LawModeTotal::report(pair).replace("run_id", "runId"));
    check_caught("another shape", |_| String::new());
    check_caught("not its canonical form", |pair| format!("{}\n", LawModeTotal::report(pair)));
    check_caught("breaks contract 5", planted(|report| report["contract_version"] = "kernel_api/v2".into()));
    check_caught("breaks contract 5", |pair| LawModeTotal::report(pair).replace(r#""replay""#, r#""replays""#));
    check_caught("recomputes to", |pair| LawModeTotal::report(pair).replace(r#""run_id":""#, r#""run_id":"x"#));
    check_caught("does not suit the rows", planted(|report| report["exit_code"] = 0.into()));
    check_caught(
        "does not suit the rows",
        planted(|report| rows(report).iter_mut().for_each(|row| row["diagnostic"] = Value::Null)),
    );
    check_caught("not in order", planted(|report| rows(report).reverse()));
    check_caught(
        "a breach has a digest",
        planted(|report| {
            for row in rows(report).iter_mut().filter(|row| !row["diagnostic"].is_null()) {
                row["actual_digest"] = "0".repeat(64).into();
            }
        }),
    );
}

#[test]
fn a_verifier_that_prefers_a_side_is_caught() {
    // Rows in which side A holds something are left out.
    check_caught("not symmetric", |pair| {
        let mut report = read(pair);
        if report["status"] == "DIVERGENT" {
            rows(&mut report).retain(|row| row["expected_digest"].is_null());
            set_status(&mut report);
        }
        sealed(report)
    });
    // The digest of side B is told on both.
    check_caught("not symmetric", |pair| {
        let mut report = read(pair);
        for row in rows(&mut report) {
            row["expected_digest"] = row["actual_digest"].clone();
        }
        sealed(report)
    });
}

#[test]
fn a_verifier_that_refuses_what_is_lawful_is_caught() {
    check_caught("a lawful pair is an ERROR", |pair| {
        let mut report = read(pair);
        if report["status"] == "DIVERGENT" {
            report["status"] = "ERROR".into();
            for row in rows(&mut report) {
                row["diagnostic"] = json!({"code": null, "law": "l", "message": "m", "side": "a"});
                row["expected_digest"] = Value::Null;
                row["actual_digest"] = Value::Null;
            }
        }
        sealed(report)
    });
}

/// Verifiers that look at the text of documents where no law does: at a message, at events, at the order of members.
#[test]
fn a_verifier_that_looks_at_what_no_law_looks_at_is_caught() {
    fn holds(pair: &Pair, text: &str) -> bool {
        let mut documents = pair.files.values().chain([&pair.bundle_a, &pair.bundle_b]);
        documents.any(|octets| octets.windows(text.len()).any(|window| window == text.as_bytes()))
    }
    let looks_at = |text: &'static str| {
        move |pair: &Pair| {
            let mut report = read(pair);
            if report["status"] == "DIVERGENT" && holds(pair, text) {
                rows(&mut report).pop();
                set_status(&mut report);
            }
            sealed(report)
        }
    };
    for text in [r#""message":"retold""#, r#""events":["retold""#, r#"{"contract_version":"replay_bundle/v1","#] {
        check_caught("what no law looks at changes the report", looks_at(text));
    }
    // The order of turns, decisions and issues: whichever stands first is overlooked.
    for list in ["turn_results", "decisions", "issues"] {
        check_caught("what no law looks at changes the report", move |pair: &Pair| {
            let first = first_of(pair, list);
            let mut report = read(pair);
            if report["status"] == "DIVERGENT" {
                rows(&mut report).retain(|row| match list {
                    "turn_results" => row["turn_id"] != first,
                    "decisions" => row["surface"] != "decision_record" || row["ordinal"] != first,
                    _ => row["surface"] != "issue" || row["path"] != first,
                });
                set_status(&mut report);
            }
            sealed(report)
        });
    }
}

/// The id of side A's first turn, or the ordinal of the first decision or the location of the first issue in its file.
fn first_of(pair: &Pair, list: &str) -> Value {
    let parse = |octets: &[u8]| serde_json::from_slice::<Value>(octets).unwrap_or_default();
    if list == "turn_results" {
        return parse(&pair.bundle_a)["turn_results"][0]["turn_id"].clone();
    }
    let turn = pair.files.get("a/t0.json").map(|octets| parse(octets)).unwrap_or_default();
    match list {
        "decisions" => turn["capabilities"]["decisions"][0]["ordinal"].clone(),
        _ => turn["issues"][0]["location"].clone(),
    }
}
