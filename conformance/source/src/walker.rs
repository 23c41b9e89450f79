//! One function after another, statement by statement, with what holds there.

mod call;
mod function;
mod raw;
mod text;

use std::{cell::Cell, collections::HashSet};

use crate::{
    Family, Found, Place, Site, Source,
    flow::{Next, State, Use},
    layers::Layers,
    lookup::{FUEL, Lookup},
    place,
    roles::{Role, Roles},
    syntax::{Class, Expr, Function, Kind, Span, Stmt, StmtKind},
    world::{Bound, Scope, World, bind},
};

/// What was found in one source.
#[derive(Debug, Default)]
pub(crate) struct Harvest {
    pub(crate) sites: Vec<Site>,
    pub(crate) findings: Vec<Found>,
    pub(crate) advice: Vec<Found>,
}

pub(crate) struct Walker<'w, 'a> {
    world: &'w World<'a>,
    roles: &'w Roles,
    module: usize,
    source: &'a Source,
    /// Names of the functions around, from the outermost.
    inner: Vec<Scope<'a>>,
    /// The functions around, from the outermost.
    functions: Vec<&'a Function>,
    class: Option<&'a Class>,
    role: Role,
    /// What the function that is walked is, for what is judged in tools alone.
    yields: bool,
    /// Whether it is one of those that answer a call.
    answers: bool,
    /// Whether what it gives is no reply by its type.
    plain: bool,
    /// Whether it is a function of Go that only the builder's own package can call.
    helps: bool,
    /// What runs after the loops and choices around.
    ends: Vec<Next<'a>>,
    /// Labels around, with the level of what they stand before and what runs after it.
    labels: Vec<(&'a str, usize, Next<'a>)>,
    /// What holds where these are left.
    breaks: Vec<Vec<State<'a>>>,
    /// What becomes of what a return gives.
    gives: Use,
    /// What is returned and is no reply.
    raws: HashSet<Span>,
    fuel: Cell<usize>,
    pub(crate) harvest: Harvest,
}

impl<'w, 'a> Walker<'w, 'a> {
    pub(crate) fn new(world: &'w World<'a>, roles: &'w Roles, module: usize, source: &'a Source) -> Self {
        Self {
            world,
            roles,
            module,
            source,
            inner: Vec::new(),
            functions: Vec::new(),
            class: None,
            role: Role::default(),
            yields: false,
            answers: false,
            plain: false,
            helps: false,
            ends: Vec::new(),
            labels: Vec::new(),
            breaks: Vec::new(),
            gives: Use::Returned,
            raws: HashSet::new(),
            fuel: Cell::new(FUEL),
            harvest: Harvest::default(),
        }
    }

    /// Walks the module itself.
    pub(crate) fn run(&mut self) {
        self.block(&self.source.module.body, &mut State::default(), Next::Other);
    }

    /// What names stand for here; each question that is put to it has its own steps.
    fn lookup<'l>(&'l self, state: &'l State<'a>) -> Lookup<'l, 'a> {
        self.fuel.set(FUEL);
        Lookup {
            world: self.world,
            module: self.module,
            inner: &self.inner,
            here: Some(&state.values),
            class: self.class,
            fuel: &self.fuel,
        }
    }

    fn place(&self, span: Span) -> Place {
        place::of(self.source, span)
    }

    fn find(&mut self, law: &'static str, span: Span, subject: &str, message: &str) {
        let place = self.place(span);
        self.harvest.findings.push(Found { law, place, subject: subject.to_owned(), message: message.to_owned() });
    }

    fn advise(&mut self, law: &'static str, span: Span, subject: &str, message: &str) {
        let place = self.place(span);
        self.harvest.advice.push(Found { law, place, subject: subject.to_owned(), message: message.to_owned() });
    }

    fn block(&mut self, body: &'a [Stmt], state: &mut State<'a>, next: Next<'a>) {
        for (index, stmt) in body.iter().enumerate() {
            let then = match body.get(index + 1..).unwrap_or_default() {
                // What a return binds itself is bound where it is reached.
                [bound, after, ..] if bound.span == after.span && matches!(bound.kind, StmtKind::Bind(_, None)) => {
                    self.first(after)
                }
                [following, ..] => self.first(following),
                [] => next,
            };
            // What is never reached is walked by itself: its codes are written down all the same.
            let dead = std::mem::replace(&mut state.dead, false);
            if dead {
                state.frozen = Layers::default();
            }
            self.statement(stmt, state, then);
            state.dead |= dead;
        }
    }

    /// What a statement does first.
    fn first(&self, stmt: &'a Stmt) -> Next<'a> {
        match &stmt.kind {
            StmtKind::Return(Some(value)) => Next::Return(value),
            StmtKind::Break(None) => self.ends.last().copied().unwrap_or(Next::Other),
            StmtKind::Break(Some(label)) => self.labelled(label).map_or(Next::Other, |(_, _, next)| *next),
            StmtKind::Block(body) | StmtKind::Label(_, body) => {
                body.first().map_or(Next::Other, |inner| self.first(inner))
            }
            _ => Next::Other,
        }
    }

    fn statement(&mut self, stmt: &'a Stmt, state: &mut State<'a>, next: Next<'a>) {
        match &stmt.kind {
            StmtKind::Expr(expr) => self.expr(expr, state, Use::Kept),
            StmtKind::Assign { targets, value, types } => self.assign(targets, value.as_ref(), types, state, next),
            StmtKind::Bind(targets, value) => {
                // `rb ??= new ReplyBuilder()` makes the first where there is none.
                state.made &= !self.is_builder(targets, state);
                self.exprs(value, state);
                for target in targets {
                    self.unbind(target, state);
                }
            }
            StmtKind::Return(value) => {
                self.returned(stmt, value.as_ref(), state);
                state.dead = true;
            }
            StmtKind::Throw(parts) => {
                self.exprs(parts, state);
                state.dead = true;
            }
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition, state, Use::Kept);
                let mut other = state.fork();
                self.block(then, state, next);
                self.block(otherwise, &mut other, next);
                state.join([other]);
            }
            StmtKind::Loop { head, targets, body, otherwise, endless } => {
                self.exprs(head, state);
                forget_assigned(body, state);
                for target in targets {
                    self.unbind(target, state);
                }
                let mut inside = state.fork();
                state.dead |= endless;
                let left = self.breakable(next, |walker| walker.block(body, &mut inside, Next::Other));
                if !endless {
                    state.join([inside]);
                }
                self.block(otherwise, state, next);
                state.join(left);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                self.attempt([body, otherwise, finally], handlers, state, next);
            }
            StmtKind::With { items, targets, body } => {
                self.exprs(items, state);
                for (index, target) in targets.iter().enumerate() {
                    self.unbind(target, state);
                    let item = items.get(index).filter(|_| items.len() == targets.len());
                    if let (Kind::Name(name), Some(item)) = (&target.kind, item) {
                        state.assign(name, Bound::Value(item, &[]));
                    }
                }
                self.block(body, state, next);
            }
            StmtKind::Switch { subject, arms, complete } => {
                self.expr(subject, state, Use::Kept);
                self.decides(subject, state);
                let mut before = state.fork();
                state.dead |= complete;
                let mut through: Option<State<'a>> = None;
                let mut ends = Vec::with_capacity(arms.len());
                let left = self.breakable(next, |walker| {
                    for (index, arm) in arms.iter().enumerate() {
                        let mut own = before.fork();
                        own.join(through.take());
                        walker.exprs(&arm.patterns, &mut own);
                        let last = index + 1 == arms.len();
                        walker.block(&arm.body, &mut own, if arm.falls && !last { Next::Other } else { next });
                        if arm.falls && !last {
                            through = Some(own);
                        } else {
                            ends.push(own);
                        }
                    }
                });
                drop(before);
                state.join(ends.into_iter().chain(left));
            }
            StmtKind::Label(name, body) => {
                self.labels.push((name, self.breaks.len(), next));
                self.block(body, state, next);
                self.labels.pop();
            }
            StmtKind::Break(label) => {
                let level = label.as_ref().and_then(|label| self.labelled(label)).map(|(_, level, _)| *level);
                let level = level.or(self.breaks.len().checked_sub(1));
                let left = std::mem::replace(state, State { dead: true, ..State::default() });
                if let Some(breaks) = level.and_then(|level| self.breaks.get_mut(level)) {
                    let many = breaks.len() >= BREAKS;
                    match breaks.last_mut().filter(|_| many) {
                        // What holds after so many may be anything.
                        Some(last) => *last = State { made: last.made && left.made, ..State::default() },
                        None => breaks.push(left),
                    }
                }
            }
            StmtKind::Continue => state.dead = true,
            StmtKind::Function(function) => {
                state.assign(&function.name, Bound::Function(function));
                self.exprs(&function.decorators, state);
                self.function(function, state);
            }
            StmtKind::Class(class) => {
                state.assign(&class.name, Bound::Class(class));
                self.class(class, state);
            }
            // Found by the names of the whole function, which know where they lead.
            StmtKind::Import(imports) => {
                for import in imports {
                    state.values.remove(import.local.as_str());
                }
            }
            StmtKind::Block(body) => self.block(body, state, next),
        }
    }

    /// What has a label, the innermost if there are several.
    fn labelled(&self, label: &str) -> Option<&(&'a str, usize, Next<'a>)> {
        self.labels.iter().rev().find(|(name, ..)| *name == label)
    }

    /// Walks what a break leaves, and gives what holds where it does.
    fn breakable(&mut self, next: Next<'a>, walk: impl FnOnce(&mut Self)) -> Vec<State<'a>> {
        self.ends.push(next);
        self.breaks.push(Vec::new());
        walk(self);
        self.ends.pop();
        self.breaks.pop().unwrap_or_default()
    }

    fn assign(
        &mut self,
        targets: &'a [Expr],
        value: Option<&'a Expr>,
        types: &'a [String],
        state: &mut State<'a>,
        next: Next<'a>,
    ) {
        if let Some(value) = value {
            let returned = match targets {
                [one] => one.as_name().is_some_and(|name| next.returns(name) || self.is_result(name)),
                _ => false,
            };
            self.expr(value, state, if returned { Use::Returned } else { Use::Kept });
        }
        for target in targets {
            self.unbind(target, state);
            if let Kind::Name(name) = &target.kind {
                state.assign(name, value.map_or(Bound::Typed(types), |value| Bound::Value(value, types)));
            }
        }
    }

    fn attempt(
        &mut self,
        [body, otherwise, finally]: [&'a Vec<Stmt>; 3],
        handlers: &'a [Vec<Stmt>],
        state: &mut State<'a>,
        next: Next<'a>,
    ) {
        // What the last part does runs before anything that follows.
        let next = if finally.is_empty() { next } else { Next::Other };
        let before = (!finally.is_empty()).then(|| state.fork());
        let mut caught = state.fork();
        forget_assigned(body, &mut caught);
        let then = otherwise.first().map_or(next, |stmt| self.first(stmt));
        self.block(body, state, then);
        if !state.dead {
            self.block(otherwise, state, next);
        }
        let mut ends = Vec::with_capacity(handlers.len());
        for handler in handlers {
            let mut own = caught.fork();
            self.block(handler, &mut own, next);
            ends.push(own);
        }
        drop(caught);
        state.join(ends);
        if !finally.is_empty() {
            let dead = state.dead;
            if let Some(before) = before.filter(|_| dead) {
                *state = before;
                forget_assigned(body, state);
            }
            self.block(finally, state, Next::Other);
            state.dead |= dead;
        }
    }

    /// A target may stand for anything from here on, and a builder in it is another one.
    fn unbind(&self, target: &'a Expr, state: &mut State<'a>) {
        match &target.kind {
            Kind::Name(name) => state.assign(name, Bound::Unknown),
            Kind::Member(of, name, _) => state.forget(&format!("{}.{name}", of.last_name().unwrap_or("?"))),
            Kind::Array(parts) | Kind::Other(parts) => {
                for part in parts {
                    self.unbind(part, state);
                }
            }
            _ => {}
        }
        if let Some(name) = self.own_member(target) {
            state.forget(&format!("this.{name}"));
            state.values.remove(name);
        }
    }

    /// The name of a member of the object around, which in Java is written with what it belongs to or without that.
    fn own_member<'e>(&self, expr: &'e Expr) -> Option<&'e str> {
        let class = self.class.filter(|_| self.world.family == Family::Java)?;
        let declares = |function: &&Function, name: &str| {
            function.parameters.iter().any(|one| one.name == name) || function.locals.iter().any(|one| one == name)
        };
        match &expr.plain().kind {
            Kind::Name(name) if self.functions.iter().any(|one| declares(one, name)) => None,
            Kind::Name(name) => Some(name),
            Kind::Member(of, name, _) if of.as_name().is_some_and(|of| of == "this" || of == class.name) => Some(name),
            _ => None,
        }
    }

    /// Whether one of these is a builder, so that another takes its place where there is none.
    fn is_builder(&self, exprs: &'a [Expr], state: &State<'a>) -> bool {
        let named = |one: &&Expr| matches!(one.plain().kind, Kind::Name(_) | Kind::Member(..));
        exprs.iter().filter(named).any(|one| self.lookup(state).receiver(one).is_some())
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = &'a Expr>, state: &mut State<'a>) {
        for expr in exprs {
            self.expr(expr, state, Use::Kept);
        }
    }

    fn expr(&mut self, expr: &'a Expr, state: &mut State<'a>, becomes: Use) {
        match &expr.kind {
            Kind::Same(inner) => self.expr(inner, state, becomes),
            Kind::Choice(parts) => {
                let [condition, then, otherwise] = &**parts;
                self.expr(condition, state, Use::Kept);
                let mut other = state.fork();
                state.made &= !self.is_builder(std::slice::from_ref(otherwise), state);
                other.made &= !self.is_builder(std::slice::from_ref(then), &other);
                self.expr(then, state, becomes);
                self.expr(otherwise, &mut other, becomes);
                state.join([other]);
            }
            Kind::Either(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let last = index + 1 == parts.len();
                    // A later operand may not be reached.
                    let before = (index > 0).then(|| state.fork());
                    state.made &=
                        !self.is_builder(parts.get(index.saturating_sub(1)..index).unwrap_or_default(), state);
                    self.expr(part, state, if last { becomes } else { Use::Kept });
                    state.join(before);
                }
            }
            Kind::Function(block) if block.arm => self.arm(block, state, becomes),
            Kind::Function(function) => self.function(function, state),
            Kind::Class(class) => self.class(class, state),
            Kind::Compare(parts) => {
                self.exprs(parts, state);
                // Whether there is a text says nothing of what it says.
                if !parts.iter().any(|part| matches!(part.plain().kind, Kind::Nothing)) {
                    for part in parts {
                        self.decides(part, state);
                    }
                }
            }
            Kind::Call(call) => self.call(expr, call, state, becomes),
            Kind::Object(members) => {
                self.exprs(members.iter().map(|(_, value)| value), state);
                self.object(expr, members, becomes);
            }
            _ => self.exprs(expr.parts(), state),
        }
    }
}

/// Places at which one loop or choice is left, of which each is followed.
const BREAKS: usize = 256;

/// What statements assign may be anything that the function ever assigns.
fn forget_assigned<'a>(body: &'a [Stmt], state: &mut State<'a>) {
    let mut scope = Scope::new();
    bind(body, &mut scope);
    for name in scope.keys() {
        state.values.remove(*name);
    }
}
