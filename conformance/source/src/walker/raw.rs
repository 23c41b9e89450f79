//! What a tool returns that is no reply.

use super::{Walker, call::passes_on};
use crate::{
    Code, Family, Site,
    flow::{State, Use},
    lookup::Lookup,
    syntax::{Expr, Function, Kind, Span, Stmt, StmtKind},
    world::Bound,
};

/// Names followed one after another.
const FARTHEST: usize = 8;

/// Functions whose value is no reply.
const RAW: [&str; 11] =
    ["dict", "list", "str", "repr", "tuple", "set", "dumps", "stringify", "String", "len", "sorted"];

/// Types that are none.
const TYPES: [&str; 16] = [
    "array_type",
    "tuple_type",
    "dict",
    "Dict",
    "list",
    "List",
    "str",
    "int",
    "bool",
    "float",
    "tuple",
    "bytes",
    "string",
    "number",
    "boolean",
    "void",
];

/// Types of Go and of Java that are none.
const PLAIN: [&str; 29] = [
    "map_type",
    "slice_type",
    "array_type",
    "string",
    "bool",
    "int",
    "int64",
    "float64",
    "byte",
    "rune",
    "error",
    "boolean",
    "long",
    "float",
    "double",
    "short",
    "char",
    "String",
    "Integer",
    "Long",
    "Boolean",
    "Double",
    "Map",
    "HashMap",
    "LinkedHashMap",
    "TreeMap",
    "List",
    "ArrayList",
    "Set",
];

/// Methods that make a text or a list of anything.
const WRITE: [&str; 5] = ["toString", "writeValueAsString", "formatted", "toList", "toArray"];

/// Classes of Java's library whose objects are no replies, beside those above.
const OBJECTS: [&str; 10] = [
    "Object",
    "StringBuilder",
    "StringBuffer",
    "LinkedList",
    "HashSet",
    "LinkedHashSet",
    "TreeSet",
    "ArrayDeque",
    "Properties",
    "Date",
];

/// Methods of its classes that give such objects.
const GIVERS: [(&str, &[&str]); 7] = [
    ("List", &["of", "copyOf"]),
    ("Set", &["of", "copyOf"]),
    ("Map", &["of", "copyOf", "ofEntries", "entry"]),
    ("Arrays", &["asList", "stream"]),
    ("Collections", &["emptyList", "emptyMap", "emptySet", "singleton", "singletonList", "singletonMap"]),
    ("String", &["format", "join", "valueOf", "copyValueOf"]),
    ("Optional", &["empty"]),
];

/// Whether a value of this type is no reply.
pub(super) fn is_plain(family: Family, types: &[String]) -> bool {
    family.is_typed() && types.last().is_some_and(|name| PLAIN.contains(&name.as_str()))
}

/// How the last statement of a function ends, the surest way to its end last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Returns,
    /// What is called may never return.
    Call,
    /// Its arms may be all that there are.
    Choice,
    Reached,
}

impl<'a> Walker<'_, 'a> {
    /// What a function returns.
    pub(super) fn returned(&mut self, stmt: &'a Stmt, value: Option<&'a Expr>, state: &mut State<'a>) {
        if let Some(value) = value {
            self.expr(value, state, self.gives);
        }
        if self.gives == Use::Kept {
            return;
        }
        if let Some(value) = value {
            self.returned_object(value, state);
        }
        if !self.role.tool || self.yields {
            return;
        }
        match value {
            None => self.raw(stmt.span),
            Some(value) if self.plain => self.raw(value.span),
            Some(value) => self.raw_value(value, state),
        }
    }

    fn raw_value(&mut self, value: &'a Expr, state: &State<'a>) {
        match &value.plain().kind {
            Kind::Choice(parts) => {
                let [_, then, otherwise] = &**parts;
                self.raw_value(then, state);
                self.raw_value(otherwise, state);
            }
            _ if self.lookup(state).is_raw(value, FARTHEST) => self.raw(value.span),
            _ => {}
        }
    }

    /// Objects to a tool whose end is reached without a return.
    pub(super) fn falls_off(&mut self, function: &'a Function, state: &State<'a>) {
        if !self.role.tool || self.yields || state.dead {
            return;
        }
        // The end of a function that gives a value is never reached.
        if self.world.family.is_typed() && !function.returns.is_empty() {
            return;
        }
        let last = function.body.last();
        // An interface, or a declaration without a body, has no end.
        let Some(last) = last.filter(|stmt| !is_ellipsis(stmt)) else { return };
        let message = match self.end(last, state) {
            End::Call => "whether the tool ends with a reply depends on a call that is not followed",
            End::Choice => "whether the tool ends with a reply depends on what else may be chosen from",
            End::Returns | End::Reached => return self.raw(function.span),
        };
        self.advise("reply/no-raw-return", function.span, &function.name, message);
    }

    /// How a statement ends that nothing follows: of several ways, that which says most.
    fn end(&self, stmt: &'a Stmt, state: &State<'a>) -> End {
        let last = |body: &'a [Stmt]| body.last().map_or(End::Reached, |stmt| self.end(stmt, state));
        match &stmt.kind {
            StmtKind::Return(_) | StmtKind::Throw(_) => End::Returns,
            StmtKind::Expr(expr) if expr.as_call().is_some_and(|call| !self.is_builder_call(&call.callee, state)) => {
                End::Call
            }
            StmtKind::If { then, otherwise, .. } => last(then).max(last(otherwise)),
            StmtKind::Block(body) | StmtKind::Label(_, body) | StmtKind::With { body, .. } => last(body),
            StmtKind::Try { body, handlers, otherwise, finally } => {
                let whole = if otherwise.is_empty() { last(body) } else { last(otherwise) };
                let caught = handlers.iter().map(|one| last(one)).fold(whole, End::max);
                let finally = if finally.is_empty() { End::Reached } else { last(finally) };
                // What is done at the very end may keep from going on.
                if finally == End::Returns { finally } else { caught }
            }
            StmtKind::Switch { arms, complete, .. } => {
                // An empty arm does what the next one does.
                let full = arms
                    .iter()
                    .enumerate()
                    .filter(|(index, arm)| !(arm.falls && index + 1 < arms.len() && arm.body.is_empty()));
                let open = if *complete { End::Returns } else { End::Choice };
                full.map(|(_, arm)| last(&arm.body)).fold(open, End::max)
            }
            _ => End::Reached,
        }
    }

    fn is_builder_call(&self, callee: &'a Expr, state: &State<'a>) -> bool {
        match &callee.plain().kind {
            Kind::Member(of, ..) => self.lookup(state).receiver(of).is_some(),
            _ => false,
        }
    }

    fn raw(&mut self, span: Span) {
        // Two ways to the same place are one finding.
        if !self.raws.insert(span) {
            return;
        }
        let place = self.place(span);
        self.harvest.sites.push(Site {
            place,
            code_place: None,
            receiver: None,
            method: None,
            code: Code::Absent,
            returned: true,
            certain: true,
            alone: true,
            literal: None,
            edit: None,
        });
    }
}

impl<'a> Lookup<'_, 'a> {
    fn is_raw(&self, expr: &'a Expr, left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else { return false };
        match &expr.plain().kind {
            Kind::Text(_)
            | Kind::Template(_)
            | Kind::Object(_)
            | Kind::Array(_)
            | Kind::Literal
            | Kind::Nothing
            | Kind::Compare(_) => true,
            Kind::Sum(parts) => parts.iter().any(|part| matches!(part.kind, Kind::Text(_) | Kind::Template(_))),
            Kind::Either(parts) => parts.last().is_some_and(|part| self.is_raw(part, left)),
            Kind::Name(name) => {
                let meanings = self.name(name);
                !meanings.is_empty()
                    && meanings.iter().all(|(meaning, from)| match meaning.bound {
                        Bound::Value(_, types) | Bound::Typed(types) if is_plain(self.world.family, types) => true,
                        Bound::Value(value, _) => value.as_name() != Some(name) && from.is_raw(value, left),
                        Bound::Parameter(parameter) => is_plain(self.world.family, &parameter.types),
                        _ => false,
                    })
            }
            // A member whose type is written down.
            Kind::Member(of, name, _) if self.world.family.is_typed() => {
                let members = self.typed_members(of, name);
                !members.is_empty()
                    && members.iter().all(|(meaning, _)| match meaning.bound {
                        Bound::Value(_, types) | Bound::Typed(types) => is_plain(self.world.family, types),
                        _ => false,
                    })
            }
            Kind::Call(call) => {
                let builtin = match &call.callee.plain().kind {
                    Kind::Name(name) if self.world.family == Family::Java => {
                        let own = PLAIN.contains(&name.as_str()) || OBJECTS.contains(&name.as_str());
                        own && self.is_elsewhere(name)
                    }
                    Kind::Name(name) => RAW.contains(&name.as_str()) && self.name(name).is_empty(),
                    Kind::Member(of, name, _) if passes_on(of, name) => {
                        return call.arguments.first().is_some_and(|one| self.is_raw(&one.value, left));
                    }
                    Kind::Member(_, name, _) if self.world.family == Family::Java && WRITE.contains(&name.as_str()) => {
                        true
                    }
                    Kind::Member(of, name, _) => {
                        let of = of.as_name().unwrap_or_default();
                        let gives = |(own, methods): &(&str, &[&str])| *own == of && methods.contains(&name.as_str());
                        (self.world.family == Family::Java && GIVERS.iter().any(gives) && self.is_elsewhere(of))
                            || (matches!(name.as_str(), "dumps" | "stringify" | "Marshal")
                                && matches!(of, "json" | "JSON"))
                            || self.gives_plain(&call.callee)
                    }
                    _ => false,
                };
                builtin
                    || self.agree(&self.meanings(&call.callee), |_, _, function| {
                        let names = function.returns.iter().filter(|name| name.as_str() != "Promise");
                        let first = names.into_iter().next();
                        is_plain(self.world.family, &function.returns)
                            || first.is_some_and(|name| TYPES.contains(&name.as_str()))
                                && !function.returns.iter().any(|name| self.world.names.is_reply(name))
                    })
            }
            _ => false,
        }
    }

    /// Whether nothing is called so but what the library of Java has.
    fn is_elsewhere(&self, name: &str) -> bool {
        self.name(name).iter().all(|(meaning, _)| match meaning.bound {
            Bound::Import(import) => import.module.starts_with("java."),
            _ => false,
        })
    }

    /// Whether every method that this may be gives no reply by its type.
    fn gives_plain(&self, callee: &'a Expr) -> bool {
        let family = self.world.family;
        let functions = if family.is_typed() { self.functions(callee) } else { Vec::new() };
        !functions.is_empty() && functions.iter().all(|(_, function, _)| is_plain(family, &function.returns))
    }
}

fn is_ellipsis(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Expr(Expr { kind: Kind::Text(_) | Kind::Template(_), .. }))
        || matches!(&stmt.kind, StmtKind::Expr(Expr { kind: Kind::Other(parts), span }) if parts.is_empty() && span.end - span.start == 3)
}
