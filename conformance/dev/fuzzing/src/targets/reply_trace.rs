//! Traces of builder calls: the first illegal step, its laws and its blame as the Python oracle gives them, whatever follows.
//!
//! Spec: Canonical Reply System Architecture (Final), 9 to 12; ruling RE-35.

use arbitrary::Unstructured;
use assize::minimise::input::Question;
use assize_corpus::node::Node;
use assize_corpus::testee::{Answer, Output};
use assize_inputs::reply;

use crate::documents::{DocumentError, Documents};
use crate::oracles::authority::request;
use crate::oracles::reply::{agree, same_in};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct ReplyTrace;

impl Target for ReplyTrace {
    const NAME: &'static str = "reply_trace";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str = "`reply/*` of traces: a second source in Python finds the same first illegal step, for the same laws \
                               and by the same fault; another spelling, and what follows that step, change nothing";
    type Input = reply::Spelt;

    fn decode(octets: &[u8]) -> Option<reply::Spelt> {
        reply::trace(&mut Unstructured::new(octets)).ok()
    }

    fn documents(trace: &reply::Spelt) -> Documents {
        Documents::default().with("trace", &trace.document).with("respelt", &trace.respelt)
    }

    fn input(documents: &Documents) -> Result<reply::Spelt, DocumentError> {
        Ok(reply::Spelt { document: documents.octets("trace")?, respelt: documents.octets("respelt")? })
    }

    fn asks(_trace: &reply::Spelt) -> Vec<Question> {
        vec![Question::of("reply.trace").doc("trace", "trace")]
    }

    fn check(trace: &reply::Spelt) -> Result<(), String> {
        let answer = agree(&request("reply.trace", "trace", trace.document.as_slice()))?;
        same_in("reply.trace", "trace", &answer, &trace.respelt)?;
        let shorter = up_to_the_fault(&trace.document, &answer);
        shorter.map_or(Ok(()), |shorter| same_in("reply.trace", "trace", &answer, &shorter))
    }
}

/// The trace without the steps after the first illegal one.
fn up_to_the_fault(trace: &[u8], answer: &Answer) -> Option<Vec<u8>> {
    let Answer::Reject { out, .. } = answer else { return None };
    let Some(Output::Value(first)) = out.get("first_illegal") else { return None };
    let first = usize::try_from(first.as_u64()?).ok()?;
    let Ok(Node::Object(mut trace)) = Node::parse(std::str::from_utf8(trace).ok()?) else { return None };
    let Some(Node::Array(steps)) = trace.get_mut("steps") else { return None };
    steps.truncate(first + 1);
    Some(Node::Object(trace).canonical().into_bytes())
}
