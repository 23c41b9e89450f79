//! Whatever a tool does with the reference builder, what comes out is lawful.

use assize_verifier::reply::{self, Crash, Data, Reply, ReplyBuilder, ReplyType, Wrapper};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::laws;

/// What a tool asks of its builder.
#[derive(Debug, Clone)]
struct Ask {
    kind: ReplyType,
    code: String,
}

fn asks() -> impl Strategy<Value = Vec<Ask>> {
    let kind = prop_oneof![Just(ReplyType::S), Just(ReplyType::I), Just(ReplyType::D), Just(ReplyType::E)];
    let layer = prop_oneof!["WA|EN|CT|MCP", "[A-Z]{1,3}"];
    let code = (layer, "SYS|RES|WRITE|OPEN|GIT", "S|I|D|E|W", "[0-9]{2,4}")
        .prop_map(|(l, a, t, n)| format!("{l}-{a}-{t}-{n}"));
    prop::collection::vec((kind, code).prop_map(|(kind, code)| Ask { kind, code }), 0..8)
}

/// A tool that asks in turn until a terminal reply is made, and what a trace would have recorded of it.
fn tool(asks: &[Ask]) -> (Reply, Vec<Value>) {
    let mut builder = ReplyBuilder::new();
    let mut steps = vec![json!({"op": "new", "b": 1})];
    for Ask { kind, code } in asks {
        let made = match kind {
            ReplyType::S => {
                // Nothing keeps a tool from making a success and then another reply.
                if let Ok(reply) = builder.success_as(code, Data::new()) {
                    steps.push(call(&reply));
                }
                continue;
            }
            ReplyType::I => builder.invalid(code, Data::new()),
            ReplyType::D => builder.denied(code, Data::new()),
            ReplyType::E => builder.error(code, Data::new()),
        };
        match made {
            Ok(reply) => return finished(reply, steps),
            Err(refused) => builder = refused.builder,
        }
    }
    finished(builder.success(Data::new()), steps)
}

fn call(reply: &Reply) -> Value {
    json!({"op": "call", "b": 1, "method": reply.kind().name(), "code": reply.code(), "data": reply.data(), "got": "reply"})
}

fn finished(reply: Reply, mut steps: Vec<Value>) -> (Reply, Vec<Value>) {
    steps.push(call(&reply));
    steps.push(json!({"op": "return", "of": steps.len() - 1}));
    (reply, steps)
}

proptest! {
    #[test]
    fn envelopes_and_traces_are_lawful(asks in asks(), trace_id in ".{1,20}", duration in any::<u64>()) {
        let (reply, mut steps) = tool(&asks);
        let mut times = [0, duration].into_iter();
        let clock = || times.next().unwrap();
        let envelope = Wrapper::new(|| trace_id.clone(), clock).run(|_| Ok(reply));
        let found = reply::envelope(envelope.to_json().as_bytes()).unwrap();
        prop_assert_eq!(laws(&found), [""; 0]);
        prop_assert_eq!(found.advice.iter().filter(|advice| !advice.message.contains("001")).count(), 0);
        let kind = envelope.reply().kind().letter();
        steps.push(json!({"op": "emit", "reply_type": kind, "code": envelope.reply().code()}));
        let trace = reply::trace(json!({ "steps": steps }).to_string().as_bytes()).unwrap();
        prop_assert_eq!((laws(&trace.judgement), trace.first_illegal), (vec![], None));
    }

    /// One changed outcome is noticed, whichever the reply was.
    #[test]
    fn a_wrapper_that_changes_the_outcome_is_noticed(asks in asks()) {
        let (reply, mut steps) = tool(&asks);
        let other = if reply.kind() == ReplyType::E { ("S", None) } else { ("E", Some("MCP-SYS-E-001")) };
        steps.push(json!({"op": "emit", "reply_type": other.0, "code": other.1}));
        let trace = reply::trace(json!({ "steps": steps }).to_string().as_bytes()).unwrap();
        prop_assert_eq!((laws(&trace.judgement), trace.first_illegal), (vec!["wrapper-pure"], Some(steps.len() - 1)));
    }
}

#[test]
fn a_crash_is_an_error_and_a_refused_call_leaves_the_builder_open() {
    let envelope = Wrapper::new(|| "t".to_owned(), || 0).run(|_| Err(Crash));
    assert_eq!(envelope.reply().kind(), ReplyType::E);
    assert!(reply::envelope(envelope.to_json().as_bytes()).unwrap().is_lawful());
    let refused = ReplyBuilder::new().denied("WA-RES-D-001", Data::new()).unwrap_err();
    assert_eq!(laws(&refused.why), ["layer-type-matrix"]);
    assert_eq!(refused.builder.success(Data::new()).kind(), ReplyType::S);
}
