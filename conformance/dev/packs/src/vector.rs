//! Test vectors of `episode.verify`, and the files that they become.
//!
//! Shape: `vectors/README.md`, `contracts/interface/vector.schema.json`. What a case expects is stated where the case is,
//! or derived from its [`Episode`]; the verifier is not there to be asked.

use std::{collections::BTreeMap, fmt::Write as _};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use crate::{
    Episode, Pack,
    canon::{hash, layout},
    place::Place,
};

/// A law and its cases.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// The law, and the folder of its cases below `vectors/`.
    pub slug: &'static str,
    /// What its cases rest on unless they say otherwise.
    pub place: Place,
    /// The cases.
    pub cases: fn() -> Vec<Case>,
}

/// What stands at a path of a pack that cannot lie in a folder of the repository.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A file.
    File(Vec<u8>),
    /// An empty folder.
    Directory,
    /// A symbolic link.
    Symlink(&'static str),
}

/// One vector.
#[derive(Debug, Clone)]
pub struct Case {
    /// File name without `.json`.
    pub name: &'static str,
    rationale: &'static str,
    place: Option<Place>,
    flags: Vec<&'static str>,
    provenance: String,
    rulings: Vec<String>,
    twin: Option<String>,
    args: Map<String, Value>,
    entries: BTreeMap<String, Entry>,
    /// Whether the entries stand in the case itself.
    inline: bool,
    out: Map<String, Value>,
}

/// The episode's part in an expectation.
#[derive(Debug, Clone, Copy)]
struct Replay {
    executed: usize,
    all_passed: bool,
}

impl Case {
    fn new(name: &'static str, rationale: &'static str, pack: &Pack) -> Self {
        let entries = pack.files.iter().map(|(path, content)| (path.clone(), Entry::File(content.clone())));
        Self {
            name,
            rationale,
            place: None,
            flags: Vec::new(),
            provenance: "hand".to_owned(),
            rulings: Vec::new(),
            twin: None,
            args: Map::new(),
            entries: entries.collect(),
            inline: false,
            out: Map::new(),
        }
    }

    /// A pack whose replay matches.
    #[must_use]
    pub fn matches(name: &'static str, rationale: &'static str, episode: &Episode, pack: &Pack) -> Self {
        Self::new(name, rationale, pack).verdict("MATCH", 4, Some(Replay::of(episode)), &[])
    }

    /// A pack whose replay parts from the receipts at these steps, in the order of the replay.
    #[must_use]
    pub fn diverges(
        name: &'static str,
        rationale: &'static str,
        episode: &Episode,
        pack: &Pack,
        steps: &[&str],
    ) -> Self {
        Self::new(name, rationale, pack).verdict("DIVERGE", 4, Some(Replay::of(episode)), steps)
    }

    /// A pack that fails in this phase.
    #[must_use]
    pub fn fails(name: &'static str, rationale: &'static str, phase: u8, pack: &Pack) -> Self {
        Self::new(name, rationale, pack).verdict("INTEGRITY_FAIL", phase, None, &[])
    }

    fn verdict(mut self, verdict: &str, phase: u8, replay: Option<Replay>, diverged: &[&str]) -> Self {
        let (integrity, claim, exit) = match verdict {
            "MATCH" => ("PASS", json!("PASS"), 0),
            "DIVERGE" => ("PASS", json!("FAIL"), 1),
            _ => ("FAIL", Value::Null, 2),
        };
        let episode_claim = replay.map(|replay| if replay.all_passed { "PASS" } else { "FAIL" });
        let replayed = replay.map_or(0, |replay| replay.executed);
        for (name, value) in [
            ("verdict", json!(verdict)),
            ("receipt_integrity", json!(integrity)),
            ("claim_check", claim),
            ("episode_claim", json!(episode_claim)),
            ("exit_code", json!(exit)),
            ("phase", json!(phase)),
            ("steps_replayed", json!(replayed)),
            ("steps_matched", json!(replayed - diverged.len())),
            ("steps_diverged", json!(diverged.len())),
            ("divergent_step_ids", json!(diverged)),
        ] {
            self.out.insert(name.to_owned(), value);
        }
        self
    }

    /// What the case rests on, where that is neither the ruling that decides it nor what its law rests on.
    #[must_use]
    pub fn place(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// A bug class.
    #[must_use]
    pub fn flag(mut self, flag: &'static str) -> Self {
        self.flags.push(flag);
        self
    }

    /// The numbered ruling that decides the case; the case rests on it unless a place is given.
    #[must_use]
    pub fn ruling(mut self, number: u8) -> Self {
        self.provenance = format!("ruling EP-{number}");
        self.place = self.place.or(Some(Place::Ruling(number)));
        self
    }

    /// A numbered ruling on which the case rests too.
    #[must_use]
    pub fn rests_on(mut self, number: u8) -> Self {
        self.rulings.push(format!("EP-{number}"));
        self
    }

    /// The ruling on operations decides the case; the case rests on it unless a place is given.
    #[must_use]
    pub fn operations(mut self) -> Self {
        "ruling OP".clone_into(&mut self.provenance);
        self.place = self.place.or(Some(Place::Operations));
        self
    }

    /// The matching case that differs by the fault alone: its name, or its id if it is another law's.
    #[must_use]
    pub fn twin(mut self, twin: &str) -> Self {
        self.twin = Some(twin.to_owned());
        self
    }

    /// The caller's time.
    #[must_use]
    pub fn now(mut self, now: &str) -> Self {
        self.args.insert("now".to_owned(), json!(now));
        self
    }

    /// Nothing stands beside the verdict.
    #[must_use]
    pub fn clean(mut self) -> Self {
        self.out.insert("findings".to_owned(), json!([]));
        self
    }

    /// One warning stands beside the verdict, and nothing else.
    #[must_use]
    pub fn warns(mut self, law: &str, file: &str, pointer: &str) -> Self {
        let finding = json!({"law": law, "code": null, "pointer": pointer, "severity": "warning", "file": file});
        self.out.insert("findings".to_owned(), json!([finding]));
        self
    }

    /// The same, where which code it carries is another operation's matter.
    #[must_use]
    pub fn warns_of_shape(mut self, law: &str, file: &str, pointer: &str) -> Self {
        self = self.warns(law, file, pointer);
        if let Some(finding) = self.out["findings"][0].as_object_mut() {
            finding.remove("code");
        }
        self
    }

    /// Members of the replay result.
    #[must_use]
    pub fn result(mut self, members: Value) -> Self {
        self.out.insert("replay_result".to_owned(), members);
        self
    }

    /// The dispute of a divergence: what each receipt says against these outputs, in the order of the replay.
    #[must_use]
    pub fn disputes(mut self, pack: &Pack, observed: &[(&str, Value)]) -> Self {
        let steps: Vec<_> = observed
            .iter()
            .map(|(id, output)| {
                json!({
                    "step_id": id, "comparator_tier": "A", "observed_output_hash": hash(output),
                    "expected_output_hash": pack.receipts[pack.step(id)]["output_hash"],
                })
            })
            .collect();
        let result = self.out.entry("replay_result").or_insert_with(|| json!({}));
        result["dispute"] = json!({"divergent_steps": steps, "replay_pack_root_sha256": null});
        self
    }

    /// Another entry of the pack, or another in place of it; the entries then stand in the case.
    #[must_use]
    pub fn entry(mut self, path: &str, entry: Entry) -> Self {
        self.entries.insert(path.to_owned(), entry);
        self.inline()
    }

    /// Takes away every entry whose path begins so; the entries then stand in the case.
    #[must_use]
    pub fn without(mut self, start: &str) -> Self {
        self.entries.retain(|path, _| !path.starts_with(start));
        self.inline()
    }

    /// The entries stand in the case and not in a folder beside it.
    #[must_use]
    pub fn inline(mut self) -> Self {
        self.inline = true;
        self
    }

    /// The expected verdict.
    #[must_use]
    pub fn expected(&self) -> &str {
        self.out["verdict"].as_str().unwrap_or_default()
    }

    /// The id of the twin, if there is one.
    #[must_use]
    pub fn twin_id(&self, law: &Law) -> Option<String> {
        self.twin.as_ref().map(|twin| if twin.contains('/') { twin.clone() } else { format!("{}/{twin}", law.slug) })
    }

    /// The files below `vectors/` that the case becomes.
    #[must_use]
    pub fn files(&self, law: &Law) -> BTreeMap<String, Vec<u8>> {
        let id = format!("{}/{}", law.slug, self.name);
        let mut members = vec![("id", json!(id)), ("op", json!("episode.verify"))];
        if !self.args.is_empty() {
            members.push(("args", Value::Object(self.args.clone())));
        }
        members.push(("spec", self.place.unwrap_or(law.place).spec()));
        members.push(("rationale", json!(self.rationale)));
        members.push(("flags", json!(self.flags)));
        members.push(("provenance", json!(self.provenance)));
        if !self.rulings.is_empty() {
            members.push(("rulings", json!(self.rulings)));
        }
        if let Some(twin) = self.twin_id(law) {
            members.push(("twin", json!(twin)));
        }
        members.push(("in", json!({})));
        let mut files = BTreeMap::new();
        if self.inline {
            let entries = self.entries.iter().map(|(path, entry)| (path.clone(), spelled(entry)));
            members.push(("files", Value::Object(entries.collect())));
        } else {
            members.push(("root", json!(format!("{}.pack", self.name))));
            for (path, entry) in &self.entries {
                let Entry::File(content) = entry else { panic!("{id}: only files lie in a folder") };
                files.insert(format!("{id}.pack/{path}"), content.clone());
            }
        }
        members.push(("expect", json!({"is": "accept", "out": self.out})));
        members.push(("agreement", json!("located")));
        files.insert(format!("{id}.json"), document(&members));
        files
    }
}

impl Replay {
    fn of(episode: &Episode) -> Self {
        Self { executed: episode.executed(), all_passed: episode.all_passed() }
    }
}

fn spelled(entry: &Entry) -> Value {
    match entry {
        Entry::File(content) => match std::str::from_utf8(content) {
            Ok(text) => json!({"text": text}),
            Err(_) => json!({"base64": STANDARD.encode(content)}),
        },
        Entry::Directory => json!({"kind": "directory"}),
        Entry::Symlink(to) => json!({"kind": "symlink", "to": to}),
    }
}

/// A file of the corpus: its own members in the published order, everything below them sorted.
fn document(members: &[(&str, Value)]) -> Vec<u8> {
    let mut text = String::from("{");
    for (index, (name, value)) in members.iter().enumerate() {
        let _ = write!(text, "{}\n  {}: ", if index > 0 { "," } else { "" }, Value::from(*name));
        layout(value, 1, &mut text);
    }
    text.push_str("\n}\n");
    text.into_bytes()
}
