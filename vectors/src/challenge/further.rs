//! Something further beside what a case has, of which an operation finds nothing new.
//!
//! What is added makes another question of it for whoever compares documents by their values, whatever stands for ids.

use std::collections::BTreeMap;

use super::{
    contents::renew,
    draft::{Draft, Seat},
    random::Random,
    rename::edit,
    sides::BUNDLES,
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
    if base.op == "sovereign.compare" {
        return path_of_bundles(base, draft, &name);
    }
    let Tree::Array(paths) = draft.document("entry")?.member_mut("paths")? else { return None };
    if paths.is_empty() || paths.iter().any(|path| path.says().is_none_or(str::is_empty)) {
        return None;
    }
    paths.insert(random.below(paths.len() + 1), Tree::text(&name));
    draft.case(base)
}

/// The same in the turns of both bundles, at the place that keeps a sorted list sorted.
fn path_of_bundles(base: &Case, mut draft: Draft, name: &str) -> Option<Case> {
    let mut changed = false;
    for bundle in BUNDLES {
        let Some(Tree::Array(turns)) = draft.document(bundle)?.member_mut("turn_results") else { continue };
        for paths in turns.iter_mut().filter_map(|turn| turn.member_mut("paths")) {
            let Tree::Array(paths) = paths else { continue };
            let says = paths.iter().map(Tree::says).collect::<Option<Vec<_>>>();
            let Some(says) = says.filter(|says| !says.is_empty() && says.is_sorted()) else { continue };
            let place = says.partition_point(|path| *path < name);
            paths.insert(place, Tree::text(name));
            changed = true;
        }
    }
    if changed { draft.case(base) } else { None }
}

/// A further condition that the first one of its list precedes, or the same again.
pub(super) fn condition(base: &Case, random: &mut Random) -> Option<Case> {
    const PRECEDENCE: [&str; 3] = ["E_SIDE_EFFECT_UNDECLARED", "E_CAPABILITY_DENIED", "E_PERMISSION_DENIED"];
    let name = if base.op == "sovereign.record" { "attempts" } else { "conditions" };
    let mut draft = Draft::of(base)?;
    let mut changed = false;
    draft.document(name).filter(|document| document.is_plain())?.each_mut(name, &mut |name, value| {
        let Tree::Array(conditions) = value else { return };
        let rank = |condition: &Tree| PRECEDENCE.iter().position(|code| condition.says() == Some(code));
        let ranks = conditions.iter().map(rank).collect::<Option<Vec<_>>>();
        let first = ranks.and_then(|ranks| ranks.into_iter().min());
        if let Some(first) = first.filter(|_| name == "conditions")
            && let Some(code) = PRECEDENCE.get(random.from(first, PRECEDENCE.len() - 1))
        {
            conditions.insert(random.below(conditions.len() + 1), Tree::text(code));
            changed = true;
        }
    });
    if changed { draft.case(base) } else { None }
}

/// Further steps of a trace behind the one that decides.
pub(super) fn step(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = Draft::of(base)?;
    let decides = |index: usize| draft.trees.get(&Seat::Output(index, "first_illegal".to_owned()));
    let first = (0..=base.any_of.len()).map(|index| decides(index)?.print().parse::<usize>().ok());
    let last = first.collect::<Option<Vec<_>>>()?.into_iter().max()?;
    let Tree::Array(steps) = draft.document("trace").filter(|trace| trace.is_plain())?.member_mut("steps")? else {
        return None;
    };
    // An end without return or throw is told behind the last step.
    if last >= steps.len() {
        return None;
    }
    for _ in 0..random.from(1, 3) {
        let step = serde_json::json!({"op": "work", "what": random.word(6)});
        steps.push(Tree::parse(&step.to_string())?);
    }
    draft.case(base)
}

/// A lawful ledger without its last records.
pub(super) fn fewer_records(base: &Case, random: &mut Random) -> Option<Case> {
    if base.answers().any(|answer| answer.is != Verdict::Accept) {
        return None;
    }
    let mut draft = Draft::of(base)?;
    let Tree::Array(records) = draft.document("records")? else { return None };
    if records.is_empty() {
        return None;
    }
    records.truncate(random.below(records.len()));
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
