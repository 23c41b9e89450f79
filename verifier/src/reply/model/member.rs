//! Members of the documents that Assize itself gives a shape: whoever breaks it asks outside the operation's domain.

use super::text::Text;
use crate::json::{JsonPointer, Kind, NodeRef};
use crate::rejection::Rejection;

/// A value of the shape that is due at its place; `A_INPUT` if not.
pub(crate) type Due<T> = Result<T, Rejection>;

pub(crate) fn misfit(at: &JsonPointer, due: &str) -> Rejection {
    let place = if at.is_root() { "the document" } else { at.as_str() };
    Rejection::Input(format!("{place}: {due} is due"))
}

pub(crate) fn object<'d>(node: NodeRef<'d>, at: &JsonPointer) -> Due<NodeRef<'d>> {
    if node.is_object() { Ok(node) } else { Err(misfit(at, "an object")) }
}

pub(crate) fn string<'d>(node: NodeRef<'d>, at: impl FnOnce() -> JsonPointer) -> Due<Text<'d>> {
    node.as_string().map(|text| text.into_bytes()).ok_or_else(|| misfit(&at(), "a string"))
}

/// Whether a value is this text.
pub(crate) fn is_text(node: NodeRef<'_>, due: &str) -> bool {
    node.as_string().is_some_and(|text| text == due)
}

/// A member that is neither absent nor null.
pub(crate) fn given<'d>(node: NodeRef<'d>, name: &str) -> Option<NodeRef<'d>> {
    node.get(name).filter(|value| value.kind() != Kind::Null)
}

/// A member that has to be there; null is as good as absent.
pub(crate) fn owed<'d>(node: NodeRef<'d>, at: &JsonPointer, name: &str) -> Due<NodeRef<'d>> {
    given(node, name).ok_or_else(|| misfit(&at.member(name), "a member"))
}

/// A string that has to be there.
pub(crate) fn text<'d>(node: NodeRef<'d>, at: &JsonPointer, name: &str) -> Due<Text<'d>> {
    string(owed(node, at, name)?, || at.member(name))
}

/// A string, or none where the member is absent or null.
pub(crate) fn text_or_none<'d>(node: NodeRef<'d>, at: &JsonPointer, name: &str) -> Due<Option<Text<'d>>> {
    given(node, name).map(|value| string(value, || at.member(name))).transpose()
}

/// The token of an integer that has to be there.
pub(crate) fn integer<'d>(node: NodeRef<'d>, at: &JsonPointer, name: &str) -> Due<&'d str> {
    let token = owed(node, at, name)?.as_number().filter(|token| !token.float);
    match token.map(|token| token.text).ok_or_else(|| misfit(&at.member(name), "an integer"))? {
        "-0" => Ok("0"),
        text => Ok(text),
    }
}

/// A boolean, or none where the member is absent or null.
pub(crate) fn boolean_or_none(node: NodeRef<'_>, at: &JsonPointer, name: &str) -> Due<Option<bool>> {
    match given(node, name).map(NodeRef::kind) {
        None => Ok(None),
        Some(Kind::True) => Ok(Some(true)),
        Some(Kind::False) => Ok(Some(false)),
        Some(_) => Err(misfit(&at.member(name), "a boolean")),
    }
}

/// The elements of an array; none where the member is absent or null.
pub(crate) fn list<'d>(
    node: NodeRef<'d>,
    at: &JsonPointer,
    name: &str,
) -> Due<impl Iterator<Item = NodeRef<'d>> + Clone + use<'d>> {
    let array = given(node, name);
    match array.filter(|array| !array.is_array()) {
        Some(_) => Err(misfit(&at.member(name), "an array")),
        None => Ok(array.into_iter().flat_map(NodeRef::elements)),
    }
}
