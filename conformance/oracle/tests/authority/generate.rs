//! Makes engine inputs and graph operations, and spoils documents. First choices are lawful ones, for bytes that run out.

use arbitrary::{Result, Unstructured};
use assize_corpus::node::Node;
use assize_oracle::pairs;

use crate::spelling::LONE;

/// Few, so that interpretations share them; near misses among them.
const ASSUMPTIONS: &[&str] = &["one cup", "one cup ", "é", "e\u{301}", "", "\u{1f600}", "\u{ff5e}", "One cup"];
const NAMES: &[&str] = &["Brew", "Bell", "", "brew", "\u{ff5e}", "\u{1f600}", "é", "e\u{301}", "Brew "];
/// Lengths that tie with each other and with an assumption, in characters but not in bytes or UTF-16 units.
const SUMMARIES: &[&str] = &[
    "Ring",
    "Rïng",
    "\u{1f600}\u{1f600}\u{1f600}\u{1f600}",
    "",
    "\r\n",
    "0123456789",
    "éééééééééé",
    "0123456789abcde",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}",
    "Ring\\\"\u{1f}",
];
const TEXTS: &[&str] =
    &["demo-1", "", "Tea timer ☕", "\u{2028}\u{7f}\u{1f}\"\\/", "T0#0000", "#", "\u{1f600}", "\u{feff}"];
const PINS: &[&str] = &[
    "{}",
    r#"{"limit":1e16,"tiny":1e-7,"on":true}"#,
    "null",
    "-0",
    "[-0.0,1.0,1,true,562949953421312.25,5e-324]",
    "100000000000000000000000000000000",
    r#"{"😀":1,"～":2,"":[[[]]]}"#,
    r#"{"a":NaN,"a":1}"#,
    "\"\\ud83d\\ude00\"",
];
const KINDS: &[&str] = &["depends_on", "refines", "contradicts", "blocks"];
const NODE_KINDS: &[&str] = &["claim", "decision", "seed", "other"];

/// True in `hits` of `of` cases; false when the bytes have run out.
pub(crate) fn odds(u: &mut Unstructured<'_>, hits: usize, of: usize) -> Result<bool> {
    Ok(int(u, of - 1)? >= of - hits)
}

/// An integer from 0 to `most`; 0 when the bytes have run out.
pub(crate) fn int(u: &mut Unstructured<'_>, most: usize) -> Result<usize> {
    u.int_in_range(0..=most)
}

pub(crate) fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

pub(crate) fn number(token: impl ToString) -> Node {
    Node::Number(token.to_string())
}

pub(crate) fn object<const N: usize>(members: [(&str, Node); N]) -> Node {
    Node::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn one_of(u: &mut Unstructured<'_>, from: &[&str]) -> Result<Node> {
    Ok(text(u.choose(from)?))
}

/// The inputs of a run, about one in eight of them unlawful.
pub(crate) fn inputs(u: &mut Unstructured<'_>) -> Result<Node> {
    let mut interpretations = Vec::new();
    for _ in 0..*u.choose(&[2, 1, 2, 3, 3, 4, 6, 0])? {
        interpretations.push(interpretation(u)?);
    }
    let mut inputs = object([
        ("run_id", one_of(u, TEXTS)?),
        ("seed_text", one_of(u, TEXTS)?),
        ("pin", pin(u)?),
        ("policy", policy(u)?),
        ("interpretations", Node::Array(interpretations)),
        ("ts_base", one_of(u, TEXTS)?),
    ]);
    if let Node::Object(members) = &mut inputs {
        if odds(u, 1, 4)? {
            members.insert("proposal_source".to_owned(), one_of(u, &["heuristic", "llm", ""])?);
        }
        if odds(u, 1, 4)? {
            members.insert("proposal_confidence".to_owned(), number(u.choose(&["0.5", "1", "1.0", "null"])?));
        }
    }
    if odds(u, 1, 8)? {
        spoil(u, &mut inputs)?;
    }
    Ok(inputs)
}

fn interpretation(u: &mut Unstructured<'_>) -> Result<Node> {
    let mut assumptions: Vec<Node> = Vec::new();
    for _ in 0..int(u, 3)? {
        let assumption = one_of(u, ASSUMPTIONS)?;
        if !assumptions.contains(&assumption) {
            assumptions.push(assumption);
        }
    }
    Ok(object([
        ("name", one_of(u, NAMES)?),
        ("assumptions", Node::Array(assumptions)),
        ("intent_summary", one_of(u, SUMMARIES)?),
    ]))
}

fn policy(u: &mut Unstructured<'_>) -> Result<Node> {
    let huge = "123456789012345678901234567890";
    let mut limit = |choices: &[&str]| u.choose(choices).map(number);
    let mut policy = object([
        ("max_interpretations", limit(&["2", "1", "3", huge])?),
        ("max_nodes", limit(&["10", "1", huge])?),
        ("max_depth", limit(&["4", "1"])?),
        ("contradiction_budget", limit(&["9", "0", "1", "2", "-0", huge])?),
        ("max_steps", limit(&["9", "2", "3", "1", huge, "9"])?),
    ]);
    if let Node::Object(members) = &mut policy
        && odds(u, 1, 3)?
    {
        members.insert("deterministic_tiebreak".to_owned(), text("lexicographic"));
    }
    Ok(policy)
}

/// A pin, written as it stands. One in six is any JSON text, unlawful ones included.
fn pin(u: &mut Unstructured<'_>) -> Result<Node> {
    if odds(u, 1, 6)? {
        let any = pairs::json_text(u)?;
        return Ok(number(String::from_utf8_lossy(&any)));
    }
    if odds(u, 1, 50)? {
        return Ok(number(format!("{}{}", "[".repeat(900), "]".repeat(900))));
    }
    Ok(number(u.choose(PINS)?))
}

/// Operations on a graph, about one list in ten of them unlawful.
pub(crate) fn operations(u: &mut Unstructured<'_>) -> Result<Node> {
    let count = int(u, 14)?;
    let mut operations = Vec::new();
    for index in 0..count {
        operations.push(if index < 2 || odds(u, 1, 4)? { node(u)? } else { edge(u, index)? });
    }
    let mut operations = Node::Array(operations);
    if odds(u, 1, 10)? {
        spoil(u, &mut operations)?;
    }
    Ok(operations)
}

fn node(u: &mut Unstructured<'_>) -> Result<Node> {
    let payload = if odds(u, 1, 20)? { awkward(u)? } else { object([("n", number(int(u, 5)?))]) };
    Ok(object([("node", object([("kind", kind(u, NODE_KINDS)?), ("payload", payload)]))]))
}

fn edge(u: &mut Unstructured<'_>, place: usize) -> Result<Node> {
    let mut end = || -> Result<Node> {
        Ok(match int(u, 20)? {
            0 => number(u.choose(&["-0", "-1", "18446744073709551616", "-99999999999999999999"])?),
            1 => number(place + int(u, 1)?),
            _ => number(int(u, place)?),
        })
    };
    let (from, to) = (end()?, end()?);
    Ok(object([("edge", object([("kind", kind(u, KINDS)?), ("from", from), ("to", to)]))]))
}

fn kind(u: &mut Unstructured<'_>, kinds: &[&str]) -> Result<Node> {
    if odds(u, 1, 40)? { Ok(Node::Text(LONE.to_string())) } else { one_of(u, kinds) }
}

/// Changes one place of a document, often to something unlawful.
pub(crate) fn spoil(u: &mut Unstructured<'_>, node: &mut Node) -> Result<()> {
    if odds(u, 3, 4)? {
        let child = match node {
            Node::Array(items) if !items.is_empty() => {
                let at = int(u, items.len() - 1)?;
                items.get_mut(at)
            }
            Node::Object(members) if !members.is_empty() => {
                let at = int(u, members.len() - 1)?;
                members.values_mut().nth(at)
            }
            _ => None,
        };
        if let Some(child) = child {
            return spoil(u, child);
        }
    }
    let choice = int(u, 4)?;
    match node {
        Node::Object(members) if choice == 1 && !members.is_empty() => {
            let at = int(u, members.len() - 1)?;
            let name = members.keys().nth(at).cloned().unwrap_or_default();
            members.remove(&name);
        }
        Node::Object(members) if choice == 2 => {
            members.insert("extra".to_owned(), awkward(u)?);
        }
        Node::Array(items) if choice == 1 && !items.is_empty() => {
            items.remove(int(u, items.len() - 1)?);
        }
        Node::Array(items) if choice == 2 && !items.is_empty() => {
            let (one, other) = (int(u, items.len() - 1)?, int(u, items.len() - 1)?);
            items.swap(one, other);
        }
        Node::Array(items) if choice == 3 && !items.is_empty() => {
            let again = items[int(u, items.len() - 1)?].clone();
            items.push(again);
        }
        Node::Text(text) if choice == 1 => text.push(*u.choose(&['x', '\u{301}', LONE])?),
        Node::Text(text) if choice == 2 => *text = text.to_uppercase(),
        Node::Text(text) if choice == 3 => drop(text.pop()),
        Node::Number(token) if choice < 3 && token.bytes().all(|byte| byte.is_ascii_digit()) => match choice {
            0 => token.insert(0, '1'),
            1 => token.push_str(".0"),
            _ => token.insert(0, '-'),
        },
        other => *other = awkward(u)?,
    }
    Ok(())
}

fn awkward(u: &mut Unstructured<'_>) -> Result<Node> {
    Ok(match int(u, 9)? {
        0 => Node::Null,
        1 => Node::Bool(true),
        2 => number(u.choose(&["0", "1", "-1", "-0", "1.0", "1e0", "2"])?),
        3 => number(u.choose(&["NaN", "-Infinity", "1e400"])?),
        4 => text(u.choose(&["", "1", "refused", "artifact"])?),
        5 => Node::Text(format!("a{LONE}")),
        6 => Node::Array(Vec::new()),
        7 => Node::Array(vec![text("one cup"), text("one cup")]),
        8 => object([]),
        _ => text(&"0".repeat(64)),
    })
}
