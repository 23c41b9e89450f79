//! Limits what a report says about one case, whatever a testee wrote.
//!
//! A line may have megabytes and a corpus thousands of cases: kept whole, wrong answers would take all the memory there
//! is. Expectations are ours, and are never cut.

use assize_corpus::{
    agreement::{Judgement, Mismatch},
    node::Node,
    vector::Force,
};
use assize_verifier::digest::Digest;

/// What is kept whole of one value or text, in bytes.
const WHOLE: usize = 16 << 10;
/// What is shown of one that is longer.
const START: usize = 1 << 10;
/// The most levels of a value that are kept as such: a report stands around it, and what reads reports does so by recursion.
const LEVELS: usize = 64;
/// What all mismatches of a case may take, in bytes; the first of them is always kept.
const ALL: usize = 64 << 10;

/// The same judgement, with long texts cut and replaced by their digests.
pub(super) fn within(mut judgement: Judgement) -> Judgement {
    if let Some(note) = &mut judgement.note {
        cut(note);
    }
    let mut room = ALL;
    let mut kept = 0;
    for mismatch in &mut judgement.mismatches {
        let Some(left) = room.checked_sub(shorten(mismatch)).or((kept == 0).then_some(0)) else { break };
        room = left;
        kept += 1;
    }
    let left_out = judgement.mismatches.split_off(kept);
    let mut more = left_out.len() + std::mem::take(&mut judgement.untold);
    // What the whole weighs must be seen in what is told.
    let weight = |mismatch: &Mismatch| mismatch.force.as_ref().map(Force::weight);
    let heaviest = left_out.into_iter().rev().max_by_key(weight);
    let told = judgement.mismatches.iter().map(weight).max().flatten();
    if let Some(mut heaviest) = heaviest.filter(|found| weight(found) > told) {
        shorten(&mut heaviest);
        judgement.mismatches.push(heaviest);
        more -= 1;
    }
    if more > 0 {
        judgement.note = Some(format!("and {more} more mismatches"));
    }
    judgement
}

/// Cuts what a testee wrote, and returns the bytes that the mismatch then takes.
fn shorten(mismatch: &mut Mismatch) -> usize {
    cut(&mut mismatch.pointer);
    let mut length = mismatch.pointer.len();
    if let Some(actual) = &mut mismatch.actual {
        let mut text = actual.canonical();
        if cut(&mut text) || is_deeper(actual, LEVELS) {
            *actual = Node::Text(text.clone());
        }
        length += text.len();
    }
    length + mismatch.expected.as_ref().map_or(0, |expected| expected.canonical().len())
}

/// Whether a value has more levels than these.
fn is_deeper(node: &Node, most: usize) -> bool {
    match node {
        Node::Array(_) | Node::Object(_) if most == 0 => true,
        Node::Array(items) => items.iter().any(|item| is_deeper(item, most - 1)),
        Node::Object(members) => members.values().any(|member| is_deeper(member, most - 1)),
        _ => false,
    }
}

/// Cuts a long text; says whether it was one.
fn cut(text: &mut String) -> bool {
    if text.len() <= WHOLE {
        return false;
    }
    let start = text.get(..text.floor_char_boundary(START)).unwrap_or_default();
    *text = format!("{start}... ({} bytes, SHA-256 {})", text.len(), Digest::of(text.as_bytes()).to_hex());
    true
}

#[cfg(test)]
mod tests {
    use assize_corpus::agreement::Outcome;

    use super::*;

    fn mismatch(actual: &str) -> Mismatch {
        Mismatch::new("/out", None, Some(Node::Text(actual.to_owned())))
    }

    fn wrong(mismatches: Vec<Mismatch>) -> Judgement {
        Judgement { outcome: Outcome::WrongOutput, mismatches, ..Judgement::pass() }
    }

    #[test]
    fn what_is_short_stays_as_it_is() {
        let judgement = wrong(vec![mismatch("a"), mismatch(&"b".repeat(WHOLE - 2))]);
        assert_eq!(within(judgement.clone()), judgement);
    }

    #[test]
    fn what_is_long_is_told_by_start_length_and_digest() {
        let long = |end: &str| format!("{}{end}", "\u{e9}".repeat(WHOLE));
        let cut = |end: &str| within(wrong(vec![mismatch(&long(end))])).mismatches.remove(0).actual.unwrap();
        let text = cut("x").text().unwrap().to_owned();
        assert!(text.starts_with("\"\u{e9}") && text.len() < 2 * START, "{text}");
        assert!(text.contains(&format!("({} bytes, SHA-256 ", 2 * WHOLE + 3)), "{text}");
        assert_ne!(cut("x"), cut("y"));
        let note = within(Judgement::noted(Outcome::Fault, "n".repeat(WHOLE + 1))).note.unwrap();
        assert!(note.starts_with("nnn") && note.len() < 2 * START);
    }

    #[test]
    fn what_is_deep_is_told_as_text() {
        let nested = |levels: usize| {
            let inner = Node::Array(Vec::new());
            (1..levels).fold(inner, |node, level| match level % 2 {
                0 => Node::Array(vec![Node::Null, node]),
                _ => Node::Object([("a".to_owned(), node)].into_iter().collect()),
            })
        };
        let kept = |node: &Node| {
            let whole = Mismatch::new("/out", None, Some(node.clone()));
            within(wrong(vec![whole])).mismatches.remove(0).actual.unwrap()
        };
        assert_eq!(kept(&nested(LEVELS)), nested(LEVELS));
        for levels in [LEVELS + 1, 126, 1000] {
            let deep = nested(levels);
            assert_eq!(kept(&deep), Node::Text(deep.canonical()), "{levels}");
        }
    }

    #[test]
    fn many_mismatches_are_counted() {
        let judgement = within(wrong(vec![mismatch(&"z".repeat(1000)); 1000]));
        let kept = judgement.mismatches.len();
        assert!((60..70).contains(&kept), "{kept}");
        assert_eq!(judgement.note.unwrap(), format!("and {} more mismatches", 1000 - kept));
        let first = Mismatch { expected: Some(Node::Text("e".repeat(2 * ALL))), ..mismatch("a") };
        assert_eq!(within(wrong(vec![first, mismatch("b")])).mismatches.len(), 1);
        // Those that were never made count too.
        let more = within(Judgement { untold: 7, ..wrong(vec![mismatch("a")]) });
        assert_eq!((more.note.as_deref(), more.untold), (Some("and 7 more mismatches"), 0));
    }

    #[test]
    fn the_heaviest_mismatch_is_told_however_many_there_are() {
        let forced = |force| Mismatch { force: Some(force), ..mismatch(&"z".repeat(1000)) };
        let mut many = vec![forced(Force::Interface); 1000];
        many[900] = Mismatch { actual: Some(Node::Text("y".repeat(2 * WHOLE))), ..forced(Force::Spec(None)) };
        let judgement = within(wrong(many));
        let kept = judgement.mismatches.len();
        let last = judgement.mismatches.last().unwrap();
        assert_eq!(last.force, Some(Force::Spec(None)));
        assert!((60..70).contains(&kept) && last.actual.as_ref().unwrap().canonical().len() < 2 * START);
        assert_eq!(judgement.note.unwrap(), format!("and {} more mismatches", 1000 - kept));
    }
}
