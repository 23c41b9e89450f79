//! Lays the rows of tables into the schemas that repeat them.
//!
//! A schema is used alone, so that it holds every value that it admits. Where these are rows of a table or of a sealed document,
//! `$comment` before `enum` or `const` says which: the file, relative to the system's folder, and a JSON Pointer into it, in which `*`
//! stands for every row. What is embedded has the rows as the file states them, whatever the schema said.

use std::{fs, path::Path};

use serde_json::Value;

use super::{Outcome, entries, last, read, wrong};

/// How a comment begins.
const MARK: &str = "\"$comment\": \"";

/// Writes every schema in the folders of systems below `target`, by its path.
pub(crate) fn lay(contracts: &Path, target: &Path) -> Outcome<()> {
    for system in entries(contracts)? {
        if !contracts.join("laws").join(last(&system)?).is_dir() {
            continue;
        }
        for file in entries(&system)? {
            let name = last(&file)?;
            if !name.ends_with(".schema.json") {
                continue;
            }
            println!("cargo:rerun-if-changed={}", file.display());
            let folder = target.join(last(&system)?);
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(name), laid(&file, &system)?)?;
        }
    }
    Ok(())
}

/// The text of a schema with its rows, laid out as it was.
fn laid(file: &Path, system: &Path) -> Outcome<String> {
    let text = fs::read_to_string(file)?;
    let (mut out, mut rest) = (String::new(), text.as_str());
    while let Some((before, after)) = rest.split_once(MARK) {
        out = out + before + MARK;
        let wrong = |message| wrong(file, MARK, message);
        let (named, after) = after.split_once('"').ok_or_else(|| wrong("no JSON"))?;
        out = out + named + "\"";
        rest = after;
        let Some((from, pointer)) = named.split_once('#') else { continue };
        let (keyword, after) = rest.split_once(": ").ok_or_else(|| wrong("`enum` or `const` is owed behind it"))?;
        if !keyword.ends_with("\"enum\"") && !keyword.ends_with("\"const\"") {
            return Err(wrong("`enum` or `const` is owed behind it"));
        }
        let mut stated = serde_json::Deserializer::from_str(after).into_iter::<Value>();
        stated.next().transpose()?;
        let indent: String = out.lines().next_back().unwrap_or_default().chars().take_while(|c| *c == ' ').collect();
        let found = rows(&read(&system.join(from))?, pointer).ok_or_else(|| wrong("it names no such place"))?;
        out = out + keyword + ": " + &serde_json::to_string_pretty(&found)?.replace('\n', &format!("\n{indent}"));
        rest = after.split_at(stated.byte_offset()).1;
    }
    Ok(out + rest)
}

/// The value at a place, or the values of a column, each once.
fn rows(document: &Value, pointer: &str) -> Option<Value> {
    let Some((list, column)) = pointer.split_once("/*") else { return document.pointer(pointer).cloned() };
    let mut cells: Vec<Value> = Vec::new();
    for row in document.pointer(list)?.as_array()? {
        let cell = row.pointer(column)?;
        if !cells.contains(cell) {
            cells.push(cell.clone());
        }
    }
    Some(Value::Array(cells))
}
