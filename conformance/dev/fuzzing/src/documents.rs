//! What a target judges, as named documents of exact bytes.

use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Documents by name. Files of an input are named by a prefix and their path (`files/a/turn.json`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Documents(BTreeMap<String, Stored>);

/// The bytes of one document: as text where they are UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Stored {
    Text(String),
    Base64(String),
}

/// Why documents are not an input of a target.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// The target judges a document of this name, and it is not there.
    #[error("no document `{0}`; the target's input has one")]
    Absent(String),
    /// The bytes of a document cannot be had.
    #[error("document `{name}`: {reason}")]
    Unreadable {
        /// The document at fault.
        name: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl Documents {
    /// The same with one document more.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, octets: &[u8]) -> Self {
        let stored = match std::str::from_utf8(octets) {
            Ok(text) => Stored::Text(text.to_owned()),
            Err(_) => Stored::Base64(STANDARD.encode(octets)),
        };
        self.0.insert(name.into(), stored);
        self
    }

    /// The bytes of a document.
    ///
    /// # Errors
    /// There is no document of that name, or its base64 is broken.
    pub fn octets(&self, name: &str) -> Result<Vec<u8>, DocumentError> {
        match self.0.get(name) {
            Some(stored) => stored.octets(name),
            None => Err(DocumentError::Absent(name.to_owned())),
        }
    }

    /// The documents whose names begin with `prefix`, by the rest of their names.
    ///
    /// # Errors
    /// The base64 of one is broken.
    pub fn below(&self, prefix: &str) -> Result<BTreeMap<String, Vec<u8>>, DocumentError> {
        let named = self.0.iter().filter_map(|(name, stored)| Some((name, name.strip_prefix(prefix)?, stored)));
        named.map(|(name, rest, stored)| Ok((rest.to_owned(), stored.octets(name)?))).collect()
    }
}

impl Stored {
    fn octets(&self, name: &str) -> Result<Vec<u8>, DocumentError> {
        match self {
            Self::Text(text) => Ok(text.clone().into_bytes()),
            Self::Base64(text) => STANDARD
                .decode(text)
                .map_err(|error| DocumentError::Unreadable { name: name.to_owned(), reason: error.to_string() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_survive_storage() {
        let documents = Documents::default().with("text", b"{}").with("files/a/b", b"\xFF\x00").with("files/c", b"");
        let stored = serde_json::to_string(&documents).unwrap();
        assert_eq!(stored, r#"{"files/a/b":{"base64":"/wA="},"files/c":{"text":""},"text":{"text":"{}"}}"#);
        let again: Documents = serde_json::from_str(&stored).unwrap();
        assert_eq!(again, documents);
        assert_eq!(again.octets("text").unwrap(), b"{}");
        assert_eq!(
            again.below("files/").unwrap(),
            BTreeMap::from([("a/b".to_owned(), vec![255, 0]), ("c".to_owned(), vec![])])
        );
        assert!(matches!(again.octets("absent"), Err(DocumentError::Absent(_))));
        assert!(serde_json::from_str::<Documents>(r#"{"a":{"hex":"00"}}"#).is_err());
    }
}
