//! The order of judgement on a registry of codes, its revisions, and what uses it.
//!
//! Spec: Canonical Reply System Architecture (Final), 4 to 6, 12 and 14; rulings RE-25, RE-28, RE-31 to RE-34.
//! The first registry is the newest revision; earlier ones are read for reuse alone, and never judged by today's laws.

use super::code;
use super::judgement::Judgement;
use super::laws::area_not_tool_name::Tools;
use super::laws::area_registered::{self, Areas};
use super::laws::code_never_reused::{self, Retired};
use super::laws::code_registered::Registered;
use super::laws::code_unique::Held;
use super::laws::{axes_distinct, code_shape, contract_area_gate, legacy_retired, single_registry, type_agrees};
use super::model::code::Segments;
use super::model::registry::{Registries, Registry};
use super::model::text;
use crate::json::JsonPointer;
use crate::rejection::Rejection;

/// Judges the document of a registry.
///
/// # Errors
/// If the document is not JSON, exceeds a limit, or has another shape.
pub fn registry(bytes: &[u8]) -> Result<Judgement, Rejection> {
    let document = text::read(bytes)?;
    let root = JsonPointer::root();
    let registries = Registries::read(document.root(), &root)?;
    let mut found = Judgement::default();
    let place = root.member("registries");
    single_registry::judge(&registries, &place, &mut found);
    let tools = Tools::of(&registries);
    for (index, registry) in registries.all.iter().enumerate() {
        let place = place.index(index);
        areas(registry, &tools, &place.member("areas"), &mut found);
        active(registry, &place.member("active"), &mut found);
        aliases(registry, &place.member("aliases"), &mut found);
    }
    used(&registries, &root.member("used"), &mut found);
    code_never_reused::judge(&registries, &root, &mut found);
    Ok(found.settled())
}

fn areas(registry: &Registry<'_>, tools: &Tools, at: &JsonPointer, found: &mut Judgement) {
    for (index, declared) in registry.areas.iter().enumerate() {
        if !area_registered::is_given(declared.name()) {
            let at = || at.index(index);
            contract_area_gate::judge_declared(declared, at, found);
            area_registered::judge_declared(declared, at, found);
            tools.judge(declared, at, found);
        }
    }
}

fn active(registry: &Registry<'_>, at: &JsonPointer, found: &mut Judgement) {
    let areas = Areas::of(registry);
    let mut held = Held::default();
    let retired = Retired::of(registry);
    for (index, row) in registry.active.iter().enumerate() {
        let at = || at.index(index);
        held.take(row, at, found);
        retired.judge(&row.code, at, found);
        code::judge(&row.code, &areas, at, found);
        legacy_retired::judge(&row.code, "active", at, found);
        if let Some(segments) = Segments::parse(&row.code) {
            axes_distinct::judge(row, &segments, at, found);
            type_agrees::judge_row(row, &segments, at, found);
        }
    }
}

fn aliases(registry: &Registry<'_>, at: &JsonPointer, found: &mut Judgement) {
    let registered = Registered::of(Some(registry));
    for (old, new) in &registry.aliases {
        let at = || at.member(&String::from_utf8_lossy(old));
        legacy_retired::judge_alias(old, at, found);
        registered.judge_alias(new, at, found);
        type_agrees::advise_alias(old, new, at, found);
    }
}

fn used(registries: &Registries<'_>, at: &JsonPointer, found: &mut Judgement) {
    let registered = Registered::of(registries.newest());
    for (index, code) in registries.used.iter().enumerate() {
        let at = || at.index(index);
        registered.judge_use(code, at, found);
        legacy_retired::judge(code, "used", at, found);
        code_shape::judge_use(code, at, found);
    }
}
