//! The reference wrapper: it runs a tool, makes a trace id, measures the time, and tells every crash as an error.
//!
//! Spec: Canonical Reply System Architecture (Final), 8 and 11; rulings RE-4, RE-12, RE-40. It has no clock and no source of ids of its
//! own: whoever has them hands them over.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use serde_json::{Value, json};

use super::builder::{Codes, Crash, Reply, ReplyBuilder};
use super::laws::reply_transport_free;
use super::model::reply_type::ReplyType;

/// Runs the tools of a server.
#[derive(Debug, Clone)]
pub struct Wrapper<I, C> {
    ids: I,
    clock: C,
    codes: Option<Arc<Codes>>,
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
        Self { ids, clock, codes: None }
    }

    /// The same, with builders that take registered codes alone.
    #[must_use]
    pub fn held_to(self, codes: Arc<Codes>) -> Self {
        Self { codes: Some(codes), ..self }
    }

    /// Runs a tool with the builder of its invocation, and wraps its reply as it is; a crash, whatever it was, becomes an error
    /// of a fresh builder.
    pub fn run(&mut self, tool: impl FnOnce(ReplyBuilder) -> Result<Reply, Crash>) -> Envelope {
        let (trace_id, begun) = ((self.ids)(), (self.clock)());
        let builder = self.builder();
        // Nothing of a tool that unwound is looked at again.
        let outcome = catch_unwind(AssertUnwindSafe(|| tool(builder))).unwrap_or(Err(Crash));
        let reply = outcome.unwrap_or_else(|Crash| self.builder().crash());
        Envelope { reply, trace_id, duration_ms: (self.clock)().saturating_sub(begun) }
    }

    fn builder(&self) -> ReplyBuilder {
        self.codes.clone().map_or_else(ReplyBuilder::new, ReplyBuilder::held_to)
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
        let (kind, data) = (self.reply.kind(), self.reply.data());
        let error = if kind == ReplyType::S { Value::Null } else { json!({ "code": self.reply.code() }) };
        let meta = reply_transport_free::meta(&self.trace_id, self.duration_ms);
        json!({"status": kind.name(), "reply_type": kind.letter(), "data": data, "meta": meta, "error": error})
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::data::Data;
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
}
