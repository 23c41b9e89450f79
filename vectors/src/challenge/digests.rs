//! Digests that follow what they are digests of.
//!
//! A digest in a case is the SHA-256 of the canonical text of a value that stands in the case, whole or in one of the
//! projections that the systems use, if it is one at all: two texts of one digest are not found by chance. When a relation
//! changes the value, the digest is computed again with `sha2`, and so are those that cover it. One that is the digest of
//! nothing in the case stays as it is.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use sha2::{Digest as _, Sha256};

use super::{
    draft::{Draft, Seat},
    tree::{Text, Tree},
};
use crate::{node::Node, store, table::SpecTable};

/// Old digests, each with its new one.
pub(super) type Digests = BTreeMap<String, String>;

/// What of a value is digested.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Projection {
    Whole,
    Without(usize),
    Nulled(usize),
    /// Members of these names alone.
    Only(&'static [String]),
    /// A receipt, without its own hash and signature.
    Receipt,
    /// The part of an episode contract that its identity covers.
    Identity,
    /// A report, with its own id and every diagnostic null.
    Report,
}

/// The parts of objects that are digested by themselves: what an evidence record hashes, as its table says, and others.
static PARTS: LazyLock<[Vec<String>; 3]> = LazyLock::new(|| {
    let record = store::embedded("contracts/authority/tables/evidence-record.json");
    let record = record.and_then(|text| serde_json::from_slice::<SpecTable>(text).ok());
    let rows = record.into_iter().flat_map(|table| table.rows).filter(|row| row.get("hashed") == Some(&true.into()));
    let hashed = rows.filter_map(|row| Some(row.get("member")?.as_str()?.to_owned())).collect();
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    [hashed, named(&["ledger_last_hash", "dag_root_hash", "artifact_hashes"]), named(ENVIRONMENT)]
});
const ENVIRONMENT: &[&str] = &["provider", "model_id", "tool_versions", "container_digest"];

/// A value that has a digest in the case.
#[derive(Debug)]
struct Source {
    digest: String,
    seat: Seat,
    path: Vec<usize>,
    projection: Projection,
}

/// What of a receipt its own hash does not cover.
const UNHASHED: [&str; 2] = ["receipt_hash", "signature"];

/// SHA-256 in hexadecimal digits.
pub(super) fn sha256(bytes: impl AsRef<[u8]>) -> String {
    let mut text = String::with_capacity(64);
    for byte in Sha256::digest(bytes) {
        for half in [byte >> 4, byte & 15] {
            text.push(char::from(if half < 10 { b'0' + half } else { b'a' - 10 + half }));
        }
    }
    text
}

/// The digests that a text holds: itself, after its prefix, or as segments of a path.
pub(super) fn in_text(text: &str) -> impl Iterator<Item = &str> {
    let text = text.strip_prefix("sha256:").unwrap_or(text);
    text.split('/').filter(|part| is_digest(part))
}

/// Whether a text is 64 small hexadecimal digits.
pub(super) fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a digest is so regular that somebody made it up.
pub(super) fn is_made_up(digest: &str) -> bool {
    digest.bytes().collect::<BTreeSet<_>>().len() <= 4
}

/// Changes a draft, and every digest with it. `change` makes the draft that says what is new, for the new digests that are
/// known so far. Nothing where the digests never settle, or one of them stands for two values that have become different.
pub(super) fn settle(
    original: &Draft,
    change: impl Fn(&Digests) -> Option<Draft>,
) -> Option<(Draft, BTreeSet<String>, Digests)> {
    const ROUNDS: usize = 48;
    let (sources, unknown) = sources(original);
    let mut digests = Digests::new();
    for _ in 0..ROUNDS {
        let draft = change(&digests)?;
        let mut found = Digests::new();
        for source in &sources {
            let tree = draft.trees.get(&source.seat).and_then(|tree| at(tree, &source.path))?;
            let digest = sha256(project(tree, &source.projection)?);
            if found.insert(source.digest.clone(), digest.clone()).is_some_and(|other| other != digest) {
                return None;
            }
        }
        if found == digests {
            return Some((draft, unknown, digests));
        }
        digests = found;
    }
    None
}

/// The values whose digests stand in a draft, and the digests that are those of no value.
fn sources(draft: &Draft) -> (Vec<Source>, BTreeSet<String>) {
    let mut wanted = BTreeSet::new();
    for (seat, tree) in &draft.trees {
        if let Seat::File(path) = seat {
            wanted.extend(in_text(path).map(str::to_owned));
        }
        tree.each("", &mut |_, value| {
            wanted.extend(value.says().into_iter().flat_map(in_text).map(str::to_owned));
            for (name, _) in value.members() {
                wanted.extend(in_text(name.says()).map(str::to_owned));
            }
        });
    }
    let mut sources = Vec::new();
    if !wanted.is_empty() {
        for (seat, tree) in &draft.trees {
            // Read once for all values in it: what is lawful as a whole is lawful in its parts.
            let read = tree.node();
            walk(tree, read.as_ref(), &mut Vec::new(), &mut |path, value, read, projection| {
                let text = read.and_then(|read| project_read(read, value, &projection));
                let text = text.or_else(|| project(value, &projection));
                let digest = text.map(sha256);
                if let Some(digest) = digest.filter(|digest| wanted.contains(digest)) {
                    sources.push(Source { digest, seat: seat.clone(), path: path.to_vec(), projection });
                }
            });
        }
    }
    for source in &sources {
        wanted.remove(&source.digest);
    }
    (sources, wanted)
}

/// Calls for every value and projection of it, with the value as it was read, if all of it could be.
fn walk<'t>(
    tree: &'t Tree,
    read: Option<&'t Node>,
    path: &mut Vec<usize>,
    call: &mut impl FnMut(&[usize], &'t Tree, Option<&'t Node>, Projection),
) {
    call(path, tree, read, Projection::Whole);
    for (index, (name, member)) in tree.members().iter().enumerate() {
        let name = name.says();
        if ["_id", "_digest", "_hash", "signature", "payload", "message"].iter().any(|end| name.ends_with(end)) {
            call(path, tree, read, Projection::Without(index));
            call(path, tree, read, Projection::Nulled(index));
        }
        match name {
            "report_id" => call(path, tree, read, Projection::Report),
            "receipt_hash" => call(path, tree, read, Projection::Receipt),
            "replay_script" => call(path, tree, read, Projection::Identity),
            _ => {}
        }
        path.push(index);
        walk(member, read.and_then(|read| read.member(name)), path, call);
        path.pop();
    }
    for part in PARTS.iter().filter(|part| !part.is_empty()) {
        if part.iter().all(|name| tree.member(name).is_some()) {
            call(path, tree, read, Projection::Only(part));
        }
    }
    for (index, item) in tree.items().iter().enumerate() {
        path.push(index);
        let read = match read {
            Some(Node::Array(items)) => items.get(index),
            _ => None,
        };
        walk(item, read, path, call);
        path.pop();
    }
}

fn at<'t>(tree: &'t Tree, path: &[usize]) -> Option<&'t Tree> {
    path.iter().try_fold(tree, |tree, index| match tree {
        Tree::Array(items) => items.get(*index),
        Tree::Object(members) => members.get(*index).map(|(_, member)| member),
        _ => None,
    })
}

fn project(tree: &Tree, projection: &Projection) -> Option<String> {
    let null = || Tree::Word("null".to_owned());
    let mut tree = match projection {
        Projection::Whole => return tree.canonical(),
        Projection::Only(names) => {
            let members = tree.members().iter().filter(|(name, _)| names.iter().any(|one| one == name.says()));
            return Tree::Object(members.cloned().collect()).canonical();
        }
        Projection::Receipt => {
            let members = tree.members().iter().filter(|(name, _)| !UNHASHED.contains(&name.says()));
            return Tree::Object(members.cloned().collect()).canonical();
        }
        Projection::Identity => {
            let environment =
                tree.member("environment")?.members().iter().filter(|(name, _)| ENVIRONMENT.contains(&name.says()));
            let environment = Tree::Object(environment.cloned().collect());
            let mut members: Vec<_> = ["inputs", "replay_script", "replay_policy"]
                .iter()
                .map(|name| Some((Text::new(name), tree.member(name)?.clone())))
                .collect::<Option<_>>()?;
            members.push((Text::new("environment"), environment));
            return Tree::Object(members).canonical();
        }
        _ => tree.clone(),
    };
    match (&mut tree, projection) {
        (Tree::Object(members), Projection::Without(index)) => drop(members.remove(*index)),
        (Tree::Object(members), Projection::Nulled(index)) => members.get_mut(*index)?.1 = null(),
        (report, _) => {
            *report.member_mut("report_id")? = null();
            if let Some(Tree::Array(rows)) = report.member_mut("mismatches") {
                for row in rows {
                    if let Some(diagnostic) = row.member_mut("diagnostic") {
                        *diagnostic = null();
                    }
                }
            }
        }
    }
    tree.canonical()
}

/// The same of a value that was read already, where it differs from that in its own members alone; nothing for another.
fn project_read(read: &Node, tree: &Tree, projection: &Projection) -> Option<String> {
    let Node::Object(members) = read else {
        return matches!(projection, Projection::Whole).then(|| read.canonical());
    };
    let name = |index: &usize| tree.members().get(*index).map(|(name, _)| name.says());
    let members = members.iter().map(|(name, member)| (name.as_str(), member));
    Some(match projection {
        Projection::Whole => read.canonical(),
        Projection::Without(index) => {
            let left_out = name(index)?;
            Node::canonical_object(members.filter(|(name, _)| *name != left_out))
        }
        Projection::Nulled(index) => {
            let nulled = name(index)?;
            Node::canonical_object(
                members.map(|(name, member)| (name, if name == nulled { &Node::Null } else { member })),
            )
        }
        Projection::Only(names) => {
            Node::canonical_object(members.filter(|(name, _)| names.iter().any(|one| one == name)))
        }
        Projection::Receipt => Node::canonical_object(members.filter(|(name, _)| !UNHASHED.contains(name))),
        Projection::Identity | Projection::Report => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{store::Store, vector::Corpus};

    #[test]
    fn a_value_that_was_read_with_all_around_it_has_the_text_that_it_has_alone() {
        let corpus = Corpus::load(&Store::embedded());
        let (mut within, mut alone, mut parts) = (0, 0, 0);
        for draft in corpus.cases.values().step_by(97).filter_map(Draft::of) {
            for tree in draft.trees.values() {
                let read = tree.node();
                walk(tree, read.as_ref(), &mut Vec::new(), &mut |path, value, read, projection| {
                    let text = project(value, &projection);
                    if projection != Projection::Whole {
                        let short = read.and_then(|read| project_read(read, value, &projection));
                        assert!(short.is_none() || short == text, "{path:?} {projection:?}");
                        parts += usize::from(short.is_some());
                        return;
                    }
                    match read {
                        Some(read) => {
                            assert_eq!(project_read(read, value, &projection), text, "{path:?}");
                            within += 1;
                        }
                        // Only what is not read as a whole is looked at in its parts.
                        None => alone += usize::from(tree.node().is_none()),
                    }
                    assert_eq!(read.is_none(), tree.node().is_none(), "{path:?}");
                });
            }
        }
        assert!(within > 1_000 && alone > 0 && parts > 100, "{within} {alone} {parts}");
    }
}
