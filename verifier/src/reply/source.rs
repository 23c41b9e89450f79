//! Call sites as a linter found them, held against the registry.
//!
//! Spec: Canonical Reply System Architecture (Final), 6, 9, 10 and 12; rulings RE-25, RE-37. A site without receiver
//! is a raw return, one without method a direct construction.

use super::area_registered::Areas;
use super::code_registered::Registered;
use super::judgement::Judgement;
use super::member::{Due, boolean_or_none, integer, list, misfit, object, owed, text, text_or_none};
use super::registry::{Registries, Registry};
use super::text::{Text, quoted};
use super::{builder_api, code, no_raw_return, single_builder, terminal_return, type_agrees};
use crate::json::{JsonPointer, NodeRef};
use crate::law::Law;
use crate::rejection::Rejection;

/// Judges call sites.
///
/// # Errors
/// If the document is not JSON, exceeds a limit, or has another shape.
pub fn source(bytes: &[u8]) -> Result<Judgement, Rejection> {
    let document = super::text::read(bytes)?;
    let root = JsonPointer::root();
    let node = object(document.root(), &root)?;
    owed(node, &root, "call_sites")?;
    let place = root.member("call_sites");
    let mut sites = Vec::new();
    for (index, site) in list(node, &root, "call_sites")?.enumerate() {
        sites.push(Site::read(site, &place.index(index))?);
    }
    let registries = Registries::read(owed(node, &root, "registry")?, &root.member("registry"))?;
    let registered = Registered::of(registries.newest());
    let areas = registries.newest().map(Registry::areas).unwrap_or_default();
    let mut found = Judgement::default();
    for (index, site) in sites.iter().enumerate() {
        site.judge(&registered, &areas, || place.index(index), &mut found);
    }
    Ok(found.settled())
}

/// One call site.
struct Site<'d> {
    receiver: Option<Text<'d>>,
    method: Option<Text<'d>>,
    code: Option<Text<'d>>,
    returned: bool,
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

    fn judge(
        &self,
        registered: &Registered<'_>,
        areas: &Areas<'_>,
        at: impl Fn() -> JsonPointer,
        found: &mut Judgement,
    ) {
        let of = self.code.as_deref().and_then(|text| {
            if !registered.holds(text) {
                let message = format!("{} is not registered, or retired: register it, or use another", quoted(text));
                found.meaning(Law::ReplyCodeRegistered, at(), message);
            }
            code::judge(text, areas, &at, found)
        });
        if no_raw_return::is_raw_site(self.receiver.as_deref()) {
            return found.meaning(Law::ReplyNoRawReturn, at(), "no reply is returned: build one");
        }
        let method = self.method.as_deref();
        if single_builder::is_direct(method) {
            return found.meaning(
                Law::ReplySingleBuilder,
                at(),
                "a reply is made without the builder: call its method",
            );
        }
        let kind = builder_api::judge(method.unwrap_or_default(), self.code.is_some(), &at, found);
        let Some(kind) = kind else { return };
        type_agrees::judge(kind, of, &at, found);
        if terminal_return::is_kept(kind, self.returned) {
            found.meaning(Law::ReplyTerminalReturn, at(), "a terminal reply is not returned at once: return it");
        }
    }
}
