//! Java sources.

mod definition;
mod expression;

use std::collections::BTreeSet;

use tree_sitter::Node;

use crate::{
    reader::{Grammar, Reader, children, field, fields, other, span},
    syntax::{Arm, Expr, Import, Kind, Module, Stmt, StmtKind},
};

/// What a tree says.
pub(crate) fn module(root: Node<'_>, source: &str) -> Module {
    let mut java = Java { reader: Reader::new(source), locals: Vec::new() };
    let body = java.block(root);
    let package = children(root).into_iter().find(|one| one.kind() == "package_declaration");
    let name = package.and_then(|one| children(one).last().map(|name| java.reader.owned(*name)));
    Module { package: name, ..java.reader.module(body, root) }
}

struct Java<'s> {
    reader: Reader<'s>,
    /// Names that each of the functions declares which are read, from the outermost.
    locals: Vec<BTreeSet<String>>,
}

impl<'s> Grammar<'s> for Java<'s> {
    const BLOCKS: &'static [&'static str] = &["block", "constructor_body"];

    fn reader(&mut self) -> &mut Reader<'s> {
        &mut self.reader
    }

    fn plain_statement(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        match node.kind() {
            "local_variable_declaration" => {
                let types = field(node, "type").map(|of| self.types(of)).unwrap_or_default();
                for one in fields(node, "declarator") {
                    self.declares(field(one, "name"));
                    self.declarator(one, &types, into);
                }
            }
            "field_declaration" | "constant_declaration" => self.member(node, into),
            "labeled_statement" => {
                let parts = children(node);
                let body = self.deeper(|java| {
                    let mut body = Vec::new();
                    parts.iter().skip(1).for_each(|one| java.statement(*one, &mut body));
                    body
                });
                let label = parts.first().map(|label| self.reader.owned(*label)).unwrap_or_default();
                into.extend(body.map(|body| Stmt { kind: StmtKind::Label(label, body), span: span(node) }));
            }
            "package_declaration" | "module_declaration" | "annotation_type_declaration" => {}
            _ => self.single(node, into),
        }
    }

    fn statement_kind(&mut self, node: Node<'_>) -> Option<StmtKind> {
        Some(match node.kind() {
            "expression_statement" => match children(node).as_slice() {
                [one] => self.effect(*one),
                parts => StmtKind::Expr(other(self.exprs(parts), node)),
            },
            // What a choice yields is what the block in it gives back.
            "return_statement" | "yield_statement" => {
                StmtKind::Return(children(node).first().map(|value| self.expr(*value)))
            }
            "throw_statement" => StmtKind::Throw(self.exprs(&children(node))),
            "if_statement" => self.condition(node),
            "for_statement" | "enhanced_for_statement" | "while_statement" | "do_statement" => self.repetition(node),
            "try_statement" | "try_with_resources_statement" => self.attempt(node),
            "switch_expression" => self.choice(node),
            "synchronized_statement" => StmtKind::Block(self.field_body(node, "body")),
            "break_statement" => StmtKind::Break(children(node).first().map(|label| self.reader.owned(*label))),
            "continue_statement" => StmtKind::Continue,
            "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
                StmtKind::Function(self.function(node))
            }
            "class_declaration" | "interface_declaration" | "record_declaration" => StmtKind::Class(self.class(node)),
            "enum_declaration" => StmtKind::Class(self.enumeration(node)),
            "import_declaration" => StmtKind::Import(self.import(node).into_iter().collect()),
            "static_initializer" => {
                StmtKind::Block(children(node).into_iter().flat_map(|one| self.block(one)).collect())
            }
            "block" | "ERROR" => StmtKind::Block(self.block(node)),
            _ => StmtKind::Expr(self.expr(node)),
        })
    }

    fn kind(&mut self, node: Node<'_>) -> Kind {
        self.expression_kind(node)
    }
}

impl Java<'_> {
    /// An expression whose value nobody takes.
    fn effect(&mut self, node: Node<'_>) -> StmtKind {
        match node.kind() {
            "assignment_expression" => {
                let target = self.field_expr(node, "left");
                let value = field(node, "right").map(|one| self.expr(one));
                if field(node, "operator").is_some_and(|one| one.kind() == "=") {
                    StmtKind::Assign { targets: vec![target], value, types: Vec::new() }
                } else {
                    StmtKind::Bind(vec![target], value)
                }
            }
            "update_expression" => StmtKind::Bind(self.exprs(&children(node)), None),
            "switch_expression" => self.choice(node),
            _ => StmtKind::Expr(self.expr(node)),
        }
    }

    fn declarator(&mut self, node: Node<'_>, types: &[String], into: &mut Vec<Stmt>) {
        let target = self.field_expr(node, "name");
        let value = field(node, "value").map(|value| self.expr(value));
        let kind = StmtKind::Assign { targets: vec![target], value, types: types.to_vec() };
        into.push(Stmt { kind, span: span(node) });
    }

    fn condition(&mut self, node: Node<'_>) -> StmtKind {
        let mut all = vec![node];
        let mut here = node;
        let last = loop {
            match field(here, "alternative") {
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
        let mut before = Vec::new();
        for first in fields(node, "init") {
            if first.kind() == "local_variable_declaration" {
                self.statement(first, &mut before);
            } else {
                let kind = self.effect(first);
                before.push(Stmt { kind, span: span(first) });
            }
        }
        let condition = field(node, "condition");
        let endless = match node.kind() {
            "for_statement" => condition.is_none(),
            _ => condition.is_some_and(|one| matches!(self.reader.text(one), "(true)" | "true")),
        };
        let head: Vec<_> = condition.or_else(|| field(node, "value")).into_iter().collect();
        let targets: Vec<_> = field(node, "name").into_iter().collect();
        self.declares(field(node, "name"));
        let head = self.exprs(&head);
        let targets = self.exprs(&targets);
        let mut body = self.field_body(node, "body");
        for update in fields(node, "update") {
            let kind = self.effect(update);
            body.push(Stmt { kind, span: span(update) });
        }
        let kind = StmtKind::Loop { head, targets, body, otherwise: Vec::new(), endless };
        if before.is_empty() {
            return kind;
        }
        before.push(Stmt { kind, span: span(node) });
        StmtKind::Block(before)
    }

    fn attempt(&mut self, node: Node<'_>) -> StmtKind {
        let (mut body, mut handlers, mut finally) = (Vec::new(), Vec::new(), Vec::new());
        for one in field(node, "resources").map(children).unwrap_or_default() {
            if field(one, "name").is_some() {
                let types = field(one, "type").map(|of| self.types(of)).unwrap_or_default();
                self.declares(field(one, "name"));
                self.declarator(one, &types, &mut body);
            }
        }
        body.extend(self.field_body(node, "body"));
        for part in children(node) {
            match part.kind() {
                "catch_clause" => {
                    let caught = children(part).into_iter().find(|one| one.kind() == "catch_formal_parameter");
                    let name = caught.and_then(|one| field(one, "name"));
                    self.declares(name);
                    let bound = name.map(|name| StmtKind::Bind(vec![self.expr(name)], None));
                    let mut handler: Vec<_> = bound.map(|kind| Stmt { kind, span: span(part) }).into_iter().collect();
                    handler.extend(self.field_body(part, "body"));
                    handlers.push(handler);
                }
                "finally_clause" => finally = children(part).into_iter().flat_map(|one| self.block(one)).collect(),
                _ => {}
            }
        }
        StmtKind::Try { body, handlers, otherwise: Vec::new(), finally }
    }

    fn choice(&mut self, node: Node<'_>) -> StmtKind {
        let subject = self.field_expr(node, "condition");
        let mut arms: Vec<Arm> = Vec::new();
        let mut complete = false;
        for clause in field(node, "body").map(children).unwrap_or_default() {
            let mut patterns = Vec::new();
            let mut body = Vec::new();
            for part in children(clause) {
                if part.kind() == "switch_label" {
                    complete |= self.is_default(part);
                    self.label(part, &mut patterns, &mut body);
                } else {
                    self.statement(part, &mut body);
                }
            }
            arms.push(Arm { patterns, body, falls: clause.kind() == "switch_block_statement_group" });
        }
        StmtKind::Switch { subject, arms, complete }
    }

    fn is_default(&self, label: Node<'_>) -> bool {
        let text = self.reader.text(label);
        text.starts_with("default") || text.ends_with("default")
    }

    /// What is compared in a label, and the names that it gives to parts of the subject.
    fn label(&mut self, node: Node<'_>, patterns: &mut Vec<Expr>, body: &mut Vec<Stmt>) {
        for part in children(node) {
            if part.kind() == "pattern" {
                let mut named = Vec::new();
                self.captured(part, &mut named);
                body.push(Stmt { kind: StmtKind::Bind(named, None), span: span(part) });
            } else {
                patterns.push(self.expr(part));
            }
        }
    }

    fn captured(&mut self, node: Node<'_>, into: &mut Vec<Expr>) {
        for part in children(node) {
            if part.kind() == "identifier" {
                self.declares(Some(part));
                into.push(Expr::new(Kind::Name(self.reader.owned(part)), span(part)));
            } else {
                self.deeper(|java| java.captured(part, into));
            }
        }
    }

    /// A class, or a member of one, with its package; all of them where a star stands for them.
    fn import(&mut self, node: Node<'_>) -> Option<Import> {
        let parts = children(node);
        let path = parts.first().map(|one| self.reader.owned(*one))?;
        if parts.iter().any(|one| one.kind() == "asterisk") {
            self.reader.stars.push(path);
            return None;
        }
        let (module, name) = path.rsplit_once('.')?;
        Some(Import { local: name.to_owned(), module: module.to_owned(), name: Some(name.to_owned()) })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    /// How often one text stands in what is read of a source.
    fn held(source: &str, text: &str) -> usize {
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&tree_sitter_java::LANGUAGE.into()).unwrap();
        let module = super::module(parser.parse(source, None).unwrap().root_node(), source);
        format!("{module:?}").matches(text).count()
    }

    #[test]
    fn what_stands_above_a_class_is_kept_once() {
        let (above, methods) = ("@Above ".repeat(10), "void a() {} ".repeat(10));
        assert_eq!(held(&format!("{above} class A {{ {methods} }}"), "Above"), 10);
        let constants = format!("A {{ {methods} }}, B {{ {methods} }}");
        assert_eq!(held(&format!("{above} enum A {{ {constants}; {methods} }}"), "Above"), 10);
    }

    #[test]
    fn what_a_constant_is_made_of_is_kept_once() {
        let constants = "A(\"made\"), ".repeat(10);
        let getters: String = (0..10).map(|index| format!("String g{index}() {{ return text; }} ")).collect();
        let made = format!("enum A {{ {constants}; String text; A(String text) {{ this.text = text; }} {getters} }}");
        assert_eq!(held(&made, "made"), 10);
    }
}
