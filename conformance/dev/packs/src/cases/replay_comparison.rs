//! Cases of `replay-comparison`: traces against receipts, and what is noticed beside.

use serde_json::{Value, json};

use super::base::{NUMBERS, checked, emitting, fork, loaded, published, retrace, sum, summed, with_schema};
use crate::{
    Episode, Outcome, Stage,
    canon::{hash, sha256},
    place::Place,
    step,
    vector::{Case, Law},
};

pub(super) const LAW: Law =
    Law { slug: "episode/replay-comparison", place: Place::Profile("Verification, phase 4 replay"), file: None, cases };

fn cases() -> Vec<Case> {
    let mut cases = equal();
    cases.extend(different());
    cases.extend(numbers());
    cases.extend(order());
    cases.extend(noticed());
    cases
}

/// An emission of this trace, whose file then says it in another way.
fn respelled(name: &'static str, rationale: &'static str, trace: Value, text: &str) -> Case {
    let episode = emitting(trace);
    let pack = episode.planted(Stage::Signed, |pack| retrace(pack, "out", text));
    Case::matches(name, rationale, &episode, &pack)
}

/// An emission of this trace, whose file then says something else.
fn parted(name: &'static str, rationale: &'static str, trace: Value, text: &str) -> Case {
    let episode = emitting(trace);
    let pack = episode.planted(Stage::Signed, |pack| retrace(pack, "out", text));
    Case::diverges(name, rationale, &episode, &pack, &["out"])
}

fn equal() -> Vec<Case> {
    let scalar = |name, rationale, value: Value| {
        let episode = emitting(value);
        Case::matches(name, rationale, &episode, &episode.sealed())
    };
    vec![
        respelled(
            "a-trace-reformatted",
            "A verifier that hashes the bytes of the trace takes another layout for another output.",
            json!({"list": [1, 2], "n": {"a": null}}),
            "{\"list\":[1,2],\n\t\"n\" :{ \"a\":null }}",
        )
        .place(Place::Rfc8785("3.2.1"))
        .flag("Whitespace"),
        respelled(
            "a-trace-with-its-members-in-another-order",
            "A verifier that hashes members in the order of the file takes another order for another output.",
            json!({"a": 1, "b": {"c": 2, "d": 3}}),
            "{\"b\": {\"d\": 3, \"c\": 2}, \"a\": 1}",
        )
        .place(Place::Rfc8785("3.2.3"))
        .flag("KeyOrder"),
        respelled(
            "a-trace-with-escapes",
            "A verifier that hashes strings as they are written takes an escape for another letter.",
            json!({"word": "Größe/\u{1f600}"}),
            r#"{"word": "Gr\u00f6\u00DFe\/\ud83d\ude00"}"#,
        )
        .place(Place::Rfc8785("3.2.2.2"))
        .flag("Escaping"),
        respelled(
            "a-trace-with-names-beyond-ascii",
            "A verifier that holds traces to the container's rule on names refuses one; one that sorts names by code \
             point finds another hash.",
            json!({"\u{fffd}": 1, "\u{10000}": 2}),
            "{\"\u{10000}\": 2, \"\u{fffd}\": 1}",
        )
        .place(Place::Rfc8785("3.2.3"))
        .flag("KeyOrder"),
        scalar(
            "a-trace-that-is-text",
            "A verifier that wants an object for an output refuses a value of another type.",
            json!("done"),
        ),
        scalar(
            "a-trace-that-is-null",
            "A verifier that takes null for no output finds a step that passed without one.",
            Value::Null,
        )
        .flag("NullVersusAbsent"),
    ]
}

fn different() -> Vec<Case> {
    vec![
        parted(
            "another-value",
            "A verifier that never opens the traces finds nothing.",
            json!({"list": [1, 2]}),
            "{\"list\": [1, 3]}",
        )
        .flag("FailClosed")
        .twin("a-trace-reformatted"),
        parted(
            "a-list-in-another-order",
            "A verifier that compares lists as sets finds the same members.",
            json!({"list": [1, 2]}),
            "{\"list\": [2, 1]}",
        )
        .place(Place::Rfc8785("3.2.3"))
        .flag("SortOrder")
        .twin("a-trace-reformatted"),
        parted(
            "a-null-left-out",
            "A verifier that drops null members finds the same object.",
            json!({"list": [1, 2], "n": null}),
            "{\"list\": [1, 2]}",
        )
        .flag("NullVersusAbsent")
        .twin("a-trace-reformatted"),
        parted(
            "another-normal-form",
            "A verifier that normalises Unicode finds the same text.",
            json!({"word": "Gro\u{308}ße"}),
            "{\"word\": \"Größe\"}",
        )
        .place(Place::Rfc8785("3.1"))
        .flag("Normalisation")
        .twin("a-trace-with-escapes"),
        parted(
            "a-number-as-text",
            "A verifier that compares values loosely takes 6 and \"6\" for equal.",
            json!({"value": 6}),
            "{\"value\": \"6\"}",
        )
        .flag("TypeConfusion")
        .twin("a-trace-reformatted"),
    ]
}

fn numbers() -> Vec<Case> {
    let forms = json!({"a": 1e21, "b": 1e-7, "c": 5e-324, "d": 0.1, "e": 333_333_333.333_333_3, "f": 0, "g": 100});
    // RFC 8785 writes 1e+21 and 1e-7.
    let tool = |trace: &Value| {
        let text = String::from_utf8(crate::canon::jcs(trace)).expect("text");
        let text = text.replace("1e+21", "1E21").replace("1e-7", "1E-7");
        format!("sha256:{}", sha256(text.as_bytes()))
    };
    let trace = json!({"a": 1e21, "b": 1e-7});
    let episode = emitting(trace.clone());
    let by_the_tool = episode.planted(Stage::Written, |pack| {
        let hashed = tool(&trace);
        pack.set(3, "outputs_hash", hash(&json!([{"step_id": "out", "output_hash": hashed}])));
        pack.set(2, "output_hash", hashed);
    });
    vec![
        respelled(
            "numbers-in-other-spellings",
            "A verifier that compares number tokens takes 1E2 and 100 for different; one with another float layout \
             than RFC 8785's finds another hash.",
            forms,
            "{\"a\":1000000000000000000000.0,\"b\":1E-7,\"c\":4.9e-324,\"d\":0.10,\"e\":333333333.33333329,\"f\":-0.0,\"g\":1E2}",
        )
        .place(Place::Rfc8785("3.2.2.3"))
        .ruling(25)
        .flag("NumberToken"),
        Case::matches(
            "exponents-by-rfc-8785",
            "A verifier that writes exponents as the public tool does finds another hash than the receipt's.",
            &episode,
            &episode.sealed(),
        )
        .place(Place::Rfc8785("3.2.2.3"))
        .ruling(25)
        .flag("FloatSpelling"),
        Case::diverges(
            "exponents-by-the-tool",
            "A verifier that writes exponents as the public tool does, unasked, finds this hash right.",
            &episode,
            &by_the_tool,
            &["out"],
        )
        .place(Place::Rfc8785("3.2.2.3"))
        .ruling(25)
        .flag("FloatSpelling")
        .twin("exponents-by-rfc-8785"),
        respelled(
            "the-largest-integers",
            "A verifier that refuses integers of sixteen digits is stricter than I-JSON.",
            json!([9_007_199_254_740_991_i64, -9_007_199_254_740_991_i64]),
            "[9007199254740991, -9007199254740991]",
        )
        .place(Place::Rfc8785("3.2.2.3"))
        .ruling(26)
        .flag("BigInteger"),
        respelled(
            "a-large-number-with-an-exponent",
            "A verifier that refuses numbers by their size, and not by their token, takes a double for a big integer.",
            json!([1e300]),
            "[1e300]",
        )
        .place(Place::Rfc8785("3.2.2.3"))
        .ruling(26)
        .flag("NumberToken"),
    ]
}

/// Two steps that depend on nothing, listed against the order of their ids, and one that depends on both.
fn backwards() -> Episode {
    let load = |id: &str| (step::load(id, NUMBERS.0), Outcome::pass(json!([1, 2, 3])));
    let out = step::after(step::emit("out", "list", "x"), &["x", "y"]);
    Episode::new(&[NUMBERS], [load("y"), load("x"), (out, Outcome::pass(json!({"list": [1, 2, 3]})))])
}

fn order() -> Vec<Case> {
    let all = fork().planted(Stage::Signed, |pack| {
        for id in ["a", "b", "c", "k", "m", "z"] {
            retrace(pack, id, "{\"changed\": true}\n");
        }
    });
    let two = fork().planted(Stage::Signed, |pack| {
        for id in ["k", "z"] {
            retrace(pack, id, "{\"changed\": true}\n");
        }
    });
    let broken = {
        let mut episode = sum();
        episode.outcomes.insert("out".to_owned(), Outcome::fail(json!({"claim": 6})));
        episode
    };
    let retraced = broken.planted(Stage::Signed, |pack| retrace(pack, "out", "{\"claim\": 7}\n"));
    let backwards = backwards();
    let none = backwards.planted(Stage::Signed, |pack| {
        for id in ["out", "x", "y"] {
            retrace(pack, id, "{\"changed\": true}\n");
        }
    });
    let swapped = sum().planted(Stage::Signed, |pack| {
        let traces = ["in", "sum"].map(|id| pack.text(&format!("recorded_traces/{id}.json")).to_owned());
        retrace(pack, "in", &traces[1]);
        retrace(pack, "sum", &traces[0]);
    });
    vec![
        Case::matches(
            "a-fork",
            "A verifier that replays in script order meets dependents before their dependencies.",
            &fork(),
            &fork().sealed(),
        ),
        Case::diverges(
            "everything-changed",
            "A verifier that sorts by depth, by id, or by a stack instead of a queue reports the divergences in \
             another order.",
            &fork(),
            &all,
            &["m", "b", "z", "c", "a", "k"],
        )
        .place(LAW.place)
        .ruling(29)
        .flag("SortOrder")
        .twin("a-fork"),
        Case::diverges(
            "the-second-divergence-counts-too",
            "A verifier that stops at the first divergence reports one of two.",
            &fork(),
            &two,
            &["z", "k"],
        )
        .place(Place::Profile("Verification, collection policy"))
        .twin("a-fork"),
        Case::diverges(
            "two-traces-changed-places",
            "A verifier that asks whether each receipt's output is among the traces finds both.",
            &sum(),
            &swapped,
            &["in", "sum"],
        )
        .flag("Pairing")
        .twin("all-four-opcodes"),
        Case::matches(
            "a-failed-step-that-left-a-trace",
            "A verifier that replays what passed alone counts one step too few: a step that failed was executed.",
            &broken,
            &broken.sealed(),
        )
        .place(Place::Profile("Step status")),
        Case::diverges(
            "a-failed-step-with-another-trace",
            "A verifier that replays what passed alone never compares the trace of a step that failed.",
            &broken,
            &retraced,
            &["out"],
        )
        .place(Place::Profile("Step status"))
        .flag("FailClosed")
        .twin("a-failed-step-that-left-a-trace"),
        Case::matches(
            "ready-steps-listed-backwards",
            "A verifier that takes the order of the script for that of the graph replays all the same, in another order.",
            &backwards,
            &backwards.sealed(),
        ),
        Case::diverges(
            "ready-steps-listed-backwards-and-changed",
            "A verifier that starts with the step that is listed first, and not with the least of the ids that are \
             ready, reports the divergences in another order.",
            &backwards,
            &none,
            &["x", "y", "out"],
        )
        .place(LAW.place)
        .ruling(29)
        .flag("SortOrder")
        .twin("ready-steps-listed-backwards"),
        Case::matches(
            "all-four-opcodes",
            "A verifier that replays transforms alone counts one step.",
            &sum(),
            &sum().sealed(),
        )
        .clean(),
    ]
}

fn noticed() -> Vec<Case> {
    let warns = |name, rationale, number, episode: &Episode, law, file, pointer| {
        Case::matches(name, rationale, episode, &episode.sealed())
            .ruling(number)
            .warns(law, file, pointer)
            .twin("all-four-opcodes")
    };
    let mut unheld = sum();
    unheld.outcomes.insert("check".to_owned(), Outcome::pass(json!({"assertion_passed": false})));
    let mut another = sum();
    another.contract["replay_script"]["steps"][2]["params"]["expected_hash"] = json!(hash(&json!({"sum": 7})));
    let mut nowhere = sum();
    nowhere.contract["replay_script"]["steps"][3]["params"]["output_ref"] = json!("product");
    let target = (step::after(step::check("check", "product", &hash(&json!({"sum": 6}))), &["sum"]), checked(true).1);
    let targetless = Episode::new(&[NUMBERS], [loaded("nums.json"), summed(), target, published()]);
    let transformed = Episode::new(
        &[NUMBERS],
        [(step::load("in", "nums.json"), Outcome::pass(json!([3, 2, 1]))), summed(), checked(true), published()],
    );
    let text = ("notes.txt", "one, two, three\n");
    let prose = Episode::new(
        &[text],
        [
            (step::load("in", text.0), Outcome::pass(json!({"words": 3}))),
            (step::emit("out", "n", "in"), Outcome::pass(json!(3))),
        ],
    );
    let shaped = |items: Value| with_schema(json!({"properties": {"list": {"items": items, "minItems": 1}}}));
    let (fits, misfit) = (shaped(json!({"type": "integer"})), shaped(json!({"enum": [1, 3]})));
    vec![
        warns(
            "an-assertion-that-passed-and-says-it-did-not",
            "A verifier that judges the assertion by its trace calls a divergence, or a broken pack, what the \
             receipts agree on.",
            30,
            &unheld,
            "episode/replay-comparison",
            "recorded_traces/check.json",
            "",
        ),
        warns(
            "an-assertion-of-another-hash",
            "A verifier that evaluates the assertion itself turns it into a verdict; one that never does hides that \
             it is false.",
            30,
            &another,
            "episode/replay-comparison",
            "recorded_traces/check.json",
            "",
        ),
        warns(
            "an-output-of-no-step",
            "A verifier that resolves output_ref as a dependency rejects the script; the text does not ask that it \
             exist.",
            32,
            &nowhere,
            "episode/script-graph",
            "episode_contract.json",
            "/replay_script/steps/3/params/output_ref",
        ),
        warns(
            "an-assertion-on-no-step",
            "A verifier that resolves target as a dependency rejects the script; the text does not ask that it exist.",
            32,
            &targetless,
            "episode/script-graph",
            "episode_contract.json",
            "/replay_script/steps/2/params/target",
        ),
        warns(
            "a-load-that-differs-from-its-input",
            "A verifier that compares the hash of the input with that of the trace mixes bytes with values, and \
             rejects.",
            16,
            &transformed,
            "episode/replay-comparison",
            "recorded_traces/in.json",
            "",
        ),
        Case::matches(
            "an-input-that-is-no-json",
            "A verifier that parses every input as JSON refuses prose, or warns of it.",
            &prose,
            &prose.sealed(),
        )
        .ruling(16)
        .clean(),
        Case::matches(
            "an-output-of-its-schema",
            "A verifier that does not know `items` in an output_schema warns of an output that follows it.",
            &fits,
            &fits.sealed(),
        )
        .place(LAW.place)
        .ruling(31)
        .clean(),
        Case::matches(
            "an-output-against-its-schema",
            "A verifier that holds outputs to their schema rejects; the phases do not, and a reader still wants to \
             know.",
            &misfit,
            &misfit.sealed(),
        )
        .ruling(31)
        .warns_of_shape("episode/replay-comparison", "recorded_traces/out.json", "/list/1")
        .twin("an-output-of-its-schema"),
    ]
}
