//! The operation table, joined to the verifier: the testee that lives in this process.
//!
//! Contract: `contracts/interface/operations`. Every name has one function here, in one file for each system. A
//! handler translates between bytes and the verifier's types; it decides no law. A panic is caught at this one place
//! and becomes a fault, never a rejection.

mod authority;
mod canon;
mod episode;
mod kernel;
mod kernel_audit;
mod kernel_text;
mod reply;
mod sovereign;

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use assize_verifier::{authority::Rejection, finding::Finding};
use serde_json::{Map, Value};

use crate::testee::{Answer, Output, Request, Testee};

/// Answers one question.
pub type Handler = fn(&Request) -> Answer;

/// Every operation that the verifier answers.
pub const TABLE: &[(&str, Handler)] = &[
    ("canon.bytes", canon::bytes),
    ("sovereign.compare", sovereign::compare),
    ("sovereign.audit", sovereign::audit),
    ("sovereign.deny_code", sovereign::deny_code),
    ("sovereign.select_path", sovereign::select_path),
    ("sovereign.order", sovereign::order),
    ("sovereign.report_id", sovereign::report_id),
    ("sovereign.contract", sovereign::contract),
    ("sovereign.decision_id", sovereign::decision_id),
    ("sovereign.registry_digest", sovereign::registry_digest),
    ("episode.contract", episode::contract),
    ("episode.hashes", episode::hashes),
    ("episode.verify", episode::verify),
    ("episode.receipt", episode::receipt),
    ("authority.chain", authority::chain),
    ("authority.run", authority::run),
    ("authority.replay", authority::replay),
    ("authority.dag", authority::dag),
    ("kernel.scenario", kernel::scenario),
    ("kernel.audit", kernel_audit::audit),
    ("kernel.issue_order", kernel_text::issue_order),
    ("kernel.event", kernel_text::event),
    ("reply.code", reply::code),
    ("reply.registry", reply::registry),
    ("reply.envelope", reply::envelope),
    ("reply.trace", reply::trace),
    ("reply.tool_result", reply::tool_result),
    ("reply.source", reply::source),
];

/// Answers with the verifier.
#[must_use]
pub fn answer(request: &Request) -> Answer {
    match TABLE.iter().find(|(name, _)| *name == request.op) {
        Some((_, handler)) => guarded(*handler, request),
        None => unsupported(request),
    }
}

fn guarded(handler: Handler, request: &Request) -> Answer {
    catch_unwind(AssertUnwindSafe(|| handler(request)))
        .unwrap_or_else(|cause| Answer::Fault { kind: "panic".to_owned(), message: said(cause.as_ref()) })
}

fn said(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}

/// A document of the request.
fn document<'r>(request: &'r Request, name: &str) -> Option<&'r [u8]> {
    request.docs.get(name).map(Vec::as_slice)
}

/// An argument that is a string.
fn text_arg<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    request.args.get(name).and_then(Value::as_str)
}

/// The compared members of a finding; its message is for people.
fn compared(finding: &Finding) -> Map<String, Value> {
    let members: [(&str, Value); 4] = [
        ("law", finding.law.slug().into()),
        ("code", finding.code.into()),
        ("pointer", finding.pointer.as_str().into()),
        ("severity", finding.severity.name().into()),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A plain value among the outputs.
fn value(value: impl Into<Value>) -> Output {
    Output::Value(value.into())
}

/// What an operation of one document answers when it refuses that.
fn rejected(why: &Rejection) -> Answer {
    Answer::Reject { codes: why.codes().into_iter().map(str::to_owned).collect(), out: Default::default() }
}

/// What an operation without a handler answers.
fn unsupported(request: &Request) -> Answer {
    Answer::Unsupported { feature: request.op.clone() }
}

/// The verifier as a testee.
#[derive(Debug, Clone, Copy, Default)]
pub struct InProcess;

impl Testee for InProcess {
    fn answer(&mut self, request: &Request) -> Answer {
        answer(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation;

    fn request(op: &str) -> Request {
        Request { op: op.to_owned(), args: Default::default(), docs: Default::default(), root: None }
    }

    #[test]
    fn every_handler_is_an_operation_of_the_table() {
        for (name, _) in TABLE {
            assert!(operation::table().find(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_panic_is_a_fault() {
        fn breaks(_: &Request) -> Answer {
            panic!("broken {}", 7)
        }
        let answer = guarded(breaks, &request("canon.bytes"));
        assert_eq!(answer, Answer::Fault { kind: "panic".to_owned(), message: "broken 7".to_owned() });
    }

    #[test]
    fn an_unknown_operation_is_unsupported() {
        assert_eq!(answer(&request("no.such")), Answer::Unsupported { feature: "no.such".to_owned() });
    }
}
