//! Expressions of Python.

use tree_sitter::Node;

use super::Python;
use crate::{
    reader::{Grammar as _, children, field, operands, other, span},
    syntax::{Argument, Call, Expr, Function, Kind, Stmt, StmtKind},
};

impl Python<'_> {
    pub(super) fn expression_kind(&mut self, node: Node<'_>) -> Kind {
        match node.kind() {
            "identifier" => Kind::Name(self.reader.owned(node)),
            "string" => self.string(node),
            "concatenated_string" => Kind::Sum(self.exprs(&children(node))),
            "integer" | "float" | "true" | "false" => Kind::Literal,
            "none" => Kind::Nothing,
            "attribute" => {
                let name = field(node, "attribute");
                let text = name.map(|name| self.reader.owned(name)).unwrap_or_default();
                Kind::Member(Box::new(self.field_expr(node, "object")), text, span(name.unwrap_or(node)))
            }
            "subscript" => {
                let at = self.field_expr(node, "subscript");
                Kind::Index(Box::new(self.field_expr(node, "value")), Box::new(at))
            }
            "call" => self.call(node),
            "conditional_expression" => match children(node).as_slice() {
                [then, condition, otherwise] => {
                    Kind::Choice(Box::new([self.expr(*condition), self.expr(*then), self.expr(*otherwise)]))
                }
                parts => Kind::Other(self.exprs(parts)),
            },
            "binary_operator" => self.operands(node),
            "boolean_operator" => Kind::Either(self.exprs(&operands(node))),
            "comparison_operator" => {
                let parts = self.exprs(&children(node));
                self.reader.compares(&parts);
                Kind::Compare(parts)
            }
            "not_operator" => {
                let parts = self.exprs(&children(node));
                parts.iter().for_each(|one| self.reader.may_be_missing(one));
                Kind::Other(parts)
            }
            "dictionary" => self.dictionary(node),
            "list" | "tuple" | "set" | "expression_list" | "pattern_list" | "tuple_pattern" | "list_pattern" => {
                Kind::Array(self.exprs(&children(node)))
            }
            "named_expression" => {
                let name = self.field_expr(node, "name");
                self.reader.bound.push(name);
                Kind::Same(Box::new(self.field_expr(node, "value")))
            }
            "for_in_clause" => {
                let target = self.field_expr(node, "left");
                self.reader.bound.push(target);
                let parts: Vec<_> = children(node).into_iter().skip(1).collect();
                Kind::Other(self.exprs(&parts))
            }
            "lambda" => Kind::Function(Box::new(self.lambda(node))),
            "parenthesized_expression" | "await" => match children(node).as_slice() {
                [inner] => Kind::Same(Box::new(self.expr(*inner))),
                parts => Kind::Other(self.exprs(parts)),
            },
            "yield" => {
                self.reader.yields = true;
                Kind::Other(self.exprs(&children(node)))
            }
            _ => Kind::Other(self.exprs(&children(node))),
        }
    }

    fn string(&mut self, node: Node<'_>) -> Kind {
        let start = children(node).first().map(|one| self.reader.text(*one)).unwrap_or_default();
        let raw = start.contains(['r', 'R']);
        if start.contains(['b', 'B']) {
            return Kind::Literal;
        }
        let parts = children(node);
        let put_in: Vec<_> = parts.iter().filter(|one| one.kind() == "interpolation").collect();
        if put_in.is_empty() {
            let text: String = self.reader.literal(node, "string_content").unwrap_or_else(|| {
                // What is escaped is not undone: no code and no name needs it.
                let contents = parts.iter().filter(|one| one.kind() == "string_content");
                contents.map(|one| self.reader.text(*one)).collect()
            });
            let braced = start.contains(['f', 'F']) && text.contains(['{', '}']);
            return if !braced && (raw || !text.contains('\\')) {
                Kind::Text(text)
            } else {
                Kind::Template(Vec::new())
            };
        }
        let mut all = Vec::new();
        for part in parts {
            match part.kind() {
                "string_content" => {
                    all.push(Expr::new(Kind::Text(self.reader.owned(part)), span(part)));
                }
                "interpolation" => {
                    let plain = field(part, "format_specifier").is_none() && field(part, "type_conversion").is_none();
                    let value = self.field_expr(part, "expression");
                    all.push(if plain { value } else { other(vec![value], part) });
                }
                _ => {}
            }
        }
        Kind::Template(all)
    }

    fn call(&mut self, node: Node<'_>) -> Kind {
        // A chain of calls is as deep as it is long.
        let callee = self.field_expr(node, "function");
        let mut arguments = Vec::new();
        if let Some(list) = field(node, "arguments") {
            if list.kind() == "argument_list" {
                for one in children(list) {
                    let spread = matches!(one.kind(), "list_splat" | "dictionary_splat");
                    let (name, value) = match one.kind() {
                        "keyword_argument" => {
                            (field(one, "name").map(|name| self.reader.owned(name)), self.field_expr(one, "value"))
                        }
                        _ => (None, self.expr(one)),
                    };
                    arguments.push(Argument { name, value, spread });
                }
            } else {
                arguments.push(Argument { name: None, value: self.expr(list), spread: true });
            }
        }
        Kind::Call(Box::new(Call { callee, arguments }))
    }

    fn operands(&mut self, node: Node<'_>) -> Kind {
        let plus = field(node, "operator").is_some_and(|operator| operator.kind() == "+");
        let parts = self.exprs(&operands(node));
        if plus { Kind::Sum(parts) } else { Kind::Other(parts) }
    }

    fn dictionary(&mut self, node: Node<'_>) -> Kind {
        let mut members = Vec::new();
        for one in children(node) {
            if one.kind() != "pair" {
                members.push((None, self.expr(one)));
                continue;
            }
            let key = self.field_expr(one, "key");
            let name = match &key.kind {
                Kind::Text(text) => Some(text.clone()),
                _ => None,
            };
            members.push((name, self.field_expr(one, "value")));
        }
        Kind::Object(members)
    }

    fn lambda(&mut self, node: Node<'_>) -> Function {
        let outer = std::mem::take(&mut self.reader.yields);
        let body = self.field_expr(node, "body");
        let at = body.span;
        let body = vec![Stmt { kind: StmtKind::Return(Some(body)), span: at }];
        let parameters = field(node, "parameters").map(|all| self.parameters(all)).unwrap_or_default();
        let yields = std::mem::replace(&mut self.reader.yields, outer);
        Function { yields, ..Function::nameless(span(node), parameters, body) }
    }
}
