//! What an expression stands for, seen from one place of a source.

mod receiver;

use std::cell::Cell;

use crate::{
    syntax::{Class, Expr, Function, Kind, Span, StmtKind},
    world::{Bound, Meaning, Scope, World},
};

/// Names that are followed one after another.
const FARTHEST: usize = 24;
/// Texts that one expression may stand for.
const MOST: usize = 16;
/// Bytes of the longest text that may be a code, or of a name that is written down with one.
pub(crate) const LONGEST: usize = 200;
const TOO_LONG: Why = "it is too long to be a code";

/// What is known about names at one place: those of functions around it, from the outermost, before those of the module.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'w, 'a> {
    pub(crate) world: &'w World<'a>,
    pub(crate) module: usize,
    pub(crate) inner: &'w [Scope<'a>],
    /// What holds at this very place, before anything else.
    pub(crate) here: Option<&'w Scope<'a>>,
    pub(crate) class: Option<&'a Class>,
    /// Steps that are left to one question.
    pub(crate) fuel: &'w Cell<usize>,
}

/// Steps that one question may take: names that stand for each other lead round in circles.
pub(crate) const FUEL: usize = 400;

/// A text that was found, and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) module: usize,
    pub(crate) span: Span,
    /// Whether it stands there as one literal.
    pub(crate) literal: bool,
}

/// All texts that an expression may be.
#[derive(Debug, Default)]
pub(crate) struct Texts {
    pub(crate) told: Vec<Told>,
    /// Whether which one it is depends on what was assigned before.
    pub(crate) open: bool,
}

/// Why an expression is not followed.
pub(crate) type Why = &'static str;

/// A builder, as it is called at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Receiver {
    pub(crate) text: String,
    /// Whether it is known to be one, and not by its name alone.
    pub(crate) proven: bool,
}

impl<'w, 'a> Lookup<'w, 'a> {
    /// The same at the top of a module.
    fn top(&self, module: usize) -> Self {
        Self { world: self.world, module, inner: &[], here: None, class: None, fuel: self.fuel }
    }

    /// Takes one step, if there is one left.
    fn goes_on(&self) -> bool {
        let left = self.fuel.get();
        self.fuel.set(left.saturating_sub(1));
        left > 0
    }

    /// What a name stands for, imports followed.
    pub(crate) fn name(&self, name: &str) -> Vec<(Meaning<'a>, Self)> {
        if !self.goes_on() {
            return Vec::new();
        }
        let local = self.here.and_then(|scope| scope.get(name));
        let local = local.or_else(|| self.inner.iter().rev().find_map(|scope| scope.get(name)));
        let Some(bounds) = local else {
            return self.world.top(self.module, name).into_iter().map(|one| (one, self.top(one.module))).collect();
        };
        let mut all = Vec::new();
        for bound in bounds {
            let meaning = Meaning { bound: *bound, module: self.module };
            if matches!(bound, Bound::Import(_)) {
                all.extend(self.world.followed(meaning).into_iter().map(|one| (one, self.top(one.module))));
            } else {
                all.push((meaning, *self));
            }
        }
        all
    }

    /// What an expression stands for, through names and members.
    pub(crate) fn meanings(&self, expr: &'a Expr) -> Vec<(Meaning<'a>, Self)> {
        self.meanings_within(expr, FARTHEST)
    }

    fn meanings_within(&self, expr: &'a Expr, left: usize) -> Vec<(Meaning<'a>, Self)> {
        let Some(left) = left.checked_sub(1).filter(|_| self.goes_on()) else { return Vec::new() };
        let mut all = Vec::new();
        match &expr.plain().kind {
            Kind::Name(name) => {
                for (meaning, from) in self.name(name).into_iter().take(MOST) {
                    match meaning.bound {
                        // A name for another name.
                        Bound::Value(value, _) if matches!(value.plain().kind, Kind::Name(_) | Kind::Member(..)) => {
                            // A name that is made of itself stays what it is.
                            if value.as_name() == Some(name) {
                                all.push((meaning, from))
                            } else {
                                let further = from.meanings_within(value, left);
                                if further.is_empty() { all.push((meaning, from)) } else { all.extend(further) }
                            }
                        }
                        _ => all.push((meaning, from)),
                    }
                }
            }
            Kind::Member(of, name, _) => {
                for (meaning, from) in self.meanings_within(of, left).into_iter().take(MOST) {
                    all.extend(from.member(meaning, name));
                }
            }
            _ => {
                let bound = Bound::Value(expr.plain(), &[]);
                all.push((Meaning { bound, module: self.module }, *self));
            }
        }
        all
    }

    /// What a member of something stands for.
    fn member(&self, of: Meaning<'a>, name: &str) -> Vec<(Meaning<'a>, Self)> {
        let module = of.module;
        match of.bound {
            Bound::Module(target) => {
                self.world.in_module(target, name).into_iter().map(|one| (one, self.top(one.module))).collect()
            }
            Bound::Class(class) => {
                let bound = class_member(class, name);
                bound.map(|bound| (Meaning { bound, module }, self.top(module))).into_iter().collect()
            }
            Bound::Value(value, _) => match object_member(value, name) {
                Some(value) => vec![(Meaning { bound: Bound::Value(value, &[]), module }, *self)],
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// The texts that an expression may be.
    pub(crate) fn texts(&self, expr: &'a Expr) -> Result<Texts, Why> {
        let mut found = Texts::default();
        self.texts_within(expr, FARTHEST, &mut found)?;
        Ok(found)
    }

    fn texts_within(&self, expr: &'a Expr, left: usize, found: &mut Texts) -> Result<(), Why> {
        let left = left.checked_sub(1).ok_or("it leads too far")?;
        if found.told.len() >= MOST {
            return Err("it may be too many texts");
        }
        match &expr.kind {
            Kind::Same(inner) => self.texts_within(inner, left, found),
            Kind::Text(text) if text.len() > LONGEST => Err(TOO_LONG),
            Kind::Text(text) => {
                found.told.push(Told { text: text.clone(), module: self.module, span: expr.span, literal: true });
                Ok(())
            }
            Kind::Choice(parts) => {
                let [_, then, otherwise] = &**parts;
                self.texts_within(then, left, found)?;
                self.texts_within(otherwise, left, found)
            }
            Kind::Either(parts) => {
                found.open = true;
                parts.iter().try_for_each(|part| self.texts_within(part, left, found))
            }
            Kind::Sum(parts) | Kind::Template(parts) if !parts.is_empty() => self.joined(expr, parts, left, found),
            Kind::Call(call) => match call.arguments.as_slice() {
                [one] if matches!(call.callee.as_name(), Some("str" | "String")) => {
                    self.texts_within(&one.value, left, found)
                }
                _ => Err("it comes from a call"),
            },
            Kind::Name(name) => {
                let meanings = self.name(name);
                found.open |= meanings.len() > 1;
                self.all(meanings, left, found)
            }
            Kind::Member(of, name, _) => {
                let meanings: Vec<_> = self
                    .meanings_within(of, left)
                    .into_iter()
                    .flat_map(|(meaning, from)| from.member(meaning, name))
                    .collect();
                if meanings.is_empty() && name == "value" {
                    // The value of a member of an enumeration.
                    return self.texts_within(of, left, found);
                }
                found.open |= meanings.len() > 1;
                self.all(meanings, left, found)
            }
            Kind::Index(of, at) => match &at.plain().kind {
                Kind::Text(name) => {
                    let of = self.meanings_within(of, left).into_iter();
                    let meanings: Vec<_> = of.flat_map(|(meaning, from)| from.member(meaning, name)).collect();
                    found.open |= meanings.len() > 1;
                    self.all(meanings, left, found)
                }
                _ => Err("its key is not a text"),
            },
            _ => Err("it is put together elsewhere"),
        }
    }

    fn all(&self, meanings: Vec<(Meaning<'a>, Self)>, left: usize, found: &mut Texts) -> Result<(), Why> {
        if meanings.is_empty() {
            return Err("its definition is not in the tree");
        }
        for (meaning, from) in meanings {
            match meaning.bound {
                Bound::Value(value, _) => {
                    // What was chosen before may be known by now, but not here.
                    found.open |= matches!(value.plain().kind, Kind::Choice(_));
                    from.texts_within(value, left, found)?;
                }
                Bound::Parameter(_) => return Err("it is a parameter"),
                Bound::Import(_) => return Err("its definition is not in the tree"),
                _ => return Err("it is not a simple variable"),
            }
        }
        Ok(())
    }

    fn joined(&self, expr: &Expr, parts: &'a [Expr], left: usize, found: &mut Texts) -> Result<(), Why> {
        let mut all = vec![String::new()];
        for part in parts {
            let mut texts = Texts::default();
            self.texts_within(part, left, &mut texts)?;
            found.open |= texts.open;
            if all.len() * texts.told.len() > MOST {
                return Err("it may be too many texts");
            }
            let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or_default();
            let ends = longest(&mut texts.told.iter().map(|one| one.text.len()));
            if longest(&mut all.iter().map(String::len)) + ends > LONGEST {
                return Err(TOO_LONG);
            }
            all =
                all.iter().flat_map(|start| texts.told.iter().map(move |end| format!("{start}{}", end.text))).collect();
        }
        let told = all.into_iter().map(|text| Told { text, module: self.module, span: expr.span, literal: false });
        found.told.extend(told);
        Ok(())
    }

    /// Whether what is called gives a builder.
    pub(crate) fn makes_builder(&self, callee: &'a Expr) -> bool {
        let names = self.world.names;
        if callee.last_name().is_some_and(|name| names.is_builder(name)) {
            return true;
        }
        if !matches!(callee.plain().kind, Kind::Name(_) | Kind::Member(..)) {
            return false;
        }
        self.meanings(callee).iter().any(|(meaning, from)| match meaning.bound {
            Bound::Class(class) => names.is_builder(&class.name),
            Bound::Import(import) => import.name.as_ref().is_some_and(|name| names.is_builder(name)),
            Bound::Function(function) => from.is_builder_type(&function.returns),
            _ => false,
        })
    }

    /// The functions that an expression may be, each with its module and class.
    pub(crate) fn functions(&self, expr: &'a Expr) -> Vec<(usize, &'a Function, Option<&'a Class>)> {
        let mut meanings: Vec<_> = self.meanings(expr).into_iter().map(|(meaning, _)| (meaning, None)).collect();
        if let Kind::Member(of, name, _) = &expr.plain().kind {
            for (class, module) in self.classes(of) {
                let bound = class_member(class, name);
                meanings.extend(bound.map(|bound| (Meaning { bound, module }, Some(class))));
            }
        }
        let function = |(meaning, class): (Meaning<'a>, _)| match meaning.bound {
            Bound::Function(function) => Some((meaning.module, function, class)),
            Bound::Value(value, _) => match &value.plain().kind {
                Kind::Function(function) => Some((meaning.module, &**function, class)),
                _ => None,
            },
            _ => None,
        };
        meanings.into_iter().filter_map(function).collect()
    }

    /// The classes that an expression is, or is made of.
    fn classes(&self, expr: &'a Expr) -> Vec<(&'a Class, usize)> {
        if matches!(expr.as_name(), Some("self" | "this" | "cls")) {
            return self.class.map(|class| (class, self.module)).into_iter().collect();
        }
        let mut classes = Vec::new();
        for (meaning, from) in self.meanings(expr) {
            match meaning.bound {
                Bound::Class(class) => classes.push((class, meaning.module)),
                Bound::Value(value, _) => {
                    for (made, _) in value.as_call().map(|call| from.meanings(&call.callee)).unwrap_or_default() {
                        if let Bound::Class(class) = made.bound {
                            classes.push((class, made.module));
                        }
                    }
                }
                _ => {}
            }
        }
        classes
    }

    /// Whether the names in a type say that it is a builder.
    pub(crate) fn is_builder_type(&self, types: &[String]) -> bool {
        self.is_type(types, |name| self.world.names.is_builder(name))
    }

    pub(crate) fn is_type(&self, types: &[String], is: impl Fn(&str) -> bool) -> bool {
        const AROUND: [&str; 8] =
            ["Optional", "None", "typing", "Promise", "Readonly", "Awaitable", "Final", "ClassVar"];
        let mut rest = types.iter().filter(|name| !AROUND.contains(&name.as_str()));
        let Some(name) = rest.next_back().filter(|name| {
            // `reply.ReplyBuilder`, but not a list of them.
            !rest.any(|other| other.chars().next().is_some_and(char::is_uppercase) && other != *name)
        }) else {
            return false;
        };
        is(name)
            || self.name(name).iter().any(|(meaning, _)| match meaning.bound {
                Bound::Class(class) => is(&class.name),
                Bound::Import(import) => import.name.as_deref().is_some_and(&is),
                _ => false,
            })
    }
}

/// What a class itself says of a member.
pub(crate) fn class_member<'a>(class: &'a Class, name: &str) -> Option<Bound<'a>> {
    class.body.iter().find_map(|stmt| match &stmt.kind {
        StmtKind::Assign { targets, value, types } if targets.iter().any(|one| one.as_name() == Some(name)) => {
            Some(value.as_ref().map_or(Bound::Typed(types), |value| Bound::Value(value, types)))
        }
        StmtKind::Class(inner) if inner.name == name => Some(Bound::Class(inner)),
        StmtKind::Function(function) if function.name == name => Some(Bound::Function(function)),
        _ => None,
    })
}

/// The value of a member of a constant object, which may be frozen.
fn object_member<'a>(value: &'a Expr, name: &str) -> Option<&'a Expr> {
    match &value.plain().kind {
        Kind::Object(members) => members.iter().find(|(key, _)| key.as_deref() == Some(name)).map(|(_, value)| value),
        Kind::Call(call)
            if matches!(call.callee.last_name(), Some("freeze" | "MappingProxyType" | "SimpleNamespace")) =>
        {
            let named = call.arguments.iter().find(|one| one.name.as_deref() == Some(name)).map(|one| &one.value);
            named.or_else(|| call.arguments.first().and_then(|one| object_member(&one.value, name)))
        }
        _ => None,
    }
}
