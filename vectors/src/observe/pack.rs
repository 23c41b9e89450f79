//! What is seen of a pack that was made: `episode.pack`.
//!
//! Spec: ruling EP-48. The reference verifier judges it; its bytes are nobody's business. What has to be there is compared
//! with the question, and outputs by their hashes with the case, never with what lies beside the pack: that may be written
//! anew by whoever was asked. The pack is a stranger's, so nothing of it is read through a link, and of a pack beyond the
//! limits below as much as they allow.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU64, Ordering},
};

use assize_verifier::{
    canon::{Profile, canonicalize},
    digest::Digest,
    episode::{self, Maker, Numbers, Options, StepState, Verification, input_file, trace_file},
    files::{PackFileError, PackFiles},
    finding::Severity,
    operation::Root,
};
use serde_json::{Map, Value, json};

use crate::testee::{Answer, Output, Request};

/// The folder of the pack in that of the case.
const PACK: &str = "pack";
/// Bytes of one file.
const EACH: u64 = 16 << 20;
/// Bytes of everything that is read of one pack.
const ALL: u64 = 128 << 20;
/// What reading a file counts, however small it is.
const OPENING: u64 = 4 << 10;

/// The one observed output: what is seen of the pack, or null where nothing stands in its place.
pub(super) fn observe(request: &Request, root: &dyn Root, _: &Answer) -> BTreeMap<String, Output> {
    let seen = seen(request, root);
    BTreeMap::from([(PACK.to_owned(), Output::Value(seen.unwrap_or_default()))])
}

fn seen(request: &Request, root: &dyn Root) -> Option<Value> {
    let folder = root.pack().filter(|folder| folder.exists(PACK))?;
    let pack = Made { folder, left: AtomicU64::new(ALL) };
    let contract = pack.bytes("episode_contract.json").unwrap_or_default();
    let given = request.docs.get("contract").and_then(|given| canonical(given));
    if given.is_none() || canonical(&contract) != given {
        // What a stranger's own script would ask for is not looked up.
        return Some(json!({ "contract_as_given": false }));
    }
    let found = episode::verify(&pack, &Options::new("any")).ok()?;
    let mut seen = Map::from_iter([
        ("verdict".to_owned(), found.verdict.name().into()),
        ("errors".to_owned(), errors(&found).into()),
        ("statuses".to_owned(), by_step(&found, |step| step.status.map(|status| status.name().to_owned()))),
        ("output_hashes".to_owned(), by_step(&found, |step| output_hash(&pack, step))),
        ("contract_as_given".to_owned(), true.into()),
        ("inputs_as_given".to_owned(), inputs_as_given(&pack, &contract).into()),
        ("signed_by_key".to_owned(), signed_by_key(request, &found).into()),
    ]);
    let hashes = episode::hashes(&contract, Numbers::Rfc8785).ok()?;
    for (name, hash) in [
        ("episode_spec_hash", hashes.episode_spec_hash),
        ("env_fingerprint_hash", hashes.env_fingerprint_hash),
        ("inputs_hash", hashes.inputs_hash),
        ("script_hash", hashes.script_hash),
    ] {
        seen.insert(name.to_owned(), hash.into());
    }
    Some(Value::Object(seen))
}

fn canonical(text: &[u8]) -> Option<Vec<u8>> {
    canonicalize(Profile::Episode, text).ok().map(|bytes| bytes.as_slice().to_vec())
}

fn errors(found: &Verification) -> usize {
    found.findings.iter().filter(|found| found.finding.severity == Severity::Error).count()
}

/// A text for each step of the script, or null.
fn by_step(found: &Verification, text: impl Fn(&StepState) -> Option<String>) -> Value {
    found.steps.iter().map(|step| (step.step_id.clone(), Value::from(text(step)))).collect::<Map<_, _>>().into()
}

/// The hash of what the pack holds as the output of a step; that of a skipped one is nobody's.
fn output_hash(pack: &Made<'_>, step: &StepState) -> Option<String> {
    if step.status == Some(episode::StepStatus::Skipped) {
        return None;
    }
    let trace = canonical(&pack.bytes(&trace_file(&step.step_id).ok()?)?)?;
    Some(format!("sha256:{}", Digest::of(&trace)))
}

/// Whether every input of the contract lies in the pack with the bytes that the contract declares.
fn inputs_as_given(pack: &Made<'_>, contract: &[u8]) -> bool {
    let contract: Value = serde_json::from_slice(contract).unwrap_or_default();
    let text = |item: &Value, name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let is_there = |item: &Value| {
        let bytes = pack.bytes(&input_file(&text(item, "ref")?).ok()?)?;
        Some(text(item, "hash")? == format!("sha256:{}", Digest::of(&bytes)))
    };
    let mut inputs = contract.get("inputs").and_then(Value::as_array).into_iter().flatten();
    inputs.all(|item| is_there(item) == Some(true))
}

/// Whether the pack, if it holds together, was signed by the key of the question.
fn signed_by_key(request: &Request, found: &Verification) -> bool {
    let argument = |name: &str| request.args.get(name).and_then(Value::as_str).unwrap_or_default();
    let maker = Maker::new(argument("now"), argument("private_key")).ok();
    maker.is_some_and(|maker| found.signer.as_deref() == Some(&*maker.signer()))
}

/// A pack that was made in the folder of a case.
struct Made<'f> {
    folder: Box<dyn PackFiles + 'f>,
    /// Bytes that may still be read.
    left: AtomicU64,
}

impl Made<'_> {
    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read(path, EACH, &mut bytes).ok().map(|()| bytes)
    }
}

impl PackFiles for Made<'_> {
    fn read(&self, path: &str, limit: u64, into: &mut Vec<u8>) -> Result<(), PackFileError> {
        into.clear();
        let take = |cost: u64| {
            let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(cost));
            left.map(drop).map_err(|_| PackFileError::TooLarge { limit: ALL })
        };
        take(OPENING)?;
        let most = limit.min(EACH).min(self.left.load(Ordering::Relaxed));
        self.folder.read(&format!("{PACK}/{path}"), most, into)?;
        take(u64::try_from(into.len()).unwrap_or(u64::MAX))
    }

    fn exists(&self, path: &str) -> bool {
        self.folder.exists(&format!("{PACK}/{path}"))
    }

    fn entries(&self) -> Result<Vec<String>, PackFileError> {
        // Other entries are worth a warning, and there may be any number of them.
        Err(PackFileError::Unreadable("a made pack is not listed"))
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::{fs, os::unix::fs::symlink, process::Command};

    use tempfile::TempDir;

    use super::*;
    use crate::{disk::CaseRoot, handler};

    const KEY: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    // The worked example, whose hashes stand in the vectors too.
    const CONTRACT: &str = r#"{"schema_version":"rce/0.1","episode_id":"ep_0196a3c1b2d4000000000001","inputs":[{"ref":"nums.json","hash":"sha256:9c6bc7ac937d2daffe5ecdbe7eb3a59aba4f43e96a58a99f08838d4ce48c92ba"}],"replay_script":{"schema_version":"replay_script/0.1","steps":[{"step_id":"in","opcode":"LOAD_INPUT","params":{"ref":"nums.json"},"depends_on":[]},{"step_id":"out","opcode":"EMIT_OUTPUT","params":{"claim_type":"list","output_ref":"in"},"depends_on":["in"]}]},"replay_policy":{"replay_basis":"recorded_trace","comparator_tier":"A"},"environment":{"env_fingerprint_hash":"sha256:7aef6ecfc6794ff6ea54699eb59e8dfc38fc2960246825118d62b676e7978a72","provider":"example","model_id":"m-1","tool_versions":{},"container_digest":null}}"#;

    fn scene() -> (TempDir, Request) {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [("inputs/nums.json", "[1,2,3]\n"), ("outputs/out.json", r#"{"list":[1,2,3]}"#)] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let args = json!({"now": "2026-03-02T09:00:00Z", "private_key": KEY});
        let Value::Object(args) = args else { panic!("an object") };
        let docs = BTreeMap::from([("contract".to_owned(), CONTRACT.as_bytes().to_vec())]);
        let request = Request { op: "episode.pack".to_owned(), args, docs, root: Some(folder.path().to_owned()) };
        (folder, request)
    }

    fn made() -> (TempDir, Request) {
        let (folder, request) = scene();
        let answer = handler::answer(&request);
        assert!(matches!(answer, Answer::Accept { .. }), "{answer:?}");
        (folder, request)
    }

    fn look(request: &Request) -> Value {
        let root = CaseRoot::new(request.root.as_deref().unwrap());
        let Some(Output::Value(seen)) = observe(request, &root, &Answer::reject("A_INPUT")).remove(PACK) else {
            panic!("nothing")
        };
        seen
    }

    #[test]
    fn a_pack_is_seen_as_it_is() {
        let (_folder, request) = made();
        let seen = look(&request);
        assert_eq!(seen["verdict"], "MATCH");
        assert_eq!(seen["errors"], 0);
        assert_eq!(seen["statuses"], json!({"in": "PASS", "out": "PASS"}));
        assert_eq!(
            seen["output_hashes"]["in"],
            "sha256:a615eeaee21de5179de080de8c3052c8da901138406ba71c38c032845f7d54f4"
        );
        for name in ["contract_as_given", "inputs_as_given", "signed_by_key"] {
            assert_eq!(seen[name], true, "{name}");
        }
    }

    #[test]
    fn a_pack_of_another_question_is_told_apart() {
        let (_folder, mut request) = made();
        request.args["private_key"] = json!("AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
        let seen = look(&request);
        assert_eq!((&seen["verdict"], &seen["signed_by_key"]), (&json!("MATCH"), &json!(false)));
        let other = CONTRACT.replace("m-1", "m-2").into_bytes();
        request.docs.insert("contract".to_owned(), other);
        assert_eq!(look(&request), json!({"contract_as_given": false}));
    }

    #[test]
    fn a_changed_trace_has_another_hash() {
        let (folder, request) = made();
        // Whoever is asked may write what it was given, too.
        fs::write(folder.path().join("outputs/out.json"), "1").unwrap();
        fs::write(folder.path().join("pack/recorded_traces/out.json"), "1").unwrap();
        let seen = look(&request);
        assert_eq!(seen["verdict"], "INTEGRITY_FAIL");
        assert_eq!(
            seen["output_hashes"]["out"],
            "sha256:6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"
        );
    }

    #[test]
    fn what_stands_in_the_place_of_a_pack_is_not_overlooked() {
        let (folder, request) = scene();
        assert_eq!(look(&request), Value::Null);
        let (other, _) = made();
        let place = folder.path().join(PACK);
        symlink(other.path().join(PACK), &place).unwrap();
        assert_eq!(look(&request), json!({"contract_as_given": false}), "a link is not followed");
        fs::remove_file(&place).unwrap();
        symlink("nowhere", &place).unwrap();
        assert_eq!(look(&request), json!({"contract_as_given": false}), "a link that leads nowhere");
        fs::remove_file(&place).unwrap();
        fs::write(&place, "").unwrap();
        assert_eq!(look(&request), json!({"contract_as_given": false}), "a file");
        fs::remove_file(&place).unwrap();
        fs::create_dir(&place).unwrap();
        assert_eq!(look(&request), json!({"contract_as_given": false}), "an empty folder");
    }

    #[test]
    fn files_that_are_none_and_files_that_are_too_much_are_passed_over() {
        let (folder, request) = made();
        let trace = folder.path().join("pack/recorded_traces/out.json");
        fs::remove_file(&trace).unwrap();
        assert!(Command::new("mkfifo").arg(&trace).status().unwrap().success());
        let seen = look(&request);
        assert_eq!((&seen["verdict"], &seen["output_hashes"]["out"]), (&json!("INTEGRITY_FAIL"), &Value::Null));
        fs::remove_file(&trace).unwrap();
        fs::File::create(&trace).unwrap().set_len(EACH + 1).unwrap();
        assert_eq!(look(&request)["verdict"], "INTEGRITY_FAIL");
        fs::remove_file(&trace).unwrap();
        symlink(folder.path().join("outputs/out.json"), &trace).unwrap();
        assert_eq!(look(&request)["verdict"], "INTEGRITY_FAIL");
        let deep = "[".repeat(1 << 20);
        fs::remove_file(&trace).unwrap();
        fs::write(&trace, deep).unwrap();
        assert_eq!(look(&request)["verdict"], "INTEGRITY_FAIL");
    }
}
