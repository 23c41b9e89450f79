//! Lawful episodes: steps that depend on earlier ones, some failed, what depends on those skipped.

use arbitrary::{Result, Unstructured};
use assize_packs::{Episode, Outcome, Pack, Shape, Status, canon::hash, step};
use serde_json::{Value, json};

use crate::pairs::draw::{index, int, odds, pick};

/// Ids whose order by code point is not the order of UTF-16 units, nor that of a list.
pub(super) const IDS: &[&str] =
    &["m", "b", "z", "a", "c", "k", "10", "9", "\u{ff5e}", "\u{1f600}", "sub/in", "é", "e\u{301}", "B", "a b", "out"];

pub(super) const INPUTS: &[(&str, &str)] = &[
    ("nums.json", "[1,2,3]\n"),
    ("texts/note.txt", "plain text\n"),
    ("empty", ""),
    ("deep/er/é.json", "{\"a\": 1.0}"),
    ("numbers", "\u{1f600}"),
];

/// An episode whose sealed pack holds together.
pub(super) fn episode(u: &mut Unstructured<'_>) -> Result<Episode> {
    let inputs = INPUTS.get(..=int(u, 4)? as usize).unwrap_or_default();
    let mut draft = Draft { ids: IDS.to_vec(), steps: Vec::new() };
    for (path, _) in inputs {
        let id = draft.id(u)?;
        let outcome = outcome(u, Vec::new())?;
        draft.steps.push((step::load(id, path), outcome));
    }
    for _ in 0..int(u, 6)? {
        draft.any_step(u)?;
    }
    // Nothing depends on the last step, so one terminal step emits.
    draft.emit(u)?;
    let mut steps = draft.steps;
    if odds(u, 1, 2)? {
        for last in (1..steps.len()).rev() {
            let other = index(u, last + 1)?.unwrap_or(last);
            steps.swap(last, other);
        }
    }
    let mut episode = Episode::new(inputs, steps);
    episode.shape = *pick(u, &[Shape::Flat, Shape::Crs, Shape::Both])?;
    episode.list_artifacts = odds(u, 1, 4)?;
    optional_members(u, &mut episode)?;
    Ok(episode)
}

/// The finished pack; now and then each receipt declares its hash, whatever the shape.
pub(super) fn sealed(u: &mut Unstructured<'_>, episode: &Episode) -> Result<Pack> {
    let mut pack = episode.pack();
    if odds(u, 1, 4)? {
        for place in 0..pack.receipts.len() {
            pack.set(place, "receipt_hash", Value::Null);
        }
    }
    pack.seal();
    Ok(pack)
}

/// An output of any kind that has a canonical form.
pub(super) fn trace(u: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match int(u, 5)? {
        0 => json!([leaf(u)?, leaf(u)?]),
        1 => json!({"sum": leaf(u)?, "of": [leaf(u)?]}),
        2 => json!({"\u{1f600}": leaf(u)?, "\u{ff5e}": {"é": leaf(u)?}, "": null}),
        _ => leaf(u)?,
    })
}

fn leaf(u: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match int(u, 9)? {
        0 => json!(int(u, 3)?),
        1 => json!(pick(u, &[1.5, 1e21, 1e-7, 5e-324, 0.1, 1e300, -0.0, 100.0])?),
        2 => json!(pick(u, &[9_007_199_254_740_991_i64, -9_007_199_254_740_991, -1])?),
        3 => json!(null),
        4 => json!(odds(u, 1, 2)?),
        5 => json!([]),
        6 => json!({}),
        _ => json!(pick(u, &["", "a", "€/\"\\", "\u{7f}\u{2028}\u{1f}", "e\u{301}", "\u{1f600}"])?),
    })
}

struct Draft {
    ids: Vec<&'static str>,
    steps: Vec<(Value, Outcome)>,
}

impl Draft {
    /// An id that no step has yet.
    fn id(&mut self, u: &mut Unstructured<'_>) -> Result<&'static str> {
        Ok(index(u, self.ids.len())?.map_or("", |at| self.ids.swap_remove(at)))
    }

    /// A step that is there already: its id and its outcome.
    fn earlier(&self, u: &mut Unstructured<'_>) -> Result<(String, Outcome)> {
        let step = index(u, self.steps.len())?.and_then(|at| self.steps.get(at));
        let id = |step: &Value| step.get("step_id").and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(step.map_or_else(|| (String::new(), Outcome::skipped()), |(step, outcome)| (id(step), outcome.clone())))
    }

    fn any_step(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        match int(u, 4)? {
            0 => self.emit(u),
            1 => self.check(u),
            _ => self.apply(u),
        }
    }

    fn apply(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let mut dependencies: Vec<(String, Outcome)> = Vec::new();
        for _ in 0..int(u, 3)? {
            let earlier = self.earlier(u)?;
            if !dependencies.iter().any(|(id, _)| *id == earlier.0) {
                dependencies.push(earlier);
            }
        }
        let ids: Vec<_> = dependencies.iter().map(|(id, _)| id.as_str()).collect();
        let mut step = step::apply(self.id(u)?, &ids);
        if let (true, Some(members)) = (odds(u, 1, 4)?, step.as_object_mut()) {
            members.insert("output_schema".to_owned(), json!({"type": ["object", "array"], "maximum": 1e3}));
        }
        let outcome = outcome(u, dependencies.into_iter().map(|(_, outcome)| outcome).collect())?;
        self.steps.push((step, outcome));
        Ok(())
    }

    fn check(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (target, found) = self.earlier(u)?;
        let holds = !odds(u, 1, 4)?;
        let expected = match (&found.trace, holds) {
            (Some(trace), true) => hash(trace),
            _ => hash(&json!("something else")),
        };
        let step = step::check(self.id(u)?, &target, &expected);
        let outcome = if found.status == Status::Pass { Outcome::asserted(holds) } else { Outcome::skipped() };
        self.steps.push((step, outcome));
        Ok(())
    }

    fn emit(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (source, found) = self.earlier(u)?;
        let step = step::emit(self.id(u)?, "claim", &source);
        let outcome = outcome(u, vec![found])?;
        self.steps.push((step, outcome));
        Ok(())
    }
}

/// The outcome of a step that is not an assertion, after its dependencies.
fn outcome(u: &mut Unstructured<'_>, dependencies: Vec<Outcome>) -> Result<Outcome> {
    if dependencies.iter().any(|outcome| outcome.status != Status::Pass) {
        return Ok(Outcome::skipped());
    }
    let trace = trace(u)?;
    Ok(if odds(u, 1, 10)? { Outcome::fail(trace) } else { Outcome::pass(trace) })
}

pub(super) fn optional_members(u: &mut Unstructured<'_>, episode: &mut Episode) -> Result<()> {
    for (place, name, value) in [
        ("/inputs/0", "media_type", json!("text/plain")),
        ("/replay_policy", "comparator_tiers_by_step", json!({"m": "A", "nobody": "A"})),
        ("/environment", "tool_versions", json!({"python": "3.12.1", "\u{1f600}": "", "\u{ff5e}": "1"})),
        ("/environment", "container_digest", json!("any text")),
        ("/environment", "model_version_hint", json!("2026-01")),
        ("/environment", "system_fingerprint", json!(null)),
    ] {
        if odds(u, 1, 3)?
            && let Some(members) = episode.contract.pointer_mut(place).and_then(Value::as_object_mut)
        {
            members.insert(name.to_owned(), value);
        }
    }
    episode.fingerprint();
    Ok(())
}
