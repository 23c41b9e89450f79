//! authority/ledger-integrity: both hashes of a record are those of what it says.
//!
//! Spec: Kernel Contract 0.1.0, 2.2 and 4.2; rulings AU-10, AU-12 and AU-45.

use std::sync::LazyLock;

use crate::authority::breach::{Breach, Flaw};
use crate::authority::model::canonical::quoted;
use crate::authority::model::record::{CanonicalRecord, Member};
use crate::authority::model::recorded::Recorded;
use crate::canon::compose;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

use super::record_shape;

pub(crate) const LAW: Law = Law::named("authority/ledger-integrity");

/// How many members `record_hash` covers. The payload itself is not one of them.
const COVERED: usize = Member::HASHED.len();

/// The members that `record_hash` covers, in canonical order, and what stands before the value of each.
static METADATA: LazyLock<[(Member, String); COVERED]> = LazyLock::new(|| {
    let mut members = Member::HASHED;
    members.sort_unstable_by_key(|member| member.name());
    let mut opening = '{';
    members.map(|member| (member, format!("{}\"{}\":", std::mem::replace(&mut opening, ','), member.name())))
});

/// The members that `record_hash` covers.
pub(crate) fn covered() -> [Member; COVERED] {
    METADATA.each_ref().map(|(member, _)| *member)
}

/// Writes the text that `record_hash` is the hash of; values are canonical, in the order of [`METADATA`].
fn write_metadata(values: [&[u8]; COVERED], out: &mut Vec<u8>) {
    out.clear();
    for ((_, before), value) in METADATA.iter().zip(values) {
        out.extend_from_slice(before.as_bytes());
        out.extend_from_slice(value);
    }
    out.push(b'}');
}

/// The payload hash is that of the payload, which is canonical. A stored hash without canonical form differs from it.
pub(crate) fn payload_hash(record: CanonicalRecord<'_>, payload: &[u8]) -> Result<(), Box<Flaw>> {
    let payload = Digest::of(payload);
    let stored = record.member(Member::PayloadHash).unwrap_or_default();
    if stored != quoted(payload) {
        return Err(flaw(Member::PayloadHash, stored, payload));
    }
    Ok(())
}

/// The record hash is that of the members that it [covers](covered), whose canonical values these are.
pub(crate) fn record_hash(
    record: CanonicalRecord<'_>,
    values: [&[u8]; COVERED],
    metadata: &mut Vec<u8>,
) -> Result<(), Box<Flaw>> {
    write_metadata(values, metadata);
    let computed = Digest::of(metadata);
    let stored = record.member(Member::RecordHash).unwrap_or_default();
    if stored != quoted(computed) {
        return Err(flaw(Member::RecordHash, stored, computed));
    }
    Ok(())
}

fn flaw(member: Member, stored: &[u8], computed: Digest) -> Box<Flaw> {
    let expected = quoted(computed);
    Flaw::differs(finding(member, stored, &expected), stored, &expected)
}

/// A hash that is not the one of what it stands for.
fn finding(member: Member, stored: &[u8], expected: &[u8]) -> Finding {
    let spelled = stored.eq_ignore_ascii_case(expected);
    let message = match member {
        _ if spelled => "the hash is right but for its letters: hashes are lower-case".to_owned(),
        Member::PayloadHash => "not the hash of the payload: one of the two was changed".to_owned(),
        _ => "not the hash of v, ts, kind, parent and payload_hash: one of the six was changed".to_owned(),
    };
    Finding::error(LAW, JsonPointer::root().member(member.name()), message)
}

/// The `record_hash` that a record of a valid chain stores.
pub(crate) fn stored_hash(record: Recorded<'_>) -> Result<Digest, Box<Breach>> {
    let stored = record_shape::member(record, Member::RecordHash)?;
    let text = stored.canonical();
    let hex = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\""));
    // The chain is valid, so there is one.
    hex.and_then(Digest::from_hex).ok_or_else(|| Breach::of(LAW)(stored.wrong("no hash")))
}

/// A record that the engine appends.
#[derive(Clone, Debug)]
pub(crate) struct Sealed {
    /// Canonical bytes of the whole record.
    pub(crate) bytes: Vec<u8>,
    pub(crate) record_hash: Digest,
}

/// Seals a record after its predecessor.
pub(crate) fn seal(ts: &str, kind: &str, parent: Option<Digest>, payload: &[u8]) -> Sealed {
    let (ts, kind) = (compose::string(ts), compose::string(kind));
    let parent = parent.map_or_else(|| b"null".to_vec(), |hash| quoted(hash).to_vec());
    let payload_hash = quoted(Digest::of(payload));
    let mut metadata = Vec::new();
    let value = |member| match member {
        Member::V => b"1".as_slice(),
        Member::Ts => &ts,
        Member::Kind => &kind,
        Member::Parent => &parent,
        Member::Payload => payload,
        Member::PayloadHash => &payload_hash,
        Member::RecordHash => b"",
    };
    write_metadata(covered().map(value), &mut metadata);
    let record_hash = Digest::of(&metadata);
    let record_digits = quoted(record_hash);
    let last = |member| if member == Member::RecordHash { &record_digits } else { value(member) };
    let bytes = compose::object(&Member::ALL.map(|member| (member.name(), last(member))));
    Sealed { bytes, record_hash }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_records_of_the_fact_sheet() {
        let first = seal("t0", "note", None, br#"{"a":null,"b":[1,1.0]}"#);
        let second = seal("t1", "note", Some(first.record_hash), "\"é\"".as_bytes());
        let hashes = [first, second].map(|record| record.record_hash.to_hex());
        assert_eq!(
            hashes,
            [
                "4abf9d039faf3cfca121216c009c22d75dd9b1e9fa7986d47819a1d89b28af32",
                "969676f096c69b14693e9114359585049dd7eefaf6b3e1322eb03ac4c3128874"
            ]
        );
    }
}
