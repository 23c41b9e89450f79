//! Methods, classes and enumerations of Java.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, OnceLock},
};

use tree_sitter::Node;

use super::Java;
use crate::{
    names::LATER,
    reader::{Grammar as _, children, field, fields, names_below, span},
    syntax::{Class, Expr, Form, Function, Kind, Parameter, Stmt, StmtKind},
};

impl<'s> Java<'s> {
    pub(super) fn function(&mut self, node: Node<'_>) -> Function {
        let name = field(node, "name");
        let body = field(node, "body");
        let mut parameters = field(node, "parameters").map(|all| self.parameters(all)).unwrap_or_default();
        let before = self.reader.comparisons();
        self.locals.push(BTreeSet::new());
        let statements = body.map(|body| self.block(body)).unwrap_or_default();
        let locals = self.declared();
        self.reader.mark_optional(&mut parameters, before);
        let decorators = self.annotations(node);
        // A constructor has the name of its class, which it is not.
        let named = name.filter(|_| node.kind() == "method_declaration");
        Function {
            name: named.map(|name| self.reader.owned(name)).unwrap_or_default(),
            returns: field(node, "type").map(|of| self.result(of)).unwrap_or_default(),
            locals,
            decorators,
            ..Function::nameless(span(name.unwrap_or(node)), parameters, statements)
        }
    }

    pub(super) fn lambda(&mut self, node: Node<'_>) -> Function {
        self.locals.push(BTreeSet::new());
        let body = self.block_or_value(node);
        let locals = self.declared();
        let parameters = match field(node, "parameters") {
            Some(one) if one.kind() == "identifier" => vec![self.untyped(one)],
            Some(all) if all.kind() == "inferred_parameters" => {
                children(all).into_iter().map(|one| self.untyped(one)).collect()
            }
            Some(all) => self.parameters(all),
            None => Vec::new(),
        };
        Function { locals, ..Function::nameless(span(node), parameters, body) }
    }

    /// Remembers a name that the function declares which is read.
    pub(super) fn declares(&mut self, name: Option<Node<'_>>) {
        let name = name.map(|name| self.reader.owned(name));
        if let Some(own) = self.locals.last_mut() {
            own.extend(name);
        }
    }

    /// What the function has declared that was read.
    fn declared(&mut self) -> Vec<String> {
        self.locals.pop().into_iter().flatten().collect()
    }

    fn untyped(&self, node: Node<'_>) -> Parameter {
        Parameter { name: self.reader.owned(node), types: Vec::new(), member: false, optional: false }
    }

    fn parameters(&self, node: Node<'_>) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for one in children(node) {
            let (name, types) = match one.kind() {
                "formal_parameter" => {
                    let types = field(one, "type").map(|of| self.types(of)).unwrap_or_default();
                    (field(one, "name"), types)
                }
                "spread_parameter" => {
                    let declared = children(one).into_iter().find(|part| part.kind() == "variable_declarator");
                    (declared.and_then(|part| field(part, "name")), vec!["array_type".to_owned()])
                }
                _ => continue,
            };
            if let Some(name) = name {
                parameters.push(Parameter { name: self.reader.owned(name), types, member: false, optional: false });
            }
        }
        parameters
    }

    /// What is written above a class or a method.
    fn annotations(&mut self, node: Node<'_>) -> Vec<Expr> {
        let modifiers = children(node).into_iter().filter(|one| one.kind() == "modifiers");
        let all: Vec<_> = modifiers.flat_map(children).filter(|one| one.kind().ends_with("annotation")).collect();
        self.exprs(&all)
    }

    pub(super) fn class(&mut self, node: Node<'_>) -> Class {
        let name = field(node, "name");
        let (mut bases, mut interfaces) = (Vec::new(), Vec::new());
        for part in children(node) {
            let listed = children(part).into_iter();
            let all = listed.flat_map(|one| if one.kind() == "type_list" { children(one) } else { vec![one] });
            match part.kind() {
                "superclass" => bases.extend(all.map(|one| self.expr(one))),
                "super_interfaces" | "extends_interfaces" => interfaces.extend(all.map(|one| self.expr(one))),
                _ => {}
            }
        }
        let interface = node.kind() == "interface_declaration";
        let mut body = Vec::new();
        // The members of a record stand in its head.
        for one in field(node, "parameters").map(|all| self.parameters(all)).unwrap_or_default() {
            let target = Expr::new(Kind::Name(one.name), span(node));
            let kind = StmtKind::Assign { targets: vec![target], value: None, types: one.types };
            body.push(Stmt { kind, span: span(node) });
        }
        if let Some(inner) = field(node, "body") {
            self.members(inner, &mut body);
        }
        Class {
            name: name.map(|name| self.reader.owned(name)).unwrap_or_default(),
            span: span(name.unwrap_or(node)),
            bases,
            interfaces,
            body,
            around: self.annotations(node),
            safe: OnceLock::new(),
            form: if interface { Form::Interface } else { Form::Whole },
        }
    }

    /// What stands in the body of a class.
    pub(super) fn members(&mut self, body: Node<'_>, into: &mut Vec<Stmt>) {
        for one in children(body) {
            if one.kind() == "method_declaration" {
                let function = self.deeper(|java| java.function(one));
                into.extend(function.map(|function| Stmt { kind: StmtKind::Function(function), span: span(one) }));
            } else {
                self.statement(one, into);
            }
        }
    }

    /// A member of a class. One that may change has its type alone.
    pub(super) fn member(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        let modifiers = children(node).into_iter().find(|one| one.kind() == "modifiers");
        let modifiers = modifiers.map(|one| self.reader.text(one)).unwrap_or_default();
        let has = |word: &str| modifiers.split_whitespace().any(|one| one == word);
        let constant = node.kind() == "constant_declaration";
        let mut types = Vec::new();
        if constant || has("static") {
            types.push("static".to_owned());
        }
        types.extend(field(node, "type").map(|of| self.types(of)).unwrap_or_default());
        for one in fields(node, "declarator") {
            if constant || has("final") {
                self.declarator(one, &types, into);
                continue;
            }
            let target = self.field_expr(one, "name");
            let kind = StmtKind::Assign { targets: vec![target], value: None, types: types.clone() };
            into.push(Stmt { kind, span: span(one) });
            let value = field(one, "value").map(|value| self.expr(value));
            into.extend(value.map(|value| Stmt { kind: StmtKind::Expr(value), span: span(one) }));
        }
    }

    /// An enumeration is a class whose members are its constants.
    pub(super) fn enumeration(&mut self, node: Node<'_>) -> Class {
        let name = field(node, "name");
        let inner = field(node, "body").map(children).unwrap_or_default();
        let rest: Vec<_> = inner.iter().filter(|one| one.kind() == "enum_body_declarations").copied().collect();
        let members = Arc::new(self.made(&rest));
        let none = Arc::default();
        let mut body = Vec::new();
        for one in inner.into_iter().filter(|one| one.kind() == "enum_constant") {
            let target = self.field_expr(one, "name");
            let arguments = field(one, "arguments").map(children).unwrap_or_default();
            // What the body of a constant does may be anything.
            let known = if field(one, "body").is_some() { &none } else { &members };
            let value = Expr::new(Kind::Constant(Arc::clone(known), self.exprs(&arguments)), span(one));
            let kind = StmtKind::Assign { targets: vec![target], value: Some(value), types: Vec::new() };
            body.push(Stmt { kind, span: span(one) });
            if let Some(own) = field(one, "body") {
                self.members(own, &mut body);
            }
        }
        for one in rest {
            self.members(one, &mut body);
        }
        Class {
            name: name.map(|name| self.reader.owned(name)).unwrap_or_default(),
            span: span(name.unwrap_or(node)),
            bases: Vec::new(),
            interfaces: Vec::new(),
            body,
            around: self.annotations(node),
            safe: OnceLock::new(),
            form: Form::Whole,
        }
    }

    /// Which parameter of its constructor each member of an enumeration is, and each method that gives such a member.
    fn made(&self, rest: &[Node<'_>]) -> HashMap<String, usize> {
        let declared: Vec<_> = rest.iter().flat_map(|one| children(*one)).collect();
        let constructors: Vec<_> = declared.iter().filter(|one| one.kind() == "constructor_declaration").collect();
        // Which of several constructors is called is not followed.
        let [one] = constructors.as_slice() else { return HashMap::new() };
        let parameters = field(**one, "parameters").map(|all| self.parameters(all)).unwrap_or_default();
        let places: HashMap<_, _> = parameters.iter().enumerate().map(|(at, one)| (one.name.as_str(), at)).collect();
        let taken = field(**one, "body").map(|body| self.taken(body)).unwrap_or_default();
        let taken = taken.into_iter().filter_map(|(member, of)| Some((member, *places.get(of.as_str())?)));
        let mut members: HashMap<String, usize> = taken.collect();
        let given = declared.iter().filter_map(|one| self.gives(*one));
        let given: Vec<_> = given.filter_map(|(method, of)| Some((method, *members.get(of)?))).collect();
        members.extend(given.into_iter().map(|(method, at)| (format!("{method}()"), at)));
        members
    }

    /// The members that a constructor takes over from its parameters.
    fn taken(&self, body: Node<'_>) -> Vec<(String, String)> {
        let taken = children(body).into_iter().filter_map(|stmt| {
            let assignment = children(stmt).first().copied().filter(|one| one.kind() == "assignment_expression")?;
            let own = |one: &Node<'_>| field(*one, "object").is_some_and(|of| of.kind() == "this");
            let left = field(assignment, "left").filter(own)?;
            let right = field(assignment, "right").filter(|one| one.kind() == "identifier")?;
            let name = field(left, "field")?;
            Some((self.reader.owned(name), self.reader.owned(right)))
        });
        taken.collect()
    }

    /// The name of a method that does nothing but give a member, and that member.
    fn gives(&self, node: Node<'_>) -> Option<(&'s str, &'s str)> {
        let name = field(node, "name").filter(|_| node.kind() == "method_declaration")?;
        let body = children(field(node, "body")?);
        let [only] = body.as_slice() else { return None };
        let value = children(*only).first().copied().filter(|_| only.kind() == "return_statement")?;
        let given = self.reader.text(value);
        Some((self.reader.text(name), given.strip_prefix("this.").unwrap_or(given)))
    }

    /// The names in a type; what holds others is called by what it is.
    pub(super) fn types(&self, node: Node<'_>) -> Vec<String> {
        let mut node = node;
        loop {
            let inner = match node.kind() {
                "annotated_type" => children(node).last().copied(),
                "generic_type" => children(node).first().copied(),
                "type_identifier" if self.reader.text(node) == "var" => return Vec::new(),
                "type_identifier" | "scoped_type_identifier" => {
                    return names_below(&self.reader, node, &["type_identifier"]);
                }
                "array_type" => return vec!["array_type".to_owned()],
                _ => return vec![self.reader.owned(node)],
            };
            match inner {
                Some(inner) => node = inner,
                None => return Vec::new(),
            }
        }
    }

    /// The type of what a method gives, sooner or later.
    fn result(&self, node: Node<'_>) -> Vec<String> {
        if node.kind() == "void_type" {
            return Vec::new();
        }
        let types = self.types(node);
        if !types.last().is_some_and(|name| LATER.iter().any(|(later, _)| later == name)) {
            return types;
        }
        let inner = children(node).into_iter().find(|one| one.kind() == "type_arguments");
        let inner = inner.and_then(|one| children(one).first().copied());
        inner.map(|one| self.types(one)).unwrap_or(types)
    }
}
