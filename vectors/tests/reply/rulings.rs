//! Rulings RE-1 to RE-37 as tables: what goes in, and exactly which laws are named.

use assize_verifier::reply;
use serde_json::{Value, json};

use super::laws;

fn envelope(document: &Value, expected: &[&str]) {
    assert_eq!(laws(&reply::envelope(document.to_string().as_bytes()).unwrap()), expected, "{document}");
}

fn lawful(kind: &str) -> Value {
    let (status, code) = match kind {
        "S" => ("success", None),
        "I" => ("invalid", Some("WA-RES-I-001")),
        "D" => ("denied", Some("EN-WRITE-D-002")),
        _ => ("error", Some("MCP-SYS-E-001")),
    };
    let error = code.map(|code| json!({"code": code, "message": "m"}));
    json!({
        "status": status, "reply_type": kind, "data": {}, "meta": {"trace_id": "req-123", "duration_ms": 12},
        "error": error,
    })
}

/// A lawful envelope with one place changed; null at a place that is not a member removes it.
fn with(kind: &str, pointer: &str, value: Value) -> Value {
    let mut document = lawful(kind);
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    document.pointer_mut(parent).unwrap()[name] = value;
    document
}

fn without(kind: &str, pointer: &str) -> Value {
    let mut document = lawful(kind);
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    document.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(name);
    document
}

#[test]
fn every_cell_of_the_matrix() {
    let allowed = ["WA S", "WA I", "WA E", "EN S", "EN D", "EN E", "CT S", "CT I", "CT E", "MCP S", "MCP I", "MCP E"];
    for layer in ["WA", "EN", "CT", "MCP"] {
        for kind in ["S", "I", "D", "E"] {
            let (_, found) = reply::code(format!("{layer}-RES-{kind}-001").as_bytes());
            assert_eq!(found.is_lawful(), allowed.contains(&format!("{layer} {kind}").as_str()), "{layer} {kind}");
        }
    }
}

#[test]
fn codes() {
    for (text, expected) in [
        ("WA-RES-I-001", &[][..]),
        ("WA-RES-I-000", &[]),
        ("WA-RES-I-001\n", &["code-shape"]),
        ("DB-OPEN-X-001", &["area-registered", "contract-area-gate", "layer-closed", "type-closed"]),
        ("DB-RES-D-001", &["layer-closed"]),
        ("CT-OPEN-D-001", &["area-registered", "contract-area-gate", "layer-type-matrix"]),
        ("WA-GIT-I-001", &["area-registered"]),
    ] {
        assert_eq!(laws(&reply::code(text.as_bytes()).1), expected, "{text:?}");
    }
    let (code, found) = reply::code(b"MCP-SYS-E-000");
    assert_eq!((code.unwrap().number, found.advice.len()), (0, 1));
    assert_eq!(laws(&reply::code(b"WA-RES-I-\xff01").1), ["code-shape"]);
}

#[test]
fn members_of_an_envelope() {
    for kind in ["S", "I", "D", "E"] {
        envelope(&lawful(kind), &[]);
        for member in ["/status", "/reply_type", "/data", "/meta", "/meta/trace_id", "/meta/duration_ms", "/error"] {
            let found = reply::envelope(without(kind, member).to_string().as_bytes()).unwrap();
            let named: Vec<_> =
                found.findings.iter().map(|breach| (breach.finding.pointer.as_str(), breach.class.name())).collect();
            assert_eq!((laws(&found), named), (vec!["envelope-members"], vec![(member, "gap")]), "{kind} {member}");
        }
        for (member, ill) in [
            ("/status", json!(1)),
            ("/reply_type", json!(null)),
            ("/data", json!([])),
            ("/meta", json!([])),
            ("/meta", json!({})),
            ("/meta/trace_id", json!("")),
            ("/meta/trace_id", json!(7)),
            ("/meta/duration_ms", json!(-1)),
            ("/meta/duration_ms", json!(true)),
            ("/meta/duration_ms", json!("12")),
        ] {
            envelope(&with(kind, member, ill), &["envelope-members"]);
        }
        envelope(&with(kind, "/data", json!(null)), &[]);
        envelope(&with(kind, "/meta/duration_ms", json!(0.5)), &[]);
        envelope(&with(kind, "/more", json!(1)), &[]);
        envelope(&with(kind, "/partial", json!(false)), &["no-auxiliary-outcome"]);
        envelope(&with(kind, "/Warnings", json!([])), &[]);
    }
    envelope(&json!([]), &["envelope-members"]);
}

#[test]
fn status_and_error_against_the_type() {
    for (kind, status, expected) in [
        ("S", "Success", &["status-agrees"][..]),
        ("S", "error", &["status-agrees"]),
        ("S", "WARNING", &["no-auxiliary-outcome", "status-agrees"]),
        ("I", "success", &["status-agrees"]),
        ("I", "denied", &["status-agrees"]),
        ("I", "error", &[]),
        ("D", "error", &[]),
        ("D", "rejected", &[]),
        ("E", "invalid", &["status-agrees"]),
        ("E", "soft_error", &["no-auxiliary-outcome"]),
    ] {
        envelope(&with(kind, "/status", json!(status)), expected);
    }
    envelope(&with("S", "/error", json!({"code": "MCP-SYS-E-001"})), &["error-agrees"]);
    envelope(&with("E", "/error", json!(null)), &["error-agrees"]);
    envelope(&with("E", "/error", json!("boom")), &["error-agrees"]);
    envelope(&with("E", "/error", json!({})), &["error-agrees"]);
    envelope(&with("E", "/error/code", json!("WA-RES-I-001")), &["type-agrees"]);
    envelope(&with("I", "/error/code", json!("EN-RES-I-001")), &["layer-type-matrix"]);
    envelope(&with("S", "/reply_type", json!("s")), &["type-closed"]);
    envelope(&with("S", "/code", json!("WA-RES-S-001")), &[]);
    envelope(&with("S", "/code", json!("WA-RES-I-001")), &["type-agrees"]);
    envelope(&with("I", "/code", json!("WA-RES-I-001")), &[]);
    envelope(&with("I", "/code", json!("WA-RES-I-002")), &["type-agrees"]);
}

fn trace(steps: &Value, first: Option<usize>, expected: &[&str]) {
    let found = reply::trace(json!({ "steps": steps }).to_string().as_bytes()).unwrap();
    assert_eq!((laws(&found.judgement), found.first_illegal), (expected.to_vec(), first), "{steps}");
}

#[test]
fn states_and_events_of_the_builder() {
    let new = json!({"op": "new", "b": 1});
    let call = |method: &str, code: Option<&str>| json!({"op": "call", "b": 1, "method": method, "code": code, "got": "reply"});
    let (denied, success) = (call("denied", Some("EN-WRITE-D-001")), call("success", None));
    let back = |step: usize| json!({"op": "return", "of": step});
    let work = json!({"op": "work", "what": "log"});
    let throw = json!({"op": "throw", "kind": "ValueError"});
    let emit = |kind: &str, code: Option<&str>| json!({"op": "emit", "reply_type": kind, "code": code});
    trace(&json!([new, denied, back(1), emit("D", Some("EN-WRITE-D-001"))]), None, &[]);
    trace(&json!([new, success, success, denied, back(3)]), None, &[]);
    trace(&json!([new, success, back(1), emit("S", None)]), None, &[]);
    trace(&json!([new, denied, denied]), Some(2), &["terminal-freeze", "terminal-return"]);
    trace(&json!([new, denied, back(1), success]), Some(3), &["terminal-freeze"]);
    trace(&json!([new, success, back(1), success]), Some(3), &["one-outcome"]);
    trace(&json!([new, denied, work]), Some(2), &["terminal-return"]);
    trace(&json!([new, denied, new]), Some(2), &["single-builder", "terminal-return"]);
    trace(&json!([new, new]), Some(1), &["single-builder"]);
    trace(&json!([new, denied]), Some(2), &["one-outcome", "terminal-return"]);
    trace(&json!([new, denied, throw]), Some(2), &["terminal-return"]);
    trace(&json!([new, denied, emit("D", None)]), Some(2), &["one-outcome", "terminal-return"]);
    trace(
        &json!([new, denied, call("warn", None)]),
        Some(2),
        &["no-forbidden-methods", "terminal-freeze", "terminal-return"],
    );
    trace(&json!([new, call("invalid", Some("WA-RES-E-001"))]), Some(1), &["type-agrees"]);
    trace(&json!([new, call("invalid", None)]), Some(1), &["builder-api"]);
    trace(&json!([success]), Some(0), &["single-builder"]);
    trace(&json!([{"op": "direct", "reply_type": "S", "code": "WA-RES-S-001"}]), Some(0), &["single-builder"]);
    trace(&json!([{"op": "return", "raw": "dict"}]), Some(0), &["no-raw-return"]);
    trace(&json!([{"op": "return", "callee": {"reply_type": "S", "code": null}}]), Some(0), &["reply-shape"]);
    trace(&json!([throw, emit("I", None)]), Some(1), &["crash-is-error"]);
    trace(&json!([throw, emit("E", Some("MCP-SYS-E-001"))]), None, &[]);
    trace(&json!([new, success, back(1), emit("E", Some("MCP-SYS-E-001"))]), Some(3), &["wrapper-pure"]);
    trace(&json!([throw, throw]), Some(1), &["one-outcome"]);
    trace(&json!([]), Some(0), &["one-outcome"]);
}

/// JSON spells zero in two ways, and an integer is compared by its value.
#[test]
fn minus_zero_is_zero() {
    let steps =
        r#"{"steps": [{"op": "call", "b": 0, "method": "success", "got": "reply"}, {"op": "return", "of": -0}]}"#;
    let made = steps.replace("[{", r#"[{"op": "new", "b": -0}, {"#).replace("-0}]", "1}]");
    assert!(reply::trace(made.as_bytes()).unwrap().judgement.is_lawful());
    assert_eq!(reply::trace(steps.as_bytes()).unwrap().first_illegal, Some(0), "the builder was never made");
    let row = r#"{"registries": [{"active": [{"code": "WA-RES-I-000", "number": -0}]}]}"#;
    assert!(reply::registry(row.as_bytes()).unwrap().is_lawful());
}

#[test]
fn blame_in_a_trace() {
    let blamed = |steps: Value| -> Vec<&'static str> {
        let found = reply::trace(json!({ "steps": steps }).to_string().as_bytes()).unwrap();
        found.judgement.findings[0].blame.iter().map(|party| party.name()).collect()
    };
    let again = |got: &str| {
        blamed(json!([
            {"op": "new", "b": 1},
            {"op": "call", "b": 1, "method": "error", "code": "MCP-SYS-E-001", "got": "reply"},
            {"op": "call", "b": 1, "method": "success", "got": got},
        ]))
    };
    assert_eq!(again("raised"), ["tool"]);
    assert_eq!(again("reply"), ["tool", "builder"]);
    assert_eq!(blamed(json!([{"op": "emit", "reply_type": "S"}])), ["wrapper"]);
}

fn registry(document: &Value, expected: &[&str]) {
    assert_eq!(laws(&reply::registry(document.to_string().as_bytes()).unwrap()), expected, "{document}");
}

fn active(codes: &[&str]) -> Value {
    codes.iter().map(|code| json!({"code": code, "message_key": code})).collect()
}

#[test]
fn registries() {
    let one = |member: &str, value: Value| {
        let mut one = json!({"active": active(&["WA-RES-I-001", "WA-RES-E-001"])});
        one[member] = value;
        json!({ "registries": [one] })
    };
    registry(&one("name", json!("r")), &[]);
    registry(&one("active", active(&["WA-RES-I-001", "WA-RES-I-001"])), &["code-unique"]);
    registry(&one("active", active(&["WA-RES-I-001", "wa-res-i-001"])), &["code-shape"]);
    registry(&one("active", active(&["DB-RES-I-001"])), &["layer-closed", "legacy-retired"]);
    registry(&one("active", active(&["DB-ERR-001"])), &["code-shape", "legacy-retired"]);
    registry(&one("retired", json!(["WA-RES-E-001"])), &["code-never-reused"]);
    registry(&one("retired", json!(["DB-ERR-001"])), &[]);
    registry(&one("areas", json!([{"area": "GIT"}])), &["area-registered"]);
    registry(&one("areas", json!([{"area": "GIT", "document": "d"}])), &[]);
    registry(&one("areas", json!([{"area": "OPEN", "document": "d"}])), &["contract-area-gate"]);
    registry(&one("aliases", json!({"DB-ERR-001": "WA-RES-I-001"})), &["legacy-retired"]);
    registry(&one("aliases", json!({"WA-RES-I-009": "WA-RES-I-001"})), &[]);
    registry(&one("aliases", json!({"WA-RES-I-009": "WA-RES-I-008"})), &["code-registered"]);
    for (member, value, expected) in [
        ("layer", json!("EN"), &["axes-distinct"][..]),
        ("number", json!(2), &["axes-distinct"]),
        ("number", json!(1), &[]),
        ("type", json!("E"), &["type-agrees"]),
        ("type", json!("I"), &[]),
    ] {
        let mut row = json!({"code": "WA-RES-I-001", "message_key": "k"});
        row[member] = value;
        registry(&one("active", json!([row])), expected);
    }
    let beside = |member: &str, value: Value| {
        let mut document = one("areas", json!([{"area": "GIT", "document": "d"}]));
        document[member] = value;
        document
    };
    registry(&beside("tools", json!(["ck3_git"])), &["area-not-tool-name"]);
    registry(&beside("tools", json!(["Git"])), &["area-not-tool-name"]);
    registry(&beside("tools", json!(["git_status"])), &[]);
    registry(&beside("used", json!(["WA-RES-I-001"])), &[]);
    registry(&beside("used", json!(["WA-RES-I-002"])), &["code-registered"]);
    registry(&beside("used", json!(["DB-OPEN-E-001"])), &["code-registered", "legacy-retired"]);
    registry(&beside("used", json!(["DB-ERR-001"])), &["code-registered", "code-shape", "legacy-retired"]);
    let two = json!({"registries": [{"active": []}, {"active": []}]});
    registry(&two, &["single-registry"]);
}

#[test]
fn reuse_over_revisions() {
    let (a, b) = ("WA-RES-I-001", "WA-RES-I-002");
    let found = |earlier: Value, codes: Value| -> Vec<String> {
        let rows: Vec<_> =
            codes.as_object().unwrap().iter().map(|(code, key)| json!({"code": code, "message_key": key})).collect();
        let document = json!({"registries": [{"active": rows}], "earlier": earlier});
        let found = reply::registry(document.to_string().as_bytes()).unwrap();
        assert!(laws(&found).iter().all(|law| *law == "code-never-reused"));
        found.findings.iter().map(|breach| breach.finding.pointer.as_str().to_owned()).collect()
    };
    let none: [&str; 0] = [];
    assert_eq!(found(json!([{"codes": {a: "x"}}]), json!({a: "x"})), none);
    assert_eq!(found(json!([{"codes": {a: "x"}}]), json!({a: "y"})), ["/registries/0/active/0"]);
    assert_eq!(
        found(json!([{"codes": {a: "x"}}, {"codes": {a: "y"}}]), json!({a: "y"})),
        [format!("/earlier/1/codes/{a}")]
    );
    assert_eq!(
        found(json!([{"codes": {a: "x"}}, {"codes": {b: "x"}}]), json!({a: "x", b: "x"})),
        ["/registries/0/active/0"]
    );
    assert_eq!(
        found(json!([{"codes": {}, "retired": [a]}, {"codes": {}}]), json!({a: "x"})),
        ["/registries/0/active/0"]
    );
    let back = json!([{"codes": {a: "x"}}, {"codes": {}}, {"codes": {a: "x"}}]);
    assert_eq!(found(back, json!({a: "z"})), [format!("/earlier/2/codes/{a}"), "/registries/0/active/0".to_owned()]);
    assert_eq!(found(json!([{"codes": {"lower": "x"}}]), json!({a: "x"})), none);
}

#[test]
fn call_sites() {
    let registry =
        json!({"registries": [{"active": active(&["WA-RES-I-001", "WA-RES-S-001"]), "retired": ["WA-RES-E-001"]}]});
    let site = |receiver: Option<&str>, method: Option<&str>, code: Option<&str>, returned: bool, expected: &[&str]| {
        let site = json!({"file": "a.py", "line": 3, "receiver": receiver, "method": method, "code": code, "returned": returned});
        let document = json!({"call_sites": [site], "registry": registry});
        assert_eq!(laws(&reply::source(document.to_string().as_bytes()).unwrap()), expected, "{document}");
    };
    site(Some("rb"), Some("invalid"), Some("WA-RES-I-001"), true, &[]);
    site(Some("rb"), Some("success"), None, false, &[]);
    site(Some("rb"), Some("invalid"), Some("WA-RES-I-001"), false, &["terminal-return"]);
    site(Some("rb"), Some("error"), Some("WA-RES-I-001"), true, &["type-agrees"]);
    site(Some("rb"), Some("error"), Some("WA-RES-E-001"), true, &["code-registered"]);
    site(Some("rb"), Some("error"), None, true, &["builder-api"]);
    site(Some("rb"), Some("warn"), None, false, &["no-forbidden-methods"]);
    site(Some("rb"), Some("make"), None, false, &["builder-api"]);
    site(Some("Reply"), None, Some("WA-RES-S-001"), true, &["single-builder"]);
    site(None, None, None, true, &["no-raw-return"]);
}

#[test]
fn tool_results() {
    let ask = |version: &str, result: Value, expected: &[&str], skips: bool| {
        let document = json!({"protocol_version": version, "tool": {"name": "t"}, "response": {"jsonrpc": "2.0", "id": 1, "result": result}});
        let found = reply::tool_result(document.to_string().as_bytes()).unwrap();
        assert_eq!((laws(&found.judgement), found.skip.is_some()), (expected.to_vec(), skips), "{document}");
    };
    let text = |value: &Value| json!([{"type": "text", "text": value.to_string()}]);
    let (s, e) = (lawful("S"), lawful("E"));
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        ask(version, json!({"content": text(&s)}), &[], false);
        ask(version, json!({"content": text(&e), "isError": true}), &[], false);
        ask(version, json!({"content": text(&e)}), &["flag-agrees"], false);
        ask(version, json!({"content": []}), &["envelope-carried"], false);
        ask(version, json!({"isError": "no", "content": text(&s)}), &["result-sound"], false);
        ask(version, json!({}), &["result-sound"], false);
        let newer = version >= "2025-06-18";
        let expected: &[&str] = if newer { &[] } else { &["envelope-carried"] };
        ask(version, json!({"content": text(&s), "structuredContent": s}), expected, false);
    }
    let version = "2025-11-25";
    ask(version, json!({"structuredContent": s}), &["content-present"], false);
    ask(version, json!({"structuredContent": {"result": s}, "content": []}), &[], false);
    ask(
        version,
        json!({"structuredContent": s, "content": text(&with("S", "/data", json!({"a": 1})))}),
        &["envelope-carried"],
        false,
    );
    ask(version, json!({"structuredContent": {"a": 1}, "content": text(&s)}), &["envelope-carried"], false);
    let twice: Vec<_> = [text(&s), text(&s)].iter().flat_map(|one| one.as_array().unwrap().clone()).collect();
    ask(version, json!({"content": twice}), &["envelope-carried"], false);
    ask("2026-07-28", json!({"content": text(&s)}), &["result-sound"], false);
    ask("2026-07-28", json!({"content": text(&s), "resultType": "complete"}), &[], false);
    ask("2026-07-28", json!({"resultType": "input_required"}), &[], true);
}

#[test]
fn protocol_errors_and_output_schemas() {
    let ask = |tool: Value, response: Value| {
        let document = json!({"protocol_version": "2025-11-25", "tool": tool, "response": response});
        let found = reply::tool_result(document.to_string().as_bytes()).unwrap();
        (laws(&found.judgement), found.skip.is_some())
    };
    let error = json!({"error": {"code": -32602, "message": "unknown tool"}});
    assert_eq!(ask(json!({"name": "t"}), error.clone()), (vec!["no-protocol-error"], false));
    assert_eq!(ask(json!({"name": "t", "listed": false}), error.clone()), (vec![], true));
    assert_eq!(ask(json!({"name": "t", "arguments_valid": false}), error.clone()), (vec![], true));
    assert_eq!(ask(json!({"name": "t"}), json!({"error": {}, "result": {}})), (vec!["result-sound"], false));
    let refused = json!({"result": {"content": [{"type": "text", "text": "bad input"}], "isError": true}});
    assert_eq!(ask(json!({"name": "t", "arguments_valid": false}), refused.clone()), (vec![], true));
    assert_eq!(ask(json!({"name": "t"}), refused), (vec!["envelope-carried"], false));
    let result = json!({"result": {"content": [], "structuredContent": lawful("S")}});
    let declared = |schema: Value| ask(json!({"name": "t", "outputSchema": schema}), result.clone()).0;
    assert_eq!(declared(json!({"type": "object"})), [""; 0]);
    let error = json!({"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Error"}]});
    let defs = json!({"Error": {"type": "object", "required": ["code"]}});
    assert_eq!(declared(json!({"type": "object", "properties": {"error": error}, "$defs": defs})), [""; 0]);
    for schema in [
        json!({"type": "object", "required": ["rows"]}),
        json!({"type": "object", "properties": {"error": {"type": "null"}}}),
        json!({"type": "array"}),
        json!({"$ref": "#"}),
        json!({"type": "object", "pattern": 7}),
        json!([]),
    ] {
        assert_eq!(declared(schema.clone()), ["schema-covers-envelope"], "{schema}");
    }
}
