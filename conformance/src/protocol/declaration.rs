//! What a testee declares, and whether a case lies within it.

use std::{borrow::Cow, collections::BTreeMap};

use assize_corpus::{
    operation::{self, Argument},
    unique::Once,
    vector::Case,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::limits::{MANY, NAME};

/// Operations, each with the argument values that are supported. An argument that is not named is not restricted. A value may be
/// declared by a former spelling of it; the testee is then asked with that.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Declaration(#[serde(deserialize_with = "operations")] Operations);

/// Operations, arguments, values.
type Operations = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Operations and their arguments, each named once: a map would keep the last of them in silence.
fn operations<'de, D: Deserializer<'de>>(given: D) -> Result<Operations, D::Error> {
    let given: Once<Once<Vec<String>>> = Once::deserialize(given)?;
    Ok(given.0.into_iter().map(|(operation, arguments)| (operation, arguments.0)).collect())
}

impl Declaration {
    /// What the built-in verifier answers.
    #[must_use]
    pub fn built_in() -> Self {
        serde_json::from_value(Value::Object(super::declared())).unwrap_or_default()
    }

    /// Checks that it is of a size that every case can be held against. What an operation or a value is called, is its own business.
    ///
    /// # Errors
    /// There are too many of something, or a word is too long; the text says what.
    pub fn check(&self) -> Result<(), String> {
        let arguments = || self.0.values().flatten();
        let counts = [
            ("operations", self.0.len()),
            ("arguments of an operation", self.0.values().map(BTreeMap::len).max().unwrap_or_default()),
            ("values of an argument", arguments().map(|(_, values)| values.len()).max().unwrap_or_default()),
        ];
        if let Some((what, count)) = counts.into_iter().find(|(_, count)| *count > MANY) {
            return Err(format!("ops has {count} {what}: declare at most {MANY}"));
        }
        let mut words = self.0.keys().chain(arguments().flat_map(|(name, values)| [name].into_iter().chain(values)));
        if words.any(|word| word.len() > NAME) {
            return Err(format!("ops has a word of more than {NAME} bytes: shorten it"));
        }
        Ok(())
    }

    /// Operations in alphabetical order, with the argument values that are supported.
    pub fn operations(&self) -> impl Iterator<Item = (&str, &BTreeMap<String, Vec<String>>)> {
        self.0.iter().map(|(op, args)| (op.as_str(), args))
    }

    /// Whether an operation is declared for this value of an argument, in whatever spelling.
    #[must_use]
    pub fn has(&self, op: &str, argument: &str, value: &str) -> bool {
        self.0
            .get(op)
            .is_some_and(|args| args.get(argument).is_none_or(|values| declared(op, argument, values, value).is_some()))
    }

    /// Arguments as the testee spells them.
    #[must_use]
    pub fn spelled<'a>(&self, op: &str, args: &'a Map<String, Value>) -> Cow<'a, Map<String, Value>> {
        let mut spelled = Cow::Borrowed(args);
        for (name, values) in self.0.get(op).into_iter().flatten() {
            let Some(Value::String(value)) = args.get(name) else { continue };
            if let Some(spelling) = declared(op, name, values, value).filter(|spelling| spelling != value) {
                spelled.to_mut().insert(name.clone(), Value::from(spelling));
            }
        }
        spelled
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
            if let Some(value) = asked.into_iter().find(|value| declared(&case.op, name, supported, value).is_none()) {
                return Some(format!("{} with {name} {value} is not declared", case.op));
            }
        }
        None
    }
}

/// The spelling in which a value is among the declared ones; its own, if that is.
fn declared<'v>(op: &str, argument: &str, values: &'v [String], value: &str) -> Option<&'v str> {
    let find = |spelling: &str| values.iter().map(String::as_str).find(|known| *known == spelling);
    let known: Option<&Argument> = operation::table().find(op).and_then(|operation| operation.argument(argument));
    find(value).or_else(|| known?.spellings(value).find_map(find))
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
            r#"{"canon.bytes":{"profile":["episode"]},"sovereign.audit":{"profiles":["x"]},"sovereign.order":{}}"#,
        )
        .unwrap();
        for (op, args, lacks) in [
            ("canon.bytes", r#"{"profile":"episode"}"#, None),
            ("canon.bytes", r#"{"profile":"authority"}"#, Some("canon.bytes with profile authority is not declared")),
            ("sovereign.order", "{}", None),
            ("sovereign.audit", "{}", None),
            ("sovereign.audit", r#"{"profiles":["x"]}"#, None),
            ("sovereign.audit", r#"{"profiles":["x","y"]}"#, Some("sovereign.audit with profiles y is not declared")),
            ("sovereign.report_id", "{}", Some("sovereign.report_id is not declared")),
        ] {
            assert_eq!(declared.lacks(&case(op, args)).as_deref(), lacks, "{op} {args}");
        }
        assert!(
            declared.has("canon.bytes", "profile", "episode") && !declared.has("canon.bytes", "profile", "sovereign")
        );
        assert!(declared.has("sovereign.order", "mode", "law") && declared.names("sovereign.order"));
    }

    #[test]
    fn what_every_case_would_be_held_against_has_a_size() {
        let declared = |op: &str, argument: &str, values: &[String]| {
            let values = vec![(argument.to_owned(), values.to_vec())];
            Declaration::from_iter([(op.to_owned(), values.into_iter().collect())])
        };
        let (long, longest) = ("x".repeat(NAME + 1), "x".repeat(NAME));
        let many = |count: usize| (0..count).map(|value| value.to_string()).collect::<Vec<_>>();
        assert_eq!(Declaration::built_in().check(), Ok(()));
        assert_eq!(declared(&longest, &longest, &vec![longest.clone(); MANY]).check(), Ok(()));
        for (ops, why) in [
            (declared(&long, "profile", &[]), "a word of more than 1024 bytes"),
            (declared("canon.bytes", &long, &[]), "a word of more than 1024 bytes"),
            (declared("canon.bytes", "profile", std::slice::from_ref(&long)), "a word of more than 1024 bytes"),
            (declared("canon.bytes", "profile", &many(MANY + 1)), "1025 values of an argument"),
            (many(MANY + 1).into_iter().map(|op| (op, BTreeMap::new())).collect(), "1025 operations"),
            (
                Declaration::from_iter([(
                    "canon.bytes".to_owned(),
                    many(MANY + 1).into_iter().map(|argument| (argument, Vec::new())).collect(),
                )]),
                "1025 arguments of an operation",
            ),
        ] {
            let said = ops.check().unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }

    #[test]
    fn a_former_spelling_declares_its_value_and_is_asked() {
        let declared = |profiles: &[&str]| {
            Declaration::from_iter([(
                "canon.bytes".to_owned(),
                BTreeMap::from([("profile".to_owned(), profiles.iter().map(|name| (*name).to_owned()).collect())]),
            )])
        };
        for (profiles, asked) in [
            (&["jcs"][..], Some("jcs")),
            (&["episode"], Some("episode")),
            (&["jcs", "episode"], Some("episode")),
            (&["rfc8785"], None),
        ] {
            let (declared, case) = (declared(profiles), case("canon.bytes", r#"{"profile":"episode"}"#));
            assert_eq!(declared.lacks(&case).is_none(), asked.is_some(), "{profiles:?}");
            assert_eq!(declared.has("canon.bytes", "profile", "episode"), asked.is_some(), "{profiles:?}");
            let spelled = declared.spelled("canon.bytes", &case.args);
            assert_eq!(spelled["profile"], asked.unwrap_or("episode"), "{profiles:?}");
        }
        // The other way round nothing is meant: what is new has no former name.
        assert!(!declared(&["jcs"]).has("canon.bytes", "profile", "rfc8785"));
    }
}
