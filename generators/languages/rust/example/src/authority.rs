//! Ledgers of evidence records.

use assize::sha256;

use crate::{
    canon,
    error::Error,
    json::{Dialect, Value, parse},
};

const RECORD_SHAPE: Error = Error::Law("authority/record-shape");
const CANONICAL_FORM: Error = Error::Law("authority/canonical-form");
const LEDGER_INTEGRITY: Error = Error::Law("authority/ledger-integrity");
const PARENT_LINKAGE: Error = Error::Law("authority/parent-linkage");

/// Gives a record its full depth inside the array.
const DIALECT: Dialect = Dialect { constants: true, depth: Dialect::PYTHON.depth + 1 };

/// All members of a record.
const MEMBERS: [&str; 7] = ["v", "ts", "kind", "parent", "payload", "payload_hash", "record_hash"];

/// Those that `record_hash` covers: never the payload itself.
const HASHED: [&str; 5] = ["v", "ts", "kind", "parent", "payload_hash"];

/// Judges a ledger. The whole text has to be JSON before any record counts.
pub(crate) fn check_chain(records: &[u8]) -> Result<(), Error> {
    let ledger = parse(records, DIALECT)?;
    let mut parent = &Value::Null;
    for record in ledger.items().ok_or(Error::Input)? {
        parent = check_record(record, parent)?;
    }
    Ok(())
}

/// Makes the three comparisons in their order; what the next record has as its parent. Of a repeated member the last one
/// counts.
fn check_record<'r>(record: &'r Value, parent: &Value) -> Result<&'r Value, Error> {
    let Value::Object(members) = record else { return Err(RECORD_SHAPE) };
    if !members.iter().all(|(name, _)| MEMBERS.iter().any(|known| known.as_bytes() == name)) {
        return Err(RECORD_SHAPE);
    }
    let mut found = Vec::new();
    for name in MEMBERS {
        found.push(record.get(name).ok_or(RECORD_SHAPE)?);
    }
    let [_, _, _, own_parent, payload, payload_hash, record_hash] = found[..] else { return Err(RECORD_SHAPE) };
    if !is_text(payload_hash, &hash(payload)?) {
        return Err(LEDGER_INTEGRITY);
    }
    let follows = match parent.text() {
        Some(text) => own_parent.text() == Some(text),
        None => *own_parent == Value::Null,
    };
    if !follows {
        return Err(PARENT_LINKAGE);
    }
    let mut hashed = Vec::new();
    for name in HASHED {
        hashed.push((name.into(), record.get(name).cloned().ok_or(RECORD_SHAPE)?));
    }
    if !is_text(record_hash, &hash(&Value::Object(hashed))?) {
        return Err(LEDGER_INTEGRITY);
    }
    Ok(record_hash)
}

fn hash(value: &Value) -> Result<String, Error> {
    canon::AUTHORITY.bytes(value).map(|bytes| sha256::hex(&bytes)).map_err(|_| CANONICAL_FORM)
}

fn is_text(value: &Value, wanted: &str) -> bool {
    value.text().is_some_and(|text| text == wanted.as_bytes())
}
