//! Something further beside what a case has, of which an operation finds nothing new.
//!
//! What is added makes another question of it for whoever compares documents by their values, whatever stands for ids.

use std::collections::BTreeMap;

use super::{
    contents::renew,
    draft::Draft,
    random::Random,
    rename::edit,
    tree::{Text, Tree},
};
use crate::vector::{Case, Verdict};

/// A further golden in both versions of an engine, like one that neither changes: nothing is found about it either.
pub(super) fn golden(base: &Case, random: &mut Random) -> Option<Case> {
    if base.answers().any(|answer| answer.is != Verdict::Accept) {
        return None;
    }
    let mut draft = Draft::of(base)?;
    let change = draft.document("change")?;
    let (earlier, later) = (change.member("earlier")?.member("goldens")?, change.member("later")?.member("goldens")?);
    let kept = earlier.members().iter().filter(|(name, golden)| later.member(name.says()) == Some(golden));
    let kept: Vec<(Text, Tree)> = kept.cloned().collect();
    let (like, golden) = random.one(&kept)?;
    let place = format!("/goldens/{}", like.says());
    // A pointer spells these otherwise.
    if like.says().contains(['/', '~']) {
        return None;
    }
    if draft.trees.iter().any(|(seat, tree)| !seat.is_asked() && tree.print().contains(&place)) {
        return None;
    }
    let mut golden = golden.clone();
    let mut new = BTreeMap::new();
    golden.each_mut("", &mut |_, value| renew(value, &mut new, random));
    let name = Text::new(&random.word(9));
    for version in ["earlier", "later"] {
        let goldens = draft.document("change")?.member_mut(version)?.member_mut("goldens")?;
        let Tree::Object(goldens) = goldens else { return None };
        goldens.push((name.clone(), golden.clone()));
    }
    draft.case(base)
}

/// A further path of a turn, behind which no file lies: it is passed over wherever it stands.
pub(super) fn path(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let name = format!("{}.json", random.word(9));
    let Tree::Array(paths) = draft.document("entry")?.member_mut("paths")? else { return None };
    if paths.is_empty() || paths.iter().any(|path| path.says().is_none_or(str::is_empty)) {
        return None;
    }
    paths.insert(random.below(paths.len() + 1), Tree::text(&name));
    draft.case(base)
}

/// A further tool among those that an environment names: its fingerprint covers it.
pub(super) fn tool(base: &Case, random: &mut Random) -> Option<Case> {
    let (name, version) = (random.word(7), Tree::text(&random.word(3)));
    edit(base, &[], &|draft| {
        let tools = draft.document("contract")?.member_mut("environment")?.member_mut("tool_versions")?;
        let Tree::Object(tools) = tools else { return None };
        tools.push((Text::new(&name), version.clone()));
        Some(())
    })
}

/// A call once more in a file of its own, where nothing is found about it.
pub(super) fn call(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let sites = draft.document("source")?.member("call_sites")?.items().to_vec();
    let told = |index: usize| {
        let place = format!("/call_sites/{index}");
        draft.trees.iter().any(|(seat, tree)| {
            let text = tree.print();
            !seat.is_asked() && (text.contains(&format!("{place}\"")) || text.contains(&format!("{place}/")))
        })
    };
    let sound: Vec<usize> = (0..sites.len()).filter(|index| !told(*index)).collect();
    let mut site = sites.get(*random.one(&sound)?)?.clone();
    let Tree::Text(file) = site.member_mut("file")? else { return None };
    file.say(&format!("{}/{}.py", random.word(4), random.word(6)));
    let Tree::Array(sites) = draft.document("source")?.member_mut("call_sites")? else { return None };
    sites.push(site);
    draft.case(base)
}
