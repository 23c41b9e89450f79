//! Writes a day's worth of artefacts for measurements of `assize sweep`, some of them damaged:
//! `cargo run --release -p assize-packs --example fleet -- FOLDER PAIRS PACKS LEDGERS EVERY`.
//!
//! Of every EVERY artefacts of a kind each damage of that kind is done to one. `manifest.jsonl` lists all artefacts,
//! `planted.jsonl` what was done to which row, and `files.txt` every file, as the floor reads them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a helper of measurements: it stops on the first surprise"
)]

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

use assize_packs::{
    Episode, Outcome,
    canon::{jcs, sha256},
    step,
};
use serde_json::{Value, json};

/// Artefacts of a folder: file systems are slow with many names in one.
const SHARD: usize = 500;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, counts @ ..] = arguments.as_slice() else { panic!("usage: fleet FOLDER PAIRS PACKS LEDGERS EVERY") };
    let counts: Vec<usize> = counts.iter().map(|count| count.parse().unwrap()).collect();
    let [pairs, packs, ledgers, every] = counts[..] else { panic!("usage: fleet FOLDER PAIRS PACKS LEDGERS EVERY") };
    let mut fleet = Fleet::new(Path::new(folder), every);
    (0..pairs).for_each(|index| fleet.pair(index));
    (0..packs).for_each(|index| fleet.pack(index));
    (0..ledgers).for_each(|index| fleet.ledger(index));
    fleet.end();
}

struct Fleet {
    folder: PathBuf,
    every: usize,
    row: usize,
    manifest: BufWriter<File>,
    planted: BufWriter<File>,
    files: BufWriter<File>,
}

impl Fleet {
    fn new(folder: &Path, every: usize) -> Self {
        fs::create_dir_all(folder).unwrap();
        let open = |name: &str| BufWriter::new(File::create(folder.join(name)).unwrap());
        let (manifest, planted, files) = (open("manifest.jsonl"), open("planted.jsonl"), open("files.txt"));
        Self { folder: folder.to_path_buf(), every, row: 0, manifest, planted, files }
    }

    /// Lists an artefact and, if its turn has come, the damage that it gets.
    fn list(&mut self, kind: &str, index: usize, paths: &[String], damages: &[&'static str]) -> Option<&'static str> {
        self.row += 1;
        writeln!(self.manifest, "{}", json!({"kind": kind, "paths": paths})).unwrap();
        // Spread over the period, so that damages do not stand side by side.
        let step = self.every / (damages.len() + 1);
        let damage = damages.iter().enumerate().find(|(place, _)| index % self.every == (place + 1) * step);
        let damage = damage.map(|(_, damage)| *damage)?;
        writeln!(self.planted, "{}", json!({"row": self.row, "kind": kind, "damage": damage})).unwrap();
        Some(damage)
    }

    fn write(&mut self, path: &str, bytes: &[u8]) {
        let place = self.folder.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, bytes).unwrap();
        self.read(path);
    }

    /// A file that a verifier reads, once more if it is read for several artefacts.
    fn read(&mut self, path: &str) {
        writeln!(self.files, "{}", self.folder.join(path).display()).unwrap();
    }

    fn pair(&mut self, index: usize) {
        let (shard, zeros) = (format!("pairs/{:05}", index / SHARD), "0".repeat(64));
        let path = |side: &str| format!("{shard}/{:07}-{side}.json", index % SHARD);
        let paths = [path("a"), path("b")];
        let damage = self.list("pair", index, &paths, &["another issue", "a member less", "cut off", "another digest"]);
        let run = index % 16;
        if index.is_multiple_of(SHARD) {
            for run in 0..16 {
                self.write(&format!("{shard}/turns/{run}.json"), turn(run, 1).as_bytes());
                self.write(&format!("{shard}/turns/other-{run}.json"), turn(run, 2).as_bytes());
            }
        }
        let bundle = |turn: &str, policy: &str| {
            json!({
                "contract_version": "replay_bundle/v1",
                "run_envelope": {"run_id": format!("run-{run}"), "workflow_id": "fleet"},
                "registry_digest": "e972895604cb3d52eba871f38ba6b39aec1215f461b0de8e25d62d8f0d112d09",
                "digests": {"policy_digest": policy, "runtime_profile_digest": zeros, "contract_registry_snapshot_digest": zeros},
                "turn_results": [{"turn_id": "turn-0001", "turn_result_digest": zeros, "paths": [format!("turns/{turn}.json")]}],
            })
        };
        let usual = run.to_string();
        let expected = bundle(&usual, &zeros);
        let actual = match damage {
            Some("another issue") => bundle(&format!("other-{run}"), &zeros).to_string(),
            Some("another digest") => bundle(&usual, &"1".repeat(64)).to_string(),
            Some("a member less") => {
                let mut less = expected.clone();
                less.as_object_mut().unwrap().remove("run_envelope");
                less.to_string()
            }
            Some("cut off") => expected.to_string().chars().take(200).collect(),
            _ => expected.to_string(),
        };
        self.write(&paths[0], expected.to_string().as_bytes());
        self.write(&paths[1], actual.as_bytes());
        // Each side's turn is read for it.
        (0..2).for_each(|_| self.read(&format!("{shard}/turns/{run}.json")));
    }

    fn pack(&mut self, index: usize) {
        let path = format!("packs/{:05}/{:03}", index / SHARD, index % SHARD);
        let damages = ["another trace", "no trace", "a receipt less", "another signature", "another count"];
        let damage = self.list("pack", index, std::slice::from_ref(&path), &damages);
        let numbers = json!([index, index + 1, 3]);
        let steps = [
            (step::load("in", "nums.json"), Outcome::pass(numbers.clone())),
            (step::emit("out", "list", "in"), Outcome::pass(json!({"list": numbers}))),
        ];
        let episode = Episode::new(&[("nums.json", &format!("{numbers}\n"))], steps);
        let mut files = episode.sealed().files;
        match damage {
            Some("another trace") => plant(&mut files, "recorded_traces/in.json", |text| text.replace('3', "4")),
            Some("no trace") => drop(files.remove("recorded_traces/out.json").unwrap()),
            Some("a receipt less") => {
                plant(&mut files, "receipt_pack.jsonl", |text| text.split_inclusive('\n').skip(1).collect())
            }
            Some("another signature") => files.get_mut("pack_signature.sig").unwrap()[9] ^= 1,
            Some("another count") => plant(&mut files, "pack_manifest.json", |text| {
                text.replacen("\"n_receipts\": ", "\"n_receipts\": 1", 1)
            }),
            _ => {}
        }
        for (name, bytes) in files {
            self.write(&format!("{path}/{name}"), &bytes);
        }
    }

    fn ledger(&mut self, index: usize) {
        let path = format!("ledgers/{:05}/{:03}.jsonl", index / SHARD, index % SHARD);
        let damages = ["another payload", "a record less", "two records changed about", "another digest", "cut off"];
        let damage = self.list("ledger", index, std::slice::from_ref(&path), &damages);
        let mut records = chain(index);
        match damage {
            Some("another payload") => records[9]["payload"]["step"] = json!(-1),
            Some("a record less") => drop(records.remove(9)),
            Some("two records changed about") => records.swap(9, 10),
            Some("another digest") => records[9]["record_hash"] = Value::from("0".repeat(64)),
            _ => {}
        }
        let mut bytes: Vec<u8> = records.iter().flat_map(|record| [jcs(record), b"\n".to_vec()].concat()).collect();
        if damage == Some("cut off") {
            bytes.truncate(bytes.len() - 40);
        }
        self.write(&path, &bytes);
    }

    fn end(mut self) {
        self.manifest.flush().unwrap();
        self.planted.flush().unwrap();
        self.files.flush().unwrap();
    }
}

/// A turn of a run, with an issue that says how often.
fn turn(run: usize, count: u32) -> String {
    let zeros = "0".repeat(64);
    let issue = json!({
        "stage": "policy", "location": "/body/skill_id", "code": "E_POLICY_RAW_ID", "message": "seen", "details": {"count": count},
    });
    json!({
        "run_id": format!("run-{run}"), "turn_id": "turn-0001", "events": ["made"],
        "transition": {"prior_state_digest": null, "proposed_state_digest": zeros, "inputs_digest": zeros},
        "capabilities": {"decisions": []}, "issues": [issue],
    })
    .to_string()
}

/// The records of a ledger, each chained to the one before.
fn chain(index: usize) -> Vec<Value> {
    let mut parent = Value::Null;
    let record = |step: usize| {
        let payload = json!({"note": "north harbour ☕", "of": index, "step": step});
        let hash = sha256(&jcs(&payload));
        let mut record =
            json!({"kind": "note", "parent": parent, "payload_hash": hash, "ts": format!("T0#{step:04}"), "v": 1});
        let own = sha256(&jcs(&record));
        record["payload"] = payload;
        record["record_hash"] = Value::from(own.as_str());
        parent = Value::from(own);
        record
    };
    (0..20).map(record).collect()
}

fn plant(files: &mut BTreeMap<String, Vec<u8>>, name: &str, damage: impl FnOnce(&str) -> String) {
    let bytes = files.get_mut(name).unwrap();
    let damaged = damage(std::str::from_utf8(bytes).unwrap()).into_bytes();
    assert_ne!(*bytes, damaged, "{name}: the damage changes nothing");
    *bytes = damaged;
}
