//! Arguments made from a tool's input schema: such as pass, and such as do not.
//!
//! What is made is a guess. Whether it passes is decided by the schema, with the same validator as everything else.

use assize_verifier::reply::breach_of_declared;
use serde_json::{Map, Value, json};

use crate::{
    finding::cut,
    message,
    plan::{CONTRACT, LeftOut, Plan, Planned},
    tools::Tool,
};

/// Values within values that a guess makes.
const DEEPEST: usize = 6;
/// Values that a guess consists of; what a schema asks for beyond them is null.
const MOST: usize = 2000;
/// Members of which a guess is made that does not pass.
const TRIES: usize = 10;

/// A plan with one call of each tool for which there is a guess that passes.
pub(crate) fn plan(tools: &[Tool]) -> Plan {
    let mut plan = Plan { contract: CONTRACT.to_owned(), ..Plan::default() };
    for tool in tools {
        match arguments(tool) {
            Ok(arguments) => plan.calls.push(Planned { tool: tool.name.clone(), arguments }),
            Err(why) => plan.left_out.push(LeftOut { tool: cut(&tool.name), why }),
        }
    }
    plan
}

/// Arguments that pass.
fn arguments(tool: &Tool) -> Result<Map<String, Value>, String> {
    let schema = tool.input.as_deref().ok_or("it has no usable input schema")?;
    let parsed: Value = serde_json::from_slice(schema).map_err(|_| "its input schema is nested too deeply")?;
    let guess = match sample(&parsed, &parsed, DEEPEST, &mut MOST.clone()) {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    match is_valid(schema, &Value::Object(guess.clone())) {
        Ok(true) => Ok(guess),
        Ok(false) => Err("no guess passes its input schema: write the arguments by hand".to_owned()),
        Err(why) => Err(format!("its input schema cannot be applied: {why}")),
    }
}

/// Arguments that do not pass, with what is wrong with them; none where no guess fails.
pub(crate) fn spoiled(tool: &Tool, sound: Option<&Map<String, Value>>) -> Option<(Value, String)> {
    let schema = tool.input.as_deref()?;
    let parsed: Value = serde_json::from_slice(schema).ok()?;
    let base = sound.cloned().or_else(|| arguments(tool).ok()).unwrap_or_default();
    let properties = parsed.get("properties").and_then(Value::as_object);
    let required = parsed.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    // Another type leaves less to a server's goodwill than an absent member, so that it comes first.
    let typed = properties.into_iter().flatten().take(TRIES).map(|(name, _)| {
        let mut members = base.clone();
        members.insert(name.clone(), json!([{"assize": null}]));
        (members, format!("{name} of another type"))
    });
    let absent = required.take(TRIES).map(|name| {
        let mut members = base.clone();
        members.remove(name);
        (members, format!("without {name}"))
    });
    let mut guesses = typed.chain(absent).map(|(members, what)| (Value::Object(members), what));
    guesses.find(|(guess, _)| is_valid(schema, guess) == Ok(false))
}

/// Whether arguments pass a schema.
pub(crate) fn is_valid(schema: &[u8], arguments: &Value) -> Result<bool, &'static str> {
    let text = arguments.to_string();
    let (Some(schema), Some(value)) = (message::again(schema), message::again(text.as_bytes())) else {
        return Err("it cannot be read");
    };
    breach_of_declared(schema.root(), value.root()).map(|breach| breach.is_none())
}

/// A small value that a schema may accept.
fn sample(schema: &Value, root: &Value, left: usize, most: &mut usize) -> Value {
    let (Some(left), Some(rest)) = (left.checked_sub(1), most.checked_sub(1)) else { return Value::Null };
    *most = rest;
    if let Some(target) =
        schema.get("$ref").and_then(Value::as_str).and_then(|path| root.pointer(path.strip_prefix('#')?))
    {
        return sample(target, root, left, most);
    }
    let given = ["const", "default"].into_iter().find_map(|name| schema.get(name));
    let listed = ["enum", "examples"].into_iter().find_map(|name| schema.get(name)?.as_array()?.first());
    if let Some(value) = given.or(listed) {
        return value.clone();
    }
    if let Some(first) = ["anyOf", "oneOf", "allOf"].into_iter().find_map(|name| schema.get(name)?.as_array()?.first())
    {
        return sample(first, root, left, most);
    }
    let named = match schema.get("type") {
        Some(Value::Array(types)) => types.first().and_then(Value::as_str),
        Some(Value::String(one)) => Some(one.as_str()),
        _ if schema.get("properties").is_some() => Some("object"),
        _ => None,
    };
    let least = |name: &str| schema.get(name).and_then(Value::as_u64).unwrap_or(0);
    match named {
        Some("object") => {
            let required =
                schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            let of =
                |name: &str| schema.get("properties").and_then(|members| members.get(name)).unwrap_or(&Value::Null);
            Value::Object(required.map(|name| (name.to_owned(), sample(of(name), root, left, most))).collect())
        }
        Some("array") => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            (0..least("minItems").min(10)).map(|_| sample(items, root, left, most)).collect()
        }
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
        Some("boolean") => json!(false),
        Some("null") => Value::Null,
        _ => match schema.get("format").and_then(Value::as_str) {
            Some("uri") => json!("http://127.0.0.1/"),
            Some("date") => json!("2026-01-01"),
            Some("date-time") => json!("2026-01-01T00:00:00Z"),
            Some("email") => json!("a@example.org"),
            _ => json!("a".repeat(usize::try_from(least("minLength").clamp(1, 1000)).unwrap_or(1))),
        },
    }
}
