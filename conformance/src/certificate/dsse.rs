//! The envelope: bytes, their type, and signatures over both.
//!
//! Spec: DSSE v1 (Dead Simple Signing Envelope). The payload is opened only after a signature holds; a key id in an envelope
//! is a hint that decides nothing, and members that are not known are ignored, as the specification demands.

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE},
};
use serde::{Deserialize, Serialize, de::Error as _};
use thiserror::Error;

use super::keys::{PrivateKey, PublicKey};

/// The type of an in-toto statement.
pub const PAYLOAD_TYPE: &str = "application/vnd.in-toto+json";

/// Each signature is checked with each key, over the whole payload: more of them would only cost time.
const SIGNATURES: usize = 64;

/// An envelope.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Envelope {
    payload_type: String,
    payload: String,
    signatures: Vec<Signed>,
}

/// One signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Signed {
    #[serde(default)]
    keyid: String,
    sig: String,
}

/// An envelope that opens with none of the keys.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DsseError {
    /// It is not an envelope.
    #[error("no DSSE envelope: {0}")]
    Shape(#[from] serde_json::Error),
    /// Of something else.
    #[error("the payload is {found:?}, not an in-toto statement ({PAYLOAD_TYPE})")]
    Type {
        /// Of what.
        found: String,
    },
    /// More signatures than anybody needs.
    #[error("{0} signatures are more than the limit of {SIGNATURES}")]
    Many(usize),
    /// A member that is not base64.
    #[error("{member}: no base64: {source}")]
    Base64 {
        /// JSON Pointer of it.
        member: String,
        /// Where and why.
        source: base64::DecodeError,
    },
    /// No signature at all.
    #[error("the envelope holds no signature")]
    Unsigned,
    /// None by the keys.
    #[error("no signature holds: the envelope names {}, the keys given are {}", key_names(.named), .given.join(", "))]
    Invalid {
        /// Key ids in the envelope; they are hints.
        named: Vec<String>,
        /// Ids of the keys given.
        given: Vec<String>,
    },
}

impl DsseError {
    /// Whether the envelope can be read, and nothing vouches for it.
    #[must_use]
    pub fn is_invalid(&self) -> bool {
        matches!(self, Self::Unsigned | Self::Invalid { .. })
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Shape(_) | Self::Type { .. } => "name a file that `assize sign` wrote",
            Self::Many(_) => "keep the signatures that you can check",
            Self::Base64 { .. } => "fetch the file again: it was damaged on its way",
            Self::Unsigned | Self::Invalid { .. } => {
                "trust nothing in it; fetch it again, and take the public key from its owner"
            }
        }
    }
}

fn key_names(ids: &[String]) -> String {
    let shown = |id: &String| if id.is_empty() { "an unnamed key".to_owned() } else { format!("{id:?}") };
    ids.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// What a signature is made over: type and body, each with its length, so that no two pairs give the same bytes.
#[must_use]
pub fn pae(payload_type: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!("DSSEv1 {} {payload_type} {} ", payload_type.len(), body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

impl Envelope {
    /// Signs a statement.
    #[must_use]
    pub fn seal(payload: &[u8], key: &PrivateKey, keyid: &str) -> Self {
        let sig = STANDARD.encode(key.sign(&pae(PAYLOAD_TYPE, payload)));
        Self {
            payload_type: PAYLOAD_TYPE.to_owned(),
            payload: STANDARD.encode(payload),
            signatures: vec![Signed { keyid: keyid.to_owned(), sig }],
        }
    }

    /// Reads an envelope.
    ///
    /// # Errors
    /// The bytes are not an envelope.
    pub fn parse(bytes: &[u8]) -> Result<Self, DsseError> {
        // Serde also takes an array for a struct.
        if bytes.trim_ascii_start().starts_with(b"[") {
            return Err(serde_json::Error::custom("an array, where an object is expected").into());
        }
        Ok(serde_json::from_slice(bytes)?)
    }

    /// The payload, and which of the keys signed it.
    ///
    /// # Errors
    /// None of them did, or it is not an in-toto statement.
    pub fn open<'k>(&self, keys: &'k [PublicKey]) -> Result<(Vec<u8>, Vec<&'k PublicKey>), DsseError> {
        match self.signatures.len() {
            0 => return Err(DsseError::Unsigned),
            1..=SIGNATURES => {}
            many => return Err(DsseError::Many(many)),
        }
        let payload = decode("/payload", &self.payload)?;
        let message = pae(&self.payload_type, &payload);
        let mut signers: Vec<&PublicKey> = Vec::new();
        for (index, signed) in self.signatures.iter().enumerate() {
            let signature = decode(&format!("/signatures/{index}/sig"), &signed.sig)?;
            // A signature of another length is one of another algorithm.
            let Ok(signature) = <[u8; 64]>::try_from(signature.as_slice()) else { continue };
            for key in keys {
                if !signers.contains(&key) && key.verifies(&message, &signature) {
                    signers.push(key);
                }
            }
        }
        if signers.is_empty() {
            let named = self.signatures.iter().map(|signed| signed.keyid.clone()).collect();
            let given = keys.iter().map(|key| key.id().to_owned()).collect();
            return Err(DsseError::Invalid { named, given });
        }
        if self.payload_type != PAYLOAD_TYPE {
            return Err(DsseError::Type { found: self.payload_type.clone() });
        }
        Ok((payload, signers))
    }
}

/// Either alphabet, as the specification demands of a verifier.
fn decode(member: &str, text: &str) -> Result<Vec<u8>, DsseError> {
    let engine = if text.contains(['-', '_']) { URL_SAFE } else { STANDARD };
    engine.decode(text).map_err(|source| DsseError::Base64 { member: member.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(seed: u8) -> PrivateKey {
        PrivateKey::from_seed(&[seed; 32])
    }

    fn public(seed: u8) -> PublicKey {
        key(seed).public().unwrap()
    }

    #[test]
    fn the_encoding_is_that_of_the_specification() {
        let published = b"DSSEv1 29 http://example.com/HelloWorld 11 hello world";
        assert_eq!(pae("http://example.com/HelloWorld", b"hello world"), published);
        assert_eq!(pae("", b""), b"DSSEv1 0  0 ");
        // Lengths are those of bytes.
        assert_eq!(pae("\u{e9}", "\u{1f600}".as_bytes()), "DSSEv1 2 \u{e9} 4 \u{1f600}".as_bytes());
    }

    #[test]
    fn one_signature_by_one_of_the_keys_is_enough() {
        let mut envelope = Envelope::seal(b"{}", &key(1), "hint");
        let keys = [public(1), public(2)];
        assert_eq!(envelope.open(&keys).unwrap(), (b"{}".to_vec(), vec![&keys[0]]));
        // Another algorithm, a stranger, the same twice, then the second key under a name that says nothing.
        let stranger = Envelope::seal(b"{}", &key(9), "").signatures.remove(0);
        let second = Envelope::seal(b"{}", &key(2), "no such key").signatures.remove(0);
        let short = Signed { keyid: "rsa".to_owned(), sig: "AAAA".to_owned() };
        let first = envelope.signatures.remove(0);
        envelope.signatures = vec![short, stranger, first.clone(), first, second];
        let (_, signers) = envelope.open(&keys).unwrap();
        assert_eq!(signers, [&keys[0], &keys[1]]);
        let error = envelope.open(&[public(3)]).unwrap_err();
        assert!(error.is_invalid());
        assert!(error.to_string().contains(r#"names "rsa", an unnamed key, "hint", "hint", "no such key""#), "{error}");
        assert!(envelope.open(&[]).unwrap_err().is_invalid());
    }

    #[test]
    fn both_alphabets_are_read() {
        let mut envelope = Envelope::seal(&[0xfb, 0xff, 0xfe], &key(1), "");
        assert_eq!(envelope.payload, "+//+");
        let signed = envelope.signatures[0].sig.clone();
        envelope.payload = "-__-".to_owned();
        envelope.signatures[0].sig = signed.replace('+', "-").replace('/', "_");
        assert_eq!(envelope.open(&[public(1)]).unwrap().0, [0xfb, 0xff, 0xfe]);
        envelope.payload = "-//-".to_owned();
        assert!(matches!(envelope.open(&[public(1)]), Err(DsseError::Base64 { .. })));
    }

    #[test]
    fn the_type_is_signed_too() {
        let mut envelope = Envelope::seal(b"{}", &key(1), "");
        envelope.payload_type.push('x');
        assert!(envelope.open(&[public(1)]).unwrap_err().is_invalid());
        let sig = STANDARD.encode(key(1).sign(&pae("text/plain", b"{}")));
        envelope.payload_type = "text/plain".to_owned();
        envelope.signatures[0].sig = sig;
        assert!(matches!(envelope.open(&[public(1)]), Err(DsseError::Type { found }) if found == "text/plain"));
    }

    #[test]
    fn what_is_no_envelope_is_refused() {
        for (text, says) in [
            ("", "no DSSE envelope: EOF"),
            (r#" ["x","",[]]"#, "no DSSE envelope: an array, where an object is expected"),
            ("{}", "missing field `payloadType`"),
            (r#"{"payload":"","payload":"","payloadType":"x","signatures":[]}"#, "duplicate field `payload`"),
            (r#"{"payload":"","payloadType":"x","signatures":[{"sig":"","sig":""}]}"#, "duplicate field `sig`"),
            (r#"{"payload":"","payloadType":"x","signatures":[]} x"#, "trailing characters at line 1"),
        ] {
            let error = Envelope::parse(text.as_bytes()).unwrap_err();
            assert!(error.to_string().contains(says) && !error.is_invalid(), "{error}");
        }
        let open = |text: &str| Envelope::parse(text.as_bytes()).unwrap().open(&[public(1)]).unwrap_err();
        let unsigned = open(r#"{"payload":"","payloadType":"x","signatures":[],"more":1}"#);
        assert!(matches!(unsigned, DsseError::Unsigned));
        let broken = open(r#"{"payload":"A","payloadType":"x","signatures":[{"sig":""}]}"#);
        assert!(broken.to_string().starts_with("/payload: no base64: "), "{broken}");
        let broken = open(r#"{"payload":"","payloadType":"x","signatures":[{"sig":"*"}]}"#);
        assert!(broken.to_string().starts_with("/signatures/0/sig: no base64: "), "{broken}");
        let many = format!(r#"{{"payload":"","payloadType":"x","signatures":[{}]}}"#, [r#"{"sig":""}"#; 65].join(","));
        assert!(matches!(open(&many), DsseError::Many(65)));
    }
}
