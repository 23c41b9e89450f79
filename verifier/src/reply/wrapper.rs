//! The reference wrapper: it runs a tool, makes a trace id, measures the time, and tells every crash as an error.
//!
//! Spec: Canonical Reply System Architecture (Final), 8 and 11; rulings RE-4, RE-12, RE-40. It has no clock and no source of ids of its
//! own: whoever has them hands them over.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::builder::{Codes, Crash, Reply, ReplyBuilder};
use super::laws::reply_transport_free;
use super::model::reply_type::ReplyType;
use super::model::tool_result::Revision;

/// Runs the tools of a server.
#[derive(Debug, Clone)]
pub struct Wrapper<I, C> {
    ids: I,
    clock: C,
    codes: Option<Arc<Codes>>,
    loud: bool,
}

/// A reply on its way out.
#[derive(Debug, PartialEq)]
pub struct Envelope {
    reply: Reply,
    trace_id: String,
    duration_ms: u64,
}

impl<I: FnMut() -> String, C: FnMut() -> u64> Wrapper<I, C> {
    /// `ids` gives a text that it never gave before and that is not empty; `clock` the milliseconds since a moment that stays
    /// the same.
    #[must_use]
    pub fn new(ids: I, clock: C) -> Self {
        Self { ids, clock, codes: None, loud: false }
    }

    /// The same, with builders that take registered codes alone.
    #[must_use]
    pub fn held_to(self, codes: Arc<Codes>) -> Self {
        Self { codes: Some(codes), ..self }
    }

    /// The same, for development: the panic of a tool goes on, and so does what [`Refused::into_error`] was made of, as a panic.
    ///
    /// [`Refused::into_error`]: super::Refused::into_error
    #[must_use]
    pub fn loud(self) -> Self {
        Self { loud: true, ..self }
    }

    /// Runs a tool with the builder of its invocation, and wraps its reply as it is; a crash, whatever it was, becomes an error
    /// of a fresh builder. While it is [loud](Self::loud), a panic goes on.
    pub fn run(&mut self, tool: impl FnOnce(ReplyBuilder) -> Result<Reply, Crash>) -> Envelope {
        let (trace_id, begun) = ((self.ids)(), (self.clock)());
        let builder = self.builder();
        // Nothing of a tool that unwound is looked at again.
        let outcome = catch_unwind(AssertUnwindSafe(|| tool(builder))).unwrap_or_else(|panic| {
            if self.loud {
                resume_unwind(panic)
            }
            Err(Crash)
        });
        let reply = outcome.unwrap_or_else(|Crash| self.builder().crash());
        Envelope { reply, trace_id, duration_ms: (self.clock)().saturating_sub(begun) }
    }

    fn builder(&self) -> ReplyBuilder {
        let builder = self.codes.clone().map_or_else(ReplyBuilder::new, ReplyBuilder::held_to);
        if self.loud { builder.loud() } else { builder }
    }
}

impl Envelope {
    /// The reply inside.
    pub fn reply(&self) -> &Reply {
        &self.reply
    }

    /// The bytes that leave the wrapper.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.value().to_string()
    }

    /// The result of `tools/call` that carries it, in a revision of the Model Context Protocol; `None` for one that is not known. A server
    /// hands it to its library.
    #[must_use]
    pub fn to_tool_result(&self, revision: &str) -> Option<String> {
        let revision = Revision::from_name(revision.as_bytes())?;
        let flagged = self.reply.kind().is_terminal();
        let content = json!([{ "type": "text", "text": self.to_json() }]);
        let mut result = Map::from_iter([("content".to_owned(), content), ("isError".to_owned(), flagged.into())]);
        if revision.has_structured_content() {
            result.insert("structuredContent".to_owned(), self.value());
        }
        if revision.has_result_type() {
            result.insert("resultType".to_owned(), "complete".into());
        }
        Some(Value::Object(result).to_string())
    }

    fn value(&self) -> Value {
        let (kind, data) = (self.reply.kind(), self.reply.data());
        let error = if kind == ReplyType::S { Value::Null } else { json!({ "code": self.reply.code() }) };
        let meta = reply_transport_free::meta(&self.trace_id, self.duration_ms);
        json!({"status": kind.name(), "reply_type": kind.letter(), "data": data, "meta": meta, "error": error})
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::data::Data;
    use super::super::tool_result;
    use super::*;

    /// A wrapper whose ids are counted and whose clock goes on by seven with each look.
    fn wrapper() -> Wrapper<impl FnMut() -> String, impl FnMut() -> u64> {
        let (mut ids, mut now) = (0, 100);
        let id = move || {
            ids += 1;
            format!("t-{ids}")
        };
        let clock = move || {
            now += 7;
            now
        };
        Wrapper::new(id, clock)
    }

    fn meta(envelope: &Envelope) -> Value {
        serde_json::from_str::<Value>(&envelope.to_json()).unwrap()["meta"].clone()
    }

    #[test]
    fn each_run_has_an_id_and_a_time_of_its_own() {
        let mut wrapper = wrapper();
        let one = wrapper.run(|builder| Ok(builder.success(Data::new())));
        let other = wrapper.run(|builder| Ok(builder.success(Data::new())));
        assert_eq!(meta(&one), json!({"trace_id": "t-1", "duration_ms": 7}));
        assert_eq!(meta(&other), json!({"trace_id": "t-2", "duration_ms": 7}));
        // A clock that is set back shows no negative time.
        let mut times = [50, 20].into_iter();
        let mut late = Wrapper::new(|| "t".to_owned(), move || times.next().unwrap());
        assert_eq!(meta(&late.run(|_| Err(Crash)))["duration_ms"], 0);
    }

    #[test]
    fn a_tool_that_unwinds_or_gives_up_is_an_error() {
        let mut wrapper = wrapper();
        let told = wrapper.run(|_| panic!("denied"));
        assert_eq!((told.reply().kind(), told.reply().code()), (ReplyType::E, "MCP-SYS-E-001"));
        let told = wrapper.run(|builder| {
            let _denied = builder.denied("EN-WRITE-D-001", Data::new());
            Err(Crash)
        });
        assert_eq!(told.reply().kind(), ReplyType::E);
        assert_eq!(meta(&told)["trace_id"], "t-2");
    }

    #[test]
    fn a_crash_is_told_by_a_registered_code() {
        let told = |active: &str| {
            let codes = Codes::read(format!(r#"{{"registries": [{active}]}}"#).as_bytes()).unwrap();
            wrapper().held_to(Arc::new(codes)).run(|_| Err(Crash)).reply().code().to_owned()
        };
        let row = |code: &str| format!(r#"{{"code": "{code}"}}"#);
        let active = |codes: &[&str]| {
            format!(r#"{{"active": [{}]}}"#, codes.iter().map(|code| row(code)).collect::<Vec<_>>().join(","))
        };
        assert_eq!(told(&active(&["CT-GATE-E-002", "MCP-SYS-E-001"])), "MCP-SYS-E-001");
        assert_eq!(told(&active(&["WA-RES-S-001", "CT-OPEN-E-001", "CT-GATE-E-002"])), "CT-GATE-E-002");
        assert_eq!(told(&active(&["WA-RES-S-001"])), "MCP-SYS-E-001");
    }

    #[test]
    fn a_result_carries_the_envelope_as_its_revision_asks() {
        type Tool = fn(ReplyBuilder, Data) -> Result<Reply, Crash>;
        let mut wrapper = wrapper();
        let data = || Data::from_iter([("path".to_owned(), "a \u{e4}".into())]);
        let tools: [(bool, Tool); 3] = [
            (false, |builder, data| Ok(builder.success(data))),
            (true, |builder, data| builder.denied("EN-RES-D-001", data).map_err(|_| Crash)),
            (true, |_, _| Err(Crash)),
        ];
        for (flagged, tool) in tools {
            let envelope = wrapper.run(|builder| tool(builder, data()));
            let whole: Value = serde_json::from_str(&envelope.to_json()).unwrap();
            let text = json!([{"type": "text", "text": envelope.to_json()}]);
            let old = json!({"content": text, "isError": flagged});
            let structured = json!({"content": text, "isError": flagged, "structuredContent": whole});
            let mut complete = structured.clone();
            complete["resultType"] = "complete".into();
            for (revision, due) in [
                ("2024-11-05", &old),
                ("2025-03-26", &old),
                ("2025-06-18", &structured),
                ("2025-11-25", &structured),
                ("2026-07-28", &complete),
            ] {
                let result: Value = serde_json::from_str(&envelope.to_tool_result(revision).unwrap()).unwrap();
                assert_eq!(&result, due, "{revision}");
                let response = json!({"jsonrpc": "2.0", "id": 1, "result": result});
                let question =
                    json!({"protocol_version": revision, "tool": {"name": "open"}, "response": response}).to_string();
                assert!(tool_result(question.as_bytes()).unwrap().judgement.is_lawful(), "{revision}");
            }
        }
        assert_eq!(wrapper.run(|_| Err(Crash)).to_tool_result("1900-01-01"), None);
    }

    #[test]
    fn in_development_what_breaks_is_loud() {
        let mut loud = wrapper().loud();
        let panic = catch_unwind(AssertUnwindSafe(|| loud.run(|_| panic!("no disk")))).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"no disk"));
        let mistyped = |builder: ReplyBuilder| {
            Ok(builder.denied("WA-RES-I-001", Data::new()).unwrap_or_else(|refused| refused.into_error()))
        };
        let panic = catch_unwind(AssertUnwindSafe(|| loud.run(mistyped))).unwrap_err();
        assert!(panic.downcast_ref::<String>().unwrap().contains("type"), "{panic:?}");
        // What a tool means to say is said.
        assert_eq!(loud.run(|_| Err(Crash)).reply().kind(), ReplyType::E);
        assert_eq!(wrapper().run(mistyped).reply().kind(), ReplyType::E);
    }
}
