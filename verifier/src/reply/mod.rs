//! The reply system: codes, registries, envelopes, builder traces, tool results and call sites, what an agent does after an
//! envelope, and what builders and wrappers make.
//!
//! Spec: Canonical Reply System Architecture (Final); rulings RE-1 to RE-43.
//!
//! `model` holds types and readers that know no law, `laws` one module a law, named like its slug. One module for each
//! kind of artefact says in which order the laws judge it: [`code()`], [`registry()`], [`envelope()`], [`trace()`],
//! [`tool_result()`] and [`source()`]. Each answers with findings and with advice; advice changes no verdict. [`action()`] says what an
//! agent does. [`ReplyBuilder`] and [`Wrapper`] are the pattern for implementers, the builder lawful by its types; [`build()`] and [`wrap()`]
//! run them by a script.
//!
//! ```
//! use assize_verifier::reply;
//!
//! let found = reply::envelope(
//!     br#"{"status": "success", "reply_type": "S", "data": {"warnings": []},
//!          "meta": {"trace_id": "t-1", "duration_ms": 3}, "error": null}"#,
//! )?;
//! assert!(found.is_lawful());
//!
//! // A warning beside the outcome is a fifth kind of outcome.
//! let found = reply::envelope(
//!     br#"{"status": "success", "reply_type": "S", "data": {}, "warnings": [],
//!          "meta": {"trace_id": "t-1", "duration_ms": 3}, "error": null}"#,
//! )?;
//! let broken: Vec<_> = found.laws().iter().map(|law| law.slug()).collect();
//! assert_eq!(broken, ["reply/no-auxiliary-outcome"]);
//! # Ok::<(), reply::Rejection>(())
//! ```

mod action;
mod build;
mod builder;
mod code;
mod declared;
mod envelope;
mod judgement;
pub(crate) mod laws;
mod model;
pub(crate) mod operations;
mod registry;
mod source;
mod tool_result;
mod trace;
mod wrap;
mod wrapper;

pub use crate::rejection::Rejection;
pub use action::{Acted, action};
pub use build::{Built, build};
pub use builder::{Codes, Crash, Refused, Reply, ReplyBuilder};
pub use code::code;
pub use declared::{Declared, breach_of_declared, declared};
pub use envelope::envelope;
pub use judgement::{Breach, Class, Judgement, Party};
pub use model::action::Action;
pub use model::code::{Code, Layer};
pub use model::data::Data;
pub use model::equal::equal;
pub use model::reply_type::ReplyType;
pub use model::text::read;
pub use registry::registry;
pub use source::source;
pub use tool_result::{ToolResult, tool_result};
pub use trace::{Trace, trace};
pub use wrap::wrap;
pub use wrapper::{Envelope, Wrapper};
