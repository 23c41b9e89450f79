//! What an expression stands for, seen from one place of a source.

mod receiver;
mod text;

use std::cell::Cell;

pub(crate) use text::{LONGEST, Texts};

use crate::{
    Family, Source,
    flow::Known,
    syntax::{Class, Expr, Function, Kind},
    world::{Bound, Meaning, Scope, World, class_member, class_members, same},
};

/// Names that are followed one after another.
const FARTHEST: usize = 24;
/// Meanings that one expression may have.
const MOST: usize = 16;

/// What is known about names at one place: those of functions around it, from the outermost, before those of the module.
#[derive(Clone, Copy)]
pub(crate) struct Lookup<'w, 'a> {
    pub(crate) world: &'w World<'a>,
    pub(crate) module: usize,
    pub(crate) inner: &'w [Scope<'a>],
    /// What holds at this very place, before anything else.
    pub(crate) here: Option<&'w Known<'a>>,
    pub(crate) class: Option<&'a Class>,
    /// Steps that are left to one question.
    pub(crate) fuel: &'w Cell<usize>,
}

/// Steps that one question may take: names that stand for each other lead round in circles.
pub(crate) const FUEL: usize = 400;

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
        let typed = self.world.family.is_typed();
        let here = self.here.and_then(|scope| scope.get(name));
        let around = self.inner.iter().rev().filter_map(|scope| scope.get(name));
        // Where blocks have names of their own, one of a block that has ended may hide nothing any more.
        let local: Vec<_> = match here {
            Some(bounds) => vec![bounds],
            None => around.take(if typed { usize::MAX } else { 1 }).collect(),
        };
        let mut all = Vec::new();
        if local.is_empty() || (typed && here.is_none()) {
            all = self.inherited(name);
            if all.is_empty() {
                let top = self.world.top(self.module, name).into_iter();
                all.extend(top.map(|one| (one, self.top(one.module))));
            }
        }
        let held = !local.is_empty();
        for bound in local.into_iter().flatten() {
            let meaning = Meaning { bound: *bound, module: self.module };
            if matches!(bound, Bound::Import(_)) {
                all.extend(self.world.followed(meaning).into_iter().map(|one| (one, self.top(one.module))));
            } else if !all.iter().any(|(one, _)| one.module == meaning.module && same(one.bound, *bound)) {
                all.push((meaning, *self));
            }
        }
        // What a function around, or one inside, may assign meanwhile.
        let shared = |source: &Source| source.module.shared.contains(name);
        if held && self.world.source(self.module).is_some_and(shared) {
            all.push((Meaning { bound: Bound::Unknown, module: self.module }, *self));
        }
        variables(self.world.family, all)
    }

    /// What a class of Java, or one that it derives from, says of a name that is written without it.
    fn inherited(&self, name: &str) -> Vec<(Meaning<'a>, Self)> {
        if self.world.family != Family::Java {
            return Vec::new();
        }
        // What is walked has the members of its own class around it already.
        let mut known = self.here.is_some();
        let mut pending: Vec<_> = self.class.iter().map(|class| (*class, self.module)).collect();
        let mut left = FARTHEST;
        while let Some((class, module)) = pending.pop().filter(|_| left > 0) {
            left -= 1;
            let from = Self { class: Some(class), ..self.top(module) };
            let own = class_members(class, name).map(|bound| (Meaning { bound, module }, from));
            let own: Vec<_> = if std::mem::take(&mut known) { Vec::new() } else { own.collect() };
            if !own.is_empty() {
                return variables(self.world.family, own);
            }
            for base in class.bases.iter().chain(&class.interfaces).filter_map(Expr::as_name) {
                let bases = self.world.top(module, base).into_iter();
                pending.extend(bases.filter_map(|one| Some((one.bound.as_class()?, one.module))));
            }
        }
        Vec::new()
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
            Bound::Package(package) => {
                self.world.in_package(package, name).into_iter().map(|one| (one, self.top(one.module))).collect()
            }
            Bound::Class(class) => {
                let from = Self { class: Some(class), ..self.top(module) };
                let own = self.members_of(class, name).into_iter();
                variables(self.world.family, own.map(|bound| (Meaning { bound, module }, from)).collect())
            }
            Bound::Value(value, _) => match object_member(value, name) {
                Some(value) => vec![(Meaning { bound: Bound::Value(value, &[]), module }, *self)],
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Whether what is called gives a builder.
    pub(crate) fn makes_builder(&self, callee: &'a Expr) -> bool {
        let names = self.world.names;
        let made = |name: &str| match self.world.family {
            // `NewReplyBuilder()`
            Family::Go => names.is_builder(name.strip_prefix("New").unwrap_or(name)),
            _ => names.is_builder(name),
        };
        if callee.last_name().is_some_and(made) {
            return true;
        }
        if !matches!(callee.plain().kind, Kind::Name(_) | Kind::Member(..)) {
            return false;
        }
        let meanings = self.meanings(callee);
        let named = meanings.iter().any(|(meaning, _)| match meaning.bound {
            Bound::Class(class) => names.is_builder(&class.name),
            Bound::Import(import) => import.name.as_ref().is_some_and(|name| names.is_builder(name)),
            _ => false,
        });
        named || self.agree(&meanings, |_, from, function| from.is_builder_type(&function.returns))
    }

    /// The functions that an expression may be, each with its module and class.
    pub(crate) fn functions(&self, expr: &'a Expr) -> Vec<(usize, &'a Function, Option<&'a Class>)> {
        let mut meanings: Vec<_> =
            self.meanings(expr).into_iter().map(|(meaning, from)| (meaning, from.class)).collect();
        if let Kind::Member(of, name, _) = &expr.plain().kind {
            for (class, module) in self.classes(of) {
                let own = self.members_of(class, name).into_iter();
                meanings.extend(own.map(|bound| (Meaning { bound, module }, Some(class))));
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
        let mut functions: Vec<(usize, &'a Function, _)> = Vec::new();
        for one in meanings.into_iter().filter_map(function) {
            if !functions.iter().any(|(_, known, _)| std::ptr::eq(*known, one.1)) {
                functions.push(one);
            }
        }
        functions
    }

    /// The classes that an expression is, or is made of.
    fn classes(&self, expr: &'a Expr) -> Vec<(&'a Class, usize)> {
        if matches!(expr.as_name(), Some("self" | "this" | "cls")) {
            let own = self.class.map(|class| (class, self.module)).into_iter().collect();
            return match self.class {
                // Its methods may stand in several files.
                Some(class) if self.world.family == Family::Go => {
                    let all = self.world.top(self.module, &class.name).into_iter();
                    all.filter_map(|one| Some((one.bound.as_class()?, one.module))).collect()
                }
                _ => own,
            };
        }
        let mut classes = Vec::new();
        let mut meanings = self.meanings(expr);
        if let (true, Kind::Member(of, name, _)) = (meanings.is_empty(), &expr.plain().kind)
            && self.world.family.is_typed()
        {
            meanings = self.typed_members(of, name);
        }
        for (meaning, from) in meanings {
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
            if self.world.family.is_typed() {
                classes.extend(from.classes_by_type(meaning.bound));
            }
        }
        classes
    }

    /// The classes that something is by its type.
    fn classes_by_type(&self, bound: Bound<'a>) -> Vec<(&'a Class, usize)> {
        let types: &[String] = match bound {
            Bound::Parameter(parameter) => &parameter.types,
            Bound::Typed(types) => types,
            Bound::Value(value, []) => {
                let Some(call) = value.as_call() else { return Vec::new() };
                let given = self.meanings(&call.callee).into_iter();
                let mut classes: Vec<_> = given.flat_map(|(made, from)| from.classes_given(made.bound)).collect();
                // What a method gives of an object whose class is known.
                if classes.is_empty() && matches!(call.callee.plain().kind, Kind::Member(..)) {
                    let functions = self.functions(&call.callee).into_iter();
                    classes.extend(
                        functions.flat_map(|(module, function, _)| self.top(module).classes_called(&function.returns)),
                    );
                }
                return classes;
            }
            Bound::Value(_, types) => types,
            _ => &[],
        };
        self.classes_called(types)
    }

    /// The classes of what a function gives.
    fn classes_given(&self, bound: Bound<'a>) -> Vec<(&'a Class, usize)> {
        match bound {
            Bound::Function(function) => self.classes_called(&function.returns),
            _ => Vec::new(),
        }
    }

    /// The classes that a type names, which may stand in another package.
    fn classes_called(&self, types: &[String]) -> Vec<(&'a Class, usize)> {
        let Some((name, around)) = types.split_last() else { return Vec::new() };
        let packages = around.last().map(|of| self.name(of)).unwrap_or_default();
        let mut meanings: Vec<_> = packages
            .into_iter()
            .flat_map(|(of, from)| match of.bound {
                Bound::Package(_) => from.member(of, name),
                _ => Vec::new(),
            })
            .collect();
        if meanings.is_empty() {
            meanings = self.name(name);
        }
        meanings.into_iter().filter_map(|(one, _)| Some((one.bound.as_class()?, one.module))).collect()
    }

    /// Whether the names in a type say that it is a builder.
    pub(crate) fn is_builder_type(&self, types: &[String]) -> bool {
        self.is_type(types, |name| self.world.names.is_builder(name))
    }

    /// Whether the names in a type say that it is a reply, or an envelope, and one of those that builders make.
    pub(crate) fn is_answer_of(&self, types: &[String], is: impl Fn(&str) -> bool) -> bool {
        let Some((name, around)) = named(types) else { return false };
        match (self.world.family, around.last()) {
            (Family::Go, Some(of)) => return is(name) && self.is_from_home(&self.name(of)),
            (Family::Java, Some(_)) if around.iter().all(|one| one.starts_with(char::is_lowercase)) => {
                return is(name) && self.world.is_near(self.module, &around.join("."));
            }
            _ => {}
        }
        let meanings = self.name(name);
        let ours = |meaning: &Meaning<'a>| match meaning.bound {
            Bound::Class(class) => is(&class.name),
            Bound::Import(import) => match &import.name {
                Some(own) => is(own) && self.world.is_near(meaning.module, &import.module),
                None => self.world.family != Family::Go && is(name),
            },
            Bound::Value(value, _) if self.world.family == Family::Go => value.last_name().is_some_and(&is),
            _ => is(name),
        };
        // What another file of the same package may say, or what a star stands for.
        (meanings.is_empty() && is(name)) || meanings.iter().any(|(meaning, _)| ours(meaning))
    }

    pub(crate) fn is_type(&self, types: &[String], is: impl Fn(&str) -> bool) -> bool {
        let Some((name, _)) = named(types) else { return false };
        is(name)
            || self.name(name).iter().any(|(meaning, _)| match meaning.bound {
                Bound::Class(class) => is(&class.name),
                Bound::Import(import) => import.name.as_deref().is_some_and(&is),
                // Another name for a type.
                Bound::Value(value, _) if self.world.family == Family::Go => value.last_name().is_some_and(&is),
                _ => false,
            })
    }

    /// Whether a function among these is as it should be; in Java, where several may have one name, each of them.
    pub(crate) fn agree(
        &self,
        meanings: &[(Meaning<'a>, Self)],
        is: impl Fn(&Meaning<'a>, &Self, &'a Function) -> bool,
    ) -> bool {
        let mut functions = meanings.iter().filter_map(|(meaning, from)| match meaning.bound {
            Bound::Function(function) => Some(is(meaning, from, function)),
            _ => None,
        });
        if self.world.family == Family::Java {
            functions.next().unwrap_or_default() && functions.all(|one| one)
        } else {
            functions.any(|one| one)
        }
    }

    /// What a class says of a member: in Java, several methods may have one name.
    fn members_of(&self, class: &'a Class, name: &str) -> Vec<Bound<'a>> {
        if self.world.family == Family::Java {
            class_members(class, name).collect()
        } else {
            class_member(class, name).into_iter().collect()
        }
    }
}

/// The last name in a type, with those before it; none where it holds others.
fn named(types: &[String]) -> Option<(&String, Vec<&str>)> {
    const AROUND: [&str; 8] = ["Optional", "None", "typing", "Promise", "Readonly", "Awaitable", "Final", "ClassVar"];
    const HOLDS: [&str; 11] = [
        "array_type",
        "tuple_type",
        "function_type",
        "object_type",
        "list",
        "dict",
        "set",
        "frozenset",
        "tuple",
        "type",
        "deque",
    ];
    let mut rest = types.iter().filter(|name| !AROUND.contains(&name.as_str()));
    let name = rest.next_back()?;
    // `reply.ReplyBuilder`, but not a list of them.
    let holds =
        |other: &String| HOLDS.contains(&other.as_str()) || other.chars().next().is_some_and(char::is_uppercase);
    let around: Vec<_> = rest.collect();
    if around.iter().any(|other| *other != name && holds(other)) {
        return None;
    }
    Some((name, around.into_iter().map(String::as_str).collect()))
}

/// Of what a name may stand for in Java, what has a value: methods have names of their own.
fn variables<'l, 'a>(
    family: Family,
    mut all: Vec<(Meaning<'a>, Lookup<'l, 'a>)>,
) -> Vec<(Meaning<'a>, Lookup<'l, 'a>)> {
    let is_method = |(meaning, _): &(Meaning<'a>, _)| matches!(meaning.bound, Bound::Function(_));
    if family == Family::Java && !all.iter().all(is_method) {
        all.retain(|one| !is_method(one));
    }
    all
}

/// The value of a member of a constant object, which may be frozen.
fn object_member<'a>(value: &'a Expr, name: &str) -> Option<&'a Expr> {
    match &value.plain().kind {
        Kind::Object(members) => members.iter().find(|(key, _)| key.as_deref() == Some(name)).map(|(_, value)| value),
        Kind::Constant(members, values) => values.get(*members.get(name)?),
        Kind::Call(call)
            if matches!(call.callee.last_name(), Some("freeze" | "MappingProxyType" | "SimpleNamespace")) =>
        {
            let named = call.arguments.iter().find(|one| one.name.as_deref() == Some(name)).map(|one| &one.value);
            named.or_else(|| call.arguments.first().and_then(|one| object_member(&one.value, name)))
        }
        _ => None,
    }
}
