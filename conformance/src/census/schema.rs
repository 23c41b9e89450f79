//! Branches of the schemas that judged documents satisfy or violate.
//!
//! Every schema is walked twice: once by itself, for the list of branches, and once for each document, for those that it
//! reaches. What stands below an `if` is a condition, and only whether it holds counts. The schemas of outputs that no vector
//! gives in full (replay result and replay details) are not walked.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use assize_corpus::store;
use regex_lite::Regex;
use serde_json::{Map, Value};

use super::{Area, Cell};

/// Schemas of judged documents, with their systems.
const JUDGED: [(&str, &str); 13] = [
    ("sovereign", "stage-order"),
    ("sovereign", "error-codes"),
    ("sovereign", "capability-decision-record"),
    ("sovereign", "replay-bundle"),
    ("sovereign", "replay-report"),
    ("sovereign", "turn-result"),
    ("sovereign", "kernel-issue"),
    ("episode", "episode-contract"),
    ("episode", "pack-manifest"),
    ("episode", "pack-attestation"),
    ("episode", "receipt-open"),
    ("episode", "receipt-step"),
    ("episode", "receipt-close"),
];

static SCHEMAS: LazyLock<BTreeMap<&str, Value>> = LazyLock::new(|| {
    let read = |(system, name): &(&str, &'static str)| {
        let octets = store::embedded(&format!("contracts/{system}/{name}.schema.json"))?;
        Some((*name, serde_json::from_slice(octets).ok()?))
    };
    JUDGED.iter().filter_map(read).collect()
});

/// Every branch of every judged schema.
pub(super) fn universe() -> impl Iterator<Item = Cell> {
    JUDGED.into_iter().flat_map(|(system, name)| {
        let mut branches = BTreeSet::new();
        if let Some(schema) = SCHEMAS.get(name) {
            list(&format!("{name}#"), schema, &mut branches);
            for pool in ["$defs", "definitions"] {
                for (member, schema) in schema.get(pool).and_then(Value::as_object).into_iter().flatten() {
                    list(&format!("{name}#/{pool}/{member}"), schema, &mut branches);
                }
            }
        }
        branches.into_iter().map(move |branch| Cell::new(system, Area::Schema, branch))
    })
}

/// What an input document of an operation reaches; `contract` is the schema that the operation was asked for by name.
pub(super) fn of_input(op: &str, input: &str, contract: Option<&str>, octets: &[u8]) -> BTreeSet<Cell> {
    let name = match (op, input) {
        ("sovereign.compare", "bundle_a" | "bundle_b") => "replay-bundle",
        ("sovereign.compare" | "sovereign.order", "stage_order") => "stage-order",
        (_, "registry") => "error-codes",
        ("sovereign.audit", "turn") => "turn-result",
        ("sovereign.contract", "doc") => contract.unwrap_or_default(),
        ("sovereign.decision_id", "record") => "capability-decision-record",
        ("sovereign.report_id", "report") => "replay-report",
        ("episode.contract" | "episode.hashes", "contract") => "episode-contract",
        _ => return BTreeSet::new(),
    };
    of(name, serde_json::from_slice(octets).ok())
}

/// What a file of a case reaches.
pub(super) fn of_file(op: &str, path: &str, octets: &[u8]) -> BTreeSet<Cell> {
    let value = || serde_json::from_slice::<Value>(octets).ok();
    match (op, path) {
        ("sovereign.compare", _) => of("turn-result", value()),
        ("episode.verify", "episode_contract.json") => of("episode-contract", value()),
        ("episode.verify", "pack_manifest.json") => {
            let manifest = value();
            let attested = manifest.as_ref().and_then(|manifest| manifest.get("attestation")).cloned();
            let mut cells = of("pack-manifest", manifest);
            cells.extend(of("pack-attestation", attested));
            cells
        }
        ("episode.verify", "receipt_pack.jsonl") => octets.split(|octet| *octet == b'\n').flat_map(receipt).collect(),
        _ => BTreeSet::new(),
    }
}

/// A line of a receipt pack: its payload, by the kind that its type names.
fn receipt(line: &[u8]) -> BTreeSet<Cell> {
    let Ok(receipt) = serde_json::from_slice::<Value>(line) else { return BTreeSet::new() };
    let payload = receipt.get("payload").filter(|payload| payload.is_object()).unwrap_or(&receipt);
    let kinds = [receipt.get("type"), payload.get("type")];
    let named = |word: &str| kinds.iter().flatten().filter_map(|kind| kind.as_str()).any(|kind| kind.contains(word));
    let schema = ["open", "step", "close"].into_iter().zip(["receipt-open", "receipt-step", "receipt-close"]);
    match schema.into_iter().find(|(word, _)| named(&format!("episode_{word}"))) {
        Some((_, name)) => of(name, Some(payload.clone())),
        None => BTreeSet::new(),
    }
}

fn of(name: &str, value: Option<Value>) -> BTreeSet<Cell> {
    let system = JUDGED.iter().find(|(_, known)| *known == name).map_or("", |(system, _)| *system);
    let (Some(schema), Some(value)) = (SCHEMAS.get(name), value) else { return BTreeSet::new() };
    let mut branches = BTreeSet::new();
    walk(&format!("{name}#"), schema, &value, &mut branches);
    // A branch belongs to the system of its schema, which is that of the document.
    branches.into_iter().map(|branch| Cell::new(system, Area::Schema, branch)).collect()
}

/// The place and the schema that a reference leads to.
fn referred(from: &str, reference: &str) -> Option<(String, &'static Value)> {
    let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
    let file = file.rsplit('/').next().unwrap_or_default().trim_end_matches(".schema.json");
    let name = if file.is_empty() { from.split('#').next().unwrap_or_default() } else { file };
    Some((format!("{name}#{pointer}"), SCHEMAS.get(name)?.pointer(pointer)?))
}

/// Keywords that hold one number, and the word for what violates them.
const BOUNDS: [(&str, &str); 4] =
    [("minimum", "too small"), ("minLength", "too short"), ("minItems", "too few"), ("maxItems", "too many")];

fn list(at: &str, schema: &Value, branches: &mut BTreeSet<String>) {
    let Some(members) = schema.as_object() else { return };
    let mut add = |what: &str| {
        branches.insert(format!("{at} {what}"));
    };
    if members.contains_key("type") {
        add("another type");
    }
    for member in options(members) {
        add(&format!("= {member}"));
    }
    if members.contains_key("enum") || members.contains_key("const") {
        add("another value");
    }
    for name in texts(members.get("required")) {
        add(&format!("lacks {name}"));
    }
    if members.contains_key("pattern") {
        add("pattern fails");
    }
    for (word, violated) in BOUNDS {
        if members.contains_key(word) {
            add(violated);
        }
    }
    if members.get("uniqueItems") == Some(&Value::Bool(true)) {
        add("repeated item");
    }
    if members.get("additionalProperties") == Some(&Value::Bool(false)) {
        add("unknown member");
    }
    for (index, _) in items(members.get("anyOf")).enumerate() {
        add(&format!("anyOf/{index} holds"));
    }
    if members.contains_key("anyOf") {
        add("none of anyOf holds");
    }
    if members.contains_key("if") {
        add("if holds");
        add("if does not hold");
    }
    for (step, below) in below(members) {
        list(&format!("{at}{step}"), below, branches);
    }
}

/// Subschemas that are walked in place, with the steps to them: all but conditions and definitions.
fn below(members: &Map<String, Value>) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    for word in ["properties", "patternProperties"] {
        for (name, schema) in members.get(word).and_then(Value::as_object).into_iter().flatten() {
            found.push((format!("/{word}/{name}"), schema));
        }
    }
    for word in ["items", "additionalProperties", "then"] {
        found.extend(members.get(word).map(|schema| (format!("/{word}"), schema)));
    }
    for word in ["anyOf", "allOf"] {
        found.extend(items(members.get(word)).enumerate().map(|(index, schema)| (format!("/{word}/{index}"), schema)));
    }
    found
}

/// Adds the branches that a value reaches; whether it satisfies the schema.
fn walk(at: &str, schema: &Value, value: &Value, branches: &mut BTreeSet<String>) -> bool {
    let Some(members) = schema.as_object() else { return schema != &Value::Bool(false) };
    let mut valid = true;
    if let Some((at, schema)) = members.get("$ref").and_then(Value::as_str).and_then(|to| referred(at, to)) {
        valid &= walk(&at, schema, value, branches);
    }
    let mut breaks: Vec<String> = Vec::new();
    if members.get("type").is_some_and(|kinds| !texts(Some(kinds)).any(|kind| is(kind, value))) {
        breaks.push("another type".to_owned());
    }
    if members.contains_key("enum") || members.contains_key("const") {
        match options(members).find(|member| *member == value) {
            Some(member) => {
                branches.insert(format!("{at} = {member}"));
            }
            None => breaks.push("another value".to_owned()),
        }
    }
    if let Some(text) = value.as_str() {
        if members.get("pattern").and_then(Value::as_str).is_some_and(|pattern| !matches(pattern, text)) {
            breaks.push("pattern fails".to_owned());
        }
        breaks.extend(below_bound(members, "minLength", text.chars().count() as f64));
    }
    if let Some(number) = value.as_f64() {
        breaks.extend(below_bound(members, "minimum", number));
    }
    if let Some(object) = value.as_object() {
        let absent = texts(members.get("required")).filter(|name| !object.contains_key(*name));
        breaks.extend(absent.map(|name| format!("lacks {name}")));
        valid &= members_of(at, members, object, branches, &mut breaks);
    }
    if let Some(array) = value.as_array() {
        breaks.extend(below_bound(members, "minItems", array.len() as f64));
        if members.get("maxItems").and_then(Value::as_u64).is_some_and(|most| array.len() as u64 > most) {
            breaks.push("too many".to_owned());
        }
        let unique = members.get("uniqueItems") == Some(&Value::Bool(true));
        if unique && array.iter().enumerate().any(|(index, item)| array.iter().take(index).any(|found| found == item)) {
            breaks.push("repeated item".to_owned());
        }
        if let Some(schema) = members.get("items") {
            for item in array {
                valid &= walk(&format!("{at}/items"), schema, item, branches);
            }
        }
    }
    valid &= combined(at, members, value, branches, &mut breaks);
    valid &= breaks.is_empty();
    branches.extend(breaks.into_iter().map(|what| format!("{at} {what}")));
    valid
}

/// Members of an object by `properties`, `patternProperties` and `additionalProperties`.
fn members_of(
    at: &str,
    schema: &Map<String, Value>,
    object: &Map<String, Value>,
    branches: &mut BTreeSet<String>,
    breaks: &mut Vec<String>,
) -> bool {
    let mut valid = true;
    for (name, value) in object {
        let mut known = false;
        if let Some(schema) = schema.get("properties").and_then(|properties| properties.get(name)) {
            known = true;
            valid &= walk(&format!("{at}/properties/{name}"), schema, value, branches);
        }
        for (pattern, schema) in schema.get("patternProperties").and_then(Value::as_object).into_iter().flatten() {
            if matches(pattern, name) {
                known = true;
                valid &= walk(&format!("{at}/patternProperties/{pattern}"), schema, value, branches);
            }
        }
        match schema.get("additionalProperties") {
            Some(Value::Bool(false)) if !known => breaks.push("unknown member".to_owned()),
            Some(schema) if !known => valid &= walk(&format!("{at}/additionalProperties"), schema, value, branches),
            _ => {}
        }
    }
    valid
}

/// `anyOf`, `allOf` and `if`.
fn combined(
    at: &str,
    members: &Map<String, Value>,
    value: &Value,
    branches: &mut BTreeSet<String>,
    breaks: &mut Vec<String>,
) -> bool {
    let mut valid = true;
    let mut holds = false;
    for (index, schema) in items(members.get("anyOf")).enumerate() {
        if walk(&format!("{at}/anyOf/{index}"), schema, value, branches) {
            holds = true;
            branches.insert(format!("{at} anyOf/{index} holds"));
        }
    }
    if members.contains_key("anyOf") && !holds {
        breaks.push("none of anyOf holds".to_owned());
    }
    for (index, schema) in items(members.get("allOf")).enumerate() {
        valid &= walk(&format!("{at}/allOf/{index}"), schema, value, branches);
    }
    if let Some(condition) = members.get("if") {
        if walk(at, condition, value, &mut BTreeSet::new()) {
            branches.insert(format!("{at} if holds"));
            valid &= members.get("then").is_none_or(|then| walk(&format!("{at}/then"), then, value, branches));
        } else {
            branches.insert(format!("{at} if does not hold"));
        }
    }
    valid
}

/// The members of `enum`, or the one of `const`.
fn options(members: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    items(members.get("enum")).chain(members.get("const"))
}

fn items(array: Option<&Value>) -> impl Iterator<Item = &Value> {
    array.and_then(Value::as_array).into_iter().flatten()
}

/// A string, or the strings of an array.
fn texts(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_str).into_iter().chain(items(value).filter_map(Value::as_str))
}

fn below_bound(members: &Map<String, Value>, word: &str, found: f64) -> Option<String> {
    let violated = BOUNDS.iter().find(|(known, _)| *known == word)?.1;
    (found < members.get(word)?.as_f64()?).then(|| violated.to_owned())
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        // A number with a fraction of zero is an integer to JSON Schema.
        "integer" => value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}

/// Whether a text has a match of a pattern of the contracts.
fn matches(pattern: &str, text: &str) -> bool {
    static PATTERNS: LazyLock<BTreeMap<String, Regex>> = LazyLock::new(|| {
        let mut found = BTreeSet::new();
        SCHEMAS.values().for_each(|schema| patterns(schema, &mut found));
        found.into_iter().filter_map(|pattern| Some((pattern.clone(), Regex::new(&pattern).ok()?))).collect()
    });
    PATTERNS.get(pattern).is_some_and(|pattern| pattern.is_match(text))
}

fn patterns(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(members) => {
            found.extend(members.get("pattern").and_then(Value::as_str).map(str::to_owned));
            let named = members.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
            found.extend(named.map(|(pattern, _)| pattern.clone()));
            members.values().for_each(|schema| patterns(schema, found));
        }
        Value::Array(items) => items.iter().for_each(|schema| patterns(schema, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_of_the_contracts_compiles() {
        let mut found = BTreeSet::new();
        SCHEMAS.values().for_each(|schema| patterns(schema, &mut found));
        assert_eq!(SCHEMAS.len(), JUDGED.len());
        for pattern in found {
            Regex::new(&pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
        }
    }

    #[test]
    fn a_document_reaches_what_it_satisfies_and_violates() {
        let text = br#"{"contract_version":"kernel_api/v1","level":"NOTE","stage":"ci","code":"x","location":"/",
            "message":"","extra":1}"#;
        let found: BTreeSet<_> = of("kernel-issue", serde_json::from_slice(text).ok()).into_iter().collect();
        let found: Vec<_> = found.iter().map(|cell| cell.cell.trim_start_matches("kernel-issue#")).collect();
        let mut wanted = [
            " lacks details",
            " unknown member",
            "/properties/code pattern fails",
            "/properties/contract_version = \"kernel_api/v1\"",
            "/properties/level another value",
            "/properties/message too short",
            "/properties/stage = \"ci\"",
        ];
        wanted.sort_unstable();
        assert_eq!(found, wanted);
    }

    #[test]
    fn documents_reach_nothing_that_is_not_listed() {
        let listed: BTreeSet<Cell> = universe().collect();
        for text in ["null", "{}", "[[1],[1]]", r#"{"capabilities":{"decisions":[{"outcome":"denied"}]},"issues":[7]}"#]
        {
            for (_, name) in JUDGED {
                for cell in of(name, serde_json::from_str(text).ok()) {
                    assert!(listed.contains(&cell), "{cell:?}");
                }
            }
        }
    }
}
