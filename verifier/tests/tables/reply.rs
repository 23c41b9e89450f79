//! `contracts/reply/tables`.

use std::collections::BTreeSet;

use assize_verifier::reply::{Action, Layer, ReplyType, action, code, envelope, tool_result, trace};
use serde_json::{Map, Value, json};

use super::{lists, rows, text, texts};

fn laws(found: &assize_verifier::reply::Judgement) -> BTreeSet<&'static str> {
    found.laws().iter().map(|law| law.slug()).collect()
}

#[test]
fn types_have_their_spellings_and_actions() {
    let types = rows("reply", "types");
    assert_eq!(ReplyType::ALL.map(ReplyType::letter).to_vec(), texts("reply", "types", "letter"));
    assert_eq!(ReplyType::ALL.map(ReplyType::name).to_vec(), texts("reply", "types", "name"));
    for (kind, row) in ReplyType::ALL.into_iter().zip(&types) {
        assert_eq!(kind.is_terminal(), row["terminal"], "{row}");
        let acted = action(json!({"reply_type": kind.letter(), "meta": {"trace_id": "t"}}).to_string().as_bytes());
        let acted = acted.expect("JSON");
        assert_eq!(acted.action.map(Action::name), row["action"].as_str(), "{row}");
        assert_eq!(acted.trace_id.is_some(), row["reports"], "{row}");
    }
}

#[test]
fn layers_give_their_types_and_no_others() {
    assert_eq!(Layer::ALL.map(Layer::name).to_vec(), texts("reply", "layers", "layer"));
    for row in rows("reply", "layers") {
        for kind in ReplyType::ALL {
            let (_, found) = code(format!("{}-RES-{}-001", text(&row, "layer"), kind.letter()).as_bytes());
            assert_eq!(found.is_lawful(), lists(&row, "types", kind.letter()), "{row} {kind:?}");
        }
    }
    assert!(laws(&code(b"XX-RES-S-001").1).contains("reply/layer-closed"));
}

#[test]
fn areas_are_known_and_forbidden_names_are_none() {
    for area in texts("reply", "areas", "area") {
        assert!(code(format!("WA-{area}-S-001").as_bytes()).1.is_lawful(), "{area}");
    }
    for row in rows("reply", "forbidden") {
        let name = text(&row, "name");
        match row["as"].as_str() {
            Some("area") => {
                let (_, found) = code(format!("WA-{name}-S-001").as_bytes());
                assert!(laws(&found).contains("reply/contract-area-gate"), "{name}");
            }
            Some("method") => {
                let steps =
                    json!({"steps": [{"op": "new", "b": 1}, {"op": "call", "b": 1, "method": name, "got": "raised"}]});
                let found = trace(steps.to_string().as_bytes()).expect("a trace");
                assert!(laws(&found.judgement).contains("reply/no-forbidden-methods"), "{name}");
            }
            Some("outcome") => {
                let found = envelope(json!({"status": name}).to_string().as_bytes()).expect("JSON");
                assert!(laws(&found).contains("reply/no-auxiliary-outcome"), "{name}");
            }
            other => panic!("{other:?}"),
        }
    }
}

/// A value of a kind, lawful where envelopes ask for more.
fn sample(kind: &Value) -> Value {
    match kind.as_str() {
        Some("string") => "S".into(),
        Some("number") => 1.into(),
        Some("object") => json!({}),
        _ => Value::Null,
    }
}

#[test]
fn envelopes_have_their_members() {
    let members = rows("reply", "envelope");
    let within = |name: Option<&str>| -> Map<String, Value> {
        let rows = members.iter().filter(|row| row["within"].as_str() == name && row["owed"] == true);
        rows.map(|row| (text(row, "member"), sample(&row["kinds"][0]))).collect()
    };
    let mut whole = within(None);
    for name in members.iter().filter_map(|row| row["within"].as_str()) {
        whole.insert(name.to_owned(), within(Some(name)).into());
    }
    let breaks = |envelope: &Value, place: &str| {
        let found = assize_verifier::reply::envelope(envelope.to_string().as_bytes()).expect("JSON");
        let here = |law: &str, at: &str| law == "reply/envelope-members" && at == place;
        found.findings.iter().any(|one| here(one.finding.law.slug(), one.finding.pointer.as_str()))
    };
    for row in &members {
        let parent = row["within"].as_str().map_or_else(String::new, |name| format!("/{name}"));
        let place = format!("{parent}/{}", text(row, "member"));
        let mut envelope = Value::Object(whole.clone());
        assert!(!breaks(&envelope, &place), "{row}");
        let holder = envelope.pointer_mut(&parent).expect("an object").as_object_mut().expect("an object");
        holder.remove(row["member"].as_str().expect("a name"));
        // Something is left, or all are missing at once.
        holder.insert("zz".to_owned(), Value::Null);
        assert_eq!(breaks(&envelope, &place), row["owed"], "{row}");
        let holder = envelope.pointer_mut(&parent).expect("an object").as_object_mut().expect("an object");
        holder.insert(text(row, "member"), json!([]));
        assert_eq!(breaks(&envelope, &place), row["agrees"] == false, "{row}");
    }
}

#[test]
fn revisions_have_what_their_rows_say() {
    for row in rows("reply", "mcp-revisions") {
        let result = json!({"content": [], "structuredContent": {"reply_type": "S"}, "isError": false});
        let asked = json!({"protocol_version": row["revision"], "tool": {"name": "t"}, "response": {"result": result}});
        let found = tool_result(asked.to_string().as_bytes()).expect("a known revision").judgement;
        let at = |place: &str| found.findings.iter().any(|one| one.finding.pointer.as_str() == place);
        assert_eq!(!at("/response/result/structuredContent"), row["structured_content"], "{row}");
        assert_eq!(at("/response/result/resultType"), row["result_type"], "{row}");
    }
    let unknown = r#"{"protocol_version": "1999-01-01", "tool": {"name": "t"}, "response": {}}"#;
    assert!(tool_result(unknown.as_bytes()).is_err());
}
