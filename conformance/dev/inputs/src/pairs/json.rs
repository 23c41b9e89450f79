//! JSON as it may be written, not as it is meant: number spellings, duplicate names and lone surrogates survive.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

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

    /// What a JSON text says, its number tokens as they stand; `None` if it is not JSON.
    ///
    /// What lies deeper than 64 levels, or is a string that no `String` can hold, stays a token.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let raw: &RawValue = serde_json::from_str(text).ok()?;
        Some(Self::of_raw(raw, 64))
    }

    fn of_raw(raw: &RawValue, depth: u32) -> Self {
        let text = raw.get();
        let token = || Self::Token(text.to_owned().into());
        let Some(below) = depth.checked_sub(1) else { return token() };
        match text.as_bytes().first() {
            Some(b'"') => serde_json::from_str::<String>(text).map_or_else(|_| token(), |text| Self::text(&text)),
            Some(b'[') => serde_json::from_str::<Vec<&RawValue>>(text).map_or_else(
                |_| token(),
                |items| Self::List(items.into_iter().map(|item| Self::of_raw(item, below)).collect()),
            ),
            Some(b'{') => serde_json::from_str::<BTreeMap<String, &RawValue>>(text).map_or_else(
                |_| token(),
                |members| {
                    let member = |(name, value): (String, _)| (name.as_str().into(), Self::of_raw(value, below));
                    Self::Object(members.into_iter().map(member).collect())
                },
            ),
            _ => token(),
        }
    }

    /// The member that counts: the last of its name.
    pub(crate) fn member(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().rev().find(|(found, _)| found == name).map(|(_, value)| value)
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

    /// Sets a member; a no-op on what is not an object.
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
