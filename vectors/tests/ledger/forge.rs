//! Ledgers whose texts are canonical by construction, so that their hashes need no canonical form but SHA-256.

use std::ops::Range;

use assize_packs::canon::sha256;

/// Where the payload stands among the members of a record.
pub(crate) const PAYLOAD: usize = 4;

/// Writes one record after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forge {
    /// `record_hash` of the record before.
    last: Option<String>,
    pub(crate) count: u64,
}

impl Forge {
    /// `record_hash` of the last record.
    pub(crate) fn last_hash(&self) -> Option<String> {
        self.last.clone()
    }

    /// Appends the next record. `payload` is canonical; the result says where the value of each member stands.
    pub(crate) fn append(&mut self, payload: &[u8], out: &mut Vec<u8>) -> [Range<usize>; 7] {
        let parent = self.last.as_ref().map_or_else(|| "null".to_owned(), |hash| format!("\"{hash}\""));
        let ts = format!("\"t{}\"", self.count);
        let payload_hash = sha256(payload);
        let metadata =
            format!(r#"{{"kind":"note","parent":{parent},"payload_hash":"{payload_hash}","ts":{ts},"v":1}}"#);
        let record_hash = sha256(metadata.as_bytes());
        let spans = [
            (r#"{"v":"#, "1".as_bytes(), ""),
            (r#","ts":"#, ts.as_bytes(), ""),
            (r#","kind":"#, b"\"note\"", ""),
            (r#","parent":"#, parent.as_bytes(), ""),
            (r#","payload":"#, payload, ""),
            (r#","payload_hash":""#, payload_hash.as_bytes(), "\""),
            (r#","record_hash":""#, record_hash.as_bytes(), "\"}"),
        ]
        .map(|(before, value, behind)| {
            out.extend_from_slice(before.as_bytes());
            let start = out.len();
            out.extend_from_slice(value);
            let span = start..out.len();
            out.extend_from_slice(behind.as_bytes());
            span
        });
        self.last = Some(record_hash);
        self.count += 1;
        spans
    }
}

/// A canonical payload of about 100 bytes, unlike its neighbours.
pub(crate) fn payload(number: u64) -> Vec<u8> {
    let text = &"a line of text, \\\"quoted\\\"\\nand Übergröße"[..20 + (number % 8) as usize * 2];
    format!(
        r#"{{"at":{{"x":{number},"y":-1.5}},"list":[1e+16,{number}.0,null,true,"{text}"],"note":"naïve {number}"}}"#
    )
    .into_bytes()
}
