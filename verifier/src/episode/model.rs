//! What the laws of episodes are about: documents as types, members, limits, spellings, and the proofs of the phases.
//!
//! Nothing here knows a law: readers give a value or none, and what follows from that is said in the laws' modules.

pub(crate) mod canonical;
pub(crate) mod contract;
pub(crate) mod findings;
pub(crate) mod inquiry;
pub mod limits;
pub(crate) mod made;
pub(crate) mod manifest;
pub(crate) mod member;
pub(crate) mod options;
pub(crate) mod output_schema;
pub(crate) mod payload;
pub(crate) mod proof;
pub(crate) mod receipt;
pub(crate) mod signature;
pub(crate) mod time;
pub(crate) mod verdict;
