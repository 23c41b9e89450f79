//! The verifier's guards below a server of the protocol's own library for Rust: a tool that breaks a law is loud in development, and a
//! lawful error in production.
//!
//! The library's clock stands still here and leaps once nothing else is to be done, so that what never comes is waited for no longer.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use assize_probe::{
    Event, Options, Plan, Report, Start, Wire,
    plan::{CONTRACT, Planned},
    probe,
    revision::REVISIONS,
    rules::Force,
    wire::Ended,
};
use assize_verifier::reply::{Codes, Crash, Data, Refused, Reply, ReplyBuilder, Wrapper};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt as _,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ListToolsResult, PaginatedRequestParams,
        ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    runtime::{Builder, Runtime},
    task::yield_now,
    time::timeout,
};

/// A tool, once what it waits for is there.
type Act = fn(ReplyBuilder) -> Result<Reply, Crash>;

/// What a tool does with a builder, by its name.
const LAWFUL: [(&str, Act); 3] = [
    ("open", |builder| Ok(builder.success(Data::from_iter([("path".to_owned(), "a".into())])))),
    ("refuse", |builder| ended(builder.denied("EN-RES-D-001", Data::new()))),
    ("fail", |builder| ended(builder.error("WA-READ-E-001", Data::new()))),
];

/// The same for tools that break a law, with what a developer reads of it.
const UNLAWFUL: [(&str, Act, &str); 6] = [
    ("crash", |_| panic!("no disk"), "no disk"),
    // What it waits for panics, in a task of its own.
    ("late", |builder| Ok(builder.success(Data::new())), "no answer"),
    ("mistyped", |builder| ended(builder.denied("WA-RES-I-001", Data::new())), "type"),
    ("unregistered", |builder| ended(builder.invalid("WA-RES-I-999", Data::new())), "registered"),
    ("misspelled", |builder| ended(builder.invalid("wa-res-i-1", Data::new())), "wa-res-i-1"),
    ("alien", |builder| ended(builder.error("XX-READ-E-001", Data::new())), "XX"),
];

const REGISTRY: &str = r#"{"registries": [{"name": "canonical", "active": [{"code": "WA-RES-I-001"}, {"code": "EN-RES-D-001"},
 {"code": "WA-READ-E-001"}, {"code": "MCP-SYS-E-001"}, {"code": "MCP-SYS-S-001"}],
 "areas": [{"area": "READ", "meaning": "reading", "document": "a"}]}]}"#;

fn ended(made: Result<Reply, Box<Refused>>) -> Result<Reply, Crash> {
    Ok(made.unwrap_or_else(|refused| refused.into_error()))
}

/// What is told of panics, and what calls were answered: the tool with the envelope.
#[derive(Debug, Clone, Default)]
struct Heard {
    panics: Arc<Mutex<Vec<String>>>,
    answers: Arc<Mutex<Vec<(String, Value)>>>,
}

/// The server, as its author writes it.
#[derive(Debug, Clone)]
struct Guarded {
    codes: Arc<Codes>,
    ids: Arc<AtomicU64>,
    loud: bool,
    heard: Heard,
}

impl Guarded {
    /// Runs a tool in the wrapper, and notes what a developer would read.
    fn run(&self, act: impl FnOnce(ReplyBuilder) -> Result<Reply, Crash>, revision: &str) -> Option<String> {
        let id = || format!("t-{}", self.ids.fetch_add(1, Ordering::Relaxed));
        let wrapper = Wrapper::new(id, || 0).held_to(Arc::clone(&self.codes));
        let mut wrapper = if self.loud { wrapper.loud() } else { wrapper };
        let envelope = catch_unwind(AssertUnwindSafe(|| wrapper.run(act))).unwrap_or_else(|panic| {
            let told = panic.downcast_ref::<String>().cloned();
            let told = told.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap();
            self.heard.panics.lock().unwrap().push(told);
            resume_unwind(panic)
        });
        envelope.to_tool_result(revision)
    }
}

impl ServerHandler for Guarded {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = json!({"type": "object"}).as_object().cloned().unwrap();
        let tools = names().map(|name| Tool::new(name, "a tool", schema.clone())).collect();
        Ok(ListToolsResult::with_all_items(tools).with_ttl_ms(0).with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        let Some(act) = act(&name) else { return Err(ErrorData::invalid_params("no such tool", None)) };
        let revision = context.protocol_version().unwrap();
        // What is awaited is awaited in a task of its own, so that its panic reaches the wrapper too.
        let awaited = tokio::spawn(async move {
            yield_now().await;
            assert_ne!(name, "late", "no answer");
        });
        let awaited = awaited.await;
        let run = |builder| {
            awaited.unwrap_or_else(|why| resume_unwind(why.into_panic()));
            act(builder)
        };
        let result = self.run(run, revision.as_str()).unwrap();
        Ok(serde_json::from_str::<CallToolResult>(&result).unwrap().into())
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    LAWFUL.iter().map(|(name, _)| *name).chain(UNLAWFUL.iter().map(|(name, ..)| *name))
}

fn act(name: &str) -> Option<Act> {
    let all = LAWFUL.iter().map(|(name, act)| (*name, *act)).chain(UNLAWFUL.iter().map(|(name, act, _)| (*name, *act)));
    all.into_iter().find(|(own, _)| *own == name).map(|(_, act)| act)
}

/// Starts servers on a line that stays in memory.
struct Servers(Guarded);

struct Line {
    runtime: Runtime,
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    /// Tools that were called, by the ids of their calls.
    called: BTreeMap<String, String>,
    heard: Heard,
}

impl Start for Servers {
    fn start(&mut self) -> Result<Box<dyn Wire>, String> {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
        let runtime = runtime.map_err(|why| why.to_string())?;
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let server = self.0.clone();
        runtime.spawn(async move {
            if let Ok(running) = server.serve(theirs).await {
                drop(running.waiting().await);
            }
        });
        let (output, input) = tokio::io::split(ours);
        let (output, heard) = (BufReader::new(output).lines(), self.0.heard.clone());
        Ok(Box::new(Line { runtime, input, output, called: BTreeMap::new(), heard }))
    }

    fn patience(&self, _: bool) -> String {
        "as long as something is done".to_owned()
    }
}

impl Wire for Line {
    fn send(&mut self, line: &[u8]) {
        if let Ok(message) = serde_json::from_slice::<Value>(line)
            && let Some(tool) = message["params"]["name"].as_str()
        {
            self.called.insert(message["id"].to_string(), tool.to_owned());
        }
        // Who reads no more shows that by what comes.
        let Self { runtime, input, .. } = self;
        let _ = runtime.block_on(async {
            input.write_all(line).await?;
            input.write_all(b"\n").await?;
            input.flush().await
        });
    }

    fn next(&mut self) -> Event {
        let Self { runtime, output, .. } = self;
        match runtime.block_on(async { timeout(Duration::from_secs(1), output.next_line()).await }) {
            Ok(Ok(Some(line))) => {
                let message: Value = serde_json::from_str(&line).unwrap_or_default();
                if let Some(tool) = self.called.get(&message["id"].to_string())
                    && let Some(text) = message["result"]["content"][0]["text"].as_str()
                {
                    let envelope = serde_json::from_str(text).unwrap();
                    self.heard.answers.lock().unwrap().push((tool.clone(), envelope));
                }
                Event::Line(line.into_bytes())
            }
            Ok(_) => Event::End,
            Err(_) => Event::Expired,
        }
    }

    fn begin(&mut self) {}

    fn end(self: Box<Self>) -> Ended {
        Ended { how: "dropped".to_owned(), ..Ended::default() }
    }
}

/// What a probe finds that calls these tools, and what was heard besides.
fn probed(loud: bool, tools: &[&str], revisions: &[&str]) -> (Report, Heard) {
    let codes = Arc::new(Codes::read(REGISTRY.as_bytes()).unwrap());
    let server = Guarded { codes, ids: Arc::default(), loud, heard: Heard::default() };
    let heard = server.heard.clone();
    let calls = tools.iter().map(|tool| Planned { tool: (*tool).to_owned(), arguments: serde_json::Map::new() });
    let plan = Plan { contract: CONTRACT.to_owned(), calls: calls.collect(), ..Plan::default() };
    let revisions = revisions.iter().map(|one| (*one).to_owned()).collect();
    (probe(&mut Servers(server), &Options { plan: Some(plan), yes: true, revisions }), heard)
}

/// Findings about a tool, or by a law of replies: what else is found is about the library.
fn about_tools(report: &Report) -> Vec<(&str, Force, Option<&str>)> {
    let all = report.findings.iter().filter(|one| one.tool.is_some() || matches!(one.force, Force::Law | Force::Note));
    all.map(|one| (one.rule.as_str(), one.force, one.tool.as_deref())).collect()
}

#[test]
fn in_production_what_breaks_a_law_is_a_lawful_error() {
    let all: Vec<_> = names().collect();
    let (report, heard) = probed(false, &all, &REVISIONS);
    assert_eq!(about_tools(&report), [], "{:#?}", report.findings);
    let spoken = report.conversations.iter().filter(|one| one.calls > 0).count();
    assert_eq!(spoken, REVISIONS.len(), "{:#?}", report.conversations);
    let due = u64::try_from(all.len() * REVISIONS.len()).unwrap();
    assert_eq!((report.envelopes.answered, report.envelopes.carried), (due, due));
    assert_eq!(*heard.panics.lock().unwrap(), Vec::<String>::new());
    let answers = heard.answers.lock().unwrap();
    let codes = |tool: &str| -> Vec<String> {
        let own = answers.iter().filter(|(own, _)| own == tool);
        own.map(|(_, envelope)| envelope["error"]["code"].as_str().unwrap_or("none").to_owned()).collect()
    };
    for (tool, code) in [("open", "none"), ("refuse", "EN-RES-D-001"), ("fail", "WA-READ-E-001")] {
        assert_eq!(codes(tool), [code; REVISIONS.len()], "{tool}");
    }
    for (tool, ..) in UNLAWFUL {
        assert_eq!(codes(tool), ["MCP-SYS-E-001"; REVISIONS.len()], "{tool}");
    }
}

#[test]
fn in_development_what_breaks_a_law_is_loud() {
    let lawful: Vec<_> = LAWFUL.iter().map(|(name, _)| *name).collect();
    let (report, heard) = probed(true, &lawful, &["2025-11-25"]);
    assert_eq!(about_tools(&report), [], "{:#?}", report.findings);
    assert_eq!(*heard.panics.lock().unwrap(), Vec::<String>::new());
    for (tool, _, told) in UNLAWFUL {
        let (report, heard) = probed(true, &[tool], &["2025-11-25"]);
        // The library answers nothing where a handler panics.
        assert!(about_tools(&report).contains(&("answered", Force::Must, Some(tool))), "{:#?}", report.findings);
        let panics = heard.panics.lock().unwrap();
        assert!(panics.len() == 1 && panics[0].contains(told), "{tool}: {panics:?}");
        assert!(heard.answers.lock().unwrap().is_empty(), "{tool}");
    }
}
