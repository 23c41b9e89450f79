//! Which tools are called, and with what.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a plan says it is.
pub const CONTRACT: &str = "assize-probe-plan/v1";
/// Calls that a plan may have.
const MOST: usize = 1000;

/// The calls of a run, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`CONTRACT`].
    pub contract: String,
    /// What is called.
    pub calls: Vec<Planned>,
    /// Tools that a draft could not provide for, with the reason; not looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// The tool.
    pub tool: String,
    /// What it is given.
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

/// A tool that is not called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// The tool.
    pub tool: String,
    /// Why.
    pub why: String,
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// If it is of another shape; the text says where.
    pub fn parse(text: &[u8]) -> Result<Self, String> {
        let plan: Self = serde_json::from_slice(text).map_err(|why| why.to_string())?;
        if plan.contract != CONTRACT {
            return Err(format!("contract is not {CONTRACT:?}"));
        }
        if plan.calls.len() > MOST {
            return Err(format!("more than {MOST} calls"));
        }
        Ok(plan)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_or_says_what_is_wrong() {
        let plan = Plan::parse(br#"{"contract": "assize-probe-plan/v1", "calls": [{"tool": "a"}]}"#).expect("a plan");
        assert_eq!(plan.calls[0], Planned { tool: "a".to_owned(), arguments: Map::new() });
        for bad in [
            r#"{"contract": "assize-probe-plan/v2", "calls": []}"#,
            r#"{"contract": "assize-probe-plan/v1", "calls": [{"tool": "a", "args": {}}]}"#,
            r#"{"contract": "assize-probe-plan/v1", "calls": [{"tool": "a", "arguments": []}]}"#,
            r#"{"contract": "assize-probe-plan/v1"}"#,
        ] {
            assert!(Plan::parse(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
