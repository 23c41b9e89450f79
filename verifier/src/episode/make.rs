//! A proof pack, in the order in which it comes about: contract, paths, inputs, steps, receipts, container.
//!
//! Spec: ruling EP-48. Whatever is refused is refused before anything is written.

mod container;
mod receipts;
mod run;

use ed25519_dalek::SigningKey;

use super::contract;
use super::laws::{completeness, path_safety};
use super::model::contract::ContractHashes;
use super::model::inquiry::CONTRACT;
use super::model::made::Files;
use super::model::{limits, signature, time};
use crate::files::{HomeError, HomeFiles, PackFileError, PackFiles, parent};
use crate::rejection::Rejection;

/// Where what an episode recorded lies.
#[derive(Clone, Copy)]
pub struct Recording<'r> {
    /// The inputs, each by its reference.
    pub inputs: &'r dyn PackFiles,
    /// The outputs, each by the id of its step and `.json`.
    pub outputs: &'r dyn PackFiles,
}

/// Who makes packs, and when.
pub struct Maker<'a> {
    /// Every time in the pack.
    now: &'a str,
    key: SigningKey,
}

/// A pack that is not written down yet.
#[derive(Debug)]
pub struct MadePack {
    /// The hashes that its contract gives.
    pub hashes: ContractHashes,
    /// Whether every step of the episode passed.
    pub all_passed: bool,
    files: Files,
}

impl<'a> Maker<'a> {
    /// Somebody who signs with `private_key`, the base64 of the 32 bytes of an Ed25519 key, and dates everything `now`.
    ///
    /// # Errors
    /// If `now` is not a time of RFC 3339, or the key is not one.
    pub fn new(now: &'a str, private_key: &str) -> Result<Self, Rejection> {
        if time::rfc_3339(now).is_none() {
            let message = "`now` is a time of RFC 3339, for instance 2026-01-31T12:00:00Z";
            return Err(Rejection::Input(message.to_owned()));
        }
        let wrong = || Rejection::Input("a private key is the base64 of 32 bytes".to_owned());
        Ok(Self { now, key: signature::private_key(private_key).ok_or_else(wrong)? })
    }

    /// SHA-256 of the public half of the key, as a manifest names its signer.
    #[must_use]
    pub fn signer(&self) -> String {
        container::signer(&self.key)
    }

    /// Makes the pack of an episode that ran by `contract`.
    ///
    /// # Errors
    /// If phase 1 would refuse the contract, a path is unsafe, or something is not there that the pack has to hold.
    pub fn make(&self, contract: &[u8], recording: &Recording<'_>) -> Result<MadePack, Rejection> {
        let script = contract::script(contract)?;
        let paths = path_safety::paths(&script).map_err(Rejection::Laws)?;
        completeness::check_names(&script).map_err(Rejection::Laws)?;
        let mut room = Room { left: limits::MADE_BYTES };
        room.take(contract.len())?;
        let mut files = Files::from([(CONTRACT.to_owned(), contract.to_vec())]);
        for (index, (input, path)) in script.contract.inputs.iter().zip(&paths.inputs).enumerate() {
            if !files.contains_key(path) {
                files.insert(path.clone(), room.read(recording.inputs, path)?);
            }
            let bytes = files.get(path).map(Vec::as_slice).unwrap_or_default();
            completeness::check_recorded(index, input, bytes).map_err(|found| Rejection::Laws(vec![found]))?;
        }
        let ran = run::script(&script, &paths, &files, |path| room.read(recording.outputs, path))?;
        let receipts = receipts::of(&script, &ran, self.now);
        for (index, (ran, path)) in ran.into_iter().zip(paths.traces).enumerate() {
            if let Some(output) = ran.output {
                path_safety::lay(&mut files, index, path, output).map_err(|found| Rejection::Laws(vec![found]))?;
            }
        }
        let all_passed = receipts.all_passed;
        container::seal(&mut files, &receipts, &script.contract.episode_id, self.now, &self.key);
        Ok(MadePack { hashes: script.contract.hashes, all_passed, files })
    }
}

impl MadePack {
    /// Its files by their path in the pack.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
    }

    /// Writes the pack as the folder `at`, which is not there before; on failure nothing of it is left.
    ///
    /// # Errors
    /// If something stands there, or the system does not write it.
    pub fn write(&self, home: &mut dyn HomeFiles, at: &str) -> Result<(), HomeError> {
        if home.kind(at)?.is_some() {
            return Err(HomeError::Occupied);
        }
        let written = self.lay(home, at);
        if written.is_err() {
            // The first failure is the one that is told.
            let _ = home.remove(at);
        }
        written
    }

    fn lay(&self, home: &mut dyn HomeFiles, at: &str) -> Result<(), HomeError> {
        for (path, bytes) in &self.files {
            let path = format!("{at}/{path}");
            home.create_folder(parent(&path))?;
            home.create(&path, bytes)?;
        }
        Ok(())
    }
}

/// How many bytes the pack may still come to.
struct Room {
    left: u64,
}

impl Room {
    fn take(&mut self, length: usize) -> Result<(), Rejection> {
        let left = u64::try_from(length).ok().and_then(|length| self.left.checked_sub(length));
        self.left = left.ok_or_else(full)?;
        Ok(())
    }

    /// Reads what becomes the file `path` of the pack; who recorded it keeps it below no folder of the pack.
    fn read(&mut self, files: &dyn PackFiles, path: &str) -> Result<Vec<u8>, Rejection> {
        let (_, recorded) = path.split_once('/').unwrap_or(("", path));
        let mut bytes = Vec::new();
        match files.read(recorded, self.left, &mut bytes) {
            Ok(()) => self.take(bytes.len()).map(|()| bytes),
            Err(PackFileError::TooLarge { .. }) => Err(full()),
            Err(why) => Err(Rejection::Laws(vec![completeness::unrecorded(path, &why)])),
        }
    }
}

fn full() -> Rejection {
    Rejection::Limit(format!("the pack would have more than the limit of {} bytes", limits::MADE_BYTES))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::digest::Digest;
    use crate::episode::model::canonical::{canonical, hash, prefixed};
    use crate::files::MemoryHome;

    const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

    /// Files by path; a folder is not one.
    struct Recorded(Files);

    impl PackFiles for Recorded {
        fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
            let bytes = self.0.get(path).ok_or(PackFileError::Absent)?;
            if bytes.len() as u64 > limit {
                return Err(PackFileError::TooLarge { limit });
            }
            into.clone_from(bytes);
            Ok(())
        }

        fn exists(&self, path: &str) -> bool {
            self.0.contains_key(path)
        }

        fn entries(&self) -> Result<Vec<String>, PackFileError> {
            Ok(Vec::new())
        }
    }

    /// Makes the pack of a script after the load `in` of an input `[1]`.
    fn made(steps: &[Value], outputs: &[(&str, &str)]) -> Result<MadePack, Rejection> {
        let environment = json!({"provider": "p", "model_id": "m", "tool_versions": {}, "container_digest": null});
        let load = json!({"step_id": "in", "opcode": "LOAD_INPUT", "params": {"ref": "n"}, "depends_on": []});
        let steps = [&[load], steps].concat();
        let mut contract = json!({
            "schema_version": "rce/0.1", "episode_id": "ep_0196a3c1b2d4000000000001",
            "inputs": [{"ref": "n", "hash": prefixed(Digest::of(b"[1]"))}],
            "replay_script": {"schema_version": "replay_script/0.1", "steps": steps},
            "replay_policy": {"replay_basis": "recorded_trace", "comparator_tier": "A"},
            "environment": environment,
        });
        contract["environment"]["env_fingerprint_hash"] = hash(&environment).into();
        let files = |files: &[(&str, &str)]| {
            let file = |(path, text): &(&str, &str)| ((*path).to_owned(), text.as_bytes().to_vec());
            Recorded(files.iter().map(file).collect())
        };
        let (inputs, outputs) = (files(&[("n", "[1]")]), files(outputs));
        let maker = Maker::new("2026-03-02T09:00:00Z", KEY).expect("a maker");
        maker.make(&canonical(&contract), &Recording { inputs: &inputs, outputs: &outputs })
    }

    fn step(opcode: &str, id: &str, params: Value) -> Value {
        json!({"step_id": id, "opcode": opcode, "params": params, "depends_on": ["in"]})
    }

    fn emit(id: &str) -> Value {
        step("EMIT_OUTPUT", id, json!({"claim_type": "c", "output_ref": "in"}))
    }

    fn codes(made: Result<MadePack, Rejection>) -> Vec<&'static str> {
        made.err().map(|why| why.codes()).unwrap_or_default()
    }

    #[test]
    fn two_outputs_with_one_name_are_one_value_or_no_pack() {
        let one = made(&[emit("a"), emit("./a")], &[("a.json", "1")]).expect("a pack");
        assert_eq!(one.files().filter(|(path, _)| path.starts_with("recorded_traces/")).count(), 2);
        let check = |id: &str| step("ASSERT_HASH", id, json!({"target": "in", "expected_hash": hash(&json!([1]))}));
        assert_eq!(codes(made(&[emit("a"), check("./a")], &[("a.json", "1")])), ["episode/path-safety"]);
        for ids in [["a", "a.json/b"], ["a.json/b", "a"]] {
            let steps = [emit("out"), check(ids[0]), check(ids[1])];
            assert_eq!(codes(made(&steps, &[("out.json", "1")])), ["episode/path-safety"], "{ids:?}");
        }
    }

    #[test]
    fn a_schema_that_cannot_be_applied_is_no_pass_and_no_fail() {
        for schema in [json!({"type": 7}), json!({"properties": {"a": {"$ref": "#"}}})] {
            let mut out = emit("out");
            out["output_schema"] = schema;
            assert_eq!(codes(made(&[out], &[("out.json", "1")])), ["A_LIMIT"]);
        }
    }

    #[test]
    fn a_pack_is_written_whole_or_not_at_all() {
        let made = made(&[emit("out")], &[("out.json", "1")]).expect("a pack");
        let mut home = MemoryHome::default();
        assert_eq!(made.write(&mut home, "pack"), Ok(()));
        let written: Vec<_> =
            home.below("pack").filter_map(|(path, bytes)| Some((path.strip_prefix("pack/")?, bytes?))).collect();
        assert_eq!(written, made.files().collect::<Vec<_>>());
        assert_eq!(made.write(&mut home, "pack"), Err(HomeError::Occupied));
        let mut small = MemoryHome::default();
        small.set_room(Some(2_000));
        assert_eq!(made.write(&mut small, "pack"), Err(HomeError::Full));
        assert_eq!(small.below("").count(), 0);
    }

    #[test]
    fn the_room_ends() {
        let mut room = Room { left: 3 };
        let files = Recorded(Files::from([("n".to_owned(), b"12".to_vec())]));
        assert_eq!(room.read(&files, "inputs/n").ok(), Some(b"12".to_vec()));
        assert_eq!(room.read(&files, "inputs/n").err().map(|why| why.code()), Some("A_LIMIT"));
    }
}
