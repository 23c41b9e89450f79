//! Wrong testees run by a suite: the suite must fail exactly the cases that the harness fails.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};

use super::{
    Outcomes,
    project::{EVERYTHING, FAIL_ON, Project, outcomes},
    repository,
    shell::words,
};
use crate::wrong_testees::bank::{self, Owed};

/// Testees of the bank whose fault is a judgement: canonical forms, and comparisons in both modes. The first is honest.
const BANK: [&str; 11] = [
    "honest-canonical",
    "sovereign-utf16-order",
    "sovereign-negative-zero",
    "sovereign-repeats-last-wins",
    "episode-code-point-order",
    "episode-unsafe-integers-rounded",
    "authority-ecmascript-layout",
    "authority-repeats-refused",
    "issues-as-a-set",
    "messages-compared",
    "paths-as-listed",
];

/// What fails a case, and the weights that do.
const THRESHOLDS: [(&str, &[&str]); 3] =
    [("spec", &["spec"]), ("ruling", &["spec", "ruling"]), ("remark", &["spec", "ruling", "interface"])];

/// What the honest one is asked.
const SHARED: [&str; 3] = ["canon/sovereign", "canon/episode", "canon/authority"];

/// Runs each of them through the adapter and compares every outcome over the laws that its fault breaks; `scratch` belongs to
/// this language alone.
pub(crate) fn compare(project: &Project, variable: &str, scratch: &Path) {
    let listed = bank::listed();
    let laws = |name: &str| match listed.iter().find(|testee| testee.name == name).unwrap().owed().unwrap() {
        Owed::Laws(laws) => laws,
        Owed::Conforms => SHARED.map(str::to_owned).to_vec(),
        owed => panic!("{name} is caught by {owed:?}, which no suite sees"),
    };
    project.build();
    let bank = repository("conformance/tests/wrong_testees/bank.py");
    let mut killed = 0;
    for name in BANK {
        let laws = laws(name);
        let laws: Vec<&str> = laws.iter().map(String::as_str).collect();
        let command = words(["python3", bank.to_str().unwrap(), name]);
        let harness = judged_by_harness(project, &laws, &command, &scratch.join(format!("{name}.json")));
        let written = scratch.join(format!("{name}.outcomes"));
        let environment =
            [(variable, json!(command).to_string()), ("ASSIZE_OUTCOMES", written.to_str().unwrap().to_owned())];
        let environment: Vec<(&str, &str)> =
            environment.iter().map(|(name, value)| (*name, value.as_str())).chain(EVERYTHING).collect();
        let ran = project.laws(&laws, &environment);
        let suite: Outcomes = fs::read_to_string(&written)
            .unwrap_or_else(|error| panic!("{name}: no outcomes were written, {error}:\n{}", ran.end()))
            .lines()
            .map(|line| line.split_once('\t').map(|(id, outcome)| (id.to_owned(), outcome.to_owned())).unwrap())
            .collect();
        let differing: BTreeMap<&String, (Option<&String>, Option<&String>)> = harness
            .iter()
            .map(|(id, outcome)| (id, (Some(outcome), suite.get(id))))
            .chain(suite.iter().map(|(id, outcome)| (id, (harness.get(id), Some(outcome)))))
            .filter(|(_, (harness, suite))| harness != suite)
            .collect();
        assert!(differing.is_empty(), "{name}: harness and suite part: {differing:?}");
        // An outcome names its weight, so that what is equal is equal whatever counts.
        let failing = THRESHOLDS.map(|(threshold, weights)| {
            let counts = |outcome: &&String| match outcome.split_once('\t') {
                Some((_, weight)) => weights.contains(&weight),
                None => *outcome != "PASS",
            };
            (threshold, suite.values().filter(counts).count())
        });
        let [(_, spec), .., (_, all)] = failing;
        assert_eq!(ran.passed, all == 0, "{name}: {}", ran.end());
        if spec == 0 && all > 0 {
            let lenient = project.laws(&laws, &[environment[0], (FAIL_ON, "spec")]);
            assert!(lenient.passed, "{name}: {}", lenient.end());
        }
        let failing = failing.map(|(threshold, count)| format!("{count} by {threshold}")).join(", ");
        project.shell.say(&format!("{name}: {failing}, of {} cases, in suite and harness", suite.len()));
        killed += usize::from(all > 0);
    }
    assert_eq!(killed, BANK.len() - 1, "all but the honest one are caught");
}

fn judged_by_harness(project: &Project, laws: &[&str], command: &[String], report: &Path) -> Outcomes {
    let patient = repository("conformance/tests/support/patient.toml");
    let mut argv = words([env!("CARGO_BIN_EXE_assize"), "certify", "--quick", "--report", report.to_str().unwrap()]);
    argv.extend(words(["--config", patient.to_str().unwrap()]));
    argv.extend(laws.iter().flat_map(|law| words(["--filter", law])));
    argv.push("--".to_owned());
    argv.extend_from_slice(command);
    project.shell.run(&project.place, &argv, &[]);
    let report: Value = serde_json::from_slice(&fs::read(report).unwrap()).unwrap();
    let mut outcomes = outcomes(&report);
    outcomes.retain(|_, outcome| outcome != "NOT-APPLICABLE");
    outcomes
}
