//! Second readings of what a testee writes: lines cut by hand, and frames by the published contract.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::LazyLock;

use assize::testee::process::Event;
use assize_corpus::store;
use jsonschema::Validator;
use serde_json::{Value, json, value::RawValue};

/// Gives the bytes in pieces of these lengths, over and over.
#[derive(Debug)]
pub struct Pieces<'a> {
    left: &'a [u8],
    lengths: std::iter::Cycle<std::slice::Iter<'a, u8>>,
}

impl<'a> Pieces<'a> {
    /// A length of zero counts as one.
    #[must_use]
    pub fn of(left: &'a [u8], lengths: &'a [u8]) -> Self {
        Self { left, lengths: lengths.iter().cycle() }
    }
}

impl Read for Pieces<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.lengths.next().map_or(1, |length| usize::from(*length).max(1));
        let (piece, rest) = self.left.split_at(length.min(into.len()).min(self.left.len()));
        if let Some(slot) = into.get_mut(..piece.len()) {
            slot.copy_from_slice(piece);
        }
        self.left = rest;
        Ok(piece.len())
    }
}

/// What a stream comes to: lines of at most `limit` bytes, up to the first that is longer or has no end.
#[must_use]
pub fn events(stream: &[u8], limit: usize) -> Vec<Event> {
    let (mut events, mut left) = (Vec::new(), stream);
    loop {
        match left.iter().position(|octet| *octet == b'\n') {
            Some(end) if end <= limit => {
                let (line, rest) = left.split_at(end);
                events.push(Event::Line(line.to_vec()));
                left = rest.get(1..).unwrap_or_default();
            }
            end => {
                events.push(match end {
                    None if left.is_empty() => Event::Eof,
                    None if left.len() <= limit => Event::Unended(left.to_vec()),
                    _ => Event::Overlong(left.get(..(limit + 1).min(1 << 10)).unwrap_or(left).to_vec()),
                });
                return events;
            }
        }
    }
}

/// What the contract says of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A testee may write it.
    Lawful,
    /// A testee may not, and a harness may put up with it.
    Tolerable,
    /// No frame.
    Unlawful,
}

/// The contract as it binds a testee, and as a harness may read it: members that are not known are ignored, patterns and
/// lengths are the judgement's business, and what the harness can do without may be absent.
struct Contract {
    sender: Validator,
    receiver: Validator,
    /// Members by the frame's kind.
    members: BTreeMap<String, Vec<String>>,
}

static CONTRACT: LazyLock<Option<Contract>> = LazyLock::new(|| {
    let schema = store::embedded("contracts/interface/protocol.schema.json")?;
    let mut schema: Value = serde_json::from_slice(schema).ok()?;
    let members = schema.as_object_mut()?;
    members.insert("anyOf".to_owned(), json!([{"$ref": "#/$defs/TesteeFrame"}]));
    let sender = jsonschema::validator_for(&schema).ok()?;
    let mut members: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in ["TesteeHello", "Refuse", "Accept", "Reject", "Unsupported", "Fault", "Pong", "TesteeBye"] {
        let properties = schema.pointer(&format!("/$defs/{name}/properties"))?;
        let kind = properties.pointer("/t/const")?.as_str()?.to_owned();
        members.entry(kind).or_default().extend(properties.as_object()?.keys().cloned());
    }
    // What the harness does without: receipts are compared later, messages are for people.
    for (frame, member) in [("Accept", "seen"), ("Reject", "seen"), ("Fault", "message"), ("Refuse", "supported")] {
        schema.pointer_mut(&format!("/$defs/{frame}/required"))?.as_array_mut()?.retain(|name| name != member);
    }
    // A null stands for what may be absent, and versions that nobody offers are for people too.
    for (pointer, value) in [
        ("/$defs/TesteeHello/properties/shim/type", json!(["object", "null"])),
        ("/$defs/TesteeHello/properties/testee/properties/lang/type", json!(["string", "null"])),
        ("/$defs/Refuse/properties/supported/items/minimum", json!(0)),
    ] {
        *schema.pointer_mut(pointer)? = value;
    }
    loosen(schema.pointer_mut("/$defs")?);
    Some(Contract { sender, receiver: jsonschema::validator_for(&schema).ok()?, members })
});

/// Takes out what binds a testee alone. A keyword is told from a member of its name by what it holds.
fn loosen(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.retain(|word, value| match word.as_str() {
                "additionalProperties" => *value != Value::Bool(false),
                "pattern" => !value.is_string(),
                "minLength" | "minItems" => !value.is_number(),
                "uniqueItems" => !value.is_boolean(),
                "propertyNames" => !value.is_object(),
                _ => true,
            });
            members.values_mut().for_each(loosen);
        }
        Value::Array(items) => items.iter_mut().for_each(loosen),
        _ => {}
    }
}

/// Reads a line by the contract.
///
/// # Errors
/// The contract cannot be read: a bug of ours.
pub fn reading(line: &[u8]) -> Result<Reading, String> {
    let contract = CONTRACT.as_ref().ok_or("the protocol's contract cannot be read")?;
    if serde_json::from_slice::<Value>(line).is_ok_and(|value| contract.sender.is_valid(&value)) {
        return Ok(Reading::Lawful);
    }
    let Ok(raw) = serde_json::from_slice::<BTreeMap<String, Box<RawValue>>>(line) else {
        return Ok(Reading::Unlawful);
    };
    // Members that the frame has no use for are skipped without a look at what they hold.
    let kind = raw.get("t").and_then(|kind| serde_json::from_str::<String>(kind.get()).ok()).unwrap_or_default();
    let known = contract.members.get(&kind).map_or(&[] as &[String], Vec::as_slice);
    let mut value = serde_json::Map::new();
    for (name, member) in raw.iter().filter(|(name, _)| known.contains(name)) {
        let Ok(member) = serde_json::from_str(member.get()) else { return Ok(Reading::Unlawful) };
        value.insert(name.clone(), member);
    }
    let tolerable = contract.receiver.is_valid(&Value::Object(value));
    Ok(if tolerable { Reading::Tolerable } else { Reading::Unlawful })
}
