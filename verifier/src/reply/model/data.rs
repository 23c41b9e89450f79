//! Data of a reply: an object of JSON values.

use serde_json::{Map, Value};

use crate::json::{Kind, NodeRef};

/// Data of a reply: always an object.
pub type Data = Map<String, Value>;

/// Data as a call states it; none for what data cannot be: another kind than an object, or a text that is not Unicode.
pub(crate) fn stated(data: Option<NodeRef<'_>>) -> Option<Data> {
    let Some(data) = data else { return Some(Data::new()) };
    match value(data)? {
        Value::Object(data) => Some(data),
        _ => None,
    }
}

/// A value as this language has it; none where a text in it is not Unicode. The reader's limit on nesting bounds the depth.
fn value(node: NodeRef<'_>) -> Option<Value> {
    Some(match node.kind() {
        Kind::Null => Value::Null,
        Kind::True => Value::Bool(true),
        Kind::False => Value::Bool(false),
        Kind::Number => match node.as_number()?.text {
            // An integer has no negative nought.
            "-0" => 0.into(),
            text => serde_json::from_str(text).ok()?,
        },
        Kind::String => Value::String(node.as_string()?.to_str()?.to_owned()),
        Kind::Array => Value::Array(node.elements().map(value).collect::<Option<_>>()?),
        Kind::Object => {
            let members = node.members();
            let members = members.map(|(name, held)| Some((name.decode().to_str()?.to_owned(), value(held)?)));
            Value::Object(members.collect::<Option<_>>()?)
        }
    })
}
