//! The reply operations, asked of both sides.
//!
//! Spec: Canonical Reply System Architecture (Final); rulings RE-25 to RE-43. What no ruling settles is told by the second source, and not
//! compared: laws that may be named at a place or not, the class or the blame of a finding, a refusal of input beside a judgement.

use std::collections::BTreeSet;

use assize_oracle::reply::answer;
use assize_verifier::operation::Answer;
use serde_json::{Map, Value};

use crate::ask::{differ, value, verifier};

/// Whether the document is lawful. The outer error is the oracle's.
pub(crate) fn judge(op: &str, name: &str, document: &[u8]) -> Result<Result<bool, String>, String> {
    let expected = answer(op, document).map_err(|error| error.to_string())?;
    let expected: Value = serde_json::from_str(&expected).map_err(|error| format!("{expected}: {error}"))?;
    let found = verifier(op, &[], &[(name, document)]);
    Ok(match compare(&expected, &found) {
        Ok(accepted) => Ok(accepted),
        Err(what) => Err(format!("{what}: {}", differ(op, document, &expected.to_string(), &found))),
    })
}

/// Whether both accept.
fn compare(expected: &Value, found: &Answer) -> Result<bool, &'static str> {
    let (accepted, codes, out) = match found {
        Answer::Accept { out } => (true, BTreeSet::new(), out),
        Answer::Reject { codes, out } => (false, codes.iter().map(String::as_str).collect(), out),
        Answer::Unsupported { .. } | Answer::Fault { .. } => return Err("no judgement"),
    };
    let wanted: BTreeSet<_> = texts(expected.get("codes")).collect();
    let refused = |codes: &BTreeSet<&str>| codes.iter().any(|code| code.starts_with("A_"));
    if refused(&wanted) || refused(&codes) {
        let may = expected.get("refusable") == Some(&true.into()) && codes.iter().eq(["A_INPUT"].iter());
        return if codes == wanted || may { Ok(false) } else { Err("the refusal of the input") };
    }
    let open: Vec<_> = expected.get("open").and_then(Value::as_array).into_iter().flatten().collect();
    let is_open = |finding: &Value| {
        open.iter().any(|pair| {
            let (law, place) = (pair.get(0), pair.get(1));
            place == finding.get("pointer") && (law == finding.get("law") || law == Some(&"*".into()))
        })
    };
    let wanted_out = expected.get("out").and_then(Value::as_object).cloned().unwrap_or_default();
    let all = |findings: Option<&Value>| findings.and_then(Value::as_array).cloned().unwrap_or_default();
    let (every, wanted) = (all(value(out, "findings")), all(wanted_out.get("findings")));
    if every.iter().filter_map(|finding| finding.get("law")?.as_str()).collect::<BTreeSet<_>>() != codes {
        return Err("a verdict other than the laws of the findings");
    }
    let settled = |findings: &[Value]| findings.iter().filter(|finding| !is_open(finding)).cloned().collect::<Vec<_>>();
    let (left, wanted_left) = (settled(&every), settled(&wanted));
    let is_trace = wanted_out.contains_key("first_illegal");
    // A trace ends where it is illegal, so that nothing is known of what stands after an open fault.
    if is_trace && !accepted && !every.is_empty() && left.is_empty() && !open.is_empty() {
        return Ok(false);
    }
    if left.len() != wanted_left.len() || !left.iter().zip(&wanted_left).all(|(give, want)| within(want, give)) {
        return Err("the findings");
    }
    match (expected.get("is") == Some(&"accept".into()), accepted) {
        (false, true) => return Err("the verdict"),
        // What is open may be unlawful, and nothing else is said of it then.
        (true, false) if !every.is_empty() && every.iter().all(is_open) => return Ok(false),
        (true, false) => return Err("the verdict"),
        _ => {}
    }
    let others = wanted_out.iter().filter(|(name, _)| !["findings", "advice", "told"].contains(&name.as_str()));
    for (name, want) in others {
        if value(out, name) != Some(want) {
            return Err("an output");
        }
    }
    Ok(accepted)
}

fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// Whether a finding has every member that is expected of it.
fn within(expected: &Value, found: &Value) -> bool {
    let empty = Map::new();
    let members = expected.as_object().unwrap_or(&empty);
    members.iter().all(|(name, want)| found.get(name) == Some(want))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use assize_verifier::operation::Output;
    use serde_json::json;

    use super::*;

    fn reject(law: &str, pointer: &str) -> Answer {
        let findings = json!([{"law": law, "class": "meaning", "pointer": pointer, "severity": "error", "code": null}]);
        Answer::Reject {
            codes: [law.to_owned()].into(),
            out: BTreeMap::from([("findings".to_owned(), Output::Value(findings))]),
        }
    }

    #[test]
    fn another_law_place_or_verdict_is_noticed() {
        let finding = json!({"law": "reply/code-shape", "class": "meaning", "pointer": "", "severity": "error"});
        let expected =
            json!({"is": "reject", "codes": ["reply/code-shape"], "out": {"findings": [finding]}, "open": []});
        assert_eq!(compare(&expected, &reject("reply/code-shape", "")), Ok(false));
        assert!(compare(&expected, &reject("reply/layer-closed", "")).is_err());
        assert!(compare(&expected, &reject("reply/code-shape", "/code")).is_err());
        assert!(compare(&expected, &Answer::accept([] as [(&str, Output); 0])).is_err());
        assert!(compare(&json!({"is": "accept", "out": {"advice": []}}), &reject("reply/code-shape", "")).is_err());
    }
}
