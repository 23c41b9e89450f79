//! Expressions of TypeScript.

use tree_sitter::Node;

use super::Script;
use crate::{
    reader::{Grammar as _, children, field, other, span},
    syntax::{Argument, Call, Expr, Kind},
};

impl Script<'_> {
    pub(super) fn expression_kind(&mut self, node: Node<'_>) -> Kind {
        match node.kind() {
            "identifier"
            | "this"
            | "super"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern" => Kind::Name(self.reader.owned(node)),
            "undefined" | "null" => Kind::Nothing,
            "string" => match self.reader.literal(node, "string_fragment") {
                Some(text) => Kind::Text(text),
                None => Kind::Template(Vec::new()),
            },
            "template_string" => self.template(node),
            "number" | "true" | "false" | "regex" => Kind::Literal,
            "member_expression" => {
                let name = field(node, "property");
                let text = name.map(|name| self.reader.text(name).trim_start_matches('#').to_owned());
                let of = self.field_expr(node, "object");
                Kind::Member(Box::new(of), text.unwrap_or_default(), span(name.unwrap_or(node)))
            }
            "subscript_expression" => {
                let at = self.field_expr(node, "index");
                Kind::Index(Box::new(self.field_expr(node, "object")), Box::new(at))
            }
            "call_expression" => self.call(node, "function"),
            "new_expression" => self.call(node, "constructor"),
            "ternary_expression" => {
                let parts = ["condition", "consequence", "alternative"];
                Kind::Choice(Box::new(parts.map(|part| self.field_expr(node, part))))
            }
            "unary_expression" => {
                let parts = self.exprs(&children(node));
                if field(node, "operator").is_some_and(|one| one.kind() == "!") {
                    parts.iter().for_each(|one| self.reader.may_be_missing(one));
                }
                Kind::Other(parts)
            }
            "binary_expression" => self.binary(node),
            "assignment_expression" => {
                let target = self.field_expr(node, "left");
                self.assigns(&target);
                self.reader.bound.push(target);
                Kind::Same(Box::new(self.field_expr(node, "right")))
            }
            "object" => self.object(node),
            "pair_pattern" => Kind::Other(vec![self.field_expr(node, "value")]),
            "assignment_pattern" | "object_assignment_pattern" => Kind::Other(vec![self.field_expr(node, "left")]),
            "array" | "array_pattern" | "object_pattern" => Kind::Array(self.exprs(&children(node))),
            "arrow_function" | "function_expression" | "generator_function" => {
                Kind::Function(Box::new(self.function(node, Vec::new())))
            }
            "class" => Kind::Class(Box::new(self.class(node))),
            "as_expression" | "satisfies_expression" | "non_null_expression" => match children(node).first() {
                Some(inner) => Kind::Same(Box::new(self.expr(*inner))),
                None => Kind::Other(Vec::new()),
            },
            "type_assertion" => match children(node).last() {
                Some(inner) => Kind::Same(Box::new(self.expr(*inner))),
                None => Kind::Other(Vec::new()),
            },
            "parenthesized_expression" | "await_expression" => match children(node).as_slice() {
                [inner] => Kind::Same(Box::new(self.expr(*inner))),
                parts => Kind::Other(self.exprs(parts)),
            },
            "yield_expression" => {
                self.reader.yields = true;
                Kind::Other(self.exprs(&children(node)))
            }
            "type_annotation" | "type_arguments" => Kind::Other(Vec::new()),
            _ => Kind::Other(self.exprs(&children(node))),
        }
    }

    fn template(&mut self, node: Node<'_>) -> Kind {
        if let Some(text) = self.reader.literal(node, "string_fragment") {
            return Kind::Text(text);
        }
        let mut parts = Vec::new();
        for part in children(node) {
            match part.kind() {
                "string_fragment" => parts.push(Expr::new(Kind::Text(self.reader.owned(part)), span(part))),
                "template_substitution" => parts.extend(children(part).first().map(|one| self.expr(*one))),
                _ => parts.push(other(Vec::new(), part)),
            }
        }
        Kind::Template(parts)
    }

    fn call(&mut self, node: Node<'_>, callee: &str) -> Kind {
        let callee = self.field_expr(node, callee);
        let mut arguments = Vec::new();
        match field(node, "arguments") {
            Some(list) if list.kind() == "arguments" => {
                for one in children(list) {
                    let spread = one.kind() == "spread_element";
                    arguments.push(Argument { name: None, value: self.expr(one), spread });
                }
            }
            Some(text) => arguments.push(Argument { name: None, value: self.expr(text), spread: true }),
            None => {}
        }
        Kind::Call(Box::new(Call { callee, arguments }))
    }

    fn object(&mut self, node: Node<'_>) -> Kind {
        let mut members = Vec::new();
        for one in children(node) {
            match one.kind() {
                "pair" => {
                    let name = field(one, "key").and_then(|key| self.key(key));
                    members.push((name, self.field_expr(one, "value")));
                }
                "shorthand_property_identifier" => members.push((Some(self.reader.owned(one)), self.expr(one))),
                "method_definition" => {
                    let name = field(one, "name").and_then(|name| self.key(name));
                    let function = self.function(one, Vec::new());
                    members.push((name, Expr::new(Kind::Function(Box::new(function)), span(one))));
                }
                _ => members.push((None, self.expr(one))),
            }
        }
        Kind::Object(members)
    }
}
