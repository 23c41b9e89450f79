//! A schema as straight-line checks over text, compiled from the same documents as [`super::Schema`].
//!
//! What they pass satisfies the schema, names no member twice, and holds neither a lone surrogate nor a number other than an
//! integer that is not spelled `-0`. What they do not pass may all the same: they stop at the first surprise, and whoever
//! needs to know reads again. Of JSON Schema they understand what contracts of closed objects use. A schema that says more
//! has no such checks.

mod pattern;
mod rule;

use crate::json::{Kind, Reader, Scalar};
use rule::{MOST_MEMBERS, Members, Rule, Seen};

/// The checks of one schema.
#[derive(Debug)]
pub(crate) struct Straight(Rule);

/// The members of an object that was passed, to be asked for by name.
#[derive(Debug)]
pub(crate) struct Passed<'s, 't> {
    names: &'s [String],
    values: [Option<Seen<'t>>; MOST_MEMBERS],
}

impl<'t> Passed<'_, 't> {
    /// The member of this name, where it is no container.
    pub(crate) fn scalar(&self, name: &str) -> Option<Scalar<'t>> {
        let at = self.names.iter().position(|known| known == name)?;
        match self.values.get(at)? {
            Some(Seen::Scalar(scalar)) => Some(*scalar),
            _ => None,
        }
    }
}

/// The order in which members came last, which is that in which they come next.
#[derive(Debug, Default)]
pub(crate) struct Order(Vec<u8>);

impl Straight {
    /// Compiles a schema; `others` are the schemas that it may refer to by their `$id`.
    pub(crate) fn compile(schema: &str, others: &[&str]) -> Option<Self> {
        rule::compile(schema, others).map(Self)
    }

    /// Reads a value and tells whether it passes; where it does not, the reader stands anywhere.
    pub(crate) fn passes(&self, reader: &mut Reader<'_>, order: &mut Order) -> bool {
        value(&self.0, reader, order).is_some()
    }

    /// Reads an object that passes.
    pub(crate) fn object<'s, 't>(&'s self, reader: &mut Reader<'t>, order: &mut Order) -> Option<Passed<'s, 't>> {
        if reader.peek_value().ok()? != b'{' || !self.0.admits(Kind::Object) {
            return None;
        }
        let members = self.0.members.as_deref()?;
        object(members, reader, order).map(|values| Passed { names: &members.names, values })
    }
}

/// Reads a value that passes.
fn value<'t>(rule: &Rule, reader: &mut Reader<'t>, order: &mut Order) -> Option<Seen<'t>> {
    match reader.peek_value().ok()? {
        b'{' => {
            let members = rule.members.as_deref().filter(|_| rule.admits(Kind::Object))?;
            object(members, reader, order).map(|_| Seen::Object)
        }
        b'[' => {
            let elements = rule.elements.as_deref().filter(|_| rule.admits(Kind::Array))?;
            reader.enter_array().ok()?;
            let mut count = 0;
            while reader.next_element(count == 0).ok()? {
                value(elements, reader, order)?;
                count += 1;
            }
            (count >= rule.least_elements).then_some(Seen::Array)
        }
        b'"' => {
            let seen = Seen::Scalar(Scalar::String(reader.string().ok()?));
            (rule.holds(&seen) && seen.is_sound()).then_some(seen)
        }
        _ => {
            let seen = Seen::Scalar(reader.scalar().ok()?);
            (rule.holds(&seen) && seen.is_sound()).then_some(seen)
        }
    }
}

/// Reads an object all of whose members are known, each at most once.
fn object<'t>(
    members: &Members,
    reader: &mut Reader<'t>,
    order: &mut Order,
) -> Option<[Option<Seen<'t>>; MOST_MEMBERS]> {
    let mut values = [None; MOST_MEMBERS];
    reader.enter_object().ok()?;
    let mut met: u32 = 0;
    let mut before = members.first;
    while let Some(key) = reader.next_key(met == 0).ok()? {
        // A name that is spelled with escapes is none that is known, as far as this goes.
        let at = order.guess(members, before, key.raw)?;
        before = members.first + 1 + at;
        if met & (1 << at) != 0 {
            return None;
        }
        met |= 1 << at;
        *values.get_mut(at)? = Some(value(members.rules.get(at)?, reader, order)?);
    }
    (members.required & !met == 0 && members.conditions.iter().all(|condition| condition.holds(&values)))
        .then_some(values)
}

impl Order {
    /// The number of a member, by its name as it is spelled.
    fn guess(&mut self, members: &Members, before: usize, name: &[u8]) -> Option<usize> {
        let is_named = |at: &usize| members.names.get(*at).is_some_and(|known| known.as_bytes() == name);
        if let Some(at) = self.0.get(before).map(|at| usize::from(*at)).filter(is_named) {
            return Some(at);
        }
        let at = (0..members.names.len()).find(is_named)?;
        if self.0.len() <= before {
            self.0.resize(before + 1, 0);
        }
        *self.0.get_mut(before)? = u8::try_from(at).ok()?;
        Some(at)
    }
}

#[cfg(test)]
mod tests;
