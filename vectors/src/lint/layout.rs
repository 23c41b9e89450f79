//! Every vector is laid out alike: two spaces, LF, members in the published order.
//!
//! Contract: `vectors/README.md`. Layout carries no meaning; one layout keeps differences between versions small.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Linter;
use crate::{
    node::{DEPTH, Members},
    vector::{
        exact::{depth, indent},
        is_case,
    },
};

/// The members of a vector, in order.
const ORDER: [&str; 18] = [
    "id",
    "op",
    "args",
    "spec",
    "force",
    "rationale",
    "flags",
    "provenance",
    "rulings",
    "rows",
    "twin",
    "pair",
    "in",
    "files",
    "root",
    "expect",
    "any_of",
    "agreement",
];

pub(super) fn check(linter: &mut Linter<'_>) {
    let store = linter.store;
    for path in store.below("vectors/").filter(|path| path.ends_with(".json") && !path.contains(".pack/")) {
        let Ok(bytes) = store.read(path) else {
            continue;
        };
        let Ok(text) = std::str::from_utf8(&bytes) else {
            continue;
        };
        let Ok(raw) = serde_json::from_str::<&RawValue>(text) else {
            continue;
        };
        if depth(raw) > DEPTH {
            let message = format!("nested deeper than {DEPTH} levels");
            linter.find(path, "", &message, "write a document that is as deep into text or base64");
            continue;
        }
        if indent(raw) + "\n" != text {
            let remedy = "indent by two spaces, one member or element a line, LF, one final line feed";
            linter.find(path, "", "not laid out like the other vectors", remedy);
        }
        if is_case(path) && !ordered(raw) {
            linter.find(path, "", "members out of order", &format!("write them in this order: {}", ORDER.join(", ")));
        }
    }
}

/// A vector's text as it is to be laid out. Another document keeps the order of its members.
///
/// # Errors
/// It is not JSON, or nested deeper than a vector may be.
pub fn laid_out(text: &str) -> Result<String, String> {
    let raw = serde_json::from_str::<&RawValue>(text).map_err(|error| error.to_string())?;
    if depth(raw) > DEPTH {
        return Err(format!("nested deeper than {DEPTH} levels"));
    }
    let whole = indent(raw) + "\n";
    let Ok(members) = Members::deserialize(&mut serde_json::Deserializer::from_str(raw.get())) else {
        return Ok(whole);
    };
    let place = |name: &String| ORDER.iter().position(|known| known == name);
    let mut members = members.0;
    if ordered(raw) || members.iter().any(|(name, _)| place(name).is_none()) {
        return Ok(whole);
    }
    members.sort_by_key(|(name, _)| place(name));
    let members: Vec<String> = members
        .iter()
        .map(|(name, member)| format!("{}:{}", serde_json::Value::from(name.as_str()), member.get()))
        .collect();
    let sorted = RawValue::from_string(format!("{{{}}}", members.join(","))).map_err(|error| error.to_string())?;
    Ok(indent(&sorted) + "\n")
}

fn ordered(raw: &RawValue) -> bool {
    let mut reader = serde_json::Deserializer::from_str(raw.get());
    let Ok(members) = Members::deserialize(&mut reader) else {
        return true;
    };
    let places = members.0.iter().map(|(name, _)| ORDER.iter().position(|known| known == name));
    places.is_sorted()
}
