//! The reply system: codes, registries, envelopes, builder traces, tool results and call sites.
//!
//! Spec: Canonical Reply System Architecture (Final); rulings RE-1 to RE-37.
//!
//! One module a law, named like its slug, and one for each kind of artefact, which walks it and asks the laws:
//! [`code()`], [`registry()`], [`envelope()`], [`trace()`], [`tool_result()`] and [`source()`]. Each answers with findings
//! and with advice; advice changes no verdict. [`ReplyBuilder`] is the pattern for implementers, lawful by its types.
//!
//! ```
//! use assize_verifier::law::Law;
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
//! assert_eq!(found.laws(), [Law::ReplyNoAuxiliaryOutcome]);
//! # Ok::<(), reply::Rejection>(())
//! ```

mod area_not_tool_name;
mod area_registered;
mod axes_distinct;
mod builder;
mod builder_api;
mod code;
mod code_never_reused;
mod code_registered;
mod code_shape;
mod code_unique;
mod content_present;
mod contract_area_gate;
mod crash_is_error;
mod envelope;
mod envelope_carried;
mod envelope_members;
mod error_agrees;
mod flag_agrees;
mod gap_not_semantic;
mod judgement;
mod layer_closed;
mod layer_type_matrix;
mod legacy_retired;
mod member;
mod no_auxiliary_outcome;
mod no_forbidden_methods;
mod no_protocol_error;
mod no_raw_return;
mod number_from_one;
mod one_outcome;
pub(crate) mod operations;
mod registry;
mod reply_shape;
mod result_sound;
mod schema_covers_envelope;
mod single_builder;
mod single_registry;
mod source;
mod status_agrees;
mod terminal_freeze;
mod terminal_return;
mod text;
mod tool_result;
mod trace;
mod type_agrees;
mod type_closed;
mod wrapper_duration;
mod wrapper_pure;
mod wrapper_trace_id;

pub use crate::rejection::Rejection;
pub use builder::{Crash, Data, Envelope, Refused, Reply, ReplyBuilder, Wrapper};
pub use code::{Code, code};
pub use envelope::envelope;
pub use gap_not_semantic::Class;
pub use judgement::{Advice, Breach, Judgement, Party};
pub use layer_closed::Layer;
pub use registry::registry;
pub use source::source;
pub use text::read;
pub use tool_result::{ToolResult, tool_result};
pub use trace::{Trace, trace};
pub use type_closed::ReplyType;
