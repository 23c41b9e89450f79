//! What is planted on both sides of a pair, so that the two meet.

use arbitrary::{Result, Unstructured};

use super::place::{set, set_member};
use crate::pairs::{
    draft::{self, BUNDLE_DIGESTS, Draft, Site, TRANSITION_DIGESTS},
    draw::{index, int, odds, pick},
    json::{Json, Step},
};

/// Values that Python holds for equal, or that a careless reader does, though their spellings differ.
const KIN: &[&[&str]] = &[
    &["1", "true", "1.0", "1e0", "\"1\""],
    &["0", "false", "-0", "0.0", "-0.0", "-0e0", "0e5"],
    &["100000000000000000000", "1e20", "100000000000000000001"],
    &["9007199254740993", "9007199254740992.0", "9007199254740992", "9007199254740993.0"],
    &["[1]", "[true]", "[1.0]", "[[1]]"],
    &["{\"a\":0}", "{\"a\":false}", "{\"a\":-0.0}"],
    &["NaN", "[NaN]", "{\"a\":NaN}"],
    &["Infinity", "1E400", "1e999", "-1E400"],
    &["[NaN]", "[NaN]", "[NaN,1]"],
    &["\"A/\"", "\"\\u0041\\/\""],
    &["\"\u{e9}\"", "\"e\u{301}\""],
    &["\"\\ud83d\\ude00\"", "\"\u{1f600}\"", "\"\\ude00\\ud83d\"", "\"\\ud83d\""],
    &["null", "\"\"", "0", "{}", "[]", "false"],
    &["{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", "{\"a\":0,\"b\":2,\"a\":1}"],
];

/// Plants two of a kind at the same place of both sides, and often a difference beside them that brings them into the report.
pub(crate) fn kin(u: &mut Unstructured<'_>, a: &mut Draft, b: &mut Draft) -> Result<()> {
    let site = surface(u, a)?;
    let kinds = if odds(u, 1, 2)? { KIN } else { KIN.get(..4).unwrap_or(KIN) };
    let kind = *pick(u, kinds)?;
    let (left, right) = (*pick(u, kind)?, *pick(u, kind)?);
    if let (Some(at_a), Some(at_b)) = (a.at_mut(&site), b.at_mut(&site)) {
        *at_a = Json::token(left);
        *at_b = Json::token(right);
    }
    let beside = match site.steps.last() {
        Some(Step::Member("turn_id")) => "turn_result_digest",
        Some(Step::Member("location" | "code" | "stage")) => "level",
        Some(Step::Member("ordinal")) => "tool_name",
        _ => return Ok(()),
    };
    if odds(u, 2, 3)? {
        let mut parent = site;
        parent.steps.pop();
        set_member(b.at_mut(&parent), beside, Json::text("other"));
    }
    Ok(())
}

/// Plants faults of two kinds in the same turn of both sides, so that it shows which side is looked at first.
pub(crate) fn two_faults(u: &mut Unstructured<'_>, a: &mut Draft, b: &mut Draft) -> Result<()> {
    let Some(entry) = index(u, a.turns.len())? else {
        return Ok(());
    };
    let site =
        Site { turn: None, steps: vec![Step::Member("turn_results"), Step::Index(entry), Step::Member("paths")] };
    set(a.at_mut(&site), Json::token("[\"absent.json\"]"));
    set(b.at_mut(&site), Json::token(*pick(u, &["null", "[null]", "[{}]", "1", "[\"absent.json\",0]"])?));
    Ok(())
}

/// Plants issues of one key on both sides, whose levels overlap: 0 to n-1 against 1 to n.
pub(crate) fn overlap(u: &mut Unstructured<'_>, a: &mut Draft, b: &mut Draft) -> Result<()> {
    let Some(turn) = index(u, a.turns.len())? else {
        return Ok(());
    };
    let issue = draft::issue(u)?;
    let count = 1 + int(u, 8)?;
    let shift = *pick(u, &[1, 1, 2, 0])?;
    let site = Site { turn: Some(turn), steps: vec![Step::Member("issues")] };
    for (side, from) in [(a, 0), (b, shift)] {
        if let Some(issues) = side.at_mut(&site).and_then(Json::items_mut) {
            for number in from..from + count {
                let mut issue = issue.clone();
                issue.set("level", Json::text(&format!("L{number}")));
                issues.push(issue);
            }
        }
    }
    Ok(())
}

/// A place on a canonical surface, or beside one.
fn surface(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<Site> {
    let turn = index(u, draft.turns.len())?.unwrap_or_default();
    let entry = |name| vec![Step::Member("turn_results"), Step::Index(turn), Step::Member(name)];
    let first = |list: &[&'static str], name| {
        let mut steps: Vec<Step> = list.iter().copied().map(Step::Member).collect();
        steps.extend([Step::Index(0), Step::Member(name)]);
        steps
    };
    let decisions: &[&str] = &["capabilities", "decisions"];
    let issues: &[&str] = &["issues"];
    let (in_turn, steps) = match int(u, 17)? {
        0 => (false, vec![Step::Member("registry_digest")]),
        1 | 2 => (false, vec![Step::Member("digests"), Step::Member(pick(u, &BUNDLE_DIGESTS)?)]),
        3 => (false, entry("turn_result_digest")),
        4 | 15 => (false, entry("turn_id")),
        5 => (false, vec![Step::Member("run_envelope"), Step::Member("run_id")]),
        6 | 7 => (true, vec![Step::Member("transition"), Step::Member(pick(u, &TRANSITION_DIGESTS)?)]),
        8 => (true, first(decisions, "ordinal")),
        9 => (true, first(decisions, pick(u, &["reason", "tool_name", "provenance"])?)),
        10 | 16 | 17 => (true, first(issues, "location")),
        11 => (true, first(issues, "code")),
        12 => (true, first(issues, "stage")),
        13 => (true, first(issues, "level")),
        _ => (true, first(issues, "details")),
    };
    Ok(Site { turn: in_turn.then_some(turn), steps })
}
