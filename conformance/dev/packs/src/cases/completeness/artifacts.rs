//! Input files and traces.

use serde_json::json;

use super::{LAW, breaks, planted};
use crate::{
    Episode, Finding, Pack, Stage,
    cases::base::{LOADED_OTHERWISE, NUMBERS, list, retrace},
    place::Place,
    vector::Case,
};

/// That hashes of inputs are over bytes, and that no item need be unique.
const INPUTS: Place = Place::Profile("Episode Contract schema, inputs");

/// The input file is not the declared one.
const INPUT: Finding = Finding::new(LAW.slug, "inputs/nums.json");

/// The trace of `out` is not a trace.
const TRACE: Finding = Finding::new(LAW.slug, "recorded_traces/out.json");

pub(super) fn cases() -> Vec<Case> {
    let mut cases = inputs();
    cases.extend(traces());
    cases
}

/// The complete pack with a file put or altered afterwards.
fn input(text: &str) -> Pack {
    planted(Stage::Signed, |pack| pack.put("inputs/nums.json", text))
}

/// The worked example with a second item in `inputs`, of this name and hash.
fn second(path: &str, hash: &str) -> Episode {
    let mut episode = list();
    let items = episode.contract["inputs"].as_array_mut().expect("items");
    items.push(json!({"ref": path, "hash": hash, "media_type": "application/json"}));
    episode
}

fn inputs() -> Vec<Case> {
    let first = list().contract["inputs"][0]["hash"].as_str().expect("a hash").to_owned();
    let other = format!("sha256:{}", crate::canon::sha256(b"[1,2,4]\n"));
    let (same, differing, unused) = (second(NUMBERS.0, &first), second(NUMBERS.0, &other), second("more.json", &first));
    let supplied = unused.planted(Stage::Signed, |pack| pack.put("inputs/more.json", NUMBERS.1));
    let holds_two = |name, rationale, episode, pack| Case::matches(name, rationale, episode, pack);
    vec![
        breaks(
            "an-input-missing",
            "A verifier that replays traces alone never misses an input.",
            &planted(Stage::Signed, |pack| drop(pack.files.remove("inputs/nums.json"))),
        )
        .finds([INPUT])
        .flag("FailClosed"),
        breaks("an-input-changed", "A verifier that replays traces alone never hashes an input.", &input("[1,2,4]\n"))
            .finds([INPUT, LOADED_OTHERWISE])
            .place(INPUTS),
        breaks(
            "an-input-reformatted",
            "A verifier that hashes the canonical form of inputs, as of traces, finds the value unchanged.",
            &input("[1, 2, 3]\n"),
        )
        .finds([INPUT])
        .place(INPUTS)
        .flag("Whitespace"),
        breaks(
            "an-input-with-other-line-ends",
            "A verifier that reads inputs as text hashes other bytes than it got.",
            &input("[1,2,3]\r\n"),
        )
        .finds([INPUT])
        .place(INPUTS)
        .flag("Whitespace"),
        holds_two(
            "one-ref-twice",
            "A verifier that keeps inputs in a map by ref, or refuses repeats, judges another list than the \
             contract's.",
            &same,
            &same.sealed(),
        )
        .place(INPUTS)
        .ruling(37),
        Case::fails(
            "one-ref-with-two-hashes",
            "A verifier that keeps inputs in a map by ref checks one of two hashes, and the file has just one.",
            3,
            &differing.sealed(),
        )
        .finds([Finding::of(LAW.slug)])
        .place(INPUTS)
        .ruling(37)
        .flag("Multiset")
        .twin("one-ref-twice"),
        holds_two(
            "an-input-that-nothing-loads",
            "A verifier that wants a LOAD_INPUT for every input refuses a contract that names more than it loads.",
            &unused,
            &supplied,
        ),
        Case::fails(
            "an-input-missing-that-nothing-loads",
            "A verifier that checks inputs when a step loads them never misses this one.",
            3,
            &unused.sealed(),
        )
        .finds([Finding::new(LAW.slug, "inputs/more.json")])
        .flag("FailClosed")
        .twin("an-input-that-nothing-loads"),
    ]
}

fn traces() -> Vec<Case> {
    let trace = |text: &str| planted(Stage::Signed, |pack| retrace(pack, "out", text));
    let unreadable = |case: Case| case.ruling(27);
    let breaks = |name, rationale, pack: &Pack| breaks(name, rationale, pack).finds([TRACE]);
    let sound = "{\"claim\": \"sum\", \"value\": 6}";
    vec![
        breaks(
            "a-trace-missing",
            "A verifier that calls a missing output a failed step, or a diverging one, gives an answer about a pack \
             that it cannot judge.",
            &planted(Stage::Signed, |pack| drop(pack.files.remove("recorded_traces/out.json"))),
        )
        .flag("FailClosed"),
        breaks(
            "a-trace-that-is-no-json",
            "A verifier that hashes the bytes of what it cannot read reports a divergence.",
            &trace("claim: sum\n"),
        )
        .place(Place::Ruling(27)),
        breaks(
            "a-trace-cut-short",
            "A parser that forgives what is missing at the end reads the very output.",
            &trace(sound.trim_end_matches('}')),
        )
        .place(Place::Ruling(27))
        .flag("Truncation"),
        breaks(
            "a-trace-with-more-behind-it",
            "A parser that stops after the first value never sees the second.",
            &trace(&format!("{sound}\n{{}}\n")),
        )
        .place(Place::Ruling(27))
        .flag("Truncation"),
        breaks(
            "an-empty-trace",
            "A reader that takes nothing for null finds an output, and reports that it diverges.",
            &trace(""),
        )
        .place(Place::Ruling(27))
        .flag("Truncation"),
        unreadable(breaks(
            "a-trace-with-a-repeated-name",
            "A reader that keeps the last of two equal names reads the very output.",
            &trace("{\"claim\": \"sum\", \"value\": 7, \"value\": 6}"),
        ))
        .flag("DuplicateName"),
        unreadable(breaks(
            "a-trace-with-nan",
            "A reader that takes NaN for a number breaks when it writes the value.",
            &trace("{\"claim\": \"sum\", \"value\": NaN}"),
        ))
        .flag("NonFinite"),
        unreadable(breaks(
            "a-trace-with-a-byte-order-mark",
            "A reader that skips the mark reads the very output.",
            &trace(&format!("\u{feff}{sound}")),
        ))
        .flag("Encoding"),
        unreadable(breaks(
            "a-trace-with-a-lone-surrogate",
            "A reader that replaces what it cannot write hashes another text.",
            &trace("{\"claim\": \"sum\", \"value\": 6, \"mark\": \"\\ud800\"}"),
        ))
        .flag("LoneSurrogate"),
        breaks(
            "a-trace-with-a-big-integer",
            "A verifier that rounds the integer to a double, or keeps its digits, compares one of two values that \
             others read.",
            &trace("{\"claim\": \"sum\", \"value\": 9007199254740993}"),
        )
        .ruling(26)
        .flag("BigInteger"),
    ]
}
