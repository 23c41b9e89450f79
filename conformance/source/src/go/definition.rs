//! Functions, methods and types of Go.

use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};

use tree_sitter::Node;

use super::{Go, Own, Results};
use crate::{
    reader::{Grammar as _, children, field, fields, names_below, span},
    syntax::{Class, Expr, Form, Function, Kind, Parameter, Stmt, StmtKind},
};

impl<'s> Go<'s> {
    /// A function, or a literal of one.
    pub(super) fn function(&mut self, node: Node<'_>) -> Function {
        let name = field(node, "name");
        let mut parameters = field(node, "parameters").map(|all| self.parameters(all)).unwrap_or_default();
        let result = field(node, "result");
        let named = result.filter(|one| one.kind() == "parameter_list").map(|all| self.parameters(all));
        let named = named.unwrap_or_default();
        let names: Vec<_> = named.iter().map(|one| one.name.clone()).collect();
        let body = field(node, "body");
        let results =
            Results { names: names.clone(), fails: result.is_some_and(|one| self.fails(one)), ..Results::default() };
        let around = std::mem::replace(&mut self.results, results);
        let declared = parameters.iter().map(|one| &one.name).chain(&names).cloned().collect();
        self.functions.push(Own { declared, assigned: HashSet::new() });
        let mut statements = Vec::new();
        for one in named {
            let target = Expr::new(Kind::Name(one.name), span(node));
            let kind = StmtKind::Assign { targets: vec![target], value: None, types: one.types };
            statements.push(Stmt { kind, span: span(node) });
        }
        let before = self.reader.comparisons();
        statements.extend(body.map(|body| self.block(body)).unwrap_or_default());
        self.results = around;
        let mut own = self.functions.pop().unwrap_or_default();
        own.assigned.retain(|name| !own.declared.contains(name));
        // What a function assigns that stands in another may be a variable of that one.
        if let Some(around) = self.functions.last_mut() {
            self.shared.extend(own.assigned.iter().cloned());
            around.assigned.extend(own.assigned);
        }
        self.reader.mark_optional(&mut parameters, before);
        Function {
            name: name.map(|name| self.reader.owned(name)).unwrap_or_default(),
            returns: result.map(|of| self.result(of)).unwrap_or_default(),
            results: names,
            ..Function::nameless(span(name.unwrap_or(node)), parameters, statements)
        }
    }

    fn parameters(&self, node: Node<'_>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for one in children(node) {
            let many = one.kind() == "variadic_parameter_declaration";
            let types = match field(one, "type") {
                Some(_) if many => vec!["slice_type".to_owned()],
                of => of.map(|of| self.types(of)).unwrap_or_default(),
            };
            for name in fields(one, "name") {
                let name = self.reader.owned(name);
                parameters.push(Parameter { name, types: types.clone(), member: false, optional: false });
            }
        }
        parameters
    }

    /// The type of the first result.
    fn result(&self, node: Node<'_>) -> Vec<String> {
        if node.kind() != "parameter_list" {
            return self.types(node);
        }
        let first = children(node).first().and_then(|one| field(*one, "type"));
        first.map(|of| self.types(of)).unwrap_or_default()
    }

    /// Whether the last of several results is an error.
    fn fails(&self, node: Node<'_>) -> bool {
        let last = children(node).last().copied().filter(|_| node.kind() == "parameter_list");
        let types = last.map(|one| self.types(field(one, "type").unwrap_or(one))).unwrap_or_default();
        types.last().is_some_and(|name| name == "error" || name.ends_with("Error") || name.ends_with("Err"))
    }

    /// A method, which is kept until its type is known.
    pub(super) fn method(&mut self, node: Node<'_>) {
        let receiver = field(node, "receiver").and_then(|all| children(all).first().copied());
        let name = receiver.and_then(|one| field(one, "name")).map(|one| self.reader.owned(one));
        let of = receiver.and_then(|one| field(one, "type")).map(|of| self.types(of)).unwrap_or_default();
        let around = std::mem::replace(&mut self.receiver, name.filter(|name| name != "_"));
        let function = self.deeper(|go| go.function(node));
        self.receiver = around;
        if let (Some(function), Some(of)) = (function, of.last()) {
            self.methods.push((of.clone(), Stmt { kind: StmtKind::Function(function), span: span(node) }));
        }
    }

    /// Gives the methods to their types; the type of some stands in another file.
    pub(super) fn assemble(&mut self, body: &mut Vec<Stmt>) {
        let mut places = HashMap::new();
        for (at, stmt) in body.iter().enumerate() {
            if let StmtKind::Class(class) = &stmt.kind {
                places.entry(class.name.clone()).or_insert(at);
            }
        }
        for (of, method) in std::mem::take(&mut self.methods) {
            let at = *places.entry(of.clone()).or_insert(body.len());
            if let Some(Stmt { kind: StmtKind::Class(class), .. }) = body.get_mut(at) {
                class.body.push(method);
                continue;
            }
            let at = method.span;
            let class = Class {
                name: of,
                span: at,
                bases: Vec::new(),
                interfaces: Vec::new(),
                body: vec![method],
                around: Vec::new(),
                safe: OnceLock::new(),
                form: Form::Part,
            };
            body.push(Stmt { kind: StmtKind::Class(class), span: at });
        }
    }

    pub(super) fn type_spec(&mut self, node: Node<'_>) -> Option<Class> {
        let name = field(node, "name")?;
        let of = field(node, "type")?;
        let mut class = Class {
            name: self.reader.owned(name),
            span: span(name),
            bases: Vec::new(),
            interfaces: Vec::new(),
            body: Vec::new(),
            around: Vec::new(),
            safe: OnceLock::new(),
            form: Form::Whole,
        };
        match of.kind() {
            "interface_type" => class.form = Form::Interface,
            "struct_type" => {
                for member in children(of).into_iter().flat_map(children) {
                    let types = field(member, "type").map(|of| self.types(of)).unwrap_or_default();
                    let names = fields(member, "name");
                    if names.is_empty() {
                        // What is embedded gives its methods.
                        class.bases.extend(types.last().map(|base| Expr::new(Kind::Name(base.clone()), span(member))));
                    }
                    for name in names {
                        let target = Expr::new(Kind::Name(self.reader.owned(name)), span(name));
                        let kind = StmtKind::Assign { targets: vec![target], value: None, types: types.clone() };
                        class.body.push(Stmt { kind, span: span(member) });
                    }
                }
            }
            // A text under another name.
            _ => {
                let types = self.types(of);
                class.bases.extend(types.last().map(|base| Expr::new(Kind::Name(base.clone()), span(of))));
            }
        }
        Some(class)
    }

    /// Another name for a type.
    pub(super) fn alias(&mut self, node: Node<'_>) -> StmtKind {
        let target = self.field_expr(node, "name");
        let value = field(node, "type").map(|of| self.expr(of));
        StmtKind::Assign { targets: vec![target], value, types: Vec::new() }
    }

    /// The names in a type; what holds many of another type is called by what it is.
    pub(super) fn types(&self, node: Node<'_>) -> Vec<String> {
        let mut node = node;
        loop {
            let inner = match node.kind() {
                "pointer_type" | "parenthesized_type" => children(node).first().copied(),
                "generic_type" => field(node, "type"),
                "type_identifier" | "qualified_type" => {
                    return names_below(&self.reader, node, &["type_identifier", "package_identifier"]);
                }
                kind => return vec![kind.to_owned()],
            };
            match inner {
                Some(inner) => node = inner,
                None => return Vec::new(),
            }
        }
    }
}
