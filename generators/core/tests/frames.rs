//! What is no question, and what files become.

use std::collections::BTreeMap;

use assize_core::{Change, LIMITS, Limits, Output, Reply, answer, answer_within, replied};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

fn said(frame: impl AsRef<[u8]>) -> Value {
    serde_json::from_slice(&answer(frame.as_ref())).unwrap()
}

fn kind(frame: impl AsRef<[u8]>) -> String {
    let said = said(frame);
    assert_eq!(said["t"], "error", "{said}");
    assert!(!said["message"].as_str().unwrap().is_empty());
    said["kind"].as_str().unwrap().to_owned()
}

fn canonical(content: Value) -> Value {
    json!({"op": "canon.bytes", "args": {"profile": "rfc8785"}, "in": {"doc": content}})
}

#[test]
fn what_is_no_frame_is_an_error_and_no_judgement() {
    let frames: &[&[u8]] = &[
        b"",
        b"\n",
        b"null",
        b"{}",
        b"{\"op\":1}",
        b"{\"op\":\"canon.bytes\",\"args\":[]}",
        b"{\"op\":\"canon.bytes\",\"surplus\":1}",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{}}}",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"b64\":\"%\"}}}",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"at\":0,\"len\":1}}}",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"at\":0,\"len\":3}}}\n{}",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"at\":1,\"len\":18446744073709551615}}}\n{}",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"b64\":\"MQ==\",\"at\":0,\"len\":1}}}\n1",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"b64\":null,\"at\":0,\"len\":1}}}\n1",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"b64\":\"MQ==\",\"surplus\":1}}}",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"b64\":\"MQ==\",\"b64\":\"MQ==\"}}}",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"at\":0}}}\n1",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"kind\":\"directory\"}}}",
        b"{\"op\":\"episode.verify\",\"files\":{\"a\":{\"kind\":\"directory\",\"b64\":\"\"}}}",
        b"{\"op\":\"episode.verify\",\"files\":{\"a\":{\"to\":\"b\"}}}",
        b"{\"op\":\"episode.verify\",\"files\":{\"a\":{\"b64\":\"\",\"to\":null}}}",
        b"{\"op\":\"episode.verify\",\"files\":{\"a\":{\"kind\":\"directory\",\"to\":null}}}",
        b"{\"op\":\"episode.verify\",\"files\":{\"a\":{\"kind\":\"symlink\",\"to\":null}}}",
        b"{\"op\":\"canon.bytes\",\"in\":{\"doc\":{\"b64\":\"MQ==\",\"to\":null}}}",
        b"{\"op\":\"canon.bytes\",\"platform\":\"cp/m\"}",
        b"{\"op\":\"\xff\"}",
    ];
    for frame in frames {
        assert_eq!(kind(frame), "frame", "{}", String::from_utf8_lossy(frame));
    }
    for path in ["/a", "a/", "../a", "a//b", "a\0b", "."] {
        let frame = json!({"op": "episode.verify", "files": {path: {"b64": ""}}});
        assert_eq!(kind(frame.to_string()), "frame", "{path:?}");
    }
    let twice = json!({"op": "episode.verify", "files": {"a": {"b64": ""}, "a/b": {"b64": ""}}});
    assert_eq!(kind(twice.to_string()), "frame");
    let device = json!({"op": "episode.verify", "files": {"a": {"kind": "device"}}});
    assert_eq!(kind(device.to_string()), "frame");
    let long = "a/".repeat(2048);
    for (kind_of, to) in [("directory", "a"), ("symlink", ""), ("symlink", "a\0"), ("symlink", long.as_str())] {
        let frame = json!({"op": "episode.verify", "files": {"a": {"kind": kind_of, "to": to}}});
        assert_eq!(kind(frame.to_string()), "frame", "{kind_of} {to:?}");
    }
}

#[test]
fn size_and_depth_are_limits() {
    let limits = Limits { bytes: 100, depth: 3 };
    let within = |frame: &[u8]| -> Value { serde_json::from_slice(&answer_within(frame, &limits)).unwrap() };
    let document = |text: &str| {
        let line = canonical(json!({"at": 0, "len": text.len()})).to_string();
        assert!(line.len() < 90, "{line}");
        format!("{line}\n{text}")
    };
    assert_eq!(within(document("[[[0]]]").as_bytes())["is"], "accept");
    assert_eq!(within(document("[[[[]]]]").as_bytes())["kind"], "depth");
    assert_eq!(within(document("[\"[[[[\"]").as_bytes())["is"], "accept");
    assert_eq!(within(&[b' '; 101])["kind"], "size");
    let deep = format!("{{\"op\":\"canon.bytes\",\"args\":{}0{}}}", "{\"a\":".repeat(200), "}".repeat(200));
    assert_eq!(kind(deep), "depth");
    let one_past = "[".repeat(LIMITS.depth + 1);
    let deep = format!("{}\n{one_past}", canonical(json!({"at": 0, "len": one_past.len()})));
    assert_eq!(kind(deep), "depth");
}

/// A short frame must not ask for more memory than a long one: contents over one another, and folders without end.
#[test]
fn what_a_frame_asks_for_is_limited_as_the_frame_is() {
    let limits = Limits { bytes: 20_000, depth: 100 };
    let kind = |line: Value, behind: usize| {
        let frame = [line.to_string().as_bytes(), b"\n", " ".repeat(behind).as_bytes()].concat();
        assert!(frame.len() < limits.bytes);
        let said: Value = serde_json::from_slice(&answer_within(&frame, &limits)).unwrap();
        said["kind"].as_str().unwrap_or("none").to_owned()
    };
    let documents =
        |count: usize| (0..count).map(|n| (n.to_string(), json!({"at": 0, "len": 5_000}))).collect::<Value>();
    assert_eq!(kind(json!({"op": "canon.bytes", "in": documents(5)}), 5_000), "size");
    assert_ne!(kind(json!({"op": "canon.bytes", "in": documents(3)}), 5_000), "size");
    let folders = |deep: usize| json!({"op": "kernel.audit", "files": {"a/".repeat(deep) + "a": {"b64": ""}}});
    assert_eq!(kind(folders(1_000), 0), "size");
    assert_ne!(kind(folders(20), 0), "size");
}

#[test]
fn an_operation_that_is_not_known_is_unsupported() {
    assert_eq!(said(r#"{"op":"no.such"}"#), json!({"t": "unsupported", "feature": "no.such"}));
}

#[test]
fn bytes_come_in_the_line_or_behind_it() {
    let (inside, behind) = (canonical(json!({"b64": STANDARD.encode("[1.0]")})), canonical(json!({"at": 3, "len": 5})));
    let inside = said(inside.to_string());
    assert_eq!(inside["out"]["bytes"], STANDARD.encode("[1]"), "{inside}");
    assert_eq!(said(format!("{behind}\n...[1.0]...")), inside);
}

#[test]
fn who_links_the_core_is_told_of_which_kind_an_output_is() {
    let line = canonical(json!({"b64": STANDARD.encode("[1.0]")})).to_string();
    replied(line.as_bytes(), &LIMITS, |reply| {
        let Reply::Answer { is: "accept", out, files: None, .. } = reply else { panic!("{}", said(&line)) };
        let outputs: BTreeMap<_, _> = out.iter().collect();
        assert_eq!(outputs["bytes"], &Output::Bytes(b"[1]".to_vec()));
        assert!(matches!(outputs["sha256"], Output::Value(Value::String(_))));
    });
    let operations = r#"[{"op":"write_file","path":"c","text":"c"},{"op":"remove_path","path":"b"}]"#;
    let line = json!({
        "op": "kernel.scenario",
        "in": {"operations": {"b64": STANDARD.encode(operations)}},
        "files": {"b": {"b64": ""}},
    });
    replied(line.to_string().as_bytes(), &LIMITS, |reply| {
        let Reply::Answer { files: Some(changes), .. } = reply else { panic!("{}", said(line.to_string())) };
        assert!(matches!((&changes["b"], &changes["c"]), (Change::Gone, Change::File(b"c"))));
    });
}

/// The files that an answer changed, with their bytes as text.
fn changes(said: &Value) -> BTreeMap<String, Option<String>> {
    let text =
        |value: &Value| value["b64"].as_str().map(|b64| String::from_utf8(STANDARD.decode(b64).unwrap()).unwrap());
    let files = said["files"].as_object().into_iter().flatten();
    files.map(|(path, change)| (path.clone(), text(change))).collect()
}

#[test]
fn what_an_operation_writes_comes_back_and_nothing_else() {
    let scenario = |operations: Value| {
        let operations = operations.to_string();
        let line = json!({
            "op": "kernel.scenario",
            "in": {"operations": {"at": 0, "len": operations.len()}},
            "files": {"kept/a": {"b64": "YQ=="}, "doomed/b": {"b64": "Yg=="}, "hollow": {"kind": "directory"}},
        });
        said(format!("{line}\n{operations}"))
    };
    let written = scenario(json!([
        {"op": "write_file", "path": "new/c", "text": "c"},
        {"op": "remove_path", "path": "doomed"},
    ]));
    assert_eq!(written["is"], "accept", "{written}");
    let changed = changes(&written);
    assert_eq!(changed.get("new/c"), Some(&Some("c".to_owned())), "{changed:?}");
    assert_eq!(written["files"]["new"], json!({"kind": "directory"}));
    assert!(written["files"]["doomed"].is_null() && changed.contains_key("doomed/b"), "{changed:?}");
    assert!(!changed.contains_key("kept/a") && !changed.contains_key("hollow"), "{changed:?}");
    assert!(changes(&scenario(json!([]))).is_empty());
}
