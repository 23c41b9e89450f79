//! Functions, classes and enumerations of TypeScript.

use std::sync::OnceLock;

use tree_sitter::Node;

use super::{Own, Script};
use crate::{
    reader::{Grammar as _, children, field, span},
    syntax::{Class, Expr, Form, Function, Kind, Parameter, Stmt, StmtKind},
};

impl Script<'_> {
    pub(super) fn function(&mut self, node: Node<'_>, decorators: Vec<Expr>) -> Function {
        let outer = std::mem::take(&mut self.reader.yields);
        self.functions.push(Own::default());
        let name = field(node, "name");
        let before = self.reader.comparisons();
        let body = self.block_or_value(node);
        let yields = std::mem::replace(&mut self.reader.yields, outer) || node.kind().starts_with("generator");
        let one = field(node, "parameter").map(|one| Parameter {
            name: self.reader.owned(one),
            types: Vec::new(),
            member: false,
            optional: false,
        });
        let more = field(node, "parameters").map(|all| self.parameters(all)).unwrap_or_default();
        let mut parameters: Vec<_> = one.into_iter().chain(more).collect();
        self.reader.mark_optional(&mut parameters, before);
        let mut own = self.functions.pop().unwrap_or_default();
        own.declared.extend(parameters.iter().map(|one| one.name.clone()));
        self.assigned.extend(own.assigned.into_iter().filter(|name| !own.declared.contains(name)));
        Function {
            name: name.map(|name| self.reader.owned(name)).unwrap_or_default(),
            returns: field(node, "return_type").map(|of| self.types(of)).unwrap_or_default(),
            decorators,
            yields,
            ..Function::nameless(span(name.unwrap_or(node)), parameters, body)
        }
    }

    fn parameters(&mut self, node: Node<'_>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for one in children(node) {
            let Some(name) = field(one, "pattern").or_else(|| field(one, "name")) else { continue };
            if name.kind() != "identifier" {
                let mut names = Vec::new();
                self.expr(name).names(&mut names);
                let parameter = |name| Parameter { name, types: Vec::new(), member: false, optional: false };
                parameters.extend(names.into_iter().map(parameter));
                continue;
            }
            let member = children(one).iter().any(|part| part.kind() == "accessibility_modifier")
                || self.reader.text(one).starts_with("readonly ");
            parameters.push(Parameter {
                name: self.reader.owned(name),
                types: field(one, "type").map(|of| self.types(of)).unwrap_or_default(),
                member,
                optional: one.kind() == "optional_parameter" || field(one, "value").is_some(),
            });
        }
        parameters
    }

    pub(super) fn class(&mut self, node: Node<'_>) -> Class {
        let name = field(node, "name");
        let heritage = children(node).into_iter().filter(|one| one.kind() == "class_heritage");
        let extends = heritage.flat_map(children).filter(|one| one.kind() == "extends_clause");
        let bases: Vec<_> = extends.filter_map(|one| field(one, "value")).collect();
        let mut body = Vec::new();
        let mut decorators = Vec::new();
        for member in field(node, "body").map(children).unwrap_or_default() {
            let kind = match member.kind() {
                "decorator" => {
                    let inner = children(member).first().map(|one| self.expr(*one));
                    decorators.extend(inner);
                    continue;
                }
                "method_definition" => StmtKind::Function(self.function(member, std::mem::take(&mut decorators))),
                "public_field_definition" => {
                    let target = field(member, "name").map(|name| {
                        let text = self.reader.text(name).trim_start_matches('#').to_owned();
                        Expr::new(Kind::Name(text), span(name))
                    });
                    let types = field(member, "type").map(|of| self.types(of)).unwrap_or_default();
                    let value = field(member, "value").map(|value| self.expr(value));
                    StmtKind::Assign { targets: target.into_iter().collect(), value, types }
                }
                "class_static_block" => StmtKind::Block(self.field_body(member, "body")),
                _ => continue,
            };
            body.push(Stmt { kind, span: span(member) });
        }
        Class {
            name: name.map(|name| self.reader.owned(name)).unwrap_or_default(),
            span: span(name.unwrap_or(node)),
            bases: self.exprs(&bases),
            interfaces: Vec::new(),
            body,
            around: Vec::new(),
            safe: OnceLock::new(),
            form: Form::Whole,
        }
    }

    /// An enumeration is a class whose members are its values.
    pub(super) fn enumeration(&mut self, node: Node<'_>) -> Class {
        let name = field(node, "name");
        let mut body = Vec::new();
        for member in field(node, "body").map(children).unwrap_or_default() {
            let Some(of) = field(member, "name").filter(|_| member.kind() == "enum_assignment") else { continue };
            let target = Expr::new(Kind::Name(self.key(of).unwrap_or_default()), span(of));
            let value = field(member, "value").map(|value| self.expr(value));
            body.push(Stmt {
                kind: StmtKind::Assign { targets: vec![target], value, types: Vec::new() },
                span: span(member),
            });
        }
        Class {
            name: name.map(|name| self.reader.owned(name)).unwrap_or_default(),
            span: span(name.unwrap_or(node)),
            bases: Vec::new(),
            interfaces: Vec::new(),
            body,
            around: Vec::new(),
            safe: OnceLock::new(),
            form: Form::Whole,
        }
    }

    /// The name of a member, where it is not computed.
    pub(super) fn key(&self, node: Node<'_>) -> Option<String> {
        match node.kind() {
            "string" => self.reader.literal(node, "string_fragment"),
            "computed_property_name" => {
                let inner = children(node).first().copied().filter(|one| one.kind() == "string")?;
                self.reader.literal(inner, "string_fragment")
            }
            _ => Some(self.reader.owned(node)),
        }
    }
}
