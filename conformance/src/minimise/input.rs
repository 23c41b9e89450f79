//! What a question is made of: a vector, a find of the fuzzers, a pair, a pack, a ledger, or a document and an operation.
//!
//! Operations: names, documents and arguments are looked up in the table. Nothing is judged here.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    operation::{self, Operation},
    vector::{Agreement, Case, Document, Entry, Expect, Provenance, Spec, Verdict},
};
use serde::Deserialize;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::near;

/// What the command line says of the question.
#[derive(Debug, Clone, Default)]
pub struct Ask {
    /// The operation; where there is none, the shape of the input tells it.
    pub op: Option<String>,
    /// Arguments; they go before those of the input.
    pub args: Map<String, Value>,
}

/// A question to begin with.
#[derive(Debug)]
pub struct Start {
    /// The question. What it expects is a placeholder that nobody looks at.
    pub case: Case,
    /// Its id, if it is a vector.
    pub vector: Option<String>,
}

/// Why an input makes no question.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// The input is broken.
    #[error("{name}: {message}")]
    Broken {
        /// The file.
        name: String,
        /// What is wrong.
        message: String,
    },
    /// Operation or arguments are missing or wrong.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
}

/// A fuzz target, the operation that its finds are put to, and an argument with its value.
type Asked = (&'static str, &'static str, Option<(&'static str, &'static str)>);

/// Fuzz targets, with the question that their finds ask.
const TARGETS: [Asked; 7] = [
    ("canon_vs_python", "canon.bytes", Some(("profile", "sovereign"))),
    ("json_reader_vs_python", "canon.bytes", Some(("profile", "authority"))),
    ("compare_vs_comparator", "sovereign.compare", Some(("mode", "reference"))),
    ("law_mode_total", "sovereign.compare", Some(("mode", "law"))),
    ("episode_verify", "episode.verify", None),
    ("ledger", "authority.chain", None),
    ("dag", "authority.dag", None),
];

/// A find of the fuzzers, decoded.
#[derive(Deserialize)]
struct Find {
    target: String,
    documents: BTreeMap<String, Entry>,
}

impl Start {
    /// Reads one file. The files of a vector's pack are handed over by the caller.
    ///
    /// # Errors
    /// The file is broken, or does not tell what is asked.
    pub fn file(name: &str, bytes: Vec<u8>, ask: &Ask) -> Result<Self, InputError> {
        let shape: Option<Value> = serde_json::from_slice(&bytes).ok();
        let has = |member: &str| shape.as_ref().is_some_and(|shape| shape.get(member).is_some());
        let broken = |message: String| InputError::Broken { name: name.to_owned(), message };
        if has("op") && has("expect") {
            let case = Case::parse(name, &bytes).map_err(|error| broken(error.to_string()))?;
            return Self::vector(case, ask);
        }
        if has("target") && has("documents") {
            let find = serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))?;
            return Self::find(name, find, ask);
        }
        let lines = name.ends_with(".jsonl");
        let op = match &ask.op {
            Some(op) => op.clone(),
            None if lines || shape.as_ref().is_some_and(Value::is_array) => "authority.chain".to_owned(),
            None if has("interpretations") => "authority.run".to_owned(),
            None => {
                let message = format!("{name}: its shape does not tell which operation it goes to");
                return Err(usage(message, "name it with --op; of a pair or a pack, name the folder"));
            }
        };
        let bytes = if lines { array(&bytes) } else { bytes };
        let operation = find_operation(&op)?;
        let required: Vec<_> = operation.inputs.iter().filter(|input| input.required).collect();
        let ([doc], false) = (required.as_slice(), operation.root) else {
            let message = format!("{op} does not take one document alone");
            return Err(usage(message, "name a folder with its documents and files, or a vector"));
        };
        Self::new(operation, &Map::new(), ask, BTreeMap::from([(doc.name.clone(), document(bytes))]), BTreeMap::new())
    }

    /// Takes the files of a folder: a pair (`bundle_a.json`, `bundle_b.json` and turn files), or a pack.
    ///
    /// # Errors
    /// Operation or arguments are wrong.
    pub fn folder(mut files: BTreeMap<String, Vec<u8>>, ask: &Ask) -> Result<Self, InputError> {
        let pair = files.contains_key("bundle_a.json") && files.contains_key("bundle_b.json");
        let op = ask.op.as_deref().unwrap_or(if pair { "sovereign.compare" } else { "episode.verify" });
        let operation = find_operation(op)?;
        let mut docs = BTreeMap::new();
        for input in &operation.inputs {
            match files.remove(&format!("{}.json", input.name)) {
                Some(bytes) => drop(docs.insert(input.name.clone(), document(bytes))),
                None if input.required => {
                    let message = format!("the folder holds no {}.json, which {op} needs", input.name);
                    return Err(usage(message, "name another folder, or another operation with --op"));
                }
                None => {}
            }
        }
        let files = files.into_iter().map(|(path, bytes)| (path, Entry::File(document(bytes)))).collect();
        let usual = if pair { Map::from_iter([("mode".to_owned(), "law".into())]) } else { Map::new() };
        Self::new(operation, &usual, ask, docs, files)
    }

    fn vector(mut case: Case, ask: &Ask) -> Result<Self, InputError> {
        if ask.op.as_ref().is_some_and(|op| *op != case.op) {
            let message = format!("the vector asks {}, and --op another operation", case.op);
            return Err(usage(message, "leave out --op"));
        }
        case.args.extend(ask.args.clone());
        let operation = find_operation(&case.op)?;
        arguments(operation, &case.args)?;
        Ok(Self { vector: Some(case.id.clone()), case })
    }

    fn find(name: &str, find: Find, ask: &Ask) -> Result<Self, InputError> {
        let known = TARGETS.iter().find(|(target, ..)| *target == find.target);
        let op = ask.op.as_deref().or(known.map(|(_, op, _)| *op)).ok_or_else(|| {
            let message = format!("{name}: finds of {} ask no operation", find.target);
            usage(message, "name the operation with --op")
        })?;
        let operation = find_operation(op)?;
        let (mut docs, mut files) = (BTreeMap::new(), BTreeMap::new());
        for (place, entry) in find.documents {
            match (place.strip_prefix("files/"), entry) {
                (Some(path), entry) => drop(files.insert(path.to_owned(), entry)),
                (None, Entry::File(document)) if operation.inputs.iter().any(|input| input.name == place) => {
                    docs.insert(place, document);
                }
                (None, _) => {
                    let message = format!("/documents/{place}: no document of {op}; files begin with `files/`");
                    return Err(InputError::Broken { name: name.to_owned(), message });
                }
            }
        }
        let usual = known.and_then(|(.., argument)| *argument).filter(|_| ask.op.is_none());
        let usual = usual.map(|(name, value)| (name.to_owned(), Value::from(value)));
        Self::new(operation, &usual.into_iter().collect(), ask, docs, files)
    }

    fn new(
        operation: &Operation,
        usual: &Map<String, Value>,
        ask: &Ask,
        inputs: BTreeMap<String, Document>,
        files: BTreeMap<String, Entry>,
    ) -> Result<Self, InputError> {
        let mut args = usual.clone();
        args.extend(ask.args.clone());
        arguments(operation, &args)?;
        let case = Case {
            id: String::new(),
            op: operation.name.clone(),
            args,
            spec: Spec { document: String::new(), section: String::new() },
            rationale: String::new(),
            flags: Vec::new(),
            provenance: Provenance::Hand,
            rows: Vec::new(),
            twin: None,
            pair: None,
            inputs,
            files,
            root: None,
            expect: Expect { is: Verdict::Accept, codes: BTreeSet::new(), out: BTreeMap::new() },
            any_of: Vec::new(),
            agreement: Agreement::Exact,
        };
        Ok(Self { case, vector: None })
    }
}

fn usage(message: String, help: &str) -> InputError {
    InputError::Usage { message, help: help.to_owned() }
}

fn document(bytes: Vec<u8>) -> Document {
    String::from_utf8(bytes).map_or_else(|error| Document::Bytes(error.into_bytes()), Document::Text)
}

/// The records of JSON Lines as one array: the operations take no other form.
fn array(lines: &[u8]) -> Vec<u8> {
    let records: Vec<&[u8]> = lines.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).collect();
    [b"[", records.join(&b","[..]).as_slice(), b"]"].concat()
}

fn find_operation(op: &str) -> Result<&'static Operation, InputError> {
    let table = operation::table();
    table.find(op).ok_or_else(|| {
        let near = near::matches(op, table.operations.iter().map(|operation| operation.name.as_str()), 3);
        let help = if near.is_empty() {
            "name one of the operation table".to_owned()
        } else {
            format!("did you mean {}?", near.join(", "))
        };
        usage(format!("no operation is called {op:?}"), &help)
    })
}

/// Every argument is known, one of its values, and there if it must be.
fn arguments(operation: &Operation, args: &Map<String, Value>) -> Result<(), InputError> {
    let op = &operation.name;
    if let Some(name) = args.keys().find(|name| !operation.args.iter().any(|known| known.name == **name)) {
        return Err(usage(format!("{op} has no argument {name:?}"), "leave it out"));
    }
    for known in &operation.args {
        let name = &known.name;
        let listed: Vec<String> = known.values.iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
        match args.get(name) {
            None if known.required => {
                let values = if listed.is_empty() { "...".to_owned() } else { listed.join("|") };
                let help = format!("--arg {name}={values}");
                return Err(usage(format!("{op} needs the argument {name}"), &help));
            }
            Some(Value::String(value)) if !listed.is_empty() && !listed.contains(value) => {
                let message = format!("{op}: {name} is not {value:?}");
                return Err(usage(message, &format!("--arg {name}={}", listed.join("|"))));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str, op: Option<&str>, args: &[(&str, &str)]) -> Result<Start, InputError> {
        let args = args.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
        Start::file(name, text.as_bytes().to_vec(), &Ask { op: op.map(str::to_owned), args })
    }

    fn asks(start: Result<Start, InputError>, op: &str, docs: &[(&str, &str)]) {
        let case = start.unwrap().case;
        assert_eq!(case.op, op);
        let given: Vec<_> = case.inputs.iter().map(|(name, doc)| (name.clone(), doc.bytes())).collect();
        let owed: Vec<_> = docs.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
        assert_eq!(given, owed);
    }

    #[test]
    fn a_shape_tells_the_operation() {
        asks(
            file("l.jsonl", "{\"a\":1}\n{\"b\":-0}\n", None, &[]),
            "authority.chain",
            &[("records", "[{\"a\":1},{\"b\":-0}]")],
        );
        asks(file("l.json", "[ 1 ]", None, &[]), "authority.chain", &[("records", "[ 1 ]")]);
        asks(
            file("i.json", r#"{"interpretations":[]}"#, None, &[]),
            "authority.run",
            &[("inputs", r#"{"interpretations":[]}"#)],
        );
        asks(file("x", "nonsense", Some("canon.bytes"), &[("profile", "jcs")]), "canon.bytes", &[("doc", "nonsense")]);
        let find = r#"{"target":"compare_vs_comparator","note":"n","documents":{"bundle_a":{"text":"1"},"bundle_b":{"base64":"Mg=="},
            "files/a/1.json":{"text":"3"}}}"#;
        let start = file("f.json", find, None, &[]).unwrap();
        assert_eq!(start.case.args["mode"], "reference");
        assert!(start.case.files.contains_key("a/1.json"));
        asks(Ok(start), "sovereign.compare", &[("bundle_a", "1"), ("bundle_b", "2")]);
    }

    #[test]
    fn a_folder_is_a_pair_or_a_pack() {
        let files = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), b"{}".to_vec())).collect();
        let pair = Start::folder(files(&["bundle_a.json", "bundle_b.json", "a/1.json"]), &Ask::default()).unwrap();
        assert_eq!((pair.case.op.as_str(), pair.case.inputs.len(), pair.case.files.len()), ("sovereign.compare", 2, 1));
        assert_eq!(pair.case.args["mode"], "law");
        let pack = Start::folder(files(&["pack_manifest.json"]), &Ask::default()).unwrap();
        assert_eq!((pack.case.op.as_str(), pack.case.files.len()), ("episode.verify", 1));
    }

    #[test]
    fn what_makes_no_question_is_refused() {
        for (start, says) in [
            (file("x.json", "{}", None, &[]), "does not tell"),
            (file("x.json", "{}", Some("canon.byte"), &[]), "no operation"),
            (file("x.json", "{}", Some("canon.bytes"), &[]), "needs the argument profile"),
            (file("x.json", "{}", Some("canon.bytes"), &[("profile", "jsc")]), "profile is not"),
            (file("x.json", "{}", Some("authority.chain"), &[("mode", "law")]), "no argument"),
            (file("x.json", "{}", Some("sovereign.compare"), &[("mode", "law")]), "one document alone"),
            (file("x.json", r#"{"op":"canon.bytes","expect":{}}"#, None, &[]), "x.json"),
            (file("x.json", r#"{"target":"ledger","documents":{"a":{"text":""}}}"#, None, &[]), "no document of"),
            (file("x.json", r#"{"target":"certificate","documents":{}}"#, None, &[]), "ask no operation"),
        ] {
            let error = start.unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
