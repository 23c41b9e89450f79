//! What a question is made of: a vector, a find of the fuzzers, a pair, a pack, a ledger, or a document and an operation.
//!
//! Names, documents and arguments are looked up in `contracts/interface/operations`. Nothing is judged here.

mod find;

pub use find::Question;

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    operation::{self, Argument, Operation},
    vector::{Agreement, Case, Document, Entry, Expect, Forces, LoadError, Provenance, Spec, Verdict},
};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::suggest;
use find::Find;

/// What the command line says about the question.
#[derive(Debug, Clone, Default)]
pub struct Ask {
    /// The operation; where there is none, the shape of the input tells it.
    pub op: Option<String>,
    /// Arguments; they go before those of the input.
    pub args: Map<String, Value>,
    /// Which part of a find is meant; where there is none, the usual one.
    pub part: Option<String>,
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
    /// The input is a vector, and does not load.
    #[error(transparent)]
    Vector(#[from] LoadError),
    /// Operation or arguments are missing or wrong.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        help: String,
    },
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
        if has("target") && has("documents") {
            let find: Find = serde_json::from_slice(&bytes).map_err(|error| broken(error.to_string()))?;
            return find.start(name, ask);
        }
        whole(ask)?;
        if has("op") && has("expect") {
            return Self::vector(Case::parse(name, &bytes)?, ask);
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

    /// Takes what lies in a folder: a pair (`bundle_a.json`, `bundle_b.json` and turn files), or a pack.
    ///
    /// # Errors
    /// Operation or arguments are wrong, or the folder does not tell which operation it goes to.
    pub fn folder(mut files: BTreeMap<String, Entry>, ask: &Ask) -> Result<Self, InputError> {
        whole(ask)?;
        let pair = files.contains_key("bundle_a.json") && files.contains_key("bundle_b.json");
        let pack = files.contains_key("pack_manifest.json") || files.contains_key("episode_contract.json");
        let op = match &ask.op {
            Some(op) => op,
            None if pair => "sovereign.compare",
            None if pack => "episode.verify",
            None => {
                let message = "the folder holds neither bundle_a.json and bundle_b.json nor pack_manifest.json or \
                               episode_contract.json";
                return Err(usage(
                    message.to_owned(),
                    "name the folder of a pair or of a pack, or the operation with --op",
                ));
            }
        };
        let operation = find_operation(op)?;
        let mut docs = BTreeMap::new();
        for input in &operation.inputs {
            match files.remove(&format!("{}.json", input.name)) {
                Some(Entry::File(document)) => drop(docs.insert(input.name.clone(), document)),
                Some(_) => {
                    let message = format!("{}.json is a link or a folder, and {op} takes a file", input.name);
                    return Err(usage(message, "put the file itself there"));
                }
                None if input.required => {
                    let message = format!("the folder holds no {}.json, which {op} needs", input.name);
                    return Err(usage(message, "name another folder, or another operation with --op"));
                }
                None => {}
            }
        }
        let usual = if pair { Map::from_iter([("mode".to_owned(), "law".into())]) } else { Map::new() };
        Self::new(operation, &usual, ask, docs, files)
    }

    /// Takes an operation with its documents, by name, and the files that it is asked about.
    ///
    /// # Errors
    /// There is no such operation, or it does not take these arguments, documents or files.
    pub fn documents(
        op: &str,
        ask: &Ask,
        docs: BTreeMap<String, Document>,
        files: BTreeMap<String, Entry>,
    ) -> Result<Self, InputError> {
        let operation = find_operation(op)?;
        let names: Vec<&str> = operation.inputs.iter().map(|input| input.name.as_str()).collect();
        let takes =
            format!("its documents are: {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") });
        if let Some(name) = docs.keys().find(|name| !names.contains(&name.as_str())) {
            return Err(usage(format!("{op} takes no document {name:?}"), &takes));
        }
        let missing = operation.inputs.iter().find(|input| input.required && !docs.contains_key(&input.name));
        if let Some(input) = missing {
            return Err(usage(format!("{op} needs the document {}", input.name), &takes));
        }
        if !files.is_empty() && !operation.root {
            return Err(usage(format!("{op} looks at no files"), "leave them out"));
        }
        Self::new(operation, &Map::new(), ask, docs, files)
    }

    fn vector(mut case: Case, ask: &Ask) -> Result<Self, InputError> {
        if ask.op.as_ref().is_some_and(|op| *op != case.op) {
            let message = format!("the vector asks {}, and --op another operation", case.op);
            return Err(usage(message, "leave out --op"));
        }
        case.args.extend(ask.args.clone());
        let operation = find_operation(&case.op)?;
        case.args = meant(operation, case.args);
        arguments(operation, &case.args)?;
        Ok(Self { vector: Some(case.id.clone()), case })
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
        let args = meant(operation, args);
        arguments(operation, &args)?;
        let case = Case {
            id: String::new(),
            op: operation.name.clone(),
            args,
            spec: Spec { document: String::new(), section: String::new() },
            force: Forces::whole(),
            rationale: String::new(),
            flags: Vec::new(),
            provenance: Provenance::Hand,
            rulings: Vec::new(),
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

/// Only finds have parts.
fn whole(ask: &Ask) -> Result<(), InputError> {
    match &ask.part {
        Some(part) => Err(usage(format!("--part {part}: only a find of the fuzzers has parts"), "leave out --part")),
        None => Ok(()),
    }
}

fn usage(message: String, help: &str) -> InputError {
    InputError::Usage { message, help: help.to_owned() }
}

/// A document in the spelling that people read best.
#[must_use]
pub fn document(bytes: Vec<u8>) -> Document {
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
        let near = suggest::matches(op, table.operations.iter().map(|operation| operation.name.as_str()), 3);
        let help = if near.is_empty() {
            "name one of the operation table".to_owned()
        } else {
            format!("did you mean {}?", near.join(", "))
        };
        usage(format!("no operation is called {op:?}"), &help)
    })
}

/// Arguments with the values that former spellings stand for.
fn meant(operation: &Operation, args: Map<String, Value>) -> Map<String, Value> {
    let value = |name: &str, value: Value| match (operation.argument(name), value.as_str()) {
        (Some(known), Some(spelling)) => known.meant(spelling).into(),
        _ => value,
    };
    args.into_iter().map(|(name, given)| (name.clone(), value(&name, given))).collect()
}

/// Every argument is known, one of its values, and there if it must be.
fn arguments(operation: &Operation, args: &Map<String, Value>) -> Result<(), InputError> {
    let op = &operation.name;
    if let Some(name) = args.keys().find(|name| !operation.args.iter().any(|known| known.name == **name)) {
        return Err(usage(format!("{op} has no argument {name:?}"), "leave it out"));
    }
    for known in &operation.args {
        let name = &known.name;
        let message = match args.get(name) {
            None if known.required => format!("{op} needs the argument {name}"),
            Some(value) if !takes(known, value) => format!("{op}: {name} is not {value}"),
            _ => continue,
        };
        return Err(usage(message, &spelled(known)));
    }
    Ok(())
}

/// Whether an argument may have a value, by its type and its closed list.
fn takes(known: &Argument, value: &Value) -> bool {
    let listed = |value: &Value| known.values.as_ref().is_none_or(|values| values.contains(value));
    match known.kind.as_str() {
        "any" => listed(value),
        "array" => value.as_array().is_some_and(|items| items.iter().all(listed)),
        _ => value.is_string() && listed(value),
    }
}

/// How an argument is given. A string that would be other JSON needs its quotes.
fn spelled(known: &Argument) -> String {
    let name = &known.name;
    let values: Vec<String> = known.values.iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    match (known.kind.as_str(), values.is_empty()) {
        ("array", false) => format!("--arg '{name}=[\"{}\", ...]'", values.join("\"|\"")),
        ("array", true) => format!("--arg '{name}=[...]'"),
        ("any", true) => format!("--arg {name}=..."),
        (_, true) => format!("--arg '{name}=\"...\"'"),
        (_, false) => format!("--arg {name}={}", values.join("|")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str, op: Option<&str>, args: &[(&str, &str)]) -> Result<Start, InputError> {
        let args = args.iter().map(|(name, value)| ((*name).to_owned(), Value::from(*value))).collect();
        Start::file(name, text.as_bytes().to_vec(), &Ask { op: op.map(str::to_owned), args, part: None })
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
        asks(
            file("x", "nonsense", Some("canon.bytes"), &[("profile", "episode")]),
            "canon.bytes",
            &[("doc", "nonsense")],
        );
        let find = r#"{"target":"compare_vs_comparator","note":"n","asks":[{"op":"sovereign.compare","args":{"mode":"reference"},
            "docs":{"bundle_a":"bundle_a","bundle_b":"bundle_b"},"files":"files/"}],
            "documents":{"bundle_a":{"text":"1"},"bundle_b":{"base64":"Mg=="},"files/a/1.json":{"text":"3"}}}"#;
        let start = file("f.json", find, None, &[]).unwrap();
        assert_eq!(start.case.args["mode"], "reference");
        assert!(start.case.files.contains_key("a/1.json"));
        asks(Ok(start), "sovereign.compare", &[("bundle_a", "1"), ("bundle_b", "2")]);
    }

    #[test]
    fn a_folder_is_a_pair_or_a_pack() {
        let file = || Entry::File(document(b"{}".to_vec()));
        let files = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), file())).collect();
        let pair = Start::folder(files(&["bundle_a.json", "bundle_b.json", "a/1.json"]), &Ask::default()).unwrap();
        assert_eq!((pair.case.op.as_str(), pair.case.inputs.len(), pair.case.files.len()), ("sovereign.compare", 2, 1));
        assert_eq!(pair.case.args["mode"], "law");
        for named in ["pack_manifest.json", "episode_contract.json"] {
            let pack = Start::folder(files(&[named]), &Ask::default()).unwrap();
            assert_eq!((pack.case.op.as_str(), pack.case.files.len()), ("episode.verify", 1));
        }
        let linked = [("bundle_a.json", Entry::Symlink { to: "a".to_owned() }), ("bundle_b.json", file())];
        for (folder, says) in [
            (files(&[]), "neither"),
            (files(&["a/pack_manifest.json", "bundle_a.json"]), "neither"),
            (linked.map(|(name, entry)| (name.to_owned(), entry)).into(), "is a link or a folder"),
        ] {
            let error = Start::folder(folder, &Ask::default()).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        let asked = Ask { op: Some("episode.verify".to_owned()), ..Ask::default() };
        assert_eq!(Start::folder(files(&[]), &asked).unwrap().case.op, "episode.verify");
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
            (file("x.json", r#"{"op":"canon.bytes","expect":{}}"#, None, &[]), "the expectation is empty"),
            (file("x.json", r#"{"target":"ledger","documents":{"a":{"text":""}}}"#, None, &[]), "missing field `asks`"),
        ] {
            let error = start.unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
            assert!(error.matches("x.json").count() < 2, "{error}");
        }
        let part = Ask { part: Some("after".to_owned()), ..Ask::default() };
        assert!(Start::file("x.json", b"[]".to_vec(), &part).unwrap_err().to_string().contains("has parts"));
    }

    #[test]
    fn a_value_has_the_type_of_its_argument_and_is_listed() {
        use serde_json::json;
        let start = |op: &str, name: &str, value: Value| {
            let ask =
                Ask { op: Some(op.to_owned()), args: [(name.to_owned(), value)].into_iter().collect(), part: None };
            Start::file("x", b"[]".to_vec(), &ask)
        };
        for (op, name, value, lawful) in [
            ("canon.bytes", "profile", json!("episode"), true),
            ("canon.bytes", "profile", json!(7), false),
            ("canon.bytes", "profile", Value::Null, false),
            ("canon.bytes", "profile", json!(["episode"]), false),
            ("authority.dag", "run_id", json!(7), false),
            ("authority.dag", "run_id", json!("7"), true),
            ("authority.replay", "source", Value::Null, false),
            ("authority.replay", "confidence", Value::Null, true),
            ("sovereign.audit", "profiles", json!([]), true),
            ("sovereign.audit", "profiles", json!(["turn-digest/published"]), true),
            ("sovereign.audit", "profiles", json!("turn-digest/published"), false),
            ("sovereign.audit", "profiles", json!(["turn-digest/published", 1]), false),
        ] {
            match start(op, name, value.clone()) {
                Ok(_) => assert!(lawful, "{op} {name}={value}"),
                Err(InputError::Usage { message, help }) => {
                    assert!(!lawful && message.contains(&format!("{name} is not {value}")), "{message}");
                    assert!(help.starts_with("--arg "), "{help}");
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
}
