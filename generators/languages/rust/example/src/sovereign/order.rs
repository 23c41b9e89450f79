use std::{cmp::Ordering, str};

use crate::{
    canon,
    error::Error,
    json::{Dialect, Text, Value, parse},
};

const SEALED_STAGE_ORDER: &[u8] = include_bytes!("../../contracts/stage-order-v1.json");

/// What decides a mismatch's place in a report: turn, stage, ordinal, surface and path, in code point order. Digests break
/// ties; what is null comes first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    turn_id: Text,
    stage: usize,
    ordinal: Integer,
    surface: Text,
    path: Text,
    expected: Text,
    actual: Text,
}

/// Sorts mismatches as a report does; their canonical text. Without a stage order, the sealed one counts.
pub(crate) fn order(mismatches: &[u8], stage_order: Option<&[u8]>) -> Result<Vec<u8>, Error> {
    let stages = stages(stage_order.unwrap_or(SEALED_STAGE_ORDER))?;
    let list = parse(mismatches, Dialect::STRICT)?;
    let mut rows = Vec::new();
    for item in list.items().ok_or(Error::Input)? {
        rows.push((key(item, &stages)?, item));
    }
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    canon::SOVEREIGN.bytes(&Value::Array(rows.into_iter().map(|(_, item)| item.clone()).collect()))
}

/// The stages of a stage order, in their order.
fn stages(text: &[u8]) -> Result<Vec<Text>, Error> {
    let document = parse(text, Dialect::STRICT)?;
    let mut stages = Vec::new();
    for item in document.get("stage_order").and_then(Value::items).ok_or(Error::Input)? {
        let name = item.text().filter(|name| str::from_utf8(name).is_ok()).ok_or(Error::Input)?;
        if stages.contains(name) {
            return Err(Error::Input);
        }
        stages.push(name.clone());
    }
    Ok(stages)
}

/// Takes a mismatch apart.
fn key(mismatch: &Value, stages: &[Text]) -> Result<Key, Error> {
    let text = |name| mismatch.get(name).and_then(Value::text).cloned().ok_or(Error::Input);
    let digest = |name| match mismatch.get(name) {
        None | Some(Value::Null) => Ok(Text::new()),
        Some(value) => value.text().cloned().ok_or(Error::Input),
    };
    let stage = text("stage_name")?;
    let ordinal = match mismatch.get("ordinal") {
        Some(Value::Number(token)) => canon::SOVEREIGN.number(token).map_err(|_| Error::Input)?,
        _ => return Err(Error::Input),
    };
    let key = Key {
        turn_id: text("turn_id")?,
        stage: stages.iter().position(|known| *known == stage).ok_or(Error::Input)?,
        ordinal: Integer(ordinal),
        surface: text("surface")?,
        path: text("path")?,
        expected: digest("expected_digest")?,
        actual: digest("actual_digest")?,
    };
    canon::SOVEREIGN.bytes(mismatch).map_err(|_| Error::Input)?;
    Ok(key)
}

/// The token of an integer of any size; JSON has no leading zeros, so that more digits are more.
#[derive(PartialEq, Eq)]
struct Integer(String);

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        let size = |digits: &str, others: &str| digits.len().cmp(&others.len()).then_with(|| digits.cmp(others));
        match (self.0.strip_prefix('-'), other.0.strip_prefix('-')) {
            (None, None) => size(&self.0, &other.0),
            (Some(digits), Some(others)) => size(others, digits),
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
