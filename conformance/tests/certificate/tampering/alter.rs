//! The members of a document, from its schema, and the ways to alter one.

use assize_corpus::store;
use serde_json::{Map, Value, json};

/// A member, by its steps; `*` is any index or name.
#[derive(Debug)]
pub(super) struct Member {
    steps: Vec<String>,
    /// The schemas on the way, from that of the document to that of the member.
    schemas: Vec<Value>,
}

/// A document with one member altered.
#[derive(Debug, Clone)]
pub(super) struct Alteration {
    pub(super) kind: &'static str,
    pub(super) document: Value,
    /// The name by which a refusal calls what was altered: that of the nearest step which has one.
    pub(super) name: String,
}

/// Every member of the schema of this name.
pub(super) fn members(name: &str) -> Vec<Member> {
    let bytes = store::embedded(&format!("contracts/interface/{name}.schema.json")).unwrap();
    let schema: Value = serde_json::from_slice(bytes).unwrap();
    let mut members = Vec::new();
    walk(&schema, &schema, &mut Vec::new(), &mut Vec::new(), &mut members);
    members
}

fn walk(whole: &Value, schema: &Value, steps: &mut Vec<String>, schemas: &mut Vec<Value>, members: &mut Vec<Member>) {
    let schema = resolved(whole, schema);
    schemas.push(schema.clone());
    if !steps.is_empty() {
        members.push(Member { steps: steps.clone(), schemas: schemas.clone() });
    }
    let named = schema["properties"].as_object().into_iter().flatten();
    let any = [&schema["items"], &schema["additionalProperties"]].into_iter().map(|below| ("*", below));
    for (name, below) in named.map(|(name, below)| (name.as_str(), below)).chain(any) {
        if below.is_object() {
            steps.push(name.to_owned());
            walk(whole, below, steps, schemas, members);
            steps.pop();
        }
    }
    schemas.pop();
}

/// A schema with what it refers to.
fn resolved(whole: &Value, schema: &Value) -> Value {
    let Some(place) = schema["$ref"].as_str() else { return schema.clone() };
    let mut found = resolved(whole, whole.pointer(place.trim_start_matches('#')).unwrap());
    for (name, value) in schema.as_object().unwrap() {
        found[name] = value.clone();
    }
    found
}

impl Member {
    /// As a pointer.
    pub(super) fn place(&self) -> String {
        self.steps.iter().map(|step| format!("/{step}")).collect()
    }

    /// The document with this member altered in every way that there is for it.
    pub(super) fn alterations(&self, document: &Value) -> Vec<Alteration> {
        let Some(place) = find(document, &self.steps) else { return self.added(document).into_iter().collect() };
        let name = named(&self.steps);
        let value = document.pointer(&place).unwrap();
        let mut altered: Vec<Alteration> =
            [("changed", changed(value, self.schemas.last().unwrap())), ("another kind", Some(other(value)))]
                .into_iter()
                .filter_map(|(kind, value)| Some((kind, value?)))
                .map(|(kind, value)| {
                    let mut document = document.clone();
                    *document.pointer_mut(&place).unwrap() = value;
                    Alteration { kind, document, name: name.clone() }
                })
                .collect();
        let mut document = document.clone();
        let (above, last) = place.rsplit_once('/').unwrap();
        match document.pointer_mut(above).unwrap() {
            Value::Object(members) => drop(members.remove(&last.replace("~1", "/").replace("~0", "~"))),
            Value::Array(items) => drop(items.remove(last.parse().unwrap())),
            _ => panic!("only these have members"),
        }
        altered.push(Alteration { kind: "removed", document, name });
        altered
    }

    /// The document with a member that it does not have, and with what that stands in.
    fn added(&self, document: &Value) -> Option<Alteration> {
        let depth = (0..self.steps.len()).rev().find(|depth| find(document, &self.steps[..*depth]).is_some())?;
        let (above, below) = self.steps.split_at(depth);
        let place = find(document, above)?;
        let mut document = document.clone();
        let value = self.example(depth + 1);
        match document.pointer_mut(&place)? {
            Value::Object(members) => drop(members.insert(below[0].replace('*', "zzz"), value)),
            Value::Array(items) => items.push(value),
            _ => return None,
        }
        Some(Alteration { kind: "added", document, name: named(&self.steps[..=depth]) })
    }

    /// A value for the member at this depth on the way to this one, with this one in it.
    fn example(&self, depth: usize) -> Value {
        let mut value = example(&self.schemas[depth]);
        if depth < self.steps.len() {
            let below = self.example(depth + 1);
            match &mut value {
                Value::Object(members) => drop(members.insert(self.steps[depth].replace('*', "zzz"), below)),
                Value::Array(items) => *items = vec![below],
                _ => {}
            }
        }
        value
    }
}

fn named(steps: &[String]) -> String {
    steps.iter().rfind(|step| *step != "*").unwrap().clone()
}

/// The first place of a document to which the steps lead.
fn find(document: &Value, steps: &[String]) -> Option<String> {
    let Some((step, rest)) = steps.split_first() else { return Some(String::new()) };
    let below = |name: &str, value: &Value| {
        let name = name.replace('~', "~0").replace('/', "~1");
        find(value, rest).map(|place| format!("/{name}{place}"))
    };
    match document {
        Value::Object(members) if step == "*" => members.iter().find_map(|(name, value)| below(name, value)),
        Value::Object(members) => members.get(step).and_then(|value| below(step, value)),
        Value::Array(items) if step == "*" => {
            items.iter().enumerate().find_map(|(index, value)| below(&index.to_string(), value))
        }
        _ => None,
    }
}

/// Another value that the schema permits there, if there is one.
fn changed(value: &Value, schema: &Value) -> Option<Value> {
    if let Some(names) = schema["enum"].as_array() {
        return names.iter().find(|name| *name != value).cloned();
    }
    match value {
        _ if schema.get("const").is_some() => None,
        Value::String(text) if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            Some(json!("9".repeat(64)))
        }
        Value::String(text) if text.ends_with('Z') => Some(json!("2000-01-01T00:00:00Z")),
        Value::String(text) if text.starts_with("r-") => Some(json!("r-0000000000000000")),
        Value::String(text) => Some(json!(format!("{text}x"))),
        Value::Number(number) => Some(number.as_u64().map_or(json!(0.5), |number| json!(number + 1))),
        Value::Bool(value) => Some(json!(!value)),
        Value::Array(items) => Some(match items.split_last() {
            Some((_, rest)) => json!(rest),
            None => json!([example(&schema["items"])]),
        }),
        Value::Object(members) if schema["additionalProperties"].is_object() => {
            let mut members = members.clone();
            members.insert("zzz".to_owned(), example(&schema["additionalProperties"]));
            Some(Value::Object(members))
        }
        Value::Null => Some(json!(1)),
        Value::Object(_) => None,
    }
}

/// A value of another kind.
fn other(value: &Value) -> Value {
    match value {
        Value::String(_) | Value::Null => json!([7]),
        Value::Number(_) => json!(-1),
        Value::Bool(_) => json!("true"),
        Value::Array(_) => json!({}),
        Value::Object(_) => json!([]),
    }
}

/// A value that the schema permits.
fn example(schema: &Value) -> Value {
    if let Some(value) = schema.get("const").or_else(|| schema["enum"].as_array()?.first()) {
        return value.clone();
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match kind {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let members: Map<String, Value> =
                required.map(|name| (name.to_owned(), example(&schema["properties"][name]))).collect();
            Value::Object(members)
        }
        Some("array") => json!([example(&schema["items"])]),
        Some("integer" | "number") => schema["minimum"].as_u64().map_or(json!(1), |least| json!(least.max(1))),
        Some("boolean") => json!(true),
        Some("string") if schema["pattern"].as_str().is_some_and(|pattern| pattern.contains("{64}")) => {
            json!("8".repeat(64))
        }
        Some("string") if schema["pattern"].as_str().is_some_and(|pattern| pattern.contains("[1-9]")) => json!("1/2"),
        Some("string") if schema["pattern"].as_str().is_some_and(|pattern| pattern.contains("[0-9]+$")) => json!("7"),
        Some("string") => json!("x"),
        _ => json!({}),
    }
}
