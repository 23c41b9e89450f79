//! The compiled form of a schema, and how it is made.

use serde_json::Value;

use super::pattern::Pattern;
use crate::json::{Kind, Scalar};

/// What one schema demands of a value.
#[derive(Debug)]
pub(super) struct Rule {
    /// The kinds that are admitted, one bit each.
    kinds: u8,
    /// The values that are admitted, if they are listed: decoded strings, literals.
    one_of: Option<Vec<Literal>>,
    pattern: Option<Pattern>,
    least_letters: usize,
    not_negative: bool,
    pub(super) members: Option<Box<Members>>,
    pub(super) elements: Option<Box<Rule>>,
    pub(super) least_elements: usize,
}

#[derive(Debug)]
enum Literal {
    Text(String),
    True,
    False,
    Null,
}

/// Members that an object may have: closed objects are small.
pub(super) const MOST_MEMBERS: usize = 16;

/// The members of a closed object.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) names: Vec<String>,
    /// One for each name.
    pub(super) rules: Vec<Rule>,
    /// Members that have to be there, one bit each.
    pub(super) required: u32,
    pub(super) conditions: Vec<Condition>,
    /// Where the order of these members is remembered.
    pub(super) first: usize,
}

/// Demands that bind an object if it satisfies others.
#[derive(Debug)]
pub(super) struct Condition {
    when: Demands,
    then: Demands,
}

#[derive(Debug)]
struct Demands {
    required: Vec<usize>,
    of_members: Vec<(usize, Rule)>,
}

/// A value that was read.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen<'t> {
    Scalar(Scalar<'t>),
    Object,
    Array,
}

impl Seen<'_> {
    fn kind(&self) -> Kind {
        match self {
            Self::Object => Kind::Object,
            Self::Array => Kind::Array,
            Self::Scalar(Scalar::String(_)) => Kind::String,
            Self::Scalar(Scalar::Number(..)) => Kind::Number,
            Self::Scalar(Scalar::True(_)) => Kind::True,
            Self::Scalar(Scalar::False(_)) => Kind::False,
            Self::Scalar(Scalar::Null(_)) => Kind::Null,
        }
    }

    /// Whether it is no banned number, and no string with a lone surrogate.
    pub(super) fn is_sound(&self) -> bool {
        match self {
            Self::Scalar(Scalar::String(string)) => !string.escaped || !string.decode().has_lone_surrogate(),
            Self::Scalar(Scalar::Number(_, token)) => !token.is_banned(),
            _ => true,
        }
    }
}

fn bit(kind: Kind) -> u8 {
    match kind {
        Kind::Object => 1,
        Kind::Array => 2,
        Kind::String => 4,
        Kind::Number => 8,
        Kind::True => 16,
        Kind::False => 32,
        Kind::Null => 64,
    }
}

impl Literal {
    fn is(&self, seen: &Seen<'_>) -> bool {
        match (self, seen) {
            (Self::Text(text), Seen::Scalar(Scalar::String(string))) if string.escaped => string.decode() == **text,
            (Self::Text(text), Seen::Scalar(Scalar::String(string))) => text.as_bytes() == string.raw,
            (Self::True, Seen::Scalar(Scalar::True(_)))
            | (Self::False, Seen::Scalar(Scalar::False(_)))
            | (Self::Null, Seen::Scalar(Scalar::Null(_))) => true,
            _ => false,
        }
    }
}

impl Rule {
    const ANYTHING: Self = Self {
        kinds: u8::MAX,
        one_of: None,
        pattern: None,
        least_letters: 0,
        not_negative: false,
        members: None,
        elements: None,
        least_elements: 0,
    };

    /// Whether a value of this kind is admitted.
    pub(super) fn admits(&self, kind: Kind) -> bool {
        self.kinds & bit(kind) != 0 && (self.one_of.is_none() || !matches!(kind, Kind::Object | Kind::Array))
    }

    /// Whether a sound scalar satisfies the schema; of a container, whether its kind does.
    pub(super) fn holds(&self, seen: &Seen<'_>) -> bool {
        self.admits(seen.kind())
            && self.one_of.as_ref().is_none_or(|literals| literals.iter().any(|literal| literal.is(seen)))
            && match seen {
                Seen::Scalar(Scalar::String(string)) if self.looks_inside() => {
                    let text = string.decode();
                    let letters = || text.as_bytes().iter().filter(|byte| (**byte & 0xC0) != 0x80).count();
                    self.pattern.as_ref().is_none_or(|pattern| pattern.matches(text.as_bytes()))
                        && (self.least_letters == 0 || letters() >= self.least_letters)
                }
                Seen::Scalar(Scalar::Number(_, token)) => !(self.not_negative && token.text.starts_with('-')),
                _ => true,
            }
    }

    fn looks_inside(&self) -> bool {
        self.pattern.is_some() || self.least_letters > 0
    }

    /// Whether [`Rule::holds`] says all that the schema says.
    fn is_of_scalars(&self) -> bool {
        self.members.is_none() && self.elements.is_none() && self.least_elements == 0
    }
}

impl Condition {
    /// Whether what was read satisfies the condition.
    pub(super) fn holds(&self, values: &[Option<Seen<'_>>]) -> bool {
        !self.when.hold(values) || self.then.hold(values)
    }
}

impl Demands {
    /// Says exactly whether they are satisfied.
    fn hold(&self, values: &[Option<Seen<'_>>]) -> bool {
        let value = |at: &usize| values.get(*at).and_then(Option::as_ref);
        self.required.iter().all(|at| value(at).is_some())
            && self.of_members.iter().all(|(at, rule)| value(at).is_none_or(|value| rule.holds(value)))
    }
}

/// Compiles a schema, if everything that it says is understood.
pub(super) fn compile(schema: &str, others: &[&str]) -> Option<Rule> {
    let schema: Value = serde_json::from_str(schema).ok()?;
    let documents = others.iter().map(|other| serde_json::from_str(other).ok()).collect::<Option<Vec<Value>>>()?;
    let mut compiler = Compiler { documents: &documents, places: 0 };
    compiler.rule(&schema, id(&schema)?, 0)
}

fn id(schema: &Value) -> Option<&str> {
    schema.get("$id")?.as_str()
}

struct Compiler<'s> {
    documents: &'s [Value],
    /// Places taken where orders are remembered.
    places: usize,
}

/// References that lead in a circle are not followed for ever.
const DEEPEST: usize = 32;

impl<'s> Compiler<'s> {
    fn rule(&mut self, schema: &'s Value, base: &'s str, depth: usize) -> Option<Rule> {
        let schema = schema.as_object().filter(|_| depth < DEEPEST)?;
        let mut rule = Rule::ANYTHING;
        for (keyword, value) in schema {
            match keyword.as_str() {
                "$id" | "$schema" | "$defs" | "$comment" | "title" | "description" | "default" => {}
                "$ref" => {
                    // Beside a reference nothing else may be demanded: the two would have to be joined.
                    let alone = schema.keys().all(|keyword| matches!(keyword.as_str(), "$ref" | "description"));
                    let (target, base) = self.target(value.as_str().filter(|_| alone)?, base)?;
                    return self.rule(target, base, depth + 1);
                }
                "type" => rule.kinds = kinds(value)?,
                "const" => rule.one_of = Some(literals(std::slice::from_ref(value))?),
                "enum" if schema.contains_key("const") => return None,
                "enum" => rule.one_of = Some(literals(value.as_array()?)?),
                "pattern" => rule.pattern = Some(Pattern::compile(value.as_str()?)?),
                "minLength" => rule.least_letters = small(value)?,
                "minimum" if value.as_u64() == Some(0) => rule.not_negative = true,
                "minItems" => rule.least_elements = small(value)?,
                "items" => rule.elements = Some(Box::new(self.rule(value, base, depth + 1)?)),
                // Together they make the members, below.
                "properties" | "additionalProperties" | "required" | "allOf" => {}
                _ => return None,
            }
        }
        if schema.contains_key("properties") {
            rule.members = Some(Box::new(self.members(schema, base, depth)?));
        } else if ["additionalProperties", "required", "allOf"].iter().any(|keyword| schema.contains_key(*keyword)) {
            return None;
        }
        Some(rule)
    }

    fn members(&mut self, schema: &'s serde_json::Map<String, Value>, base: &'s str, depth: usize) -> Option<Members> {
        if schema.get("additionalProperties")? != &Value::Bool(false) {
            return None;
        }
        let mut members = Members::default();
        for (name, value) in schema.get("properties")?.as_object()? {
            members.names.push(name.clone());
            members.rules.push(self.rule(value, base, depth + 1)?);
        }
        if members.names.len() > MOST_MEMBERS {
            return None;
        }
        members.first = self.places;
        self.places += members.names.len() + 1;
        for at in required(schema, &members.names)? {
            members.required |= 1 << at;
        }
        for condition in schema.get("allOf").map_or(Some(&[][..]), |all| all.as_array().map(Vec::as_slice))? {
            let condition = condition.as_object()?;
            if !condition.keys().all(|keyword| matches!(keyword.as_str(), "if" | "then")) {
                return None;
            }
            members.conditions.push(Condition {
                when: self.demands(condition.get("if")?, &members.names, base, depth + 1)?,
                then: self.demands(condition.get("then")?, &members.names, base, depth + 1)?,
            });
        }
        Some(members)
    }

    /// What a part of a condition demands of members that the object may have.
    fn demands(&mut self, schema: &'s Value, names: &[String], base: &'s str, depth: usize) -> Option<Demands> {
        let schema = schema.as_object()?;
        if !schema.keys().all(|keyword| matches!(keyword.as_str(), "required" | "properties")) {
            return None;
        }
        let mut of_members = Vec::new();
        for (name, value) in schema.get("properties")?.as_object()? {
            let rule = self.rule(value, base, depth + 1).filter(Rule::is_of_scalars)?;
            of_members.push((names.iter().position(|known| known == name)?, rule));
        }
        Some(Demands { required: required(schema, names)?, of_members })
    }

    /// The schema that a reference names, and its document's id.
    fn target(&self, reference: &str, base: &str) -> Option<(&'s Value, &'s str)> {
        let (document, pointer) = reference.split_once('#').unwrap_or((reference, ""));
        let whole = match document.split_once("://") {
            Some(_) => document.to_owned(),
            None if document.is_empty() => base.to_owned(),
            None => format!("{}/{document}", base.rsplit_once('/')?.0),
        };
        let found = self.documents.iter().find(|other| id(other) == Some(&whole))?;
        Some((found.pointer(pointer)?, id(found)?))
    }
}

/// The numbers of the members that have to be there.
fn required(schema: &serde_json::Map<String, Value>, names: &[String]) -> Option<Vec<usize>> {
    let Some(required) = schema.get("required") else { return Some(Vec::new()) };
    let number = |name: &Value| names.iter().position(|known| Some(known.as_str()) == name.as_str());
    required.as_array()?.iter().map(number).collect()
}

fn small(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn kinds(named: &Value) -> Option<u8> {
    let one = |name: &Value| match name.as_str()? {
        "object" => Some(bit(Kind::Object)),
        "array" => Some(bit(Kind::Array)),
        "string" => Some(bit(Kind::String)),
        // Of numbers only integers are sound.
        "integer" | "number" => Some(bit(Kind::Number)),
        "boolean" => Some(bit(Kind::True) | bit(Kind::False)),
        "null" => Some(bit(Kind::Null)),
        _ => None,
    };
    match named {
        Value::Array(names) => names.iter().try_fold(0, |kinds, name| Some(kinds | one(name)?)),
        name => one(name),
    }
}

fn literals(values: &[Value]) -> Option<Vec<Literal>> {
    let literal = |value: &Value| match value {
        Value::String(text) => Some(Literal::Text(text.clone())),
        Value::Bool(true) => Some(Literal::True),
        Value::Bool(false) => Some(Literal::False),
        Value::Null => Some(Literal::Null),
        _ => None,
    };
    values.iter().map(literal).collect()
}
