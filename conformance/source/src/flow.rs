//! What holds at one point of a function, and what runs next.

use std::collections::{HashMap, HashSet};

use crate::{
    syntax::{Expr, Kind},
    world::{Bound, Scope, same},
};

/// Values that are kept for one name.
const MOST: usize = 16;

/// What holds at one point, whatever way led there.
#[derive(Debug, Clone, Default)]
pub(crate) struct State<'a> {
    /// What names stand for here; those that are not in it may be anything that was ever assigned.
    pub(crate) values: Scope<'a>,
    /// Builders that have made a reply which ends the call.
    pub(crate) frozen: HashSet<String>,
    /// Whether a builder has been made or was given.
    pub(crate) made: bool,
    /// Whether control comes here at all.
    pub(crate) dead: bool,
}

impl<'a> State<'a> {
    /// What holds after one of two ways.
    pub(crate) fn join(&mut self, other: Self) {
        if other.dead {
            return;
        }
        if self.dead {
            *self = other;
            return;
        }
        self.frozen.retain(|one| other.frozen.contains(one));
        self.made &= other.made;
        let mut theirs: HashMap<_, _> = other.values;
        // What one way has assigned and the other has not may be anything.
        self.values.retain(|name, bounds| {
            let Some(more) = theirs.remove(name) else { return false };
            for bound in more {
                if !bounds.iter().any(|one| same(*one, bound)) {
                    bounds.push(bound);
                }
            }
            if bounds.len() > MOST {
                *bounds = vec![Bound::Unknown];
            }
            true
        });
    }

    pub(crate) fn assign(&mut self, name: &'a str, bound: Bound<'a>) {
        self.frozen.remove(name);
        self.values.insert(name, vec![bound]);
    }

    /// A name is a builder that nobody has used yet, or no builder any more.
    pub(crate) fn forget(&mut self, receiver: &str) {
        self.frozen.remove(receiver);
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
