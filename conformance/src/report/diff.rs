//! Two values side by side, so that a reader sees where they differ.

use assize_corpus::node::Node;
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::clean::clean;

/// One line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Line {
    /// Which value it belongs to.
    pub(super) side: Side,
    /// What both lines have before they differ, where this one has a counterpart.
    pub(super) before: String,
    /// Where they differ.
    pub(super) parts: String,
    /// What both have after that.
    pub(super) after: String,
}

/// Which value a line belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    /// Both.
    Same,
    /// What was expected.
    Expected,
    /// What came.
    Actual,
}

/// Longest value that is compared, in bytes of its lines; what is longer is cut.
const LONGEST: usize = 16 << 10;
/// Most lines on one side that are compared line by line.
const MOST: usize = 400;

/// The lines of both values, and whether something was cut.
pub(super) fn diff(expected: Option<&Node>, actual: Option<&Node>) -> (Vec<Line>, bool) {
    let ((old, cut), (new, cut_too)) = (shown(expected), shown(actual));
    let mut lines = Vec::new();
    for step in steps(&old, &new) {
        let (old, new) = (old.get(step.old_range()).unwrap_or_default(), new.get(step.new_range()).unwrap_or_default());
        match step {
            DiffOp::Equal { .. } => lines.extend(old.iter().map(|line| whole(Side::Same, line))),
            _ => changed(old, new, &mut lines),
        }
    }
    (lines, cut || cut_too)
}

fn whole(side: Side, line: &str) -> Line {
    Line { side, before: line.to_owned(), parts: String::new(), after: String::new() }
}

/// Common lines and what is between them.
fn steps(old: &[String], new: &[String]) -> Vec<DiffOp> {
    if old.len() > MOST || new.len() > MOST {
        return vec![DiffOp::Replace { old_index: 0, old_len: old.len(), new_index: 0, new_len: new.len() }];
    }
    capture_diff_slices(Algorithm::Lcs, old, new)
}

/// Lines without a common one: those with a counterpart are marked where they differ, the others as a whole.
fn changed(old: &[String], new: &[String], lines: &mut Vec<Line>) {
    for (side, these, others) in [(Side::Expected, old, new), (Side::Actual, new, old)] {
        for (place, line) in these.iter().enumerate() {
            match others.get(place) {
                Some(other) => lines.push(marked(side, line, other)),
                None => lines.push(Line { before: String::new(), parts: line.clone(), ..whole(side, "") }),
            }
        }
    }
}

fn marked(side: Side, line: &str, other: &str) -> Line {
    let before: usize =
        line.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(letter, _)| letter.len_utf8()).sum();
    let (rest, other) = (line.get(before..).unwrap_or_default(), other.get(before..).unwrap_or_default());
    let after: usize = rest
        .chars()
        .rev()
        .zip(other.chars().rev())
        .take_while(|(a, b)| a == b)
        .map(|(letter, _)| letter.len_utf8())
        .sum();
    let end = rest.len() - after;
    Line {
        side,
        before: line.get(..before).unwrap_or_default().to_owned(),
        parts: rest.get(..end).unwrap_or_default().to_owned(),
        after: rest.get(end..).unwrap_or_default().to_owned(),
    }
}

/// The lines of a value, clean, and whether it was cut.
fn shown(node: Option<&Node>) -> (Vec<String>, bool) {
    let Some(node) = node else {
        return (Vec::new(), false);
    };
    let (mut lines, mut left) = (Vec::new(), LONGEST);
    let text = pretty(node);
    for line in text.lines() {
        let line = clean(line);
        if line.len() > left {
            lines.push(line.chars().take(left).collect());
            return (lines, true);
        }
        left -= line.len();
        lines.push(line.into_owned());
    }
    (lines, false)
}

/// A value on lines of its own where it is long, number tokens as they stand.
pub(super) fn pretty(node: &Node) -> String {
    let mut text = String::new();
    write(node, 0, &mut text);
    text
}

fn write(node: &Node, depth: usize, text: &mut String) {
    const WIDE: usize = 72;
    let flat = node.canonical();
    let items: Vec<(Option<&str>, &Node)> = match node {
        Node::Array(items) if flat.len() > WIDE => items.iter().map(|item| (None, item)).collect(),
        Node::Object(members) if flat.len() > WIDE || depth == 0 && members.len() > 1 => {
            members.iter().map(|(name, member)| (Some(name.as_str()), member)).collect()
        }
        _ => {
            text.push_str(&flat);
            return;
        }
    };
    let (open, close) = if matches!(node, Node::Array(_)) { ('[', ']') } else { ('{', '}') };
    text.push(open);
    for (place, (name, item)) in items.iter().enumerate() {
        text.push_str(if place == 0 { "\n" } else { ",\n" });
        text.push_str(&"  ".repeat(depth + 1));
        if let Some(name) = name {
            text.push_str(&Node::Text((*name).to_owned()).canonical());
            text.push_str(": ");
        }
        write(item, depth + 1, text);
    }
    text.push('\n');
    text.push_str(&"  ".repeat(depth));
    text.push(close);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expected: &str, actual: &str, wanted: &[&str]) {
        let node = |text: &str| (!text.is_empty()).then(|| Node::parse(text).unwrap());
        let (lines, cut) = diff(node(expected).as_ref(), node(actual).as_ref());
        let seen: Vec<_> = lines
            .iter()
            .map(|line| {
                let sign = match line.side {
                    Side::Same => ' ',
                    Side::Expected => '-',
                    Side::Actual => '+',
                };
                let parts = if line.parts.is_empty() { String::new() } else { format!("[{}]", line.parts) };
                format!("{sign}{}{parts}{}", line.before, line.after)
            })
            .collect();
        assert_eq!((seen, cut), (wanted.iter().map(ToString::to_string).collect(), false));
    }

    #[test]
    fn lines_are_marked_where_they_part() {
        check("\"ERROR\"", "\"ERRÖR\"", &["-\"ERR[O]R\"", "+\"ERR[Ö]R\""]);
        check("1", "1.0", &["-1", "+1[.0]"]);
        check("", "null", &["+[null]"]);
        check(r#"{"a":1,"b":2}"#, r#"{"a":1,"b":-2}"#, &[" {", "   \"a\": 1,", "-  \"b\": 2", "+  \"b\": [-]2", " }"]);
        check(
            r#"{"a":1,"b":2}"#,
            r#"{"a":1,"b":2,"c":3}"#,
            &[" {", "   \"a\": 1,", "-  \"b\": 2", "+  \"b\": 2[,]", "+[  \"c\": 3]", " }"],
        );
        check("\"a\\u001b\"", "\"a\"", &["-\"a[\\u001b]\"", "+\"a\""]);
    }

    #[test]
    fn what_is_long_is_cut() {
        let long = Node::Text("x".repeat(3 * LONGEST));
        let (lines, cut) = diff(Some(&long), None);
        assert!(cut && lines[0].parts.len() == LONGEST);
        let many = Node::Array((0..1000).map(|number| Node::Number(format!("{number:09}"))).collect());
        let (lines, cut) = diff(Some(&many), Some(&Node::Null));
        assert!(!cut && lines.len() == 1003);
    }
}
