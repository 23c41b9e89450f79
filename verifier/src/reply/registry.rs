//! A registry of codes, its revisions, and what uses it.
//!
//! Spec: Canonical Reply System Architecture (Final), 4 to 6, 12 and 14; rulings RE-25, RE-28, RE-31 to RE-34.
//! The first registry is the newest revision; earlier ones are read for reuse alone, and never judged by today's laws.

mod parts;

use std::collections::HashSet;

use super::area_not_tool_name::Tools;
use super::area_registered::{self, Areas};
use super::code_never_reused::History;
use super::code_registered::Registered;
use super::code_shape::Segments;
use super::code_unique::Held;
use super::judgement::Judgement;
use super::text::{self, quoted};
use super::type_closed::ReplyType;
use super::{axes_distinct, code, contract_area_gate, legacy_retired, single_registry};
use crate::json::JsonPointer;
use crate::law::Law;
use crate::rejection::Rejection;
use parts::{Declared, Row};
pub(super) use parts::{Registries, Registry};

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
    single_registry::judge(registries.all.len(), &place, &mut found);
    let tools = Tools::new(registries.tools.iter().map(|name| &**name));
    for (index, registry) in registries.all.iter().enumerate() {
        one(registry, &tools, &place.index(index), &mut found);
    }
    used(&registries, &root.member("used"), &mut found);
    reused(&registries, &root, &mut found);
    Ok(found.settled())
}

fn one(registry: &Registry<'_>, tools: &Tools, at: &JsonPointer, found: &mut Judgement) {
    let place = at.member("areas");
    for (index, declared) in registry.areas.iter().enumerate() {
        area(declared, tools, || place.index(index), found);
    }
    let areas = registry.areas();
    let place = at.member("active");
    let mut held = Held::default();
    let retired: HashSet<&[u8]> = registry.retired.iter().map(|code| &**code).collect();
    for (index, entry) in registry.active.iter().enumerate() {
        let at = || place.index(index);
        if !held.take(&entry.code) {
            let message = format!("{} is listed twice: keep one row", quoted(&entry.code));
            found.meaning(Law::ReplyCodeUnique, at(), message);
        }
        if retired.contains(&*entry.code) {
            let message =
                format!("{} is active and retired at once: take it out of one of the two", quoted(&entry.code));
            found.meaning(Law::ReplyCodeNeverReused, at(), message);
        }
        row(entry, &areas, at, found);
    }
    let registered = Registered::of(Some(registry));
    let place = at.member("aliases");
    for (old, new) in &registry.aliases {
        alias(old, new, &registered, || place.member(&String::from_utf8_lossy(old)), found);
    }
}

fn area(declared: &Declared<'_>, tools: &Tools, at: impl Fn() -> JsonPointer, found: &mut Judgement) {
    let shown = || quoted(&declared.area);
    let name = std::str::from_utf8(&declared.area).unwrap_or_default();
    if area_registered::is_given(name) {
        return;
    }
    if contract_area_gate::is_forbidden(name) {
        let message = format!("{name} cannot be an area: opening and closing a contract is GATE");
        found.meaning(Law::ReplyContractAreaGate, at(), message);
    } else if !area_registered::is_addition(name) {
        let message = format!("{} is no name of an area: write upper-case letters", shown());
        found.meaning(Law::ReplyAreaRegistered, at(), message);
    }
    if !declared.documented {
        let message = format!("{} has no document: an area is registered with one", shown());
        found.meaning(Law::ReplyAreaRegistered, at(), message);
    }
    if tools.have(&declared.area) {
        let message = format!("{} is the name of a tool: name what it is about", shown());
        found.meaning(Law::ReplyAreaNotToolName, at(), message);
    }
}

fn row(row: &Row<'_>, areas: &Areas<'_>, at: impl Fn() -> JsonPointer, found: &mut Judgement) {
    code::judge(&row.code, areas, &at, found);
    legacy(&row.code, "active", &at, found);
    let Some(segments) = Segments::parse(&row.code) else { return };
    if let Some(field) = axes_distinct::unlike(row.node, &segments) {
        let message = format!("the field {field} does not repeat the segment of {}", quoted(&row.code));
        found.meaning(Law::ReplyAxesDistinct, at(), message);
    }
    if row.node.get("type").is_some_and(|field| !axes_distinct::is_text(field, segments.kind)) {
        let message = format!("the field type does not repeat the segment of {}", quoted(&row.code));
        found.meaning(Law::ReplyTypeAgrees, at(), message);
    }
}

fn legacy(code: &[u8], how: &str, at: impl Fn() -> JsonPointer, found: &mut Judgement) {
    if legacy_retired::is_legacy(code) {
        let message = format!("{} is of a forbidden layer and {how}: retire it, and use a new code", quoted(code));
        found.meaning(Law::ReplyLegacyRetired, at(), message);
    }
}

fn alias(old: &[u8], new: &[u8], registered: &Registered<'_>, at: impl Fn() -> JsonPointer, found: &mut Judgement) {
    if legacy_retired::is_legacy(old) {
        legacy(old, "mapped to another", &at, found);
    } else {
        let text = "an alias from a sound layer: a code keeps its meaning, so that the old one stays reserved";
        found.advise(Law::ReplyLegacyRetired, at(), text);
    }
    if !registered.holds(new) {
        let message = format!("the alias leads to {}, which is not registered", quoted(new));
        found.meaning(Law::ReplyCodeRegistered, at(), message);
    }
    let kind = |code| Segments::parse(code).and_then(|segments| ReplyType::from_letter(segments.kind.as_bytes()));
    if kind(old).zip(kind(new)).is_some_and(|(old, new)| old != new) {
        found.advise(Law::ReplyTypeAgrees, at(), "the alias changes the type of the outcome");
    }
}

fn used(registries: &Registries<'_>, at: &JsonPointer, found: &mut Judgement) {
    let registered = Registered::of(registries.newest());
    for (index, code) in registries.used.iter().enumerate() {
        let at = || at.index(index);
        let old = legacy_retired::is_legacy(code);
        if old || !registered.holds(code) {
            let message =
                format!("{} is used and not registered, or retired: register it, or use another", quoted(code));
            found.meaning(Law::ReplyCodeRegistered, at(), message);
        }
        legacy(code, "used", at, found);
        if Segments::parse(code).is_none() {
            let message = format!("{} is no code: write LAYER-AREA-TYPE-NNN", quoted(code));
            found.meaning(Law::ReplyCodeShape, at(), message);
        }
    }
}

fn reused(registries: &Registries<'_>, root: &JsonPointer, found: &mut Judgement) {
    let mut history = History::default();
    let earlier = root.member("earlier");
    for (index, revision) in registries.earlier.iter().enumerate() {
        let place = |position: usize| {
            let code = revision.codes.get(position).map(|(code, _)| String::from_utf8_lossy(code));
            earlier.index(index).member("codes").member(&code.unwrap_or_default())
        };
        let codes = revision.codes.iter().map(|(code, key)| (&**code, key.as_deref()));
        history.advance(codes, revision.retired.iter().map(|code| &**code), |position, message| {
            found.meaning(Law::ReplyCodeNeverReused, place(position), message);
        });
    }
    if let Some(registry) = registries.newest() {
        let place = root.member("registries").index(0).member("active");
        let codes = registry.active.iter().map(|row| (&*row.code, row.key.as_deref()));
        history.advance(codes, registry.retired.iter().map(|code| &**code), |position, message| {
            found.meaning(Law::ReplyCodeNeverReused, place.index(position), message);
        });
    }
    for (code, revision) in history.dropped() {
        let place = earlier.index(revision).member("codes").member(&String::from_utf8_lossy(code));
        found.advise(
            Law::ReplyCodeNeverReused,
            place,
            "removed and not retired: list it as retired, so that it stays reserved",
        );
    }
    if registries.earlier.is_empty() && registries.all.iter().all(|registry| registry.retired.is_empty()) {
        let text = "not checked: one snapshot cannot show reuse; give earlier revisions or the retired codes";
        found.advise(Law::ReplyCodeNeverReused, earlier, text);
    }
}
