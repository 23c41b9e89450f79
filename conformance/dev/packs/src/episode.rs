//! What ran: a contract, its input files, and the outcome of each step.
//!
//! Spec: RCE Profile v0.1, Episode Contract schema, 2.4 Derived hash inventory and Step status; ruling EP-22.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::{Map, Value, json};

use crate::canon::{hash, sha256};

/// How receipts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// The public tool's: the payload's members beside `type` and `timestamp`.
    Flat,
    /// The Constitutional Receipt Standard's: `receipt_type`, `ts`, `payload`, and a declared `receipt_hash`.
    Crs,
    /// The members of both.
    Both,
}

/// Status of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Completed.
    Pass,
    /// Completed with a negative result.
    Fail,
    /// Not run: a dependency failed.
    Skipped,
}

impl Status {
    /// As receipts spell it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Skipped => "SKIPPED",
        }
    }
}

/// What came of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Its status.
    pub status: Status,
    /// Its recorded output; none if it was skipped.
    pub trace: Option<Value>,
}

impl Outcome {
    /// Completed with this output.
    #[must_use]
    pub fn pass(trace: Value) -> Self {
        Self { status: Status::Pass, trace: Some(trace) }
    }

    /// Completed with a negative result and this output.
    #[must_use]
    pub fn fail(trace: Value) -> Self {
        Self { status: Status::Fail, trace: Some(trace) }
    }

    /// Not run.
    #[must_use]
    pub fn skipped() -> Self {
        Self { status: Status::Skipped, trace: None }
    }

    /// The outcome of an assertion: status and trace say the same.
    #[must_use]
    pub fn asserted(passed: bool) -> Self {
        let trace = json!({"assertion_passed": passed});
        if passed { Self::pass(trace) } else { Self::fail(trace) }
    }

    /// `output_hash`: null for a step that did not run.
    #[must_use]
    pub fn output_hash(&self) -> Value {
        self.trace.as_ref().map_or(Value::Null, |trace| Value::from(hash(trace)))
    }
}

/// A contract with what came of it. Every member may be altered before the pack is made.
#[derive(Debug, Clone)]
pub struct Episode {
    /// The Episode Contract.
    pub contract: Value,
    /// Input files by `ref`.
    pub inputs: BTreeMap<String, Vec<u8>>,
    /// Outcomes by `step_id`.
    pub outcomes: BTreeMap<String, Outcome>,
    /// Shape of the receipts.
    pub shape: Shape,
    /// The day it ran on, `YYYY-MM-DD`.
    pub day: String,
    /// Whether contract, inputs and traces are listed in the manifest, and so bound by its signature.
    pub list_artifacts: bool,
}

impl Episode {
    /// An episode of these inputs and steps, in the smallest lawful contract.
    #[must_use]
    pub fn new(inputs: &[(&str, &str)], steps: impl IntoIterator<Item = (Value, Outcome)>) -> Self {
        let (mut script, mut outcomes) = (Vec::new(), BTreeMap::new());
        for (step, outcome) in steps {
            outcomes.insert(text(&step, "step_id").to_owned(), outcome);
            script.push(step);
        }
        let items: Vec<_> = inputs
            .iter()
            .map(|(path, content)| json!({"ref": path, "hash": format!("sha256:{}", sha256(content.as_bytes()))}))
            .collect();
        let contract = json!({
            "schema_version": "rce/0.1",
            "episode_id": "ep_0195c8a1d2e3000000000001",
            "objective": "Show that the recorded outputs can be checked again.",
            "inputs": items,
            "replay_script": {"schema_version": "replay_script/0.1", "steps": script},
            "replay_policy": {"replay_basis": "recorded_trace", "comparator_tier": "A"},
            "environment": {"provider": "example", "model_id": "m-1", "tool_versions": {}, "container_digest": null},
        });
        let inputs = inputs.iter().map(|(path, content)| ((*path).to_owned(), content.as_bytes().to_vec()));
        let mut episode = Self {
            contract,
            inputs: inputs.collect(),
            outcomes,
            shape: Shape::Flat,
            day: "2026-03-02".to_owned(),
            list_artifacts: false,
        };
        episode.fingerprint();
        episode
    }

    /// A wide episode for measurements: one LOAD_INPUT, then `n` transforms of it with the traces given by index, then
    /// one EMIT_OUTPUT of the first.
    #[must_use]
    pub fn wide(n: usize, mut trace: impl FnMut(usize) -> Value) -> Self {
        let width = n.to_string().len();
        let id = |index: usize| format!("step-{index:0width$}");
        let loaded = (step::load("load", "seed.json"), Outcome::pass(json!({"seed": 1})));
        let emitted = (step::emit("zz-emit", "count", &id(0)), Outcome::pass(json!({"count": n})));
        let applied = (0..n).map(|index| (step::apply(&id(index), &["load"]), Outcome::pass(trace(index))));
        Self::new(&[("seed.json", "{\"seed\":1}\n")], [loaded].into_iter().chain(applied).chain([emitted]))
    }

    /// Sets `env_fingerprint_hash` to what the environment has now.
    pub fn fingerprint(&mut self) {
        self.contract["environment"]["env_fingerprint_hash"] = Value::from(hash(&four(&self.contract)));
    }

    /// `episode_spec_hash`: of the replay-normative view.
    #[must_use]
    pub fn spec_hash(&self) -> String {
        let contract = &self.contract;
        hash(&json!({
            "inputs": contract["inputs"],
            "replay_script": contract["replay_script"],
            "replay_policy": contract["replay_policy"],
            "environment": four(contract),
        }))
    }

    /// The steps of the script as written.
    ///
    /// # Panics
    /// If the contract has no array of steps.
    #[must_use]
    pub fn steps(&self) -> &[Value] {
        self.contract["replay_script"]["steps"].as_array().expect("a contract has steps")
    }

    /// Indices into the script in the order of the replay: first in, first out, and by `step_id` among those that become
    /// free together.
    ///
    /// # Panics
    /// If a dependency is not declared, or the script has a cycle: such a script is broken only after the pack is made.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let steps = self.steps();
        let places: BTreeMap<&str, usize> =
            steps.iter().enumerate().map(|(index, step)| (text(step, "step_id"), index)).collect();
        let mut open: Vec<usize> = steps.iter().map(|step| dependencies(step).len()).collect();
        let mut children: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); steps.len()];
        for (id, index) in &places {
            for dependency in dependencies(&steps[*index]) {
                children[places[dependency]].insert(id);
            }
        }
        let mut queue: VecDeque<usize> = places.values().copied().filter(|index| open[*index] == 0).collect();
        let mut order = Vec::with_capacity(steps.len());
        while let Some(index) = queue.pop_front() {
            order.push(index);
            for child in children[index].iter().map(|child| places[child]) {
                open[child] -= 1;
                if open[child] == 0 {
                    queue.push_back(child);
                }
            }
        }
        assert_eq!(order.len(), steps.len(), "the script has a cycle");
        order
    }

    /// The outcome of a step.
    ///
    /// # Panics
    /// If it has none.
    #[must_use]
    pub fn outcome(&self, step_id: &str) -> &Outcome {
        self.outcomes.get(step_id).unwrap_or_else(|| panic!("no outcome of the step {step_id:?}"))
    }

    /// How many steps ran.
    #[must_use]
    pub fn executed(&self) -> usize {
        self.outcomes.values().filter(|outcome| outcome.status != Status::Skipped).count()
    }

    /// Whether every step passed.
    #[must_use]
    pub fn all_passed(&self) -> bool {
        self.outcomes.values().all(|outcome| outcome.status == Status::Pass)
    }
}

/// The four members of the environment that identify it.
fn four(contract: &Value) -> Value {
    let environment = &contract["environment"];
    let names = ["provider", "model_id", "tool_versions", "container_digest"];
    Value::Object(names.iter().map(|name| ((*name).to_owned(), environment[*name].clone())).collect::<Map<_, _>>())
}

/// A string member.
pub(crate) fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} is not a string in {value}"))
}

/// `depends_on` of a step.
pub(crate) fn dependencies(step: &Value) -> Vec<&str> {
    step["depends_on"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// Steps of a script.
pub mod step {
    use serde_json::{Value, json};

    fn step(id: &str, opcode: &str, params: &Value, depends_on: &[&str]) -> Value {
        json!({"step_id": id, "opcode": opcode, "params": params, "depends_on": depends_on})
    }

    /// A LOAD_INPUT without dependencies.
    #[must_use]
    pub fn load(id: &str, path: &str) -> Value {
        step(id, "LOAD_INPUT", &json!({"ref": path}), &[])
    }

    /// An APPLY_TRANSFORM.
    #[must_use]
    pub fn apply(id: &str, depends_on: &[&str]) -> Value {
        step(id, "APPLY_TRANSFORM", &json!({"transform": "sum/v1"}), depends_on)
    }

    /// An ASSERT_HASH of a step that it depends on.
    #[must_use]
    pub fn check(id: &str, target: &str, expected_hash: &str) -> Value {
        step(id, "ASSERT_HASH", &json!({"target": target, "expected_hash": expected_hash}), &[target])
    }

    /// An EMIT_OUTPUT of a step that it depends on.
    #[must_use]
    pub fn emit(id: &str, claim_type: &str, output_ref: &str) -> Value {
        step(id, "EMIT_OUTPUT", &json!({"claim_type": claim_type, "output_ref": output_ref}), &[output_ref])
    }

    /// The same step with other dependencies.
    #[must_use]
    pub fn after(mut step: Value, depends_on: &[&str]) -> Value {
        step["depends_on"] = json!(depends_on);
        step
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::receipts;

    /// A worked example, whose hashes were computed apart, with what its steps gave.
    fn worked() -> Episode {
        Episode::new(
            &[("nums.json", "[1,2,3]\n")],
            [
                (step::load("in", "nums.json"), Outcome::pass(json!([1, 2, 3]))),
                (step::emit("out", "list", "in"), Outcome::pass(json!({"list": [1, 2, 3]}))),
            ],
        )
    }

    #[test]
    fn the_worked_values() {
        let episode = worked();
        let receipts = receipts::all(&episode);
        let check = |value: &Value, digits: &str| assert_eq!(*value, Value::from(format!("sha256:{digits}")));
        let [open, load, emit, close] = &receipts[..] else { panic!("four receipts") };
        check(
            &episode.contract["inputs"][0]["hash"],
            "9c6bc7ac937d2daffe5ecdbe7eb3a59aba4f43e96a58a99f08838d4ce48c92ba",
        );
        check(&open["env_fingerprint_hash"], "7aef6ecfc6794ff6ea54699eb59e8dfc38fc2960246825118d62b676e7978a72");
        check(&open["inputs_hash"], "b3049516ee5c9fc634cd727f0220d3402af99ae5ca45f424b3307f7a84771e61");
        check(&open["script_hash"], "ab5cefee7a4fa7beb8cbfd5dfc0e6da87e31c10e6ed61a0419c0a72da9e6da2f");
        check(&open["episode_spec_hash"], "475904d6badd7d5219a397dbc4ee6a27a92c9a5827579ec18ebf1f023faa932d");
        check(&load["output_hash"], "a615eeaee21de5179de080de8c3052c8da901138406ba71c38c032845f7d54f4");
        check(&emit["output_hash"], "bbb2330fb3d521b2c0ab5fe632c43d9d8933c5dfb683d0818747b599fc0fcf30");
        check(&close["outputs_hash"], "c72c7ed4d4a0f0c96f3dea3b67108fe4f577be97282f39d3e8a5780664fed89f");
        assert_eq!(emit["input_hashes"], json!([load["output_hash"]]));
        assert_eq!(close["episode_spec_hash"], open["episode_spec_hash"]);
    }

    #[test]
    fn the_order_of_the_example() {
        let ids = ["a", "b", "c", "k", "m", "z"];
        let parents = [&["z"][..], &["m"], &["b"], &["a", "c"], &[], &["m"]];
        let steps = ids.iter().zip(parents).map(|(id, parents)| (step::apply(id, parents), Outcome::pass(json!(1))));
        let episode = Episode::new(&[], steps);
        let order: String = episode.order().into_iter().map(|index| text(&episode.steps()[index], "step_id")).collect();
        assert_eq!(order, "mbzcak");
    }

    #[test]
    fn nothing_passed() {
        let mut episode = worked();
        episode.outcomes.insert("in".to_owned(), Outcome::fail(json!(null)));
        episode.outcomes.insert("out".to_owned(), Outcome::skipped());
        let receipts = receipts::all(&episode);
        assert_eq!(receipts[3]["outputs_hash"], json!(hash(&json!([]))));
        assert_eq!(receipts[3]["all_steps_passed"], json!(false));
        assert_eq!((&receipts[3]["n_steps_executed"], &receipts[3]["n_steps_passed"]), (&json!(1), &json!(0)));
        assert_eq!((&receipts[2]["output_hash"], &receipts[2]["input_hashes"]), (&Value::Null, &json!([])));
        assert_eq!((&receipts[2]["output_size_bytes"], &receipts[2]["duration_ms"]), (&json!(0), &json!(0)));
    }

    #[test]
    fn a_wide_episode_has_as_many_traces() {
        let pack = Episode::wide(12, |index| json!({"index": index})).sealed();
        let traces = pack.files.keys().filter(|path| path.starts_with("recorded_traces/"));
        assert_eq!((traces.count(), pack.receipts.len()), (14, 16));
    }
}
