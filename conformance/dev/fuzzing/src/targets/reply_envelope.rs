//! Envelopes, what an agent does after them, and codes: findings, classes and places as the Python oracle gives them, whatever the data hold.
//!
//! Spec: Canonical Reply System Architecture (Final), 3 to 8; rulings RE-1, RE-4 to RE-9, RE-25 to RE-30, RE-41, RE-42.

use arbitrary::Unstructured;
use assize::minimise::input::Question;
use assize_corpus::node::Node;
use assize_corpus::testee::Answer;
use assize_inputs::reply;

use crate::documents::{DocumentError, Documents};
use crate::oracles::authority::request;
use crate::oracles::reply::{agree, same_in};
use crate::target::{Kind, Target};

/// See the module.
#[derive(Debug)]
pub struct ReplyEnvelope;

/// What is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelopes {
    /// An envelope.
    pub envelope: Vec<u8>,
    /// The same in another spelling.
    pub respelt: Vec<u8>,
    /// A code.
    pub code: Vec<u8>,
}

impl Target for ReplyEnvelope {
    const NAME: &'static str = "reply_envelope";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str = "`reply/*` of codes and envelopes: a second source in Python finds the same; another spelling and \
                               other data change nothing";
    type Input = Envelopes;

    fn decode(octets: &[u8]) -> Option<Envelopes> {
        let mut u = Unstructured::new(octets);
        let envelope = reply::envelope(&mut u).ok()?;
        let code = reply::code(&mut u).ok()?;
        Some(Envelopes { envelope: envelope.document, respelt: envelope.respelt, code })
    }

    fn documents(input: &Envelopes) -> Documents {
        let documents = Documents::default().with("envelope", &input.envelope).with("respelt", &input.respelt);
        documents.with("code", &input.code)
    }

    fn input(documents: &Documents) -> Result<Envelopes, DocumentError> {
        let octets = |name| documents.octets(name);
        Ok(Envelopes { envelope: octets("envelope")?, respelt: octets("respelt")?, code: octets("code")? })
    }

    fn asks(_input: &Envelopes) -> Vec<Question> {
        vec![
            Question::of("reply.envelope").doc("envelope", "envelope"),
            Question::of("reply.code").doc("code", "code"),
            Question::of("reply.action").doc("envelope", "envelope"),
        ]
    }

    fn check(input: &Envelopes) -> Result<(), String> {
        agree(&request("reply.code", "code", input.code.as_slice()))?;
        let action = agree(&request("reply.action", "envelope", input.envelope.as_slice()))?;
        same_in("reply.action", "envelope", &action, &input.respelt)?;
        let answer = agree(&request("reply.envelope", "envelope", input.envelope.as_slice()))?;
        same_in("reply.envelope", "envelope", &answer, &input.respelt)?;
        match with_other_data(&input.envelope) {
            Some(other) if answer != Answer::reject("A_JSON") => {
                same_in("reply.action", "envelope", &action, &other)?;
                same_in("reply.envelope", "envelope", &answer, &other)
            }
            _ => Ok(()),
        }
    }
}

/// The envelope with other content where its content is free: what stands in `data` is not the envelope's.
fn with_other_data(envelope: &[u8]) -> Option<Vec<u8>> {
    let Ok(Node::Object(mut members)) = Node::parse(std::str::from_utf8(envelope).ok()?) else { return None };
    let data = members.get_mut("data").filter(|data| matches!(data, Node::Object(_)))?;
    *data = Node::parse(r#"{"warning": "E", "error": {"code": 1}, "meta": null}"#).ok()?;
    Some(Node::Object(members).canonical().into_bytes())
}
