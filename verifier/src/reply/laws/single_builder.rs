//! One builder makes the replies of an invocation.
//!
//! Spec: Canonical Reply System Architecture (Final), 9 and 12; rulings RE-10 to RE-12, RE-35, RE-37.

use crate::json::JsonPointer;
use crate::law::Law;
use crate::reply::judgement::Judgement;
use crate::reply::model::source::Site;
use crate::reply::model::trace::Call;

pub(crate) const LAW: Law = Law::named("reply/single-builder");

/// The builder of an invocation, once there is one.
#[derive(Default)]
pub(crate) struct Made<'d>(Option<&'d str>);

impl<'d> Made<'d> {
    /// Makes a builder, and objects if there is one already, whose freeze the second would escape.
    pub(crate) fn make(&mut self, builder: &'d str, at: &JsonPointer, found: &mut Judgement) {
        let first = self.0.replace(builder).is_none();
        if !first {
            found.meaning(LAW, at.clone(), "a second builder escapes the freeze: use the first");
        }
    }

    /// Objects to a call on any other builder.
    pub(crate) fn judge_call(&self, call: &Call<'_>, at: &JsonPointer, found: &mut Judgement) {
        if !self.is(call.b) {
            found.meaning(LAW, at.clone(), "a call on a builder that was never made");
        }
    }

    pub(crate) fn is(&self, builder: &str) -> bool {
        self.0 == Some(builder)
    }
}

/// Objects to a step that makes a reply without a builder.
pub(crate) fn judge_direct(at: &JsonPointer, found: &mut Judgement) {
    let message = "a reply that the one builder of the invocation did not make: use that builder";
    found.meaning(LAW, at.clone(), message);
}

/// The method of the builder that a call site uses; objects to a site without one.
pub(crate) fn judge_site<'s>(
    site: &'s Site<'_>,
    at: impl FnOnce() -> JsonPointer,
    found: &mut Judgement,
) -> Option<&'s [u8]> {
    if site.method.is_none() {
        found.meaning(LAW, at(), "a reply is made without the builder: call its method");
    }
    site.method.as_deref()
}
