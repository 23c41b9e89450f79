//! Testees that declare less than they do, or less than anybody can use, so as not to be asked.

use serde_json::Value;

use super::source;
use crate::support::{PATIENT, Ran, run};

/// Certifies an honest writer of `rfc8785`, or one that writes the last digit of big integers wrongly, under a declaration.
fn declaring(writes: &str, capabilities: &str, form: &str) -> Ran {
    let (shims, bank) = (source("shims"), source("tests/wrong_testees"));
    let script = format!(
        r#"
import sys
sys.dont_write_bytecode = True
sys.path[:0] = [{shims:?}, {bank:?}]
from dataclasses import replace
from atp import serve
from honest_canonical import FRAMES, RFC8785

sys.setrecursionlimit(FRAMES)

def wrong(number):
    text = RFC8785.number(number)
    is_big = not number.is_float and "e" not in text and len(text) > 16
    return text[:-1] + "1" if is_big else text

rules = {{"honest": RFC8785, "wrong": replace(RFC8785, number=wrong)}}[{writes:?}]
serve("declares", "1", {{"canon.bytes": {{"profile": ["rfc8785"]}}}}, rules.answer, capabilities={capabilities})
"#
    );
    let asked = ["--filter", "canon/rfc8785", "--filter", "canon/i-json", "--filter", "json/grammar"];
    let order = ["certify", "--config", PATIENT, "--quick", "--format", form];
    run(&[&order[..], &asked, &["--", "python3", "-c", &script]].concat())
}

/// What became of the levels that it can hold at all.
fn levels(report: &Value) -> Vec<(&str, &str)> {
    let levels = report["result"]["levels"].as_array().unwrap().iter();
    let states = levels.map(|level| (level["name"].as_str().unwrap(), level["state"].as_str().unwrap()));
    states.filter(|(_, state)| *state != "undeclared").collect()
}

#[test]
fn a_limit_on_integers_hides_no_wrong_digits() {
    const LIMIT: &str = "{'max_integer': '9007199254740991'}";
    let report = declaring("wrong", LIMIT, "json").exits(1).json();
    assert_eq!(report["result"]["grade"], "violates");
    let failures = report["result"]["failures"].as_array().unwrap();
    assert!(!failures.is_empty() && failures.iter().all(|failure| failure["force"] == "spec"), "{failures:?}");
    assert!(levels(&report).contains(&("canonical-form-rfc8785", "violated")));
    // Behind the same limit an honest one is not to blame.
    declaring("honest", LIMIT, "json").exits(0);
}

#[test]
fn a_reader_that_is_declared_as_none_is_told_so_and_holds_no_level_of_readers() {
    let report = declaring("honest", "{'input': 'value'}", "json").exits(0).json();
    assert_eq!(levels(&report), [("canonical-form-rfc8785", "held"), ("json-reader", "incapable")]);
    let human = declaring("honest", "{'input': 'value'}", "human").exits(0);
    let first = human.text().lines().next().unwrap();
    assert!(first.starts_with("conforms strictly: 1 level, ") && first.ends_with(", declared input value"), "{first}");
}

#[test]
fn one_that_reads_next_to_nothing_holds_no_level() {
    let held = [("canonical-form-rfc8785", "held"), ("json-reader", "held")];
    let none = [("canonical-form-rfc8785", "incapable"), ("json-reader", "incapable")];
    for (depth, expected) in [(64, held), (1, none)] {
        let report = declaring("honest", &format!("{{'max_depth': {depth}}}"), "json").exits(0).json();
        assert_eq!(levels(&report), expected, "max_depth {depth}");
    }
}
