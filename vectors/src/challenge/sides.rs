//! Two bundles that are compared: the other way round, with turns and records in another order, with a turn more.
//!
//! Spec: Sovereign Capability & Replay Spec v1.2.1, A, Report Ordering Law and Surface List Law; rulings REP-07, TURN-03, DEC-01, ISS-02.

use std::collections::BTreeSet;

use super::{
    digests,
    draft::{Draft, Seat},
    order::{names_a_row, shuffled},
    random::Random,
    tree::{Text, Tree},
};
use crate::vector::{Case, Verdict};

/// The documents of the two sides.
pub(super) const BUNDLES: [&str; 2] = ["bundle_a", "bundle_b"];
/// What rows of a report are sorted by; between equals the digests decide.
const KEYS: [&str; 5] = ["turn_id", "stage_name", "ordinal", "surface", "path"];
const DIGESTS: [&str; 2] = ["expected_digest", "actual_digest"];

/// A case whose only answer is an acceptance, taken apart.
fn accepted(base: &Case) -> Option<Draft> {
    if base.expect.is == Verdict::Accept && base.any_of.is_empty() { Draft::of(base) } else { None }
}

fn report_of(draft: &Draft) -> Option<&Tree> {
    draft.trees.get(&report_seat())
}

fn report_seat() -> Seat {
    Seat::Output(0, "report".to_owned())
}

/// A comparison that found nothing unreadable and nothing unlawful: only such a report names no position.
fn sound(base: &Case) -> Option<Draft> {
    let draft = accepted(base)?;
    let status = report_of(&draft)?.member("status")?.says()?;
    matches!(status, "EQUIVALENT" | "DIVERGENT").then_some(draft)
}

/// The bundles exchanged: so are the digests of each row. The report carries the run id of the first side, so that both have one.
pub(super) fn swapped(base: &Case, _random: &mut Random) -> Option<Case> {
    if base.args.get("mode")?.as_str()? != "law" {
        return None;
    }
    let mut draft = sound(base)?;
    let sides = BUNDLES.map(|name| draft.trees.get(&Seat::Document(name.to_owned())).cloned());
    let [Some(a), Some(b)] = sides else { return None };
    let run_id = |bundle: &Tree| bundle.member("run_envelope")?.member("run_id")?.says().map(str::to_owned);
    if a == b || run_id(&a).is_none() || run_id(&a) != run_id(&b) {
        return None;
    }
    let report = report_of(&draft)?;
    let told = report.member("report_id").is_some();
    if told && report.member("report_id")?.says() != Some(identity(report)?.as_str()) {
        return None;
    }
    let mut report = report.clone();
    let Tree::Array(rows) = report.member_mut("mismatches")? else { return None };
    // The lock names the local registry and the first side that differs from it; a diagnostic may name a side.
    let one_sided = |row: &Tree| {
        row.member("reason_code").and_then(Tree::says) == Some("E_REGISTRY_DIGEST_MISMATCH")
            || row.member("diagnostic").is_some_and(|told| told.print() != "null")
            || KEYS.iter().any(|key| row.member(key).is_none())
    };
    let placed = |digest: &str| base.force.places.iter().any(|(place, _)| place.text.contains(digest));
    if rows.iter().any(one_sided) || DIGESTS.into_iter().any(placed) || (rows.len() > 1 && names_a_row(base, |_| true))
    {
        return None;
    }
    for row in rows.iter_mut() {
        let [expected, actual] = DIGESTS.map(|name| row.member(name).cloned());
        *row.member_mut("expected_digest")? = actual?;
        *row.member_mut("actual_digest")? = expected?;
    }
    let key = |row: &Tree| KEYS.map(|key| row.member(key).map(Tree::print));
    for alike in rows.chunk_by_mut(|row, next| key(row) == key(next)) {
        alike.sort_by_cached_key(|row| DIGESTS.map(|name| row.member(name).and_then(Tree::says).map(str::to_owned)));
    }
    if told {
        *report.member_mut("report_id")? = Tree::text(&identity(&report)?);
    }
    draft.trees.insert(report_seat(), report);
    let [first, second] = BUNDLES.map(|name| Seat::Document(name.to_owned()));
    draft.trees.insert(first, b);
    draft.trees.insert(second, a);
    draft.case(base)
}

/// The id of a report, whose diagnostics and own id are null in it.
fn identity(report: &Tree) -> Option<String> {
    let null = || Tree::Word("null".to_owned());
    let mut report = report.clone();
    *report.member_mut("report_id")? = null();
    let Tree::Array(rows) = report.member_mut("mismatches")? else { return None };
    for row in rows {
        if row.member("diagnostic").is_some() {
            *row.member_mut("diagnostic")? = null();
        } else if let Tree::Object(members) = row {
            members.push((Text::new("diagnostic"), null()));
        }
    }
    Some(digests::sha256(report.canonical()?))
}

/// The turns of each bundle in another order: they are joined by their ids. A bundle that is written has them in the order given.
pub(super) fn turns(base: &Case, random: &mut Random) -> Option<Case> {
    if base.op == "sovereign.bundle" {
        return written_turns(base, random);
    }
    let mut draft = sound(base)?;
    let mut changed = false;
    for name in BUNDLES {
        let Tree::Array(turns) = draft.document(name)?.member_mut("turn_results")? else { return None };
        let ids = turns.iter().map(|turn| turn.member("turn_id")?.says()).collect::<Option<BTreeSet<_>>>()?;
        if ids.len() < turns.len() {
            return None;
        }
        changed |= shuffled(turns, random);
    }
    if changed { draft.case(base) } else { None }
}

fn written_turns(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = accepted(base)?;
    if names_a_row(base, |_| true) {
        return None;
    }
    let asked = draft.trees.get_mut(&Seat::Argument("turns".to_owned()))?;
    let mut places: Vec<usize> = (0..asked.items().len()).collect();
    let before = places.clone();
    random.shuffle(&mut places);
    let in_order = |turns: &mut Tree| -> Option<()> {
        let moved = places.iter().map(|place| turns.items().get(*place).cloned()).collect::<Option<Vec<_>>>()?;
        (moved.len() == turns.items().len()).then(|| *turns = Tree::Array(moved))
    };
    in_order(asked)?;
    in_order(draft.trees.get_mut(&Seat::Output(0, "bundle".to_owned()))?.member_mut("turn_results")?)?;
    if before == places { None } else { draft.case(base) }
}

/// The decision records of every turn in another order: they are paired by their ordinals.
pub(super) fn decisions(base: &Case, random: &mut Random) -> Option<Case> {
    in_turns(base, |turn| {
        let decisions = turn.member_mut("capabilities").and_then(|capabilities| capabilities.member_mut("decisions"));
        let Some(Tree::Array(decisions)) = decisions else { return false };
        let ordinals: Option<BTreeSet<u64>> =
            decisions.iter().map(|record| record.member("ordinal")?.print().parse().ok()).collect();
        let distinct = ordinals.is_some_and(|ordinals| ordinals.len() == decisions.len());
        distinct && shuffled(decisions, random)
    })
}

/// The issues of every turn in another order.
pub(super) fn issues(base: &Case, random: &mut Random) -> Option<Case> {
    in_turns(base, |turn| match turn.member_mut("issues") {
        Some(Tree::Array(issues)) => shuffled(issues, random),
        _ => false,
    })
}

/// A case with every turn file changed in this way, if one of them is.
fn in_turns(base: &Case, mut change: impl FnMut(&mut Tree) -> bool) -> Option<Case> {
    let mut draft = sound(base)?;
    let turns = draft.trees.iter_mut().filter(|(seat, _)| matches!(seat, Seat::File(_)));
    let changed = turns.fold(false, |changed, (_, turn)| change(turn) | changed);
    if changed { draft.case(base) } else { None }
}

/// A further turn that both bundles have, in one file: nothing is found about it, and about the others what was found.
pub(super) fn turn(base: &Case, random: &mut Random) -> Option<Case> {
    let mut draft = accepted(base)?;
    let (turn_id, path) = (format!("zz-{}", random.word(7)), format!("{}.json", random.word(9)));
    let entry = serde_json::json!({"turn_id": turn_id, "turn_result_digest": random.hex(64), "paths": [path]});
    let file = serde_json::json!({
        "capabilities": {"decisions": []},
        "issues": [],
        "transition": {
            "prior_state_digest": random.hex(64), "proposed_state_digest": random.hex(64), "inputs_digest": random.hex(64),
        },
    });
    let entry = Tree::parse(&entry.to_string())?;
    for name in BUNDLES {
        let Tree::Array(turns) = draft.document(name)?.member_mut("turn_results")? else { return None };
        // Turns without a text for an id cannot be put in an order with this one.
        if turns.iter().any(|turn| turn.member("turn_id").and_then(Tree::says).is_none_or(|id| id == turn_id)) {
            return None;
        }
        turns.push(entry.clone());
    }
    draft.trees.insert(Seat::File(path), Tree::parse(&file.to_string())?);
    draft.case(base)
}
