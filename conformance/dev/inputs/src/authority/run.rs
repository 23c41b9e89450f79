//! Inputs of the engine. First choices are lawful ones, for bytes that run out.

use arbitrary::{Result, Unstructured};

use super::token;
use crate::pairs::draw::{int, odds, one_of};
use crate::pairs::{json::Json, json_text};
use crate::spoil::spoil;

/// Few, so that interpretations share them; near misses among them.
const ASSUMPTIONS: &[&str] = &["one cup", "one cup ", "é", "e\u{301}", "", "\u{1f600}", "\u{ff5e}", "One cup"];
const NAMES: &[&str] = &["Brew", "Bell", "", "brew", "\u{ff5e}", "\u{1f600}", "é", "e\u{301}", "Brew "];
/// Lengths that tie with each other and with an assumption, in characters but not in bytes or UTF-16 units.
const SUMMARIES: &[&str] = &[
    "Ring",
    "Rïng",
    "\u{1f600}\u{1f600}\u{1f600}\u{1f600}",
    "",
    "\r\n",
    "0123456789",
    "éééééééééé",
    "0123456789abcde",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}\u{200d}\u{1f466}",
    "Ring\\\"\u{1f}",
];
const TEXTS: &[&str] =
    &["demo-1", "", "Tea timer ☕", "\u{2028}\u{7f}\u{1f}\"\\/", "T0#0000", "#", "\u{1f600}", "\u{feff}"];
const PINS: &[&str] = &[
    "{}",
    r#"{"limit":1e16,"tiny":1e-7,"on":true}"#,
    "null",
    "-0",
    "[-0.0,1.0,1,true,562949953421312.25,5e-324]",
    "100000000000000000000000000000000",
    r#"{"😀":1,"～":2,"":[[[]]]}"#,
    r#"{"a":NaN,"a":1}"#,
    "\"\\ud83d\\ude00\"",
];

/// The inputs of a run, about one in eight of them unlawful.
pub(super) fn inputs(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut interpretations = Vec::new();
    for _ in 0..*u.choose(&[2, 1, 2, 3, 3, 4, 6, 0])? {
        interpretations.push(interpretation(u)?);
    }
    let mut inputs = Json::object([
        ("run_id", one_of(u, TEXTS)?),
        ("seed_text", one_of(u, TEXTS)?),
        ("pin", pin(u)?),
        ("policy", policy(u)?),
        ("interpretations", Json::List(interpretations)),
        ("ts_base", one_of(u, TEXTS)?),
    ]);
    if odds(u, 1, 4)? {
        inputs.set("proposal_source", one_of(u, &["heuristic", "llm", ""])?);
    }
    if odds(u, 1, 4)? {
        inputs.set("proposal_confidence", token(u, &["0.5", "1", "1.0", "null"])?);
    }
    if odds(u, 1, 8)? {
        spoil(u, &mut inputs)?;
    }
    Ok(inputs)
}

fn interpretation(u: &mut Unstructured<'_>) -> Result<Json> {
    let mut assumptions: Vec<Json> = Vec::new();
    for _ in 0..int(u, 3)? {
        let assumption = one_of(u, ASSUMPTIONS)?;
        if !assumptions.contains(&assumption) {
            assumptions.push(assumption);
        }
    }
    Ok(Json::object([
        ("name", one_of(u, NAMES)?),
        ("assumptions", Json::List(assumptions)),
        ("intent_summary", one_of(u, SUMMARIES)?),
    ]))
}

fn policy(u: &mut Unstructured<'_>) -> Result<Json> {
    let huge = "123456789012345678901234567890";
    let mut policy = Json::object([
        ("max_interpretations", token(u, &["2", "1", "3", huge])?),
        ("max_nodes", token(u, &["10", "1", huge])?),
        ("max_depth", token(u, &["4", "1"])?),
        ("contradiction_budget", token(u, &["9", "0", "1", "2", "-0", huge])?),
        ("max_steps", token(u, &["9", "2", "3", "1", huge, "9"])?),
    ]);
    if odds(u, 1, 3)? {
        policy.set("deterministic_tiebreak", Json::text("lexicographic"));
    }
    Ok(policy)
}

/// A pin, written as it stands. One in six is any JSON text, unlawful ones included.
fn pin(u: &mut Unstructured<'_>) -> Result<Json> {
    if odds(u, 1, 6)? {
        let any = json_text(u)?;
        return Ok(Json::token(String::from_utf8_lossy(&any).into_owned()));
    }
    if odds(u, 1, 50)? {
        return Ok(Json::token(format!("{}{}", "[".repeat(900), "]".repeat(900))));
    }
    token(u, PINS)
}
