//! Challenges as vector files.

use std::{fs, io, path::Path};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json, value::RawValue};

use super::Challenge;
use crate::{
    force::{Force, Forces},
    vector::{Agreement, Case, Document, Entry, Expect, Verdict},
};

/// The files of a set, by path below the folder of a corpus.
#[must_use]
pub fn files(challenges: &[Challenge]) -> Vec<(String, String)> {
    challenges.iter().map(|challenge| (format!("{}.json", challenge.case.id), file(&challenge.case))).collect()
}

/// Writes a set below a folder, for `--corpus`.
///
/// # Errors
/// A file cannot be written.
pub fn write(challenges: &[Challenge], folder: &Path) -> io::Result<()> {
    for (path, text) in files(challenges) {
        let path = folder.join(path);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

/// The text of a vector file.
fn file(case: &Case) -> String {
    let mut file = Map::new();
    let mut put = |name: &str, value: Value| drop(file.insert(name.to_owned(), value));
    put("id", case.id.as_str().into());
    put("op", case.op.as_str().into());
    put("args", Value::Object(case.args.clone()));
    put("spec", json!(case.spec));
    put("force", forces(&case.force));
    put("rationale", case.rationale.as_str().into());
    put("flags", json!(case.flags));
    put("provenance", case.provenance.to_string().into());
    put("rulings", json!(case.rulings));
    put("in", case.inputs.iter().map(|(name, document)| (name.clone(), stored(document))).collect());
    put("files", case.files.iter().map(|(path, entry)| (path.clone(), placed(entry))).collect());
    // Number tokens of an expectation have to stay as they are: it goes in as text.
    let expect = raw(&case.expect);
    let any_of: Vec<String> = case.any_of.iter().map(raw).collect();
    let agreement = match case.agreement {
        Agreement::Exact => "exact",
        Agreement::Located => "located",
        Agreement::Verdict => "verdict",
    };
    let head = Value::Object(file).to_string();
    let head = head.strip_suffix('}').unwrap_or(&head);
    let further = if any_of.is_empty() { String::new() } else { format!(",\"any_of\":[{}]", any_of.join(",")) };
    let text = format!("{head},\"expect\":{expect}{further},\"agreement\":\"{agreement}\"}}");
    let indented = RawValue::from_string(text.clone()).map(|raw| crate::vector::exact::indent(&raw));
    indented.unwrap_or(text) + "\n"
}

fn forces(forces: &Forces) -> Value {
    let kind = |force: &Force| json!(force);
    let mut table: Map<String, Value> = Map::from_iter([("/is".to_owned(), kind(&forces.verdict))]);
    table.extend(forces.places.iter().map(|(place, force)| (place.text.clone(), kind(force))));
    if table.len() == 1 && matches!(forces.verdict, Force::Spec(None)) { "spec".into() } else { Value::Object(table) }
}

fn stored(document: &Document) -> Value {
    match String::from_utf8(document.bytes()) {
        Ok(text) => json!({ "text": text }),
        Err(error) => json!({ "base64": STANDARD.encode(error.into_bytes()) }),
    }
}

fn placed(entry: &Entry) -> Value {
    match entry {
        Entry::File(document) => stored(document),
        Entry::Directory => json!({ "kind": "directory" }),
        Entry::Symlink { to } => json!({ "kind": "symlink", "to": to }),
        Entry::Unreadable { text } => json!({ "kind": "unreadable", "text": text }),
    }
}

fn raw(expect: &Expect) -> String {
    let out: Vec<String> = expect
        .out
        .iter()
        .map(|(name, output)| format!("{}:{}", Value::from(name.as_str()), output.raw.get()))
        .collect();
    let out = out.join(",");
    match expect.is {
        Verdict::Accept => format!("{{\"is\":\"accept\",\"out\":{{{out}}}}}"),
        Verdict::Reject => format!("{{\"is\":\"reject\",\"codes\":{},\"out\":{{{out}}}}}", json!(expect.codes)),
    }
}
