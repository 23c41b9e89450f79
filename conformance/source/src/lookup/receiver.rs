//! Builders, as they are called.

use super::{FARTHEST, Lookup, Receiver};
use crate::{
    Family,
    syntax::{Class, Expr, Form, Kind, Stmt, StmtKind},
    world::{Bound, Meaning, class_member},
};

/// Statements of a function that is looked into for what it makes.
const SHORT: usize = 64;

impl<'a> Lookup<'_, 'a> {
    /// The builder that an expression is.
    pub(crate) fn receiver(&self, expr: &'a Expr) -> Option<Receiver> {
        self.receiver_within(expr, FARTHEST)
    }

    fn receiver_within(&self, expr: &'a Expr, left: usize) -> Option<Receiver> {
        let left = left.checked_sub(1).filter(|_| self.goes_on())?;
        match &expr.plain().kind {
            Kind::Call(call) => {
                let name = call.callee.last_name().unwrap_or_default();
                let is = self.makes_builder(&call.callee) || self.gives_builder(&call.callee);
                is.then(|| Receiver { text: format!("{name}()"), proven: true })
            }
            Kind::Name(name) => {
                let proven = self.is_bound_builder(&self.name(name), self.world.names.is_variable(name), left)?;
                Some(Receiver { text: name.clone(), proven })
            }
            Kind::Member(of, name, _) => {
                let named = self.world.names.is_variable(name);
                let own = of.as_name().filter(|own| matches!(*own, "self" | "this" | "cls"));
                let proven = match (own, self.class) {
                    (Some(_), Some(class)) => self.is_bound_builder(&self.own_member(class, name), named, left)?,
                    _ => {
                        let mut meanings = self.meanings_within(expr, left);
                        if meanings.is_empty() && self.world.family.is_typed() {
                            meanings = self.typed_members(of, name);
                        }
                        self.is_bound_builder(&meanings, named, left)?
                    }
                };
                let of = own.or_else(|| of.last_name()).unwrap_or("?");
                Some(Receiver { text: format!("{of}.{name}"), proven })
            }
            _ => None,
        }
    }

    /// Whether a method that is called gives a builder by its type.
    fn gives_builder(&self, callee: &'a Expr) -> bool {
        let of_value = self.world.family.is_typed() && matches!(callee.plain().kind, Kind::Member(..));
        let functions = if of_value { self.functions(callee) } else { Vec::new() };
        !functions.is_empty()
            && functions.iter().all(|(module, function, _)| self.top(*module).is_builder_type(&function.returns))
    }

    /// Whether what a name is bound to is a builder: known, by its name alone, or not at all.
    fn is_bound_builder(&self, meanings: &[(Meaning<'a>, Self)], named: bool, left: usize) -> Option<bool> {
        let mut proven = false;
        for (meaning, from) in meanings {
            match meaning.bound {
                Bound::Parameter(parameter) => {
                    proven |= from.is_builder_type(&parameter.types);
                    if !proven && !parameter.types.is_empty() {
                        return None;
                    }
                }
                Bound::Typed(types) => {
                    proven |= from.is_builder_type(types);
                    if !proven && !types.is_empty() {
                        return None;
                    }
                }
                Bound::Value(value, types) => {
                    if from.is_builder_type(types) || from.receiver_within(value, left).is_some_and(|one| one.proven) {
                        proven = true;
                        continue;
                    }
                    let may_be = matches!(
                        value.plain().kind,
                        Kind::Call(_) | Kind::Name(_) | Kind::Member(..) | Kind::Index(..) | Kind::Nothing
                    );
                    if !may_be || !types.is_empty() || from.is_other(value) {
                        return None;
                    }
                }
                Bound::Function(_) | Bound::Class(_) | Bound::Module(_) | Bound::Package(_) => return None,
                // A package is no builder, whatever it is called.
                Bound::Import(import) if import.name.is_none() && self.world.family == Family::Go => return None,
                Bound::Import(_) | Bound::Unknown => {}
            }
        }
        (proven || named).then_some(proven)
    }

    /// Whether a value is made by a class or a function of the tree that gives no builder.
    fn is_other(&self, value: &'a Expr) -> bool {
        let Some(call) = value.as_call() else { return false };
        let meanings = self.meanings(&call.callee);
        let plain = |class: &Class| class.bases.is_empty() && !self.world.names.is_builder(&class.name);
        !meanings.is_empty()
            && meanings.iter().all(|(meaning, from)| match meaning.bound {
                Bound::Class(class) => plain(class),
                Bound::Function(function) if function.returns.is_empty() => {
                    let made = |value: &'a Expr| {
                        let call = value.as_call()?;
                        let made = from.meanings(&call.callee);
                        Some(matches!(made.as_slice(), [(one, _)] if matches!(one.bound, Bound::Class(class) if plain(class))))
                    };
                    let mut returned = Vec::new();
                    let mut left = SHORT;
                    all_returned(&function.body, &mut left, &mut returned);
                    left > 0
                        && !returned.is_empty() && returned.into_iter().all(|value| made(value).unwrap_or_default())
                }
                Bound::Function(function) => !from.is_builder_type(&function.returns),
                _ => false,
            })
    }

    /// Members of what has a class as its type.
    pub(crate) fn typed_members(&self, of: &'a Expr, name: &str) -> Vec<(Meaning<'a>, Self)> {
        let classes = self.classes(of).into_iter();
        let members = classes.filter_map(|(class, module)| Some(Meaning { bound: class_member(class, name)?, module }));
        members.map(|one| (one, self.top(one.module))).collect()
    }

    /// What other files say of the class that these methods belong to.
    fn parts_of(&self, class: &Class) -> Vec<&'a Class> {
        let all = self.world.top(self.module, &class.name).into_iter().filter_map(|one| one.bound.as_class());
        all.filter(|other| other.form != Form::Part).collect()
    }

    /// What a class makes of a member of its own: fields, what methods assign, and what its constructor takes.
    fn own_member(&self, class: &'a Class, name: &str) -> Vec<(Meaning<'a>, Self)> {
        let mut all = Vec::new();
        let mut push = |bound| all.push((Meaning { bound, module: self.module }, self.top(self.module)));
        let parts = if class.form == Form::Part { self.parts_of(class) } else { Vec::new() };
        for one in std::iter::once(class).chain(parts) {
            class_member(one, name).into_iter().for_each(&mut push);
        }
        for function in class.body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Function(function) => Some(function),
            _ => None,
        }) {
            for parameter in function.parameters.iter().filter(|one| one.member && one.name == name) {
                push(Bound::Parameter(parameter));
            }
            let mut assigned = Vec::new();
            own_assignments(&function.body, name, &mut assigned);
            for (value, types) in assigned {
                // `self.rb = rb` takes over what the parameter is.
                let parameter = value.as_name().and_then(|of| function.parameters.iter().find(|one| one.name == of));
                push(parameter.map_or(Bound::Value(value, types), Bound::Parameter));
            }
        }
        all
    }
}

/// What statements return, as long as some are left to be looked at.
fn all_returned<'a>(body: &'a [Stmt], left: &mut usize, into: &mut Vec<&'a Expr>) {
    for stmt in body {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return;
        }
        if let StmtKind::Return(Some(value)) = &stmt.kind {
            into.push(value);
        }
        for block in stmt.below().blocks {
            all_returned(block, left, into);
        }
    }
}

fn own_assignments<'a>(body: &'a [Stmt], name: &str, into: &mut Vec<(&'a Expr, &'a [String])>) {
    for stmt in body {
        if let StmtKind::Assign { targets, value: Some(value), types } = &stmt.kind {
            let own = targets.iter().any(|target| match &target.kind {
                Kind::Member(of, member, _) => member == name && matches!(of.as_name(), Some("self" | "this")),
                _ => false,
            });
            if own {
                into.push((value, types));
            }
        }
        for block in stmt.below().blocks {
            own_assignments(block, name, into);
        }
    }
}
