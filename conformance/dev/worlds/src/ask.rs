//! Questions to the verifier.

use std::collections::BTreeMap;

use assize_verifier::operation::{self, Answer, MemoryRoot, NoFiles, Output, Question, Root};
use serde_json::{Map, Value};

/// The verifier's answer to a question without files.
pub(crate) fn verifier(op: &str, args: &[(&str, Value)], docs: &[(&str, &[u8])]) -> Answer {
    of_root(op, args, docs, &mut NoFiles)
}

/// The verifier's answer to a question about files in memory.
pub(crate) fn of_files(
    op: &str,
    args: &[(&str, Value)],
    docs: &[(&str, &[u8])],
    files: &BTreeMap<String, Vec<u8>>,
) -> Result<Answer, String> {
    use assize_verifier::files::HomeFiles as _;
    let mut root = MemoryRoot::default();
    for (path, octets) in files {
        if let Some((folder, _)) = path.rsplit_once('/') {
            root.files.create_folder(folder).map_err(|why| format!("{folder}: {why}"))?;
        }
        root.files.create(path, octets).map_err(|why| format!("{path}: {why}"))?;
    }
    Ok(of_root(op, args, docs, &mut root))
}

fn of_root(op: &str, args: &[(&str, Value)], docs: &[(&str, &[u8])], root: &mut dyn Root) -> Answer {
    let args: Map<_, _> = args.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let docs: BTreeMap<_, _> = docs.iter().map(|(name, octets)| ((*name).to_owned(), octets.to_vec())).collect();
    operation::answer(&mut Question { op, args: &args, docs: &docs, root, platform: "any" })
}

/// An output that is a plain value.
pub(crate) fn value<'a>(out: &'a BTreeMap<String, Output>, name: &str) -> Option<&'a Value> {
    match out.get(name) {
        Some(Output::Value(value)) => Some(value),
        _ => None,
    }
}

/// What is told of a document on which two sides differ.
pub(crate) fn differ(
    op: &str,
    document: &[u8],
    second: &dyn std::fmt::Debug,
    verifier: &dyn std::fmt::Debug,
) -> String {
    format!("{op} of {}\nsecond source: {second:?}\nverifier:      {verifier:?}", document.escape_ascii())
}
