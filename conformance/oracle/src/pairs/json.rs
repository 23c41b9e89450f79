//! JSON as it may be written, not as it is meant: number spellings, duplicate names and lone surrogates survive.

use std::borrow::Cow;

/// A string as code points; surrogates may stand alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text(pub(crate) Vec<u32>);

/// A value as it will be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Json {
    /// A number, a literal, or something that only looks like one; written as it stands.
    Token(Cow<'static, str>),
    /// A string.
    Text(Text),
    /// An array.
    List(Vec<Json>),
    /// An object; names may repeat.
    Object(Vec<(Text, Json)>),
}

/// One step of the way to a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Member(&'static str),
    Index(usize),
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self(text.chars().map(u32::from).collect())
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.0.iter().copied().eq(other.chars().map(u32::from))
    }
}

impl Json {
    pub(crate) const NULL: Self = Self::Token(Cow::Borrowed("null"));

    pub(crate) fn token(spelling: impl Into<Cow<'static, str>>) -> Self {
        Self::Token(spelling.into())
    }

    pub(crate) fn text(text: &str) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn integer(value: usize) -> Self {
        Self::Token(value.to_string().into())
    }

    pub(crate) fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(members.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }

    /// The member that counts: the last of its name.
    pub(crate) fn member_mut(&mut self, name: &str) -> Option<&mut Self> {
        let members = self.members_mut()?;
        members.iter_mut().rev().find(|(found, _)| found == name).map(|(_, value)| value)
    }

    pub(crate) fn members_mut(&mut self) -> Option<&mut Vec<(Text, Self)>> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }

    pub(crate) fn items_mut(&mut self) -> Option<&mut Vec<Self>> {
        if let Self::List(items) = self { Some(items) } else { None }
    }

    pub(crate) fn at_mut(&mut self, steps: &[Step]) -> Option<&mut Self> {
        steps.iter().try_fold(self, |here, step| match step {
            Step::Member(name) => here.member_mut(name),
            Step::Index(index) => here.items_mut()?.get_mut(*index),
        })
    }

    /// Sets a member; a no-op on what is no object.
    pub(crate) fn set(&mut self, name: &str, value: Self) {
        if let Some(slot) = self.member_mut(name) {
            *slot = value;
        } else if let Some(members) = self.members_mut() {
            members.push((name.into(), value));
        }
    }

    /// Removes every member of a name.
    pub(crate) fn remove(&mut self, name: &str) {
        if let Some(members) = self.members_mut() {
            members.retain(|(found, _)| found != name);
        }
    }

    /// Calls `change` on every string, names included.
    pub(crate) fn each_text(&mut self, change: &mut impl FnMut(&mut Text)) {
        match self {
            Self::Token(_) => {}
            Self::Text(text) => change(text),
            Self::List(items) => items.iter_mut().for_each(|item| item.each_text(change)),
            Self::Object(members) => {
                for (name, value) in members {
                    change(name);
                    value.each_text(change);
                }
            }
        }
    }
}
