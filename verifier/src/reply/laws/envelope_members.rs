//! The members of an envelope, as `contracts/reply/tables/envelope.json` states them: all there, each of its JSON kind.
//!
//! Spec: Canonical Reply System Architecture (Final), 8; rulings RE-6 to RE-8, RE-28, RE-29.

use super::{no_auxiliary_outcome, wrapper_duration, wrapper_trace_id};
use crate::json::{JsonPointer, Kind, NodeRef};
use crate::law::Law;
use crate::reply::judgement::{Class, Judgement};
use crate::reply::model::text::Text;
use crate::tables::reply::envelope::{ROWS, Row};

pub(crate) const LAW: Law = Law::named("reply/envelope-members");

const TYPE: &str = "reply_type";
const META: &str = "meta";
const TRACE: &str = "trace_id";
const DURATION: &str = "duration_ms";

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
    for row in of(None) {
        member(row, envelope, at, found);
    }
    if let Some(meta) = envelope.get(META).filter(|meta| meta.is_object()) {
        within(META, meta, &at.member(META), found);
    }
    for (name, _) in envelope.members() {
        let name = name.decode();
        if !of(None).any(|row| name == *row.member) && !no_auxiliary_outcome::is_member(name.as_bytes()) {
            let place = at.member(&name.to_text_lossy());
            found.advise(LAW, place, "no member of an envelope: put it into data or meta");
        }
    }
    let text = |name: &str| envelope.get(name).and_then(NodeRef::as_string).map(|text| text.into_bytes());
    Some(Outcome { status: text("status"), kind: text(TYPE), error: envelope.get("error") })
}

/// Reads the type alone, for whoever acts on it (ruling RE-41).
pub(crate) fn judge_type<'d>(envelope: NodeRef<'d>, at: &JsonPointer, found: &mut Judgement) -> Option<Text<'d>> {
    if !envelope.is_object() {
        found.breach(LAW, Class::Form, at.clone(), "an envelope is an object");
        return None;
    }
    let row = of(None).find(|row| row.member == TYPE)?;
    member(row, envelope, at, found)?.as_string().map(|text| text.into_bytes())
}

/// Reads the trace id alone, which has to be there for whoever reports it (ruling RE-41).
pub(crate) fn judge_trace_id(envelope: NodeRef<'_>, at: &JsonPointer, found: &mut Judgement) -> Option<String> {
    let row = of(None).find(|row| row.member == META)?;
    let meta = member(row, envelope, at, found)?;
    let row = of(Some(META)).find(|row| row.member == TRACE)?;
    let trace_id = member(row, meta, &at.member(META), found)?.as_string()?;
    Some(trace_id.to_text_lossy().into_owned())
}

/// The rows of members that stand in this one, or in the envelope itself.
fn of(within: Option<&str>) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(move |row| row.within == within)
}

/// Reads one member, and objects to one that is owed and absent, or not as its row says.
fn member<'d>(row: &Row, of: NodeRef<'d>, at: &JsonPointer, found: &mut Judgement) -> Option<NodeRef<'d>> {
    let member = of.get(row.member);
    let fits = member.map_or(!row.owed, |member| row.agrees || is_sound(row, member));
    if !fits {
        breach(member, at.member(row.member), row.due, found);
    }
    member.filter(|_| fits)
}

/// Judges the members of a member; where none is there, all are missing at once.
fn within(name: &str, member_of: NodeRef<'_>, at: &JsonPointer, found: &mut Judgement) {
    if member_of.members().next().is_none() {
        let owed: Vec<_> = of(Some(name)).filter(|row| row.owed).map(|row| row.member).collect();
        return breach(None, at.clone(), &owed.join(" and "), found);
    }
    for row in of(Some(name)) {
        member(row, member_of, at, found);
    }
}

/// Whether a member is of one of its kinds, and what else is asked of it.
fn is_sound(row: &Row, member: NodeRef<'_>) -> bool {
    let of_kind = row.kinds.contains(&kind(member));
    of_kind
        && match row.member {
            TRACE => wrapper_trace_id::is_sound(member),
            DURATION => wrapper_duration::is_sound(member),
            _ => true,
        }
}

/// The kind of a value, as the table calls it.
fn kind(value: NodeRef<'_>) -> &'static str {
    match value.kind() {
        Kind::Object => "object",
        Kind::Array => "array",
        Kind::String => "string",
        Kind::Number => "number",
        Kind::True | Kind::False => "boolean",
        Kind::Null => "null",
    }
}

fn breach(member: Option<NodeRef<'_>>, at: JsonPointer, due: &str, found: &mut Judgement) {
    let message = match member {
        None => format!("missing: {due}"),
        Some(_) => format!("not as it has to be: {due}"),
    };
    found.breach(LAW, Class::of(member), at, message);
}
