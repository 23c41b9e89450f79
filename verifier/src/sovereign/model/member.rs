//! Members as the readers of this system take them.

use crate::digest::Digest;
use crate::json::NodeRef;

/// A string member that has a UTF-8 form.
pub(crate) fn text(node: NodeRef<'_>, name: &str) -> Option<String> {
    node.get(name).and_then(NodeRef::as_string).and_then(|text| text.to_str().map(str::to_owned))
}

/// The token of an integer member `ordinal`.
pub(crate) fn ordinal(record: NodeRef<'_>) -> Option<String> {
    let ordinal = record.get("ordinal").and_then(NodeRef::as_number).filter(|token| !token.is_banned());
    ordinal.map(|token| token.text.to_owned())
}

/// A string that is spelled as a digest.
pub(crate) fn digest_text(node: NodeRef<'_>) -> Option<String> {
    let text = node.as_string()?;
    if Digest::is_spelled(text.as_bytes()) { text.to_str().map(str::to_owned) } else { None }
}
