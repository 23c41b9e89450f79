//! Go sources.

mod definition;
mod expression;

use std::collections::HashSet;

use tree_sitter::Node;

use crate::{
    reader::{Grammar, Reader, children, field, fields, other, span},
    syntax::{Arm, Expr, Import, Kind, Module, Stmt, StmtKind},
};

/// What a tree says.
pub(crate) fn module(root: Node<'_>, source: &str) -> Module {
    let mut go = Go {
        reader: Reader::new(source),
        receiver: None,
        results: Results::default(),
        methods: Vec::new(),
        assigned: HashSet::new(),
        functions: Vec::new(),
        shared: HashSet::new(),
    };
    let mut body = go.block(root);
    go.assemble(&mut body);
    let clause = children(root).into_iter().find(|one| one.kind() == "package_clause");
    let package = clause.and_then(|one| children(one).first().map(|name| go.reader.owned(*name)));
    let assigned = std::mem::take(&mut go.assigned);
    let shared = std::mem::take(&mut go.shared);
    Module { package, assigned, shared, ..go.reader.module(body, root) }
}

struct Go<'s> {
    reader: Reader<'s>,
    /// What the method that is read calls its object.
    receiver: Option<String>,
    /// Results of the function that is read.
    results: Results,
    /// Methods of the file, with the types that have them.
    methods: Vec<(String, Stmt)>,
    /// Names that functions assign.
    assigned: HashSet<String>,
    /// What each of the functions that are read declares and assigns, from the outermost.
    functions: Vec<Own>,
    /// Names that functions inside of others assign and do not declare.
    shared: HashSet<String>,
}

/// Names of one function.
#[derive(Default)]
struct Own {
    declared: HashSet<String>,
    assigned: HashSet<String>,
}

/// What a function gives.
#[derive(Default)]
struct Results {
    /// Their names, if they have some.
    names: Vec<String>,
    /// Whether the last of several is an error.
    fails: bool,
    /// Lists of statements around, in this function.
    level: usize,
    /// Whether what was assigned last in this list is the first result, and not the error alone.
    answers: Option<bool>,
}

impl Results {
    /// Whether a return that names nothing is that of an error: so it is inside of a condition, unless an answer was assigned there.
    fn only_fail(&self) -> bool {
        self.fails && !self.answers.unwrap_or(self.level <= 1)
    }
}

impl<'s> Grammar<'s> for Go<'s> {
    fn reader(&mut self) -> &mut Reader<'s> {
        &mut self.reader
    }

    fn plain_statement(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        match node.kind() {
            "statement_list" => {
                self.deeper(|go| go.list(node, into));
            }
            "labeled_statement" => {
                let body = self.deeper(|go| {
                    let mut body = Vec::new();
                    for one in children(node) {
                        go.statement(one, &mut body);
                    }
                    body
                });
                let label = field(node, "label").map(|label| self.reader.owned(label)).unwrap_or_default();
                into.extend(body.map(|body| Stmt { kind: StmtKind::Label(label, body), span: span(node) }));
            }
            "import_spec_list" | "var_spec_list" => {
                self.deeper(|go| {
                    for one in children(node) {
                        go.statement(one, into);
                    }
                });
            }
            "const_declaration" => self.constants(node, into),
            "var_declaration" | "type_declaration" | "import_declaration" => {
                for one in children(node) {
                    self.statement(one, into);
                }
            }
            "var_spec" => {
                let types = field(node, "type").map(|of| self.types(of)).unwrap_or_default();
                let values = field(node, "value").map(children).unwrap_or_default();
                self.declares(&fields(node, "name"));
                self.assign(&fields(node, "name"), &values, &types, into);
            }
            "short_var_declaration" => {
                let left = field(node, "left").map(children).unwrap_or_default();
                let right = field(node, "right").map(children).unwrap_or_default();
                self.declares(&left);
                self.assign(&left, &right, &[], into);
            }
            "assignment_statement" => self.assignment(node, into),
            "return_statement" => self.returned(node, into),
            "method_declaration" => self.method(node),
            "package_clause" | "empty_statement" | "label_name" => {}
            _ => self.single(node, into),
        }
    }

    fn statement_kind(&mut self, node: Node<'_>) -> Option<StmtKind> {
        Some(match node.kind() {
            "expression_statement" => match children(node).as_slice() {
                [one] if self.panics(*one) => StmtKind::Throw(vec![self.expr(*one)]),
                [one] => StmtKind::Expr(self.expr(*one)),
                parts => StmtKind::Expr(other(self.exprs(parts), node)),
            },
            "inc_statement" | "dec_statement" => StmtKind::Bind(self.exprs(&children(node)), None),
            "send_statement" => StmtKind::Expr(other(self.exprs(&children(node)), node)),
            "defer_statement" | "go_statement" => StmtKind::Expr(other(self.exprs(&children(node)), node)),
            "if_statement" => self.condition(node),
            "for_statement" => self.repetition(node),
            "expression_switch_statement" => self.choice(node),
            "type_switch_statement" => self.type_choice(node),
            "select_statement" => self.select(node),
            "break_statement" => StmtKind::Break(children(node).first().map(|label| self.reader.owned(*label))),
            "continue_statement" | "goto_statement" => StmtKind::Continue,
            "function_declaration" => StmtKind::Function(self.function(node)),
            "type_spec" => StmtKind::Class(self.type_spec(node)?),
            "type_alias" => self.alias(node),
            "import_spec" => StmtKind::Import(self.import(node).into_iter().collect()),
            "block" | "ERROR" => StmtKind::Block(self.block(node)),
            "fallthrough_statement" => return None,
            _ => StmtKind::Expr(self.expr(node)),
        })
    }

    fn kind(&mut self, node: Node<'_>) -> Kind {
        self.expression_kind(node)
    }
}

impl Go<'_> {
    /// Statements of an arm, which stand beside what it is chosen by.
    fn arm(&mut self, node: Node<'_>) -> Vec<Stmt> {
        let mut body = Vec::new();
        for list in children(node).into_iter().filter(|one| one.kind() == "statement_list") {
            self.statement(list, &mut body);
        }
        body
    }

    fn panics(&self, node: Node<'_>) -> bool {
        node.kind() == "call_expression" && field(node, "function").is_some_and(|of| self.reader.text(of) == "panic")
    }

    /// Constants, of which one without a value has that of the one before it.
    fn constants(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        let mut last: (Vec<String>, Vec<Node<'_>>) = Default::default();
        for spec in children(node).into_iter().filter(|one| one.kind() == "const_spec") {
            if let Some(values) = field(spec, "value") {
                let mut types = vec!["const".to_owned()];
                types.extend(field(spec, "type").map(|of| self.types(of)).unwrap_or_default());
                last = (types, children(values));
            }
            self.assign(&fields(spec, "name"), &last.1, &last.0, into);
        }
    }

    fn assign(&mut self, targets: &[Node<'_>], values: &[Node<'_>], types: &[String], into: &mut Vec<Stmt>) {
        let push = |target: Expr, value: Option<Expr>, into: &mut Vec<Stmt>| {
            let at = target.span;
            into.push(Stmt {
                kind: StmtKind::Assign { targets: vec![target], value, types: types.to_vec() },
                span: at,
            });
        };
        match (targets, values) {
            (targets, []) => targets.iter().for_each(|one| push(self.expr(*one), None, into)),
            // The first of several results is what a call is about; the others are not followed.
            ([first, rest @ ..], [value]) => {
                if !rest.is_empty() {
                    into.push(Stmt { kind: StmtKind::Bind(self.exprs(rest), None), span: span(*first) });
                }
                push(self.expr(*first), Some(self.expr(*value)), into);
            }
            (targets, values) => {
                let known =
                    |value: &Node<'_>| targets.iter().any(|one| self.reader.text(*one) == self.reader.text(*value));
                // Values that change places are those from before.
                if values.iter().any(known) {
                    let at = targets.first().map(|one| span(*one)).unwrap_or_default();
                    let value = Expr::new(Kind::Other(self.exprs(values)), at);
                    into.push(Stmt { kind: StmtKind::Bind(self.exprs(targets), Some(value)), span: at });
                    return;
                }
                // The first comes last, so that nothing stands between it and its return.
                for (index, target) in targets.iter().enumerate().skip(1).chain(targets.iter().enumerate().take(1)) {
                    let value = values.get(index).map(|value| self.expr(*value));
                    push(self.expr(*target), value, into);
                }
            }
        }
    }

    /// Remembers what the function that is read declares.
    fn declares(&mut self, names: &[Node<'_>]) {
        if let Some(own) = self.functions.last_mut() {
            own.declared.extend(names.iter().map(|one| self.reader.owned(*one)));
        }
    }

    fn assignment(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        let left = field(node, "left").map(children).unwrap_or_default();
        let right = field(node, "right").map(children).unwrap_or_default();
        for one in &left {
            let name = if one.kind() == "selector_expression" { field(*one, "field") } else { Some(*one) };
            self.assigned.extend(name.map(|name| self.reader.owned(name)));
        }
        self.remember(&left);
        if let Some(own) = self.functions.last_mut() {
            own.assigned.extend(left.iter().map(|one| self.reader.owned(*one)));
        }
        if field(node, "operator").is_some_and(|one| one.kind() == "=") {
            self.assign(&left, &right, &[], into);
            return;
        }
        let value = Expr::new(Kind::Other(self.exprs(&right)), span(node));
        let kind = StmtKind::Bind(self.exprs(&left), Some(value));
        into.push(Stmt { kind, span: span(node) });
    }

    /// What is returned is the first result. Nothing, or a value without members, beside an error is no answer but the error.
    fn returned(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        let values = children(node).first().map(|list| children(*list)).unwrap_or_default();
        let at = span(node);
        let Some((first, rest)) = values.split_first() else {
            let named = self.results.names.first().map(|name| Expr::new(Kind::Name(name.clone()), at));
            let kind = if self.results.only_fail() { StmtKind::Throw(Vec::new()) } else { StmtKind::Return(named) };
            into.push(Stmt { kind, span: at });
            return;
        };
        let fails = self.results.fails && rest.last().is_some_and(|last| last.kind() != "nil");
        if fails && self.is_zero(*first) {
            into.push(Stmt { kind: StmtKind::Throw(self.exprs(rest)), span: at });
            return;
        }
        let rest: Vec<_> = rest.iter().filter(|one| !matches!(one.kind(), "nil" | "identifier")).copied().collect();
        if !rest.is_empty() {
            let value = other(self.exprs(&rest), node);
            into.push(Stmt { kind: StmtKind::Expr(value), span: at });
        }
        let value = self.expr(*first);
        into.push(Stmt { kind: StmtKind::Return(Some(value)), span: at });
    }

    /// Reads a list of statements, in which what is assigned before a return says what it is about.
    fn list(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        let around = (self.results.level, self.results.answers);
        self.results.level += 1;
        self.results.answers = None;
        for one in children(node) {
            self.statement(one, into);
        }
        (self.results.level, self.results.answers) = around;
    }

    /// Remembers which of the named results was assigned last.
    fn remember(&mut self, assigned: &[Node<'_>]) {
        let ([first, ..], [.., last]) = (self.results.names.as_slice(), self.results.names.as_slice()) else { return };
        let has = |name: &String| assigned.iter().any(|one| self.reader.text(*one) == name);
        if has(first) || has(last) {
            self.results.answers = Some(has(first));
        }
    }

    /// `nil`, or another value that says nothing.
    fn is_zero(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "nil" | "false" => true,
            "composite_literal" => field(node, "body").is_some_and(|body| children(body).is_empty()),
            _ => matches!(self.reader.text(node), "\"\"" | "``" | "0" | "0.0"),
        }
    }

    /// What runs before a statement, and the statement.
    fn after(&mut self, first: Option<Node<'_>>, node: Node<'_>, read: impl FnOnce(&mut Self) -> StmtKind) -> StmtKind {
        let mut before = Vec::new();
        if let Some(first) = first {
            self.statement(first, &mut before);
        }
        let kind = read(self);
        if before.is_empty() {
            return kind;
        }
        before.push(Stmt { kind, span: span(node) });
        StmtKind::Block(before)
    }

    fn condition(&mut self, node: Node<'_>) -> StmtKind {
        self.after(field(node, "initializer"), node, |go| go.branches(node))
    }

    fn branches(&mut self, node: Node<'_>) -> StmtKind {
        let mut all = vec![node];
        let mut here = node;
        let last = loop {
            match field(here, "alternative") {
                // What a later condition begins with runs after those before it.
                Some(next) if next.kind() == "if_statement" && field(next, "initializer").is_none() => {
                    all.push(next);
                    here = next;
                }
                last => break last,
            }
        };
        self.conditions(&all, last, Self::body)
    }

    fn repetition(&mut self, node: Node<'_>) -> StmtKind {
        let body = field(node, "body");
        let head = children(node).into_iter().find(|one| Some(*one) != body);
        let Some(head) = head else {
            let body = self.field_block(node, "body");
            return StmtKind::Loop {
                head: Vec::new(),
                targets: Vec::new(),
                body,
                otherwise: Vec::new(),
                endless: true,
            };
        };
        match head.kind() {
            "for_clause" => self.after(field(head, "initializer"), node, |go| {
                let condition = field(head, "condition");
                let mut body = go.field_block(node, "body");
                if let Some(update) = field(head, "update") {
                    go.statement(update, &mut body);
                }
                StmtKind::Loop {
                    head: condition.map(|one| go.expr(one)).into_iter().collect(),
                    targets: Vec::new(),
                    body,
                    otherwise: Vec::new(),
                    endless: condition.is_none(),
                }
            }),
            "range_clause" => {
                let targets = field(head, "left").map(children).unwrap_or_default();
                StmtKind::Loop {
                    head: field(head, "right").map(|one| self.expr(one)).into_iter().collect(),
                    targets: self.exprs(&targets),
                    body: self.field_block(node, "body"),
                    otherwise: Vec::new(),
                    endless: false,
                }
            }
            _ => StmtKind::Loop {
                endless: self.reader.text(head) == "true",
                head: vec![self.expr(head)],
                targets: Vec::new(),
                body: self.field_block(node, "body"),
                otherwise: Vec::new(),
            },
        }
    }

    fn choice(&mut self, node: Node<'_>) -> StmtKind {
        self.after(field(node, "initializer"), node, |go| {
            let subject = go.field_expr(node, "value");
            let mut arms = Vec::new();
            let mut complete = false;
            for clause in children(node) {
                if !matches!(clause.kind(), "expression_case" | "default_case") {
                    continue;
                }
                complete |= clause.kind() == "default_case";
                let patterns = field(clause, "value").map(children).unwrap_or_default();
                let last = children(clause).last().map(|list| children(*list)).unwrap_or_default();
                let falls = last.last().is_some_and(|one| one.kind() == "fallthrough_statement");
                arms.push(Arm { patterns: go.exprs(&patterns), body: go.arm(clause), falls });
            }
            StmtKind::Switch { subject, arms, complete }
        })
    }

    fn type_choice(&mut self, node: Node<'_>) -> StmtKind {
        self.after(field(node, "initializer"), node, |go| {
            let subject = go.field_expr(node, "value");
            let named = field(node, "alias").map(children).unwrap_or_default();
            let mut arms = Vec::new();
            let mut complete = false;
            for clause in children(node) {
                if !matches!(clause.kind(), "type_case" | "default_case") {
                    continue;
                }
                complete |= clause.kind() == "default_case";
                let mut body = Vec::new();
                if !named.is_empty() {
                    body.push(Stmt { kind: StmtKind::Bind(go.exprs(&named), None), span: span(clause) });
                }
                body.extend(go.arm(clause));
                arms.push(Arm { patterns: Vec::new(), body, falls: false });
            }
            StmtKind::Switch { subject, arms, complete }
        })
    }

    /// It waits until one of its arms runs.
    fn select(&mut self, node: Node<'_>) -> StmtKind {
        let mut arms = Vec::new();
        for clause in children(node) {
            let mut body = Vec::new();
            if let Some(one) = field(clause, "communication") {
                let parts = field(one, "right").map_or_else(|| children(one), |right| vec![right]);
                let value = other(self.exprs(&parts), one);
                let targets = field(one, "left").map(children).unwrap_or_default();
                body.push(Stmt { kind: StmtKind::Bind(self.exprs(&targets), Some(value)), span: span(one) });
            }
            body.extend(self.arm(clause));
            arms.push(Arm { patterns: Vec::new(), body, falls: false });
        }
        StmtKind::Switch { subject: other(Vec::new(), node), arms, complete: true }
    }

    fn import(&mut self, node: Node<'_>) -> Option<Import> {
        let path = field(node, "path")?;
        let content = children(path).first().copied()?;
        let module = self.reader.owned(content);
        let name = field(node, "name");
        match name.map(|one| one.kind()) {
            Some("dot") => {
                self.reader.stars.push(module);
                None
            }
            Some("blank_identifier") => None,
            _ => {
                let local = name.map_or_else(|| last_of(&module).to_owned(), |one| self.reader.owned(one));
                Some(Import { local, module, name: None })
            }
        }
    }
}

/// What a package is called by its path; a last part such as `v2` says which edition of it.
fn last_of(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let last = parts.next().unwrap_or_default();
    let edition =
        last.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|one| one.is_ascii_digit()));
    if edition { parts.next().unwrap_or(last) } else { last }
}
