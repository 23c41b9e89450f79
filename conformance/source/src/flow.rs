//! What holds at one point of a function, and what runs next.

use crate::{
    layers::Layers,
    syntax::{Expr, Kind},
    world::{Bound, same},
};

/// Values that are kept for one name.
const MOST: usize = 16;

/// What names stand for at one point.
pub(crate) type Known<'a> = Layers<&'a str, Vec<Bound<'a>>>;

/// What holds at one point, whatever way led there.
#[derive(Debug, Clone, Default)]
pub(crate) struct State<'a> {
    /// What names stand for here; those that are not in it may be anything that was ever assigned.
    pub(crate) values: Known<'a>,
    /// Builders that have made a reply which ends the call.
    pub(crate) frozen: Layers<String, ()>,
    /// Whether a builder has been made or was given.
    pub(crate) made: bool,
    /// Whether control comes here at all.
    pub(crate) dead: bool,
}

impl<'a> State<'a> {
    /// The same for another way from here.
    pub(crate) fn fork(&mut self) -> Self {
        Self { values: self.values.fork(), frozen: self.frozen.fork(), made: self.made, dead: self.dead }
    }

    /// What holds after one of several ways, this one and others.
    pub(crate) fn join(&mut self, others: impl IntoIterator<Item = Self>) {
        let mut others: Vec<_> = others.into_iter().filter(|one| !one.dead).collect();
        if self.dead && !others.is_empty() {
            *self = others.remove(0);
        }
        if others.is_empty() {
            return;
        }
        self.made &= others.iter().all(|one| one.made);
        let (values, frozen): (Vec<_>, Vec<_>) = others.into_iter().map(|one| (one.values, one.frozen)).unzip();
        self.frozen.join(frozen, |_, _| ());
        // What one way has assigned and another has not may be anything.
        self.values.join(values, |bounds: &mut Vec<Bound<'a>>, more: Vec<Bound<'a>>| {
            for bound in more {
                if !bounds.iter().any(|one| same(*one, bound)) {
                    bounds.push(bound);
                }
            }
            if bounds.len() > MOST {
                *bounds = vec![Bound::Unknown];
            }
        });
    }

    pub(crate) fn assign(&mut self, name: &'a str, bound: Bound<'a>) {
        self.forget(name);
        self.values.insert(name, vec![bound]);
    }

    /// A name is a builder that nobody has used yet, or no builder any more.
    pub(crate) fn forget(&mut self, receiver: &str) {
        if self.frozen.get(receiver).is_some() {
            self.frozen.remove(receiver.to_owned());
        }
    }
}

/// What runs after a statement.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Next<'a> {
    /// This is returned.
    Return(&'a Expr),
    Other,
}

impl Next<'_> {
    /// Whether the value of this name is returned, and nothing runs before that.
    pub(crate) fn returns(self, name: &str) -> bool {
        match self {
            Self::Return(value) => may_be(value, name),
            Self::Other => false,
        }
    }
}

fn may_be(value: &Expr, name: &str) -> bool {
    match &value.plain().kind {
        Kind::Name(own) => own == name,
        Kind::Choice(parts) => parts.iter().skip(1).any(|part| may_be(part, name)),
        _ => false,
    }
}

/// What becomes of the value of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Returned,
    Kept,
}
