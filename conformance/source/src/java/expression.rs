//! Expressions of Java.

use std::sync::OnceLock;

use tree_sitter::Node;

use super::Java;
use crate::{
    reader::{Grammar as _, children, field, formatted, other, span},
    syntax::{Argument, Call, Class, Expr, Form, Function, Kind, Span},
};

impl Java<'_> {
    pub(super) fn expression_kind(&mut self, node: Node<'_>) -> Kind {
        match node.kind() {
            "identifier" | "type_identifier" | "this" | "super" => Kind::Name(self.reader.owned(node)),
            "null_literal" => Kind::Nothing,
            "string_literal" => match self.reader.literal(node, "string_fragment") {
                Some(text) => Kind::Text(text),
                None => Kind::Template(Vec::new()),
            },
            "true" | "false" | "character_literal" => Kind::Literal,
            kind if kind.ends_with("_literal") => Kind::Literal,
            "field_access" => self.member_of(node, "object", "field"),
            "scoped_identifier" => self.member_of(node, "scope", "name"),
            "scoped_type_identifier" => match children(node).as_slice() {
                [of, .., name] => Kind::Member(Box::new(self.expr(*of)), self.reader.owned(*name), span(*name)),
                parts => Kind::Other(self.exprs(parts)),
            },
            "generic_type" | "annotated_type" => {
                let inner = children(node).into_iter().find(|one| one.kind().ends_with("identifier"));
                inner.map_or(Kind::Other(Vec::new()), |one| Kind::Same(Box::new(self.expr(one))))
            }
            "array_access" => {
                let at = self.field_expr(node, "index");
                Kind::Index(Box::new(self.field_expr(node, "array")), Box::new(at))
            }
            "method_invocation" => self.invocation(node),
            "object_creation_expression" => self.creation(node),
            "method_reference" => match children(node).as_slice() {
                [of, .., name] if name.kind() == "identifier" => {
                    Kind::Member(Box::new(self.expr(*of)), self.reader.owned(*name), span(*name))
                }
                parts => Kind::Other(self.exprs(parts)),
            },
            "annotation" => {
                let callee = self.field_expr(node, "name");
                let arguments = field(node, "arguments").map(children).unwrap_or_default();
                let arguments = arguments.into_iter().map(|one| Argument {
                    name: field(one, "key").map(|key| self.reader.owned(key)),
                    value: self.expr(field(one, "value").unwrap_or(one)),
                    spread: false,
                });
                let arguments = arguments.collect();
                Kind::Call(Box::new(Call { callee, arguments }))
            }
            "marker_annotation" => match field(node, "name") {
                Some(name) => Kind::Same(Box::new(self.expr(name))),
                None => Kind::Other(Vec::new()),
            },
            "lambda_expression" => Kind::Function(Box::new(self.lambda(node))),
            "switch_expression" => self.chosen(node),
            "ternary_expression" => {
                let parts = ["condition", "consequence", "alternative"];
                Kind::Choice(Box::new(parts.map(|part| self.field_expr(node, part))))
            }
            "binary_expression" => self.binary(node),
            "instanceof_expression" => {
                self.declares(field(node, "name"));
                let name = field(node, "name").map(|name| self.expr(name));
                self.reader.bound.extend(name);
                Kind::Other(vec![self.field_expr(node, "left")])
            }
            "assignment_expression" => {
                let target = self.field_expr(node, "left");
                self.reader.bound.push(target);
                Kind::Same(Box::new(self.field_expr(node, "right")))
            }
            "update_expression" => {
                let parts = self.exprs(&children(node));
                self.reader.bound.extend(parts);
                Kind::Literal
            }
            "cast_expression" => Kind::Same(Box::new(self.field_expr(node, "value"))),
            "parenthesized_expression" => match children(node).as_slice() {
                [inner] => Kind::Same(Box::new(self.expr(*inner))),
                parts => Kind::Other(self.exprs(parts)),
            },
            "array_creation_expression" => match field(node, "value") {
                Some(value) => Kind::Array(self.exprs(&children(value))),
                None => Kind::Array(Vec::new()),
            },
            "array_initializer" | "element_value_array_initializer" => Kind::Array(self.exprs(&children(node))),
            "type_arguments" | "array_type" => Kind::Other(Vec::new()),
            _ => Kind::Other(self.exprs(&children(node))),
        }
    }

    fn member_of(&mut self, node: Node<'_>, of: &str, name: &str) -> Kind {
        let name = field(node, name);
        let text = name.map(|name| self.reader.owned(name)).unwrap_or_default();
        Kind::Member(Box::new(self.field_expr(node, of)), text, span(name.unwrap_or(node)))
    }

    fn arguments(&mut self, node: Node<'_>) -> Vec<Argument> {
        let all = field(node, "arguments").map(children).unwrap_or_default();
        all.into_iter().map(|one| Argument { name: None, value: self.expr(one), spread: false }).collect()
    }

    fn invocation(&mut self, node: Node<'_>) -> Kind {
        // A chain of calls is as deep as it is long.
        let callee = match field(node, "object") {
            Some(_) => Expr::new(self.member_of(node, "object", "name"), before_arguments(node)),
            None => self.field_expr(node, "name"),
        };
        let arguments = self.arguments(node);
        if let Kind::Member(of, name, _) = &callee.kind {
            match (of.as_name(), name.as_str()) {
                (Some("String"), "format") => return formatted(callee, arguments, &["%s"]),
                (Some("Objects"), "isNull" | "nonNull" | "requireNonNullElse" | "requireNonNullElseGet")
                | (Some("Optional"), "ofNullable") => {
                    arguments.first().into_iter().for_each(|one| self.reader.may_be_missing(&one.value));
                }
                (Some("Map"), "of") if arguments.len().is_multiple_of(2) => return pairs(arguments),
                (Some("Map"), "ofEntries") => return entries(callee, arguments),
                _ => {}
            }
        }
        Kind::Call(Box::new(Call { callee, arguments }))
    }

    fn creation(&mut self, node: Node<'_>) -> Kind {
        let callee = self.field_expr(node, "type");
        let arguments = self.arguments(node);
        let Some(body) = children(node).into_iter().find(|one| one.kind() == "class_body") else {
            return Kind::Call(Box::new(Call { callee, arguments }));
        };
        let base = callee.last_name().map(|name| Expr::new(Kind::Name(name.to_owned()), callee.span));
        let made = Expr::new(Kind::Call(Box::new(Call { callee, arguments })), span(node));
        let mut inner = Vec::new();
        self.members(body, &mut inner);
        let class = Class {
            name: String::new(),
            span: span(body),
            bases: base.into_iter().collect(),
            interfaces: Vec::new(),
            body: inner,
            around: Vec::new(),
            safe: OnceLock::new(),
            form: Form::Whole,
        };
        Kind::Other(vec![made, Expr::new(Kind::Class(Box::new(class)), span(body))])
    }

    /// The value of a choice: that of one of its arms. What an arm only throws is no value.
    fn chosen(&mut self, node: Node<'_>) -> Kind {
        let subject = self.field_expr(node, "condition");
        let mut arms = Vec::new();
        let mut seen = vec![Expr::new(Kind::Compare(vec![subject]), span(node))];
        for clause in field(node, "body").map(children).unwrap_or_default() {
            for part in children(clause) {
                match part.kind() {
                    "switch_label" => {
                        let mut named = Vec::new();
                        self.label(part, &mut seen, &mut named);
                    }
                    "expression_statement" if clause.kind() == "switch_rule" => {
                        arms.extend(children(part).first().map(|one| self.expr(*one)));
                    }
                    "throw_statement" => seen.extend(self.exprs(&children(part))),
                    // What a block yields is what a function in its place would return.
                    _ => arms.push(self.block_arm(part)),
                }
            }
        }
        let condition = other(seen, node);
        match choice_of(arms, span(node)) {
            Some(Expr { kind: Kind::Choice(mut parts), .. }) => {
                if let Some(first) = parts.first_mut() {
                    *first = condition;
                }
                Kind::Choice(parts)
            }
            Some(one) => Kind::Other(vec![condition, one]),
            None => Kind::Other(vec![condition]),
        }
    }

    fn block_arm(&mut self, node: Node<'_>) -> Expr {
        let mut body = Vec::new();
        self.statement(node, &mut body);
        let function = Function { arm: true, ..Function::nameless(span(node), Vec::new(), body) };
        Expr::new(Kind::Function(Box::new(function)), span(node))
    }
}

/// From the first byte of a call to its arguments.
fn before_arguments(node: Node<'_>) -> Span {
    let whole = span(node);
    let end = field(node, "name").map_or(whole.end, |name| name.end_byte());
    Span { start: whole.start, end }
}

/// A choice between any number of values, no deeper than it has to be.
fn choice_of(mut arms: Vec<Expr>, at: Span) -> Option<Expr> {
    if arms.len() < 2 {
        return arms.pop();
    }
    let rest = arms.split_off(arms.len() / 2);
    let nothing = Expr::new(Kind::Other(Vec::new()), at);
    let (then, otherwise) = (choice_of(arms, at)?, choice_of(rest, at)?);
    Some(Expr::new(Kind::Choice(Box::new([nothing, then, otherwise])), at))
}

fn key(argument: Argument) -> Option<String> {
    match argument.value.kind {
        Kind::Text(text) => Some(text),
        _ => None,
    }
}

/// `Map.of(key, value, key, value)`
fn pairs(arguments: Vec<Argument>) -> Kind {
    let mut members = Vec::new();
    let mut all = arguments.into_iter();
    while let (Some(name), Some(value)) = (all.next(), all.next()) {
        members.push((key(name), value.value));
    }
    Kind::Object(members)
}

/// `Map.ofEntries(Map.entry(key, value), ...)`
fn entries(callee: Expr, arguments: Vec<Argument>) -> Kind {
    let is_entry = |one: &Argument| {
        one.value.as_call().is_some_and(|call| call.callee.last_name() == Some("entry") && call.arguments.len() == 2)
    };
    if !arguments.iter().all(is_entry) {
        return Kind::Call(Box::new(Call { callee, arguments }));
    }
    let mut members = Vec::new();
    for one in arguments {
        if let Kind::Call(call) = one.value.kind {
            let mut parts = call.arguments.into_iter();
            if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
                members.push((key(name), value.value));
            }
        }
    }
    Kind::Object(members)
}
