//! What is changed after it was made: members and elements that statements assign.

use std::collections::HashSet;

use crate::{
    Source,
    syntax::{Expr, Kind, Stmt, StmtKind},
};

/// Methods that change what they are called on.
const CHANGES: [&str; 9] =
    ["put", "putAll", "putIfAbsent", "replace", "remove", "clear", "update", "setdefault", "pop"];

/// A member with the last name before it; none where any may be meant.
type Changed<'a> = HashSet<(&'a str, Option<&'a str>)>;

pub(super) fn of<'a>(sources: impl Iterator<Item = &'a Source>) -> Changed<'a> {
    let mut changed = Changed::new();
    for source in sources {
        block(&source.module.body, &mut changed);
    }
    changed
}

fn block<'a>(body: &'a [Stmt], into: &mut Changed<'a>) {
    for stmt in body {
        if let StmtKind::Assign { targets, .. } | StmtKind::Bind(targets, _) | StmtKind::Loop { targets, .. } =
            &stmt.kind
        {
            targets.iter().for_each(|one| target(one, into));
        }
        let below = stmt.below();
        below.exprs.into_iter().for_each(|one| expr(one, into));
        below.functions.into_iter().for_each(|one| block(&one.body, into));
        below.classes.into_iter().for_each(|one| block(&one.body, into));
        below.blocks.into_iter().for_each(|one| block(one, into));
    }
}

fn target<'a>(one: &'a Expr, into: &mut Changed<'a>) {
    match &one.plain().kind {
        Kind::Member(of, name, _) => add(of, Some(name), into),
        Kind::Index(of, at) => match &at.plain().kind {
            Kind::Text(name) => add(of, Some(name), into),
            _ => add(of, None, into),
        },
        Kind::Array(parts) | Kind::Other(parts) => parts.iter().for_each(|part| target(part, into)),
        _ => {}
    }
}

/// What an object makes of its own members is what it is made of.
fn add<'a>(of: &'a Expr, member: Option<&'a str>, into: &mut Changed<'a>) {
    let own = |name: &&str| !matches!(*name, "self" | "this" | "cls");
    into.extend(of.last_name().filter(own).map(|name| (name, member)));
}

fn expr<'a>(one: &'a Expr, into: &mut Changed<'a>) {
    match &one.kind {
        Kind::Function(function) => block(&function.body, into),
        Kind::Class(class) => block(&class.body, into),
        Kind::Call(call) => match &call.callee.plain().kind {
            Kind::Member(of, name, _) if CHANGES.contains(&name.as_str()) => add(of, None, into),
            // `Object.assign(TABLE, ...)`
            Kind::Member(of, name, _) if name == "assign" && of.as_name() == Some("Object") => {
                call.arguments.first().into_iter().for_each(|first| add(&first.value, None, into));
            }
            _ => {}
        },
        _ => {}
    }
    one.parts().into_iter().for_each(|part| expr(part, into));
}
