//! What the readers of all languages share: nodes, texts, and a bound on the depth.

use std::collections::{HashMap, HashSet};

use tree_sitter::{Node, TreeCursor};

use crate::syntax::{Argument, Branch, Call, Expr, Kind, LONGEST, Module, Parameter, Span, Stmt, StmtKind, chain};

/// Levels that are followed.
const DEEPEST: usize = 600;

/// A source while it is read.
pub(crate) struct Reader<'s> {
    source: &'s str,
    depth: usize,
    too_deep: bool,
    /// Whether the function that is read yields.
    pub(crate) yields: bool,
    /// Modules whose names are all taken over.
    pub(crate) stars: Vec<String>,
    /// Names that the expressions of the statement bind.
    pub(crate) bound: Vec<Expr>,
    /// Names that were compared with nothing, and how many comparisons there were by then.
    compared: HashMap<String, usize>,
    comparisons: usize,
}

/// What readers of all languages do alike: statements and expressions, one in the other as deep as they are followed.
pub(crate) trait Grammar<'s>: Sized {
    /// What holds several statements where one may stand.
    const BLOCKS: &'static [&'static str] = &["block"];

    fn reader(&mut self) -> &mut Reader<'s>;

    /// What stands at one node: one statement, several, or none.
    fn plain_statement(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        self.single(node, into);
    }

    /// What one statement is; none where it says nothing that is followed.
    fn statement_kind(&mut self, node: Node<'_>) -> Option<StmtKind>;

    /// What an expression is.
    fn kind(&mut self, node: Node<'_>) -> Kind;

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let value = self.reader().enter().then(|| read(self))?;
        self.reader().leave();
        Some(value)
    }

    fn block(&mut self, node: Node<'_>) -> Vec<Stmt> {
        let mut body = Vec::new();
        for child in children(node) {
            self.statement(child, &mut body);
        }
        body
    }

    fn field_block(&mut self, node: Node<'_>, name: &str) -> Vec<Stmt> {
        field(node, name).map(|body| self.block(body)).unwrap_or_default()
    }

    /// One statement where a block may stand.
    fn body(&mut self, node: Node<'_>) -> Vec<Stmt> {
        if Self::BLOCKS.contains(&node.kind()) {
            return self.block(node);
        }
        let mut body = Vec::new();
        self.statement(node, &mut body);
        body
    }

    fn field_body(&mut self, node: Node<'_>, name: &str) -> Vec<Stmt> {
        field(node, name).map(|body| self.body(body)).unwrap_or_default()
    }

    /// What a function literal does: the statements of its block, or the return of its one value.
    fn block_or_value(&mut self, node: Node<'_>) -> Vec<Stmt> {
        match field(node, "body") {
            Some(block) if Self::BLOCKS.contains(&block.kind()) => self.block(block),
            Some(value) => {
                let value = self.expr(value);
                let at = value.span;
                vec![Stmt { kind: StmtKind::Return(Some(value)), span: at }]
            }
            None => Vec::new(),
        }
    }

    /// The one statement at a node, if it is one.
    fn single(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        let kind = self.deeper(|grammar| grammar.statement_kind(node)).flatten();
        into.extend(kind.map(|kind| Stmt { kind, span: span(node) }));
    }

    fn statement(&mut self, node: Node<'_>, into: &mut Vec<Stmt>) {
        let around = std::mem::take(&mut self.reader().bound);
        let start = into.len();
        self.plain_statement(node, into);
        let bound = std::mem::replace(&mut self.reader().bound, around);
        // What an expression binds may be anything from here on.
        if !bound.is_empty() {
            into.insert(start, Stmt { kind: StmtKind::Bind(bound, None), span: span(node) });
        }
    }

    fn expr(&mut self, node: Node<'_>) -> Expr {
        let kind = self.deeper(|grammar| grammar.kind(node)).unwrap_or_else(|| Kind::Other(Vec::new()));
        Expr::new(kind, span(node))
    }

    fn exprs(&mut self, nodes: &[Node<'_>]) -> Vec<Expr> {
        nodes.iter().map(|node| self.expr(*node)).collect()
    }

    /// Operands and their operator, as Go, Java and TypeScript spell it; what a language lacks never comes.
    fn binary(&mut self, node: Node<'_>) -> Kind {
        let due = field(node, "operator").map(|operator| operator.kind()).unwrap_or_default();
        let parts = self.exprs(&operands(node));
        match due {
            "+" => Kind::Sum(parts),
            "&&" | "||" | "??" => Kind::Either(parts),
            "==" | "===" | "!=" | "!==" | "<" | "<=" | ">" | ">=" => {
                self.reader().compares(&parts);
                Kind::Compare(parts)
            }
            _ => Kind::Other(parts),
        }
    }

    fn field_expr(&mut self, node: Node<'_>, name: &str) -> Expr {
        match field(node, name) {
            Some(inner) => self.expr(inner),
            None => other(Vec::new(), node),
        }
    }

    /// Conditions of which each is asked if those before it do not hold, with what is done if none does.
    fn conditions(
        &mut self,
        all: &[Node<'_>],
        last: Option<Node<'_>>,
        body: fn(&mut Self, Node<'_>) -> Vec<Stmt>,
    ) -> StmtKind {
        let nested = all.len() <= LONGEST;
        let mut branches = Vec::with_capacity(all.len());
        for (index, one) in all.iter().enumerate() {
            let levels = if nested { index } else { 0 };
            self.reader().sink(levels);
            branches.push(Branch {
                condition: self.field_expr(*one, "condition"),
                then: field(*one, "consequence").map(|then| body(self, then)).unwrap_or_default(),
                span: span(*one),
            });
            self.reader().rise(levels);
        }
        let levels = if nested { branches.len() } else { 0 };
        self.reader().sink(levels);
        let last = last.map(|last| body(self, last));
        self.reader().rise(levels);
        chain(branches, last)
    }
}

impl<'s> Reader<'s> {
    pub(crate) fn new(source: &'s str) -> Self {
        Self {
            source,
            depth: 0,
            too_deep: false,
            yields: false,
            stars: Vec::new(),
            bound: Vec::new(),
            compared: HashMap::new(),
            comparisons: 0,
        }
    }

    /// Remembers what is compared with nothing.
    pub(crate) fn compares(&mut self, parts: &[Expr]) {
        if parts.iter().any(|one| matches!(one.plain().kind, Kind::Nothing)) {
            parts.iter().for_each(|one| self.may_be_missing(one));
        }
    }

    /// Remembers what somebody expects to be missing.
    pub(crate) fn may_be_missing(&mut self, value: &Expr) {
        if let Some(name) = value.as_name() {
            self.comparisons += 1;
            self.compared.insert(name.to_owned(), self.comparisons);
        }
    }

    /// Comparisons so far.
    pub(crate) fn comparisons(&self) -> usize {
        self.comparisons
    }

    /// One that was compared with nothing since then may be made.
    pub(crate) fn mark_optional(&self, parameters: &mut [Parameter], since: usize) {
        for one in parameters {
            one.optional |= self.compared.get(&one.name).is_some_and(|last| *last > since);
        }
    }

    /// What was read of a whole source.
    pub(crate) fn module(self, body: Vec<Stmt>, root: Node<'_>) -> Module {
        Module {
            body,
            package: None,
            assigned: HashSet::new(),
            shared: HashSet::new(),
            stars: self.stars,
            whole: !root.has_error(),
            too_deep: self.too_deep,
        }
    }

    pub(crate) fn text(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    pub(crate) fn owned(&self, node: Node<'_>) -> String {
        self.text(node).to_owned()
    }

    /// Goes one level down, unless that is too deep; then it is not to be left either.
    pub(crate) fn enter(&mut self) -> bool {
        let room = self.depth < DEEPEST;
        self.depth += usize::from(room);
        self.too_deep |= !room;
        room
    }

    /// Goes back up.
    pub(crate) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Stands that many levels further down for a while; whoever asks goes up by the same number.
    pub(crate) fn sink(&mut self, levels: usize) {
        self.depth = self.depth.saturating_add(levels);
    }

    /// Goes up again.
    pub(crate) fn rise(&mut self, levels: usize) {
        self.depth = self.depth.saturating_sub(levels);
    }

    /// A literal without what surrounds it; none if something in it is escaped.
    pub(crate) fn literal(&self, node: Node<'_>, content: &str) -> Option<String> {
        let mut text = String::new();
        for child in children(node) {
            if child.kind() == content {
                if child.named_child_count() > 0 {
                    return None;
                }
                text.push_str(self.text(child));
            } else if child.is_named() && !matches!(child.kind(), "string_start" | "string_end") {
                return None;
            }
        }
        Some(text)
    }
}

/// The children that are more than punctuation, comments left out.
pub(crate) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let children = node.named_children(&mut cursor);
    children.filter(|child| !child.kind().ends_with("comment")).collect()
}

/// All children of a field.
pub(crate) fn fields<'t>(node: Node<'t>, name: &str) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.children_by_field_name(name, &mut cursor).filter(|child| child.is_named()).collect()
}

pub(crate) fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

pub(crate) fn span(node: Node<'_>) -> Span {
    Span { start: node.start_byte(), end: node.end_byte() }
}

/// A node that stands for nothing that is followed.
pub(crate) fn other(parts: Vec<Expr>, node: Node<'_>) -> Expr {
    Expr::new(Kind::Other(parts), span(node))
}

/// Types without a name of their own, which hold or give what they name.
const HOLDERS: [&str; 4] = ["array_type", "tuple_type", "function_type", "object_type"];

/// The names in a type, in order, each once it stands there.
pub(crate) fn names_below(reader: &Reader<'_>, node: Node<'_>, kinds: &[&str]) -> Vec<String> {
    let mut names = Vec::new();
    let mut cursor: TreeCursor<'_> = node.walk();
    // Without recursion, since a type may be nested as deeply as anything else.
    loop {
        let here = cursor.node();
        if names.len() < 32 {
            if kinds.contains(&here.kind()) {
                names.push(reader.owned(here));
            } else if HOLDERS.contains(&here.kind()) {
                names.push(here.kind().to_owned());
            }
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return names;
            }
        }
    }
}

/// A text into which values are put by a pattern whose only marks are these, or else the call that puts them in.
pub(crate) fn formatted(callee: Expr, mut arguments: Vec<Argument>, marks: &[&str]) -> Kind {
    let plain = !arguments.iter().any(|one| one.spread);
    let pattern = arguments.first().and_then(|one| match &one.value.kind {
        Kind::Text(text) => Some((text.clone(), one.value.span)),
        _ => None,
    });
    let Some((text, at)) = pattern.filter(|(text, _)| plain && text.matches('%').count() + 1 == arguments.len()) else {
        return Kind::Call(Box::new(Call { callee, arguments }));
    };
    let mut texts = Vec::new();
    for (index, part) in text.split('%').enumerate() {
        // Each part but the first begins with the rest of a mark.
        let rest =
            if index == 0 { Some(part) } else { marks.iter().find_map(|mark| part.strip_prefix(mark.get(1..)?)) };
        let Some(rest) = rest else { return Kind::Call(Box::new(Call { callee, arguments })) };
        texts.push(Expr::new(Kind::Text(rest.to_owned()), at));
    }
    let mut parts = Vec::new();
    let mut values = arguments.drain(1..);
    for text in texts {
        parts.push(text);
        parts.extend(values.next().map(|one| one.value));
    }
    Kind::Template(parts)
}

/// The operands of one operator from the first to the last, however often it stands there.
pub(crate) fn operands(node: Node<'_>) -> Vec<Node<'_>> {
    let operator = |node: Node<'_>| field(node, "operator").map(|operator| operator.kind());
    let due = operator(node);
    let mut parts = Vec::new();
    let mut here = node;
    loop {
        parts.extend(field(here, "right"));
        match field(here, "left") {
            Some(left) if left.kind() == node.kind() && operator(left) == due => here = left,
            left => {
                parts.extend(left);
                parts.reverse();
                return parts;
            }
        }
    }
}
