//! A missing member is a gap of the implementation, never a doubt about meaning.
//!
//! Spec: Canonical Reply System Architecture (Final), 8, Separation Rule; ruling RE-25. It decides the class
//! under which other laws report a member, and has no finding of its own.

use crate::json::NodeRef;
use crate::law::Law;
use crate::reply::judgement::Class;

pub(crate) const LAW: Law = Law::named("reply/gap-not-semantic");

impl Class {
    /// The class of a member that is not as it has to be.
    pub(crate) fn of(member: Option<NodeRef<'_>>) -> Self {
        match member {
            None => Self::Gap,
            Some(_) => Self::Form,
        }
    }
}
