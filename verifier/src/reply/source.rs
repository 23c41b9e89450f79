//! The order of judgement on call sites as a linter found them, held against the registry.
//!
//! Spec: Canonical Reply System Architecture (Final), 6, 9, 10 and 12; rulings RE-25, RE-37.

use super::code;
use super::judgement::Judgement;
use super::laws::area_registered::Areas;
use super::laws::code_registered::Registered;
use super::laws::{builder_api, no_forbidden_methods, no_raw_return, single_builder, terminal_return, type_agrees};
use super::model::source::{Site, Source};
use super::model::text;
use crate::json::JsonPointer;
use crate::rejection::Rejection;

/// Judges call sites.
///
/// # Errors
/// If the document is not JSON, exceeds a limit, or has another shape.
pub fn source(bytes: &[u8]) -> Result<Judgement, Rejection> {
    let document = text::read(bytes)?;
    let root = JsonPointer::root();
    let source = Source::read(document.root(), &root)?;
    let newest = source.registries.newest();
    let registered = Registered::of(newest);
    let areas = newest.map(Areas::of).unwrap_or_default();
    let place = root.member("call_sites");
    let mut found = Judgement::default();
    for (index, site) in source.sites.iter().enumerate() {
        judge(site, &registered, &areas, || place.index(index), &mut found);
    }
    Ok(found.settled())
}

fn judge(
    site: &Site<'_>,
    registered: &Registered<'_>,
    areas: &Areas<'_>,
    at: impl Fn() -> JsonPointer,
    found: &mut Judgement,
) {
    let of = site.code.as_deref().and_then(|text| {
        registered.judge_call(text, &at, found);
        code::judge(text, areas, &at, found)
    });
    if no_raw_return::judge_site(site, &at, found) {
        return;
    }
    let Some(method) = single_builder::judge_site(site, &at, found) else { return };
    no_forbidden_methods::judge(method, &at, found);
    let Some(kind) = builder_api::judge(method, site.code.is_some(), &at, found) else { return };
    type_agrees::judge(kind, of, &at, found);
    terminal_return::judge_site(kind, site, &at, found);
}
