//! The document of `reply.source`: call sites as a linter found them, and the registry that they are held against.
//!
//! Spec: ruling RE-37.

use super::member::{Due, boolean_or_none, integer, list, misfit, object, owed, text, text_or_none};
use super::registry::Registries;
use super::text::Text;
use crate::json::{JsonPointer, NodeRef};

/// Call sites and their registry.
pub(crate) struct Source<'d> {
    pub(crate) sites: Vec<Site<'d>>,
    pub(crate) registries: Registries<'d>,
}

/// One call site. Without receiver it is a raw return, without method a direct construction.
pub(crate) struct Site<'d> {
    pub(crate) receiver: Option<Text<'d>>,
    pub(crate) method: Option<Text<'d>>,
    pub(crate) code: Option<Text<'d>>,
    pub(crate) returned: bool,
}

impl<'d> Source<'d> {
    pub(crate) fn read(node: NodeRef<'d>, at: &JsonPointer) -> Due<Self> {
        let node = object(node, at)?;
        owed(node, at, "call_sites")?;
        let place = at.member("call_sites");
        let mut sites = Vec::new();
        for (index, site) in list(node, at, "call_sites")?.enumerate() {
            sites.push(Site::read(site, &place.index(index))?);
        }
        let registries = Registries::read(owed(node, at, "registry")?, &at.member("registry"))?;
        Ok(Self { sites, registries })
    }
}

impl<'d> Site<'d> {
    /// Where it stands has to be said, though no law is about it.
    fn read(node: NodeRef<'d>, at: &JsonPointer) -> Due<Self> {
        let node = object(node, at)?;
        if text(node, at, "file")?.is_empty() {
            return Err(misfit(&at.member("file"), "the name of a file"));
        }
        integer(node, at, "line")?;
        let returned = boolean_or_none(node, at, "returned")?;
        Ok(Self {
            receiver: text_or_none(node, at, "receiver")?,
            method: text_or_none(node, at, "method")?,
            code: text_or_none(node, at, "code")?,
            returned: returned.ok_or_else(|| misfit(&at.member("returned"), "a boolean"))?,
        })
    }
}
