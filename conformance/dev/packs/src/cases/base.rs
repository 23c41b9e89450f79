//! The episodes that the cases start from.

use serde_json::{Value, json};

use crate::{Episode, Finding, Outcome, Pack, canon::hash, step};

/// The one input file.
pub(super) const NUMBERS: (&str, &str) = ("nums.json", "[1,2,3]\n");

/// What is noticed beside any verdict where the trace of `in` holds another value than its file.
pub(super) const LOADED_OTHERWISE: Finding =
    Finding::new("episode/replay-comparison", "recorded_traces/in.json").warning();

/// A small worked example: `in` is loaded, `out` emits it.
pub(super) fn list() -> Episode {
    Episode::new(&[NUMBERS], [loaded("nums.json"), emitted("out", "in", json!({"list": [1, 2, 3]}))])
}

/// All four opcodes in a line: `in`, `sum`, `check`, `out`; everything passes.
pub(super) fn sum() -> Episode {
    Episode::new(&[NUMBERS], [loaded("nums.json"), summed(), checked(true), published()])
}

/// The same with an assertion that does not hold: `out` is skipped, although its other dependency passed.
pub(super) fn failed() -> Episode {
    let out = (published().0, Outcome::skipped());
    Episode::new(&[NUMBERS], [loaded("nums.json"), summed(), checked(false), out])
}

/// The example of the order: m before b and z, b before c, z before a, a and c before k.
pub(super) fn fork() -> Episode {
    let apply = |id: &str, after: &[&str]| (step::apply(id, after), Outcome::pass(json!({"step": id})));
    let last = step::after(step::emit("k", "both", "a"), &["a", "c"]);
    Episode::new(
        &[NUMBERS],
        [
            (last, Outcome::pass(json!({"step": "k"}))),
            apply("a", &["z"]),
            apply("b", &["m"]),
            apply("c", &["b"]),
            (step::load("m", "nums.json"), Outcome::pass(json!([1, 2, 3]))),
            apply("z", &["m"]),
        ],
    )
}

/// The step `in`, which loads this file.
pub(super) fn loaded(path: &str) -> (Value, Outcome) {
    (step::load("in", path), Outcome::pass(json!([1, 2, 3])))
}

/// The step `sum`.
pub(super) fn summed() -> (Value, Outcome) {
    (step::apply("sum", &["in"]), Outcome::pass(json!({"sum": 6})))
}

/// The step `check` on `sum`: whether the sum is six, or seven.
pub(super) fn checked(holds: bool) -> (Value, Outcome) {
    let expected = json!({"sum": if holds { 6 } else { 7 }});
    (step::check("check", "sum", &hash(&expected)), Outcome::asserted(holds))
}

/// The step `out`, which depends on `sum` and `check`.
pub(super) fn published() -> (Value, Outcome) {
    let step = step::after(step::emit("out", "sum", "sum"), &["sum", "check"]);
    (step, Outcome::pass(json!({"claim": "sum", "value": 6})))
}

/// An EMIT_OUTPUT of a step.
pub(super) fn emitted(id: &str, of: &str, trace: Value) -> (Value, Outcome) {
    (step::emit(id, "list", of), Outcome::pass(trace))
}

/// The worked example with another trace of `out`, receipts and all.
pub(super) fn emitting(trace: Value) -> Episode {
    Episode::new(&[NUMBERS], [loaded("nums.json"), emitted("out", "in", trace)])
}

/// The worked example with this value in place of a member of its contract, receipts and all.
pub(super) fn with(pointer: &str, value: Value) -> Episode {
    let mut episode = list();
    *episode.contract.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
    episode.fingerprint();
    episode
}

/// The worked example with a schema for the output of `out`.
pub(super) fn with_schema(schema: Value) -> Episode {
    let mut episode = list();
    episode.contract["replay_script"]["steps"][1]["output_schema"] = schema;
    episode
}

/// Writes another trace of a step.
pub(super) fn retrace(pack: &mut Pack, step: &str, text: &str) {
    pack.put(&format!("recorded_traces/{step}.json"), text);
}

/// Alters the contract after the receipts were made from it.
pub(super) fn recontract(pack: &mut Pack, alter: impl FnOnce(&mut Value)) {
    let mut contract = serde_json::from_str(pack.text("episode_contract.json")).expect("a contract");
    alter(&mut contract);
    pack.put("episode_contract.json", crate::canon::pretty(&contract));
}

/// The line of a receipt that is not one of the episode's.
pub(super) fn foreign(kind: &str) -> serde_json::Map<String, Value> {
    let receipt = json!({
        "receipt_id": "r_note_0001", "type": kind, "timestamp": "2026-03-02T09:00:00.002+00:00",
        "schema_version": "3.0", "seq": 9, "proof_tier": "core", "parent_hashes": [], "note": "another system's",
    });
    receipt.as_object().cloned().unwrap_or_default()
}

/// Puts a foreign receipt before the close receipt.
pub(super) fn with_foreign(pack: &mut Pack, kind: &str) {
    let close = pack.close();
    pack.receipts.insert(close, foreign(kind));
}
