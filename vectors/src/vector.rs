//! Test vectors: what a file says, typed.
//!
//! Contract: `vectors/README.md`. A case that loads is well formed; whether it is also lawful in its folder (id, twin,
//! pair, counts, coverage) is the [lint](crate::lint)'s question. Neither says that the expectation is right.

pub mod exact;
mod law;
mod load;
mod model;
mod provenance;
pub mod ruling;

pub use crate::force::{Bound, Force, Forces, Place, Places, Spec, Weight};
pub use crate::source::LoadError;
pub use law::{DeclaredLaw, LAWS, System};
pub use load::{Corpus, Piece, id_of, is_case};
pub use model::{Agreement, Case, Document, Entry, Expect, Expected, Verdict, law_of};
pub use provenance::Provenance;

/// A bug class in `vectors/flags.json`, whatever is said about it.
pub type Flag = serde_json::Value;
