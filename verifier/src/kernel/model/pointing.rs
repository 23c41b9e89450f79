//! Which reference records of committed hold sources of which stems.
//!
//! Spec: Kernel v1 Requirements Pack, Spec-002, 5. What is taken out of them is the law kernel/pruning.

use std::collections::{BTreeMap, BTreeSet};

/// Stems of sources by the path of their record, and the other way round.
#[derive(Debug, Default)]
pub(crate) struct Pointing {
    stems: BTreeMap<String, BTreeSet<String>>,
    paths: BTreeMap<String, BTreeSet<String>>,
    /// Paths at which something was written since.
    pub(crate) stale: BTreeSet<String>,
}

impl Pointing {
    /// The record at a path has sources of these stems; none, where there is no record.
    pub(crate) fn set<'s>(&mut self, path: &str, stems: impl Iterator<Item = &'s str>) {
        for stem in self.stems.remove(path).into_iter().flatten() {
            if let Some(paths) = self.paths.get_mut(&stem) {
                paths.remove(path);
            }
        }
        let stems: BTreeSet<String> = stems.map(str::to_owned).collect();
        for stem in &stems {
            self.paths.entry(stem.clone()).or_default().insert(path.to_owned());
        }
        if !stems.is_empty() {
            self.stems.insert(path.to_owned(), stems);
        }
    }

    /// The paths of the records with a source of a stem.
    pub(crate) fn paths(&self, stem: &str) -> impl Iterator<Item = &String> {
        self.paths.get(stem).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_leads_to_the_records_that_name_it_now() {
        let mut pointing = Pointing::default();
        let paths = |pointing: &Pointing, stem| pointing.paths(stem).cloned().collect::<Vec<_>>();
        pointing.set("x", ["a", "b", "a"].into_iter());
        pointing.set("y", ["b"].into_iter());
        assert_eq!([paths(&pointing, "a"), paths(&pointing, "b")], [vec!["x"], vec!["x", "y"]]);
        pointing.set("x", ["c"].into_iter());
        pointing.set("y", [].into_iter());
        assert_eq!([paths(&pointing, "a"), paths(&pointing, "b")], [Vec::<String>::new(), Vec::new()]);
        assert_eq!(paths(&pointing, "c"), ["x"]);
    }
}
