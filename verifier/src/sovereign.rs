//! The sovereign system: bundles, turns, decisions, issues and the comparison of two runs.
#![allow(missing_docs)]
mod issue_multiplicity;
pub mod reference;
pub mod report;
mod report_identity;
use crate::json::{JsonError, JsonPointer};
pub struct Inputs<'a> { pub bundle_a: &'a [u8], pub bundle_b: &'a [u8], pub registry: Option<&'a [u8]>, pub stage_order: Option<&'a [u8]> }
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads { Caller, Pool }
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError { pub pointer: JsonPointer, pub message: String }
impl InputError { pub fn new(p: impl Into<String>, m: impl Into<String>) -> Self { Self { pointer: JsonPointer::from_text(p), message: m.into() } } }
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection { Json(JsonError), Input(InputError), Uncanonical }
impl From<JsonError> for Rejection { fn from(e: JsonError) -> Self { Self::Json(e) } }
impl From<InputError> for Rejection { fn from(e: InputError) -> Self { Self::Input(e) } }
