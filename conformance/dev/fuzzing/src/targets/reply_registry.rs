//! Registries with their revisions and what uses them, and call sites: findings as the Python oracle gives them, in any order of
//! what has no order.
//!
//! Spec: Canonical Reply System Architecture (Final), 4 to 6, 9 and 12; rulings RE-28, RE-31 to RE-34, RE-37.

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
pub struct ReplyRegistry;

/// What is judged: each document twice, in two spellings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registries {
    /// A registry with its history and what uses it.
    pub registry: reply::Spelt,
    /// Call sites with a registry.
    pub source: reply::Spelt,
}

impl Target for ReplyRegistry {
    const NAME: &'static str = "reply_registry";
    const KIND: Kind = Kind::Differential;
    const LAW: &'static str = "`reply/*` of registries and call sites: a second source in Python finds the same; another \
                               spelling, and another order of tools and of retired codes, change nothing";
    type Input = Registries;

    fn decode(octets: &[u8]) -> Option<Registries> {
        let (registry, source) = reply::registry(&mut Unstructured::new(octets)).ok()?;
        Some(Registries { registry, source })
    }

    fn documents(input: &Registries) -> Documents {
        let documents = Documents::default().with("registry", &input.registry.document);
        let documents = documents.with("source", &input.source.document);
        documents.with("respelt/registry", &input.registry.respelt).with("respelt/source", &input.source.respelt)
    }

    fn input(documents: &Documents) -> Result<Registries, DocumentError> {
        let spelt = |name: &str| {
            let (document, respelt) = (documents.octets(name)?, documents.octets(&format!("respelt/{name}"))?);
            Ok(reply::Spelt { document, respelt })
        };
        Ok(Registries { registry: spelt("registry")?, source: spelt("source")? })
    }

    fn asks(_input: &Registries) -> Vec<Question> {
        vec![
            Question::of("reply.registry").doc("registry", "registry"),
            Question::of("reply.source").doc("source", "source"),
        ]
    }

    fn check(input: &Registries) -> Result<(), String> {
        let asked = [("reply.registry", "registry", &input.registry), ("reply.source", "source", &input.source)];
        for (op, name, spelt) in asked {
            let answer = agree(&request(op, name, spelt.document.as_slice()))?;
            same_in(op, name, &answer, &spelt.respelt)?;
            let other = in_another_order(&spelt.document).filter(|_| answer != Answer::reject("A_JSON"));
            other.map_or(Ok(()), |other| same_in(op, name, &answer, &other))?;
        }
        Ok(())
    }
}

/// A registry, or call sites with one, with tools and retired codes the other way round.
fn in_another_order(document: &[u8]) -> Option<Vec<u8>> {
    let mut document = Node::parse(std::str::from_utf8(document).ok()?).ok()?;
    // Call sites have theirs inside.
    let place = if document.member("registry").is_some() { member(&mut document, "registry")? } else { &mut document };
    reverse(place, "tools");
    for name in ["registries", "earlier"] {
        if let Some(Node::Array(each)) = member(place, name) {
            each.iter_mut().for_each(|one| reverse(one, "retired"));
        }
    }
    Some(document.canonical().into_bytes())
}

fn member<'n>(node: &'n mut Node, name: &str) -> Option<&'n mut Node> {
    if let Node::Object(members) = node { members.get_mut(name) } else { None }
}

fn reverse(holder: &mut Node, name: &str) {
    if let Some(Node::Array(items)) = member(holder, name) {
        items.reverse();
    }
}
