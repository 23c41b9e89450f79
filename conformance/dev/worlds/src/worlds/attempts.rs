//! All short lists of capability attempts: what is recorded of them, and what an audit finds in that.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Deny Precedence Law, A, Single-Emission Decision Record Law, and A, Correspondence
//! Law; ruling SV-25.

use std::{collections::BTreeMap, ops::Range};

use assize_oracle::{
    authority::OracleAnswer,
    sovereign::{Told, audit, record},
};
use assize_verifier::operation::{Answer, Output};
use serde_json::{Value, json};

use crate::{
    ask::{differ, value, verifier},
    search::{Facts, Tally, World},
    sequences::{self, Mixed},
};

/// Lists of attempts.
#[derive(Debug)]
pub(crate) struct Attempts;

const REGISTRY: &[u8] = include_bytes!("../../../../../contracts/sovereign/error-codes-v1.json");
const CONDITIONS: [&str; 3] = ["E_CAPABILITY_DENIED", "E_PERMISSION_DENIED", "E_SIDE_EFFECT_UNDECLARED"];
/// Every set of conditions, resolved or not, skipped or not, with a provenance or without.
const KINDS: usize = 8 * 2 * 2 * 2;

fn attempt(kind: usize) -> Value {
    let mut rest = Mixed(kind as u64);
    let conditions: Vec<_> = CONDITIONS.into_iter().filter(|_| rest.flag()).collect();
    let (resolved, skipped) = (!rest.flag(), rest.flag());
    let source = json!({"policy_source": "p", "policy_digest": "a".repeat(64), "rule_id": "r"});
    let provenance = if rest.flag() { Value::Null } else { source };
    json!({
        "tool_name": "fs", "action": "write", "conditions": conditions, "resolved": resolved, "skipped": skipped,
        "reason": if skipped { "policy_disabled".into() } else { Value::Null }, "provenance": provenance,
    })
}

impl World for Attempts {
    fn facts(&self) -> Facts {
        Facts {
            name: "attempts",
            alphabet: format!(
                "{KINDS}: each set of the three conditions, resolved or not, skipped or not, with a provenance or without"
            ),
            bounds: [1, 3],
        }
    }

    fn size(&self, bound: usize) -> u64 {
        sequences::count(KINDS, bound)
    }

    fn batch(&self) -> u64 {
        128
    }

    fn check(&self, _bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        for place in places {
            let attempts: Vec<_> = sequences::at(KINDS, place).into_iter().map(attempt).collect();
            tally.judge(place, judge(&Value::from(attempts).to_string())?);
        }
        Ok(())
    }
}

/// Whether a turn can be recorded. The outer error is the oracle's.
fn judge(attempts: &str) -> Result<Result<bool, String>, String> {
    let expected = record("run-1", "turn-0001", attempts.as_bytes()).map_err(|error| error.to_string())?;
    let args = [("run_id", "run-1".into()), ("turn_id", "turn-0001".into())];
    let found = verifier("sovereign.record", &args, &[("attempts", attempts.as_bytes())]);
    let wrong = || Ok(Err(differ("sovereign.record", attempts.as_bytes(), &expected, &found)));
    let turn = match (&expected, &found) {
        (OracleAnswer::Reject(codes), Answer::Reject { codes: found, .. }) if codes == found => return Ok(Ok(false)),
        (OracleAnswer::Accept(expected), Answer::Accept { out }) => match (expected.get("turn"), without_messages(out))
        {
            (Some(expected), Some(turn)) if *expected == turn => turn,
            _ => return wrong(),
        },
        _ => return wrong(),
    };
    let told = Told { attempts: Some(attempts.as_bytes()), registry: REGISTRY, profiles: &[] };
    let expected = audit(turn.as_bytes(), &told).map_err(|error| error.to_string())?;
    let found = verifier("sovereign.audit", &[], &[("turn", turn.as_bytes()), ("attempts", attempts.as_bytes())]);
    let same = match (&expected, &found) {
        (OracleAnswer::Accept(expected), Answer::Accept { out }) => settled(expected, value(out, "findings"))?,
        _ => false,
    };
    Ok(if same { Ok(true) } else { Err(differ("sovereign.audit", turn.as_bytes(), &expected, &found)) })
}

/// Whether the findings are the expected ones, but for those of which no ruling says whether they are due.
fn settled(expected: &BTreeMap<String, String>, found: Option<&Value>) -> Result<bool, String> {
    let read = |name: &str| -> Result<Vec<Value>, String> {
        let text = expected.get(name).map_or("[]", String::as_str);
        serde_json::from_str(text).map_err(|error| format!("{text}: {error}"))
    };
    let (open, wanted) = (read("open")?, read("findings")?);
    let is_settled = |finding: &&Value| {
        let place = [finding.get("pointer"), finding.get("law")];
        !open.iter().any(|pair| [pair.get(0), pair.get(1)] == place)
    };
    let found = found.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    Ok(found.iter().filter(is_settled).eq(wanted.iter().filter(is_settled)))
}

/// The recorded turn without the message and the contract version of its issues, which are nobody's business.
fn without_messages(out: &BTreeMap<String, Output>) -> Option<String> {
    let Some(Output::Doc(text)) = out.get("turn") else { return None };
    let mut turn: Value = serde_json::from_str(text).ok()?;
    for issue in turn.get_mut("issues")?.as_array_mut()?.iter_mut().filter_map(Value::as_object_mut) {
        issue.remove("message");
        issue.remove("contract_version");
    }
    Some(turn.to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_kind_is_another_attempt() {
        let all: BTreeSet<_> = (0..KINDS).map(|kind| attempt(kind).to_string()).collect();
        assert_eq!(all.len(), 64);
    }

    #[test]
    fn what_is_denied_is_recorded_and_what_nothing_allows_is_not() {
        assert_eq!(judge(&json!([attempt(1)]).to_string()), Ok(Ok(true)));
        let bare = json!([{"tool_name": "fs", "action": "write", "conditions": []}]).to_string();
        assert_eq!(judge(&bare), Ok(Ok(false)));
    }
}
