//! All modules of a tree, one language after the other.

use std::collections::{BTreeSet, HashSet};

use rayon::prelude::*;

use crate::{
    Family, Place, Source, Tree,
    definitions::Definitions,
    names::Names,
    roles::Roles,
    walker::{Harvest, Walker},
    world::World,
};

/// What the sources of these families say together.
pub(crate) fn tree(sources: &[Source], names: &Names, asked: &HashSet<Family>) -> Tree {
    let mut tree = Tree::default();
    for family in Family::ALL.into_iter().filter(|family| asked.contains(family)) {
        let of = |module: &usize| sources.get(*module).is_some_and(|one| one.language.family() == family);
        let modules: Vec<usize> = (0..sources.len()).filter(of).collect();
        let world = World::new(sources, names, family);
        let called = |source: &Source| names.builders.iter().any(|name| is_called(source, name, family));
        let uses = |module: &usize| world.gives_builder_here(*module) || sources.get(*module).is_some_and(called);
        if !modules.iter().any(uses) {
            continue;
        }
        tree.uses_builder = true;
        let mut roles = Roles::default();
        for module in &modules {
            roles.gather(&world, *module);
        }
        let mut harvests: Vec<Harvest> = modules
            .par_iter()
            .filter_map(|module| {
                let mut walker = Walker::new(&world, &roles, *module, sources.get(*module)?);
                walker.run();
                Some(walker.harvest)
            })
            .collect();
        let mut definitions = Definitions::default();
        for (module, harvest) in modules.iter().zip(&mut harvests) {
            definitions.module(&world, *module, harvest);
        }
        for harvest in harvests {
            tree.sites.extend(harvest.sites);
            tree.findings.extend(harvest.findings);
            tree.advice.extend(harvest.advice);
        }
    }
    tree.sites.sort_by(|a, b| (&a.place, code(a)).cmp(&(&b.place, code(b))));
    for found in [&mut tree.findings, &mut tree.advice] {
        found.sort_by(|a, b| (&a.place, a.law).cmp(&(&b.place, b.law)));
        // A branch that is walked twice says the same twice.
        found.dedup();
    }
    // What is known need not be supposed as well.
    let mut known: BTreeSet<(&Place, &str)> = tree.findings.iter().map(|one| (&one.place, one.law)).collect();
    let made = tree.sites.iter().filter(|site| site.method.is_none() && site.receiver.is_some());
    known.extend(made.map(|site| (&site.place, "reply/single-builder")));
    tree.advice.retain(|one| !one.subject.is_empty() || !known.contains(&(&one.place, one.law)));
    tree
}

/// Whether a source has the form of a call that gives a builder of this name.
fn is_called(source: &Source, name: &str, family: Family) -> bool {
    let text = source.text.as_str();
    match family {
        Family::Python | Family::Script => text.contains(&format!(".{name}(")),
        Family::Go => text.contains(&format!(".{name}")) || text.contains(&format!("New{name}(")),
        Family::Java => {
            let member = format!("{name}.");
            let mut members = text.match_indices(&member).map(|(at, _)| text.get(at + member.len()..));
            text.contains(&format!("new {name}("))
                || members.any(|rest| rest.is_some_and(|rest| rest.starts_with(char::is_lowercase)))
        }
    }
}

fn code(site: &crate::Site) -> Option<&str> {
    match &site.code {
        crate::Code::Known(code) => Some(code),
        _ => None,
    }
}
