//! What comes out the same in another order.

use super::{
    draft::{Draft, Seat},
    random::Random,
    tree::Tree,
};
use crate::vector::{Case, Verdict};

/// Rows in another order, where their order decides nothing, and further down the same path.
pub(super) fn rows(base: &Case, random: &mut Random) -> Option<Case> {
    let (document, keys, place): (&str, &[&str], &str) = match base.op.as_str() {
        "sovereign.order" => (
            "mismatches",
            &["turn_id", "stage_name", "ordinal", "surface", "path", "expected_digest", "actual_digest"],
            "path",
        ),
        "kernel.issue_order" => ("issues", &["stage", "location", "code", "details"], "location"),
        "sovereign.deny_code" => ("conditions", &[], ""),
        _ => return None,
    };
    if names_a_row(base, |_| true) {
        return None;
    }
    let mut draft = Draft::of(base)?;
    let Tree::Array(rows) = draft.document(document)? else { return None };
    let key = |row: &Tree| -> Vec<_> { keys.iter().map(|key| row.member(key).and_then(Tree::canonical)).collect() };
    for (index, row) in rows.iter().enumerate() {
        let same = rows.iter().skip(index + 1).any(|other| key(row) == key(other) && row != other && !keys.is_empty());
        if same {
            return None;
        }
    }
    random.shuffle(rows);
    let mut movable = !place.is_empty();
    rows.iter()
        .for_each(|row| movable &= row.member(place).and_then(Tree::says).is_some_and(|path| path.starts_with('/')));
    if movable {
        let beginning = format!("/{}", random.word(4));
        for (_, tree) in draft.trees.iter_mut().filter(|(seat, _)| !matches!(seat, Seat::Argument(_))) {
            tree.each_mut("", &mut |name, value| {
                if let Tree::Text(text) = value
                    && name == place
                {
                    text.say(&format!("{beginning}{}", text.says()));
                }
            });
        }
    }
    draft.case(base)
}

/// Puts a list into another order, if it has one; whether it did.
pub(super) fn shuffled(items: &mut [Tree], random: &mut Random) -> bool {
    const TRIES: usize = 4;
    let before = items.to_vec();
    for _ in 0..TRIES {
        random.shuffle(items);
        if before != items {
            return true;
        }
    }
    false
}

/// The paths of a turn in another order: they are tried, and written, in the order of their code points.
pub(super) fn paths(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let seat = if base.op == "sovereign.bundle" {
        Seat::Argument("turns".to_owned())
    } else {
        Seat::Document("entry".to_owned())
    };
    let mut changed = false;
    draft.trees.get_mut(&seat)?.each_mut("", &mut |name, value| {
        if let Tree::Array(paths) = value
            && name == "paths"
            && paths.iter().all(|path| path.says().is_some())
        {
            changed |= shuffled(paths, random);
        }
    });
    if changed { draft.case(base) } else { None }
}

/// The names of tools beside a registry, and its retired codes, in another order: they are sets.
pub(super) fn lists(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let name = if base.op == "reply.source" { "source" } else { "registry" };
    let document = draft.document(name).filter(|document| document.is_plain())?;
    let registry = if name == "source" { document.member_mut("registry")? } else { document };
    let mut changed = false;
    let mut shuffle = |holder: &mut Tree, name: &str| {
        if let Some(Tree::Array(items)) = holder.member_mut(name)
            && items.iter().all(|item| item.says().is_some())
        {
            changed |= shuffled(items, random);
        }
    };
    shuffle(registry, "tools");
    for revisions in ["registries", "earlier"] {
        if let Some(Tree::Array(revisions)) = registry.member_mut(revisions) {
            revisions.iter_mut().for_each(|revision| shuffle(revision, "retired"));
        }
    }
    if changed { draft.case(base) } else { None }
}

/// Two triplets of one turn, staged in the other order: what each step answers moves with it, and nothing else changes. Both have to be
/// taken without a word, and neither may name the other.
pub(super) fn steps(base: &Case, random: &mut Random) -> Option<Case> {
    if base.expect.is != Verdict::Accept || !base.any_of.is_empty() {
        return None;
    }
    let mut draft = Draft::of(base)?;
    let asked = Seat::Document("operations".to_owned());
    let answered = Seat::Output(0, "steps".to_owned());
    let (steps, answers) = (draft.trees.get(&asked)?.items(), draft.trees.get(&answered)?.items());
    if steps.len() != answers.len() {
        return None;
    }
    let says = |place: usize, name: &str| steps.get(place)?.member(name)?.says();
    let silent = |place: usize| {
        answers.get(place).is_some_and(|answer| {
            answer.member("outcome").and_then(Tree::says) == Some("PASS")
                && answer.member("issues").is_some_and(|issues| issues.items().is_empty())
        })
    };
    let apart = |one: usize, other: usize| -> Option<bool> {
        let id = steps.get(one)?.member("body")?.member("id")?.says()?;
        let text = steps.get(other)?.print();
        let (id, stem) = (super::tree::quoted(id), super::tree::quoted(says(one, "stem")?));
        Some(!text.contains(&id) && !text.contains(&stem))
    };
    let is_pair = |place: usize| {
        let before = place - 1;
        let same = |name: &str| says(before, name).is_some() && says(before, name) == says(place, name);
        !names_a_row(base, |row| row == before || row == place)
            && says(place, "op") == Some("stage_triplet")
            && ["op", "run_id", "turn_id"].into_iter().all(same)
            && silent(before)
            && silent(place)
            && apart(before, place) == Some(true)
            && apart(place, before) == Some(true)
    };
    let pairs: Vec<usize> = (1..steps.len()).filter(|place| is_pair(*place)).collect();
    let second = *random.one(&pairs)?;
    for seat in [asked, answered] {
        let Tree::Array(items) = draft.trees.get_mut(&seat)? else { return None };
        items.swap(second - 1, second);
    }
    draft.case(base)
}

/// Whether a place of the expectation names one of these rows, which would have the force of another.
pub(super) fn names_a_row(base: &Case, moves: impl Fn(usize) -> bool) -> bool {
    let moves = |part: &str| part.parse().is_ok_and(&moves);
    base.force.places.iter().any(|(place, _)| place.text.split('/').any(moves))
}
