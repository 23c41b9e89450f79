//! What a turn file holds, by the digests that a report names: only what has been hashed is shown.

use std::collections::{BTreeMap, HashMap};

use assize_verifier::{
    canon::{Canonicalizer, Rules},
    digest::Digest,
    json::{Document, JsonPointer, NodeRef},
};

/// A decision record, an issue, or several issues that are alike in all that pairs them.
#[derive(Debug, Clone)]
pub(super) struct Held {
    /// Where the first of them stands in the turn file.
    pub(super) place: JsonPointer,
    /// Its canonical bytes, as parity sees it.
    pub(super) canonical: Vec<u8>,
    /// How many there are.
    pub(super) count: usize,
}

/// What one side's turn file holds.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    by_digest: HashMap<String, Held>,
    /// Decision records, or none where they are not a list.
    pub(super) records: Option<usize>,
}

/// What pairs issues; those that are alike in it are one list.
const KEY: [&str; 4] = ["stage", "location", "code", "details"];

impl Holdings {
    /// Everything in a turn file that a row can be about.
    pub(super) fn of(turn: &Document<'_>) -> Self {
        let mut held = Self::default();
        let decisions = turn.root().get("capabilities").and_then(|value| value.get("decisions"));
        if let Some(decisions) = decisions.filter(|decisions| decisions.is_array()) {
            held.records = Some(decisions.elements().count());
            for (place, canonical) in
                canonical(decisions, "/capabilities/decisions", || Canonicalizer::new(Rules::PARITY))
            {
                held.keep(Digest::of(&canonical), Held { place, canonical, count: 1 });
            }
        }
        if let Some(issues) = turn.root().get("issues").filter(|issues| issues.is_array()) {
            held.issues(issues);
        }
        held
    }

    /// What has this digest.
    pub(super) fn find(&self, digest: &str) -> Option<&Held> {
        self.by_digest.get(digest)
    }

    /// Issues one by one, and the lists of those that are alike, which a row names where their numbers differ.
    fn issues(&mut self, issues: NodeRef<'_>) {
        let mut lists: BTreeMap<Vec<Vec<u8>>, Vec<(Digest, Held)>> = BTreeMap::new();
        let writer = || Canonicalizer::new(Rules::PARITY).omitting("message");
        for (place, canonical) in canonical(issues, "/issues", writer) {
            let digest = Digest::of(&canonical);
            let held = Held { place, canonical, count: 1 };
            self.keep(digest, held.clone());
            if let Ok(issue) = Document::parse(&held.canonical, &Rules::PARITY.dialect) {
                let key = KEY.map(|name| issue.root().get(name).map(|part| part.raw().to_vec()).unwrap_or_default());
                lists.entry(key.into()).or_default().push((digest, held.clone()));
            }
        }
        for mut list in lists.into_values() {
            list.sort_by_key(|(digest, _)| *digest);
            let texts: Vec<&[u8]> = list.iter().map(|(_, held)| held.canonical.as_slice()).collect();
            let digest = Digest::of(&[b"[", &*texts.join(&b","[..]), b"]"].concat());
            if let Some((_, first)) = list.first() {
                self.keep(digest, Held { count: list.len(), ..first.clone() });
            }
        }
    }

    fn keep(&mut self, digest: Digest, held: Held) {
        self.by_digest.entry(digest.to_hex()).or_insert(held);
    }
}

/// The elements of an array that have a canonical form, each with its place.
fn canonical<'d>(
    list: NodeRef<'d>,
    place: &str,
    writer: impl Fn() -> Canonicalizer + 'd,
) -> impl Iterator<Item = (JsonPointer, Vec<u8>)> + 'd {
    let place = JsonPointer::from_text(place);
    list.elements().enumerate().filter_map(move |(index, element)| {
        let mut canonical = Vec::with_capacity(element.raw().len());
        writer().document(element.raw(), &mut canonical).ok()?;
        Some((place.index(index), canonical))
    })
}
