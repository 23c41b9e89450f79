//! Types of ledgers, records, graphs and runs, and their readers: what is there, and no law.

pub(crate) mod canonical;
pub(crate) mod ledger;
pub mod limits;
pub(crate) mod member;
pub(crate) mod outcome;
pub(crate) mod record;
pub(crate) mod recorded;
pub(crate) mod release;
pub(crate) mod topology;
