//! Other codes and other data in what the reply system judges.
//!
//! Spec: Canonical Reply System Architecture (Final), sections 5, 6 and 8: a number counts within its family, the areas are alike,
//! and what `data` holds is free.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    draft::{Draft, Seat, expected},
    random::Random,
    tree::{Text, Tree, quoted},
};
use crate::vector::{Case, Document, Verdict};

/// Areas that no law treats in a way of their own.
const AREAS: [&str; 12] = ["SYS", "RES", "VIS", "IO", "READ", "WRITE", "EXEC", "DB", "PARSE", "VAL", "LOG", "CFG"];

/// Another number, and another area, in the text of a code.
pub(super) fn code(base: &Case, random: &mut Random) -> Option<Case> {
    let text = String::from_utf8(base.inputs.get("code")?.bytes()).ok()?;
    let (mut new, mut area, mut number) = (text.clone(), None, None);
    let found: Vec<&str> = AREAS.into_iter().filter(|area| segments(&text).any(|segment| segment == *area)).collect();
    if let [old] = found.as_slice()
        && text.matches(old).count() == 1
    {
        let other = random.one(&AREAS)?;
        new = new.replacen(old, other, 1);
        area = Some((*old, *other));
    }
    if let Some((before, digits)) = new.rsplit_once('-')
        && is_number(digits)
        && digits != "000"
    {
        let other = format!("{:03}", random.from(1, 999));
        number = Some((digits.to_owned(), other.clone()));
        new = format!("{before}-{other}");
    }
    if new == text {
        return None;
    }
    let mut case = base.clone();
    case.inputs.insert("code".to_owned(), Document::Text(new));
    for expect in std::iter::once(&mut case.expect).chain(&mut case.any_of) {
        if expect.is != Verdict::Accept {
            continue;
        }
        if let (Some((old, other)), Some(output)) = (area, expect.out.get_mut("area")) {
            (output.node.text() == Some(old)).then_some(())?;
            *output = expected(quoted(other))?;
        }
        if let (Some((old, other)), Some(output)) = (&number, expect.out.get_mut("number")) {
            (output.raw.get().parse::<usize>().ok()? == old.parse::<usize>().ok()?).then_some(())?;
            *output = expected(other.parse::<usize>().ok()?.to_string())?;
        }
    }
    Some(case)
}

fn segments(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_uppercase())
}

fn is_number(digits: &str) -> bool {
    digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The number of a code of the sound shape.
fn number_of(text: &str) -> Option<(&str, &str)> {
    let (family, digits) = text.rsplit_once('-')?;
    let parts: Vec<&str> = family.split('-').collect();
    let capital = |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_uppercase());
    (parts.len() == 3 && parts.iter().all(capital) && is_number(digits)).then_some((family, digits))
}

/// Members whose texts are free, whoever reads them.
const FREE: [&str; 3] = ["trace_id", "what", "message"];

/// Other numbers in all codes, other trace ids, durations and contents of data.
pub(super) fn recast(base: &Case, random: &mut Random) -> Option<Case> {
    let original = Draft::of(base)?;
    let mut numbers = BTreeSet::new();
    let mut plain = original.raw_documents.is_empty() && original.raw_files.is_empty();
    for tree in original.trees.values() {
        look(tree, "", &mut numbers, &mut plain);
    }
    if !plain {
        return None;
    }
    let (mut durations, mut rows, mut schema) = (BTreeSet::new(), false, false);
    for (_, tree) in original.trees.iter().filter(|(seat, _)| seat.is_asked()) {
        survey(tree, &mut |name, value| {
            if name == "duration_ms" {
                durations.insert(value.print());
            }
            rows |= name == "number";
            schema |= name == "outputSchema";
        });
    }
    // A row that repeats the parts of its code would have to change with it.
    if rows {
        return None;
    }
    let echoed = echoed(&original)?;
    let change = Change {
        // A schema may ask for these contents; two durations may differ in nothing but their spelling.
        data: !schema,
        durations: !schema && !echoed && durations.len() == 1,
        numbers: renumbered(&numbers, random),
        word: random.word(6),
        number: random.from(13, 900).to_string(),
    };
    let mut draft = original.clone();
    for (seat, tree) in &mut draft.trees {
        let (name, asked) = match seat {
            Seat::Output(_, name) => (name.as_str(), false),
            _ => ("", true),
        };
        change.tree(tree, name, asked || echoed);
    }
    let asked = |draft: &Draft| {
        draft.trees.iter().filter(|(seat, _)| seat.is_asked()).map(|(_, tree)| tree.print()).collect::<Vec<_>>()
    };
    if asked(&draft) == asked(&original) { None } else { draft.case(base) }
}

/// Whether answers repeat data that is asked; nothing where they hold other data, of which nobody knows how it would change.
fn echoed(draft: &Draft) -> Option<bool> {
    let (mut asked, mut answered) = (Vec::new(), Vec::new());
    for (seat, tree) in &draft.trees {
        let found = if seat.is_asked() { &mut asked } else { &mut answered };
        tree.each("", &mut |name, value| {
            if name == "data" && matches!(value, Tree::Object(_)) {
                found.push(value);
            }
        });
    }
    let same = |one: &Tree, other: &Tree| one.node().is_some_and(|node| other.node() == Some(node));
    answered.iter().all(|data| asked.iter().any(|known| same(data, known))).then_some(!answered.is_empty())
}

/// Gathers the numbers of codes; a number that stands anywhere else, or a text within a text that is spelled in another way than
/// this module writes, leaves the case as it is.
fn look(tree: &Tree, name: &str, numbers: &mut BTreeSet<String>, plain: &mut bool) {
    let mut text = |text: &Text, name: &str, plain: &mut bool| {
        let Some(says) = text.says.as_deref() else {
            *plain = false;
            return;
        };
        if let Some(inner) = inner(says) {
            *plain &= inner.print() == says;
            look(&inner, "", numbers, plain);
            return;
        }
        for part in says.split('/') {
            match number_of(part) {
                Some((_, digits)) => drop(numbers.insert(digits.to_owned())),
                None if name == "message_key" || FREE.contains(&name) => {}
                None => *plain &= !looks_like_a_code(part),
            }
        }
    };
    match tree {
        Tree::Text(said) => text(said, name, plain),
        Tree::Object(members) => members.iter().for_each(|(said, _)| text(said, "", plain)),
        _ => {}
    }
    match tree {
        Tree::Array(items) => items.iter().for_each(|item| look(item, name, numbers, plain)),
        Tree::Object(members) => members.iter().for_each(|(name, member)| look(member, name.says(), numbers, plain)),
        _ => {}
    }
}

/// A text that holds a JSON container.
fn inner(says: &str) -> Option<Tree> {
    if says.starts_with(['{', '[']) { Tree::parse(says) } else { None }
}

/// Whether a text has so much of a code that its number may be compared with another's.
fn looks_like_a_code(text: &str) -> bool {
    let digits = text.split(|letter: char| !letter.is_numeric()).any(|digits| digits.chars().count() >= 2);
    digits
        && text.contains(['-', '_', '\u{2010}', '\u{2011}', '\u{2212}', '.', ' '])
        && text.chars().any(char::is_alphabetic)
        || text.chars().any(|letter| letter.is_numeric() && !letter.is_ascii())
}

/// Other numbers in the same order; `000` has a meaning of its own.
fn renumbered(numbers: &BTreeSet<String>, random: &mut Random) -> BTreeMap<String, String> {
    let old: Vec<&String> = numbers.iter().filter(|digits| *digits != "000").collect();
    let mut new = BTreeSet::new();
    while new.len() < old.len() {
        new.insert(format!("{:03}", random.from(1, 999)));
    }
    old.into_iter().cloned().zip(new).collect()
}

/// Calls for every member, those of texts within texts included.
fn survey(tree: &Tree, call: &mut impl FnMut(&str, &Tree)) {
    let mut within = Vec::new();
    tree.each("", &mut |name, value| {
        call(name, value);
        within.extend(value.says().and_then(inner));
    });
    within.iter().for_each(|inner| survey_within(inner, call));
}

/// The same, one text deep: deeper ones hold no envelope.
fn survey_within(tree: &Tree, call: &mut impl FnMut(&str, &Tree)) {
    tree.each("", &mut |name, value| call(name, value));
}

struct Change {
    data: bool,
    durations: bool,
    numbers: BTreeMap<String, String>,
    word: String,
    number: String,
}

impl Change {
    fn tree(&self, tree: &mut Tree, name: &str, asked: bool) {
        match tree {
            Tree::Text(text) => self.text(text, name),
            Tree::Array(items) => items.iter_mut().for_each(|item| self.tree(item, name, asked)),
            Tree::Object(members) => {
                for (name, member) in members.iter_mut() {
                    self.text(name, "");
                    let place = name.says().to_owned();
                    self.tree(member, &place, asked);
                }
                if asked && self.data && name == "data" {
                    members.push((Text::new(&format!("zz{}", self.word)), Tree::Word(self.number.clone())));
                }
            }
            Tree::Word(word) => {
                let whole = !word.is_empty()
                    && word != "0"
                    && word.bytes().all(|byte| byte.is_ascii_digit())
                    && !word.starts_with('0');
                if asked && self.durations && name == "duration_ms" && whole {
                    word.clone_from(&self.number);
                }
            }
        }
    }

    fn text(&self, text: &mut Text, name: &str) {
        let says = text.says().to_owned();
        if let Some(mut inner) = inner(&says) {
            self.tree(&mut inner, "", true);
            text.say(&inner.print());
            return;
        }
        let free = self.data && name == "trace_id" && !says.trim().is_empty();
        let parts: Vec<String> = says
            .split('/')
            .map(|part| match number_of(part).and_then(|(family, digits)| Some((family, self.numbers.get(digits)?))) {
                Some((family, digits)) => format!("{family}-{digits}"),
                None => part.to_owned(),
            })
            .collect();
        let mut new = parts.join("/");
        if free {
            new.push_str(&self.word);
        }
        if new != says {
            text.say(&new);
        }
    }
}
