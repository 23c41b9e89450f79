//! Writes a node as text: plainly, or in one of the many spellings that mean the same.

use arbitrary::{Result, Unstructured};
use assize_corpus::node::Node;

use crate::generate::{int, odds};

/// Stands in a node's text for the lone surrogate that it cannot hold.
pub(crate) const LONE: char = '\u{f8ff}';

/// The shortest spelling.
pub(crate) fn plain(node: &Node) -> String {
    node.canonical().replace(LONE, "\\ud800")
}

/// A spelling with another order of members, other escapes, white space, numbers or names that a later one overrules.
pub(crate) fn styled(u: &mut Unstructured<'_>, node: &Node) -> Result<String> {
    let style = Style {
        gap: u.choose(&["", " ", "\r\n\t"])?,
        escape: odds(u, 1, 3)?,
        reverse: odds(u, 1, 2)?,
        respell: odds(u, 1, 2)?,
        decoy: u.choose(&["", "", "", "NaN", "\"\\ud800\"", "{\"v\":[1,2]}"])?,
        every: 1 + int(u, 4)?,
    };
    let mut text = String::new();
    style.write(node, &mut text);
    Ok(text)
}

struct Style {
    gap: &'static str,
    escape: bool,
    reverse: bool,
    respell: bool,
    /// A value that stands under a member's name before the member's own.
    decoy: &'static str,
    /// Which members of an object have a decoy.
    every: usize,
}

impl Style {
    fn write(&self, node: &Node, text: &mut String) {
        match node {
            Node::Number(token) if self.respell => text.push_str(&respelt(token)),
            Node::Text(value) => self.string(value, text),
            Node::Array(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.separate(index, text);
                    self.write(item, text);
                }
                text.push_str(self.gap);
                text.push(']');
            }
            Node::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                if self.reverse {
                    members.reverse();
                }
                text.push('{');
                for (index, (name, member)) in members.into_iter().enumerate() {
                    self.separate(index, text);
                    if !self.decoy.is_empty() && index % self.every == 0 {
                        self.string(name, text);
                        text.push(':');
                        text.push_str(self.decoy);
                        text.push(',');
                    }
                    self.string(name, text);
                    text.push_str(self.gap);
                    text.push(':');
                    text.push_str(self.gap);
                    self.write(member, text);
                }
                text.push_str(self.gap);
                text.push('}');
            }
            other => text.push_str(&other.canonical()),
        }
    }

    fn separate(&self, index: usize, text: &mut String) {
        if index > 0 {
            text.push(',');
        }
        text.push_str(self.gap);
    }

    fn string(&self, value: &str, text: &mut String) {
        if !self.escape {
            text.push_str(&plain(&Node::Text(value.to_owned())));
            return;
        }
        text.push('"');
        for unit in value.encode_utf16() {
            let unit = if u32::from(unit) == u32::from(LONE) { 0xD800 } else { unit };
            text.push_str(&format!("\\u{unit:04X}"));
        }
        text.push('"');
    }
}

/// Another token for the same value of Python.
fn respelt(token: &str) -> String {
    let is_number = token.strip_prefix('-').unwrap_or(token).starts_with(|first: char| first.is_ascii_digit());
    match token {
        "0" => "-0".to_owned(),
        _ if !is_number => token.to_owned(),
        _ if token.contains(['e', 'E']) => token.to_uppercase(),
        _ if token.contains('.') => format!("{token}0e0"),
        _ => token.to_owned(),
    }
}
