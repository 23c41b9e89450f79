//! Questions and outputs as they travel, in a file of vectors or over the protocol.

use std::{collections::BTreeMap, path::PathBuf};

use crate::{
    json::{self, Value},
    testee::Refusal,
};

/// The text of a JSON value, so that numbers keep their spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonText(pub String);

/// One question.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The operation.
    pub op: String,
    /// Arguments, as they stand in the question.
    pub args: BTreeMap<String, JsonText>,
    /// Documents, exact bytes.
    pub documents: BTreeMap<String, Vec<u8>>,
    /// The folder of the case.
    pub root: Option<PathBuf>,
}

impl Request {
    /// An argument.
    ///
    /// # Errors
    /// There is none, or it is of another type.
    pub fn argument<T: Argument>(&self, name: &str) -> Result<T, Refusal> {
        T::read(self.args.get(name))
            .ok_or_else(|| Refusal::Fault(format!("the argument {name} is missing or of another type")))
    }

    /// An argument that is a string, if it is there.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        String::read(self.args.get(name))
    }

    /// Takes a document out.
    ///
    /// # Errors
    /// There is none.
    pub fn document<T: Document>(&mut self, name: &str) -> Result<T, Refusal> {
        T::take(self.documents.remove(name)).ok_or_else(|| Refusal::Fault(format!("the document {name} is missing")))
    }
}

/// What an argument can be read as.
pub trait Argument: Sized {
    /// Nothing if the text is of another type.
    fn read(text: Option<&JsonText>) -> Option<Self>;
}

impl Argument for String {
    fn read(text: Option<&JsonText>) -> Option<Self> {
        match json::parse(&text?.0) {
            Ok(Value::String(text)) => Some(text),
            _ => None,
        }
    }
}

impl Argument for Vec<String> {
    fn read(text: Option<&JsonText>) -> Option<Self> {
        json::parse(&text?.0).ok()?.strings()
    }
}

impl Argument for JsonText {
    fn read(text: Option<&JsonText>) -> Option<Self> {
        text.cloned()
    }
}

impl<T: Argument> Argument for Option<T> {
    fn read(text: Option<&JsonText>) -> Option<Self> {
        if text.is_none() { Some(None) } else { T::read(text).map(Some) }
    }
}

/// What a document can be taken as.
pub trait Document: Sized {
    /// Nothing if it has to be there and is not.
    fn take(bytes: Option<Vec<u8>>) -> Option<Self>;
}

impl Document for Vec<u8> {
    fn take(bytes: Option<Vec<u8>>) -> Option<Self> {
        bytes
    }
}

impl Document for Option<Vec<u8>> {
    fn take(bytes: Option<Vec<u8>>) -> Option<Self> {
        Some(bytes)
    }
}

/// One output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// A JSON document, as text.
    Doc(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// Plain JSON, as text.
    Value(String),
}

/// Fills up with what an implementation returns.
#[derive(Debug, Clone, Default)]
pub struct Outputs(pub BTreeMap<String, Output>);

impl Outputs {
    /// Puts a document down.
    pub fn doc(&mut self, name: &str, text: impl Into<Option<JsonText>>) {
        self.put(name, text.into().map(|text| Output::Doc(text.0)));
    }

    /// Puts bytes down.
    pub fn bytes(&mut self, name: &str, bytes: impl Into<Option<Vec<u8>>>) {
        self.put(name, bytes.into().map(Output::Bytes));
    }

    /// Puts a value down.
    ///
    /// # Panics
    /// The text of a value is not JSON: that is the implementation's fault, and whoever asks says so.
    #[allow(clippy::needless_pass_by_value)]
    pub fn value(&mut self, name: &str, value: impl Plain) {
        let text = value.json();
        if let Err(error) = json::parse(&text) {
            panic!("the output {name} is not JSON: {error}");
        }
        self.put(name, Some(Output::Value(text)));
    }

    fn put(&mut self, name: &str, output: Option<Output>) {
        self.0.insert(name.to_owned(), output.unwrap_or_else(|| Output::Value("null".to_owned())));
    }
}

/// What has a JSON form.
pub trait Plain {
    /// The form.
    fn json(&self) -> String;
}

impl Plain for String {
    fn json(&self) -> String {
        json::quoted(self)
    }
}

impl Plain for i64 {
    fn json(&self) -> String {
        self.to_string()
    }
}

impl Plain for bool {
    fn json(&self) -> String {
        self.to_string()
    }
}

impl Plain for JsonText {
    fn json(&self) -> String {
        self.0.clone()
    }
}

impl<T: Plain> Plain for Vec<T> {
    fn json(&self) -> String {
        let items: Vec<String> = self.iter().map(Plain::json).collect();
        format!("[{}]", items.join(","))
    }
}

impl<T: Plain> Plain for Option<T> {
    fn json(&self) -> String {
        self.as_ref().map_or_else(|| "null".to_owned(), Plain::json)
    }
}
