//! Traces of builder calls: the first illegal step, its laws and its blame as the Python oracle gives them, whatever follows. And
//! scripts: the replies that a builder gives, and what the envelopes of a wrapper tell.
//!
//! Spec: Canonical Reply System Architecture (Final), 7 to 12; rulings RE-35, RE-38 to RE-40.

use arbitrary::Unstructured;
use assize::minimise::input::Question;
use assize_corpus::node::Node;
use assize_corpus::testee::{Answer, Output};
use assize_inputs::reply;

use crate::documents::{DocumentError, Documents};
use crate::oracles::authority::request;
use crate::oracles::reply::{agree, agree_wrapped, same_in};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct ReplyTrace;

/// What is judged and what is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traces {
    /// A trace.
    pub trace: reply::Spelt,
    /// A script for a builder.
    pub build: reply::Spelt,
    /// A script for a wrapper.
    pub wrap: reply::Spelt,
}

impl Target for ReplyTrace {
    const NAME: &'static str = "reply_trace";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str = "`reply/*` of traces, builders and wrappers: a second source in Python finds the same first illegal step, \
                               for the same laws and by the same fault, and makes the same replies; another spelling, and what follows \
                               that step, change nothing";
    type Input = Traces;

    fn decode(octets: &[u8]) -> Option<Traces> {
        let mut u = Unstructured::new(octets);
        let trace = reply::trace(&mut u).ok()?;
        let (build, wrap) = reply::scripts(&mut u).ok()?;
        Some(Traces { trace, build, wrap })
    }

    fn documents(input: &Traces) -> Documents {
        let parts = [("trace", &input.trace), ("build", &input.build), ("wrap", &input.wrap)];
        parts.into_iter().fold(Documents::default(), |documents, (name, spelt)| {
            documents.with(name, &spelt.document).with(format!("{name}-respelt"), &spelt.respelt)
        })
    }

    fn input(documents: &Documents) -> Result<Traces, DocumentError> {
        let spelt = |name: &str| -> Result<reply::Spelt, DocumentError> {
            let respelt = documents.octets(&format!("{name}-respelt"))?;
            Ok(reply::Spelt { document: documents.octets(name)?, respelt })
        };
        Ok(Traces { trace: spelt("trace")?, build: spelt("build")?, wrap: spelt("wrap")? })
    }

    fn asks(_input: &Traces) -> Vec<Question> {
        vec![
            Question::of("reply.trace").doc("trace", "trace"),
            Question::of("reply.build").doc("script", "build"),
            Question::of("reply.wrap").doc("script", "wrap"),
        ]
    }

    fn check(Traces { trace, build, wrap }: &Traces) -> Result<(), String> {
        for script in [&build.document, &build.respelt] {
            agree(&request("reply.build", "script", script.as_slice()))?;
        }
        for script in [&wrap.document, &wrap.respelt] {
            agree_wrapped(&request("reply.wrap", "script", script.as_slice()))?;
        }
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
