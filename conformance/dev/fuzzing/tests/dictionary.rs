//! The dictionary of JSON tokens is what libFuzzer can read, and names every member of the contracts.
use std::collections::BTreeSet;
use std::{fs, path::Path};

use serde_json::Value;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");
/// Schemas whose documents the text targets are meant to come near to.
const SCHEMAS: [&str; 2] = ["contracts/sovereign", "contracts/episode"];

/// The bytes of an entry: a quoted string in which only `\\`, `\"` and `\xAB` are escapes.
fn entry(line: &str) -> Option<Vec<u8>> {
    let mut octets = Vec::new();
    let mut rest = line.strip_prefix('"')?.strip_suffix('"')?.bytes();
    while let Some(octet) = rest.next() {
        octets.push(match octet {
            b'\\' => match rest.next()? {
                plain @ (b'\\' | b'"') => plain,
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                _ => return None,
            },
            b'"' => return None,
            b' '..=b'~' => octet,
            _ => return None,
        });
    }
    (!octets.is_empty()).then_some(octets)
}

fn names(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::Object(properties)) = members.get("properties") {
                found.extend(properties.keys().cloned());
            }
            members.values().for_each(|member| names(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, found)),
        _ => {}
    }
}

#[test]
fn the_dictionary_can_be_read_and_names_the_contracts_members() {
    let text = fs::read_to_string(Path::new(ROOT).join("fuzz/dictionaries/json.dict")).unwrap();
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entries: Vec<_> = lines.map(|line| entry(line).unwrap_or_else(|| panic!("no entry: {line}"))).collect();
    let tokens: BTreeSet<_> = entries.iter().cloned().collect();
    assert_eq!(tokens.len(), entries.len(), "an entry stands twice");

    let mut members = BTreeSet::new();
    for folder in SCHEMAS {
        // Tables lie in a folder of their own.
        let files = fs::read_dir(Path::new(ROOT).join(folder)).unwrap().map(|file| file.unwrap().path());
        for file in files.filter(|path| path.is_file()) {
            names(&serde_json::from_slice(&fs::read(file).unwrap()).unwrap(), &mut members);
        }
    }
    assert!(members.len() > 100, "{} names alone: where are the others?", members.len());
    let missing: Vec<_> = members.iter().filter(|name| !tokens.contains(format!("\"{name}\":").as_bytes())).collect();
    assert!(missing.is_empty(), "the dictionary lacks {missing:?}");
}
