//! Ed25519 keys as PEM files: PKCS#8 for the private half, SPKI for the public one.
//!
//! Spec: RFC 8410 (structures), RFC 7468 (PEM), RFC 8032 (Ed25519). A file holds one key and nothing else. Everything that
//! holds a secret is overwritten when it is dropped.

use std::fmt;

use assize_verifier::digest::Digest;
use ed25519_dalek::{
    Signature, Signer as _, SigningKey, VerifyingKey,
    pkcs8::{
        self, EncodePublicKey as _, PrivateKeyInfoRef, SecretDocument,
        spki::{
            DecodePublicKey as _,
            der::{pem::LineEnding, zeroize::Zeroizing},
        },
    },
};
use thiserror::Error;

/// The largest key file that is taken in, in bytes.
pub const MOST: usize = 64 << 10;

const PRIVATE: &str = "PRIVATE KEY";
const PUBLIC: &str = "PUBLIC KEY";

/// A PKCS#8 structure of Ed25519 up to the 32 bytes of the secret, without the optional public half, which OpenSSL before
/// 3.5 does not read.
const PREFIX: [u8; 16] =
    [0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20];

/// A key that signs.
pub struct PrivateKey(SigningKey);

/// A key that checks signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicKey {
    key: VerifyingKey,
    id: String,
}

/// A file that is not a key of the wanted kind.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}: {}{kind}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct KeyError {
    /// The file.
    pub file: String,
    /// Line from 1, where one is at fault.
    pub line: Option<usize>,
    /// What is wrong.
    pub kind: KeyErrorKind,
}

/// What is wrong with a key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyErrorKind {
    /// More bytes than any key has.
    #[error("larger than the limit of {MOST} bytes")]
    Large,
    /// It does not begin with a PEM line.
    #[error("no PEM: expected -----BEGIN {0}-----")]
    NotPem(&'static str),
    /// The private half, where the public one is needed.
    #[error("a private key, where a public key is needed")]
    Private,
    /// The public half, where the private one is needed.
    #[error("a public key, where a private key is needed")]
    Public,
    /// It is locked by a password.
    #[error("the private key is encrypted")]
    Encrypted,
    /// Another kind of PEM.
    #[error("a PEM block {found:?}, where {wanted:?} is needed")]
    Label {
        /// Of what kind it is.
        found: String,
        /// Of what kind it should be.
        wanted: &'static str,
    },
    /// The last line of the block is not there.
    #[error("truncated: -----END {0}----- is missing")]
    Truncated(&'static str),
    /// Text stands after the block.
    #[error("something follows the key")]
    Trailing,
    /// The lines between are not base64 as PEM has it.
    #[error("the text of the key is not base64")]
    Base64,
    /// The bytes are not a key structure.
    #[error("the bytes are not of the structure {0}")]
    Structure(&'static str),
    /// Another algorithm.
    #[error("a key of the algorithm {0}, not of Ed25519 (1.3.101.112)")]
    Algorithm(String),
    /// A private key with a public half that is not its own.
    #[error("the public half in the file does not belong to the private one")]
    Mismatch,
    /// A point of small order: signatures under it prove nothing.
    #[error("a weak public key, of small order: anybody can sign for it")]
    Weak,
    /// The bytes are not a point of the curve.
    #[error("the bytes are not an Ed25519 public key")]
    Point,
    /// The system gives no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Random(String),
}

impl KeyErrorKind {
    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Large | Self::NotPem(_) | Self::Label { .. } => "name a file that `assize keygen` wrote",
            Self::Private => "name the .pub file; keep the private key to yourself",
            Self::Public => "name the .key file that belongs to it",
            Self::Encrypted => "decrypt it first: openssl pkcs8 -in FILE -out PLAIN, and remove PLAIN after use",
            Self::Truncated(_) | Self::Base64 | Self::Structure(_) | Self::Point => "restore the file from its source",
            Self::Trailing => "keep one PEM block in the file",
            Self::Algorithm(_) | Self::Weak => "make a key with `assize keygen`",
            Self::Mismatch => "do not use this key: make another with `assize keygen`",
            Self::Random(_) => "try again on a system with a source of random bytes",
        }
    }
}

impl PrivateKey {
    /// A new key from the system's random bytes.
    ///
    /// # Errors
    /// The system has none.
    pub fn generate() -> Result<Self, KeyError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut()).map_err(|error| KeyError {
            file: "new key".to_owned(),
            line: None,
            kind: KeyErrorKind::Random(error.to_string()),
        })?;
        Ok(Self::from_seed(&seed))
    }

    /// The key of a seed: the private key of RFC 8032.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// Reads a PEM file, whose text is overwritten; `file` is its name for messages.
    ///
    /// # Errors
    /// It is not an unencrypted Ed25519 private key in PKCS#8.
    pub fn from_pem(file: &str, text: Vec<u8>) -> Result<Self, KeyError> {
        let text = Zeroizing::new(text);
        let wrong = |kind| KeyError { file: file.to_owned(), line: None, kind };
        let structure = || wrong(KeyErrorKind::Structure("PKCS#8"));
        let document = block(file, &text, PRIVATE)?;
        let info = PrivateKeyInfoRef::try_from(document.as_bytes()).map_err(|_| structure())?;
        if info.algorithm.oid != pkcs8_oid() {
            return Err(wrong(KeyErrorKind::Algorithm(info.algorithm.oid.to_string())));
        }
        // An octet string of 32 bytes within the octet string.
        let [0x04, 0x20, seed @ ..] = info.private_key.as_bytes() else {
            return Err(structure());
        };
        let seed = <&[u8; 32]>::try_from(seed).map_err(|_| structure())?;
        if info.algorithm.parameters.is_some() {
            return Err(structure());
        }
        let key = SigningKey::from_bytes(seed);
        match info.public_key.map(|bits| bits.as_bytes()) {
            Some(public) if public != Some(key.verifying_key().as_bytes()) => Err(wrong(KeyErrorKind::Mismatch)),
            _ => Ok(Self(key)),
        }
    }

    /// The PEM file.
    ///
    /// # Errors
    /// The structure cannot be written; none is known.
    pub fn to_pem(&self) -> Result<Zeroizing<String>, pkcs8::Error> {
        let mut der = Zeroizing::new([0; 48]);
        for (to, from) in der.iter_mut().zip(PREFIX.iter().chain(self.0.as_bytes())) {
            *to = *from;
        }
        Ok(SecretDocument::try_from(der.as_slice())?.to_pem(PRIVATE, LineEnding::LF)?)
    }

    /// The public half.
    ///
    /// # Errors
    /// The structure cannot be written; none is known.
    pub fn public(&self) -> Result<PublicKey, pkcs8::spki::Error> {
        PublicKey::new(self.0.verifying_key())
    }

    /// Signs.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey").finish_non_exhaustive()
    }
}

impl PublicKey {
    fn new(key: VerifyingKey) -> Result<Self, pkcs8::spki::Error> {
        let id = Digest::of(key.to_public_key_der()?.as_bytes()).to_hex();
        Ok(Self { key, id })
    }

    /// Reads a PEM file; `file` is its name for messages.
    ///
    /// # Errors
    /// It is not an Ed25519 public key in SPKI, or a weak one.
    pub fn from_pem(file: &str, text: &[u8]) -> Result<Self, KeyError> {
        use pkcs8::spki::Error;
        let wrong = |kind| KeyError { file: file.to_owned(), line: None, kind };
        let structure = |_| wrong(KeyErrorKind::Structure("SPKI"));
        let document = block(file, text, PUBLIC)?;
        let bytes = pkcs8_public(document.as_bytes()).map_err(|error| match error {
            Error::OidUnknown { oid } => wrong(KeyErrorKind::Algorithm(oid.to_string())),
            error => structure(error),
        })?;
        let key = VerifyingKey::from_bytes(&bytes).map_err(|_| wrong(KeyErrorKind::Point))?;
        if key.is_weak() {
            return Err(wrong(KeyErrorKind::Weak));
        }
        Self::new(key).map_err(structure)
    }

    /// The PEM file.
    ///
    /// # Errors
    /// The structure cannot be written; none is known.
    pub fn to_pem(&self) -> Result<String, pkcs8::spki::Error> {
        self.key.to_public_key_pem(LineEnding::LF)
    }

    /// SHA-256 of the SPKI structure, in lower-case hexadecimal digits.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether this is a signature over the message: RFC 8032 without its leeway, so that no other spelling of a signature
    /// holds.
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.key.verify_strict(message, &Signature::from_bytes(signature)).is_ok()
    }
}

fn pkcs8_oid() -> pkcs8::ObjectIdentifier {
    ed25519_dalek::pkcs8::ALGORITHM_OID
}

fn pkcs8_public(der: &[u8]) -> Result<[u8; 32], pkcs8::spki::Error> {
    pkcs8::PublicKeyBytes::from_public_key_der(der).map(|bytes| bytes.to_bytes())
}

/// The bytes of the one PEM block that a file holds.
fn block(file: &str, text: &[u8], wanted: &'static str) -> Result<SecretDocument, KeyError> {
    let wrong = |line, kind| KeyError { file: file.to_owned(), line, kind };
    if text.len() > MOST {
        return Err(wrong(None, KeyErrorKind::Large));
    }
    let not_pem = || wrong(Some(1), KeyErrorKind::NotPem(wanted));
    let text = std::str::from_utf8(text).map_err(|_| not_pem())?;
    let mut lines = text.lines().zip(1..);
    let label = lines
        .next()
        .and_then(|(first, _)| first.strip_prefix("-----BEGIN ")?.strip_suffix("-----"))
        .ok_or_else(not_pem)?;
    let headed = text.lines().any(|line| line.starts_with("Proc-Type:"));
    let kind = match label {
        _ if wanted == PUBLIC && label.ends_with(PRIVATE) => Some(KeyErrorKind::Private),
        _ if headed || label == "ENCRYPTED PRIVATE KEY" => Some(KeyErrorKind::Encrypted),
        _ if label == wanted => None,
        PUBLIC => Some(KeyErrorKind::Public),
        _ => Some(KeyErrorKind::Label { found: label.to_owned(), wanted }),
    };
    if let Some(kind) = kind {
        return Err(wrong(Some(1), kind));
    }
    let end = format!("-----END {wanted}-----");
    let last = text.lines().count();
    let Some((_, end)) = lines.by_ref().find(|(line, _)| *line == end) else {
        return Err(wrong(Some(last), KeyErrorKind::Truncated(wanted)));
    };
    if let Some((_, line)) = lines.find(|(line, _)| !line.is_empty()) {
        return Err(wrong(Some(line), KeyErrorKind::Trailing));
    }
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let bad = text.lines().zip(1..end).skip(1).find(|(line, _)| !line.bytes().all(letter));
    let line = bad.map_or(2, |(_, line)| line);
    // Lines after the block are empty: the reader would refuse more than one.
    SecretDocument::from_pem(text.trim_end_matches(['\r', '\n']))
        .map(|(_, document)| document)
        .map_err(|_| wrong(Some(line), KeyErrorKind::Base64))
}

/// A private key that anybody knows: RFC 8410, section 10.3.
#[cfg(test)]
pub(crate) const A_KEY: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8032, section 7.1, tests 1 to 3: seed, public key, message, signature.
    const RFC_8032: [[&str; 4]; 3] = [
        [
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ],
        [
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ],
        [
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        ],
    ];

    fn hex(text: &str) -> Vec<u8> {
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        text.as_bytes().chunks(2).map(byte).collect()
    }

    fn key() -> PrivateKey {
        PrivateKey::from_seed(&hex(RFC_8032[0][0]).try_into().unwrap())
    }

    fn spki(point: &[u8; 32]) -> String {
        pkcs8::PublicKeyBytes(*point).to_public_key_pem(LineEnding::LF).unwrap()
    }

    #[test]
    fn the_vectors_of_rfc_8032_hold() {
        for [seed, public, message, signature] in RFC_8032.map(|row| row.map(hex)) {
            let key = PrivateKey::from_seed(&seed.try_into().unwrap());
            let signature: [u8; 64] = signature.try_into().unwrap();
            assert_eq!(key.sign(&message), signature);
            let read = PublicKey::from_pem("k", spki(&public.try_into().unwrap()).as_bytes()).unwrap();
            assert_eq!(read, key.public().unwrap());
            assert!(read.verifies(&message, &signature));
            assert!(!read.verifies(b"another", &signature));
        }
    }

    #[test]
    fn files_are_those_of_openssl() {
        // RFC 8410, section 10.3, and the key that belongs to it, section 10.1.
        let private = A_KEY;
        let public = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";
        let key = PrivateKey::from_pem("k", private.into()).unwrap();
        assert_eq!(*key.to_pem().unwrap(), private);
        assert_eq!(key.public().unwrap().to_pem().unwrap(), public);
        assert_eq!(PublicKey::from_pem("k", public.as_bytes()).unwrap(), key.public().unwrap());
        // echo MCow...ZuE= | base64 -d | sha256sum
        let id = "a1e9156054e04fac899ae9f275132cdc07a5dbc4ea2c2ad3a1ffc6e0d253681f";
        assert_eq!(key.public().unwrap().id(), id);
        let windows = format!("{}\r\n\r\n", private.trim_end().replace('\n', "\r\n"));
        assert_eq!(PrivateKey::from_pem("k", windows.into()).unwrap().0, key.0);
        // The same with its public half, which RFC 5958 allows.
        let both = "-----BEGIN PRIVATE KEY-----\nMHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\noB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB\nZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PRIVATE KEY-----\n";
        assert_eq!(PrivateKey::from_pem("k", both.into()).unwrap().0, key.0);
        let error = PrivateKey::from_pem("k", both.replace("xZuE=", "xZuI=").into()).unwrap_err();
        assert_eq!(error.kind, KeyErrorKind::Mismatch);
    }

    #[test]
    fn no_secret_is_shown() {
        assert_eq!(format!("{:?}", key()), "PrivateKey { .. }");
    }

    #[track_caller]
    fn check<T: fmt::Debug>(read: fn(&str, &[u8]) -> Result<T, KeyError>, text: impl AsRef<[u8]>, says: &str) {
        let error = read("k.pem", text.as_ref()).unwrap_err();
        assert_eq!(error.to_string(), format!("k.pem: {says}"));
        assert!(!error.kind.help().is_empty());
    }

    #[test]
    fn what_is_no_key_is_named() {
        let (private, public) = (key().to_pem().unwrap(), key().public().unwrap().to_pem().unwrap());
        let read = PublicKey::from_pem;
        let secret = |file: &str, text: &[u8]| PrivateKey::from_pem(file, text.to_vec());
        check(read, "", "line 1: no PEM: expected -----BEGIN PUBLIC KEY-----");
        check(read, "ssh-ed25519 AAAA me", "line 1: no PEM: expected -----BEGIN PUBLIC KEY-----");
        check(read, b"\xff\xfe", "line 1: no PEM: expected -----BEGIN PUBLIC KEY-----");
        check(read, vec![b'-'; MOST + 1], "larger than the limit of 65536 bytes");
        check(read, &**private, "line 1: a private key, where a public key is needed");
        check(secret, &public, "line 1: a public key, where a private key is needed");
        for text in [
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
            "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n",
        ] {
            check(secret, text, "line 1: the private key is encrypted");
        }
        check(read, "-----BEGIN ENCRYPTED PRIVATE KEY-----", "line 1: a private key, where a public key is needed");
        let other = "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n";
        let says = r#"line 1: a PEM block "OPENSSH PRIVATE KEY", where "PRIVATE KEY" is needed"#;
        check(secret, other, says);
        check(read, format!("{public}{public}"), "line 4: something follows the key");
        check(read, format!("{public}\nx"), "line 5: something follows the key");
        let (cut, _) = public.split_at(public.len() - 30);
        check(read, cut, "line 2: truncated: -----END PUBLIC KEY----- is missing");
        check(read, public.replace("MCow", "MC*w"), "line 2: the text of the key is not base64");
        check(read, public.replace("MCow", "MCo"), "line 2: the text of the key is not base64");
        check(read, public.replace("MCow", "MCox"), "the bytes are not of the structure SPKI");
        check(secret, private.replace("MC4C", "MC5C"), "the bytes are not of the structure PKCS#8");
        // X25519 differs in the last byte of the object identifier: 1.3.101.110.
        let says = "a key of the algorithm 1.3.101.110, not of Ed25519 (1.3.101.112)";
        check(read, public.replace("YDK2Vw", "YDK2Vu"), says);
        check(secret, private.replace("YDK2Vw", "YDK2Vu"), says);
    }

    #[test]
    fn weak_keys_are_refused() {
        let mut identity = [0; 32];
        identity[0] = 1;
        let says = "a weak public key, of small order: anybody can sign for it";
        check(PublicKey::from_pem, spki(&identity), says);
        check(PublicKey::from_pem, spki(&[0; 32]), says);
        let mut no_point = [0; 32];
        no_point[0] = 2;
        check(PublicKey::from_pem, spki(&no_point), "the bytes are not an Ed25519 public key");
    }

    #[test]
    fn every_flipped_bit_of_a_key_file_is_noticed() {
        let (read, text) = (key().public().unwrap(), key().public().unwrap().to_pem().unwrap());
        for at in 0..text.len() {
            for bit in 0..8 {
                let mut bytes = text.clone().into_bytes();
                bytes[at] ^= 1 << bit;
                assert_ne!(PublicKey::from_pem("k", &bytes).as_ref(), Ok(&read), "byte {at} bit {bit}");
            }
        }
    }
}
