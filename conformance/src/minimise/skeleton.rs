//! A vector that has everything but what a person must argue.
//!
//! Contract: `vectors/README.md`. Neither of the two answers goes into it: `expect` is empty, which no corpus loads,
//! and `spec` and `rationale` are for the person who fills it in.

use std::collections::BTreeMap;

use assize_corpus::{
    lint,
    node::Node,
    vector::{Case, Corpus, Document, Entry, exact, law_of},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::Signature;

/// How much of a document is compared when the nearest case is searched.
const LOOKED: usize = 4096;

/// A vector file to fill in; members in their published order.
#[derive(Debug, Serialize)]
pub struct Skeleton<'c> {
    /// Path below `vectors/` without `.json`.
    pub id: String,
    op: &'c str,
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    args: &'c serde_json::Map<String, serde_json::Value>,
    spec: Place,
    rationale: &'static str,
    provenance: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    twin: Option<String>,
    #[serde(rename = "in", skip_serializing_if = "BTreeMap::is_empty")]
    inputs: BTreeMap<&'c str, Spelled<'c>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    files: BTreeMap<&'c str, Spelled<'c>>,
    expect: Nothing,
    agreement: &'static str,
}

#[derive(Debug, Serialize)]
struct Place {
    document: &'static str,
    section: &'static str,
}

#[derive(Debug, Serialize)]
struct Nothing {}

impl<'c> Skeleton<'c> {
    /// The skeleton of a case under an id; `twin` is an accepted case of the corpus.
    #[must_use]
    pub fn new(id: String, twin: Option<String>, case: &'c Case) -> Self {
        let document = |(name, document)| (str_of(name), Spelled::Document(document));
        let entry = |(path, entry): (&'c String, &'c Entry)| {
            let spelled = match entry {
                Entry::File(document) => Spelled::Document(document),
                other => Spelled::Other(other),
            };
            (path.as_str(), spelled)
        };
        Self {
            id,
            op: &case.op,
            args: &case.args,
            spec: Place { document: "", section: "" },
            rationale: "",
            provenance: "hand",
            twin,
            inputs: case.inputs.iter().map(document).collect(),
            files: case.files.iter().map(entry).collect(),
            expect: Nothing {},
            agreement: "exact",
        }
    }

    /// The file, laid out like every vector.
    ///
    /// # Errors
    /// It is not JSON, which would be a bug.
    pub fn text(&self) -> Result<String, serde_json::Error> {
        let raw = RawValue::from_string(serde_json::to_string(self)?)?;
        Ok(exact::indent(&raw) + "\n")
    }
}

fn str_of(name: &String) -> &str {
    name
}

/// The law that a disagreement seems to be about: one that either side names, otherwise that of the vector it began with, otherwise
/// the one whose cases ask this most often.
#[must_use]
pub fn law(signature: &Signature, case: &Case, vector: Option<&str>, corpus: &Corpus) -> String {
    let laws: Vec<String> = corpus.laws.values().filter(|law| law.is_judged()).map(|law| law.slug.clone()).collect();
    if let Some(law) = signature.law(&laws) {
        return law.to_owned();
    }
    if let Some(vector) = vector {
        return law_of(vector).to_owned();
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for other in corpus.cases.values().filter(|other| other.op == case.op && other.args == case.args) {
        *counts.entry(other.law()).or_default() += 1;
    }
    let most = counts.iter().max_by_key(|(_, count)| **count).map(|(law, _)| (*law).to_owned());
    most.unwrap_or_else(|| case.op.replace(['.', '_'], "-"))
}

/// An id of a law that no case has or had: a name with only what an id may hold, and a number where it is taken.
#[must_use]
pub fn id(law: &str, name: &str, corpus: &Corpus) -> String {
    let lower = name.to_lowercase();
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut stem = format!("{law}/{}", if words.is_empty() { "find".to_owned() } else { words.join("-") });
    // Room for a number.
    stem.truncate(lint::LONGEST_ID - 5);
    let stem = stem.trim_end_matches('-');
    let free = |id: &String| is_free(id, corpus);
    (1..)
        .map(|count: u32| if count == 1 { stem.to_owned() } else { format!("{stem}-{count}") })
        .find(free)
        .unwrap_or_default()
}

/// Whether no case has or had this id.
#[must_use]
pub fn is_free(id: &str, corpus: &Corpus) -> bool {
    !corpus.cases.contains_key(id) && !corpus.laws.values().any(|law| law.retired.iter().any(|old| old == id))
}

/// The twin: that of the vector it began with, or that vector if it is accepted; otherwise the accepted case of the law that asks
/// the same with the most alike input.
#[must_use]
pub fn twin(law: &str, case: &Case, vector: Option<&Case>, corpus: &Corpus) -> Option<String> {
    if let Some(vector) = vector {
        let own = lint::accepted(vector).then(|| vector.id.clone());
        return vector.twin.clone().or(own);
    }
    let input = looked(case);
    let alike = |other: &Case| strsim::sorensen_dice(&input, &looked(other));
    let same =
        corpus.cases.values().filter(|other| other.law() == law && other.op == case.op && other.args == case.args);
    let accepted = same.filter(|other| lint::accepted(other));
    accepted.max_by(|one, other| alike(one).total_cmp(&alike(other))).map(|nearest| nearest.id.clone())
}

/// The start of every document, as text.
fn looked(case: &Case) -> String {
    let starts = case.inputs.values().map(|document| {
        let bytes = document.bytes();
        String::from_utf8_lossy(bytes.get(..LOOKED).unwrap_or(&bytes)).into_owned()
    });
    starts.collect()
}

/// A document in the spelling that keeps its bytes and reads best.
#[derive(Debug)]
enum Spelled<'c> {
    Document(&'c Document),
    Other(&'c Entry),
}

impl Serialize for Spelled<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap as _;
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Document(document) => match String::from_utf8(document.bytes()) {
                Ok(text) => match plain(&text) {
                    Some(raw) => map.serialize_entry("json", &raw)?,
                    None => map.serialize_entry("text", &text)?,
                },
                Err(error) => map.serialize_entry("base64", &STANDARD.encode(error.as_bytes()))?,
            },
            Self::Other(Entry::Symlink { to }) => {
                map.serialize_entry("kind", "symlink")?;
                map.serialize_entry("to", to)?;
            }
            Self::Other(Entry::Unreadable { text }) => {
                map.serialize_entry("kind", "unreadable")?;
                map.serialize_entry("text", text)?;
            }
            Self::Other(_) => map.serialize_entry("kind", "directory")?,
        }
        map.end()
    }
}

/// A container that can stand as JSON: no spelling in it is significant, and the loader gives the same bytes again.
fn plain(text: &str) -> Option<Box<RawValue>> {
    let odd = |token: &str| token != "0" && (token == "-0" || token.contains(['.', 'e', 'E']) || token.len() > 15);
    fn numbers(node: &Node, odd: &dyn Fn(&str) -> bool) -> bool {
        match node {
            Node::Number(token) => odd(token),
            Node::Array(items) => items.iter().any(|item| numbers(item, odd)),
            Node::Object(members) => members.values().any(|member| numbers(member, odd)),
            _ => false,
        }
    }
    let node = Node::parse(text).ok().filter(|node| matches!(node, Node::Array(_) | Node::Object(_)))?;
    if text.contains('\\') || numbers(&node, &odd) {
        return None;
    }
    let raw = RawValue::from_string(text.to_owned()).ok()?;
    (exact::compact(&raw) == text).then_some(raw)
}

#[cfg(test)]
mod tests {
    use assize_corpus::store::Store;

    use super::*;

    fn case(inputs: &str) -> Case {
        let text = format!(
            r#"{{"id":"canon/jcs/x","op":"canon.bytes","args":{{"profile":"jcs"}},"spec":{{"document":"d","section":"s"}},
                "rationale":"r","provenance":"hand","in":{inputs},"expect":{{"is":"accept"}},"agreement":"exact"}}"#
        );
        Case::parse("c.json", text.as_bytes()).unwrap()
    }

    #[test]
    fn bytes_are_kept_in_the_spelling_that_reads_best() {
        for (doc, spelled) in [
            (
                r#"{"text":"{\"b\":1,\"a\":[]}"}"#,
                "{\n      \"json\": {\n        \"b\": 1,\n        \"a\": []\n      }\n    }",
            ),
            (r#"{"text":"[1.0]"}"#, "{\n      \"text\": \"[1.0]\"\n    }"),
            (r#"{"text":"[ 1]"}"#, "{\n      \"text\": \"[ 1]\"\n    }"),
            (r#"{"text":"{\"a\":1,\"a\":1}"}"#, "{\n      \"text\": \"{\\\"a\\\":1,\\\"a\\\":1}\"\n    }"),
            (r#"{"base64":"/w=="}"#, "{\n      \"base64\": \"/w==\"\n    }"),
        ] {
            let case = case(&format!(r#"{{"doc":{doc}}}"#));
            let text = Skeleton::new("canon/jcs/y".to_owned(), None, &case).text().unwrap();
            assert!(text.contains(&format!("\"doc\": {spelled}")), "{text}");
            let filled = text.replace("\"expect\": {}", "\"expect\": {\"is\": \"accept\"}");
            let again = Case::parse("y.json", filled.as_bytes()).unwrap();
            assert_eq!(again.inputs["doc"].bytes(), case.inputs["doc"].bytes());
            assert!(
                Case::parse("y.json", text.as_bytes()).unwrap_err().to_string().contains("the expectation is empty")
            );
        }
    }

    #[test]
    fn an_id_is_new_and_lawful() {
        let corpus = Corpus::load(&Store::embedded());
        let taken = corpus.cases.keys().find(|id| id.starts_with("canon/jcs/")).unwrap();
        let name = taken.rsplit('/').next().unwrap();
        assert_eq!(id("canon/jcs", name, &corpus), format!("{taken}-2"));
        assert_eq!(id("canon/jcs", "My  Find_7.json", &corpus), "canon/jcs/my-find-7-json");
        assert_eq!(id("canon/jcs", "...", &corpus), "canon/jcs/find");
        assert!(id("canon/jcs", &"long-".repeat(60), &corpus).len() <= lint::LONGEST_ID);
    }

    #[test]
    fn the_twin_is_accepted_asks_the_same_and_is_near() {
        let corpus = Corpus::load(&Store::embedded());
        let near = twin("canon/jcs", &case(r#"{"doc":{"text":"[-0]"}}"#), None, &corpus).unwrap();
        let near = &corpus.cases[&near];
        assert!(lint::accepted(near) && near.law() == "canon/jcs" && near.args["profile"] == "jcs");
        let rejecting = corpus.cases.values().find(|case| case.twin.is_some()).unwrap();
        assert_eq!(twin("canon/jcs", rejecting, Some(rejecting), &corpus), rejecting.twin);
    }
}
