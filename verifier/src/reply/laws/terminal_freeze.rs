//! A terminal reply freezes its builder for good.
//!
//! Spec: Canonical Reply System Architecture (Final), 10, Rules; ruling RE-35: a call that raised freezes nothing.

use super::single_builder::Made;
use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::reply_type::ReplyType;
use crate::reply::model::trace::Call;

pub(crate) const LAW: Law = Law::named("reply/terminal-freeze");

/// The builder's state.
#[derive(Default)]
pub(crate) struct Freeze(bool);

impl Freeze {
    pub(crate) fn constructed(&mut self, kind: ReplyType) {
        self.0 |= kind.is_terminal();
    }

    /// Objects to a call on the frozen builder; true if it is one.
    pub(crate) fn judge(&self, made: &Made<'_>, call: &Call<'_>, at: &JsonPointer, found: &mut Judgement) -> bool {
        let late = self.0 && made.is(call.b);
        if late {
            found.meaning(LAW, at.clone(), "the builder is frozen: nothing is called on it any more");
        }
        late
    }
}
