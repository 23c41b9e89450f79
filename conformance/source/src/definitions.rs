//! What is defined twice where one may be: builders and registries; and methods that no builder has.

use crate::{
    Family, Found,
    names::{FORBIDDEN, TERMINAL},
    place,
    syntax::{Class, Expr, Form, Kind, Span, Stmt, StmtKind},
    walker::Harvest,
    world::World,
};

/// What has been seen of one runtime, which is taken to be all that is written in one language.
#[derive(Default)]
pub(crate) struct Definitions {
    builder: bool,
    registry: bool,
    active: bool,
}

impl Definitions {
    /// Objects to what one module adds to those before it.
    pub(crate) fn module(&mut self, world: &World<'_>, module: usize, harvest: &mut Harvest) {
        let Some(source) = world.source(module) else { return };
        let mut classes = Vec::new();
        all_classes(&source.module.body, &mut classes);
        let mut find = |law, span: Span, subject: &str, message: &str| {
            let place = place::of(source, span);
            harvest.findings.push(Found { law, place, subject: subject.to_owned(), message: message.to_owned() });
        };
        // What only says which methods there are makes no reply.
        let described = |class: &&Class| {
            class.form == Form::Interface
                || class.bases.iter().any(|base| matches!(base.last_name(), Some("Protocol")) || generic(base))
        };
        for class in classes.iter().copied().filter(|class| !described(class)) {
            let methods: Vec<_> = class.body.iter().filter_map(method).collect();
            let methods: Vec<_> = methods.into_iter().map(|(name, span)| (world.family.method(name), span)).collect();
            let has = |name: &str| methods.iter().any(|(own, _)| own == name);
            let named = world.names.is_builder(&class.name);
            let part = class.form == Form::Part;
            let whole = has("success") && TERMINAL.iter().all(|name| has(name));
            let derived =
                class.bases.iter().any(|base| base.last_name().is_some_and(|name| world.names.is_builder(name)));
            let changed = derived && (has("success") || TERMINAL.iter().any(|name| has(name)));
            if named || whole || changed {
                if (!part && std::mem::replace(&mut self.builder, true)) || changed {
                    let message = "a second builder is defined: one makes every reply";
                    find("reply/single-builder", class.span, &class.name, message);
                }
                for (name, span) in methods.iter().filter(|(name, _)| FORBIDDEN.contains(&name.as_str())) {
                    let message = format!("a builder has no method {name}: say it in the data of a success");
                    find("reply/no-forbidden-methods", *span, name, &message);
                }
            } else if derived {
                for (name, span) in methods.iter().filter(|(name, _)| FORBIDDEN.contains(&name.as_str())) {
                    let message = format!("a builder has no method {name}: say it in the data of a success");
                    find("reply/no-forbidden-methods", *span, name, &message);
                }
            }
            if world.names.is_registry(&class.name) && !part && std::mem::replace(&mut self.registry, true) {
                let message = "a second registry is defined: one is active at runtime";
                find("reply/single-registry", class.span, &class.name, message);
            }
        }
        let fixed = classes.iter().flat_map(|class| &class.body).filter(is_static);
        for (value, name) in source.module.body.iter().chain(fixed).filter_map(made_registry) {
            let name = if world.family == Family::Go { name.strip_prefix("New").unwrap_or(name) } else { name };
            if world.names.is_registry(name) && std::mem::replace(&mut self.active, true) {
                let message = "a second registry is made: one is active at runtime";
                find("reply/single-registry", value.span, name, message);
            }
        }
    }
}

/// Whether it is one for all objects of its class.
fn is_static(stmt: &&Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Assign { types, .. } if types.first().is_some_and(|one| one == "static"))
}

/// `Protocol[T]`
fn generic(base: &Expr) -> bool {
    matches!(&base.plain().kind, Kind::Index(of, _) if of.last_name() == Some("Protocol"))
}

fn method(stmt: &Stmt) -> Option<(&str, Span)> {
    match &stmt.kind {
        StmtKind::Function(function) => Some((function.name.as_str(), function.span)),
        // A method may be a function that is kept in a field.
        StmtKind::Assign { targets, value: Some(Expr { kind: Kind::Function(_), .. }), .. } => {
            let target = targets.first()?;
            Some((target.as_name()?, target.span))
        }
        _ => None,
    }
}

fn made_registry(stmt: &Stmt) -> Option<(&Expr, &str)> {
    match &stmt.kind {
        StmtKind::Assign { value: Some(value), .. } => Some((value, value.as_call()?.callee.last_name()?)),
        _ => None,
    }
}

fn all_classes<'a>(body: &'a [Stmt], into: &mut Vec<&'a Class>) {
    for stmt in body {
        let below = stmt.below();
        for class in below.classes {
            into.push(class);
            all_classes(&class.body, into);
        }
        for expr in below.exprs {
            if let Kind::Class(class) = &expr.plain().kind {
                into.push(class);
            }
        }
        for block in below.blocks {
            all_classes(block, into);
        }
    }
}
