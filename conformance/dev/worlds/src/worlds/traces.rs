//! All short traces of one invocation with two builders.
//!
//! Spec: Canonical Reply System Architecture (Final), sections 9 to 11; rulings RE-1 to RE-43.

use std::{ops::Range, sync::LazyLock};

use serde_json::{Value, json};

use crate::{
    reply::judge,
    search::{Facts, Tally, World},
    sequences,
};

/// Traces of events.
#[derive(Debug)]
pub(crate) struct Traces;

const DENIED: &str = "EN-WRITE-D-002";

static EVENTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut events = Vec::new();
    for b in [0, 1] {
        events.push(json!({"op": "new", "b": b}));
        events.push(json!({"op": "call", "b": b, "method": "success", "got": "reply"}));
        events.push(json!({"op": "call", "b": b, "method": "denied", "code": DENIED, "got": "reply"}));
        events.push(json!({"op": "call", "b": b, "method": "denied", "code": DENIED, "got": "raised"}));
    }
    events.extend([
        json!({"op": "call", "b": 0, "method": "warn", "got": "raised"}),
        json!({"op": "call", "b": 0, "method": "success", "code": DENIED, "got": "reply"}),
        json!({"op": "direct", "reply_type": "S", "code": "WA-RES-S-001"}),
        json!({"op": "work"}),
    ]);
    // Of a step that is to come, or of one that made no reply, nothing can be returned.
    events.extend((0..4).map(|step| json!({"op": "return", "of": step})));
    events.extend([
        json!({"op": "return", "callee": {"reply_type": "D", "code": DENIED}}),
        json!({"op": "return", "raw": "dict"}),
        json!({"op": "throw"}),
        json!({"op": "emit", "reply_type": "S"}),
        json!({"op": "emit", "reply_type": "D", "code": DENIED}),
        json!({"op": "emit", "reply_type": "E", "code": "MCP-SYS-E-001"}),
    ]);
    events.iter().map(Value::to_string).collect()
});

impl World for Traces {
    fn facts(&self) -> Facts {
        Facts {
            name: "traces",
            alphabet: format!(
                "{} events: of two builders each that it is made, that it succeeds, that it denies and that it raises; a forbidden method, \
                 a code of another type, a reply without a builder, other work, a return of each of the first four steps, of a callee \
                 and of a raw value, a throw, and an envelope of each of three types",
                EVENTS.len()
            ),
            bounds: [2, 5],
        }
    }

    fn size(&self, bound: usize) -> u64 {
        sequences::count(EVENTS.len(), bound)
    }

    fn check(&self, _bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        for place in places {
            let events: Vec<_> = sequences::at(EVENTS.len(), place)
                .into_iter()
                .filter_map(|event| EVENTS.get(event))
                .map(String::as_str)
                .collect();
            let trace = format!("{{\"steps\":[{}]}}", events.join(","));
            tally.judge(place, judge("reply.trace", "trace", trace.as_bytes())?);
        }
        Ok(())
    }
}
