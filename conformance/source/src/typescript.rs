//! TypeScript and JavaScript sources.

mod definition;
mod expression;

use std::collections::HashSet;

use tree_sitter::Node;

use crate::{
    reader::{Grammar, Reader, children, field, fields, names_below, span},
    syntax::{Arm, Expr, Import, Kind, Module, Stmt, StmtKind},
};

/// What a tree says.
pub(crate) fn module(root: Node<'_>, source: &str) -> Module {
    let mut script = Script { reader: Reader::new(source), functions: Vec::new(), assigned: HashSet::new() };
    let body = script.block(root);
    Module { shared: script.assigned, ..script.reader.module(body, root) }
}

struct Script<'s> {
    reader: Reader<'s>,
    /// What each of the functions that are read declares and assigns, from the outermost.
    functions: Vec<Own>,
    /// Names that functions assign and do not declare.
    assigned: HashSet<String>,
}

/// Names of one function.
#[derive(Default)]
struct Own {
    declared: HashSet<String>,
    assigned: HashSet<String>,
}

impl<'s> Grammar<'s> for Script<'s> {
    const BLOCKS: &'static [&'static str] = &["statement_block"];

    fn reader(&mut self) -> &mut Reader<'s> {
        &mut self.reader
    }

    fn plain_statement(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        match node.kind() {
            "lexical_declaration" | "variable_declaration" => {
                for one in children(node).into_iter().filter(|one| one.kind() == "variable_declarator") {
                    let kind = self.declarator(one);
                    into.push(Stmt { kind, span: span(node) });
                }
            }
            // A declaration that is exported stands where it would stand without that.
            "export_statement" => self.export(node, into),
            "labeled_statement" => {
                let label = field(node, "label").map(|label| self.reader.owned(label)).unwrap_or_default();
                let body = self.deeper(|script| script.field_body(node, "body"));
                into.extend(body.map(|body| Stmt { kind: StmtKind::Label(label, body), span: span(node) }));
            }
            "ambient_declaration" => {
                self.deeper(|script| {
                    for one in children(node) {
                        script.statement(one, into);
                    }
                });
            }
            _ => self.single(node, into),
        }
    }

    fn statement_kind(&mut self, node: Node<'_>) -> Option<StmtKind> {
        Some(match node.kind() {
            "expression_statement" => match children(node).as_slice() {
                [one] if matches!(one.kind(), "internal_module" | "module") => {
                    StmtKind::Block(self.field_body(*one, "body"))
                }
                [one] => self.effect(*one),
                parts => StmtKind::Expr(Expr::new(Kind::Other(self.exprs(parts)), span(node))),
            },
            "return_statement" => StmtKind::Return(children(node).first().map(|value| self.expr(*value))),
            "throw_statement" => StmtKind::Throw(self.exprs(&children(node))),
            "if_statement" => self.condition(node),
            "for_statement" | "for_in_statement" | "while_statement" | "do_statement" => self.repetition(node),
            "try_statement" => {
                let handler = field(node, "handler");
                StmtKind::Try {
                    body: self.field_body(node, "body"),
                    handlers: handler.map(|one| self.handler(one)).into_iter().collect(),
                    otherwise: Vec::new(),
                    finally: field(node, "finalizer").map(|one| self.field_body(one, "body")).unwrap_or_default(),
                }
            }
            "switch_statement" => self.choice(node),
            "break_statement" => StmtKind::Break(children(node).first().map(|label| self.reader.owned(*label))),
            "continue_statement" => StmtKind::Continue,
            "function_declaration" | "generator_function_declaration" | "function_signature" => {
                StmtKind::Function(self.function(node, Vec::new()))
            }
            "class_declaration" | "abstract_class_declaration" => StmtKind::Class(self.class(node)),
            "enum_declaration" => StmtKind::Class(self.enumeration(node)),
            "import_statement" => StmtKind::Import(self.import(node)),
            "internal_module" | "module" => StmtKind::Block(self.field_body(node, "body")),
            "statement_block" | "ERROR" => StmtKind::Block(self.block(node)),
            "interface_declaration" | "type_alias_declaration" | "empty_statement" | "debugger_statement" => {
                return None;
            }
            _ => StmtKind::Expr(self.expr(node)),
        })
    }

    fn kind(&mut self, node: Node<'_>) -> Kind {
        self.expression_kind(node)
    }
}

impl Script<'_> {
    fn handler(&mut self, node: Node<'_>) -> Vec<Stmt> {
        let bound = field(node, "parameter").map(|one| StmtKind::Bind(vec![self.expr(one)], None));
        let mut body: Vec<_> = bound.map(|kind| Stmt { kind, span: span(node) }).into_iter().collect();
        body.extend(self.field_body(node, "body"));
        body
    }

    /// An expression whose value nobody takes.
    fn effect(&mut self, node: Node<'_>) -> StmtKind {
        match node.kind() {
            "assignment_expression" => {
                let mut targets = vec![self.field_expr(node, "left")];
                let mut value = field(node, "right");
                while let Some(inner) = value.filter(|one| one.kind() == "assignment_expression") {
                    targets.push(self.field_expr(inner, "left"));
                    value = field(inner, "right");
                }
                targets.iter().for_each(|one| self.assigns(one));
                StmtKind::Assign { targets, value: value.map(|one| self.expr(one)), types: Vec::new() }
            }
            "augmented_assignment_expression" | "update_expression" => {
                let target = field(node, "left").or_else(|| field(node, "argument")).map(|one| self.expr(one));
                target.iter().for_each(|one| self.assigns(one));
                StmtKind::Bind(target.into_iter().collect(), field(node, "right").map(|one| self.expr(one)))
            }
            _ => StmtKind::Expr(self.expr(node)),
        }
    }

    /// Remembers what the function that is read assigns.
    fn assigns(&mut self, target: &Expr) {
        if let Some(own) = self.functions.last_mut() {
            let mut names = Vec::new();
            target.names(&mut names);
            own.assigned.extend(names);
        }
    }

    fn declarator(&mut self, node: Node<'_>) -> StmtKind {
        let target = self.field_expr(node, "name");
        if let Some(own) = self.functions.last_mut() {
            let mut names = Vec::new();
            target.names(&mut names);
            own.declared.extend(names);
        }
        let value = field(node, "value").map(|value| self.expr(value));
        let types = field(node, "type").map(|of| self.types(of)).unwrap_or_default();
        StmtKind::Assign { targets: vec![target], value, types }
    }

    fn condition(&mut self, node: Node<'_>) -> StmtKind {
        let mut all = vec![node];
        let mut here = node;
        let last = loop {
            match field(here, "alternative").and_then(|one| children(one).first().copied()) {
                Some(next) if next.kind() == "if_statement" => {
                    all.push(next);
                    here = next;
                }
                last => break last,
            }
        };
        self.conditions(&all, last, Self::body)
    }

    fn repetition(&mut self, node: Node<'_>) -> StmtKind {
        let mut head = Vec::new();
        let mut before = Vec::new();
        if let Some(first) = field(node, "initializer") {
            self.statement(first, &mut before);
        }
        let conditions = fields(node, "condition");
        let always = |one: &Node<'_>| matches!(self.reader.text(*one), "(true)" | "true" | "(1)" | "1");
        let endless = match node.kind() {
            // What is left out stands there as a statement that is empty.
            "for_statement" => conditions.iter().all(|one| one.kind() == "empty_statement"),
            _ => conditions.first().is_some_and(always),
        };
        for part in conditions.into_iter().chain(field(node, "right")).chain(field(node, "increment")) {
            if part.kind() != "empty_statement" {
                head.push(self.expr(part));
            }
        }
        let targets = field(node, "left").map(|left| self.expr(left)).into_iter().collect();
        let body = self.field_body(node, "body");
        let kind = StmtKind::Loop { head, targets, body, otherwise: Vec::new(), endless };
        if before.is_empty() {
            return kind;
        }
        before.push(Stmt { kind, span: span(node) });
        StmtKind::Block(before)
    }

    fn choice(&mut self, node: Node<'_>) -> StmtKind {
        let mut arms: Vec<Arm> = Vec::new();
        let mut complete = false;
        for clause in field(node, "body").map(children).unwrap_or_default() {
            complete |= clause.kind() == "switch_default";
            let pattern = field(clause, "value").map(|value| self.expr(value));
            let mut body = Vec::new();
            for one in fields(clause, "body") {
                self.statement(one, &mut body);
            }
            arms.push(Arm { patterns: pattern.into_iter().collect(), body, falls: true });
        }
        StmtKind::Switch { subject: self.field_expr(node, "value"), arms, complete }
    }

    fn types(&self, node: Node<'_>) -> Vec<String> {
        names_below(&self.reader, node, &["type_identifier", "predefined_type"])
    }

    /// What a module specifier says.
    fn specifier(&self, node: Node<'_>) -> Option<String> {
        self.reader.literal(field(node, "source")?, "string_fragment")
    }

    fn import(&self, node: Node<'_>) -> Vec<Import> {
        let mut imports = Vec::new();
        let Some(module) = self.specifier(node) else { return imports };
        let of = |local: Node<'_>, name: Option<String>| Import {
            local: self.reader.owned(local),
            module: module.clone(),
            name,
        };
        for part in children(node).into_iter().filter(|one| one.kind() == "import_clause").flat_map(children) {
            match part.kind() {
                "identifier" => imports.push(of(part, Some("default".to_owned()))),
                "namespace_import" => imports.extend(children(part).first().map(|one| of(*one, None))),
                "named_imports" => {
                    for one in children(part) {
                        let Some(name) = field(one, "name") else { continue };
                        let local = field(one, "alias").unwrap_or(name);
                        imports.push(of(local, Some(self.reader.owned(name))));
                    }
                }
                _ => {}
            }
        }
        imports
    }

    fn export(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        let at = span(node);
        if let Some(declaration) = field(node, "declaration") {
            self.statement(declaration, into);
            return;
        }
        if let Some(value) = field(node, "value") {
            let target = Expr::new(Kind::Name("default".to_owned()), at);
            let value = Some(self.expr(value));
            into.push(Stmt { kind: StmtKind::Assign { targets: vec![target], value, types: Vec::new() }, span: at });
            return;
        }
        let module = self.specifier(node);
        let clauses: Vec<_> = children(node).into_iter().filter(|one| one.kind() == "export_clause").collect();
        if let (Some(module), true) = (&module, clauses.is_empty()) {
            self.reader.stars.push(module.clone());
        }
        for one in clauses.into_iter().flat_map(children) {
            let Some(name) = field(one, "name") else { continue };
            let given = self.reader.owned(name);
            let local = field(one, "alias").map_or_else(|| given.clone(), |alias| self.reader.owned(alias));
            let kind = match &module {
                Some(module) => StmtKind::Import(vec![Import { local, module: module.clone(), name: Some(given) }]),
                None if local != given => StmtKind::Assign {
                    targets: vec![Expr::new(Kind::Name(local), span(one))],
                    value: Some(Expr::new(Kind::Name(given), span(name))),
                    types: Vec::new(),
                },
                None => continue,
            };
            into.push(Stmt { kind, span: at });
        }
    }
}
