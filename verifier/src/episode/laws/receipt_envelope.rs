//! Receipt envelope: what every receipt carries, the hash over it, and its signature.
//!
//! Spec: Constitutional Receipt Standard v0.1, 3.1 Required fields, Receipt hash, Signatures; rulings EP-2 to EP-8,
//! EP-14, EP-22, EP-27, EP-47.

use std::ops::Range;

use ed25519_dalek::VerifyingKey;

use crate::digest::Digest;
use crate::episode::model::canonical::{Canon, CanonicalObject, prefixed};
use crate::episode::model::options::Numbers;
use crate::episode::model::receipt::{Receipt, ReceiptKind, Spelling, UNHASHED_BY_TOOL, parents};
use crate::episode::model::signature::{key, signature};
use crate::episode::model::{limits, time};
use crate::finding::Finding;
use crate::json::{Dialect, Document, JsonPointer, Kind};
use crate::law::Law;
use crate::rejection::Rejection;

pub(crate) const LAW: Law = Law::named("episode/receipt-envelope");

/// Members that a receipt's own hash leaves out (CRS; ruling EP-4).
const UNHASHED: [&str; 2] = ["receipt_hash", "signature"];
/// What a single receipt says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptReport {
    /// Recomputed, prefixed.
    pub receipt_hash: String,
    /// Whether the declared hash is that one; none if none is declared.
    pub declared_matches: Option<bool>,
    /// State of the signature.
    pub signature: SignatureState,
}

/// State of a receipt's signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignatureState {
    /// It verifies.
    Valid,
    /// It is malformed, or does not verify.
    Invalid,
    /// There is none.
    Absent,
    /// It is well-formed, and no key was given.
    NoKey,
}

impl SignatureState {
    /// `valid`, `invalid`, `absent` or `no-key`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid => "invalid",
            Self::Absent => "absent",
            Self::NoKey => "no-key",
        }
    }
}

/// Judges a receipt by itself; `public_key` is the base64 of the 32 raw bytes.
///
/// # Errors
/// If the receipt is not JSON, has no canonical form or is not an object, or the key is not a key.
pub fn receipt(receipt: &[u8], public_key: Option<&str>) -> Result<ReceiptReport, Rejection> {
    let key = match public_key {
        None => None,
        Some(text) => {
            let wrong =
                || Rejection::Input("the public key is not the base64 of 32 bytes of an Ed25519 key".to_owned());
            Some(key(text).ok_or_else(wrong)?)
        }
    };
    let mut canon = Canon::new(Numbers::Rfc8785);
    let object = canon.object(receipt)?;
    if !object.is_object() {
        return Err(Rejection::Input("a receipt is an object".to_owned()));
    }
    let digest = hash(object);
    let receipt_hash = prefixed(digest);
    Ok(ReceiptReport {
        declared_matches: declared_matches(object, digest),
        signature: signature_state(object.member("signature"), &receipt_hash, key.as_ref()),
        receipt_hash,
    })
}

/// The hash of a receipt, by the rule of the CRS.
fn hash(receipt: CanonicalObject<'_>) -> Digest {
    Digest::of(&receipt.without(&UNHASHED))
}

/// Whether the declared hash is the recomputed one; none if none is declared (ruling EP-3).
fn declared_matches(receipt: CanonicalObject<'_>, hash: Digest) -> Option<bool> {
    receipt.member("receipt_hash")?;
    Some(receipt.text("receipt_hash").is_some_and(|declared| declared == prefixed(hash)))
}

/// A signature covers the text of the hash, prefix included (ruling EP-6). `member` is its canonical form.
fn signature_state(member: Option<&[u8]>, hash: &str, key: Option<&VerifyingKey>) -> SignatureState {
    let Some(member) = member else { return SignatureState::Absent };
    let mut canon = Canon::new(Numbers::Rfc8785);
    let parts = canon.object(member).ok().and_then(|member| {
        let (algorithm, _) = (member.text("alg")?, member.text("key_id")?);
        if algorithm == "Ed25519" { signature(&member.text("sig")?) } else { None }
    });
    let Some(signature) = parts else { return SignatureState::Invalid };
    match key {
        None => SignatureState::NoKey,
        Some(key) if key.verify_strict(hash.as_bytes(), &signature).is_ok() => SignatureState::Valid,
        Some(_) => SignatureState::Invalid,
    }
}

/// A receipt whose envelope was read, and its type as written, which is empty if it has none.
pub(crate) struct Enveloped {
    pub(crate) receipt: Receipt,
    pub(crate) spelling: Spelling,
    pub(crate) type_name: String,
}

/// Reads one line. Both shapes are accepted (ruling EP-2); every fault is named, with pointers inside the receipt.
pub(crate) fn read(all: &[u8], line: Range<usize>, canon: &mut Canon) -> (Option<Enveloped>, Vec<Finding>) {
    let receipt = all.get(line.clone()).unwrap_or_default();
    let refused = |why: &Rejection| (None, vec![error(why.pointer(), why.to_string()).with_code(why.code())]);
    if receipt.len() > limits::RECEIPT_BYTES {
        let message = format!("the receipt is larger than the limit of {} bytes", limits::RECEIPT_BYTES);
        return refused(&Rejection::Limit(message));
    }
    let object = match canon.object(receipt) {
        Ok(object) => object,
        Err(why) => return refused(&why.into()),
    };
    if !object.is_object() {
        return (None, vec![error(JsonPointer::root(), "a receipt is an object")]);
    }
    let mut found = Vec::new();
    let spelling = Spelling::of(object);
    let mut member = |name| {
        let value = object.text(name).filter(|value| !value.is_empty());
        if value.is_none() {
            let message = "a receipt has this member as a string that is not empty";
            found.push(error(JsonPointer::root().member(name), message));
        }
        value.unwrap_or_default()
    };
    let (receipt_id, type_name, timestamp) = (member("receipt_id"), member(spelling.type_name), member(spelling.time));
    if !timestamp.is_empty() && !time::is_iso_8601(&timestamp) {
        let message = format!("{timestamp:?} is not a time of ISO 8601");
        found.push(error(JsonPointer::root().member(spelling.time), message).with_code("E_TIMESTAMP_INVALID"));
    }
    if let Some(name) = foreign_name(receipt) {
        let message = format!("the member name {name:?} is not ASCII");
        found.push(error(JsonPointer::root(), message).with_code("E_CANON_MISMATCH"));
    }
    let hash = hash(object);
    if declared_matches(object, hash) == Some(false) {
        let message = format!("the receipt's own hash is {}", prefixed(hash));
        found.push(error(JsonPointer::root().member("receipt_hash"), message));
    }
    found.extend(remarks(object));
    let kind = ReceiptKind::of(&type_name);
    let parents = parents(object.member("parent_hashes"));
    let receipt = Receipt { line, hash, receipt_id, timestamp, kind, parents };
    (Some(Enveloped { receipt, spelling, type_name }), found)
}

fn error(pointer: JsonPointer, message: impl Into<String>) -> Finding {
    Finding::error(LAW, pointer, message)
}

/// What is worth saying about a receipt, whatever the verdict.
fn remarks(receipt: CanonicalObject<'_>) -> impl Iterator<Item = Finding> {
    let unchecked = receipt.member("signature").map(|_| {
        let message = "the signature was not checked: a pack names no key for its receipts";
        error(JsonPointer::root().member("signature"), message).as_warning()
    });
    let [.., signatures, cose, anchor] = UNHASHED_BY_TOOL;
    let ruled = [signatures, cose, anchor].into_iter().filter(move |name| receipt.member(name).is_some()).map(|name| {
        let message = "the receipt's hash covers this member, as in the CRS; `head_hash` leaves it out";
        error(JsonPointer::root().member(name), message).as_warning()
    });
    unchecked.into_iter().chain(ruled)
}

/// A member name that is not ASCII, anywhere in a receipt.
fn foreign_name(receipt: &[u8]) -> Option<String> {
    // Such a name is either written as it is, or as an escape.
    if receipt.is_ascii() && !receipt.contains(&b'\\') {
        return None;
    }
    let document = Document::parse(receipt, &Dialect::EPISODE).ok()?;
    let mut pending = vec![document.root()];
    while let Some(node) = pending.pop() {
        for (name, value) in node.members() {
            let name = name.decode();
            if !name.as_bytes().is_ascii() {
                return Some(name.to_text_lossy().into_owned());
            }
            pending.push(value);
        }
        pending.extend(node.elements().filter(|value| matches!(value.kind(), Kind::Object | Kind::Array)));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receipt_beyond_the_limit_is_not_read() {
        let of = |length: usize| format!(r#"{{"pad":"{}"}}"#, "x".repeat(length - 10)).into_bytes();
        for (length, code) in [(limits::RECEIPT_BYTES, None), (limits::RECEIPT_BYTES + 1, Some("A_LIMIT"))] {
            let text = of(length);
            assert_eq!(text.len(), length);
            let (receipt, found) = read(&text, 0..length, &mut Canon::new(Numbers::Rfc8785));
            assert_eq!((receipt.is_some(), found.iter().find_map(|finding| finding.code)), (code.is_none(), code));
        }
    }

    #[test]
    fn unchecked_members_are_hashed_unless_the_crs_leaves_them_out() {
        let report = |text: &str| receipt(text.as_bytes(), None).expect("a receipt").receipt_hash;
        let plain = report(r#"{"a":1}"#);
        assert_eq!(report(r#"{"a":1,"receipt_hash":"x","signature":null}"#), plain);
        for member in [r#""anchor":{}"#, r#""signatures":[]"#, r#""cose_signature":"""#, r#""b":null"#] {
            assert_ne!(report(&format!(r#"{{"a":1,{member}}}"#)), plain, "{member}");
        }
    }
}
