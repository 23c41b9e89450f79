//! The members of a vector file.
//!
//! Contract: `contracts/interface/vector.schema.json`. An unknown member, a repeated name, an unknown provenance or a
//! malformed document does not load. Names, codes and references are not looked up here.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::value::RawValue;

use super::{exact, provenance::Provenance};
use crate::{
    force::{Forces, Spec},
    node::Node,
    operation,
    testee::Request,
    unique,
};

/// One test vector.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Path below `vectors/` without `.json`.
    pub id: String,
    /// The operation asked.
    pub op: String,
    /// Its arguments.
    #[serde(default)]
    pub args: serde_json::Map<String, serde_json::Value>,
    /// The place in a specification that the case rests on.
    pub spec: Spec,
    /// With what right the expectation binds.
    pub force: Forces,
    /// Which wrong implementation the case would catch.
    pub rationale: String,
    /// Bug classes, named in `vectors/flags.json`.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Where the expectation comes from.
    pub provenance: Provenance,
    /// Further rulings that the case rests on.
    #[serde(default)]
    pub rulings: Vec<String>,
    /// Rows of the behaviour table that the case covers.
    #[serde(default)]
    pub rows: Vec<String>,
    /// The accepted case that differs by the planted fault alone.
    pub twin: Option<String>,
    /// The same input in the other mode.
    pub pair: Option<String>,
    /// Named documents.
    #[serde(default, rename = "in", deserialize_with = "unique")]
    pub inputs: BTreeMap<String, Document>,
    /// What lies in the case's folder, by relative path.
    #[serde(default, deserialize_with = "unique")]
    pub files: BTreeMap<String, Entry>,
    /// A folder beside the vector that holds the files instead.
    pub root: Option<String>,
    /// The answer that conforms.
    pub expect: Expect,
    /// Further answers that conform.
    #[serde(default)]
    pub any_of: Vec<Expect>,
    /// How strictly an answer must agree.
    pub agreement: Agreement,
}

/// The law of a case: the first two segments of its id.
#[must_use]
pub fn law_of(id: &str) -> &str {
    let end = id.match_indices('/').nth(1).map_or(id.len(), |(at, _)| at);
    id.get(..end).unwrap_or_default()
}

impl Case {
    /// Law slug: the first two segments of the id.
    #[must_use]
    pub fn law(&self) -> &str {
        law_of(&self.id)
    }

    /// Path of the vector file.
    #[must_use]
    pub fn path(&self) -> String {
        format!("vectors/{}.json", self.id)
    }

    /// The mode of a comparison, if the case is one.
    #[must_use]
    pub fn mode(&self) -> Option<&str> {
        if self.op == "sovereign.compare" { self.args.get("mode")?.as_str() } else { None }
    }

    /// Every answer that conforms: `expect`, then `any_of`.
    pub fn answers(&self) -> impl Iterator<Item = &Expect> {
        std::iter::once(&self.expect).chain(&self.any_of)
    }

    /// Whether the operation is asked with a folder.
    #[must_use]
    pub fn wants_root(&self) -> bool {
        !self.files.is_empty() || operation::table().find(&self.op).is_some_and(|operation| operation.root)
    }

    /// The question that the case asks, with the folder that holds its files.
    #[must_use]
    pub fn request(&self, root: Option<PathBuf>) -> Request {
        let docs = self.inputs.iter().map(|(name, document)| (name.clone(), document.bytes())).collect();
        Request { op: self.op.clone(), args: self.args.clone(), docs, root }
    }
}

/// How strictly an answer must agree with an expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Agreement {
    /// The whole output; documents in exactly their canonical bytes.
    Exact,
    /// The listed members alone; arrays by position and of equal length.
    Located,
    /// Accept or reject alone.
    Verdict,
}

/// Accept or reject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The operation succeeds.
    Accept,
    /// The operation refuses.
    Reject,
}

/// An answer that conforms.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "ExpectFile")]
pub struct Expect {
    /// Accept or reject.
    pub is: Verdict,
    /// Codes of a rejection, as a set.
    pub codes: BTreeSet<String>,
    /// Outputs by name.
    pub out: BTreeMap<String, Expected>,
}

impl Expect {
    /// The object `{is, codes, out}` that places of [`Force`](crate::force::Force) point into.
    #[must_use]
    pub fn node(&self) -> Node {
        let text = |text: &str| Node::Text(text.to_owned());
        let accepts = self.is == Verdict::Accept;
        let mut answer = BTreeMap::from([("is".to_owned(), text(if accepts { "accept" } else { "reject" }))]);
        if !accepts {
            answer.insert("codes".to_owned(), Node::Array(self.codes.iter().map(|code| text(code)).collect()));
        }
        let out = self.out.iter().map(|(name, expected)| (name.clone(), expected.node.clone()));
        answer.insert("out".to_owned(), Node::Object(out.collect()));
        Node::Object(answer)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectFile {
    is: Option<Verdict>,
    codes: Option<Vec<String>>,
    #[serde(default, deserialize_with = "unique")]
    out: BTreeMap<String, Expected>,
}

impl TryFrom<ExpectFile> for Expect {
    type Error = String;

    fn try_from(file: ExpectFile) -> Result<Self, String> {
        let listed = file.codes.as_ref().map_or(0, Vec::len);
        let Some(is) = file.is else {
            return Err(
                "the expectation is empty: argue it from the specification, and write {\"is\": \"accept\", ...} or \
                        {\"is\": \"reject\", \"codes\": [...], ...}"
                    .to_owned(),
            );
        };
        match (is, listed) {
            (Verdict::Accept, _) if file.codes.is_some() => {
                return Err("an acceptance has no codes: remove them".into());
            }
            (Verdict::Reject, 0) => {
                return Err("a rejection names at least one code: add `codes`".into());
            }
            _ => {}
        }
        let codes: BTreeSet<_> = file.codes.unwrap_or_default().into_iter().collect();
        if codes.len() < listed {
            return Err("`codes` is a set: remove the repeated code".to_owned());
        }
        Ok(Self { is, codes, out: file.out })
    }
}

/// An expected output: as written, and as a node to compare with.
#[derive(Debug, Clone)]
pub struct Expected {
    /// As it stands in the file.
    pub raw: Box<RawValue>,
    /// The same, parsed.
    pub node: Node,
}

impl<'de> Deserialize<'de> for Expected {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let node = Node::parse(raw.get()).map_err(D::Error::custom)?;
        Ok(Self { raw, node })
    }
}

impl Expected {
    /// The bytes of a `{"text": ...}` or `{"base64": ...}`, if this is one.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let Node::Object(members) = &self.node else {
            return None;
        };
        if members.len() != 1 {
            return None;
        }
        match (self.node.member("text"), self.node.member("base64")) {
            (Some(text), None) => text.text().map(|text| text.as_bytes().to_vec()),
            (None, Some(encoded)) => encoded.text().and_then(|text| STANDARD.decode(text).ok()),
            _ => None,
        }
    }
}

/// A document's bytes, in one of three spellings.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "EntryFile")]
pub enum Document {
    /// A JSON value, compacted with its tokens as they stand.
    Json(Box<RawValue>),
    /// Exact text.
    Text(String),
    /// Exact bytes.
    Bytes(Vec<u8>),
}

impl Document {
    /// The exact bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Json(raw) => exact::compact(raw).into_bytes(),
            Self::Text(text) => text.as_bytes().to_vec(),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }
}

/// What stands at a path of the case's folder.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "EntryFile")]
pub enum Entry {
    /// A file.
    File(Document),
    /// An empty folder.
    Directory,
    /// A symbolic link.
    Symlink {
        /// What is written into it, as it stands.
        to: String,
    },
    /// A file without read permission.
    Unreadable {
        /// Its text.
        text: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFile {
    #[serde(default, deserialize_with = "present")]
    json: Option<Box<RawValue>>,
    text: Option<String>,
    base64: Option<String>,
    kind: Option<String>,
    to: Option<String>,
}

impl TryFrom<EntryFile> for Entry {
    type Error = String;

    fn try_from(file: EntryFile) -> Result<Self, String> {
        Ok(match (file.json, file.text, file.base64, file.kind.as_deref(), file.to) {
            (Some(raw), None, None, None, None) => Self::File(Document::Json(raw)),
            (None, Some(text), None, None, None) => Self::File(Document::Text(text)),
            (None, None, Some(encoded), None, None) => {
                let bytes = STANDARD.decode(encoded).map_err(|error| format!("`base64` does not decode: {error}"))?;
                Self::File(Document::Bytes(bytes))
            }
            (None, None, None, Some("directory"), None) => Self::Directory,
            (None, None, None, Some("symlink"), Some(to)) => Self::Symlink { to },
            (None, Some(text), None, Some("unreadable"), None) => Self::Unreadable { text },
            _ => {
                return Err("write exactly one of json, text, base64; or for a file one of the kinds directory, \
                            symlink with `to`, unreadable with `text`"
                    .to_owned());
            }
        })
    }
}

impl TryFrom<EntryFile> for Document {
    type Error = String;

    fn try_from(file: EntryFile) -> Result<Self, String> {
        match Entry::try_from(file)? {
            Entry::File(document) => Ok(document),
            _ => Err("a document has no kind: write json, text or base64".to_owned()),
        }
    }
}

/// `"json": null` is a document too, so null must not become absence.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

/// A map in which no name may come twice.
fn unique<'de, D, T>(deserializer: D) -> Result<BTreeMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    unique::members(deserializer, "an object", |name| format!("{name:?} comes twice: keep one"))
}
