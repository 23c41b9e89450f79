//! Output schemas: whether a trace has the shape that its step promises. Doubtful if not, but no breach
//! (ruling EP-31).
//!
//! A schema is somebody else's program. It is compiled once however many steps share it, it may refer to nothing, and what
//! it may cost is limited: beyond a limit it is not applied, and a warning says so.

use std::collections::HashMap;

use super::contract_shape::{Contract, Step};
use super::limits;
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer};
use crate::law::Law;
use crate::schema::Schema;

/// The schemas of a script, by their text.
pub(super) struct OutputSchemas<'c>(HashMap<&'c [u8], Result<Schema, &'static str>>);

impl<'c> OutputSchemas<'c> {
    pub(super) fn of(contract: &'c Contract) -> Self {
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

    /// What is to be said of a step's trace.
    pub(super) fn remark(&self, step: &Step, trace: &[u8]) -> Option<Finding> {
        let text = step.output_schema.as_deref()?;
        let work = u64::try_from(text.len()).ok()?.checked_mul(u64::try_from(trace.len()).ok()?);
        let schema = match self.0.get(text)? {
            Ok(_) if work.is_none_or(|work| work > limits::SCHEMA_WORK) => {
                Err("schema and trace are too large together")
            }
            Ok(schema) => Ok(schema),
            Err(why) => Err(*why),
        };
        let (pointer, message) = match schema {
            Err(why) => (JsonPointer::root(), format!("the step's output schema was not applied: {why}")),
            Ok(schema) => {
                // The trace was read already.
                let document = Document::parse(trace, &Dialect::EPISODE).ok()?;
                let breach = schema.first_breach(document.root())?;
                (breach.pointer, format!("the step's output schema is broken: {}", breach.message))
            }
        };
        Some(Finding::error(Law::ReplayComparison, pointer, message).as_warning())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::episode::contract_shape::Operation;

    fn remark(schema: &str, trace: &str) -> Option<String> {
        let step = Step {
            step_id: "s".to_owned(),
            operation: Operation::ApplyTransform,
            depends_on: Vec::new(),
            output_schema: Some(schema.as_bytes().to_vec()),
        };
        let contract = Contract::of_steps(vec![step]);
        let step = contract.steps.first().expect("a step");
        OutputSchemas::of(&contract)
            .remark(step, trace.as_bytes())
            .map(|found| format!("{} {}", found.pointer, found.message))
    }

    #[test]
    fn the_first_breach_is_named() {
        assert_eq!(remark(r#"{"type":"array"}"#, "[1]"), None);
        let said = remark(r#"{"items":{"type":"string"}}"#, r#"["a",1,2]"#).expect("a remark");
        assert!(said.starts_with("/1 the step's output schema is broken"), "{said}");
    }

    #[test]
    fn what_could_cost_too_much_is_not_applied() {
        let large = format!(r#"{{"description":"{}"}}"#, "x".repeat(limits::SCHEMA_BYTES));
        let many: Vec<String> =
            (0..20).map(|count| format!(r#"{{"pattern":"\\\\p{{L}}{{{}}}"}}"#, 900 + count)).collect();
        let work = usize::try_from(limits::SCHEMA_WORK).expect("a size") / r#"{"type":"string"}"#.len();
        let long = format!("\"{}\"", "x".repeat(work));
        for (schema, trace) in [
            (large.as_str(), "1"),
            (&format!(r#"{{"allOf":[{}]}}"#, many.join(",")), "1"),
            (r##"{"properties":{"a":{"$ref":"#"}}}"##, "1"),
            (r#"{"type":7}"#, "1"),
            (r#"{"type":"string"}"#, &long),
        ] {
            let said = remark(schema, trace).unwrap_or_default();
            assert!(said.contains("was not applied"), "{said}");
        }
    }
}
