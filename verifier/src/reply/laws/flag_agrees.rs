//! The flag of a result: true for I, D and E, absent or false for S.
//!
//! Spec: ruling RE-36: the Model Context Protocol counts input errors and refusals among execution errors.

use crate::json::{JsonPointer, Kind, NodeRef};
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;

pub(crate) const LAW: Law = Law::named("reply/flag-agrees");

/// An ill-typed flag is neither an agreement nor a contradiction: another law objects to it.
pub(crate) fn judge(kind: ReplyType, flag: Option<NodeRef<'_>>, at: &JsonPointer, found: &mut Judgement) {
    let flagged = match flag.map(NodeRef::kind) {
        Some(Kind::True) => true,
        None | Some(Kind::False) => false,
        Some(_) => return,
    };
    if flagged != kind.is_terminal() {
        let due = if flagged { "false or leave it out" } else { "true" };
        let message = format!("isError contradicts type {}: write {due}", kind.letter());
        found.meaning(LAW, at.member("isError"), message);
    }
}
