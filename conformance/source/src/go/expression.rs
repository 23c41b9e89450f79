//! Expressions of Go.

use tree_sitter::Node;

use super::Go;
use crate::{
    reader::{Grammar as _, children, field, formatted, span},
    syntax::{Argument, Call, Expr, Kind},
};

impl Go<'_> {
    pub(super) fn expression_kind(&mut self, node: Node<'_>) -> Kind {
        match node.kind() {
            "identifier" | "type_identifier" | "package_identifier" | "field_identifier" | "blank_identifier" => {
                self.name(node)
            }
            "nil" => Kind::Nothing,
            "interpreted_string_literal" => self.text(node, "interpreted_string_literal_content"),
            "raw_string_literal" => self.text(node, "raw_string_literal_content"),
            "int_literal" | "float_literal" | "imaginary_literal" | "rune_literal" | "true" | "false" | "iota" => {
                Kind::Literal
            }
            "selector_expression" => self.member(node, "operand", "field"),
            "qualified_type" => self.member(node, "package", "name"),
            "generic_type" | "type_instantiation_expression" => match field(node, "type") {
                Some(of) => Kind::Same(Box::new(self.expr(of))),
                None => Kind::Other(Vec::new()),
            },
            "index_expression" => {
                let at = self.field_expr(node, "index");
                Kind::Index(Box::new(self.field_expr(node, "operand")), Box::new(at))
            }
            "type_assertion_expression" => Kind::Same(Box::new(self.field_expr(node, "operand"))),
            "parenthesized_expression" | "pointer_type" | "parenthesized_type" => match children(node).as_slice() {
                [inner] => Kind::Same(Box::new(self.expr(*inner))),
                parts => Kind::Other(self.exprs(parts)),
            },
            "unary_expression" => self.unary(node),
            "binary_expression" => self.binary(node),
            "call_expression" => self.call(node),
            "composite_literal" => self.composite(node),
            "literal_element" => match children(node).as_slice() {
                [inner] => self.kind_below(*inner),
                parts => Kind::Other(self.exprs(parts)),
            },
            // One whose type is that of what it stands in.
            "literal_value" => self.elements(node, false),
            "func_literal" => Kind::Function(Box::new(self.function(node))),
            "map_type"
            | "slice_type"
            | "array_type"
            | "channel_type"
            | "function_type"
            | "struct_type"
            | "interface_type"
            | "implicit_length_array_type"
            | "type_arguments" => Kind::Other(Vec::new()),
            _ => Kind::Other(self.exprs(&children(node))),
        }
    }

    /// What stands alone below a node, one level further down.
    fn kind_below(&mut self, node: Node<'_>) -> Kind {
        self.deeper(|go| go.expression_kind(node)).unwrap_or_else(|| Kind::Other(Vec::new()))
    }

    fn name(&self, node: Node<'_>) -> Kind {
        let name = self.reader.text(node);
        // The object of a method is called alike everywhere.
        Kind::Name(if self.receiver.as_deref() == Some(name) { "this" } else { name }.to_owned())
    }

    /// What is escaped is not undone: no code and no name needs it.
    fn text(&self, node: Node<'_>, content: &str) -> Kind {
        self.reader.literal(node, content).map_or(Kind::Template(Vec::new()), Kind::Text)
    }

    fn member(&mut self, node: Node<'_>, of: &str, name: &str) -> Kind {
        let name = field(node, name);
        let text = name.map(|name| self.reader.owned(name)).unwrap_or_default();
        Kind::Member(Box::new(self.field_expr(node, of)), text, span(name.unwrap_or(node)))
    }

    fn unary(&mut self, node: Node<'_>) -> Kind {
        let operand = self.field_expr(node, "operand");
        match field(node, "operator").map(|operator| operator.kind()) {
            Some("&") => {
                // Whoever has its address may assign it.
                if let Kind::Name(name) = &operand.kind {
                    self.assigned.insert(name.clone());
                    self.reader.bound.push(Expr::new(Kind::Name(name.clone()), operand.span));
                }
                Kind::Same(Box::new(operand))
            }
            Some("*") => Kind::Same(Box::new(operand)),
            _ => Kind::Other(vec![operand]),
        }
    }

    fn call(&mut self, node: Node<'_>) -> Kind {
        let callee = self.field_expr(node, "function");
        let mut arguments = Vec::new();
        for one in field(node, "arguments").map(children).unwrap_or_default() {
            let spread = one.kind() == "variadic_argument";
            let value = if spread { children(one).first().copied().unwrap_or(one) } else { one };
            arguments.push(Argument { name: None, value: self.expr(value), spread });
        }
        if let (Kind::Name(name), [of]) = (&callee.kind, arguments.as_slice())
            && name == "new"
            && of.value.last_name().is_some()
        {
            let callee = arguments.pop().map_or(callee, |of| of.value);
            return Kind::Call(Box::new(Call { callee, arguments }));
        }
        let prints =
            matches!(&callee.kind, Kind::Member(of, name, _) if name == "Sprintf" && of.as_name() == Some("fmt"));
        if prints {
            return formatted(callee, arguments, &["%s", "%v"]);
        }
        Kind::Call(Box::new(Call { callee, arguments }))
    }

    /// A value with its members: made by the name of its type, or an object or a list where the type has no name.
    fn composite(&mut self, node: Node<'_>) -> Kind {
        let Some(body) = field(node, "body") else { return Kind::Other(Vec::new()) };
        let of = field(node, "type");
        match of.map(|of| of.kind()).unwrap_or_default() {
            "map_type" => self.elements(body, false),
            "struct_type" => self.elements(body, true),
            "type_identifier" | "qualified_type" | "generic_type" => {
                let callee = self.field_expr(node, "type");
                let mut arguments = Vec::new();
                for one in children(body) {
                    let name = field(one, "key").map(|key| self.reader.owned(key));
                    let value = field(one, "value").unwrap_or(one);
                    arguments.push(Argument { name, value: self.expr(value), spread: false });
                }
                Kind::Call(Box::new(Call { callee, arguments }))
            }
            _ => {
                let elements = children(body);
                let values: Vec<_> = elements.into_iter().map(|one| field(one, "value").unwrap_or(one)).collect();
                Kind::Array(self.exprs(&values))
            }
        }
    }

    /// What stands in braces: members, or elements where none has a key. Keys without quotes are names where these are members.
    fn elements(&mut self, body: Node<'_>, named: bool) -> Kind {
        let all = children(body);
        if !all.is_empty() && all.iter().all(|one| one.kind() != "keyed_element") {
            return Kind::Array(self.exprs(&all));
        }
        let mut members = Vec::new();
        for one in all {
            let key = field(one, "key").map(|key| self.expr(key));
            let value = field(one, "value").unwrap_or(one);
            let value = self.expr(value);
            let name = key.and_then(|key| match key.kind {
                Kind::Text(text) => Some(text),
                Kind::Name(name) if named => Some(name),
                _ => None,
            });
            members.push((name, value));
        }
        Kind::Object(members)
    }
}
