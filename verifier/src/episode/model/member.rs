//! Members of judged objects, by type.

use crate::json::{Kind, NodeRef};

/// A string member.
pub(crate) fn text(node: NodeRef<'_>, name: &str) -> Option<String> {
    node.get(name).and_then(string)
}

/// A string value.
pub(crate) fn string(node: NodeRef<'_>) -> Option<String> {
    node.as_string().and_then(|text| text.to_str().map(str::to_owned))
}

/// A count; none for a negative number, for one beyond 64 bits, and for one with a fraction or an exponent.
pub(crate) fn count(node: NodeRef<'_>, name: &str) -> Option<u64> {
    let token = node.get(name).and_then(NodeRef::as_number)?;
    if token.text == "-0" { Some(0) } else { token.to_u64() }
}

/// A boolean member.
pub(crate) fn boolean(node: NodeRef<'_>, name: &str) -> Option<bool> {
    match node.get(name)?.kind() {
        Kind::True => Some(true),
        Kind::False => Some(false),
        _ => None,
    }
}
