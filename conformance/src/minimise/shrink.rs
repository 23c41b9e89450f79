//! Smaller and smaller questions, as long as the answer to each is the wanted one.
//!
//! Delta debugging (Zeller and Hildebrandt's ddmin) over files, elements, members, and the letters of tokens; then simpler
//! values, and a value in place of its container. Every step is smaller than the one before, so that it ends; the same
//! answers give the same result. The smallest one found does not prove that there is no smaller one.

use std::{collections::BTreeSet, ops::Range};

use assize_corpus::vector::{Case, Entry};
use assize_verifier::digest::Digest;

use super::{
    draft::{Body, Draft, Place},
    tree::{self, Tree},
};

/// What came of a smaller question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// What was looked for is still there.
    Kept,
    /// It is not.
    Lost,
    /// No more questions may be asked.
    Stop,
}

/// The smallest question found.
pub(crate) struct Smallest {
    /// The question.
    pub(crate) case: Case,
    /// Its size.
    pub(crate) size: usize,
    /// Whether every step was tried and none makes it smaller.
    #[cfg(test)]
    pub(super) complete: bool,
}

/// The size of a question, as it counts here.
pub(crate) fn size(case: &Case) -> usize {
    Draft::of(case).size()
}

/// Shrinks a question. `ask` gets a candidate and its size.
pub(crate) fn shrink(question: &Case, ask: &mut dyn FnMut(&Case, usize) -> Reply) -> Smallest {
    let best = Draft::of(question);
    let mut shrinker = Shrinker { question, size: best.size(), best, asked: BTreeSet::new(), stopped: false, ask };
    shrinker.plant();
    loop {
        let before = shrinker.size;
        shrinker.round();
        if shrinker.stopped || shrinker.size == before {
            break;
        }
    }
    Smallest {
        case: shrinker.best.case(question),
        size: shrinker.size,
        #[cfg(test)]
        complete: !shrinker.stopped,
    }
}

struct Shrinker<'a> {
    question: &'a Case,
    best: Draft,
    size: usize,
    /// What was asked already, by digest.
    asked: BTreeSet<[u8; 32]>,
    stopped: bool,
    ask: &'a mut dyn FnMut(&Case, usize) -> Reply,
}

impl Shrinker<'_> {
    /// Asks a draft that is smaller than the best and new, and keeps it if what is looked for is still there.
    fn take(&mut self, draft: Draft) -> bool {
        let size = draft.size();
        if self.stopped || size >= self.size {
            return false;
        }
        let case = draft.case(self.question);
        if !self.asked.insert(key(&case)) {
            return false;
        }
        match (self.ask)(&case, size) {
            Reply::Kept => {
                (self.best, self.size) = (draft, size);
                true
            }
            Reply::Lost => false,
            Reply::Stop => {
                self.stopped = true;
                false
            }
        }
    }

    fn any(&mut self, drafts: Vec<Draft>) -> bool {
        drafts.into_iter().any(|draft| self.take(draft))
    }

    /// Turns what is JSON into trees: all at once, otherwise one by one. What needs its white space stays bytes.
    fn plant(&mut self) {
        let mut trees = Vec::new();
        for place in self.best.places() {
            if let Some(Body::Raw(bytes)) = self.best.body(&place)
                && let Some(tree) = Tree::parse(bytes)
            {
                trees.push((place, tree));
            }
        }
        let mut all = self.best.clone();
        for (place, tree) in &trees {
            all.put(place, Body::Tree(tree.clone()));
        }
        if all.size() == self.size {
            self.best = all;
            return;
        }
        if self.take(all) {
            return;
        }
        for (place, tree) in trees {
            let mut one = self.best.clone();
            one.put(&place, Body::Tree(tree));
            if one.size() == self.size {
                self.best = one;
            } else {
                self.take(one);
            }
        }
    }

    /// Every step once.
    fn round(&mut self) {
        let op = self.question.op.clone();
        let spare = self.best.spare(&op).len();
        self.thin(spare, &|draft, range| {
            let mut draft = draft.clone();
            draft.remove(draft.spare(&op).get(range).unwrap_or_default());
            vec![draft]
        });
        for place in self.best.places() {
            match self.best.body(&place) {
                Some(Body::Tree(_)) => self.visit(&place, &mut Vec::new()),
                Some(Body::Raw(bytes)) => {
                    let count = bytes.len();
                    self.thin(count, &|draft, range| match draft.body(&place) {
                        Some(Body::Raw(bytes)) if range.end <= bytes.len() => {
                            let (mut draft, mut bytes) = (draft.clone(), bytes.clone());
                            bytes.drain(range);
                            draft.put(&place, Body::Raw(bytes));
                            vec![draft]
                        }
                        _ => Vec::new(),
                    });
                }
                _ => {}
            }
        }
    }

    /// Leaves out as many of `count` units as it can, first all of them, then ever smaller runs.
    fn thin(&mut self, count: usize, cut: &dyn Fn(&Draft, Range<usize>) -> Vec<Draft>) {
        let (mut left, mut run) = (count, count);
        while run > 0 && !self.stopped {
            let mut at = 0;
            while at < left && !self.stopped {
                let end = left.min(at + run);
                let drafts = cut(&self.best, at..end);
                if self.any(drafts) {
                    left -= end - at;
                } else {
                    at = end;
                }
            }
            run = left.min(run / 2);
        }
    }

    /// Makes the value at a path smaller, then what is in it.
    fn visit(&mut self, place: &Place, path: &mut Vec<usize>) {
        let Some(children) = self.best.tree(place, path).map(Tree::children) else { return };
        let Some(count) = children else { return self.token(place, path) };
        let here = path.clone();
        self.thin(count, &|draft, range| {
            let names = range.clone();
            let alike = move |mine: &Tree, other: &Tree| same_names(mine, other, names.clone());
            draft.edited(place, &here, &alike, &move |tree| tree.cut(range.clone()))
        });
        self.simpler(place, path);
        while self.hoist(place, path) {}
        let mut child = 0;
        while !self.stopped && self.best.tree(place, path).and_then(Tree::children).is_some_and(|count| child < count) {
            self.name(place, path, child);
            path.push(child);
            self.visit(place, path);
            path.pop();
            child += 1;
        }
    }

    /// Replaces a whole value by something simpler.
    fn simpler(&mut self, place: &Place, path: &[usize]) {
        for simple in ["0", "\"\"", "null"] {
            let put = |tree: &mut Tree| *tree = Tree::Token(simple.as_bytes().to_vec());
            let drafts = self.best.edited(place, path, &PartialEq::eq, &put);
            if self.any(drafts) {
                return;
            }
        }
    }

    /// Replaces a container by one of its elements or members.
    fn hoist(&mut self, place: &Place, path: &[usize]) -> bool {
        let count = self.best.tree(place, path).and_then(Tree::children).unwrap_or(0);
        (0..count).any(|child| {
            let put = |tree: &mut Tree| {
                if let Some(inner) = tree.child(child).cloned() {
                    *tree = inner;
                }
            };
            let drafts = self.best.edited(place, path, &PartialEq::eq, &put);
            self.any(drafts)
        })
    }

    /// Shortens a string, a number or a word.
    fn token(&mut self, place: &Place, path: &[usize]) {
        self.simpler(place, path);
        let Some(Tree::Token(token)) = self.best.tree(place, path) else { return };
        self.thin(tree::parts(token).len(), &|draft, range| {
            let drafts = draft.edited(place, path, &PartialEq::eq, &|tree| tree.cut(range.clone()));
            // An empty text is not a token, and would change what is around it.
            let whole =
                |draft: &Draft| !matches!(draft.tree(place, path), Some(Tree::Token(token)) if token.is_empty());
            drafts.into_iter().filter(whole).collect()
        });
    }

    /// Shortens the name of a member.
    fn name(&mut self, place: &Place, path: &[usize], child: usize) {
        let Some(name) = self.best.tree(place, path).and_then(|tree| tree.name(child)) else { return };
        self.thin(tree::parts(name).len(), &|draft, range| {
            let alike = |mine: &Tree, other: &Tree| mine.name(child) == other.name(child);
            draft.edited(place, path, &alike, &|tree| {
                if let Tree::Object(members) = tree
                    && let Some((name, _)) = members.get_mut(child)
                {
                    *name = tree::without(name, range.clone());
                }
            })
        });
    }
}

/// Whether two containers are of one kind, and have members of the same names at these places.
fn same_names(mine: &Tree, other: &Tree, mut range: Range<usize>) -> bool {
    match (mine, other) {
        (Tree::Array(_), Tree::Array(items)) => range.end <= items.len(),
        (Tree::Object(_), Tree::Object(members)) => {
            range.end <= members.len() && range.all(|place| mine.name(place) == other.name(place))
        }
        _ => false,
    }
}

/// What identifies a question.
fn key(case: &Case) -> [u8; 32] {
    let mut parts = Vec::new();
    let mut add = |kind: u8, name: &str, bytes: &[u8]| {
        parts.push(kind);
        for piece in [name.as_bytes(), bytes] {
            parts.extend_from_slice(&piece.len().to_le_bytes());
            parts.extend_from_slice(piece);
        }
    };
    case.inputs.iter().for_each(|(name, document)| add(0, name, &document.bytes()));
    for (path, entry) in &case.files {
        match entry {
            Entry::File(document) => add(1, path, &document.bytes()),
            // These are never changed, only left out.
            _ => add(2, path, b""),
        }
    }
    *Digest::of(&parts).as_bytes()
}

#[cfg(test)]
mod tests;
