//! Tools and core handle replies, which have three members; those of an envelope are added by the wrapper alone.
//!
//! Spec: Canonical Reply System Architecture (Final), 8, Separation Rule; ruling RE-43.

use serde_json::{Map, Value};

use crate::law::Law;
use crate::reply::model::data::Data;
use crate::reply::model::reply_type::ReplyType;

pub(crate) const LAW: Law = Law::named("reply/envelope-separation");

/// Every member that a reply has.
pub(crate) fn members(kind: ReplyType, code: &str, data: &Data) -> Map<String, Value> {
    let members: [(&str, Value); 3] =
        [("reply_type", kind.letter().into()), ("code", code.into()), ("data", data.clone().into())];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
