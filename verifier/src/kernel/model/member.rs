//! Members of records and requests: what is there once, what is not, and of which type it is.

use crate::json::{JsonPointer, JsonStr, NodeRef};
use crate::rejection::Rejection;

/// A value that is not as it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Where it stands in its document.
    pub pointer: JsonPointer,
    /// What is wrong with it.
    pub message: String,
}

impl Misfit {
    pub(crate) fn new(pointer: JsonPointer, message: impl Into<String>) -> Self {
        Self { pointer, message: message.into() }
    }

    /// What is wrong and where, unless that is the document itself.
    pub(crate) fn sentence(self) -> String {
        if self.pointer.is_root() { self.message } else { format!("{}: {}", self.pointer, self.message) }
    }
}

impl From<Misfit> for Rejection {
    fn from(misfit: Misfit) -> Self {
        Self::Input(misfit.sentence())
    }
}

/// Refuses a value in which an object has a name twice, which two readers could read differently.
///
/// # Errors
/// The value of the second member.
pub(crate) fn unrepeated(value: NodeRef<'_>) -> Result<(), NodeRef<'_>> {
    let mut pending = vec![value];
    while let Some(node) = pending.pop() {
        if let Some(value) = node.repeated() {
            return Err(value);
        }
        pending.extend(node.members().map(|(_, value)| value).chain(node.elements()));
    }
    Ok(())
}

/// An object with all members that it has to have.
#[derive(Clone, Debug)]
pub(crate) struct Object<'d> {
    node: NodeRef<'d>,
    pub(crate) place: JsonPointer,
}

impl<'d> Object<'d> {
    /// Takes an object with all of some members, perhaps some of others, and no more.
    pub(crate) fn closed(
        node: NodeRef<'d>,
        place: JsonPointer,
        required: &[&str],
        optional: &[&str],
    ) -> Result<Self, Misfit> {
        if !node.is_object() {
            return Err(Misfit::new(place, "an object is due"));
        }
        let known = || required.iter().chain(optional);
        let mut seen = vec![false; required.len() + optional.len()];
        for (name, _) in node.members() {
            let name = name.decode();
            let place = || place.member(&name.to_text_lossy());
            match known().zip(&mut seen).find(|(known, _)| name == **known) {
                None => return Err(Misfit::new(place(), "no such member here")),
                Some((_, seen)) if *seen => return Err(Misfit::new(place(), "the member is repeated")),
                Some((_, seen)) => *seen = true,
            }
        }
        Self::with(node, place, required)
    }

    /// Takes an object with all of some members and any others.
    pub(crate) fn with(node: NodeRef<'d>, place: JsonPointer, required: &[&str]) -> Result<Self, Misfit> {
        if !node.is_object() {
            return Err(Misfit::new(place, "an object is due"));
        }
        match required.iter().find(|name| node.get(name).is_none()) {
            Some(missing) => Err(Misfit::new(place.member(missing), "the member is missing")),
            None => Ok(Self { node, place }),
        }
    }

    /// A member that may be missing.
    pub(crate) fn get(&self, name: &str) -> Option<NodeRef<'d>> {
        self.node.get(name)
    }

    /// A member of any type.
    pub(crate) fn member(&self, name: &str) -> Result<NodeRef<'d>, Misfit> {
        self.get(name).ok_or_else(|| self.misfit(name, "the member is missing"))
    }

    /// A string, perhaps with lone surrogates.
    pub(crate) fn string(&self, name: &str) -> Result<JsonStr<'d>, Misfit> {
        self.member(name)?.as_string().ok_or_else(|| self.misfit(name, "a string is due"))
    }

    /// A string that UTF-8 can hold.
    pub(crate) fn text(&self, name: &str) -> Result<String, Misfit> {
        let text = self.string(name)?;
        text.to_str().map(str::to_owned).ok_or_else(|| self.misfit(name, "a lone surrogate has no place here"))
    }

    /// An object, whatever its members.
    pub(crate) fn object(&self, name: &str) -> Result<NodeRef<'d>, Misfit> {
        let value = self.member(name)?;
        if value.is_object() { Ok(value) } else { Err(self.misfit(name, "an object is due")) }
    }

    /// Elements of an array, with their places.
    pub(crate) fn elements(
        &self,
        name: &str,
    ) -> Result<impl Iterator<Item = (NodeRef<'d>, JsonPointer)> + use<'d>, Misfit> {
        let value = self.member(name)?;
        if !value.is_array() {
            return Err(self.misfit(name, "an array is due"));
        }
        let place = self.place.member(name);
        Ok(value.elements().enumerate().map(move |(index, element)| (element, place.index(index))))
    }

    /// What is wrong with a member.
    pub(crate) fn misfit(&self, name: &str, message: &str) -> Misfit {
        Misfit::new(self.place.member(name), message)
    }
}
