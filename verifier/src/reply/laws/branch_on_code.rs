//! The action that a type calls for; no text and no status has a say.
//!
//! Spec: Canonical Reply System Architecture (Final), 3 and 6, Properties; ruling RE-41. It decides, and has no finding of
//! its own: what keeps an agent from acting is reported by the laws of members and types.

use crate::law::Law;
use crate::reply::model::action::Action;
use crate::reply::model::reply_type::ReplyType;

pub(crate) const LAW: Law = Law::named("reply/branch-on-code");

/// The action in the row of the type; each row has one.
pub(crate) fn action(kind: ReplyType) -> Option<Action> {
    Action::from_name(kind.calls_for())
}
