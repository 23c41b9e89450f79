//! Reply laws over the results of a run, for servers that carry envelopes.
//!
//! Spec: rulings RE-29, RE-36 and RE-40. The laws themselves are the verifier's: `reply.tool_result`. Trace ids are compared here,
//! over all calls of a run.

use std::collections::BTreeMap;

use assize_verifier::{
    digest::Digest,
    json::NodeRef,
    reply::{self, Rejection},
};
use serde_json::json;

use crate::{
    finding::{Asked, Findings, cut},
    message,
    rules::Force,
    tools::Tool,
};

/// Where laws of replies are written.
const PLACE: &str = "Canonical Reply System Architecture (Final); ruling RE-36";

/// What the calls of a run come to by the reply laws.
#[derive(Debug, Default)]
pub(crate) struct Envelopes {
    found: Findings,
    /// Calls of listed tools that were answered.
    answered: u64,
    /// Answers that carry an envelope.
    carried: u64,
    /// Where each trace id was seen first, by its digest: a server may make them as long as a line.
    ids: BTreeMap<Digest, Asked>,
    /// Why some were not judged.
    pub(crate) unjudged: Vec<String>,
}

impl Envelopes {
    /// Judges the response to one call. `tool` is none for one that is not listed.
    pub(crate) fn judge(&mut self, response: &[u8], tool: Option<&Tool>, valid: bool, revision: &str, asked: &Asked) {
        let Some(document) = message::again(response) else { return };
        let envelope = document.root().get("result").and_then(carried);
        if tool.is_some() && valid {
            self.answered = self.answered.saturating_add(1);
        }
        if envelope.is_some() {
            self.carried = self.carried.saturating_add(1);
        }
        match reply::tool_result(&question(response, tool, valid, revision)) {
            Ok(result) => {
                for breach in result.judgement.findings {
                    let (law, at) = (breach.finding.law.slug(), breach.finding.pointer.as_str());
                    self.found.add((law, Force::Law, PLACE), revision, asked, at, &breach.finding.message);
                }
            }
            Err(why) => self.pass_over(asked, &why),
        }
        if let Some(id) = envelope {
            self.distinct(&id, revision, asked);
        }
    }

    fn pass_over(&mut self, asked: &Asked, why: &Rejection) {
        const MOST: usize = 20;
        if self.unjudged.len() < MOST {
            self.unjudged.push(format!("{}: by reply laws: {}", asked.what, cut(&why.to_string())));
        }
    }

    /// Objects to a trace id that was seen before.
    fn distinct(&mut self, envelope: &str, revision: &str, asked: &Asked) {
        if envelope.is_empty() {
            return;
        }
        let id = Digest::of(envelope.as_bytes());
        match self.ids.get(&id) {
            Some(first) => {
                let message = format!("the trace id of an earlier call, {}", first.what);
                self.found.add(("reply/trace-distinct", Force::Law, PLACE), revision, asked, "/response", &message);
            }
            None => drop(self.ids.insert(id, asked.clone())),
        }
    }

    /// How many calls were answered, and how many answers carry an envelope.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.answered, self.carried)
    }

    /// What is to be told: everything of a server that carries envelopes, and of any other that it does not.
    pub(crate) fn into_found(self) -> Findings {
        if self.carried > 0 {
            return self.found;
        }
        let mut found = Findings::default();
        if self.answered > 0 {
            let message = "no result carries a reply envelope: the reply laws were not asked";
            found.add(("reply/envelope-carried", Force::Note, PLACE), "", &Asked::of("every call"), "", message);
        }
        found
    }
}

/// The document of `reply.tool_result`, the response in it byte for byte.
fn question(response: &[u8], tool: Option<&Tool>, valid: bool, revision: &str) -> Vec<u8> {
    let name = tool.map_or("", |tool| tool.name.as_str());
    let head = format!(r#"{{"protocol_version":{},"tool":{{"name":{}"#, json!(revision), json!(name));
    let listed = format!(r#","listed":{},"arguments_valid":{valid}"#, tool.is_some());
    let mut text = [head.as_bytes(), listed.as_bytes()].concat();
    if let Some(schema) = tool.and_then(|tool| tool.output.as_deref()) {
        text.extend_from_slice(br#","outputSchema":"#);
        text.extend_from_slice(schema);
    }
    text.extend_from_slice(br#"},"response":"#);
    text.extend_from_slice(response);
    text.push(b'}');
    text
}

/// The trace id of the envelope that a result carries, empty where it has none; nothing where it carries no envelope.
fn carried(result: NodeRef<'_>) -> Option<String> {
    let id = |envelope: NodeRef<'_>| {
        // A text that holds one of these names by chance is no envelope.
        let (_, _, meta) = (envelope.get("status")?, envelope.get("reply_type")?, envelope.get("meta")?);
        Some(message::text(meta, "trace_id").unwrap_or_default())
    };
    let structured = result.get("structuredContent");
    let whole = structured.and_then(|content| id(content).or_else(|| content.get("result").and_then(id)));
    whole.or_else(|| {
        let blocks = result.get("content").into_iter().flat_map(NodeRef::elements);
        blocks
            .filter_map(|block| message::text(block, "text"))
            .find_map(|text| id(reply::read(text.as_bytes()).ok()?.root()))
    })
}
