//! Test vectors of `episode.verify`, and the files that they become.
//!
//! Shape: `vectors/README.md`, `contracts/interface/vector.schema.json`. What a case expects is stated where the case is,
//! or derived from its [`Episode`]; the verifier is not there to be asked.
//!
//! A case says only what differs from the usual: it rests on the place of its law, or on the ruling that decides it; its
//! verdict and all beside it bind as that place does; a pack that fails finds its law broken once, in the law's file.

use std::{collections::BTreeMap, fmt::Write as _};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

use crate::{
    Episode, Finding, Pack,
    canon::{hash, layout},
    place::{Force, Place},
};

/// A law and its cases.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// The law, and the folder of its cases below `vectors/`.
    pub slug: &'static str,
    /// What its cases rest on unless they say otherwise.
    pub place: Place,
    /// The file in which its cases that fail break this law, unless they say otherwise; none if they break others.
    pub file: Option<&'static str>,
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
    /// The parts that do not bind as the verdict does.
    forces: BTreeMap<&'static str, Force>,
    flags: Vec<&'static str>,
    provenance: String,
    rulings: Vec<String>,
    twin: Option<String>,
    args: Map<String, Value>,
    entries: BTreeMap<String, Entry>,
    /// Whether the entries stand in the case itself.
    inline: bool,
    out: Map<String, Value>,
    findings: Findings,
}

/// What stands beside the verdict.
#[derive(Debug, Clone)]
enum Findings {
    /// Of a failure the one error of its law; of another verdict nothing is said.
    Usual,
    /// These, in this order.
    These(Vec<Finding>),
    /// Words do not decide which, or in what order.
    Undecided,
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
            forces: BTreeMap::new(),
            flags: Vec::new(),
            provenance: "hand".to_owned(),
            rulings: Vec::new(),
            twin: None,
            args: Map::new(),
            entries: entries.collect(),
            inline: false,
            out: Map::new(),
            findings: Findings::Usual,
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
        // Of verdict, claim and exit code of a run that failed, and matches, the text says two things.
        if episode_claim == Some("FAIL") {
            let parts: &[_] = &["/out/episode_claim", "/out/claim_check", "/out/exit_code", "/out/verdict"];
            for part in if verdict == "MATCH" { parts } else { &parts[..1] } {
                self = self.force(part, Force::Ruling(17));
            }
        }
        // Nothing in the text breaks ties in the order of the replay.
        if diverged.len() > 1 { self.force("/out/divergent_step_ids/*", Force::Ruling(29)) } else { self }
    }

    /// What the case rests on, where that is neither the ruling that decides it nor what its law rests on. The verdict
    /// binds as what it rests on does.
    #[must_use]
    pub fn place(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// With what right a part of the answer binds, where that is neither the verdict's nor stated by the operation.
    #[must_use]
    pub fn force(mut self, part: &'static str, force: Force) -> Self {
        self.forces.insert(part, force);
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

    /// These findings stand beside the verdict and no others; for a failure, in place of the one error of its law.
    #[must_use]
    pub fn finds(mut self, findings: impl IntoIterator<Item = Finding>) -> Self {
        self.findings = Findings::These(findings.into_iter().collect());
        self
    }

    /// Words do not decide what a failure finds beside its verdict: how many, or in what order where they differ.
    #[must_use]
    pub fn finds_undecided(mut self) -> Self {
        self.findings = Findings::Undecided;
        self
    }

    /// Nothing stands beside the verdict.
    #[must_use]
    pub fn clean(self) -> Self {
        self.finds([])
    }

    /// One warning stands beside the verdict, and nothing else.
    #[must_use]
    pub fn warns(self, law: &'static str, file: &'static str, pointer: &'static str) -> Self {
        self.finds([Finding::new(law, file).pointer(pointer).warning().uncoded()])
    }

    /// The same, where which code it carries is another operation's matter.
    #[must_use]
    pub fn warns_of_shape(self, law: &'static str, file: &'static str, pointer: &'static str) -> Self {
        self.finds([Finding::new(law, file).pointer(pointer).warning()])
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
        // The text wants a root there, and does not provide for a verifier that builds no pack.
        self = self.force("/out/replay_result/dispute/replay_pack_root_sha256", Force::Ruling(42));
        let order = "/out/replay_result/dispute/divergent_steps/*/*";
        if observed.len() > 1 { self.force(order, Force::Ruling(29)) } else { self }
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
        let place = self.place.unwrap_or(law.place);
        members.push(("spec", place.spec()));
        members.push(("force", self.forces(place)));
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
        members.push(("expect", json!({"is": "accept", "out": self.outputs(law)})));
        members.push(("agreement", json!("located")));
        files.insert(format!("{id}.json"), document(&members));
        files
    }

    /// What `force` says: the kind alone where every part binds as the verdict does.
    fn forces(&self, place: Place) -> Value {
        let verdict = place.force().kind();
        if self.forces.is_empty() {
            return json!(verdict);
        }
        let parts = self.forces.iter().map(|(part, force)| ((*part).to_owned(), json!(force.kind())));
        Value::Object(std::iter::once(("/is".to_owned(), json!(verdict))).chain(parts).collect())
    }

    /// The expected outputs, findings included.
    fn outputs(&self, law: &Law) -> Map<String, Value> {
        let findings = match &self.findings {
            Findings::These(findings) => Some(findings.clone()),
            Findings::Usual if self.expected() == "INTEGRITY_FAIL" => {
                let file = law.file.unwrap_or_else(|| panic!("{}/{}: which law is broken?", law.slug, self.name));
                Some(vec![Finding::new(law.slug, file)])
            }
            Findings::Usual | Findings::Undecided => None,
        };
        let mut out = self.out.clone();
        if let Some(findings) = findings {
            out.insert("findings".to_owned(), findings.into_iter().map(Finding::expected).collect());
        }
        out
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
