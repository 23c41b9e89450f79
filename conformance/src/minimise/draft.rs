//! What goes in, in a form that can be made smaller: documents and files, as trees where they are JSON.

use std::collections::BTreeMap;

use assize_corpus::{
    operation,
    vector::{Case, Document, Entry},
};

use super::tree::Tree;

/// Where a part of a question lies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// A document, by name.
    Doc(String),
    /// A file, by path.
    File(String),
}

/// One part of a question.
#[derive(Debug, Clone)]
pub(super) enum Body {
    /// A JSON text.
    Tree(Tree),
    /// Other bytes, or a text whose white space matters.
    Raw(Vec<u8>),
    /// A folder, a link, or a file that cannot be read.
    Other(Entry),
}

impl Body {
    fn size(&self) -> usize {
        match self {
            Self::Tree(tree) => tree.size(),
            Self::Raw(bytes) => bytes.len(),
            Self::Other(Entry::Symlink { to: text } | Entry::Unreadable { text }) => text.len(),
            Self::Other(_) => 0,
        }
    }

    fn document(&self) -> Option<Document> {
        let bytes = match self {
            Self::Tree(tree) => tree.bytes(),
            Self::Raw(bytes) => bytes.clone(),
            Self::Other(_) => return None,
        };
        Some(String::from_utf8(bytes).map_or_else(|error| Document::Bytes(error.into_bytes()), Document::Text))
    }
}

/// Everything that goes in.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    parts: BTreeMap<Place, Body>,
}

impl Draft {
    /// The input of a case, byte for byte.
    pub(super) fn of(case: &Case) -> Self {
        let docs = case.inputs.iter().map(|(name, doc)| (Place::Doc(name.clone()), Body::Raw(doc.bytes())));
        let files = case.files.iter().map(|(path, entry)| {
            let body = match entry {
                Entry::File(document) => Body::Raw(document.bytes()),
                other => Body::Other(other.clone()),
            };
            (Place::File(path.clone()), body)
        });
        Self { parts: docs.chain(files).collect() }
    }

    /// The same question with this input.
    pub(super) fn case(&self, question: &Case) -> Case {
        let mut case = Case { inputs: BTreeMap::new(), files: BTreeMap::new(), root: None, ..question.clone() };
        for (place, body) in &self.parts {
            match (place, body.document(), body) {
                (Place::Doc(name), Some(document), _) => drop(case.inputs.insert(name.clone(), document)),
                (Place::File(path), Some(document), _) => {
                    drop(case.files.insert(path.clone(), Entry::File(document)));
                }
                (Place::File(path), None, Body::Other(entry)) => drop(case.files.insert(path.clone(), entry.clone())),
                _ => {}
            }
        }
        case
    }

    /// Bytes of everything, names included: what shrinking makes smaller.
    pub(super) fn size(&self) -> usize {
        let sizes = self.parts.iter().map(|(place, body)| {
            let (Place::Doc(name) | Place::File(name)) = place;
            name.len() + 1 + body.size()
        });
        sizes.sum()
    }

    /// Every place, in order.
    pub(super) fn places(&self) -> Vec<Place> {
        self.parts.keys().cloned().collect()
    }

    /// The places that may be left out: files, and documents that the operation does not need.
    pub(super) fn spare(&self, op: &str) -> Vec<Place> {
        let needed = |name: &String| {
            let operation = operation::table().find(op);
            operation.is_none_or(|operation| operation.inputs.iter().any(|input| input.name == *name && input.required))
        };
        let spare = self.parts.keys().filter(|place| !matches!(place, Place::Doc(name) if needed(name)));
        spare.cloned().collect()
    }

    /// Leaves parts out.
    pub(super) fn remove(&mut self, places: &[Place]) {
        self.parts.retain(|place, _| !places.contains(place));
    }

    /// The part at a place.
    pub(super) fn body(&self, place: &Place) -> Option<&Body> {
        self.parts.get(place)
    }

    /// Replaces the body at a place.
    pub(super) fn put(&mut self, place: &Place, body: Body) {
        self.parts.insert(place.clone(), body);
    }

    /// The tree at a place and path.
    pub(super) fn tree(&self, place: &Place, path: &[usize]) -> Option<&Tree> {
        if let Some(Body::Tree(tree)) = self.parts.get(place) { tree.at(path) } else { None }
    }

    /// Two drafts with one edit at a path: made in every part that is alike there, if there are others, and made only in this one.
    /// Both sides of a pair must often change together to stay a pair.
    pub(super) fn edited(
        &self,
        place: &Place,
        path: &[usize],
        alike: &dyn Fn(&Tree, &Tree) -> bool,
        edit: &dyn Fn(&mut Tree),
    ) -> Vec<Self> {
        let Some(mine) = self.tree(place, path) else { return Vec::new() };
        let others =
            self.parts.iter().filter(|(other, _)| *other != place).filter_map(|(other, body)| {
                if let Body::Tree(tree) = body { Some((other, tree.at(path)?)) } else { None }
            });
        let together: Vec<Place> =
            others.filter(|(_, tree)| alike(mine, tree)).map(|(other, _)| other.clone()).collect();
        let apply = |places: &[&Place]| {
            let mut draft = self.clone();
            for place in places {
                if let Some(Body::Tree(tree)) = draft.parts.get_mut(place)
                    && let Some(tree) = tree.at_mut(path)
                {
                    edit(tree);
                }
            }
            draft
        };
        let mut drafts = Vec::new();
        if !together.is_empty() {
            drafts.push(apply(&together.iter().chain([place]).collect::<Vec<_>>()));
        }
        drafts.push(apply(&[place]));
        drafts
    }
}
