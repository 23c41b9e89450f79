//! Which functions are tools, which of them are made safe, and which make tools safe.

use std::{cell::Cell, collections::HashMap};

use crate::{
    Family,
    lookup::{FUEL, Lookup},
    syntax::{Class, Expr, Function, Kind, Span, Stmt, StmtKind},
    world::{Bound, Scope, World, bind},
};

/// What a function is.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Role {
    /// It answers the calls of an agent.
    pub(crate) tool: bool,
    /// It makes tools safe.
    pub(crate) wrapper: bool,
}

/// The roles of all functions that have one, by module and place.
#[derive(Debug, Default)]
pub(crate) struct Roles(HashMap<(usize, Span), Role>);

/// How a function is decorated.
pub(crate) struct Decorated {
    pub(crate) registered: Option<usize>,
    pub(crate) wrapped: Option<usize>,
    /// Whether what stands above its class makes it safe.
    pub(crate) around: bool,
}

impl Decorated {
    /// Whether something makes the function safe, whatever registers it.
    pub(crate) fn is_safe(&self) -> bool {
        self.wrapped.is_some() || self.around
    }
}

impl Roles {
    pub(crate) fn of(&self, module: usize, function: Span) -> Role {
        self.0.get(&(module, function)).copied().unwrap_or_default()
    }

    /// Looks for the roles that the functions of one module have, and for those that it gives to others.
    pub(crate) fn gather(&mut self, world: &World<'_>, module: usize) {
        if let Some(source) = world.source(module) {
            Gatherer { roles: self, world, module, class: None, inner: Vec::new() }.block(&source.module.body);
        }
    }
}

struct Gatherer<'r, 'w, 'a> {
    roles: &'r mut Roles,
    world: &'w World<'a>,
    module: usize,
    /// The class around.
    class: Option<&'a Class>,
    /// Names of the functions around, where these say what class something is of.
    inner: Vec<Scope<'a>>,
}

impl<'a> Gatherer<'_, '_, 'a> {
    fn block(&mut self, body: &'a [Stmt]) {
        for stmt in body {
            // A wrapper may be a function that is kept under its name.
            if let StmtKind::Assign { targets, value: Some(value), .. } = &stmt.kind
                && let Kind::Function(function) = &value.plain().kind
                && targets.iter().any(|one| one.last_name().is_some_and(|name| self.world.names.is_wrapper(name)))
            {
                self.wrapper(self.module, function);
            }
            let below = stmt.below();
            for function in below.functions {
                self.function(function);
            }
            for class in below.classes {
                self.class(class);
            }
            for expr in below.exprs {
                self.expr(expr);
            }
            for block in below.blocks {
                self.block(block);
            }
        }
    }

    fn class(&mut self, class: &'a Class) {
        let around = self.class.replace(class);
        self.block(&class.body);
        self.class = around;
    }

    fn function(&mut self, function: &'a Function) {
        let decorated = decorated(function, self.class, self.world, self.module);
        if decorated.registered.is_some() || decorated.wrapped.is_some() {
            self.tool(self.module, function);
        }
        if self.world.names.is_wrapper(&function.name) {
            self.wrapper(self.module, function);
        }
        for decorator in &function.decorators {
            self.expr(decorator);
        }
        let typed = self.world.family.is_typed();
        if typed {
            let mut scope = Scope::new();
            for parameter in &function.parameters {
                scope.insert(&parameter.name, vec![Bound::Parameter(parameter)]);
            }
            bind(&function.body, &mut scope);
            self.inner.push(scope);
        }
        self.block(&function.body);
        if typed {
            self.inner.pop();
        }
    }

    fn tool(&mut self, module: usize, function: &Function) {
        self.roles.0.entry((module, function.span)).or_default().tool = true;
    }

    /// A wrapper, and all functions that it calls or hands over, are one.
    fn wrapper(&mut self, module: usize, function: &'a Function) {
        let mut pending = vec![(module, function, self.class)];
        while let Some((module, function, class)) = pending.pop() {
            let role = self.roles.0.entry((module, function.span)).or_default();
            if std::mem::replace(&mut role.wrapper, true) {
                continue;
            }
            let mut called = Vec::new();
            names_called(&function.body, &mut called);
            let own = |name: &str| function.parameters.iter().any(|one| one.name == name);
            for callee in called.into_iter().filter(|callee| !callee.as_name().is_some_and(own)) {
                let fuel = Cell::new(FUEL);
                let lookup = Lookup { world: self.world, module, inner: &[], here: None, class, fuel: &fuel };
                pending.extend(lookup.functions(callee));
            }
        }
    }

    fn expr(&mut self, expr: &'a Expr) {
        match &expr.kind {
            Kind::Function(function) => self.function(function),
            Kind::Class(class) => self.class(class),
            Kind::Call(call)
                if is_wrapper(&call.callee, self.world, self.module) || registers(&call.callee, self.world) =>
            {
                for argument in &call.arguments {
                    self.mark(&argument.value);
                }
            }
            _ => {}
        }
        for part in expr.parts() {
            self.expr(part);
        }
    }

    /// The function that is handed over, here or by its name, is a tool.
    fn mark(&mut self, value: &'a Expr) {
        let fuel = Cell::new(FUEL);
        // A method of an object is followed where what the object is made of is written down.
        let class = self.class.filter(|_| self.world.family.is_typed());
        let inner = &self.inner;
        let lookup = Lookup { world: self.world, module: self.module, inner, here: None, class, fuel: &fuel };
        let mut tools = Vec::new();
        for (meaning, _) in lookup.meanings(value) {
            match meaning.bound {
                Bound::Function(function) => tools.push((meaning.module, function)),
                Bound::Value(Expr { kind: Kind::Function(function), .. }, _) => tools.push((meaning.module, function)),
                _ => {}
            }
        }
        if self.world.family.is_typed() {
            tools.extend(lookup.functions(value).into_iter().map(|(module, function, _)| (module, function)));
        }
        tools.sort_by_key(|(module, function)| (*module, function.span));
        tools.dedup_by(|one, other| std::ptr::eq(one.1, other.1));
        // Which of several methods of one name it is is not followed.
        let overloaded = self.world.family == Family::Java && tools.len() > 1;
        for (module, function) in tools.into_iter().filter(|_| !overloaded) {
            self.tool(module, function);
        }
    }
}

/// What is called, or handed over to a call that may call it.
fn names_called<'a>(body: &'a [Stmt], into: &mut Vec<&'a Expr>) {
    for stmt in body {
        let below = stmt.below();
        for expr in below.exprs {
            called_in(expr, into);
        }
        for inner in below.functions {
            names_called(&inner.body, into);
        }
        for block in below.blocks {
            names_called(block, into);
        }
    }
}

fn called_in<'a>(expr: &'a Expr, into: &mut Vec<&'a Expr>) {
    match &expr.kind {
        Kind::Call(call) => {
            let all = std::iter::once(&call.callee).chain(call.arguments.iter().map(|one| &one.value));
            into.extend(all.filter(|one| one.last_name().is_some()));
        }
        Kind::Function(function) => names_called(&function.body, into),
        _ => {}
    }
    for part in expr.parts() {
        called_in(part, into);
    }
}

/// Whether calling this registers a tool: `server.tool(...)`, or `mcp.tool()(...)`.
pub(crate) fn registers(callee: &Expr, world: &World<'_>) -> bool {
    match &callee.plain().kind {
        Kind::Member(_, name, _) => world.names.is_tool(name),
        Kind::Call(call) => registers(&call.callee, world),
        _ => false,
    }
}

/// Whether this makes a tool safe: by its name, by the name under which it was imported, or since it calls what does.
pub(crate) fn is_wrapper(callee: &Expr, world: &World<'_>, module: usize) -> bool {
    let Some(name) = callee.last_name() else {
        // A wrapper that takes settings first.
        return callee.as_call().is_some_and(|call| is_wrapper(&call.callee, world, module));
    };
    if world.names.is_wrapper(name) {
        return true;
    }
    let bounds = world.scope(module).and_then(|scope| scope.get(name)).filter(|_| callee.as_name().is_some());
    let imported = |bound: &Bound<'_>| match bound {
        Bound::Import(import) => import.name.as_ref().is_some_and(|name| world.names.is_wrapper(name)),
        _ => false,
    };
    bounds.into_iter().flatten().any(imported)
        || (callee.as_name().is_some()
            && world.top(module, name).iter().any(|meaning| match meaning.bound {
                Bound::Function(function) => world.wraps(meaning.module, function.span),
                _ => false,
            }))
}

/// Where among the decorators of a function one registers it, and one makes it safe.
pub(crate) fn decorated(function: &Function, class: Option<&Class>, world: &World<'_>, module: usize) -> Decorated {
    let called = |one: &'_ Expr| one.as_call().is_some();
    let position = |is: &dyn Fn(&Expr) -> bool| {
        function
            .decorators
            .iter()
            .position(|one| if called(one) { one.as_call().is_some_and(|call| is(&call.callee)) } else { is(one) })
    };
    // `@Tool`
    let is_tool = |name: &str| {
        world.names.is_tool(name) || (world.family == Family::Java && world.names.is_tool(&name.to_lowercase()))
    };
    Decorated {
        registered: position(&|one| one.last_name().is_some_and(is_tool)),
        wrapped: position(&|one| is_wrapper(one, world, module)),
        around: class.is_some_and(|class| is_safe(class, world, module)),
    }
}

/// Whether what stands above a class makes its methods safe; asked once, however many methods there are.
fn is_safe(class: &Class, world: &World<'_>, module: usize) -> bool {
    *class.safe.get_or_init(|| class.around.iter().any(|one| is_wrapper(one, world, module)))
}
