//! No single byte of a signed or bound file can be changed unnoticed.
//!
//! Such a change alters the verdict, or leaves the file's canonical value equal, or touches only what a contract says
//! beside its identity. What is equal is judged by another crate's canonical form.

use std::collections::BTreeMap;

use assize_packs::pack::{MANIFEST, SIGNATURE};
use assize_verifier::episode::Verdict;
use fastrand::Rng;
use serde_json::Value;

use super::{consistency::judge, memory::Memory, scenes};

/// Files that no signature, digest or receipt binds, and why. Every other file of the packs is tampered with.
const UNBOUND: [(&str, &str); 3] = [
    ("_unsigned/PACK_SUMMARY.md", "what lies below _unsigned is ignored (ruling EP-14)"),
    ("NOTES.txt", "an entry that the manifest does not list is a warning (ruling EP-14)"),
    ("recorded_traces/late.json", "the trace of a skipped step is ignored (ruling EP-39)"),
];

/// What may be said of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// INTEGRITY_FAIL in this phase.
    Fails(u8),
    /// DIVERGE.
    Diverges,
    /// MATCH: the file's canonical value is what it was.
    SameValue,
    /// MATCH: only `objective`, `model_version_hint` or `system_fingerprint` of the contract differs.
    Descriptive,
}

/// How a file is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// By a digest of its bytes, or byte for byte.
    Bytes,
    /// By its canonical value.
    Value,
}

/// Offsets are sampled in files larger than this.
const SMALL: usize = 400;
const SAMPLES: usize = 400;

/// Bytes that mean something in JSON, in base64 or in text.
const TELLING: &[u8] = b" \t\n\r\",:[]{}\\/0123456789.eE+-abuAB_\x00\x7f\x80\xff";

#[test]
fn no_byte_of_a_bound_file_changes_unnoticed() {
    let mut total: BTreeMap<Class, usize> = BTreeMap::new();
    let counts = std::thread::scope(|scope| {
        let running: Vec<_> = scenes::all()
            .into_iter()
            .map(|(name, pack)| scope.spawn(move || (name, tamper(name, pack.into()))))
            .collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    for (name, files) in counts {
        for (path, classes) in files {
            println!("{name:16} {path:32} {classes:?}");
            for (class, count) in classes {
                *total.entry(class).or_default() += count;
            }
        }
    }
    println!("{:16} {:32} {total:?}", "all", "");
    for class in
        [Class::Fails(1), Class::Fails(2), Class::Fails(3), Class::Diverges, Class::SameValue, Class::Descriptive]
    {
        assert!(total.contains_key(&class), "{class:?} does not occur");
    }
}

/// Changes bytes of every bound file, one at a time, and counts what came of it.
fn tamper(name: &str, mut pack: Memory) -> BTreeMap<String, BTreeMap<Class, usize>> {
    assert_eq!(judge(&pack).verdict, Verdict::Match, "the pack as it was built");
    // Other samples in each pack, and the same in each run.
    let mut rng = Rng::with_seed(name.bytes().map(u64::from).sum());
    let bound: Vec<_> = pack.files.keys().filter(|path| !is_unbound(path)).cloned().collect();
    let listed = listed(&pack);
    let mut counts = BTreeMap::new();
    for path in bound {
        let is_listed = listed.contains(&path);
        let bound =
            if is_listed || path == SIGNATURE || path.starts_with("inputs/") { Bound::Bytes } else { Bound::Value };
        let original = pack.files[&path].clone();
        let classes: &mut BTreeMap<Class, usize> = counts.entry(path.clone()).or_default();
        for offset in offsets(original.len(), &mut rng) {
            let old = original[offset];
            let telling = *rng.choice(TELLING).unwrap();
            for new in [old ^ 1, if telling == old { !old } else { telling }] {
                pack.files.get_mut(&path).unwrap()[offset] = new;
                let class = class(&pack, &path, &original, bound);
                let class = class.unwrap_or_else(|| panic!("{path} at {offset}: {old:#x} to {new:#x} went unnoticed"));
                *classes.entry(class).or_default() += 1;
            }
            pack.files.get_mut(&path).unwrap()[offset] = old;
        }
    }
    counts
}

/// What came of a change; none if it went unnoticed.
fn class(pack: &Memory, path: &str, original: &[u8], bound: Bound) -> Option<Class> {
    let found = judge(pack);
    match found.verdict {
        Verdict::IntegrityFail => return Some(Class::Fails(found.phase.number())),
        Verdict::Diverge => return Some(Class::Diverges),
        Verdict::Match => {}
    }
    // Bytes are bound as bytes: no value excuses them.
    if bound == Bound::Bytes {
        return None;
    }
    let [before, after] = [original, &pack.files[path]].map(|text| serde_json::from_slice::<Value>(text).ok());
    let (mut before, mut after) = (before?, after?);
    if canonical(&before) == canonical(&after) {
        return Some(Class::SameValue);
    }
    if path != "episode_contract.json" {
        return None;
    }
    for contract in [&mut before, &mut after] {
        contract.as_object_mut()?.remove("objective");
        let environment = contract.get_mut("environment")?.as_object_mut()?;
        environment.remove("model_version_hint");
        environment.remove("system_fingerprint");
    }
    (canonical(&before) == canonical(&after)).then_some(Class::Descriptive)
}

fn canonical(value: &Value) -> Vec<u8> {
    serde_json_canonicalizer::to_vec(value).unwrap()
}

fn is_unbound(path: &str) -> bool {
    UNBOUND.iter().any(|(unbound, _)| *unbound == path)
}

/// The paths that the signed manifest binds by digest.
fn listed(pack: &Memory) -> Vec<String> {
    let manifest: Value = serde_json::from_str(pack.text(MANIFEST)).unwrap();
    manifest["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

/// Every offset of a small file; of a larger one, one from each stretch of equal length.
fn offsets(len: usize, rng: &mut Rng) -> Vec<usize> {
    if len <= SMALL {
        return (0..len).collect();
    }
    (0..SAMPLES).map(|sample| rng.usize(len * sample / SAMPLES..len * (sample + 1) / SAMPLES)).collect()
}

#[test]
fn what_is_called_unbound_is_there_and_is_unbound() {
    for (path, why) in UNBOUND {
        let mut packs: Vec<Memory> = scenes::all().into_iter().map(|(_, pack)| pack.into()).collect();
        packs.retain(|pack| pack.files.contains_key(path));
        assert!(!packs.is_empty(), "{path} lies in no pack: {why}");
        for mut pack in packs {
            assert!(!listed(&pack).contains(&path.to_owned()));
            pack.put(path, "anything else");
            assert_eq!(judge(&pack).verdict, Verdict::Match, "{path}: {why}");
        }
    }
}
