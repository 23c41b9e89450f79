//! What happens to a draft: small changes, lawful or not, each aimed at one thing the comparator looks at or looks past.

use arbitrary::{Result, Unstructured};

use super::draft::{self, BUNDLE_DIGESTS, Draft, STAGES, Site, TRANSITION_DIGESTS, TurnFile};
use super::draw::{self, index, int, odds, pick};
use super::json::{Json, Step, Text};

type Twist = fn(&mut Unstructured<'_>, &mut Draft) -> Result<()>;

/// Every twist with its weight.
const TWISTS: &[(u32, Twist)] = &[
    (6, ignored_place),
    (5, message),
    (3, registry_digest),
    (6, bundle_digest),
    (5, turn_digest),
    (8, transition),
    (10, decision_member),
    (8, decision_list),
    (9, ordinal),
    (12, issue_member),
    (9, issue_list),
    (7, stage),
    (7, location),
    (7, details),
    (6, turn_list),
    (5, turn_id),
    (11, paths),
    (8, turn_file),
    (12, anywhere),
    (3, bundle_member),
    (4, run_envelope),
    (2, bundle_shape),
    (1, bundle_bytes),
    (1, nesting),
];

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

/// Applies one twist.
pub(crate) fn one(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let mut left = int(u, TWISTS.iter().map(|(weight, _)| weight).sum::<u32>() - 1)?;
    for (weight, twist) in TWISTS {
        if left < *weight {
            return twist(u, draft);
        }
        left -= weight;
    }
    Ok(())
}

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

/// A turn file's document, at one of its members.
fn in_turn<'d>(u: &mut Unstructured<'_>, draft: &'d mut Draft, path: &[&'static str]) -> Result<Option<&'d mut Json>> {
    let Some(turn) = index(u, draft.turns.len())? else {
        return Ok(None);
    };
    let steps = path.iter().copied().map(Step::Member).collect();
    Ok(draft.at_mut(&Site { turn: Some(turn), steps }))
}

/// One element of a list in a turn file.
fn element<'d>(u: &mut Unstructured<'_>, draft: &'d mut Draft, path: &[&'static str]) -> Result<Option<&'d mut Json>> {
    let Some(items) = in_turn(u, draft, path)?.and_then(Json::items_mut) else {
        return Ok(None);
    };
    let Some(chosen) = index(u, items.len())? else {
        return Ok(None);
    };
    Ok(items.get_mut(chosen))
}

fn a_decision<'d>(u: &mut Unstructured<'_>, draft: &'d mut Draft) -> Result<Option<&'d mut Json>> {
    element(u, draft, &["capabilities", "decisions"])
}

fn an_issue<'d>(u: &mut Unstructured<'_>, draft: &'d mut Draft) -> Result<Option<&'d mut Json>> {
    element(u, draft, &["issues"])
}

fn an_entry<'d>(u: &mut Unstructured<'_>, draft: &'d mut Draft) -> Result<Option<&'d mut Json>> {
    let Some(entries) = draft.bundle.member_mut("turn_results").and_then(Json::items_mut) else {
        return Ok(None);
    };
    let Some(chosen) = index(u, entries.len())? else {
        return Ok(None);
    };
    Ok(entries.get_mut(chosen))
}

fn set(place: Option<&mut Json>, value: Json) {
    if let Some(place) = place {
        *place = value;
    }
}

fn set_member(object: Option<&mut Json>, name: &str, value: Json) {
    if let Some(object) = object {
        object.set(name, value);
    }
}

// What the comparator looks past.

fn ignored_place(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = draw::value(u, 2, true)?;
    match int(u, 9)? {
        0..=3 => set(in_turn(u, draft, &["events"])?, value),
        4 => set_member(in_turn(u, draft, &["transition"])?, "x_digest", value),
        5 => set_member(in_turn(u, draft, &["capabilities"])?, "mode", value),
        6 => set_member(in_turn(u, draft, &[])?, "outcome", value),
        7 => set_member(draft.bundle.member_mut("digests"), "extra", value),
        8 => set_member(draft.bundle.member_mut("run_envelope"), "workflow_id", value),
        _ => draft.bundle.set("contract_version", value),
    }
    Ok(())
}

fn message(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = if odds(u, 1, 2)? { draw::value(u, 1, true)? } else { Json::text("other") };
    let remove = odds(u, 1, 4)?;
    if let Some(issue) = an_issue(u, draft)? {
        if remove {
            issue.remove("message");
        } else {
            issue.set("message", value);
        }
    }
    Ok(())
}

// Digests that are compared as they stand.

fn registry_digest(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    draft.bundle.set("registry_digest", draw::digest_like(u)?);
    Ok(())
}

fn bundle_digest(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let name = *pick(u, &BUNDLE_DIGESTS)?;
    let value = draw::digest_like(u)?;
    if let Some(digests) = draft.bundle.member_mut("digests") {
        if odds(u, 1, 12)? {
            digests.remove(name);
        } else {
            digests.set(name, value);
        }
    }
    Ok(())
}

fn turn_digest(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = draw::digest_like(u)?;
    let remove = odds(u, 1, 12)?;
    if let Some(entry) = an_entry(u, draft)? {
        if remove {
            entry.remove("turn_result_digest");
        } else {
            entry.set("turn_result_digest", value);
        }
    }
    Ok(())
}

fn transition(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let name = *pick(u, &TRANSITION_DIGESTS)?;
    let value = draw::digest_like(u)?;
    let remove = odds(u, 1, 12)?;
    if let Some(transition) = in_turn(u, draft, &["transition"])? {
        if remove {
            transition.remove(name);
        } else {
            transition.set(name, value);
        }
    }
    Ok(())
}

// Decisions.

fn decision_member(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let names =
        ["tool_name", "action", "deny_code", "reason", "provenance", "outcome", "decision_id", "extra", "run_id"];
    let name = *pick(u, &names)?;
    let wild = odds(u, 1, 4)?;
    let value = draw::value(u, 1, wild)?;
    let remove = odds(u, 1, 6)?;
    if let Some(record) = a_decision(u, draft)? {
        if remove {
            record.remove(name);
        } else {
            record.set(name, value);
        }
    }
    Ok(())
}

fn decision_list(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let fresh = draft::decision(u, "run-1", "turn-0001", 1)?;
    let kind = int(u, 9)?;
    let odd = draw::value(u, 1, false)?;
    let Some(decisions) = in_turn(u, draft, &["capabilities", "decisions"])? else {
        return Ok(());
    };
    if kind == 8 {
        *decisions = odd;
        return Ok(());
    }
    if kind == 9 {
        // Many mismatches of one kind, for the report to sort.
        for record in decisions.items_mut().into_iter().flatten() {
            record.set("action", Json::text("other"));
        }
        return Ok(());
    }
    rearrange(u, decisions, kind, fresh)
}

fn ordinal(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = match int(u, 13)? {
        0..=2 => Json::token(*pick(u, &["0", "1", "2"])?),
        3 => Json::token(*pick(u, &["-1", "10", "9"])?),
        4 => Json::token(*pick(u, &["true", "false"])?),
        5 => Json::text(pick(u, &["0", "10", "9", ""])?),
        6 => Json::NULL,
        7 => Json::token(*pick(u, &["1.0", "-0", "0.0", "NaN"])?),
        8 => Json::token(*pick(u, &["[]", "[1]", "[\"a\"]", "{}"])?),
        9 => Json::token(format!("1{}", "0".repeat(40))),
        10 => Json::token("1180591620717411303424"),
        11 => draw::value(u, 1, true)?,
        12 => {
            // One kind of ordinal all over the list.
            let texts = odds(u, 1, 2)?;
            if let Some(items) = in_turn(u, draft, &["capabilities", "decisions"])?.and_then(Json::items_mut) {
                for (number, record) in items.iter_mut().enumerate() {
                    let text = number.to_string();
                    record.set("ordinal", if texts { Json::text(&text) } else { Json::token(format!("[{text}]")) });
                }
            }
            return Ok(());
        }
        _ => {
            if let Some(record) = a_decision(u, draft)? {
                record.remove("ordinal");
            }
            return Ok(());
        }
    };
    set_member(a_decision(u, draft)?, "ordinal", value);
    Ok(())
}

// Issues.

fn issue_member(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let name = *pick(u, &["level", "code", "extra", "contract_version", "level", "code"])?;
    let value = match int(u, 5)? {
        0 | 1 => Json::text(pick(u, &["FAIL", "INFO", "E_POLICY_X", "E_OTHER"])?),
        2 | 3 => draw::value(u, 1, false)?,
        _ => draw::value(u, 1, true)?,
    };
    let remove = odds(u, 1, 8)?;
    if let Some(issue) = an_issue(u, draft)? {
        if remove {
            issue.remove(name);
        } else {
            issue.set(name, value);
        }
    }
    Ok(())
}

fn issue_list(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let fresh = draft::issue(u)?;
    let kind = int(u, 10)?;
    let odd = draw::value(u, 1, false)?;
    if kind == 8 {
        if let Some(document) = in_turn(u, draft, &[])? {
            document.remove("issues");
        }
        return Ok(());
    }
    let Some(issues) = in_turn(u, draft, &["issues"])? else {
        return Ok(());
    };
    if kind == 9 {
        *issues = odd;
        return Ok(());
    }
    if kind == 10 {
        for issue in issues.items_mut().into_iter().flatten() {
            issue.set("level", Json::text("other"));
        }
        return Ok(());
    }
    rearrange(u, issues, kind, fresh)
}

fn stage(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = match int(u, 7)? {
        0..=2 => Json::text(pick(u, &STAGES)?),
        3 | 4 => Json::text(pick(u, &["rel_vocab", "Policy", "", "unknown-1", "unknown-2", "policy\n"])?),
        5 => draw::token(u, true)?,
        6 => draw::value(u, 1, true)?,
        _ => {
            if let Some(issue) = an_issue(u, draft)? {
                issue.remove("stage");
            }
            return Ok(());
        }
    };
    set_member(an_issue(u, draft)?, "stage", value);
    Ok(())
}

fn location(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let name = *pick(u, &["location", "location", "code"])?;
    let value = match int(u, 7)? {
        0..=2 => Json::text(pick(u, &["/body/a", "/body/c", "", "/\u{ff61}", "/\u{1f600}"])?),
        3 => draw::token(u, false)?,
        4 => Json::Text(draw::text(u, true)?),
        5 => draw::token(u, true)?,
        6 => draw::value(u, 1, true)?,
        _ => {
            if let Some(issue) = an_issue(u, draft)? {
                issue.remove(name);
            }
            return Ok(());
        }
    };
    set_member(an_issue(u, draft)?, name, value);
    Ok(())
}

fn details(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = match int(u, 7)? {
        0..=2 => draw::details(u)?,
        3 => draw::chain(u, false)?,
        4 => draw::chain(u, true)?,
        5 => draw::value(u, 3, false)?,
        6 => draw::value(u, 3, true)?,
        _ => {
            if let Some(issue) = an_issue(u, draft)? {
                issue.remove("details");
            }
            return Ok(());
        }
    };
    set_member(an_issue(u, draft)?, "details", value);
    Ok(())
}

/// Reorders, repeats, drops or adds list elements, by `kind` 0 to 7.
fn rearrange(u: &mut Unstructured<'_>, list: &mut Json, kind: u32, fresh: Json) -> Result<()> {
    let Some(items) = list.items_mut() else {
        return Ok(());
    };
    match kind {
        0 | 1 => items.reverse(),
        2 => items.push(fresh),
        7 => items.push(draw::value(u, 1, false)?),
        _ => {
            if let Some(chosen) = index(u, items.len())? {
                if kind <= 4 {
                    items.remove(chosen);
                } else if let Some(twin) = items.get(chosen).cloned() {
                    items.insert(chosen, twin);
                }
            }
        }
    }
    Ok(())
}

// Turns and their files.

fn turn_list(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let fresh = Json::object([
        ("turn_id", Json::text(pick(u, &["turn-0001", "turn-0000", "z", "a"])?)),
        ("turn_result_digest", draw::digest(u)?),
        ("paths", Json::List(vec![Json::text(pick(u, &["@/t0.json", "@/t9.json"])?)])),
    ]);
    let kind = int(u, 9)?;
    let odd = draw::value(u, 1, false)?;
    let Some(entries) = draft.bundle.member_mut("turn_results") else {
        return Ok(());
    };
    if kind == 8 {
        *entries = odd;
        return Ok(());
    }
    if kind == 9 {
        // Every turn on one side only.
        *entries = Json::List(Vec::new());
        return Ok(());
    }
    rearrange(u, entries, kind, fresh)
}

fn turn_id(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = match int(u, 6)? {
        0 => Json::text(pick(u, &["", "a/b~c", "\u{ff61}", "\u{1f600}", "turn-9"])?),
        1 => Json::token(*pick(u, &["1", "true", "0", "1.0"])?),
        2 => Json::NULL,
        3 => Json::Text(draw::text(u, true)?),
        4 | 5 => draw::value(u, 1, true)?,
        _ => {
            if let Some(entry) = an_entry(u, draft)? {
                entry.remove("turn_id");
            }
            return Ok(());
        }
    };
    set_member(an_entry(u, draft)?, "turn_id", value);
    Ok(())
}

fn paths(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let kind = int(u, 22)?;
    let extra = match kind {
        0 => "@/absent.json",
        1 => "@",
        2 => "@/",
        3 => "@/t0.json/inner.json",
        4 => "@/./t0.json",
        5 => "@/sub/../t0.json",
        6 => "",
        7 => "\0",
        8 => "@/\u{0}/t0.json",
        9 => "@/\u{ff61}.json",
        10 => "@/\u{1f600}.json",
        11 => "/absent/t0.json",
        12 => "@//t0.json",
        13 => "@/t1.json",
        _ => {
            return odd_paths(u, draft, kind);
        }
    };
    // The folder that "sub/.." needs, and the names that tell code points from UTF-16 units.
    let added: &[&str] = match kind {
        5 => &["sub/inner.json"],
        9 | 10 => &["\u{ff61}.json", "\u{1f600}.json"],
        _ => &[],
    };
    for (number, name) in added.iter().enumerate() {
        if let Some(first) = draft.turns.first()
            && draft.turns.iter().all(|turn| turn.name != *name)
        {
            let mut copy = TurnFile { name: (*name).to_owned(), ..first.clone() };
            if number > 0 {
                set_member(copy.document.member_mut("transition"), "inputs_digest", Json::text(name));
            }
            draft.turns.push(copy);
        }
    }
    if kind == 10 {
        // Both, in the order of UTF-16 units.
        let both = added.iter().rev().map(|name| Json::text(&format!("@/{name}"))).collect();
        set_member(an_entry(u, draft)?, "paths", Json::List(both));
        return Ok(());
    }
    let alone = odds(u, 1, 3)?;
    let front = odds(u, 1, 2)?;
    if let Some(list) = an_entry(u, draft)?.and_then(|entry| entry.member_mut("paths")).and_then(Json::items_mut) {
        if alone {
            list.clear();
        }
        let at = if front { 0 } else { list.len() };
        list.insert(at, Json::text(extra));
    }
    Ok(())
}

/// Paths that are no list of plain strings.
fn odd_paths(u: &mut Unstructured<'_>, draft: &mut Draft, kind: u32) -> Result<()> {
    let alone = odds(u, 1, 2)?;
    let item = match kind {
        14 => Json::Text(Text(vec!['@'.into(), '/'.into(), *pick(u, &[0xD800, 0xDC80, 0xDFFF])?])),
        15 => Json::token(*pick(u, &["-1", "2147483648", "-2147483649", "1180591620717411303424"])?),
        16 => Json::token(*pick(u, &["0", "1", "true", "false", "2147483647", "7"])?),
        17 => Json::token(*pick(u, &["null", "1.5", "[]", "{}", "[\"@/t0.json\"]"])?),
        18 => draw::value(u, 1, true)?,
        _ => {
            let whole = match kind {
                19 => Json::Text(Text::from(*pick(u, &["@/t0.json", "", "k"])?)),
                20 => Json::Object(vec![(Text::from("@/t0.json"), Json::NULL)]),
                21 => Json::List(Vec::new()),
                _ => draw::value(u, 1, true)?,
            };
            if let Some(entry) = an_entry(u, draft)? {
                if kind == 22 && alone {
                    entry.remove("paths");
                } else {
                    entry.set("paths", whole);
                }
            }
            return Ok(());
        }
    };
    if let Some(list) = an_entry(u, draft)?.and_then(|entry| entry.member_mut("paths")).and_then(Json::items_mut) {
        if alone {
            list.clear();
        }
        list.push(item);
    }
    Ok(())
}

fn turn_file(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let damage = draw::damage(u)?;
    let bad = draw::malformed(u)?;
    let kind = int(u, 9)?;
    let Some(chosen) = index(u, draft.turns.len())? else {
        return Ok(());
    };
    match kind {
        0..=4 => {
            if let Some(turn) = draft.turns.get_mut(chosen) {
                turn.damage = Some(damage);
            }
        }
        5..=7 => drop(draft.turns.remove(chosen)),
        8 => set(in_turn(u, draft, &["events"])?, bad),
        _ => {
            // A folder where the file should be.
            if let Some(turn) = draft.turns.get_mut(chosen)
                && !turn.name.contains('/')
            {
                turn.name.push_str("/inner.json");
            }
        }
    }
    Ok(())
}

/// A change at a place that nobody chose: in the bundle or a turn file, at any depth.
fn anywhere(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let mut documents = draft.documents_mut();
    let Some(chosen) = index(u, documents.len())? else {
        return Ok(());
    };
    let Some(mut here) = documents.get_mut(chosen).map(|document| &mut **document) else {
        return Ok(());
    };
    for _ in 0..int(u, 5)? {
        let length = match here {
            Json::List(items) => items.len(),
            Json::Object(members) => members.len(),
            _ => 0,
        };
        let Some(next) = index(u, length)? else { break };
        let below = match here {
            Json::List(items) => items.get_mut(next),
            Json::Object(members) => members.get_mut(next).map(|(_, value)| value),
            _ => None,
        };
        // The index came from this very length.
        let Some(below) = below else { return Ok(()) };
        here = below;
    }
    let wild = odds(u, 1, 2)?;
    let other = draw::value(u, 2, wild)?;
    match here {
        Json::Object(members) => match (int(u, 4)?, index(u, members.len())?) {
            (0, Some(member)) => drop(members.remove(member)),
            (1 | 2, Some(member)) => {
                // A duplicate name: before the original, which then hides it, or behind.
                if let Some((name, value)) = members.get(member).cloned() {
                    let twin = if odds(u, 1, 3)? { value } else { other };
                    let at = if odds(u, 1, 2)? { 0 } else { members.len() };
                    members.insert(at, (name, twin));
                }
            }
            (3, _) => members.push((draw::text(u, wild)?, other)),
            _ => *here = other,
        },
        Json::List(items) if odds(u, 1, 2)? => items.push(other),
        _ => *here = other,
    }
    Ok(())
}

// The bundle as a whole.

fn bundle_member(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let names = ["contract_version", "run_envelope", "registry_digest", "digests", "turn_results"];
    draft.bundle.remove(pick(u, &names)?);
    Ok(())
}

fn run_envelope(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let value = draw::value(u, 1, true)?;
    match int(u, 4)? {
        0 => draft.bundle.set("run_envelope", value),
        1 => {
            // With another member gone, the shape of the envelope decides.
            draft.bundle.set("run_envelope", value);
            draft.bundle.remove("digests");
        }
        2 => {
            if let Some(envelope) = draft.bundle.member_mut("run_envelope") {
                envelope.remove("run_id");
            }
        }
        _ => set_member(draft.bundle.member_mut("run_envelope"), "run_id", value),
    }
    Ok(())
}

fn bundle_shape(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    let names = r#"["contract_version","run_envelope","registry_digest","digests","turn_results"]"#;
    let words = r#""contract_version run_envelope registry_digest digests turn_results""#;
    let spelling = *pick(u, &["[]", "null", "\"text\"", "1", "true", "{}", "[[]]", names, words, "1.5", "NaN"])?;
    draft.bundle = Json::token(spelling);
    Ok(())
}

fn bundle_bytes(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    draft.damage = Some(draw::damage(u)?);
    Ok(())
}

fn nesting(u: &mut Unstructured<'_>, draft: &mut Draft) -> Result<()> {
    // Rare even here: such files are large.
    if odds(u, 1, 3)? {
        set(in_turn(u, draft, &["events"])?, draw::abyss());
    } else {
        let value = draw::chain(u, true)?;
        set(in_turn(u, draft, &["events"])?, value);
    }
    Ok(())
}
