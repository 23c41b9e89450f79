//! Servers that would hang, flood or fool whoever looks at them.

use std::{cell::Cell, rc::Rc};

use assize_probe::{Event, Options, Plan, Report, probe, report::Verdict, rules::Force};
use serde_json::{Value, json};

use crate::support::{Servers, Take, fixtures, nothing, probed};

/// A server that shakes hands, and then answers as a function says.
fn server(answer: impl Fn(&Value) -> Vec<Value> + Clone + 'static) -> Servers {
    Servers(Box::new(move || {
        let answer = answer.clone();
        let take: Take = Box::new(move |line| {
            let Ok(request) = serde_json::from_slice::<Value>(line) else { return Vec::new() };
            let id = &request["id"];
            let result = match request["method"].as_str() {
                _ if id.is_null() => return Vec::new(),
                Some("initialize") => {
                    json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "a", "version": "1"}})
                }
                Some("ping") => json!({}),
                _ => {
                    return answer(&request)
                        .into_iter()
                        .map(|line| Event::Line(line.to_string().into_bytes()))
                        .collect();
                }
            };
            vec![Event::Line(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string().into_bytes())]
        });
        take
    }))
}

fn listing(tools: Value) -> Servers {
    server(move |request| {
        let result = match request["method"].as_str() {
            Some("tools/list") => json!({"tools": tools}),
            _ => json!({"content": [], "structuredContent": request["params"]["arguments"]}),
        };
        vec![json!({"jsonrpc": "2.0", "id": request["id"], "result": result})]
    })
}

#[test]
fn pages_without_end_are_left() {
    let pages = Rc::new(Cell::new(0));
    let counted = Rc::clone(&pages);
    let endless = server(move |request| {
        if request["method"] != "tools/list" {
            let error = json!({"code": -32601, "message": "Method not found"});
            return vec![json!({"jsonrpc": "2.0", "id": request["id"], "error": error})];
        }
        counted.set(counted.get() + 1);
        vec![
            json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": [], "nextCursor": counted.get().to_string()}}),
        ]
    });
    let report = probed(endless, "2025-11-25");
    assert_eq!(report.verdict, Verdict::Incomplete);
    assert!(report.not_judged.iter().any(|what| what.contains("more than 50 pages")), "{:?}", report.not_judged);
    let round = server(|request| {
        vec![json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": [], "nextCursor": "x"}})]
    });
    let report = probed(round, "2025-11-25");
    assert!(report.not_judged.iter().any(|what| what.contains("came twice")), "{:?}", report.not_judged);
}

#[test]
fn a_flood_of_messages_is_left_and_told_once() {
    let flood = server(|request| {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": 1}});
        let mut lines = vec![note; 3000];
        lines.push(json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": []}}));
        lines
    });
    let report = probed(flood, "2025-11-25");
    assert_eq!(report.verdict, Verdict::Violates);
    let logs: Vec<_> = report.findings.iter().filter(|finding| finding.rule == "logging-declared").collect();
    assert_eq!((logs.len(), logs[0].times), (1, 2000));
    assert_eq!(report.conversations[0].note.as_deref(), Some("2000 messages came and no answer"));
}

#[test]
fn what_a_server_says_differently_each_time_fills_no_memory() {
    let lines = server(|request| {
        let mut lines: Vec<_> = (0..1500).map(|n| json!(format!("line {n}"))).collect();
        lines.push(json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": []}}));
        lines
    });
    let report = probed(lines, "2025-11-25");
    assert_eq!(report.findings.len(), 1000);
    assert!(report.omitted > 500);
}

#[test]
fn schemas_that_lead_in_a_circle_are_told_and_not_followed() {
    let tool = |schema: Value| json!([{"name": "a", "annotations": {"readOnlyHint": true}, "inputSchema": schema}]);
    let circle = tool(json!({"type": "object", "$ref": "#"}));
    let mut servers = listing(circle);
    let plan = Plan::parse(br#"{"contract": "assize-probe-plan/v1", "calls": [{"tool": "a"}]}"#).unwrap();
    let options = Options { plan: Some(plan), revisions: vec!["2025-11-25".to_owned()], ..Options::default() };
    let report = probe(&mut servers, &options);
    assert!(report.not_judged.iter().any(|what| what.contains("in a circle")), "{:?}", report.not_judged);
    let away = probed(listing(tool(json!({"type": "object", "$ref": "https://example.org/schema"}))), "2025-11-25");
    assert!(away.not_called.iter().any(|left| left.why.contains("another document")), "{:?}", away.not_called);
}

#[test]
fn a_schema_that_is_not_applied_is_no_breach() {
    let innocent = [
        json!({"type": "object", "properties": {"a": {"pattern": r"^(?!\.)[a-z]+$"}}}),
        json!({"type": "object", "properties": {"a": {"pattern": "^.{1,500000}$"}}}),
        json!({"type": "object", "$schema": "https://example.org/dialect"}),
        json!({"type": "object", "properties": {"a": {"items": {"$ref": "https://example.org/schema"}}}}),
    ];
    for schema in innocent {
        for name in ["inputSchema", "outputSchema"] {
            let mut tool = json!({"name": "a", "inputSchema": {"type": "object"}});
            tool[name] = schema.clone();
            let report = probed(listing(json!([tool])), "2025-11-25");
            let found: Vec<_> = report.findings.iter().filter(|finding| finding.rule.contains("schema")).collect();
            assert!(found.is_empty(), "{schema}: {found:#?}");
            let told = format!("a: its {name} at 2025-11-25: ");
            assert!(report.not_judged.iter().any(|what| what.starts_with(&told)), "{schema}: {:?}", report.not_judged);
        }
    }
    let tool = json!([{"name": "a", "inputSchema": {"type": "object", "properties": {"a": {"type": "nothing"}}}}]);
    let report = probed(listing(tool), "2025-11-25");
    let at: Vec<_> = report.findings.iter().filter(|finding| finding.rule == "input-schema").collect();
    assert_eq!(at[0].pointer, "/result/tools/0/inputSchema/properties/a/type", "{at:#?}");
}

#[test]
fn a_server_without_tools_may_list_none() {
    let report = |fault| probed(fixtures(fault, false), "2025-11-25");
    let found: Vec<_> =
        report("no-tools").findings.into_iter().filter(|finding| finding.force == Force::Must).collect();
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(report("no-tools").conversations[0].tools, 0);
}

#[test]
fn a_draft_of_what_multiplies_with_every_level_ends() {
    let names: Vec<String> = (0..100).map(|n| format!("n{n}")).collect();
    let members: serde_json::Map<_, _> =
        names.iter().map(|name| (name.clone(), json!({"$ref": "#/$defs/a"}))).collect();
    let wide = json!({"type": "object", "required": names, "properties": members});
    let mut schema = wide.clone();
    schema["$defs"] = json!({"a": wide});
    let plan = probe::draft(&mut listing(json!([{"name": "a", "inputSchema": schema}]))).unwrap();
    assert_eq!((plan.calls.len(), plan.left_out.len()), (0, 1));
}

#[test]
fn a_server_that_ends_or_never_speaks_is_unusable() {
    let ended = || Servers(Box::new(|| Box::new(|_| vec![Event::End])));
    let silent = Servers(Box::new(|| Box::new(|_| Vec::new())));
    let overlong = Servers(Box::new(|| Box::new(|_| vec![Event::Overlong])));
    for servers in [ended(), silent, overlong] {
        assert_eq!(probed(servers, "2025-11-25").verdict, Verdict::Unusable);
    }
    let report = probed(ended(), "2025-11-25");
    assert_eq!(report.conversations[0].note.as_deref(), Some("the server closed its output without an answer"));
}

#[test]
fn an_interruption_is_held_against_nobody() {
    for reaction in ["initialize", "tools/list", "tools/call", "ping"] {
        let mut servers = Servers(Box::new(move || {
            let mut answers = (fixtures("", false).0)();
            Box::new(move |line| {
                let request: Value = serde_json::from_slice(line).unwrap_or_default();
                if request["method"] == reaction { vec![Event::Stopped] } else { answers(line) }
            })
        }));
        let report = probe(&mut servers, &Options { yes: true, ..Options::default() });
        let found: Vec<_> = report.findings.iter().filter(|finding| finding.force != Force::Note).collect();
        assert!(found.is_empty(), "{reaction}: {found:#?}");
        assert_ne!(report.verdict, Verdict::Conforms, "{reaction}");
    }
}

#[test]
fn the_first_wait_of_a_process_says_its_own_length() {
    let answered = |report: &Report| -> Vec<String> {
        report
            .findings
            .iter()
            .filter(|finding| finding.rule == "answered")
            .map(|finding| finding.message.clone())
            .collect()
    };
    let silent = Servers(Box::new(|| Box::new(|_| Vec::new())));
    assert_eq!(answered(&probed(silent, "2025-11-25")), ["no answer within a while"; 2]);
    assert_eq!(answered(&probed(fixtures("silent", false), "2025-11-25")), ["no answer within no time"; 2]);
}

#[test]
fn one_name_of_an_envelope_makes_no_envelope() {
    let whole = json!({"status": "success", "reply_type": "S", "meta": {}});
    for (left_out, carried) in [("status", 0), ("reply_type", 0), ("meta", 0), ("none", 1)] {
        let mut text = whole.clone();
        text.as_object_mut().unwrap().remove(left_out);
        let text = text.to_string();
        let servers = server(move |request| {
            let result = match request["method"].as_str() {
                Some("tools/list") => {
                    json!({"tools": [{"name": "a", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}]})
                }
                _ => json!({"content": [{"type": "text", "text": text}]}),
            };
            let error = json!({"code": -32602, "message": "Unknown tool"});
            match request["params"]["name"].as_str() {
                Some("a") | None => vec![json!({"jsonrpc": "2.0", "id": request["id"], "result": result})],
                _ => vec![json!({"jsonrpc": "2.0", "id": request["id"], "error": error})],
            }
        });
        let report = probed(servers, "2025-11-25");
        assert_eq!(report.envelopes.carried > 0, carried > 0, "without {left_out}: {report:#?}");
        let by_laws = report.findings.iter().any(|finding| finding.force == Force::Law);
        assert_eq!(by_laws, carried > 0, "without {left_out}: {:#?}", report.findings);
    }
}

#[test]
fn what_a_report_quotes_is_cut() {
    let long = "a".repeat(5000);
    let servers = || {
        let named = json!({"type": "object", "required": [long], "properties": {&long: {"type": "integer"}}});
        let circle = json!({"type": "object", "$ref": "#"});
        listing(json!([
            {"name": long, "inputSchema": circle, "annotations": {"readOnlyHint": true}},
            {"name": "b", "inputSchema": named, "annotations": {"readOnlyHint": true}},
        ]))
    };
    let report = probed(servers(), "2025-11-25");
    assert!(!report.not_called.is_empty() && !report.not_judged.is_empty(), "{report:#?}");
    assert!(report.findings.iter().any(|finding| finding.rule == "arguments-validated"), "{:#?}", report.findings);
    let texts = report.findings.iter().flat_map(|finding| [&finding.asked, &finding.message, &finding.pointer]);
    let left = report.not_called.iter().map(|left| &left.tool);
    for text in texts.chain(left) {
        assert!(text.len() <= 300, "{} bytes", text.len());
    }
    // A name that is cut leaves room for the reason.
    assert!(
        report.not_judged.iter().all(|what| what.len() <= 600 && what.contains("in a circle")),
        "{:?}",
        report.not_judged
    );
    let plan = json!({"contract": "assize-probe-plan/v1", "calls": [{"tool": "c".repeat(5000)}]});
    let plan = Plan::parse(plan.to_string().as_bytes()).unwrap();
    let report = probe(&mut servers(), &Options { plan: Some(plan), ..Options::default() });
    assert!(report.not_called.iter().all(|left| left.tool.len() == 300), "{:?}", report.not_called.len());
}

#[test]
fn three_questions_without_an_answer_are_enough() {
    let asked = Rc::new(Cell::new(0));
    let counted = Rc::clone(&asked);
    let silent = server(move |_| {
        counted.set(counted.get() + 1);
        Vec::new()
    });
    let report = probed(silent, "2025-11-25");
    assert_eq!((asked.get(), report.verdict), (3, Verdict::Incomplete));
}

#[test]
fn a_late_answer_is_not_taken_for_another() {
    // Each answer comes with the next question: the first one is late, and known.
    let held = Rc::new(Cell::new(None));
    let late = server(move |request| {
        let now = json!({"jsonrpc": "2.0", "id": request["id"], "result": {"tools": []}});
        held.replace(Some(now)).into_iter().collect()
    });
    let report = probed(late, "2025-11-25");
    assert!(report.findings.iter().all(|finding| finding.rule != "answered-once"), "{:#?}", report.findings);
}

#[test]
fn without_calls_nothing_is_called() {
    let options = Options { plan: Some(nothing()), yes: true, ..Options::default() };
    let report = probe(&mut fixtures("", false), &options);
    assert!(report.conversations.iter().all(|conversation| conversation.calls == 0));
    assert_eq!(report.verdict, Verdict::Conforms);
}

#[test]
fn a_draft_is_a_plan_that_passes() {
    let plan = probe::draft(&mut fixtures("", false)).unwrap();
    let text = serde_json::to_vec(&plan).unwrap();
    assert_eq!(Plan::parse(&text).unwrap(), plan);
    let drafted: Vec<_> =
        plan.calls.iter().map(|call| (call.tool.as_str(), Value::Object(call.arguments.clone()))).collect();
    assert_eq!(drafted, [("add", json!({"a": 1, "b": 1})), ("picture", json!({}))]);
    let year = json!({"type": "object", "required": ["x"], "properties": {"x": {"pattern": "^[0-9]{4}$"}}});
    let plan = probe::draft(&mut listing(json!([{"name": "a", "inputSchema": year}]))).unwrap();
    assert!(plan.calls.is_empty() && plan.left_out[0].why.contains("by hand"), "{plan:?}");
}
