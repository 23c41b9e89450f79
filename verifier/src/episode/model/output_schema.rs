//! Output schemas: the shape that a step promises of its trace.
//!
//! A schema is somebody else's program. It is compiled once however many steps share it, it may refer to nothing, and what
//! it may cost is limited: beyond a limit it is not applied.

use std::collections::HashMap;

use super::contract::{Contract, Step};
use super::limits;
use crate::json::{Dialect, Document};
use crate::rejection::ShapeBreach;
use crate::schema::Schema;

/// The schemas of a script, by their text.
pub(crate) struct OutputSchemas<'c>(HashMap<&'c [u8], Result<Schema, &'static str>>);

/// Why a trace may not have the shape that its step promises.
pub(crate) enum Unpromised {
    /// The schema was not applied.
    NotApplied(&'static str),
    /// The first place where the trace breaks it.
    Broken(ShapeBreach),
}

impl<'c> OutputSchemas<'c> {
    pub(crate) fn of(contract: &'c Contract) -> Self {
        let mut schemas: HashMap<&'c [u8], _> = HashMap::new();
        let mut left = limits::SCHEMA_BYTES;
        for schema in contract.steps.iter().filter_map(|step| step.output_schema.as_deref()) {
            schemas.entry(schema).or_insert_with(|| match left.checked_sub(schema.len()) {
                None => Err("the script's output schemas are larger than their limit"),
                Some(rest) => {
                    left = rest;
                    Schema::compile_foreign(schema)
                }
            });
        }
        Self(schemas)
    }

    /// Holds a step's trace against the step's schema, if it has one.
    pub(crate) fn unpromised(&self, step: &Step, trace: &[u8]) -> Option<Unpromised> {
        let text = step.output_schema.as_deref()?;
        let work = u64::try_from(text.len()).ok()?.checked_mul(u64::try_from(trace.len()).ok()?);
        match self.0.get(text)? {
            Ok(_) if work.is_none_or(|work| work > limits::SCHEMA_WORK) => {
                Some(Unpromised::NotApplied("schema and trace are too large together"))
            }
            Ok(schema) => {
                // The trace was read already.
                let document = Document::parse(trace, &Dialect::EPISODE).ok()?;
                schema.first_breach(document.root()).map(Unpromised::Broken)
            }
            Err(why) => Some(Unpromised::NotApplied(why)),
        }
    }
}
