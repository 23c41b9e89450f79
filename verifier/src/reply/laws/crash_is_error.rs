//! After an exception that nobody handled, the outcome is an error.
//!
//! Spec: Canonical Reply System Architecture (Final), 11, Critical Rule; rulings RE-12, RE-22: any E code will do.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;

pub(crate) const LAW: Law = Law::named("reply/crash-is-error");

pub(crate) fn judge(emitted: Option<ReplyType>, at: &JsonPointer, found: &mut Judgement) {
    let told = emitted == Some(ReplyType::E);
    if !told {
        found.meaning(LAW, at.clone(), "an exception became another outcome: a crash is always E");
    }
}
