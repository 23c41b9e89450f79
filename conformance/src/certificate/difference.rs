//! Where two documents differ, member by member.

use std::{collections::BTreeSet, fmt};

use assize_corpus::node::Node;

/// A member of which one document says something else than the other.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// JSON Pointer of it.
    pub member: String,
    /// What is stated, and what is found.
    pub message: String,
    /// A member of an object that is stated, and is not found at all.
    #[serde(skip)]
    pub(super) surplus: bool,
}

impl Difference {
    /// A member that is at fault without a second document.
    pub(super) fn new(member: impl Into<String>, message: impl Into<String>) -> Self {
        Self { member: member.into(), message: message.into(), surplus: false }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.member, self.message)
    }
}

/// Every member in which `found` is not what is `stated`.
pub(super) fn differences(stated: &Node, found: &Node) -> Vec<Difference> {
    let mut differences = Vec::new();
    walk(Some(stated), Some(found), &mut String::new(), "", &mut differences);
    differences
}

fn walk(stated: Option<&Node>, found: Option<&Node>, member: &mut String, within: &str, out: &mut Vec<Difference>) {
    match (stated, found) {
        (Some(Node::Object(a)), Some(Node::Object(b))) => {
            for name in a.keys().chain(b.keys()).collect::<BTreeSet<_>>() {
                let length = push(member, name);
                let before = out.len();
                walk(a.get(name), b.get(name), member, within, out);
                if let (None, Some(difference)) = (b.get(name), out.get_mut(before)) {
                    difference.surplus = true;
                }
                member.truncate(length);
            }
        }
        (Some(Node::Array(a)), Some(Node::Array(b))) => match (keys(a), keys(b)) {
            (Some(stated), Some(found)) if !a.is_empty() && !b.is_empty() && stated != found => {
                // One row more or less would shift all that follow it.
                let name = if a.iter().all(|row| row.member("id").is_some()) { "id" } else { "slug" };
                for (place, key) in stated.iter().enumerate() {
                    match found.iter().position(|known| known == key).and_then(|place| b.get(place)) {
                        other @ Some(_) => step(member, place, |member| walk(a.get(place), other, member, key, out)),
                        None => {
                            let message = format!("{key:?} is stated, and no row is found for it");
                            out.push(Difference::new(format!("{member}/{place}/{name}"), message));
                        }
                    }
                }
                for (place, key) in found.iter().enumerate().filter(|(_, key)| !stated.contains(key)) {
                    let message = format!("{key:?} is found, and no row is stated for it");
                    out.push(Difference::new(format!("{member}/{place}/{name}"), message));
                }
                let (mut sorted, mut known) = (stated.clone(), found.clone());
                sorted.sort_unstable();
                known.sort_unstable();
                if sorted == known {
                    out.push(Difference::new(member.clone(), "the rows stand in another order"));
                }
            }
            (stated, _) => {
                for place in 0..a.len().max(b.len()) {
                    let key = stated.as_ref().and_then(|keys| keys.get(place)).copied().unwrap_or(within);
                    step(member, place, |member| walk(a.get(place), b.get(place), member, key, out));
                }
            }
        },
        (stated, found) if stated == found => {}
        (stated, found) => {
            let of = if within.is_empty() { String::new() } else { format!("{within}: ") };
            let message = format!("{of}{} is stated, {} is found", shown(stated), shown(found));
            out.push(Difference::new(member.clone(), message));
        }
    }
}

/// What the rows of a table are called, if each has a name of its own.
fn keys(rows: &[Node]) -> Option<Vec<&str>> {
    let names = rows.iter().filter_map(|row| row.member("id").or_else(|| row.member("slug")).and_then(Node::text));
    let names: Vec<&str> = names.collect();
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    (distinct.len() == rows.len()).then_some(names)
}

fn step(member: &mut String, place: usize, visit: impl FnOnce(&mut String)) {
    let length = push(member, &place.to_string());
    visit(member);
    member.truncate(length);
}

fn push(member: &mut String, name: &str) -> usize {
    let length = member.len();
    member.push('/');
    member.push_str(&name.replace('~', "~0").replace('/', "~1"));
    length
}

/// A value in a line.
fn shown(node: Option<&Node>) -> String {
    const SHOWN: usize = 120;
    let Some(node) = node else { return "nothing".to_owned() };
    let text = node.canonical();
    match text.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}...", text.get(..cut).unwrap_or_default()),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stated: &str, found: &str, says: &[&str]) {
        let (stated, found) = (Node::parse(stated).unwrap(), Node::parse(found).unwrap());
        let said: Vec<_> = differences(&stated, &found).iter().map(ToString::to_string).collect();
        assert_eq!(said, says);
    }

    #[test]
    fn every_member_that_differs_is_named() {
        check(r#"{"a":[1,2],"b/c":null}"#, r#"{"b/c":null,"a":[1,2]}"#, &[]);
        check(
            r#"{"a":[1,2]}"#,
            r#"{"a":[1,3,4]}"#,
            &["/a/1: 2 is stated, 3 is found", "/a/2: nothing is stated, 4 is found"],
        );
        check(r#"{"b/c":1.0}"#, r#"{"b/c":1}"#, &["/b~1c: 1.0 is stated, 1 is found"]);
        check(r#"{"a":{}}"#, r#"{"a":[]}"#, &["/a: {} is stated, [] is found"]);
    }

    #[test]
    fn rows_are_compared_by_their_names() {
        let rows = r#"[{"id":"x","n":1},{"id":"y","n":2}]"#;
        check(
            rows,
            r#"[{"id":"y","n":3}]"#,
            &[r#"/0/id: "x" is stated, and no row is found for it"#, "/1/n: y: 2 is stated, 3 is found"],
        );
        check(
            rows,
            r#"[{"id":"x","n":1},{"id":"w"},{"id":"y","n":2}]"#,
            &[r#"/1/id: "w" is found, and no row is stated for it"#],
        );
        check(rows, r#"[{"id":"y","n":2},{"id":"x","n":1}]"#, &[": the rows stand in another order"]);
        check(rows, r#"[{"id":"x","n":1},{"id":"y","n":4}]"#, &["/1/n: y: 2 is stated, 4 is found"]);
    }

    #[test]
    fn what_is_stated_beyond_what_is_found_is_marked() {
        let of = |stated: &str| differences(&Node::parse(stated).unwrap(), &Node::parse(r#"{"a":[1]}"#).unwrap());
        assert!(of(r#"{"a":[1],"b":2}"#).iter().all(|difference| difference.surplus));
        assert!(of(r#"{"a":[1,2]}"#).iter().all(|difference| !difference.surplus));
        assert!(of(r#"{"a":2}"#).iter().all(|difference| !difference.surplus));
    }
}
