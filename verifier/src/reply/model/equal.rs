//! Whether two values are equal as JSON: members in any order, numbers by value.

use std::cmp::Ordering;

use crate::json::{JsonStr, Kind, NodeRef, NumberToken};

/// Whether two values are equal as JSON: members in any order, numbers by value.
#[must_use]
pub fn equal(one: NodeRef<'_>, other: NodeRef<'_>) -> bool {
    let mut pending = vec![(one, other)];
    while let Some((one, other)) = pending.pop() {
        let same = one.kind() == other.kind()
            && match one.kind() {
                Kind::Object => {
                    let (ours, theirs) = (members(one), members(other));
                    let same = ours.iter().map(|(name, _)| name).eq(theirs.iter().map(|(name, _)| name));
                    pending.extend(ours.iter().zip(&theirs).map(|((_, ours), (_, theirs))| (*ours, *theirs)));
                    same
                }
                Kind::Array => {
                    pending.extend(one.elements().zip(other.elements()));
                    one.elements().count() == other.elements().count()
                }
                Kind::String => one.as_string() == other.as_string(),
                Kind::Number => one.as_number().zip(other.as_number()).is_some_and(|(ours, theirs)| same(ours, theirs)),
                Kind::True | Kind::False | Kind::Null => true,
            };
        if !same {
            return false;
        }
    }
    true
}

/// Members by name; no name comes twice in a text that was read.
fn members(object: NodeRef<'_>) -> Vec<(JsonStr<'_>, NodeRef<'_>)> {
    let mut members: Vec<_> = object.members().map(|(name, value)| (name.decode(), value)).collect();
    members.sort_by(|(one, _), (other, _)| one.cmp(other));
    members
}

fn same(one: NumberToken<'_>, other: NumberToken<'_>) -> bool {
    if one.float || other.float {
        return one.to_f64() == other.to_f64();
    }
    NumberToken::cmp_integers(one.text, other.text) == Ordering::Equal
}
