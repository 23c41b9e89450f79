//! The same values, spelled otherwise: members in another order, white space, escapes.

use super::{
    random::Random,
    tree::{Text, Tree},
};

/// A text of the same value. The value is plain: no name twice, no half pair.
pub(super) fn respell(tree: &Tree, random: &mut Random) -> String {
    let mut text = String::new();
    let spaced = random.from(0, 6);
    write(tree, &mut text, random, spaced);
    text
}

fn write(tree: &Tree, out: &mut String, random: &mut Random, spaced: usize) {
    blank(out, random, spaced);
    match tree {
        Tree::Word(word) => out.push_str(word),
        Tree::Text(text) => string(text, out, random),
        Tree::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write(item, out, random, spaced);
            }
            out.push(']');
        }
        Tree::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            random.shuffle(&mut members);
            out.push('{');
            for (index, (name, member)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                blank(out, random, spaced);
                string(name, out, random);
                blank(out, random, spaced);
                out.push(':');
                write(member, out, random, spaced);
            }
            out.push('}');
        }
    }
    blank(out, random, spaced);
}

fn blank(out: &mut String, random: &mut Random, spaced: usize) {
    if spaced > 0 && random.once_in(spaced) {
        out.push_str(random.one(&[" ", "  ", "\n", "\t", "\r\n", "\n  "]).copied().unwrap_or(" "));
    }
}

/// A string by its own token, or with some of its letters escaped.
fn string(text: &Text, out: &mut String, random: &mut Random) {
    let Some(says) = text.says.as_deref().filter(|_| random.once_in(5)) else {
        out.push_str(&text.raw);
        return;
    };
    out.push_str(&escaped(says, random));
}

/// A JSON string with escapes that need not be.
pub(super) fn escaped(says: &str, random: &mut Random) -> String {
    let mut out = String::from('"');
    for letter in says.chars() {
        match letter {
            '/' if random.once_in(3) => out.push_str("\\/"),
            '\n' if random.once_in(2) => out.push_str("\\n"),
            '\t' if random.once_in(2) => out.push_str("\\t"),
            '"' | '\\' if random.once_in(2) => out.extend(['\\', letter]),
            letter if letter.is_control() || matches!(letter, '"' | '\\') || random.once_in(4) => {
                let small = random.once_in(2);
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    out.push_str(&if small { format!("\\u{unit:04x}") } else { format!("\\u{unit:04X}") });
                }
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Node;

    #[test]
    fn another_spelling_has_the_same_value() {
        let text = r#"{"b":[1.50,-0,"\u00e9/\\\"\n"],"a":{"\ud83d\ude00":null,"":true},"c":"\u0001"}"#;
        let tree = Tree::parse(text).unwrap();
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let spelled = respell(&tree, &mut Random::of(&[&seed.to_string()]));
            assert_eq!(Node::parse(&spelled), Node::parse(text), "{spelled}");
            seen.insert(spelled);
        }
        assert!(seen.len() > 150);
    }
}
