//! authority/ledger-integrity: both hashes of a record are those of what it says.
//!
//! Spec: Kernel Contract 0.1.0, 2.2 and 4.2; rulings AU-10, AU-12 and AU-45.

use crate::canon::compose;
use crate::digest::Digest;
use crate::finding::Finding;
use crate::json::JsonPointer;
use crate::law::Law;

use super::record_shape::Member;

/// The five members that `record_hash` covers, in canonical order, and what stands before the value of each. The payload
/// itself is none of them.
pub(super) const METADATA: [(Member, &str); 5] = [
    (Member::Kind, "{\"kind\":"),
    (Member::Parent, ",\"parent\":"),
    (Member::PayloadHash, ",\"payload_hash\":"),
    (Member::Ts, ",\"ts\":"),
    (Member::V, ",\"v\":"),
];

/// Writes the text that `record_hash` is the hash of; values are canonical, in the order of [`METADATA`].
pub(super) fn write_metadata(values: [&[u8]; 5], out: &mut Vec<u8>) {
    out.clear();
    for ((_, before), value) in METADATA.into_iter().zip(values) {
        out.extend_from_slice(before.as_bytes());
        out.extend_from_slice(value);
    }
    out.push(b'}');
}

/// A digest as a canonical string.
pub(super) fn quoted(digest: Digest) -> [u8; 66] {
    let mut out = [b'"'; 66];
    if let Some(inside) = out.get_mut(1..65) {
        inside.copy_from_slice(&digest.letters());
    }
    out
}

/// A hash that is not the one of what it stands for.
pub(super) fn finding(record: &JsonPointer, member: Member, stored: &[u8], computed: Digest) -> Finding {
    let spelled = stored.eq_ignore_ascii_case(&quoted(computed));
    let message = match member {
        _ if spelled => "the hash is right but for its letters: hashes are lower-case".to_owned(),
        Member::PayloadHash => "not the hash of the payload: one of the two was changed".to_owned(),
        _ => "not the hash of v, ts, kind, parent and payload_hash: one of the six was changed".to_owned(),
    };
    Finding::error(Law::LedgerIntegrity, record.member(member.name()), message)
}

/// A record that the engine appends.
#[derive(Clone, Debug)]
pub(super) struct Sealed {
    /// Canonical bytes of the whole record.
    pub(super) bytes: Vec<u8>,
    pub(super) record_hash: Digest,
}

/// Seals a record behind its predecessor.
pub(super) fn seal(ts: &str, kind: &str, parent: Option<Digest>, payload: &[u8]) -> Sealed {
    let (ts, kind) = (compose::string(ts), compose::string(kind));
    let parent = parent.map_or_else(|| b"null".to_vec(), |hash| quoted(hash).to_vec());
    let payload_hash = quoted(Digest::of(payload));
    let mut metadata = Vec::new();
    write_metadata([&kind, &parent, &payload_hash, &ts, b"1"], &mut metadata);
    let record_hash = Digest::of(&metadata);
    let record_digits = quoted(record_hash);
    let bytes = compose::object(&[
        ("v", b"1".as_slice()),
        ("ts", &ts),
        ("kind", &kind),
        ("parent", &parent),
        ("payload", payload),
        ("payload_hash", &payload_hash),
        ("record_hash", &record_digits),
    ]);
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
