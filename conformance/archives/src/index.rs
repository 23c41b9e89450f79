//! What an archive holds of what is wanted: how much, and up to which member.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Bound,
};

use crate::{
    Damage, Limits,
    member::{Member, What},
    name::Named,
};

/// A part of an archive that an artefact consists of. Paths are without detours; the empty one is that of all that the archive holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// One file.
    File(String),
    /// A folder with all that lies below it.
    Folder(String),
}

impl Scope {
    /// Where it is in the archive.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::File(path) | Self::Folder(path) => path,
        }
    }
}

/// What one look at an archive found out about a scope.
#[derive(Debug, Default)]
pub(crate) struct Extent {
    pub(crate) bytes: u64,
    pub(crate) members: u64,
    /// The number of its last member.
    pub(crate) last: u64,
    pub(crate) damage: Option<Damage>,
}

/// Scopes by where they are.
#[derive(Debug, Default)]
pub(crate) struct Index {
    scopes: Vec<Scope>,
    by_scope: HashMap<Scope, usize>,
    /// Those at a path: of a file, of a folder.
    by_path: BTreeMap<String, [Option<usize>; 2]>,
}

impl Index {
    /// The number of a scope, which it has from now on.
    pub(crate) fn add(&mut self, scope: Scope) -> usize {
        if let Some(known) = self.by_scope.get(&scope) {
            return *known;
        }
        let number = self.scopes.len();
        let at = self.by_path.entry(scope.path().to_owned()).or_default();
        let [file, folder] = at;
        *(if matches!(scope, Scope::File(_)) { file } else { folder }) = Some(number);
        self.by_scope.insert(scope.clone(), number);
        self.scopes.push(scope);
        number
    }

    pub(crate) fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    fn at(&self, path: &str) -> [Option<usize>; 2] {
        self.by_path.get(path).copied().unwrap_or_default()
    }

    /// Scopes of folders that a path lies in, or is.
    pub(crate) fn around(&self, path: &str) -> impl Iterator<Item = usize> {
        let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
        let folders = ends.filter_map(move |end| path.get(..end)).filter(|folder| !folder.is_empty());
        [""].into_iter().chain(folders).filter_map(move |folder| self.at(folder)[1])
    }

    /// The scope of the file at a path, if it is wanted by itself.
    pub(crate) fn file(&self, path: &str) -> Option<usize> {
        self.at(path)[0]
    }

    /// Scopes that lie below a path.
    fn below(&self, path: &str) -> impl Iterator<Item = usize> {
        let inside = if path.is_empty() { String::new() } else { format!("{path}/") };
        let from = (Bound::Included(inside.as_str()), Bound::Unbounded);
        let below = self.by_path.range::<str, _>(from);
        let below = below.take_while(move |(path, _)| path.starts_with(&inside)).filter(|(path, _)| !path.is_empty());
        below.flat_map(|(_, at)| at.iter().flatten().copied()).collect::<Vec<_>>().into_iter()
    }
}

/// Extents of all scopes, member by member.
pub(crate) struct Survey<'i> {
    index: &'i Index,
    archive: &'i str,
    limits: &'i Limits,
    extents: Vec<Extent>,
}

const REMAKE: &str = "make the archive anew, of plain files and folders, each once";

impl<'i> Survey<'i> {
    pub(crate) fn new(index: &'i Index, archive: &'i str, limits: &'i Limits) -> Self {
        let extents = index.scopes.iter().map(|_| Extent::default()).collect();
        Self { index, archive, limits, extents }
    }

    /// Looks at a member.
    ///
    /// # Errors
    /// Nothing of the archive can be used any more.
    pub(crate) fn see(&mut self, member: &Member) -> Result<(), Damage> {
        let (archive, number) = (self.archive, member.number);
        let told = |what: &str, path: &str| format!("{archive}: member {number}, {path:?}: {what}");
        let path = match &member.name {
            Named::Elsewhere(name) => return Err(Damage::new(told("leads out of the archive", name), REMAKE)),
            Named::Odd(path) => {
                let damage = Damage::new(told("no file can have this name", path), REMAKE);
                self.spoil(path, &damage);
                return Ok(());
            }
            Named::At(path) => path,
        };
        match member.what {
            What::Other(what) => {
                let damage = Damage::new(told(&format!("{what}, which is not followed or read"), path), REMAKE);
                self.spoil(path, &damage);
            }
            What::Folder => {
                if let Some(file) = self.index.file(path) {
                    self.damage(file, || Damage::new(told("a folder, not a file", path), "name a file in it"));
                }
                let index = self.index;
                index.around(path).for_each(|scope| self.count(scope, member));
            }
            What::File => {
                if path.is_empty() {
                    return Err(Damage::new(told("has no name", path), REMAKE));
                }
                let index = self.index;
                for scope in index.below(path) {
                    self.damage(scope, || Damage::new(told("a file, where a folder is wanted", path), REMAKE));
                }
                if let Some(folder) = self.index.at(path)[1] {
                    self.damage(folder, || Damage::new(told("a file, not a folder", path), "name the folder"));
                }
                if let Some(file) = self.index.file(path) {
                    if self.extents.get(file).is_some_and(|extent| extent.members > 0) {
                        self.damage(file, || Damage::new(told("its name is repeated", path), REMAKE));
                    }
                    self.count(file, member);
                }
                index.around(path).for_each(|scope| self.count(scope, member));
            }
        }
        Ok(())
    }

    /// What is not there, or too large.
    pub(crate) fn end(mut self) -> Vec<Extent> {
        let limits = self.limits;
        for (scope, extent) in self.index.scopes.iter().zip(&mut self.extents) {
            let (archive, path) = (self.archive, scope.path());
            if extent.members == 0 && !path.is_empty() {
                let damage =
                    || Damage::new(format!("{archive}: holds no {path:?}"), "check the spelling of the path in it");
                extent.damage.get_or_insert_with(damage);
            }
            if extent.bytes > limits.artefact || extent.members > limits.members {
                let damage = || {
                    Damage::new(
                        format!(
                            "{archive}: {path:?} has {} bytes in {} members, and at most {} in {} are read",
                            extent.bytes, extent.members, limits.artefact, limits.members
                        ),
                        "unpack it, and name what came out",
                    )
                };
                let damage = damage();
                extent.damage.get_or_insert(damage);
            }
        }
        self.extents
    }

    fn count(&mut self, scope: usize, member: &Member) {
        if let Some(extent) = self.extents.get_mut(scope) {
            extent.members += 1;
            extent.last = member.number;
            if member.what == What::File {
                extent.bytes = extent.bytes.saturating_add(member.size);
            }
        }
    }

    /// What no artefact may hold spoils the scopes that it lies in, and those that would lie below it.
    fn spoil(&mut self, path: &str, damage: &Damage) {
        let index = self.index;
        let hit = index.around(path).chain(index.file(path)).chain(index.below(path));
        hit.for_each(|scope| self.damage(scope, || damage.clone()));
    }

    fn damage(&mut self, scope: usize, damage: impl FnOnce() -> Damage) {
        if let Some(extent) = self.extents.get_mut(scope) {
            extent.damage.get_or_insert_with(damage);
        }
    }
}
