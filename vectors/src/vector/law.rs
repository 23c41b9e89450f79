//! What `contracts` declares: the laws, one file each, and the systems that they are of.
//!
//! Contract: `contracts/interface/law.schema.json` and `system.schema.json`. Reading one says nothing about whether it
//! agrees with the cases: the lint does.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::{
    force::Spec,
    source::{LoadError, read},
    store::Store,
};

/// The folder of the laws: `contracts/laws/<slug>.json`.
pub const LAWS: &str = "contracts/laws/";

/// The declaration of a law.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeclaredLaw {
    /// System and law.
    pub slug: String,
    /// Name for people.
    pub title: String,
    /// The law in one sentence.
    pub statement: String,
    /// Where it stands.
    pub spec: Spec,
    /// Stated in text, in code, as a contract, or by the protocol alone.
    pub origin: String,
    /// Its place among the laws of its system.
    pub position: u16,
    /// Operations that can test it; none for a law that is not judged.
    #[serde(default)]
    pub operations: Vec<String>,
    /// Why no operation can judge it.
    pub unjudged: Option<String>,
    /// Whether it judges a reader of texts: an implementation that takes values is not asked.
    #[serde(default)]
    pub reader: bool,
    /// Ids of cases that are gone for ever.
    #[serde(default)]
    pub retired: Vec<String>,
    /// Ids that its cases had before, each with the id that the case has now.
    #[serde(default)]
    pub renamed: BTreeMap<String, String>,
    /// Questions without a ruling.
    #[serde(default)]
    pub open: Vec<String>,
    /// Why there are fewer than 25 cases.
    pub fewer: Option<String>,
}

impl DeclaredLaw {
    /// The file that declares the law with this slug.
    #[must_use]
    pub fn path(slug: &str) -> String {
        format!("{LAWS}{slug}.json")
    }

    /// The slug that a path gives to the law declared there.
    pub(super) fn slug_of(path: &str) -> Option<&str> {
        path.strip_prefix(LAWS)?.strip_suffix(".json")
    }

    /// Every former id of a store, with the id that its case has now.
    ///
    /// # Errors
    /// A declaration is not of the shape.
    pub fn renamed(store: &Store) -> Result<BTreeMap<String, String>, LoadError> {
        let mut renamed = BTreeMap::new();
        for path in store.below(LAWS) {
            renamed.append(&mut read::<Self>(store, path)?.renamed);
        }
        Ok(renamed)
    }

    /// The system that the law is of.
    #[must_use]
    pub fn system(&self) -> &str {
        self.slug.split('/').next().unwrap_or_default()
    }

    /// Whether some operation can judge it, so that it has a module and vectors.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.unjudged.is_none()
    }

    /// Whether it states what the protocol fixes, and no specification: input is refused before any law is asked.
    #[must_use]
    pub fn is_interface(&self) -> bool {
        self.origin == "interface"
    }

    /// The verifier's module that decides it, if it has one.
    #[must_use]
    pub fn module(&self) -> Option<String> {
        let (system, name) = self.slug.split_once('/')?;
        (self.is_judged() && !self.is_interface())
            .then(|| format!("verifier/src/{system}/laws/{}.rs", name.replace('-', "_")))
    }
}

/// The declaration of a system, `contracts/<name>/system.json`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// Its name.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// Titles of the specifications that state its laws.
    pub documents: Vec<String>,
    /// What the ids of its rulings begin with.
    pub rulings: Vec<String>,
    /// Its place among the systems.
    pub position: u16,
}

impl System {
    /// Every file of a store that declares a system.
    pub fn paths(store: &Store) -> impl Iterator<Item = &str> {
        store.below("contracts/").filter(|path| path.ends_with("/system.json") && path.matches('/').count() == 2)
    }

    /// Every system of a store, those without laws too, in their published order.
    ///
    /// # Errors
    /// A file is not of the shape.
    pub fn load(store: &Store) -> Result<Vec<Self>, LoadError> {
        let mut systems = Self::paths(store).map(|path| read(store, path)).collect::<Result<Vec<Self>, _>>()?;
        systems.sort_by(|a, b| (a.position, &a.name).cmp(&(b.position, &b.name)));
        Ok(systems)
    }

    /// Whether an id such as `KE-4` is that of a ruling of this system.
    #[must_use]
    pub fn rules(&self, id: &str) -> bool {
        let family = id.split('-').next().unwrap_or_default();
        self.rulings.iter().any(|known| known == family)
    }
}

#[cfg(test)]
mod tests {
    use assize_verifier::law::Law;

    use super::*;

    #[test]
    fn the_verifier_knows_the_systems_in_the_same_order() {
        let store = Store::embedded();
        let mut systems: Vec<_> = System::load(&store).unwrap().into_iter().map(|system| system.name).collect();
        systems.retain(|name| store.below(&format!("{LAWS}{name}/")).next().is_some());
        assert_eq!(systems, Law::SYSTEMS);
    }

    #[test]
    fn a_module_follows_from_the_slug() {
        let law: DeclaredLaw = read(&Store::embedded(), &DeclaredLaw::path("sovereign/float-ban")).unwrap();
        assert_eq!(law.module().unwrap(), "verifier/src/sovereign/laws/float_ban.rs");
        let law: DeclaredLaw = read(&Store::embedded(), &DeclaredLaw::path("reply/enforced")).unwrap();
        assert_eq!((law.system(), law.module()), ("reply", None));
    }
}
