//! Tampers with ledgers, and hashes them again so that the chain holds.

use arbitrary::{Result, Unstructured};

use super::{Hash, token};
use crate::pairs::draw::{index, int, odds, one_of, pick};
use crate::pairs::emit::{Style, emit};
use crate::pairs::json::{Json, Text};
use crate::spoil::{spoil, uppercase};

/// What a record's hash covers.
const METADATA: [&str; 5] = ["v", "ts", "kind", "parent", "payload_hash"];

/// Makes a chain of the records from one place on: parents and both hashes. What has no canonical form keeps its hash.
pub(super) fn hash_again(records: &mut [Json], from: usize, hash: Hash<'_>) {
    let (before, behind) = records.split_at_mut(from.min(records.len()));
    let mut parent = before.last().and_then(|record| record.member("record_hash")).cloned();
    for record in behind {
        // After what is not a record, or has no hash, a chain begins anew.
        let linked = parent.take().unwrap_or(Json::NULL);
        if let Json::Object(_) = record {
            record.set("parent", linked);
            if let Some(hash) = record.member("payload").and_then(|payload| hashed(payload, hash)) {
                record.set("payload_hash", hash);
            }
            let covered = METADATA.iter().filter_map(|name| Some(((*name).into(), record.member(name)?.clone())));
            let metadata = Json::Object(covered.collect());
            if let Some(hash) = hashed(&metadata, hash) {
                record.set("record_hash", hash);
            }
        }
        parent = record.member("record_hash").cloned();
    }
}

/// `H` of a value.
fn hashed(value: &Json, hash: Hash<'_>) -> Option<Json> {
    let text = String::from_utf8(emit(value, &Style::PLAIN)).ok()?;
    hash(&text).map(|hash| Json::text(&hash))
}

/// Changes a ledger in one to three ways. `other` is a ledger of other inputs, to take parts from.
pub(super) fn tamper(u: &mut Unstructured<'_>, records: &mut Vec<Json>, other: &[Json], hash: Hash<'_>) -> Result<()> {
    for _ in 0..=*u.choose(&[0, 0, 0, 0, 1, 2])? {
        let first = change(u, records, other)?;
        if odds(u, 4, 5)? {
            hash_again(records, first, hash);
            if odds(u, 1, 3)? {
                seal_again(records, hash);
            }
        }
    }
    Ok(())
}

/// One change, and the first record that it touches.
fn change(u: &mut Unstructured<'_>, records: &mut Vec<Json>, other: &[Json]) -> Result<usize> {
    let Some(at) = index(u, records.len())? else { return Ok(0) };
    let choice = int(u, 15)?;
    match choice {
        0 => {
            let to = index(u, records.len())?.unwrap_or_default();
            records.swap(at, to);
            return Ok(at.min(to));
        }
        1 => records.truncate(at),
        2 => drop(records.remove(at)),
        3 => {
            let again = records.get(at).cloned();
            records.extend(again);
            return Ok(records.len().saturating_sub(1));
        }
        _ => {
            let Some(record) = records.get_mut(at) else { return Ok(at) };
            change_record(u, choice, record, other.get(at))?;
        }
    }
    Ok(at)
}

fn change_record(u: &mut Unstructured<'_>, choice: u32, record: &mut Json, other: Option<&Json>) -> Result<()> {
    match choice {
        4 | 5 => {
            let (name, value) = envelope(u)?;
            record.set(name, value);
        }
        6 => {
            let name = *pick(u, &["payload_hash", "record_hash", "parent"])?;
            if let Some(Json::Text(hash)) = record.member_mut(name) {
                uppercase(hash);
            }
        }
        7 | 8 => {
            if let Some(payload) = other.and_then(|record| record.member("payload")) {
                record.set("payload", payload.clone());
            }
        }
        9 => spoil(u, record)?,
        _ => {
            if let Some(payload) = record.member_mut("payload") {
                spoil(u, payload)?;
            }
        }
    }
    Ok(())
}

fn envelope(u: &mut Unstructured<'_>) -> Result<(&'static str, Json)> {
    Ok(match int(u, 9)? {
        0 => ("v", token(u, &["1.0", "2", "-0", "NaN", "1e0"])?),
        1 => ("v", Json::text("1")),
        2 => ("v", Json::token("true")),
        3 => ("ts", token(u, &["0", "1", "2", "3", "4"])?),
        4 => ("ts", one_of(u, &["T0", "#0000", "T0#0000", "T0#00001", "T0#1"])?),
        5 => ("ts", Json::Text(Text(vec![0xD800]))),
        6 => ("kind", Json::NULL),
        7 => ("kind", one_of(u, &["commit", "artifact", "Proposal", "seedpack"])?),
        8 => ("kind", Json::token("NaN")),
        _ => ("parent", Json::text("")),
    })
}

/// Lets the verification pack follow from the records before it, as a careful forger would.
fn seal_again(records: &mut [Json], hash: Hash<'_>) {
    let [.., before, last] = &mut *records else { return };
    let Some(ledger_last_hash) = before.member("record_hash").cloned() else { return };
    let Some(artifacts) = last.member_mut("payload") else { return };
    let blueprint = artifacts.member("blueprint").and_then(|blueprint| hashed(blueprint, hash));
    let Some(pack @ Json::Object(_)) = artifacts.member_mut("verification") else { return };
    pack.set("ledger_last_hash", ledger_last_hash);
    if let Some(blueprint) = blueprint {
        pack.set("artifact_hashes", Json::object([("blueprint", blueprint)]));
    }
    let summary = ["ledger_last_hash", "dag_root_hash", "artifact_hashes"]
        .map(|name| (name, pack.member(name).cloned().unwrap_or(Json::NULL)));
    if let Some(summary_hash) = hashed(&Json::object(summary), hash) {
        pack.set("expected_summary_hash", summary_hash);
    }
    let place = records.len() - 1;
    hash_again(records, place, hash);
}
