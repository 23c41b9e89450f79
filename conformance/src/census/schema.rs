//! Branches of the schemas that judged documents satisfy or violate.
//!
//! A branch is a place in a schema with a condition, itself a schema of a few keywords, and whether the condition has to hold
//! or to fail. The list of branches follows from the schemas alone. A document reaches those whose condition ends so, each
//! judged by the `jsonschema` crate; only the way to the places is walked here. What stands below an `if` is a condition, and
//! only whether it holds counts. The schemas of outputs that no vector gives in full (replay result and replay details) are
//! not walked.
//!
//! Why not one evaluation of the whole document: its output leaves out the failures of an `anyOf` of which another option
//! holds, and names absent members in text for people alone.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use assize_corpus::store;
use jsonschema::{PatternOptions, Registry, Validator};
use serde_json::{Map, Value, json};

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
        let schema = SCHEMAS.get(name).into_iter();
        let branches = schema
            .flat_map(|schema| places(name, schema))
            .flat_map(|(at, members)| branches(members).into_iter().map(move |branch| format!("{at} {}", branch.name)));
        branches.map(move |branch| Cell::new(system, Area::Schema, branch)).collect::<BTreeSet<_>>()
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
    let Some(value) = value else { return BTreeSet::new() };
    let mut branches = BTreeSet::new();
    walk(&format!("{name}#"), &value, &mut branches);
    // A branch belongs to the system of its schema, which is that of the document.
    branches.into_iter().map(|branch| Cell::new(system, Area::Schema, branch)).collect()
}

/// The place that a reference leads to.
fn referred(from: &str, reference: &str) -> String {
    let (file, pointer) = reference.split_once('#').unwrap_or((reference, ""));
    let file = file.rsplit('/').next().unwrap_or_default().trim_end_matches(".schema.json");
    let name = if file.is_empty() { from.split('#').next().unwrap_or_default() } else { file };
    format!("{name}#{pointer}")
}

/// A branch of a schema: a value reaches it where the condition ends as `holds` says.
struct Branch {
    /// What stands in the cell after the place.
    name: String,
    /// A schema that may refer to the definitions of the file.
    condition: Value,
    holds: bool,
}

/// Keywords that a value satisfies or violates as a whole, and the word for what violates them.
const KEYWORDS: [(&str, &str); 8] = [
    ("type", "another type"),
    ("pattern", "pattern fails"),
    ("minimum", "too small"),
    ("minLength", "too short"),
    ("minItems", "too few"),
    ("maxItems", "too many"),
    ("uniqueItems", "repeated item"),
    ("anyOf", "none of anyOf holds"),
];

/// The branches of a schema by its own keywords.
fn branches(members: &Map<String, Value>) -> Vec<Branch> {
    let branch = |name: String, condition: Value, holds: bool| Branch { name, condition, holds };
    let only = |words: &[&str]| -> Map<String, Value> {
        words.iter().filter_map(|word| Some(((*word).to_owned(), members.get(*word)?.clone()))).collect()
    };
    let mut found = Vec::new();
    for (word, violated) in KEYWORDS {
        found.extend(members.get(word).map(|value| branch(violated.to_owned(), json!({word: value}), false)));
    }
    for member in items(members.get("enum")).chain(members.get("const")) {
        found.push(branch(format!("= {member}"), json!({"const": member}), true));
    }
    let closed = only(&["enum", "const"]);
    if !closed.is_empty() {
        found.push(branch("another value".to_owned(), closed.into(), false));
    }
    for name in items(members.get("required")).filter_map(Value::as_str) {
        found.push(branch(format!("lacks {name}"), json!({"required": [name]}), false));
    }
    if members.get("additionalProperties") == Some(&Value::Bool(false)) {
        // What stands in a known member is judged at its own place.
        let mut names = only(&["properties", "patternProperties", "additionalProperties"]);
        let known = names.values_mut().filter_map(Value::as_object_mut).flat_map(|known| known.values_mut());
        known.for_each(|schema| *schema = true.into());
        found.push(branch("unknown member".to_owned(), names.into(), false));
    }
    for (index, option) in items(members.get("anyOf")).enumerate() {
        found.push(branch(format!("anyOf/{index} holds"), option.clone(), true));
    }
    if let Some(condition) = members.get("if") {
        found.push(branch("if holds".to_owned(), condition.clone(), true));
        found.push(branch("if does not hold".to_owned(), condition.clone(), false));
    }
    found
}

/// Every place of a schema at which a value may come, from the top and from each definition.
fn places<'s>(name: &str, schema: &'s Value) -> Vec<(String, &'s Map<String, Value>)> {
    let mut pending = vec![(format!("{name}#"), schema)];
    for pool in DEFINITIONS {
        let definitions = schema.get(pool).and_then(Value::as_object).into_iter().flatten();
        pending.extend(definitions.map(|(member, schema)| (format!("{name}#/{pool}/{member}"), schema)));
    }
    let mut found = Vec::new();
    while let Some((at, schema)) = pending.pop() {
        if let Some(members) = schema.as_object() {
            pending.extend(below(members).into_iter().map(|(step, schema)| (format!("{at}{step}"), schema)));
            found.push((at, members));
        }
    }
    found
}

const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

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

/// A place of a schema, with its conditions compiled.
struct Place {
    members: &'static Map<String, Value>,
    /// With the name of each branch, and whether its condition has to hold.
    branches: Vec<(String, Validator, bool)>,
    /// The patterns of `patternProperties`, each with the place of its schema.
    patterns: Vec<(Validator, String)>,
}

/// Every place of every judged schema, by its name.
static PLACES: LazyLock<BTreeMap<String, Place>> = LazyLock::new(|| {
    let (mut found, registry) = (BTreeMap::new(), registry());
    for (name, schema) in SCHEMAS.iter() {
        let compile = |condition: &Value| compile(schema, registry.as_ref()?, condition);
        for (at, members) in places(name, schema) {
            let branches = branches(members).into_iter();
            let branches = branches.filter_map(|branch| Some((branch.name, compile(&branch.condition)?, branch.holds)));
            let patterns = members.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
            let patterns = patterns.filter_map(|(pattern, _)| {
                Some((compile(&json!({"pattern": pattern}))?, format!("{at}/patternProperties/{pattern}")))
            });
            let place = Place { members, branches: branches.collect(), patterns: patterns.collect() };
            found.insert(at, place);
        }
    }
    found
});

/// The schemas, which refer to each other.
fn registry() -> Option<Registry<'static>> {
    let mut registry = Registry::new();
    for schema in SCHEMAS.values() {
        registry = registry.add(schema.get("$id")?.as_str()?, schema.clone()).ok()?;
    }
    registry.prepare().ok()
}

/// A condition as a schema beside the file that it comes from, with the definitions of that file.
fn compile(file: &Value, registry: &Registry<'static>, condition: &Value) -> Option<Validator> {
    let mut members = condition.as_object()?.clone();
    for word in ["$schema"].into_iter().chain(DEFINITIONS) {
        members.extend(file.get(word).map(|value| (word.to_owned(), value.clone())));
    }
    // Another name than that of the file, so that neither is taken for the other.
    members.insert("$id".to_owned(), format!("{}?condition", file.get("$id")?.as_str()?).into());
    let options = jsonschema::options().with_registry(registry).with_pattern_options(PatternOptions::regex());
    options.offline().build(&Value::Object(members)).ok()
}

/// Adds the branches that a value reaches at a place and below.
fn walk(at: &str, value: &Value, reached: &mut BTreeSet<String>) {
    let Some(place) = PLACES.get(at) else { return };
    let branches = place.branches.iter().filter(|(_, condition, holds)| condition.is_valid(value) == *holds);
    let names: Vec<&str> = branches.map(|(name, ..)| name.as_str()).collect();
    reached.extend(names.iter().map(|name| format!("{at} {name}")));
    if let Some(reference) = place.members.get("$ref").and_then(Value::as_str) {
        walk(&referred(at, reference), value, reached);
    }
    for (name, member) in value.as_object().into_iter().flatten() {
        of_member(at, place, name).iter().for_each(|at| walk(at, member, reached));
    }
    for item in value.as_array().into_iter().flatten() {
        walk(&format!("{at}/items"), item, reached);
    }
    for word in ["anyOf", "allOf"] {
        for (index, _) in items(place.members.get(word)).enumerate() {
            walk(&format!("{at}/{word}/{index}"), value, reached);
        }
    }
    if names.contains(&"if holds") {
        walk(&format!("{at}/then"), value, reached);
    }
}

/// The places whose schemas a member of this name has to satisfy.
fn of_member(at: &str, place: &Place, name: &str) -> Vec<String> {
    let named = Value::from(name);
    let patterns = place.patterns.iter().filter(|(pattern, _)| pattern.is_valid(&named));
    let mut found: Vec<String> = patterns.map(|(_, at)| at.clone()).collect();
    if place.members.get("properties").is_some_and(|properties| properties.get(name).is_some()) {
        found.push(format!("{at}/properties/{name}"));
    }
    if found.is_empty() {
        found.push(format!("{at}/additionalProperties"));
    }
    found
}

fn items(array: Option<&Value>) -> impl Iterator<Item = &Value> {
    array.and_then(Value::as_array).into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_compiles_and_every_reference_leads_to_a_place() {
        assert_eq!(SCHEMAS.len(), JUDGED.len());
        for (name, schema) in SCHEMAS.iter() {
            for (at, members) in places(name, schema) {
                let place = &PLACES[&at];
                let listed: Vec<String> = branches(members).into_iter().map(|branch| branch.name).collect();
                assert_eq!(place.branches.iter().map(|(name, ..)| name.clone()).collect::<Vec<_>>(), listed, "{at}");
                let patterns = members.get("patternProperties").and_then(Value::as_object).map_or(0, Map::len);
                assert_eq!(place.patterns.len(), patterns, "{at}");
                let reference = members.get("$ref").map(|reference| referred(&at, reference.as_str().unwrap()));
                assert!(reference.is_none_or(|to| PLACES.contains_key(&to)), "{at}");
            }
        }
    }

    #[test]
    fn every_keyword_of_a_place_has_branches_or_is_followed() {
        let followed = "$comment $defs $id $ref $schema additionalProperties allOf const default definitions description enum if items \
                        patternProperties properties required then title";
        let keywords: BTreeSet<&str> = followed.split(' ').chain(KEYWORDS.map(|(word, _)| word)).collect();
        for (at, place) in PLACES.iter() {
            let unknown: Vec<_> = place.members.keys().filter(|word| !keywords.contains(word.as_str())).collect();
            assert!(unknown.is_empty(), "{at}: {unknown:?}");
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
