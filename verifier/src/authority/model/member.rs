//! Members of judged objects: what is there, what is not, and of which type it is.

use crate::json::{JsonPointer, Kind, NodeRef};
use crate::rejection::Rejection;

/// A place that is not as it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    pub(crate) pointer: JsonPointer,
    pub(crate) message: String,
}

impl Misfit {
    pub(crate) fn new(pointer: JsonPointer, message: impl Into<String>) -> Self {
        Self { pointer, message: message.into() }
    }
}

impl From<Misfit> for Rejection {
    fn from(misfit: Misfit) -> Self {
        Self::Input(if misfit.pointer.is_root() {
            misfit.message
        } else {
            format!("{}: {}", misfit.pointer, misfit.message)
        })
    }
}

/// Checks that a value is an object with all of some members, perhaps some of others, and no more.
pub(crate) fn closed(
    node: NodeRef<'_>,
    place: &JsonPointer,
    required: &[&str],
    optional: &[&str],
) -> Result<(), Misfit> {
    let listed = || [required, optional].concat().join(", ");
    if !node.is_object() {
        return Err(Misfit::new(place.clone(), format!("{}, where an object is due: {}", named(node), listed())));
    }
    for (name, _) in node.members() {
        let name = name.decode();
        if !required.iter().chain(optional).any(|known| name == **known) {
            let place = place.member(&name.to_text_lossy());
            return Err(Misfit::new(place, format!("no such member here; there are {}", listed())));
        }
    }
    match required.iter().find(|name| node.get(name).is_none()) {
        Some(missing) => Err(Misfit::new(place.member(missing), "the member is missing")),
        None => Ok(()),
    }
}

/// A member of a closed object.
pub(crate) fn member<'d>(
    node: NodeRef<'d>,
    place: &JsonPointer,
    name: &str,
) -> Result<(NodeRef<'d>, JsonPointer), Misfit> {
    let place = place.member(name);
    match node.get(name) {
        Some(value) => Ok((value, place)),
        None => Err(Misfit::new(place, "the member is missing")),
    }
}

/// A member that is a string. Lone surrogates, which no hashed text can hold, come as U+FFFD.
pub(crate) fn text(node: NodeRef<'_>, place: &JsonPointer, name: &str) -> Result<String, Misfit> {
    let (value, place) = member(node, place, name)?;
    string(value, &place)
}

/// A value that is a string.
pub(crate) fn string(node: NodeRef<'_>, place: &JsonPointer) -> Result<String, Misfit> {
    match node.as_string() {
        Some(text) => Ok(text.to_text_lossy().into_owned()),
        None => Err(Misfit::new(place.clone(), format!("{}, where a string is due", named(node)))),
    }
}

/// A value that is an integer of any size, in the spelling of canonical text.
pub(crate) fn integer(node: NodeRef<'_>, place: &JsonPointer) -> Result<String, Misfit> {
    match node.as_number() {
        Some(token) if token.float => {
            Err(Misfit::new(place.clone(), format!("{}, where an integer is due", token.text)))
        }
        Some(token) if token.text == "-0" => Ok("0".to_owned()),
        Some(token) => Ok(token.text.to_owned()),
        None => Err(Misfit::new(place.clone(), format!("{}, where an integer is due", named(node)))),
    }
}

/// Elements of a value that is an array, with their places.
pub(crate) fn elements<'d>(
    node: NodeRef<'d>,
    place: &JsonPointer,
) -> Result<impl Iterator<Item = (NodeRef<'d>, JsonPointer)>, Misfit> {
    if !node.is_array() {
        return Err(Misfit::new(place.clone(), format!("{}, where an array is due", named(node))));
    }
    let place = place.clone();
    Ok(node.elements().enumerate().map(move |(index, element)| (element, place.index(index))))
}

/// What a value is, for messages.
fn named(node: NodeRef<'_>) -> &'static str {
    match node.kind() {
        Kind::Object => "an object",
        Kind::Array => "an array",
        Kind::String => "a string",
        Kind::Number => "a number",
        Kind::True | Kind::False => "a boolean",
        Kind::Null => "null",
    }
}
