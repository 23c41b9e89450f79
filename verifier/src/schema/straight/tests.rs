#![allow(clippy::string_slice, reason = "texts of these tests are cut where they are ASCII")]

use super::*;
use crate::contracts::{DECISION_RECORD_SCHEMA, KERNEL_ISSUE_SCHEMA, REPLAY_BUNDLE_SCHEMA, TURN_RESULT_SCHEMA};
use crate::json::{Dialect, Document};
use crate::schema::Schema;

const SHARED: [&str; 3] = [DECISION_RECORD_SCHEMA, TURN_RESULT_SCHEMA, KERNEL_ISSUE_SCHEMA];

fn passes(checks: &Straight, text: &str) -> bool {
    let mut reader = Reader::new(text.as_bytes(), &Dialect::STRICT).expect("UTF-8");
    checks.passes(&mut reader, &mut Order::default()) && reader.finish().is_ok()
}

/// Records of each outcome, as a writer would write them.
fn records() -> Vec<String> {
    let digest = "0123456789abcdef".repeat(4);
    let provenance = format!(r#"{{"policy_source":"","policy_digest":"{digest}","rule_id":"r"}}"#);
    let filled = [
        ("allowed", "null", "null", "null", provenance.as_str()),
        ("denied", "\"E_CAPABILITY_DENIED\"", "null", "null", "null"),
        ("skipped", "null", "\"I_CAPABILITY_SKIPPED\"", "null", "null"),
        ("skipped", "null", "\"I_CAPABILITY_SKIPPED\"", "\"module_missing\"", "null"),
        ("unresolved", "\"E_CAPABILITY_NOT_RESOLVED\"", "null", "null", "null"),
    ];
    let record = |(outcome, deny, info, reason, provenance)| {
        format!(
            r#"{{"contract_version":"kernel_api/v1","decision_id":"{digest}","run_id":"r","turn_id":"t\n","tool_name":"","action":"\u00e4","ordinal":0,"stage":"capability","outcome":"{outcome}","deny_code":{deny},"info_code":{info},"reason":{reason},"provenance":{provenance}}}"#
        )
    };
    filled.map(record).into()
}

const BUNDLE: &str = r#"{"contract_version":"replay_bundle/v1","run_envelope":{"run_id":"r","workflow_id":"w"},"registry_digest":"DIGEST","digests":{"policy_digest":"DIGEST","runtime_profile_digest":"DIGEST","contract_registry_snapshot_digest":"DIGEST"},"turn_results":[{"turn_id":"t","turn_result_digest":"DIGEST","paths":["a","b"]},{"paths":["a"],"turn_id":"u","turn_result_digest":"DIGEST"}]}"#;

fn bundle() -> String {
    BUNDLE.replace("DIGEST", &"0123456789abcdef".repeat(4))
}

#[test]
fn what_is_lawful_passes() {
    let checks = Straight::compile(DECISION_RECORD_SCHEMA, &SHARED).expect("a schema that is understood");
    for record in records() {
        assert!(passes(&checks, &record), "{record}");
    }
    let checks = Straight::compile(REPLAY_BUNDLE_SCHEMA, &SHARED).expect("a schema that is understood");
    assert!(passes(&checks, &bundle()));
}

/// Every text that differs from a lawful one in one token passes only if the validator finds no breach in it.
#[test]
fn what_passes_breaks_nothing() {
    let digest = "0123456789abcdef".repeat(4);
    let others = [
        "null",
        "true",
        "false",
        "0",
        "1",
        "-1",
        "-0",
        "1.0",
        "1e2",
        "\"\"",
        "\"E_X\"",
        "\"I_X\"",
        "\"E_x\"",
        "[]",
        "{}",
        "[\"a\"]",
        "[0]",
        "\"\\ud800\"",
        "\"allowed\"",
        "\"denied\"",
        "\"skipped\"",
        "\"unresolved\"",
        "\"policy_disabled\"",
        "\"kernel_api/v1\"",
        "\"kernel_api\\/v1\"",
        "\"I_CAPABILITY_SKIPPED\"",
        "\"E_CAPABILITY_NOT_RESOLVED\"",
        "\"x\"",
        "\"run_id\"",
        "\"paths\"",
        "18446744073709551616",
        "\"E_\\u0058\"",
    ];
    let mut judged = (0, 0);
    for (schema, texts) in [(DECISION_RECORD_SCHEMA, records()), (REPLAY_BUNDLE_SCHEMA, vec![bundle()])] {
        let (checks, exact) =
            (Straight::compile(schema, &SHARED).expect("understood"), Schema::compile(schema, &SHARED));
        for text in texts {
            for (start, end) in tokens(&text) {
                let with = |other: &str| format!("{}{other}{}", &text[..start], &text[end..]);
                let near = text[start..end].replace(&digest, &digest[1..]);
                let far = text[start..end].replace(&digest, &digest.replace('f', "F"));
                for changed in others.iter().map(|other| with(other)).chain([with(&near), with(&far)]) {
                    let Ok(document) = Document::parse(changed.as_bytes(), &Dialect::STRICT) else { continue };
                    let lawful = exact.breaches(document.root()).is_empty();
                    judged.0 += usize::from(lawful);
                    judged.1 += usize::from(!lawful);
                    assert!(lawful || !passes(&checks, &changed), "{changed}");
                }
            }
        }
    }
    assert!(judged.0 > 300 && judged.1 > 2_000, "{judged:?}");
}

/// Whatever is missing, doubled or added between two commas.
#[test]
fn members_come_once_and_all_of_them() {
    let checks = Straight::compile(DECISION_RECORD_SCHEMA, &SHARED).expect("understood");
    let record = &records()[0];
    let inside = &record[1..record.len() - 1];
    let members: Vec<&str> = inside.split_inclusive(',').collect();
    assert!(members.len() > 13);
    for doubled in ["\"reason\":null", "\"ordinal\":0", "\"x\":0", "\"reaso\\u006e\":null"] {
        assert!(!passes(&checks, &format!("{{{inside},{doubled}}}")), "{doubled}");
    }
    for name in ["contract_version", "decision_id", "run_id", "ordinal", "outcome", "deny_code", "info_code", "reason"]
    {
        let start = record.find(&format!("\"{name}\"")).expect("a member");
        let end = start + record[start..].find(',').expect("not the last") + 1;
        assert!(!passes(&checks, &format!("{}{}", &record[..start], &record[end..])), "{name}");
    }
}

/// Scalars and names of a text without white space.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest.as_bytes()[0] {
            b'{' | b'}' | b'[' | b']' | b',' | b':' => {
                at += 1;
                continue;
            }
            b'"' => rest[1..].find('"').expect("a closing quote") + 2,
            _ => rest.find([',', '}', ']']).expect("an end"),
        };
        found.push((at, at + length));
        at += length;
    }
    found
}

#[test]
fn members_may_come_in_any_order_and_are_found_again() {
    let checks = Straight::compile(REPLAY_BUNDLE_SCHEMA, &SHARED).expect("understood");
    let mut order = Order::default();
    let text = bundle();
    for _ in 0..2 {
        let mut reader = Reader::new(text.as_bytes(), &Dialect::STRICT).expect("UTF-8");
        let passed = checks.object(&mut reader, &mut order).expect("lawful");
        assert!(
            matches!(passed.scalar("contract_version"), Some(Scalar::String(string)) if string.decode() == "replay_bundle/v1")
        );
        assert!(passed.scalar("digests").is_none() && passed.scalar("x").is_none());
    }
}

#[test]
fn what_is_not_understood_has_no_checks() {
    let understood = |schema: &str| Straight::compile(schema, &SHARED).is_some();
    let base = r#""$id":"https://orket.dev/os/contracts/x.schema.json","type":"object""#;
    assert!(understood(&format!(
        r#"{{{base},"additionalProperties":false,"properties":{{"a":{{"type":"string"}}}}}}"#
    )));
    for more in [
        r#""properties":{"a":{}}"#,
        r#""additionalProperties":true,"properties":{"a":{}}"#,
        r#""additionalProperties":false"#,
        r#""required":["a"]"#,
        r#""additionalProperties":false,"properties":{"a":{}},"required":["b"]"#,
        r#""additionalProperties":false,"properties":{"a":{"maximum":1}}"#,
        r#""additionalProperties":false,"properties":{"a":{"minimum":1}}"#,
        r#""additionalProperties":false,"properties":{"a":{"const":1}}"#,
        r#""additionalProperties":false,"properties":{"a":{"enum":[[]]}}"#,
        r#""additionalProperties":false,"properties":{"a":{"const":"x","enum":["y"]}}"#,
        r#""additionalProperties":false,"properties":{"a":{"pattern":"x"}}"#,
        r#""additionalProperties":false,"properties":{"a":{"type":"dinner"}}"#,
        r#""additionalProperties":false,"properties":{"a":{"$ref":"nowhere.json"}}"#,
        r#""additionalProperties":false,"properties":{"a":{"$ref":"turn-result.schema.json#/$defs/StructuralDigest","minLength":1}}"#,
        r#""additionalProperties":false,"properties":{"a":{"$ref":"kernel-issue.schema.json"}}"#,
        r#""additionalProperties":false,"properties":{"a":true}"#,
        r#""additionalProperties":false,"properties":{"a":{}},"allOf":[{"required":["a"]}]"#,
        r#""additionalProperties":false,"properties":{"a":{}},"allOf":[{"if":{"properties":{"a":{"const":1}}},"then":{"properties":{}}}]"#,
        r#""additionalProperties":false,"properties":{"a":{}},"allOf":[{"if":{"properties":{"b":{}}},"then":{"properties":{}}}]"#,
        r#""additionalProperties":false,"properties":{"a":{}},"allOf":[{"if":{"properties":{}},"then":{"properties":{}},"else":{"properties":{}}}]"#,
        r#""anyOf":[]"#,
    ] {
        assert!(!understood(&format!("{{{base},{more}}}")), "{more}");
    }
    let names: Vec<String> = (0..17).map(|number| format!("\"m{number}\":{{}}")).collect();
    assert!(!understood(&format!(r#"{{{base},"additionalProperties":false,"properties":{{{}}}}}"#, names.join(","))));
}
