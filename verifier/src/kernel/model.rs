//! What the kernel's laws are about: records, names, places, issues, and homes. Nothing here knows a law.

pub(crate) mod crash_point;
pub(crate) mod executed;
pub(crate) mod home;
pub(crate) mod issue;
pub(crate) mod known;
pub mod layout;
pub(crate) mod ledger;
pub(crate) mod member;
pub(crate) mod plan;
pub(crate) mod pointing;
pub(crate) mod record;
pub(crate) mod reference;
pub(crate) mod references;
pub(crate) mod revision;
pub(crate) mod snapshot;
pub(crate) mod states;
pub(crate) mod token;
pub(crate) mod triplets;
