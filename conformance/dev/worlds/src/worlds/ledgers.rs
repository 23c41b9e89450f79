//! Ledgers of three records with any one member changed.
//!
//! Spec: Kernel Contract 0.1.0, 2.2 Evidence Ledger; rulings AU-1 to AU-10.

use std::{ops::Range, sync::LazyLock};

use crate::{
    ask::{differ, verifier},
    search::{Facts, Tally, World},
    sequences::Mixed,
};
use assize_oracle::authority::{self, OracleAnswer};
use assize_verifier::operation::Answer;

/// Ledgers with a change.
#[derive(Debug)]
pub(crate) struct Ledgers;

const RECORDS: usize = 3;
const MEMBERS: [&str; 7] = ["v", "ts", "kind", "parent", "payload", "payload_hash", "record_hash"];
/// What follows from a changed member and is made to fit again: nothing, the hash of the payload, that of the record, and the links and
/// hashes of the records behind it.
const REPAIRS: usize = 4;

/// What a member may become, as texts: values of every kind, and spellings that a reader may take for another.
const VALUES: [&str; 40] = [
    "null",
    "true",
    "false",
    "0",
    "1",
    "2",
    "-1",
    "-0",
    "1.0",
    "1e0",
    "1.5",
    "1e400",
    "-1e400",
    "NaN",
    "-Infinity",
    "9007199254740993",
    "10",
    "01",
    "\"\"",
    "\"t0\"",
    "\"t1\"",
    "\"note\"",
    "\"NOTE\"",
    "\"\\u0074\\u0030\"",
    "\"\\ud800\"",
    "\"\\ud83d\\ude00\"",
    "\"1\"",
    "\"null\"",
    "[]",
    "[0]",
    "[null]",
    "{}",
    "{\"a\":1}",
    "{\"a\":1.0}",
    "{\"a\":1,\"a\":2}",
    "{\"b\":1,\"a\":2}",
    "{\"\\ud800\":1}",
    "[[[[]]]]",
    "[NaN]",
    "[-0]",
];
/// Beside those: taken from elsewhere in the ledger, left out, given twice, or joined by a member that is none of a record's.
const OTHERS: usize = RECORDS * MEMBERS.len() + 4;

/// A record as the texts of its members.
type Record = Vec<(&'static str, String)>;

/// What the base ledger's records hold.
const PAYLOADS: [&str; RECORDS] = ["{\"n\":1}", "\"two\"", "[3,null]"];

static BASE: LazyLock<Result<Vec<Record>, String>> = LazyLock::new(|| {
    let mut records: Vec<Record> = Vec::new();
    for (index, payload) in PAYLOADS.iter().enumerate() {
        let mut record: Record = vec![
            ("v", "1".to_owned()),
            ("ts", format!("\"t{index}\"")),
            ("kind", "\"note\"".to_owned()),
            ("parent", records.last().map_or("null".to_owned(), |record| member(record, "record_hash").to_owned())),
            ("payload", (*payload).to_owned()),
            ("payload_hash", String::new()),
            ("record_hash", String::new()),
        ];
        repair(&mut record, true)?;
        records.push(record);
    }
    Ok(records)
});

fn member<'r>(record: &'r Record, name: &str) -> &'r str {
    record.iter().find(|(other, _)| *other == name).map_or("null", |(_, text)| text)
}

fn set(record: &mut Record, name: &str, text: String) {
    // A member that is left out stays so.
    if let Some((_, member)) = record.iter_mut().find(|(other, _)| *other == name) {
        *member = text;
    }
}

/// Makes the hashes fit, where there are any: of a value without a canonical form there is none.
fn repair(record: &mut Record, payload: bool) -> Result<(), String> {
    let hash = |text: &str| authority::hash(text).map_err(|error| error.to_string());
    if payload && let Some(hash) = hash(member(record, "payload"))? {
        set(record, "payload_hash", format!("\"{hash}\""));
    }
    let told: Vec<_> = record.iter().filter(|(name, _)| !["payload", "record_hash"].contains(name)).cloned().collect();
    if let Some(hash) = hash(&text(&told))? {
        set(record, "record_hash", format!("\"{hash}\""));
    }
    Ok(())
}

fn text(record: &Record) -> String {
    let members: Vec<_> = record.iter().map(|(name, text)| format!("\"{name}\":{text}")).collect();
    format!("{{{}}}", members.join(","))
}

/// The ledger with a change.
fn ledger(place: u64) -> Result<String, String> {
    let mut records = BASE.clone()?;
    let originals = records.clone();
    let mut rest = Mixed(place);
    let (index, name, repairs) = (rest.take(RECORDS), rest.take(MEMBERS.len()), rest.take(REPAIRS));
    let change = rest.take(VALUES.len() + OTHERS);
    let Some(name) = MEMBERS.get(name).copied() else { return Err("no such member".to_owned()) };
    let Some(record) = records.get_mut(index) else { return Err("no such record".to_owned()) };
    match (VALUES.get(change), change.saturating_sub(VALUES.len())) {
        (Some(value), _) => set(record, name, (*value).to_owned()),
        (None, 0) => record.retain(|(other, _)| *other != name),
        (None, 1) => record.push((name, member(record, name).to_owned())),
        (None, 2) => record.push((name, "null".to_owned())),
        (None, 3) => record.push(("note", "null".to_owned())),
        (None, other) => {
            let mut from = Mixed(other as u64 - 4);
            let taken = MEMBERS
                .get(from.take(MEMBERS.len()))
                .and_then(|name| Some(member(originals.get(from.take(RECORDS))?, name)));
            set(record, name, taken.unwrap_or("null").to_owned());
        }
    }
    // What was changed itself is left as it is.
    let is_hash = |hash: &str| name == hash;
    let unreadable = change < VALUES.len() && VALUES.get(change).is_some_and(|value| *value == "01");
    if repairs > 0 && !unreadable && !is_hash("record_hash") {
        repair(record, repairs != 2 && !is_hash("payload_hash"))?;
    }
    if repairs > 2 && !unreadable {
        for behind in index + 1..RECORDS {
            let parent = records.get(behind - 1).map(|record| member(record, "record_hash").to_owned());
            if let (Some(record), Some(parent)) = (records.get_mut(behind), parent) {
                set(record, "parent", parent);
                repair(record, false)?;
            }
        }
    }
    Ok(format!("[{}]", records.iter().map(text).collect::<Vec<_>>().join(",")))
}

impl World for Ledgers {
    fn facts(&self) -> Facts {
        Facts {
            name: "ledgers",
            alphabet: format!(
                "each of {RECORDS} records, each of its {} members, {} other values, any member's value of the ledger, left out, twice, \
                 or beside another; with hashes and links made to fit again or not; with a bound of two, each byte of the lawful ledger \
                 as each of 128 characters, too",
                MEMBERS.len(),
                VALUES.len()
            ),
            bounds: [1, 2],
        }
    }

    fn size(&self, bound: usize) -> u64 {
        let members = (RECORDS * MEMBERS.len() * REPAIRS * (VALUES.len() + OTHERS)) as u64;
        if bound > 1 { members + bytes() * 128 } else { members }
    }

    fn batch(&self) -> u64 {
        128
    }

    fn check(&self, _bound: usize, places: Range<u64>, tally: &mut Tally) -> Result<(), String> {
        let members = self.size(1);
        for place in places {
            let ledger = if place < members {
                ledger(place)?
            } else {
                let mut octets = lawful()?.into_bytes();
                let mut rest = Mixed(place - members);
                let octet = rest.take(128);
                let at = rest.take(octets.len());
                if let Some(changed) = octets.get_mut(at) {
                    *changed = u8::try_from(octet).unwrap_or_default();
                }
                String::from_utf8(octets).map_err(|error| error.to_string())?
            };
            tally.judge(place, judge(&ledger)?);
        }
        Ok(())
    }
}

fn lawful() -> Result<String, String> {
    let records = BASE.clone()?;
    Ok(format!("[{}]", records.iter().map(text).collect::<Vec<_>>().join(",")))
}

fn bytes() -> u64 {
    lawful().map_or(0, |text| text.len() as u64)
}

/// Whether the ledger holds. The outer error is the oracle's.
fn judge(ledger: &str) -> Result<Result<bool, String>, String> {
    let expected = authority::chain(ledger.as_bytes()).map_err(|error| error.to_string())?;
    let found = verifier("authority.chain", &[], &[("records", ledger.as_bytes())]);
    Ok(match (&expected, &found) {
        (OracleAnswer::Accept(_), Answer::Accept { .. }) => Ok(true),
        (OracleAnswer::Reject(codes), Answer::Reject { codes: found, .. }) if codes == found => Ok(false),
        _ => Err(differ("authority.chain", ledger.as_bytes(), &expected, &found)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lawful_ledger_holds_and_a_changed_payload_does_not() {
        assert_eq!(judge(&lawful().unwrap()), Ok(Ok(true)));
        assert_eq!(judge(&lawful().unwrap().replace("two", "too")), Ok(Ok(false)));
        assert_eq!(serde_json::from_str::<Vec<serde_json::Value>>(&lawful().unwrap()).unwrap().len(), RECORDS);
    }
}
