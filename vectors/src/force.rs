//! With what right an expectation binds, place by place.
//!
//! Contract: `vectors/README.md`, Force. A part of an expectation that a stranger can read in a specification binds as `spec`; one
//! that only a ruling decides as `ruling ID`; one that the text leaves open as `permitted`; and what is a convention of the
//! protocol as `interface`. Which force a place has follows from the case, then from its operation, then from the verdict.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt,
};

mod place;

pub use place::Place;
use place::tokens;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::node::Node;

/// A place in a specification.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Title of the document, as `contracts/specs` has it; or that of the rulings.
    pub document: String,
    /// Where in it; the id of a ruling.
    pub section: String,
}

/// With what right one place binds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Force {
    /// A sentence of a specification; another one than the case's own where it is named.
    Spec(Option<Spec>),
    /// The text leaves the choice open: every lawful answer stands among the alternatives.
    Permitted,
    /// The text is silent or contradicts itself, and this ruling decides.
    Ruling(String),
    /// A convention of the protocol.
    Interface,
}

/// How much a difference weighs: the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// Against a convention alone: a remark.
    Interface,
    /// Against a ruling.
    Ruling,
    /// Against a specification.
    Spec,
}

impl Weight {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Interface => "interface",
            Self::Ruling => "ruling",
            Self::Spec => "spec",
        }
    }
}

impl Force {
    /// What a difference at such a place weighs. Where several answers are permitted, one that equals none of them is against the
    /// specification.
    #[must_use]
    pub fn weight(&self) -> Weight {
        match self {
            Self::Spec(_) | Self::Permitted => Weight::Spec,
            Self::Ruling(_) => Weight::Ruling,
            Self::Interface => Weight::Interface,
        }
    }

    fn parse(text: &str) -> Result<Self, String> {
        Ok(match text {
            "spec" => Self::Spec(None),
            "permitted" => Self::Permitted,
            "interface" => Self::Interface,
            _ => match text.strip_prefix("ruling ") {
                Some(id) if !id.is_empty() => Self::Ruling(id.to_owned()),
                _ => {
                    return Err(format!(
                        "unknown force {text:?}: write spec, permitted, interface, ruling ID, or \
                         {{\"spec\": {{\"document\": ..., \"section\": ...}}}}"
                    ));
                }
            },
        })
    }
}

impl fmt::Display for Force {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(None) => f.write_str("spec"),
            Self::Spec(Some(spec)) => write!(f, "spec {}, {}", spec.document, spec.section),
            Self::Permitted => f.write_str("permitted"),
            Self::Ruling(id) => write!(f, "ruling {id}"),
            Self::Interface => f.write_str("interface"),
        }
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Elsewhere<S> {
    spec: S,
}

impl Serialize for Force {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Spec(Some(spec)) => Elsewhere { spec }.serialize(serializer),
            _ => serializer.collect_str(self),
        }
    }
}

/// One kind, or the start of a table.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Word(String),
    Elsewhere(Elsewhere<Spec>),
}

impl TryFrom<Written> for Force {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        match written {
            Written::Word(text) => Self::parse(&text),
            Written::Elsewhere(Elsewhere { spec }) => Ok(Self::Spec(Some(spec))),
        }
    }
}

/// The forces of places, without that of the verdict: what an operation says of all its cases.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places(Vec<(Place, Force)>);

impl Places {
    fn new(written: BTreeMap<String, Written>) -> Result<Self, String> {
        let place = |(text, kind): (String, Written)| Ok((Place::parse(&text)?, Force::try_from(kind)?));
        let mut places = written.into_iter().map(place).collect::<Result<Vec<_>, String>>()?;
        // The first that covers a pointer counts.
        places.sort_by_cached_key(|(place, _)| std::cmp::Reverse(place.rank()));
        Ok(Self(places))
    }

    fn at(&self, pointer: &[Cow<'_, str>]) -> Option<&Force> {
        self.0.iter().find(|(place, _)| place.covers(pointer)).map(|(_, force)| force)
    }

    /// Every place with its force.
    pub fn iter(&self) -> impl Iterator<Item = (&Place, &Force)> {
        self.0.iter().map(|(place, force)| (place, force))
    }
}

impl<'de> Deserialize<'de> for Places {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = BTreeMap::<String, Written>::deserialize(deserializer)?;
        if written.contains_key(VERDICT) {
            return Err(D::Error::custom("the verdict's force is the case's own: remove /is"));
        }
        Self::new(written).map_err(D::Error::custom)
    }
}

const VERDICT: &str = "/is";

/// The forces of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forces {
    /// That of the verdict, and of what nothing else is said about.
    pub verdict: Force,
    /// Those of places that differ.
    pub places: Places,
}

impl Forces {
    /// Everything binds by the case's own place in a specification.
    #[must_use]
    pub fn whole() -> Self {
        Self { verdict: Force::Spec(None), places: Places::default() }
    }

    /// The same where nothing binds by more than this ruling, not even what the operation says of all its cases.
    #[must_use]
    pub fn under(&self, ruling: &str, operation: Option<&Places>) -> Self {
        let weaker = |force: &Force| match force.weight() {
            Weight::Spec => Force::Ruling(ruling.to_owned()),
            _ => force.clone(),
        };
        let mut places: Vec<_> = self.places.iter().map(|(place, force)| (place.clone(), weaker(force))).collect();
        // A place that the case leaves to its operation would keep that force.
        let left = |place: &Place| self.places.at(&tokens(&place.text)).is_none();
        let of_operation = operation.into_iter().flat_map(Places::iter);
        let strong = of_operation.filter(|(place, force)| force.weight() == Weight::Spec && left(place));
        places.extend(strong.map(|(place, force)| (place.clone(), weaker(force))));
        places.sort_by_cached_key(|(place, _)| std::cmp::Reverse(place.rank()));
        Self { verdict: weaker(&self.verdict), places: Places(places) }
    }

    /// Every force that the case names: that of the verdict, then those of places.
    pub fn iter(&self) -> impl Iterator<Item = &Force> {
        std::iter::once(&self.verdict).chain(self.places.iter().map(|(_, force)| force))
    }
}

impl<'de> Deserialize<'de> for Forces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Short {
            Kind(Written),
            Table(BTreeMap<String, Written>),
        }
        const FORM: &str = "write spec, permitted, interface, ruling ID, or an object of places with /is among them";
        let short = Short::deserialize(deserializer).map_err(|_| D::Error::custom(FORM))?;
        let read = |short| match short {
            Short::Kind(kind) => Ok(Self { verdict: Force::try_from(kind)?, places: Places::default() }),
            Short::Table(mut table) => {
                let verdict = table.remove(VERDICT).ok_or("the verdict has no force: add /is")?;
                Ok::<_, String>(Self { verdict: Force::try_from(verdict)?, places: Places::new(table)? })
            }
        };
        read(short).map_err(D::Error::custom)
    }
}

/// The forces of one case under its operation.
#[derive(Debug, Clone, Copy)]
pub struct Bound<'c> {
    case: &'c Forces,
    operation: Option<&'c Places>,
}

impl<'c> Bound<'c> {
    /// The forces of a case, and of its operation where that has any.
    #[must_use]
    pub fn new(case: &'c Forces, operation: Option<&'c Places>) -> Self {
        Self { case, operation }
    }

    /// The force at a JSON Pointer into the answer: the longest place of the case that leads there, else of the operation, else that
    /// of the verdict.
    #[must_use]
    pub fn at(self, pointer: &str) -> &'c Force {
        let pointer = tokens(pointer);
        let case = self.case.places.at(&pointer);
        case.or_else(|| self.operation?.at(&pointer)).unwrap_or(&self.case.verdict)
    }

    /// The strongest force that an expected value has at a pointer or below it.
    #[must_use]
    pub fn strongest(self, pointer: &str, node: &Node) -> &'c Force {
        let own = self.at(pointer);
        let below: Vec<(String, &Node)> = match node {
            Node::Object(members) => members.iter().map(|(name, node)| (child(pointer, name), node)).collect(),
            Node::Array(items) => {
                items.iter().enumerate().map(|(i, node)| (child(pointer, &i.to_string()), node)).collect()
            }
            _ => Vec::new(),
        };
        below.into_iter().fold(own, |most, (pointer, node)| {
            let here = self.strongest(&pointer, node);
            if here.weight() > most.weight() { here } else { most }
        })
    }

    /// The names and indexes that some place mentions directly below a pointer.
    #[must_use]
    pub fn named(self, pointer: &str) -> BTreeSet<&'c str> {
        let top = tokens(pointer);
        let below = |(place, _): (&'c Place, _)| place.next(&top);
        let operation = self.operation.into_iter().flat_map(Places::iter);
        self.case.places.iter().chain(operation).filter_map(below).collect()
    }

    /// The force of what stands directly below a pointer under a name that no place mentions.
    #[must_use]
    pub fn others(self, pointer: &str) -> &'c Force {
        // It sorts after every name that is mentioned, and so is none of them.
        let name = self.named(pointer).last().map_or_else(|| "x".to_owned(), |last| format!("{last}x"));
        self.at(&child(pointer, &name))
    }

    /// Whether everything at a pointer and below it, in this value and in any other, has one force.
    #[must_use]
    pub fn is_uniform(self, pointer: &str) -> bool {
        let own = self.at(pointer);
        let top = tokens(pointer);
        let differs = |places: &Places| places.iter().any(|(place, force)| place.leads_below(&top) && force != own);
        !differs(&self.case.places) && !self.operation.is_some_and(differs)
    }
}

fn child(pointer: &str, name: &str) -> String {
    let mut pointer = pointer.to_owned();
    crate::node::push(&mut pointer, name);
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forces(text: &str) -> Forces {
        serde_json::from_str(text).unwrap()
    }

    fn refused(text: &str) -> String {
        serde_json::from_str::<Forces>(text).unwrap_err().to_string()
    }

    #[test]
    fn the_short_form_is_that_of_the_verdict() {
        let short = forces(r#""ruling EP-26""#);
        assert_eq!(short, forces(r#"{"/is": "ruling EP-26"}"#));
        assert_eq!(short.verdict, Force::Ruling("EP-26".to_owned()));
        let elsewhere = forces(r#"{"spec": {"document": "RFC 8785", "section": "3.2.2.3"}}"#);
        assert_eq!(elsewhere.verdict.to_string(), "spec RFC 8785, 3.2.2.3");
        assert_eq!(
            serde_json::to_string(&elsewhere.verdict).unwrap(),
            r#"{"spec":{"document":"RFC 8785","section":"3.2.2.3"}}"#
        );
    }

    #[test]
    fn under_a_ruling_nothing_binds_by_the_text() {
        let operation: Places =
            serde_json::from_str(r#"{"/out/a/b": "spec", "/out/c": "spec", "/out/d": "interface"}"#).unwrap();
        let case = forces(r#"{"/is": "spec", "/out/a": "interface", "/out/e": "permitted", "/out/f": "ruling X-1"}"#);
        let under = case.under("Y-2", Some(&operation));
        let bound = Bound::new(&under, Some(&operation));
        let at = |pointer: &str| bound.at(pointer).to_string();
        assert_eq!(["/is", "/out/e", "/out/c", "/out/other"].map(at), ["ruling Y-2"; 4].map(str::to_owned));
        assert_eq!(["/out/a/b", "/out/d"].map(at), ["interface"; 2].map(str::to_owned));
        assert_eq!(at("/out/f"), "ruling X-1");
    }

    #[test]
    fn what_is_no_force_does_not_load() {
        for (text, said) in [
            (r#""must""#, "unknown force \"must\""),
            (r#""ruling ""#, "unknown force"),
            (r#"{"/out/a": "spec"}"#, "add /is"),
            (r#"{"/is": "spec", "/outs": "spec"}"#, "is not a place"),
            (r#"{"/is": "spec", "is": "spec"}"#, "is not a place"),
            ("1", "write spec"),
        ] {
            assert!(refused(text).contains(said), "{text}: {}", refused(text));
        }
        let places = serde_json::from_str::<Places>(r#"{"/is": "spec"}"#).unwrap_err().to_string();
        assert!(places.contains("remove /is"), "{places}");
    }

    #[test]
    fn the_longest_place_counts_then_names_then_the_operation_then_the_verdict() {
        let case = forces(
            r#"{"/is": "spec", "/out/r/*": "interface", "/out/r/*/code": "ruling A-1", "/out/r/0/*": "permitted",
                "/out/r/0/code": "spec"}"#,
        );
        let operation: Places =
            serde_json::from_str(r#"{"/out/r/1/code": "interface", "/out/sha~1256": "interface"}"#).unwrap();
        let bound = Bound::new(&case, Some(&operation));
        for (pointer, force) in [
            ("/is", "spec"),
            ("/codes", "spec"),
            ("/out/r", "spec"),
            ("/out/r/5", "interface"),
            ("/out/r/5/x/y", "interface"),
            // The case's own word, though the operation names the place more closely.
            ("/out/r/1/code", "ruling A-1"),
            ("/out/r/0/code", "spec"),
            ("/out/r/0/x", "permitted"),
            ("/out/sha~1256", "interface"),
        ] {
            assert_eq!(bound.at(pointer).to_string(), force, "{pointer}");
        }
        assert!(bound.is_uniform("/out/sha~1256") && bound.is_uniform("/out/r/0/code") && bound.is_uniform("/out/q"));
        assert!(!bound.is_uniform("/out/r/3") && !bound.is_uniform("/out"));
        // A place that only another index has.
        assert!(!bound.is_uniform("/out/r/1"));
    }

    #[test]
    fn what_no_place_mentions_has_the_force_of_the_star() {
        let case = forces(r#"{"/is": "spec", "/out/r/*": "interface", "/out/r/a~1b/c": "spec", "/out/*/x": "spec"}"#);
        let operation: Places = serde_json::from_str(r#"{"/out/r/z": "ruling A-1"}"#).unwrap();
        let bound = Bound::new(&case, Some(&operation));
        assert_eq!(bound.named("/out/r"), ["a/b", "x", "z"].into());
        assert_eq!(bound.named("/out/q/r"), [].into());
        assert_eq!(bound.others("/out/r").to_string(), "interface");
        assert_eq!(bound.others("/out").to_string(), "spec");
        assert_eq!(bound.others("/out/r/a~1b").to_string(), "interface");
    }

    #[test]
    fn what_is_absent_has_the_strongest_force_below_it() {
        let case =
            forces(r#"{"/is": "ruling A-1", "/out/r": "interface", "/out/r/*/code": "spec", "/out/q": "interface"}"#);
        let bound = Bound::new(&case, None);
        let node = |text: &str| Node::parse(text).unwrap();
        assert_eq!(bound.strongest("/out/r", &node(r#"[{"law": 1, "code": 2}]"#)).to_string(), "spec");
        assert_eq!(bound.strongest("/out/r", &node(r#"[{"law": 1}]"#)).to_string(), "interface");
        assert_eq!(bound.strongest("/out/q", &node("{}")).to_string(), "interface");
        assert!(Weight::Spec > Weight::Ruling && Weight::Ruling > Weight::Interface);
    }
}
