//! What a testee can be asked beside its operations.
//!
//! Contract: `contracts/interface/protocol.md`, Capabilities. What is absent is the default, which is everything, so that a testee that
//! knows nothing of capabilities is asked everything. An undeclared need is not asked; an undeclared output is not compared.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use assize_corpus::{
    needs::{Needs, Survivor},
    operation,
    unique::Once,
};
use serde::{Deserialize, Deserializer, Serialize};

use super::limits::{DIGITS, MANY, NAME};

/// What stands between the harness and the implementation, where documents are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reader {
    /// A reader of its own.
    #[default]
    Text,
    /// A foreign one: the implementation takes values.
    Value,
}

/// What may stand at the top of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Roots {
    /// Any value.
    #[default]
    Any,
    /// Objects and arrays.
    Containers,
}

/// What a testee declares in its hello.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Capabilities {
    /// `canon.bytes`: who reads the document.
    #[serde(skip_serializing_if = "is_default")]
    pub input: Reader,
    /// What survives a foreign reader.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<BTreeSet<String>>,
    /// `canon.bytes`: what may stand at the top.
    #[serde(skip_serializing_if = "is_default")]
    pub roots: Roots,
    /// Deepest nesting of a document; nothing without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<u64>,
    /// `canon.bytes`: the largest absolute integer token, as digits; nothing without a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_integer: Option<String>,
    /// Steps of `kernel.scenario`; nothing for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<BTreeSet<String>>,
    /// Optional outputs by operation; an operation that is not named gives all.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "outputs")]
    outputs: Option<BTreeMap<String, BTreeSet<String>>>,
    /// Named extras of later revisions; nothing for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<BTreeSet<String>>,
}

fn left_out(outputs: usize) -> String {
    format!("{outputs} outputs left out")
}

/// Optional outputs of operations that are each named once: a map would keep the last in silence.
fn outputs<'de, D: Deserializer<'de>>(given: D) -> Result<Option<BTreeMap<String, BTreeSet<String>>>, D::Error> {
    Ok(Option::<Once<BTreeSet<String>>>::deserialize(given)?.map(|outputs| outputs.0))
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Scenarios whose steps name paths out of their home may be asked.
const HOSTILE_PATHS: &str = "hostile-paths";

/// Named extras that are known.
pub const FEATURES: [&str; 1] = [HOSTILE_PATHS];

impl Capabilities {
    /// Whether anything less than everything was declared.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        is_default(self)
    }

    /// Checks the words and numbers of a declaration.
    ///
    /// # Errors
    /// An unknown word, or a limit that is none; the text says which.
    pub fn check(&self) -> Result<(), String> {
        let known = |member: &str, given: &Option<BTreeSet<String>>, known: &[&str]| {
            let stranger = given.iter().flatten().find(|word| !known.contains(&word.as_str()));
            stranger.map_or(Ok(()), |word| {
                Err(format!("capabilities.{member} has the unknown word {word:?}: use {}", known.join(", ")))
            })
        };
        known("values", &self.values, &Survivor::ALL.map(Survivor::name))?;
        known("features", &self.features, &FEATURES)?;
        known("steps", &self.steps, &steps())?;
        if self.values.is_some() && self.input == Reader::Text {
            return Err("capabilities.values belongs to input \"value\": leave it out".to_owned());
        }
        if self.max_depth == Some(0) {
            return Err("capabilities.max_depth is 0: give at least 1, or null".to_owned());
        }
        if let Some(digits) = &self.max_integer
            && (digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()))
        {
            return Err(format!("capabilities.max_integer is {digits:?}: give decimal digits as text, or null"));
        }
        if let Some(digits) = self.max_integer.as_ref().filter(|digits| digits.len() > DIGITS) {
            let count = digits.len();
            return Err(format!("capabilities.max_integer has {count} digits: give at most {DIGITS}, or null"));
        }
        let outputs = self.outputs.iter().flatten();
        if outputs.clone().count() > MANY || outputs.clone().any(|(op, _)| op.len() > NAME) {
            return Err(format!(
                "capabilities.outputs: name at most {MANY} operations, with at most {NAME} bytes each"
            ));
        }
        for (op, outputs) in outputs {
            let optional = optional(op);
            if let Some(stranger) = outputs.iter().find(|name| !optional.contains(*name)) {
                return Err(format!("capabilities.outputs: {op} has no optional output {stranger:?}"));
            }
        }
        Ok(())
    }

    /// What a case needs that is not declared; nothing when it may be asked.
    #[must_use]
    pub fn lacks(&self, needs: &Needs) -> Option<String> {
        if self.input == Reader::Value {
            if needs.text {
                return Some("needs input text: only a reader can see what is wrong".to_owned());
            }
            let survives = |survivor: &Survivor| self.values.iter().flatten().any(|word| word == survivor.name());
            if let Some(survivor) = needs.survivors.iter().find(|survivor| !survives(survivor)) {
                return Some(format!("needs the value {}", survivor.name()));
            }
        }
        let declares = |feature: &str| self.features.as_ref().is_none_or(|features| features.contains(feature));
        if needs.hostile_paths && !declares(HOSTILE_PATHS) {
            return Some(format!("needs the feature {HOSTILE_PATHS}: a step leads out of its home"));
        }
        let steps = self.steps.as_ref()?;
        let step = needs.steps.iter().find(|step| !steps.contains(*step))?;
        Some(format!("needs the step {step}"))
    }

    /// The declared limit that a case lies beyond: a rejection of it says nothing.
    #[must_use]
    pub fn beyond(&self, needs: &Needs) -> Option<String> {
        if self.roots == Roots::Containers && needs.scalar {
            return Some("beyond roots: a scalar stands at the top".to_owned());
        }
        if let Some(most) = self.max_depth.filter(|most| needs.depth as u64 > *most) {
            return Some(format!("beyond max_depth {most}: nested {} deep", needs.depth));
        }
        let rank = |digits: &str| {
            let digits = digits.trim_start_matches('0').to_owned();
            (digits.len(), digits)
        };
        let (most, integer) = (self.max_integer.as_deref()?, needs.integer.as_deref()?);
        (rank(integer) > rank(most))
            .then(|| format!("beyond max_integer {}: an integer has {} digits", told(most), integer.len()))
    }

    /// Optional outputs that are not compared, by operation.
    #[must_use]
    pub fn undeclared(&self) -> BTreeMap<String, BTreeSet<String>> {
        let missing = |(op, declared): (&String, &BTreeSet<String>)| {
            (op.clone(), optional(op).into_iter().filter(|name| !declared.contains(name)).collect())
        };
        self.outputs.iter().flatten().map(missing).collect()
    }

    /// Whether this is as much as a level owes, and what is missing if not.
    #[must_use]
    pub fn owes(&self, owed: &operation::Owed) -> Option<String> {
        let rank = |digits: &str| {
            let digits = digits.trim_start_matches('0').to_owned();
            (digits.len(), digits)
        };
        if owed.text && self.input == Reader::Value {
            return Some("owes input text".to_owned());
        }
        if self.max_depth.is_some_and(|most| most < owed.max_depth) {
            return Some(format!("owes max_depth {}", owed.max_depth));
        }
        if let Some(most) = self.max_integer.as_deref() {
            if owed.every_integer {
                return Some("owes every integer".to_owned());
            }
            if let Some(owed) = owed.max_integer.as_deref().filter(|owed| rank(owed) > rank(most)) {
                return Some(format!("owes max_integer {owed}"));
            }
        }
        let declared = self.steps.as_ref()?;
        let step = owed.steps.iter().find(|step| !declared.contains(*step))?;
        Some(format!("owes the step {step}"))
    }

    /// What is less than the default and bears on a level, for its title: `value`, `containers` and the like.
    #[must_use]
    pub fn restrictions(&self, level: &operation::Level) -> Vec<String> {
        let names = |op: &str| level.operations.iter().any(|need| need.op == op);
        let mut less = Vec::new();
        if names("canon.bytes") {
            less.extend((self.input == Reader::Value).then(|| "value".to_owned()));
            less.extend((self.roots == Roots::Containers).then(|| "containers".to_owned()));
            less.extend(self.max_integer.as_ref().map(|most| format!("integers to {}", told(most))));
        }
        less.extend(self.max_depth.map(|most| format!("depth {most}")));
        if names("kernel.scenario") {
            less.extend(self.steps.as_ref().map(|steps| format!("{} of {} steps", steps.len(), self::steps().len())));
            less.extend(self.features_lacking());
        }
        let missing: usize =
            self.undeclared().iter().filter(|(op, _)| names(op)).map(|(_, outputs)| outputs.len()).sum();
        less.extend((missing > 0).then(|| left_out(missing)));
        less
    }

    /// The known extras that are not declared, in words.
    fn features_lacking(&self) -> impl Iterator<Item = String> {
        let declares = |feature: &&str| self.features.as_ref().is_none_or(|features| features.contains(*feature));
        FEATURES.iter().filter(move |feature| !declares(feature)).map(|feature| format!("without {feature}"))
    }
}

impl fmt::Display for Capabilities {
    /// What is less than everything, in the words of the declaration; empty for everything.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut less = Vec::new();
        less.extend((self.input == Reader::Value).then(|| "input value".to_owned()));
        less.extend((self.roots == Roots::Containers).then(|| "roots containers".to_owned()));
        less.extend(self.max_depth.map(|most| format!("max_depth {most}")));
        less.extend(self.max_integer.as_ref().map(|most| format!("max_integer {}", told(most))));
        less.extend(self.steps.as_ref().map(|steps| format!("{} of {} steps", steps.len(), self::steps().len())));
        let missing: usize = self.undeclared().values().map(BTreeSet::len).sum();
        less.extend((missing > 0).then(|| left_out(missing)));
        less.extend(self.features_lacking());
        f.write_str(&less.join(", "))
    }
}

/// An integer for a text that is written for each case: a long one by its first digits and their number.
fn told(digits: &str) -> String {
    const SHOWN: usize = 40;
    match digits.get(..SHOWN) {
        Some(start) if digits.len() > SHOWN => format!("{start}... ({} digits)", digits.len()),
        _ => digits.to_owned(),
    }
}

/// The optional outputs of an operation.
fn optional(op: &str) -> BTreeSet<String> {
    let operation = operation::table().find(op);
    let outputs = operation.into_iter().flat_map(|operation| operation.accept.iter().chain(&operation.reject.out));
    outputs.filter(|out| out.optional).map(|out| out.name.clone()).collect()
}

/// The steps of scenarios, of every operation that has any.
fn steps() -> Vec<&'static str> {
    operation::table().operations.iter().flat_map(|operation| &operation.steps).map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> Capabilities {
        serde_json::from_str(text).unwrap()
    }

    fn needs() -> Needs {
        Needs::default()
    }

    #[test]
    fn what_is_absent_is_everything() {
        let all = declared("{}");
        assert!(all.is_everything() && all.check().is_ok() && all.undeclared().is_empty());
        let hard = Needs { text: true, scalar: true, depth: 9999, integer: Some("9".repeat(40)), ..needs() };
        assert_eq!((all.lacks(&hard), all.beyond(&hard)), (None, None));
        assert_eq!(serde_json::to_string(&all).unwrap(), "{}");
        assert_eq!(declared(r#"{"input":"text","max_depth":null,"later":[1]}"#), all);
    }

    #[test]
    fn a_library_of_values_is_not_asked_what_only_a_reader_sees() {
        let value = declared(r#"{"input":"value","values":["overflow"]}"#);
        assert!(value.lacks(&Needs { text: true, ..needs() }).unwrap().contains("input text"));
        let survivor = |survivor| Needs { survivors: [survivor].into(), ..needs() };
        assert_eq!(value.lacks(&survivor(Survivor::Overflow)), None);
        assert_eq!(value.lacks(&survivor(Survivor::LoneSurrogate)).unwrap(), "needs the value lone-surrogate");
        assert!(declared(r#"{"input":"value"}"#).lacks(&survivor(Survivor::Overflow)).is_some());
    }

    #[test]
    fn a_path_out_of_the_home_is_asked_of_who_declares_it() {
        let hostile = Needs { hostile_paths: true, ..needs() };
        for (text, asked) in [("{}", true), (r#"{"features":["hostile-paths"]}"#, true), (r#"{"features":[]}"#, false)]
        {
            assert_eq!(declared(text).lacks(&hostile).is_none(), asked, "{text}");
            assert_eq!(declared(text).lacks(&needs()), None);
        }
        let none = declared(r#"{"features":[]}"#);
        assert_eq!(none.to_string(), "without hostile-paths");
        let level = |name: &str| operation::table().level(name).unwrap();
        assert_eq!(none.restrictions(level("kernel")), ["without hostile-paths"]);
        assert_eq!(none.restrictions(level("reply")), [""; 0]);
    }

    #[test]
    fn limits_are_met_one_past_them() {
        let limits = declared(r#"{"roots":"containers","max_depth":2,"max_integer":"0100"}"#);
        assert_eq!(limits.beyond(&Needs { depth: 2, integer: Some("100".to_owned()), ..needs() }), None);
        for beyond in [
            Needs { scalar: true, ..needs() },
            Needs { depth: 3, ..needs() },
            Needs { integer: Some("101".to_owned()), ..needs() },
            Needs { integer: Some("1000".to_owned()), ..needs() },
        ] {
            assert!(limits.beyond(&beyond).is_some(), "{beyond:?}");
        }
        let level = |name: &str| operation::table().levels.iter().find(|level| level.name == name).unwrap();
        assert_eq!(
            limits.restrictions(level("canonical-form-sovereign")),
            ["containers", "integers to 0100", "depth 2"]
        );
        assert_eq!(limits.restrictions(level("reply")), ["depth 2"]);
    }

    #[test]
    fn words_that_nobody_knows_are_refused() {
        for (text, said) in [
            (r#"{"input":"value","values":["nan"]}"#, "unknown word \"nan\""),
            (r#"{"features":["time-travel"]}"#, "unknown word"),
            (r#"{"steps":["dance"]}"#, "unknown word"),
            (r#"{"values":[]}"#, "belongs to input"),
            (r#"{"max_depth":0}"#, "max_depth is 0"),
            (r#"{"max_integer":"1e3"}"#, "decimal digits"),
            (r#"{"outputs":{"canon.bytes":["bytes"]}}"#, "no optional output"),
        ] {
            let why = declared(text).check().unwrap_err();
            assert!(why.contains(said), "{text}: {why}");
        }
        for text in [r#"{"input":"bytes"}"#, r#"{"max_depth":"2"}"#, r#"{"max_integer":2}"#, r#"{"steps":"all"}"#] {
            assert!(serde_json::from_str::<Capabilities>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_stands_in_every_report_has_a_size() {
        let refused = |text: String| declared(&text).check().unwrap_err();
        for digit in ["0", "9"] {
            let limit = |digits: usize| format!(r#"{{"max_integer":"{}"}}"#, digit.repeat(digits));
            assert!(refused(limit(5000)).contains("has 5000 digits"));
            assert!(refused(limit(DIGITS + 1)).len() < 200);
            assert_eq!(declared(&limit(DIGITS)).check(), Ok(()));
        }
        let outputs = |op: &str| format!(r#"{{"outputs":{{"{op}":[]}}}}"#);
        assert!(refused(outputs(&"x".repeat(NAME + 1))).contains("at most 1024 bytes each"));
        assert_eq!(declared(&outputs(&"x".repeat(NAME))).check(), Ok(()));
        let many = (0..=MANY).map(|op| format!(r#""{op}":[]"#)).collect::<Vec<_>>().join(",");
        assert!(refused(format!(r#"{{"outputs":{{{many}}}}}"#)).contains("at most 1024 operations"));
    }

    #[test]
    fn a_long_limit_is_not_written_out_for_each_case() {
        let long = declared(&format!(r#"{{"max_integer":"{}"}}"#, "1".repeat(4300)));
        let beyond = long.beyond(&Needs { integer: Some("1".repeat(4301)), ..needs() }).unwrap();
        assert_eq!(
            beyond,
            format!("beyond max_integer {}... (4300 digits): an integer has 4301 digits", "1".repeat(40))
        );
        assert!(long.to_string().len() < 100);
        assert_eq!(declared(r#"{"max_integer":"9007199254740991"}"#).to_string(), "max_integer 9007199254740991");
    }

    #[test]
    fn a_level_is_owed_what_it_owes() {
        let owed =
            operation::Owed { max_depth: 64, max_integer: Some("9007199254740991".to_owned()), ..Default::default() };
        assert_eq!(declared(r#"{"max_depth":64,"max_integer":"9007199254740991"}"#).owes(&owed), None);
        assert_eq!(declared(r#"{"max_depth":63}"#).owes(&owed).unwrap(), "owes max_depth 64");
        assert_eq!(
            declared(r#"{"max_integer":"9007199254740990"}"#).owes(&owed).unwrap(),
            "owes max_integer 9007199254740991"
        );
        let text = operation::Owed { text: true, every_integer: true, ..Default::default() };
        assert_eq!(declared(r#"{"input":"value"}"#).owes(&text).unwrap(), "owes input text");
        assert_eq!(declared(r#"{"max_integer":"9"}"#).owes(&text).unwrap(), "owes every integer");
    }
}
