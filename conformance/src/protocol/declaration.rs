//! What a testee declares, and whether a case lies within it.

use std::collections::BTreeMap;

use assize_corpus::vector::Case;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Operations, each with the argument values that are supported. An argument that is not named is not restricted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Declaration(BTreeMap<String, BTreeMap<String, Vec<String>>>);

impl Declaration {
    /// What the built-in verifier answers.
    #[must_use]
    pub fn built_in() -> Self {
        serde_json::from_value(Value::Object(super::declared())).unwrap_or_default()
    }

    /// Operations in alphabetical order, with the argument values that are supported.
    pub fn operations(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, Vec<String>>)> {
        self.0.iter().map(|(op, args)| (op.as_str(), args))
    }

    /// Whether an operation is declared for this value of an argument.
    #[must_use]
    pub fn has(&self, op: &str, argument: &str, value: &str) -> bool {
        self.0
            .get(op)
            .is_some_and(|args| args.get(argument).is_none_or(|values| values.iter().any(|known| known == value)))
    }

    /// Whether an operation is declared at all.
    #[must_use]
    pub fn names(&self, op: &str) -> bool {
        self.0.contains_key(op)
    }

    /// What a case needs that is not declared; nothing when it may be asked.
    #[must_use]
    pub fn lacks(&self, case: &Case) -> Option<String> {
        let Some(args) = self.0.get(&case.op) else {
            return Some(format!("{} is not declared", case.op));
        };
        for (name, supported) in args {
            let asked = match case.args.get(name) {
                Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
                Some(Value::String(text)) => vec![text.as_str()],
                _ => continue,
            };
            if let Some(value) = asked.into_iter().find(|value| !supported.iter().any(|known| known == value)) {
                return Some(format!("{} with {name} {value} is not declared", case.op));
            }
        }
        None
    }
}

impl FromIterator<(String, BTreeMap<String, Vec<String>>)> for Declaration {
    fn from_iter<I: IntoIterator<Item = (String, BTreeMap<String, Vec<String>>)>>(operations: I) -> Self {
        Self(operations.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(op: &str, args: &str) -> Case {
        let text = format!(
            r#"{{"id":"a/b/c","op":"{op}","args":{args},"spec":{{"document":"d","section":"s"}},"force":"spec","rationale":"r",
                "provenance":"hand","expect":{{"is":"accept"}},"agreement":"verdict"}}"#
        );
        Case::parse("c.json", text.as_bytes()).unwrap()
    }

    #[test]
    fn what_is_not_declared_is_not_asked() {
        let declared: Declaration = serde_json::from_str(
            r#"{"canon.bytes":{"profile":["jcs"]},"sovereign.audit":{"profiles":["x"]},"sovereign.order":{}}"#,
        )
        .unwrap();
        for (op, args, lacks) in [
            ("canon.bytes", r#"{"profile":"jcs"}"#, None),
            ("canon.bytes", r#"{"profile":"authority"}"#, Some("canon.bytes with profile authority is not declared")),
            ("sovereign.order", "{}", None),
            ("sovereign.audit", "{}", None),
            ("sovereign.audit", r#"{"profiles":["x"]}"#, None),
            ("sovereign.audit", r#"{"profiles":["x","y"]}"#, Some("sovereign.audit with profiles y is not declared")),
            ("sovereign.report_id", "{}", Some("sovereign.report_id is not declared")),
        ] {
            assert_eq!(declared.lacks(&case(op, args)).as_deref(), lacks, "{op} {args}");
        }
        assert!(declared.has("canon.bytes", "profile", "jcs") && !declared.has("canon.bytes", "profile", "sovereign"));
        assert!(declared.has("sovereign.order", "mode", "law") && declared.names("sovereign.order"));
    }
}
