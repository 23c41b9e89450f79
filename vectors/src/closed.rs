//! Objects of an answer that are closed: no member stands there but those that are expected, although the rest of the answer is
//! compared in its listed members alone.
//!
//! Contract: `vectors/README.md`, Agreement; which objects, and by what right: `contracts/interface/operations.md`. An operation says
//! it of all its cases (`closed` in `contracts/interface/operations`). It concerns maps whose names come from what was asked: one
//! entry more in such a map is a fact that nobody brought about, whereas a further member of a record is a question of its shape.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, de::Error as _};

use crate::{force::Place, node::Node};

/// Which members a closed object may not have beside the expected ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Closed {
    /// Any.
    All,
    /// One that holds something: an empty array or object says nothing, and may stand there.
    Filled,
}

impl Closed {
    /// Whether a member with this value breaks it.
    #[must_use]
    pub fn forbids(self, member: &Node) -> bool {
        match (self, member) {
            (Self::Filled, Node::Array(items)) => !items.is_empty(),
            (Self::Filled, Node::Object(members)) => !members.is_empty(),
            _ => true,
        }
    }
}

/// The closed objects of an operation's answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ClosedPlaces(Vec<(Place, Closed)>);

impl ClosedPlaces {
    /// How the object at a JSON Pointer into the answer is closed, if it is.
    #[must_use]
    pub fn at(&self, pointer: &str) -> Option<Closed> {
        self.0.iter().find(|(place, _)| place.is_at(pointer)).map(|(_, closed)| *closed)
    }

    /// Every place with what it forbids.
    pub fn iter(&self) -> impl Iterator<Item = (&Place, Closed)> {
        self.0.iter().map(|(place, closed)| (place, *closed))
    }
}

impl<'de> Deserialize<'de> for ClosedPlaces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = BTreeMap::<String, Closed>::deserialize(deserializer)?;
        let place = |(text, closed): (String, Closed)| Ok((Place::parse(&text)?, closed));
        written.into_iter().map(place).collect::<Result<_, String>>().map(Self).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> ClosedPlaces {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_place_closes_the_object_at_it_and_none_above_or_below() {
        let closed = places(r#"{"/out/view/staged/*": "all", "/out/view/a~1b": "filled"}"#);
        for (pointer, expected) in [
            ("/out/view/staged/run", Some(Closed::All)),
            ("/out/view/staged/run~1turn", Some(Closed::All)),
            ("/out/view/a~1b", Some(Closed::Filled)),
            ("/out/view/a", None),
            ("/out/view/staged", None),
            ("/out/view/staged/run/stem", None),
            ("/out/view", None),
            ("", None),
        ] {
            assert_eq!(closed.at(pointer), expected, "{pointer:?}");
        }
        assert_eq!(closed.iter().count(), 2);
    }

    #[test]
    fn what_is_empty_fills_nothing() {
        for (text, filled) in [
            ("[]", false),
            ("{}", false),
            ("[[]]", true),
            (r#"{"a":[]}"#, true),
            ("null", true),
            ("0", true),
            (r#""""#, true),
            ("false", true),
        ] {
            let node = Node::parse(text).unwrap();
            assert_eq!(Closed::Filled.forbids(&node), filled, "{text}");
            assert!(Closed::All.forbids(&node), "{text}");
        }
    }

    #[test]
    fn what_is_no_place_or_no_way_to_close_is_refused() {
        let refused = |text: &str| serde_json::from_str::<ClosedPlaces>(text).unwrap_err().to_string();
        assert!(refused(r#"{"view": "all"}"#).contains("is not a place of an answer"));
        assert!(refused(r#"{"/out/view": "some"}"#).contains("unknown variant"));
    }
}
