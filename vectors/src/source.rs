//! JSON files of a store, typed.
//!
//! What does not load is an error that names the file, the place in it and what to do.

use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::store::Store;

/// Why a file of the corpus does not load.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}: {place}: {message}; {remedy}")]
pub struct LoadError {
    /// The file.
    pub file: String,
    /// Line and column, or a JSON Pointer.
    pub place: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl LoadError {
    pub(crate) fn new(file: &str, place: &str, message: impl Into<String>, remedy: &str) -> Self {
        Self { file: file.to_owned(), place: place.to_owned(), message: message.into(), remedy: remedy.to_owned() }
    }
}

/// Reads one JSON file of a store into a type.
pub(crate) fn read<T: DeserializeOwned>(store: &Store, path: &str) -> Result<T, LoadError> {
    let bytes = store.read(path).map_err(|error| LoadError::new(path, "the file", error.to_string(), "restore it"))?;
    parse(path, &bytes)
}

/// Reads the bytes of one JSON file into a type; `file` is named in errors.
pub(crate) fn parse<T: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<T, LoadError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let place = format!("byte {}", error.valid_up_to());
            return Err(LoadError::new(file, &place, "not UTF-8", "save it as UTF-8; other bytes go into base64"));
        }
    };
    serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let message = said.rsplit_once(" at line ").map_or(said.as_str(), |(message, _)| message);
        let place = format!("line {} column {}", error.line(), error.column());
        let remedy = if error.is_data() {
            "follow the schemas in contracts/interface"
        } else {
            "make it JSON: broken or odd documents go into text or base64"
        };
        LoadError::new(file, &place, message, remedy)
    })
}
