//! Python sources.

mod expression;

use std::{collections::HashSet, sync::OnceLock};

use tree_sitter::Node;

use crate::{
    reader::{Grammar, Reader, children, field, fields, names_below, span},
    syntax::{Arm, Class, Expr, Form, Function, Import, Kind, Module, Parameter, Stmt, StmtKind},
};

/// What a tree says.
pub(crate) fn module(root: Node<'_>, source: &str) -> Module {
    let mut python = Python { reader: Reader::new(source), assigned: HashSet::new() };
    let body = python.block(root);
    Module { shared: python.assigned, ..python.reader.module(body, root) }
}

struct Python<'s> {
    reader: Reader<'s>,
    /// Names of the module, or of a function around, that functions say they assign.
    assigned: HashSet<String>,
}

impl<'s> Grammar<'s> for Python<'s> {
    fn reader(&mut self) -> &mut Reader<'s> {
        &mut self.reader
    }

    fn statement_kind(&mut self, node: Node<'_>) -> Option<StmtKind> {
        Some(match node.kind() {
            "expression_statement" => self.expression_statement(node),
            "return_statement" => StmtKind::Return(children(node).first().map(|value| self.expr(*value))),
            "raise_statement" => StmtKind::Throw(self.exprs(&children(node))),
            "if_statement" => self.condition(node, &fields(node, "alternative")),
            "for_statement" | "while_statement" => self.repetition(node),
            "try_statement" => self.attempt(node),
            "with_statement" => self.with(node),
            "match_statement" => self.choice(node),
            "break_statement" => StmtKind::Break(None),
            "continue_statement" => StmtKind::Continue,
            "function_definition" => StmtKind::Function(self.function(node, Vec::new())),
            "class_definition" => StmtKind::Class(self.class(node)),
            "decorated_definition" => {
                let decorators = children(node).into_iter().filter(|child| child.kind() == "decorator");
                let inner: Vec<_> = decorators.filter_map(|one| children(one).first().copied()).collect();
                let decorators = self.exprs(&inner);
                let definition = field(node, "definition")?;
                if definition.kind() == "class_definition" {
                    StmtKind::Class(self.class(definition))
                } else {
                    StmtKind::Function(self.function(definition, decorators))
                }
            }
            "import_statement" => StmtKind::Import(self.import(node)),
            "import_from_statement" => StmtKind::Import(self.import_from(node)),
            // What is asserted decides nothing.
            "assert_statement" => {
                let parts = self.exprs(&children(node)).into_iter().map(uncompared).collect();
                StmtKind::Expr(Expr::new(Kind::Other(parts), span(node)))
            }
            "global_statement" | "nonlocal_statement" => {
                let names: Vec<_> = children(node).into_iter().map(|name| self.reader.owned(name)).collect();
                self.assigned.extend(names);
                return None;
            }
            "pass_statement" | "future_import_statement" => return None,
            "block" | "ERROR" => StmtKind::Block(self.block(node)),
            _ => StmtKind::Expr(self.expr(node)),
        })
    }

    fn kind(&mut self, node: Node<'_>) -> Kind {
        self.expression_kind(node)
    }
}

impl Python<'_> {
    fn expression_statement(&mut self, node: Node<'_>) -> StmtKind {
        let parts = children(node);
        match parts.as_slice() {
            [one] if one.kind() == "assignment" => self.assignment(*one),
            [one] if one.kind() == "augmented_assignment" => {
                let target = field(*one, "left").map(|left| self.expr(left));
                let value = field(*one, "right").map(|right| self.expr(right));
                StmtKind::Bind(target.into_iter().collect(), value)
            }
            [one] => StmtKind::Expr(self.expr(*one)),
            parts => StmtKind::Expr(Expr::new(Kind::Array(self.exprs(parts)), span(node))),
        }
    }

    fn assignment(&mut self, node: Node<'_>) -> StmtKind {
        let mut targets = Vec::new();
        let mut types = Vec::new();
        let mut node = node;
        loop {
            targets.extend(field(node, "left").map(|left| self.expr(left)));
            if let Some(of) = field(node, "type") {
                types = self.types(of);
            }
            match field(node, "right") {
                Some(right) if right.kind() == "assignment" => node = right,
                right => {
                    let value = right.map(|right| self.expr(right));
                    return StmtKind::Assign { targets, value, types };
                }
            }
        }
    }

    /// A condition with the conditions that follow it, as many as there are.
    fn condition(&mut self, node: Node<'_>, alternatives: &[Node<'_>]) -> StmtKind {
        let (conditions, last): (Vec<_>, Vec<_>) = alternatives.iter().partition(|one| one.kind() == "elif_clause");
        let all: Vec<_> = std::iter::once(node).chain(conditions).collect();
        let last = last.first().and_then(|one| field(*one, "body"));
        self.conditions(&all, last, Self::block)
    }

    fn repetition(&mut self, node: Node<'_>) -> StmtKind {
        let head: Vec<_> = ["condition", "right"].iter().filter_map(|name| field(node, name)).collect();
        let endless = field(node, "condition").is_some_and(|one| matches!(self.reader.text(one), "True" | "1"));
        StmtKind::Loop {
            head: self.exprs(&head),
            targets: field(node, "left").map(|left| self.expr(left)).into_iter().collect(),
            body: self.field_block(node, "body"),
            otherwise: field(node, "alternative").map(|one| self.field_block(one, "body")).unwrap_or_default(),
            endless,
        }
    }

    fn attempt(&mut self, node: Node<'_>) -> StmtKind {
        let (mut handlers, mut otherwise, mut finally) = (Vec::new(), Vec::new(), Vec::new());
        for part in children(node) {
            match part.kind() {
                "except_clause" | "except_group_clause" => {
                    let blocks: Vec<_> = children(part).into_iter().filter(|one| one.kind() == "block").collect();
                    let alias = children(part).into_iter().find(|one| one.kind() == "as_pattern");
                    let alias = alias.and_then(|one| field(one, "alias")).or_else(|| field(part, "alias"));
                    let name = alias.map(|one| children(one).first().copied().unwrap_or(one));
                    let name = name.map(|name| self.expr(name));
                    let bound = name.map(|name| StmtKind::Bind(vec![name], None));
                    let mut handler: Vec<_> = bound.map(|kind| Stmt { kind, span: span(part) }).into_iter().collect();
                    handler.extend(blocks.into_iter().flat_map(|one| self.block(one)));
                    handlers.push(handler);
                }
                "else_clause" => otherwise = self.field_block(part, "body"),
                "finally_clause" => {
                    let blocks: Vec<_> = children(part).into_iter().filter(|one| one.kind() == "block").collect();
                    finally = blocks.into_iter().flat_map(|one| self.block(one)).collect();
                }
                _ => {}
            }
        }
        StmtKind::Try { body: self.field_block(node, "body"), handlers, otherwise, finally }
    }

    fn with(&mut self, node: Node<'_>) -> StmtKind {
        let (mut items, mut targets) = (Vec::new(), Vec::new());
        let clauses = children(node).into_iter().filter(|child| child.kind() == "with_clause");
        for value in clauses.flat_map(children).filter_map(|item| field(item, "value")) {
            if value.kind() == "as_pattern" {
                items.extend(children(value).first().map(|one| self.expr(*one)));
                let alias = field(value, "alias").and_then(|alias| children(alias).first().copied());
                targets.extend(alias.map(|alias| self.expr(alias)));
            } else {
                items.push(self.expr(value));
            }
        }
        StmtKind::With { items, targets, body: self.field_block(node, "body") }
    }

    fn choice(&mut self, node: Node<'_>) -> StmtKind {
        let subjects = fields(node, "subject");
        let subject = match subjects.as_slice() {
            [one] => self.expr(*one),
            all => Expr::new(Kind::Array(self.exprs(all)), span(node)),
        };
        let mut arms = Vec::new();
        let mut complete = false;
        let clauses = field(node, "body").map(children).unwrap_or_default();
        for clause in clauses.into_iter().filter(|one| one.kind() == "case_clause") {
            let patterns: Vec<_> = children(clause).into_iter().filter(|one| one.kind() == "case_pattern").collect();
            let guard = field(clause, "guard");
            complete |= guard.is_none() && patterns.iter().any(|one| self.reader.text(*one) == "_");
            let mut seen = self.exprs(&patterns);
            seen.extend(guard.map(|guard| self.expr(guard)));
            let mut captured = Vec::new();
            patterns.iter().for_each(|one| self.captured(*one, &mut captured));
            let mut body = Vec::new();
            if !captured.is_empty() {
                body.push(Stmt { kind: StmtKind::Bind(captured, None), span: span(clause) });
            }
            body.extend(self.field_block(clause, "consequence"));
            arms.push(Arm { patterns: seen, body, falls: false });
        }
        StmtKind::Switch { subject, arms, complete }
    }

    /// Names that a pattern gives to parts of the subject.
    fn captured(&mut self, node: Node<'_>, into: &mut Vec<Expr>) {
        let parts = children(node);
        match node.kind() {
            "dotted_name" => {
                if let [one] = parts.as_slice() {
                    into.push(Expr::new(Kind::Name(self.reader.owned(*one)), span(*one)));
                }
            }
            "identifier" => into.push(Expr::new(Kind::Name(self.reader.owned(node)), span(node))),
            // The first is a class, or the name of a member.
            kind => {
                let named = matches!(kind, "class_pattern" | "keyword_pattern");
                for part in parts.into_iter().skip(usize::from(named)) {
                    self.deeper(|python| python.captured(part, into));
                }
            }
        }
    }

    fn function(&mut self, node: Node<'_>, decorators: Vec<Expr>) -> Function {
        let outer = std::mem::take(&mut self.reader.yields);
        let name = field(node, "name");
        let mut parameters = field(node, "parameters").map(|all| self.parameters(all)).unwrap_or_default();
        let before = self.reader.comparisons();
        let body = self.field_block(node, "body");
        self.reader.mark_optional(&mut parameters, before);
        Function {
            name: name.map(|name| self.reader.owned(name)).unwrap_or_default(),
            returns: field(node, "return_type").map(|of| self.types(of)).unwrap_or_default(),
            decorators,
            yields: std::mem::replace(&mut self.reader.yields, outer),
            ..Function::nameless(span(name.unwrap_or(node)), parameters, body)
        }
    }

    fn parameters(&mut self, node: Node<'_>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for one in children(node) {
            let name = match one.kind() {
                "identifier" => Some(one),
                "default_parameter" | "typed_default_parameter" => field(one, "name"),
                _ => children(one).first().copied(),
            };
            if let Some(name) = name.filter(|name| name.kind() == "identifier") {
                parameters.push(Parameter {
                    name: self.reader.owned(name),
                    types: field(one, "type").map(|of| self.types(of)).unwrap_or_default(),
                    member: false,
                    optional: one.kind().contains("default"),
                });
            }
        }
        parameters
    }

    fn class(&mut self, node: Node<'_>) -> Class {
        let name = field(node, "name");
        let bases = field(node, "superclasses").map(children).unwrap_or_default();
        let bases: Vec<_> = bases.into_iter().filter(|base| base.kind() != "keyword_argument").collect();
        Class {
            name: name.map(|name| self.reader.owned(name)).unwrap_or_default(),
            span: span(name.unwrap_or(node)),
            bases: self.exprs(&bases),
            interfaces: Vec::new(),
            body: self.field_block(node, "body"),
            around: Vec::new(),
            safe: OnceLock::new(),
            form: Form::Whole,
        }
    }

    fn types(&self, node: Node<'_>) -> Vec<String> {
        names_below(&self.reader, node, &["identifier", "string_content"])
    }

    fn import(&self, node: Node<'_>) -> Vec<Import> {
        let imports = fields(node, "name").into_iter().filter_map(|one| {
            let (name, alias) = aliased(one);
            let module = self.reader.owned(name?);
            let first = module.split('.').next().unwrap_or_default().to_owned();
            Some(match alias {
                Some(alias) => Import { local: self.reader.owned(alias), module, name: None },
                None if first == module => Import { local: first, module, name: None },
                // `import a.b` binds a, from which `.b` leads on.
                None => Import { local: first.clone(), module: first, name: None },
            })
        });
        imports.collect()
    }

    fn import_from(&mut self, node: Node<'_>) -> Vec<Import> {
        let module = field(node, "module_name").map(|one| self.reader.owned(one)).unwrap_or_default();
        if children(node).iter().any(|one| one.kind() == "wildcard_import") {
            self.reader.stars.push(module);
            return Vec::new();
        }
        let imports = fields(node, "name").into_iter().filter_map(|one| {
            let (name, alias) = aliased(one);
            let name = self.reader.owned(name?);
            let local = alias.map_or_else(|| name.clone(), |alias| self.reader.owned(alias));
            Some(Import { local, module: module.clone(), name: Some(name) })
        });
        imports.collect()
    }
}

fn aliased(node: Node<'_>) -> (Option<Node<'_>>, Option<Node<'_>>) {
    if node.kind() == "aliased_import" { (field(node, "name"), field(node, "alias")) } else { (Some(node), None) }
}

/// The same without comparisons.
fn uncompared(expr: Expr) -> Expr {
    match expr.kind {
        Kind::Compare(parts) => Expr::new(Kind::Other(parts), expr.span),
        Kind::Either(parts) => Expr::new(Kind::Other(parts.into_iter().map(uncompared).collect()), expr.span),
        Kind::Same(inner) => Expr::new(Kind::Same(Box::new(uncompared(*inner))), expr.span),
        kind => Expr::new(kind, expr.span),
    }
}
