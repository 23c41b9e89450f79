//! What the readers of all languages make of a source: the little that the laws of replies can be seen in.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, OnceLock},
};

/// Conditions in a chain that become statements in each other; those of a longer one stand side by side.
pub(crate) const LONGEST: usize = 64;

/// A stretch of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// One source file as it was read.
#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) body: Vec<Stmt>,
    /// The package that it says it belongs to.
    pub(crate) package: Option<String>,
    /// Names that functions assign, where a name of the package may be one of them.
    pub(crate) assigned: HashSet<String>,
    /// Names of the module or of a function around that functions assign.
    pub(crate) shared: HashSet<String>,
    /// Modules whose names are all taken over.
    pub(crate) stars: Vec<String>,
    /// Whether the grammar fits everywhere.
    pub(crate) whole: bool,
    /// Whether something is nested too deeply to be followed.
    pub(crate) too_deep: bool,
}

#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Text(String),
    /// A text into which values are put.
    Template(Vec<Expr>),
    Name(String),
    Member(Box<Expr>, String, Span),
    Index(Box<Expr>, Box<Expr>),
    Call(Box<Call>),
    Choice(Box<[Expr; 3]>),
    /// Operands that are added.
    Sum(Vec<Expr>),
    /// One of its operands.
    Either(Vec<Expr>),
    Compare(Vec<Expr>),
    Object(Vec<(Option<String>, Expr)>),
    Array(Vec<Expr>),
    /// A constant of an enumeration: which of its values each member is, as all constants of it have them, and the values.
    Constant(Arc<HashMap<String, usize>>, Vec<Expr>),
    /// A number or a truth value.
    Literal,
    Nothing,
    Function(Box<Function>),
    Class(Box<Class>),
    /// Awaited, bracketed, or under another type.
    Same(Box<Expr>),
    Other(Vec<Expr>),
}

#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) callee: Expr,
    pub(crate) arguments: Vec<Argument>,
}

#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) name: Option<String>,
    pub(crate) value: Expr,
    /// Whether it stands for any number of arguments.
    pub(crate) spread: bool,
}

#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// Of the name, or of the whole where it has none.
    pub(crate) span: Span,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) returns: Vec<String>,
    /// Names of its results, where these have some.
    pub(crate) results: Vec<String>,
    /// Names that it declares, where what is declared nowhere is a member of the object.
    pub(crate) locals: Vec<String>,
    pub(crate) decorators: Vec<Expr>,
    pub(crate) body: Vec<Stmt>,
    pub(crate) yields: bool,
    /// Whether it is the block of a choice, and what it returns is the value of that.
    pub(crate) arm: bool,
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// The names in its type.
    pub(crate) types: Vec<String>,
    /// Whether it becomes a member of the object, as in a constructor of TypeScript.
    pub(crate) member: bool,
    /// Whether it may be left out.
    pub(crate) optional: bool,
}

#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) bases: Vec<Expr>,
    /// Interfaces that it says it has.
    pub(crate) interfaces: Vec<Expr>,
    pub(crate) body: Vec<Stmt>,
    /// What stands above it, and holds for its methods.
    pub(crate) around: Vec<Expr>,
    /// Whether that makes them safe, once somebody has asked.
    pub(crate) safe: OnceLock<bool>,
    pub(crate) form: Form,
}

/// How much of a class stands at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Whole,
    /// Methods of a class whose definition stands in another file.
    Part,
    /// What only says which methods there are.
    Interface,
}

#[derive(Debug)]
pub(crate) struct Stmt {
    pub(crate) kind: StmtKind,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum StmtKind {
    Expr(Expr),
    Assign {
        targets: Vec<Expr>,
        value: Option<Expr>,
        types: Vec<String>,
    },
    /// A target that takes a value which is not followed.
    Bind(Vec<Expr>, Option<Expr>),
    Return(Option<Expr>),
    Throw(Vec<Expr>),
    If {
        condition: Expr,
        then: Vec<Stmt>,
        otherwise: Vec<Stmt>,
    },
    Loop {
        head: Vec<Expr>,
        targets: Vec<Expr>,
        body: Vec<Stmt>,
        otherwise: Vec<Stmt>,
        /// Whether nothing but a break ends it.
        endless: bool,
    },
    Try {
        body: Vec<Stmt>,
        handlers: Vec<Vec<Stmt>>,
        otherwise: Vec<Stmt>,
        finally: Vec<Stmt>,
    },
    With {
        items: Vec<Expr>,
        targets: Vec<Expr>,
        body: Vec<Stmt>,
    },
    Switch {
        subject: Expr,
        arms: Vec<Arm>,
        /// Whether one arm runs whatever the subject is.
        complete: bool,
    },
    /// Of the loop or choice around, or of what has this label.
    Break(Option<String>),
    Continue,
    /// A statement, by the name that a break calls it.
    Label(String, Vec<Stmt>),
    Function(Function),
    Class(Class),
    Import(Vec<Import>),
    Block(Vec<Stmt>),
}

#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) patterns: Vec<Expr>,
    pub(crate) body: Vec<Stmt>,
    /// Whether control goes on in the next arm.
    pub(crate) falls: bool,
}

#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) local: String,
    pub(crate) module: String,
    /// None where it is the module itself.
    pub(crate) name: Option<String>,
}

/// A condition with what is done then.
pub(crate) struct Branch {
    pub(crate) condition: Expr,
    pub(crate) then: Vec<Stmt>,
    pub(crate) span: Span,
}

/// A chain of conditions, of which each is asked if those before it do not hold. A long one is a choice between arms, so that its
/// length is no depth.
pub(crate) fn chain(branches: Vec<Branch>, last: Option<Vec<Stmt>>) -> StmtKind {
    if branches.len() > LONGEST {
        let span = branches.first().map(|one| one.condition.span).unwrap_or_default();
        let complete = last.is_some();
        let arm = |one: Branch| Arm { patterns: vec![one.condition], body: one.then, falls: false };
        let mut arms: Vec<_> = branches.into_iter().map(arm).collect();
        arms.extend(last.map(|body| Arm { patterns: Vec::new(), body, falls: false }));
        return StmtKind::Switch { subject: Expr::new(Kind::Other(Vec::new()), span), arms, complete };
    }
    let mut otherwise = last.unwrap_or_default();
    for (index, Branch { condition, then, span }) in branches.into_iter().enumerate().rev() {
        let kind = StmtKind::If { condition, then, otherwise };
        if index == 0 {
            return kind;
        }
        otherwise = vec![Stmt { kind, span }];
    }
    StmtKind::Block(otherwise)
}

impl Function {
    /// One that has no name.
    pub(crate) fn nameless(span: Span, parameters: Vec<Parameter>, body: Vec<Stmt>) -> Self {
        Self {
            name: String::new(),
            span,
            parameters,
            returns: Vec::new(),
            results: Vec::new(),
            locals: Vec::new(),
            decorators: Vec::new(),
            body,
            yields: false,
            arm: false,
        }
    }
}

impl Expr {
    pub(crate) fn new(kind: Kind, span: Span) -> Self {
        Self { kind, span }
    }

    /// Without what leaves the value as it is.
    pub(crate) fn plain(&self) -> &Self {
        let mut expr = self;
        while let Kind::Same(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }

    pub(crate) fn as_name(&self) -> Option<&str> {
        match &self.plain().kind {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The names that a target binds.
    pub(crate) fn names(&self, into: &mut Vec<String>) {
        match &self.kind {
            Kind::Name(name) => into.push(name.clone()),
            Kind::Array(parts) | Kind::Other(parts) => parts.iter().for_each(|part| part.names(into)),
            _ => {}
        }
    }

    /// The last of the names that lead to it: that of `a.b.c` is `c`.
    pub(crate) fn last_name(&self) -> Option<&str> {
        match &self.plain().kind {
            Kind::Name(name) | Kind::Member(_, name, _) => Some(name),
            _ => None,
        }
    }

    pub(crate) fn as_call(&self) -> Option<&Call> {
        match &self.plain().kind {
            Kind::Call(call) => Some(call),
            _ => None,
        }
    }

    /// The parts of it, but for the bodies of functions and classes.
    pub(crate) fn parts(&self) -> Vec<&Self> {
        match &self.kind {
            Kind::Text(_) | Kind::Name(_) | Kind::Literal | Kind::Nothing => Vec::new(),
            Kind::Function(_) | Kind::Class(_) => Vec::new(),
            Kind::Member(of, ..) | Kind::Same(of) => vec![of],
            Kind::Index(of, at) => vec![of, at],
            Kind::Call(call) => {
                std::iter::once(&call.callee).chain(call.arguments.iter().map(|one| &one.value)).collect()
            }
            Kind::Choice(parts) => parts.iter().collect(),
            Kind::Template(parts)
            | Kind::Sum(parts)
            | Kind::Either(parts)
            | Kind::Compare(parts)
            | Kind::Array(parts)
            | Kind::Constant(_, parts)
            | Kind::Other(parts) => parts.iter().collect(),
            Kind::Object(members) => members.iter().map(|(_, value)| value).collect(),
        }
    }
}

/// What stands below a statement: expressions of its own, and lists of statements.
#[derive(Default)]
pub(crate) struct Below<'m> {
    pub(crate) exprs: Vec<&'m Expr>,
    pub(crate) blocks: Vec<&'m [Stmt]>,
    pub(crate) functions: Vec<&'m Function>,
    pub(crate) classes: Vec<&'m Class>,
}

impl Stmt {
    /// What stands directly below it.
    pub(crate) fn below(&self) -> Below<'_> {
        let mut below = Below::default();
        match &self.kind {
            StmtKind::Expr(expr) => below.exprs.push(expr),
            StmtKind::Assign { targets, value, .. } | StmtKind::Bind(targets, value) => {
                below.exprs.extend(value);
                below.exprs.extend(targets);
            }
            StmtKind::Return(value) => below.exprs.extend(value),
            StmtKind::Throw(parts) => below.exprs.extend(parts),
            StmtKind::If { condition, then, otherwise } => {
                below.exprs.push(condition);
                below.blocks.extend([then.as_slice(), otherwise]);
            }
            StmtKind::Loop { head, body, otherwise, .. } => {
                below.exprs.extend(head);
                below.blocks.extend([body.as_slice(), otherwise]);
            }
            StmtKind::Try { body, handlers, otherwise, finally } => {
                below.blocks.push(body);
                below.blocks.extend(handlers.iter().map(Vec::as_slice));
                below.blocks.extend([otherwise.as_slice(), finally]);
            }
            StmtKind::With { items, body, .. } => {
                below.exprs.extend(items);
                below.blocks.push(body);
            }
            StmtKind::Switch { subject, arms, .. } => {
                below.exprs.push(subject);
                below.exprs.extend(arms.iter().flat_map(|arm| &arm.patterns));
                below.blocks.extend(arms.iter().map(|arm| arm.body.as_slice()));
            }
            StmtKind::Function(function) => below.functions.push(function),
            StmtKind::Class(class) => below.classes.push(class),
            StmtKind::Block(body) => below.blocks.push(body),
            StmtKind::Label(_, body) => below.blocks.push(body),
            StmtKind::Break(_) | StmtKind::Continue | StmtKind::Import(_) => {}
        }
        below
    }
}
