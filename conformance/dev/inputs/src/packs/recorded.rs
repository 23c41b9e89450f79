//! Recorded episodes: what a maker of packs is given. About one in three is damaged, in one place.
//!
//! A maker does not know how a step ended, so nothing here does either: some assertions are about the hash of their target's
//! output and some are not, and some emissions do not keep their schema.

use arbitrary::{Result, Unstructured};
use assize_packs::{
    Episode, Outcome,
    canon::{hash, pretty},
    step,
};
use serde_json::{Value, json};

use super::Files;
use super::episode::{IDS, INPUTS, optional_members, trace};
use crate::pairs::draw::{index, int, odds, pick};

/// The base64 of 32 bytes, three times.
const KEYS: [&str; 3] = [
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    "//////////////////////////////////////////8=",
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
];
const TIMES: [&str; 4] = [
    "2026-03-02T09:00:00Z",
    "2026-03-02T09:00:00.000000001+05:30",
    "1970-01-01T00:00:00Z",
    "9999-12-31T23:59:59-23:59",
];
const NO_KEYS: [&str; 4] =
    ["", "AAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB=", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"];
const NO_TIMES: [&str; 5] =
    ["", "2026-03-02", "2026-03-02T09:00:00", "2026-02-29T09:00:00Z", "2026-03-02T09:00:00+24:00"];
const SCHEMAS: [&str; 6] = [
    r#"{"type": ["object", "array", "string"]}"#,
    r#"{"required": ["sum"], "properties": {"sum": {"type": "integer"}}}"#,
    r#"{"items": {"type": ["number", "null"], "maximum": 1e21}}"#,
    "{}",
    r#"{"type": "integer"}"#,
    r#"{"properties": {"sum": true, "of": {"items": {"type": "string"}}}, "additionalProperties": false}"#,
];
/// Texts that are not an output.
const NO_OUTPUTS: [&[u8]; 7] =
    [b"", b"no JSON", b"[1,]", b"{\"a\":1,\"\\u0061\":2}", b"9007199254740992", b"\"\\udfff\"", b"\xef\xbb\xbf1"];

/// An episode that was recorded, and who makes a pack of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedEpisode {
    /// The contract.
    pub contract: Vec<u8>,
    /// Inputs and outputs, by path.
    pub files: Files,
    /// Every time in the pack.
    pub now: String,
    /// Base64 of the key that signs.
    pub private_key: String,
    /// What is wrong with it, in a word; none if nothing is meant to be.
    pub damage: Option<&'static str>,
}

impl RecordedEpisode {
    /// The episode that a string of bytes stands for.
    ///
    /// # Errors
    /// Those of [`Unstructured`].
    pub fn draw(u: &mut Unstructured<'_>) -> Result<Self> {
        let inputs = INPUTS.get(..=int(u, 4)? as usize).unwrap_or_default();
        let mut draft = Draft { ids: IDS.to_vec(), steps: Vec::new(), files: Files::new() };
        for (path, text) in inputs {
            draft.files.insert(format!("inputs/{path}"), text.as_bytes().to_vec());
            draft.load(u, path, text)?;
        }
        for _ in 0..int(u, 7)? {
            draft.any_step(u)?;
        }
        draft.emit(u)?;
        let Draft { steps, mut files, .. } = draft;
        let mut steps: Vec<_> = steps.into_iter().map(|(step, output)| (step, Outcome::pass(output))).collect();
        if odds(u, 1, 2)? {
            for last in (1..steps.len()).rev() {
                let other = index(u, last + 1)?.unwrap_or(last);
                steps.swap(last, other);
            }
        }
        let mut episode = Episode::new(inputs, steps);
        optional_members(u, &mut episode)?;
        let (mut now, mut key) = ((*pick(u, &TIMES)?).to_owned(), (*pick(u, &KEYS)?).to_owned());
        let mut damage = None;
        if odds(u, 1, 3)? {
            damage = Some(match int(u, 11)? {
                0 => {
                    now = (*pick(u, &NO_TIMES)?).to_owned();
                    "time"
                }
                1 => {
                    key = (*pick(u, &NO_KEYS)?).to_owned();
                    "key"
                }
                2..=5 => spoil_file(u, &mut files)?,
                _ => spoil_contract(u, &mut episode.contract)?,
            });
        }
        let contract = if odds(u, 1, 2)? { pretty(&episode.contract) } else { episode.contract.to_string() };
        Ok(Self { contract: contract.into_bytes(), files, now, private_key: key, damage })
    }
}

struct Draft {
    ids: Vec<&'static str>,
    /// With what each gives if it runs and passes.
    steps: Vec<(Value, Value)>,
    files: Files,
}

impl Draft {
    /// An id that no step has yet.
    fn id(&mut self, u: &mut Unstructured<'_>) -> Result<&'static str> {
        Ok(index(u, self.ids.len())?.map_or("", |at| self.ids.swap_remove(at)))
    }

    /// A step that is there already: its id and what it gives.
    fn earlier(&self, u: &mut Unstructured<'_>) -> Result<(String, Value)> {
        let step = index(u, self.steps.len())?.and_then(|at| self.steps.get(at));
        let id = |step: &Value| step.get("step_id").and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(step.map_or_else(|| (String::new(), Value::Null), |(step, output)| (id(step), output.clone())))
    }

    fn load(&mut self, u: &mut Unstructured<'_>, path: &str, text: &str) -> Result<()> {
        let id = self.id(u)?;
        let parsed: Option<Value> = serde_json::from_str(text).ok();
        // Now and then something is recorded that nobody asks for.
        let output = match parsed {
            Some(parsed) if odds(u, 1, 6)? => {
                self.record(u, id)?;
                parsed
            }
            Some(parsed) => parsed,
            None => self.record(u, id)?,
        };
        self.steps.push((step::load(id, path), output));
        Ok(())
    }

    fn any_step(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        match int(u, 5)? {
            0 | 1 => self.emit(u),
            2 | 3 => self.check(u),
            _ => self.apply(u),
        }
    }

    fn apply(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let mut names: Vec<String> = Vec::new();
        for _ in 0..int(u, 3)? {
            let (name, _) = self.earlier(u)?;
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let id = self.id(u)?;
        let mut step = step::apply(id, &names);
        self.promise(u, &mut step, 6)?;
        let output = self.record(u, id)?;
        self.steps.push((step, output));
        Ok(())
    }

    fn check(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (target, output) = self.earlier(u)?;
        let expected = if odds(u, 1, 4)? { hash(&json!("something else")) } else { hash(&output) };
        let id = self.id(u)?;
        let mut step = step::check(id, &target, &expected);
        if odds(u, 1, 4)? {
            let (other, _) = self.earlier(u)?;
            step = step::after(step, &[other.as_str()]);
        }
        self.steps.push((step, json!({"assertion_passed": true})));
        Ok(())
    }

    fn emit(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let (source, _) = self.earlier(u)?;
        let id = self.id(u)?;
        let mut step = step::emit(id, "claim", &source);
        self.promise(u, &mut step, 2)?;
        let output = self.record(u, id)?;
        self.steps.push((step, output));
        Ok(())
    }

    /// Gives a step a schema, once in `of` times.
    fn promise(&self, u: &mut Unstructured<'_>, step: &mut Value, of: u32) -> Result<()> {
        if let (true, Some(members)) = (odds(u, 1, of)?, step.as_object_mut()) {
            let schema = serde_json::from_str(pick(u, &SCHEMAS)?).unwrap_or_default();
            members.insert("output_schema".to_owned(), schema);
        }
        Ok(())
    }

    /// Records an output, in one layout or another.
    fn record(&mut self, u: &mut Unstructured<'_>, id: &str) -> Result<Value> {
        let output = if odds(u, 1, 4)? { json!({"sum": 6.0, "of": ["a"]}) } else { trace(u)? };
        let text = if odds(u, 1, 2)? { pretty(&output) } else { output.to_string() };
        self.files.insert(format!("outputs/{id}.json"), text.into_bytes());
        Ok(output)
    }
}

fn spoil_file(u: &mut Unstructured<'_>, files: &mut Files) -> Result<&'static str> {
    let Some(path) = super::path(u, files)? else { return Ok("nothing") };
    if odds(u, 1, 2)? {
        files.remove(&path);
        return Ok("file gone");
    }
    let text: &[u8] = if path.starts_with("inputs/") { b"other bytes" } else { pick(u, &NO_OUTPUTS)? };
    files.insert(path, text.to_vec());
    Ok("file changed")
}

/// Breaks a contract in one place.
fn spoil_contract(u: &mut Unstructured<'_>, contract: &mut Value) -> Result<&'static str> {
    let count = contract.pointer("/replay_script/steps").and_then(Value::as_array).map_or(0, Vec::len);
    let step = format!("/replay_script/steps/{}", index(u, count)?.unwrap_or_default());
    let (place, name, value, damage) = match int(u, 8)? {
        0 => (
            step,
            "opcode",
            json!(pick(u, &["LLM_CALL", "TOOL_CALL", "COMPARE_SEMANTIC", "ANCHOR", "FETCH"])?),
            "opcode",
        ),
        1 => ("/environment".to_owned(), "model_id", json!("another"), "fingerprint"),
        2 => (step, "step_id", json!(pick(u, &["../a", "/a", "a/..", "b/../c"])?), "step id"),
        3 => ("/inputs/0".to_owned(), "ref", json!(pick(u, &["../a", "/a", "", "a/", "b/.."])?), "ref"),
        4 => (step, "depends_on", json!(["nobody"]), "dependency"),
        5 => (step, "note", json!(1), "member"),
        6 => (format!("{step}/params"), "target", json!("nobody"), "target"),
        7 => (format!("{step}/params"), "ref", json!("nothing"), "load"),
        _ => (step, "step_id", json!(""), "empty step id"),
    };
    if let Some(members) = contract.pointer_mut(&place).and_then(Value::as_object_mut) {
        members.insert(name.to_owned(), value);
    }
    Ok(damage)
}
