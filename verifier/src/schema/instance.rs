//! Lets the schema validator read the arena in place, so that tokens of any size are judged as they stand.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use serde_json::{Number, Value};

use crate::json::{Kind, NodeRef, NumberToken};

/// The arena as a JSON representation of the validator.
pub(super) struct ArenaJson;

/// A value of the arena, or a member name that is validated as a string.
#[derive(Clone)]
pub(super) enum Instance<'a> {
    Node(NodeRef<'a>),
    Name(&'a str),
}

impl Json for ArenaJson {
    type Node<'a> = Instance<'a>;
    type PreparedKey = String;
    type StringBuffer = String;

    fn prepare_key(key: &str) -> String {
        key.to_owned()
    }

    fn with_string_node<T>(buffer: &mut String, string: &str, f: impl FnOnce(Instance<'_>) -> T) -> T {
        string.clone_into(buffer);
        f(Instance::Name(buffer))
    }
}

/// A number token. Constants have no JSON value and count as null.
pub(super) struct Token<'a>(NumberToken<'a>);

impl JsonNumber for Token<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.to_u64()
    }

    fn as_i64(&self) -> Option<i64> {
        if self.0.float { None } else { self.0.text.parse().ok() }
    }

    fn as_f64(&self) -> Option<f64> {
        Some(self.0.to_f64())
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0.text)
    }

    fn to_number(&self) -> Cow<'_, Number> {
        let number = match (self.as_u64(), self.as_i64()) {
            (Some(number), _) => Number::from(number),
            (None, Some(number)) => Number::from(number),
            // Out of range only in magnitude: a saturated double keeps sign and order.
            (None, None) => {
                let value = self.0.to_f64().clamp(f64::MIN, f64::MAX);
                Number::from_f64(value).unwrap_or_else(|| Number::from(0))
            }
        };
        Cow::Owned(number)
    }

    fn is_integer(&self) -> bool {
        !self.0.float || self.0.to_f64().fract() == 0.0
    }
}

fn is_constant(node: NodeRef<'_>) -> bool {
    matches!(node.raw().last(), Some(b'N' | b'y'))
}

impl<'a> Node<'a, ArenaJson> for Instance<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = Token<'a>;

    fn as_object(&self) -> Option<Members<'a>> {
        match self {
            Self::Node(node) if node.is_object() => Some(Members(*node)),
            _ => None,
        }
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        match self {
            Self::Node(node) if node.is_array() => Some(Elements(*node)),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            Self::Name(name) => Some(Cow::Borrowed(name)),
            Self::Node(node) => node.as_string().map(|text| match text.into_bytes() {
                Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
                Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
            }),
        }
    }

    fn as_number(&self) -> Option<Token<'a>> {
        match self {
            Self::Node(node) if !is_constant(*node) => node.as_number().map(Token),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self {
            Self::Node(node) if node.kind() == Kind::True => Some(true),
            Self::Node(node) if node.kind() == Kind::False => Some(false),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        self.json_type() == JsonType::Null
    }

    fn json_type(&self) -> JsonType {
        let Self::Node(node) = self else { return JsonType::String };
        match node.kind() {
            Kind::Object => JsonType::Object,
            Kind::Array => JsonType::Array,
            Kind::String => JsonType::String,
            Kind::Number if is_constant(*node) => JsonType::Null,
            Kind::Number => JsonType::Number,
            Kind::True | Kind::False => JsonType::Boolean,
            Kind::Null => JsonType::Null,
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        if let Some(text) = self.as_string() {
            return Cow::Owned(Value::String(text.into_owned()));
        }
        if let Some(number) = self.as_number() {
            return Cow::Owned(Value::Number(number.to_number().into_owned()));
        }
        if let Some(object) = self.as_object() {
            let members = object.members().map(|(name, value)| (name.into_owned(), value.to_value().into_owned()));
            return Cow::Owned(Value::Object(members.collect()));
        }
        if let Some(array) = self.as_array() {
            return Cow::Owned(Value::Array(array.elements().map(|element| element.to_value().into_owned()).collect()));
        }
        Cow::Owned(self.as_boolean().map_or(Value::Null, Value::Bool))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        match self {
            Self::Node(node) => Some(NodeIdentity::tagged(std::ptr::from_ref(node.document()) as usize, node.id())),
            Self::Name(_) => None,
        }
    }
}

pub(super) struct Members<'a>(NodeRef<'a>);

impl<'a> Object<'a, ArenaJson> for Members<'a> {
    type Node = Instance<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = Box<dyn Iterator<Item = (Cow<'a, str>, Instance<'a>)> + 'a>;

    fn len(&self) -> usize {
        self.0.members().count()
    }

    fn get(&self, key: &String) -> Option<Instance<'a>> {
        self.0.get(key).map(Instance::Node)
    }

    fn members(&self) -> Self::MembersIter {
        Box::new(self.0.members().map(|(name, value)| {
            let name = match name.decode().into_bytes() {
                Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
                Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
            };
            (name, Instance::Node(value))
        }))
    }
}

pub(super) struct Elements<'a>(NodeRef<'a>);

impl<'a> Array<'a, ArenaJson> for Elements<'a> {
    type Node = Instance<'a>;
    type ElementsIter = Box<dyn Iterator<Item = Instance<'a>> + 'a>;

    fn len(&self) -> usize {
        self.0.elements().count()
    }

    fn elements(&self) -> Self::ElementsIter {
        Box::new(self.0.elements().map(Instance::Node))
    }
}
