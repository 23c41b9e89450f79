//! Comments that allow a finding where it stands: `# assize: allow LAW reason`.

use tree_sitter::Node;

use crate::{Place, place::Lines, reader::span, syntax::Span};

/// A comment that allows one law at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Allow {
    /// The law that it names, as it is written.
    pub law: String,
    /// Why; empty where nothing is said, and then nothing is allowed.
    pub reason: String,
    /// The line of the finding.
    pub line: usize,
    /// Where the comment stands.
    pub place: Place,
}

/// The same, wherever the file lies.
#[derive(Debug)]
pub(crate) struct Remark {
    pub(crate) law: String,
    pub(crate) reason: String,
    pub(crate) line: usize,
    pub(crate) span: Span,
}

const MARK: &str = "assize: allow ";

/// All such comments of a file. One that has a line to itself is about the next line that is no comment.
pub(crate) fn comments(root: Node<'_>, text: &str, lines: &Lines) -> Vec<Remark> {
    let mut found = Vec::new();
    if !text.contains(MARK) {
        return found;
    }
    let says = says(text, lines);
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.kind().ends_with("comment") {
            let whole = text.get(node.byte_range()).unwrap_or_default();
            let own = lines.line(text, node.start_position().row).trim_start();
            let alone = own.starts_with(['#', '/']);
            let after = node.end_position().row + 1;
            let next = says.get(after).copied().unwrap_or(after) + 1;
            let line = if alone { next } else { node.start_position().row + 1 };
            for (start, _) in whole.match_indices(MARK) {
                let rest = whole.get(start + MARK.len()..).unwrap_or_default();
                let said = rest.lines().next().unwrap_or_default().trim_end_matches("*/").trim();
                let (law, reason) = said.split_once(char::is_whitespace).unwrap_or((said, ""));
                let (law, reason) = (law.to_owned(), reason.trim().to_owned());
                found.push(Remark { law, reason, line, span: span(node) });
            }
        } else if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// For each line, itself or the next one after it that says something; the line itself where none does.
fn says(text: &str, lines: &Lines) -> Vec<usize> {
    let mut all: Vec<_> = (0..lines.count()).collect();
    let mut next = None;
    for (row, one) in all.iter_mut().enumerate().rev() {
        let line = lines.line(text, row).trim_start();
        if !line.is_empty() && !line.starts_with(['#', '/', '*']) {
            next = Some(row);
        }
        *one = next.unwrap_or(row);
    }
    all
}
