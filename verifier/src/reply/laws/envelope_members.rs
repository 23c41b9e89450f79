//! The members of an envelope: all there, each of its JSON kind.
//!
//! Spec: Canonical Reply System Architecture (Final), 8; rulings RE-6 to RE-8, RE-28, RE-29.

use super::{no_auxiliary_outcome, wrapper_duration, wrapper_trace_id};
use crate::json::{JsonPointer, Kind, NodeRef};
use crate::law::Law;
use crate::reply::judgement::{Class, Judgement};
use crate::reply::model::text::Text;

pub(crate) const LAW: Law = Law::named("reply/envelope-members");

/// Members that an envelope may have; `code` by ruling RE-1.
const LISTED: [&str; 6] = ["status", "reply_type", "data", "meta", "error", "code"];

/// What an envelope says of its outcome, as far as it is of the right kind.
pub(crate) struct Outcome<'d> {
    pub(crate) status: Option<Text<'d>>,
    pub(crate) kind: Option<Text<'d>>,
    /// As it stands; absent it is a gap and no contradiction.
    pub(crate) error: Option<NodeRef<'d>>,
}

/// Objects to missing and ill-typed members; none if there are no members at all.
pub(crate) fn judge<'d>(envelope: NodeRef<'d>, at: &JsonPointer, found: &mut Judgement) -> Option<Outcome<'d>> {
    if !envelope.is_object() {
        found.breach(LAW, Class::Form, at.clone(), "an envelope is an object");
        return None;
    }
    let mut outcome = Outcome {
        status: text(envelope, at, "status", found),
        kind: text(envelope, at, "reply_type", found),
        error: None,
    };
    let data = envelope.get("data");
    if !data.is_some_and(|data| matches!(data.kind(), Kind::Object | Kind::Null)) {
        object(data, at.member("data"), found);
    }
    meta(envelope.get("meta"), &at.member("meta"), found);
    outcome.error = envelope.get("error");
    if outcome.error.is_none() {
        breach(None, at.member("error"), "null for S, and otherwise an object with the code", found);
    }
    for (name, _) in envelope.members() {
        let name = name.decode();
        if !LISTED.iter().any(|listed| name == **listed) && !no_auxiliary_outcome::is_member(name.as_bytes()) {
            let place = at.member(&name.to_text_lossy());
            found.advise(LAW, place, "no member of an envelope: put it into data or meta");
        }
    }
    Some(outcome)
}

/// Reads the type alone, for whoever acts on it (ruling RE-41).
pub(crate) fn judge_type<'d>(envelope: NodeRef<'d>, at: &JsonPointer, found: &mut Judgement) -> Option<Text<'d>> {
    if !envelope.is_object() {
        found.breach(LAW, Class::Form, at.clone(), "an envelope is an object");
        return None;
    }
    text(envelope, at, "reply_type", found)
}

/// Reads the trace id alone, which has to be there for whoever reports it (ruling RE-41).
pub(crate) fn judge_trace_id(envelope: NodeRef<'_>, at: &JsonPointer, found: &mut Judgement) -> Option<String> {
    let (meta, at) = (envelope.get("meta"), at.member("meta"));
    let Some(held) = meta.filter(|meta| meta.is_object()) else {
        object(meta, at, found);
        return None;
    };
    let trace_id = held.get("trace_id");
    let sound = trace_id.filter(|trace_id| wrapper_trace_id::is_sound(*trace_id)).and_then(NodeRef::as_string);
    if sound.is_none() {
        breach(trace_id, at.member("trace_id"), wrapper_trace_id::DUE, found);
    }
    sound.map(|text| text.to_text_lossy().into_owned())
}

fn text<'d>(envelope: NodeRef<'d>, at: &JsonPointer, name: &str, found: &mut Judgement) -> Option<Text<'d>> {
    let member = envelope.get(name);
    let text = member.and_then(NodeRef::as_string);
    if text.is_none() {
        breach(member, at.member(name), "a string", found);
    }
    text.map(|text| text.into_bytes())
}

fn object(member: Option<NodeRef<'_>>, at: JsonPointer, found: &mut Judgement) {
    breach(member, at, "an object", found);
}

fn meta(meta: Option<NodeRef<'_>>, at: &JsonPointer, found: &mut Judgement) {
    let Some(held) = meta.filter(|meta| meta.is_object()) else { return object(meta, at.clone(), found) };
    if held.members().next().is_none() {
        return breach(None, at.clone(), "trace_id and duration_ms", found);
    }
    let trace_id = held.get("trace_id");
    if !trace_id.is_some_and(wrapper_trace_id::is_sound) {
        breach(trace_id, at.member("trace_id"), wrapper_trace_id::DUE, found);
    }
    let duration = held.get("duration_ms");
    if !duration.is_some_and(wrapper_duration::is_sound) {
        breach(duration, at.member("duration_ms"), wrapper_duration::DUE, found);
    }
}

fn breach(member: Option<NodeRef<'_>>, at: JsonPointer, due: &str, found: &mut Judgement) {
    let message = match member {
        None => format!("missing: {due}"),
        Some(_) => format!("not as it has to be: {due}"),
    };
    found.breach(LAW, Class::of(member), at, message);
}
