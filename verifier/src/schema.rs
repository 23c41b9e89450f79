//! JSON Schemas over judged documents: compiled offline, breaches located.
//!
//! Schemas are the embedded contracts of a system. References between them are resolved from memory, and patterns are
//! ECMA-262 (a `$` does not match before a final line feed). The validator reads the arena in place, so that number
//! tokens are judged as they stand.

mod cost;
mod instance;
mod meta;
pub(crate) mod straight;

use std::sync::Arc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, PatternOptions, Registry, Validator};

use crate::json::{JsonPointer, NodeRef};
use crate::rejection::ShapeBreach;
use instance::{ArenaJson, Instance};

/// Bytes that the compiled patterns of a foreign schema may have together.
const PATTERNS_BYTES: usize = 16 << 20;
/// Bytes that one of them may have in any case, and at most. `^.{1,200}$` has more than the least.
const LEAST_BYTES: usize = 64 << 10;
const MOST_BYTES: usize = 1 << 20;

/// Why a declared schema is not applied.
const UNBOUNDED: &str = "it refers to another document or in a circle, or is too large";
/// Values that a sent value may consist of, since some keywords compare each with each.
const MOST_NODES: u64 = 20_000;
/// Subschemas times values that may be applied at most.
const MOST_WORK: u64 = 50_000_000;

/// How many levels a value has, and of how many values it consists.
fn extent(value: NodeRef<'_>) -> (usize, u64) {
    let (mut deepest, mut nodes, mut pending) = (1, 0_u64, vec![(value, 1_usize)]);
    while let Some((node, level)) = pending.pop() {
        (deepest, nodes) = (deepest.max(level), nodes.saturating_add(1));
        let below = level.saturating_add(1);
        pending.extend(node.elements().map(|element| (element, below)));
        pending.extend(node.members().map(|(_, member)| (member, below)));
    }
    (deepest, nodes)
}

/// The patterns of a schema share an allowance, so that a common one is not refused for what thousands would cost.
fn bounded(schema: &serde_json::Value) -> PatternOptions<jsonschema::Regex> {
    let each = PATTERNS_BYTES.checked_div(patterns(schema)).unwrap_or(MOST_BYTES).clamp(LEAST_BYTES, MOST_BYTES);
    PatternOptions::regex().size_limit(each).dfa_size_limit(each)
}

/// How many patterns a schema has at most, those counted that are data.
fn patterns(schema: &serde_json::Value) -> usize {
    match schema {
        serde_json::Value::Object(members) => members
            .iter()
            .map(|(name, value)| match name.as_str() {
                "pattern" if value.is_string() => 1,
                "patternProperties" => value.as_object().map_or(0, serde_json::Map::len) + patterns(value),
                _ => patterns(value),
            })
            .sum(),
        serde_json::Value::Array(elements) => elements.iter().map(patterns).sum(),
        _ => 0,
    }
}

/// A compiled schema.
pub(crate) struct Schema(Option<Validator<ArenaJson>>);

impl Schema {
    /// Compiles a schema; `others` are the schemas that it may refer to by their `$id`.
    ///
    /// A schema that does not compile fails closed: every document breaks it. Tests prove that the contracts compile.
    pub(crate) fn compile(schema: &str, others: &[&str]) -> Self {
        Self(serde_json::from_str(schema).ok().and_then(|schema| compile(&schema, others)))
    }

    /// Compiles a draft-07 schema that somebody else wrote.
    ///
    /// # Errors
    /// If it is not a schema, or refers to one: a reference could lead the validator in a circle.
    pub(crate) fn compile_foreign(text: &[u8]) -> Result<Self, &'static str> {
        let schema: serde_json::Value = serde_json::from_slice(text).map_err(|_| "it is nested too deeply")?;
        if refers(&schema) {
            return Err("it has a member `$ref`");
        }
        let options = jsonschema::options_for::<ArenaJson>().with_draft(Draft::Draft7);
        let validator = options.with_pattern_options(bounded(&schema)).offline().build(&schema);
        validator
            .map(|validator| Self(Some(validator)))
            .map_err(|_| "it is not draft-07, or has a pattern beyond the limits")
    }

    /// Compiles a schema that somebody declared for small values: 2020-12 unless `$schema` says otherwise.
    ///
    /// # Errors
    /// If it is not a schema, refers to another document, or could cost more than such values are worth.
    pub(crate) fn compile_declared(text: &[u8]) -> Result<Self, &'static str> {
        let schema: serde_json::Value = serde_json::from_slice(text).map_err(|_| "it is nested too deeply")?;
        if !cost::is_bounded(&schema) {
            return Err(UNBOUNDED);
        }
        Self::build_declared(&schema)
    }

    /// The same for a value that somebody else sent as well.
    ///
    /// # Errors
    /// If it is not a schema, refers to another document, or could cost more than this value is worth.
    pub(crate) fn compile_declared_for(text: &[u8], value: NodeRef<'_>) -> Result<Self, &'static str> {
        let schema: serde_json::Value = serde_json::from_slice(text).map_err(|_| "it is nested too deeply")?;
        let (levels, nodes) = extent(value);
        if nodes > MOST_NODES {
            return Err("the value is too large");
        }
        let price = cost::price(&schema, levels).ok_or(UNBOUNDED)?;
        if price.saturating_mul(nodes) > MOST_WORK {
            return Err("it is too large for a value of this size");
        }
        Self::build_declared(&schema)
    }

    fn build_declared(schema: &serde_json::Value) -> Result<Self, &'static str> {
        let options = jsonschema::options_for::<ArenaJson>().with_pattern_options(bounded(schema));
        let validator = options.offline().build(schema);
        validator
            .map(|validator| Self(Some(validator)))
            .map_err(|_| "it is not a schema, refers to another document, or has a pattern that is not read here")
    }

    /// Whether the schema compiled.
    #[cfg(test)]
    pub(crate) fn is_usable(&self) -> bool {
        self.0.is_some()
    }

    /// The places at which a value breaks the schema, each named once, in order of their pointers.
    pub(crate) fn breaches(&self, node: NodeRef<'_>) -> Vec<ShapeBreach> {
        self.breaches_unless(node, |_| false)
    }

    /// One place at which a value breaks the schema, found at the cost of one message.
    pub(crate) fn first_breach(&self, node: NodeRef<'_>) -> Option<ShapeBreach> {
        let instance = Instance::Node(node);
        let validator = self.0.as_ref()?;
        if validator.is_valid(instance.clone()) {
            return None;
        }
        let error = validator.iter_errors(instance).next()?;
        let pointer = JsonPointer::from_text(error.instance_path().as_str());
        Some(ShapeBreach { pointer, message: shorten(&error.to_string()).into() })
    }

    /// [`Schema::breaches`] without those that stem from a part of the schema that does not bind.
    ///
    /// `void` is shown a JSON Pointer into the schema.
    pub(crate) fn breaches_unless(&self, node: NodeRef<'_>, void: impl Fn(&str) -> bool) -> Vec<ShapeBreach> {
        let Some(validator) = &self.0 else {
            let message = "the contract's schema does not compile".into();
            return vec![ShapeBreach { pointer: JsonPointer::root(), message }];
        };
        let instance = Instance::Node(node);
        if validator.is_valid(instance.clone()) {
            return Vec::new();
        }
        let mut found: Vec<ShapeBreach> = Vec::new();
        for error in validator.iter_errors(instance) {
            if void(error.schema_path().as_str()) {
                continue;
            }
            let place = JsonPointer::from_text(error.instance_path().as_str());
            let pointers = match error.kind() {
                ValidationErrorKind::Required { property } => vec![place.member(property.as_str().unwrap_or_default())],
                ValidationErrorKind::AdditionalProperties { unexpected } => {
                    unexpected.iter().map(|name| place.member(name)).collect()
                }
                _ => vec![place],
            };
            // Once for all: it names every unexpected member, so that shortening it for each would be quadratic.
            let message: Arc<str> = shorten(&error.to_string()).into();
            found.extend(pointers.into_iter().map(|pointer| ShapeBreach { pointer, message: Arc::clone(&message) }));
        }
        found.sort_by(|a, b| a.pointer.cmp(&b.pointer));
        found.dedup_by(|a, b| a.pointer == b.pointer);
        found
    }
}

/// Messages quote the instance, which may be large.
fn shorten(message: &str) -> String {
    const LONGEST: usize = 200;
    if message.chars().count() <= LONGEST {
        return message.to_owned();
    }
    let mut short: String = message.chars().take(LONGEST).collect();
    short.push('…');
    short
}

/// Whether a reference stands anywhere, even where it would be data.
fn refers(schema: &serde_json::Value) -> bool {
    match schema {
        serde_json::Value::Object(members) => members.iter().any(|(name, value)| name == "$ref" || refers(value)),
        serde_json::Value::Array(elements) => elements.iter().any(refers),
        _ => false,
    }
}

fn compile(schema: &serde_json::Value, others: &[&str]) -> Option<Validator<ArenaJson>> {
    let mut registry = Registry::new();
    for other in others {
        let other: serde_json::Value = serde_json::from_str(other).ok()?;
        let uri = other.get("$id")?.as_str()?.to_owned();
        registry = registry.add(uri, other).ok()?;
    }
    let registry = registry.prepare().ok()?;
    jsonschema::options_for::<ArenaJson>()
        .with_registry(&registry)
        .with_pattern_options(PatternOptions::regex())
        .offline()
        .build(schema)
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_share_an_allowance() {
        let declared = |schema: serde_json::Value| Schema::compile_declared(schema.to_string().as_bytes()).is_ok();
        let of = |pattern: &str| serde_json::json!({"properties": {"trace_id": {"pattern": pattern}}});
        for common in ["^.{1,200}$", r"^[^\s]{1,64}$", "^(WA|EN|CT|MCP)-[A-Z]+-[SIDE]-[0-9]{3}$"] {
            assert!(declared(of(common)), "{common}");
        }
        assert!(!declared(of("^.{1,100000}$")));
        let many: Vec<_> = (0..1000).map(|_| of("^.{1,200}$")).collect();
        assert!(!declared(serde_json::json!({"allOf": many})));
        assert_eq!(
            patterns(&serde_json::json!({"pattern": {"pattern": "a"}, "patternProperties": {"a": {}, "b": {}}})),
            3
        );
    }
}
