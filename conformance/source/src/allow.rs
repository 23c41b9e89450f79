//! Comments that allow a finding where it stands: `# assize: allow LAW reason`.

use tree_sitter::Node;

use crate::{Place, place, syntax::Span};

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

const MARK: &str = "assize: allow ";

/// All such comments of a file. One that has a line to itself is about the next line that is no comment.
pub(crate) fn comments(root: Node<'_>, text: &str, file: &str) -> Vec<Allow> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices(MARK) {
        let node = root.descendant_for_byte_range(start, start + MARK.len());
        let Some(node) = node.filter(|node| node.kind().ends_with("comment")) else { continue };
        let rest = text.get(start + MARK.len()..node.end_byte()).unwrap_or_default();
        let said = rest.lines().next().unwrap_or_default().trim_end_matches("*/").trim();
        let (law, reason) = said.split_once(char::is_whitespace).unwrap_or((said, ""));
        let row = node.start_position().row;
        let own = text.lines().nth(row).unwrap_or_default().trim_start();
        let alone = own.starts_with(['#', '/']);
        let line = if alone { next_line(text, node.end_position().row) } else { row + 1 };
        found.push(Allow {
            law: law.to_owned(),
            reason: reason.trim().to_owned(),
            line,
            place: place::within(text, file, Span { start: node.start_byte(), end: node.end_byte() }),
        });
    }
    found
}

/// The number of the next line that says something.
fn next_line(text: &str, row: usize) -> usize {
    let after = text.lines().enumerate().skip(row + 1);
    let says = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with(['#', '/', '*']);
    after.into_iter().find(|(_, line)| says(line)).map_or(row + 2, |(index, _)| index + 1)
}
