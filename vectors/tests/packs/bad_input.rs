//! Packs with missing, extra, unreadable or misshapen files, and paths that lead out: each gets its verdict and its
//! phase, and a finding (rulings EP-14, EP-23, EP-27 and EP-44).

use assize_packs::{
    Episode, Outcome, Pack,
    canon::hash,
    pack::{MANIFEST, RECEIPTS, SIGNATURE},
    step,
};
use assize_verifier::{
    episode::{Phase, Verdict, Verification, limits},
    files::PackFiles,
    finding::Severity,
    law::Law,
};
use serde_json::{Value, json};

use super::{
    consistency::judge,
    memory::Memory,
    scenes::{self, episode, relist},
};

pub(crate) const CONTRACT: &str = "episode_contract.json";
pub(crate) const REPORT: &str = "verify_report.json";
pub(crate) const TRANSCRIPT: &str = "verify_transcript.md";
pub(crate) const INPUT: &str = "inputs/texts/note.txt";
pub(crate) const TRACE: &str = "recorded_traces/note.json";

/// Files of [`scenes::tool_like`] with the phase that needs them.
pub(crate) const NEEDED: [(&str, Phase); 8] = [
    (CONTRACT, Phase::Script),
    (MANIFEST, Phase::Pack),
    (RECEIPTS, Phase::Pack),
    (REPORT, Phase::Pack),
    (TRANSCRIPT, Phase::Pack),
    (SIGNATURE, Phase::Pack),
    (INPUT, Phase::Completeness),
    (TRACE, Phase::Completeness),
];

/// The pack fails in this phase, and an error names this file.
#[track_caller]
pub(crate) fn fails(pack: &dyn PackFiles, phase: Phase, file: &str) -> Verification {
    let found = judge(pack);
    assert_eq!((found.verdict, found.phase), (Verdict::IntegrityFail, phase), "{:?}", found.findings);
    let named = found.findings.iter().any(|found| {
        found.finding.severity == Severity::Error && (found.file == file || found.finding.message.contains(file))
    });
    assert!(named, "no error names {file}: {:?}", found.findings);
    found
}

#[track_caller]
pub(crate) fn matches(pack: &dyn PackFiles) -> Verification {
    let found = judge(pack);
    assert_eq!((found.verdict, found.phase), (Verdict::Match, Phase::Replay), "{:?}", found.findings);
    found
}

/// The pack fails in this phase, and exceeding a limit is why.
#[track_caller]
pub(crate) fn exceeds(pack: &dyn PackFiles, phase: Phase, file: &str) {
    let found = fails(pack, phase, file);
    let limit = found.findings.iter().any(|found| found.file == file && found.finding.code == Some("A_LIMIT"));
    assert!(limit, "{:?}", found.findings);
}

fn tool_like() -> Memory {
    scenes::tool_like().into()
}

#[test]
fn a_missing_file() {
    for (path, phase) in NEEDED {
        let mut pack = tool_like();
        pack.files.remove(path).unwrap();
        fails(&pack, phase, path);
    }
    let nothing = Memory { files: Default::default() };
    fails(&nothing, Phase::Script, CONTRACT);
}

#[test]
fn a_folder_in_place_of_a_file() {
    for (path, phase) in NEEDED {
        let mut pack = tool_like();
        let content = pack.files.remove(path).unwrap();
        pack.put(&format!("{path}/content"), content);
        fails(&pack, phase, path);
    }
}

#[test]
fn files_that_nobody_asked_for_are_warnings() {
    let mut pack = Memory::from(scenes::failed());
    let extra = ["extra.bin", "folder/more", "_unsigned/x", "inputs/unknown", "recorded_traces/unknown.json"];
    for path in extra {
        pack.put(path, [0xff, 0]);
    }
    let found = matches(&pack);
    let named: Vec<_> = found
        .findings
        .iter()
        .filter(|found| found.finding.law == Law::named("episode/pack-integrity"))
        .map(|found| (found.file.as_str(), found.finding.pointer.as_str(), found.finding.severity))
        .collect();
    assert_eq!(named, [("extra.bin", "", Severity::Warning), ("folder", "", Severity::Warning)]);
}

#[test]
fn files_that_are_no_json() {
    let texts: [&[u8]; 12] = [
        b"",
        b" ",
        b"{",
        b"[1,]",
        b"nul",
        b"{} {}",
        b"\xff",
        b"\"\xff\"",
        b"\xef\xbb\xbf{}",
        b"{\"a\":NaN}",
        b"'a'",
        b"\x00",
    ];
    for text in texts {
        let put = |path: &str| {
            let mut pack = tool_like();
            pack.put(path, text);
            pack
        };
        let contract = fails(&put(CONTRACT), Phase::Script, CONTRACT);
        let result: Value = serde_json::from_str(&contract.replay_result).unwrap();
        assert_eq!(result["episode_id"], json!(format!("ep_{}", "0".repeat(24))), "the stand-in");
        fails(&put(MANIFEST), Phase::Pack, MANIFEST);
        fails(&put(TRACE), Phase::Completeness, TRACE);
        // Blank lines are not receipts: that all are gone shows in what the manifest attests.
        let file = if text.trim_ascii().is_empty() { MANIFEST } else { RECEIPTS };
        fails(&relisted(text), Phase::Pack, file);
    }
}

/// A pack whose receipts are this text, soundly listed and signed.
fn relisted(receipts: &[u8]) -> Memory {
    let mut pack = scenes::tool_like();
    pack.put(RECEIPTS, receipts);
    relist(&mut pack);
    pack.into()
}

#[test]
fn values_of_the_wrong_kind() {
    for text in ["null", "true", "7", "\"{}\"", "[]", "{}"] {
        for (path, phase) in [(CONTRACT, Phase::Script), (MANIFEST, Phase::Pack)] {
            let mut pack = tool_like();
            pack.put(path, text);
            fails(&pack, phase, path);
        }
        fails(&relisted(format!("{text}\n").as_bytes()), Phase::Pack, RECEIPTS);
    }
}

#[test]
fn values_without_a_canonical_form() {
    for text in ["{\"a\":1,\"a\":1}", "[9007199254740992]", "[-9007199254740992]", "\"\\ud800\"", "1e400"] {
        let mut trace = tool_like();
        trace.put(TRACE, text);
        fails(&trace, Phase::Completeness, TRACE);
        let mut contract = tool_like();
        let with = contract.text(CONTRACT).replacen('{', &format!("{{\"output_schema\":{text},"), 1);
        contract.put(CONTRACT, with);
        fails(&contract, Phase::Script, CONTRACT);
        let line = |receipts: &str| receipts.replacen('{', &format!("{{\"x\":{text},"), 1).into_bytes();
        fails(&relisted(&line(tool_like().text(RECEIPTS))), Phase::Pack, RECEIPTS);
    }
}

#[test]
fn any_bytes_are_an_input() {
    let bytes = b"\xff\xfe\x00\x80";
    let mut episode = Episode::new(
        &[("raw", "")],
        [
            (step::load("in", "raw"), Outcome::pass(json!("4 bytes"))),
            (step::emit("out", "size", "in"), Outcome::pass(json!({"size": 4}))),
        ],
    );
    episode.inputs.insert("raw".to_owned(), bytes.to_vec());
    episode.contract["inputs"][0]["hash"] = json!(format!("sha256:{}", assize_packs::canon::sha256(bytes)));
    let found = matches(&Memory::from(episode.sealed()));
    assert!(found.findings.is_empty(), "{:?}", found.findings);
}

/// Every member of manifest and attestation is needed, and none may be of another kind; the signature is always sound.
#[test]
fn a_manifest_of_the_wrong_shape() {
    let sound = scenes::crs_listed();
    let wrong = |value: &Value| if value.is_array() { json!({}) } else { json!([]) };
    for (name, value) in &sound.manifest {
        for altered in [None, Some(wrong(value)), Some(json!(null))] {
            let mut pack = sound.clone();
            let early = !matches!(name.as_str(), "signature" | "pack_root_sha256");
            set(&mut pack.manifest, name, altered);
            if early {
                pack.sign();
            }
            pack.write();
            fails(&Memory::from(pack), Phase::Pack, MANIFEST);
        }
    }
    let optional = ["discrepancy_fingerprint", "valid_until", "superseded_by", "ci_binding"];
    for (name, value) in &sound.attestation {
        for altered in [None, Some(wrong(value)), Some(json!(null))] {
            let lawful = optional.contains(&name.as_str()) && altered.as_ref().is_none_or(Value::is_null);
            let mut pack = sound.clone();
            set(&mut pack.attestation, name, altered);
            pack.attest();
            pack.sign();
            if lawful {
                matches(&Memory::from(pack));
            } else {
                fails(&Memory::from(pack), Phase::Pack, MANIFEST);
            }
        }
    }
    let edits: [fn(&mut Pack); 7] = [
        |pack| set(&mut pack.manifest, "extra", Some(json!(1))),
        |pack| pack.manifest["attestation"]["extra"] = json!(1),
        |pack| pack.manifest["files"][0]["extra"] = json!(1),
        |pack| pack.manifest["files"][0]["sha256"] = json!(7),
        |pack| pack.manifest["files"] = json!([]),
        |pack| pack.manifest["expected_files"] = json!([1, 2, 3, 4, 5]),
        |pack| pack.manifest["receipt_count_expected"] = json!("7"),
    ];
    for edit in edits {
        let mut pack = sound.clone();
        edit(&mut pack);
        pack.sign();
        fails(&Memory::from(pack), Phase::Pack, MANIFEST);
    }
}

fn set(members: &mut serde_json::Map<String, Value>, name: &str, value: Option<Value>) {
    match value {
        Some(value) => members.insert(name.to_owned(), value),
        None => members.remove(name),
    };
}

/// Paths that lead out of the pack, or are not paths: nothing may be asked for there.
#[test]
fn paths_that_lead_out() {
    for path in ["../nums.json", "a/../../x", "a/..", "..", "/etc/passwd", "/", "texts/../nums.json"] {
        let found = fails(&loading(path), Phase::Completeness, path);
        assert!(
            found.findings.iter().any(|found| found.finding.law == Law::named("episode/path-safety")),
            "{:?}",
            found.findings
        );
        let found = fails(&stepping(path), Phase::Completeness, path);
        assert!(
            found.findings.iter().any(|found| found.finding.law == Law::named("episode/path-safety")),
            "{:?}",
            found.findings
        );
    }
    for path in ["../nums.json", "a/../../x", "..", "/etc/passwd", "/"] {
        let found = fails(&listing(path), Phase::Pack, path);
        assert!(found.findings.iter().any(|found| found.finding.code == Some("E_PATH_ESCAPE")), "{:?}", found.findings);
    }
    // Nothing of that name can lie in the pack, or nothing does.
    for path in ["", "a\0b", "a//b", "./a", ".", "a/", "~/x", "\\..\\x", "C:\\x", &"n".repeat(10_000)] {
        let found = judge(&loading(path));
        assert_eq!((found.verdict, found.phase), (Verdict::IntegrityFail, Phase::Completeness), "{path:?}");
        let found = judge(&listing(path));
        assert_eq!((found.verdict, found.phase), (Verdict::IntegrityFail, Phase::Pack), "{path:?}");
    }
}

/// A pack whose contract names an input so; no such file lies there.
fn loading(path: &str) -> Memory {
    let mut pack = Memory::from(
        Episode::new(
            &[(path, "x")],
            [
                (step::load("in", path), Outcome::pass(json!(1))),
                (step::emit("out", "n", "in"), Outcome::pass(json!({"n": 1}))),
            ],
        )
        .sealed(),
    );
    pack.files.remove(&format!("inputs/{path}")).unwrap();
    pack
}

/// A pack with a step of this name.
fn stepping(id: &str) -> Memory {
    let mut pack = Memory::from(
        Episode::new(
            &[("a", "x")],
            [
                (step::load(id, "a"), Outcome::pass(json!(1))),
                (step::emit("out", "n", id), Outcome::pass(json!({"n": 1}))),
            ],
        )
        .sealed(),
    );
    pack.files.remove(&format!("recorded_traces/{id}.json")).unwrap();
    pack
}

/// A pack whose signed manifest lists a file of this name.
fn listing(path: &str) -> Memory {
    let mut pack = scenes::tool_like();
    let file = json!({"path": path, "sha256": assize_packs::canon::sha256(b"x"), "bytes": 1});
    pack.manifest["files"].as_array_mut().unwrap().push(file);
    pack.sign();
    pack.into()
}

#[test]
fn a_skipped_step_may_not_lead_out_either() {
    let mut episode = Episode::new(
        &[("a", "x")],
        [
            (step::load("in", "a"), Outcome::fail(json!(1))),
            (step::apply("../late", &["in"]), Outcome::skipped()),
            (step::emit("out", "n", "../late"), Outcome::skipped()),
        ],
    );
    fails(&Memory::from(episode.sealed()), Phase::Completeness, "../late");
    // The same steps under a name that stays inside.
    episode = Episode::new(
        &[("a", "x")],
        [
            (step::load("in", "a"), Outcome::fail(json!(1))),
            (step::apply("late", &["in"]), Outcome::skipped()),
            (step::emit("out", "n", "late"), Outcome::skipped()),
        ],
    );
    matches(&Memory::from(episode.sealed()));
}

/// Containers in containers.
fn nested(levels: usize) -> Value {
    (1..levels).fold(json!([]), |inner, _| json!([inner]))
}

#[test]
fn depth_has_a_limit() {
    let limit = limits::DEPTH as usize;
    let traced = |levels| {
        let mut episode = episode();
        episode.outcomes.insert("note".to_owned(), Outcome::pass(nested(levels)));
        Memory::from(episode.sealed())
    };
    matches(&traced(limit));
    exceeds(&traced(limit + 1), Phase::Completeness, TRACE);
    let mut abyss = tool_like();
    abyss.put(TRACE, "[".repeat(1 << 20));
    fails(&abyss, Phase::Completeness, TRACE);

    // Contract, script, steps and step are open around a schema, which is an object itself.
    let contracted = |levels: usize| {
        let mut episode = episode();
        episode.contract["replay_script"]["steps"][0]["output_schema"] = json!({"x": nested(levels)});
        Memory::from(episode.sealed())
    };
    matches(&contracted(limit - 5));
    exceeds(&contracted(limit - 4), Phase::Script, CONTRACT);

    let received = |levels: usize| {
        let mut pack = episode().pack();
        pack.set(1, "x", nested(levels));
        pack.seal();
        Memory::from(pack)
    };
    matches(&received(limit - 1));
    exceeds(&received(limit), Phase::Pack, RECEIPTS);
}

/// Steps and receipts that do not fit each other, in a pack that is sound as a container.
#[test]
fn receipts_of_another_script() {
    let mut episode = episode();
    episode.outcomes.insert("more".to_owned(), Outcome::pass(json!(1)));
    let more = step::apply("more", &["nums"]);
    let steps = episode.contract["replay_script"]["steps"].as_array_mut().unwrap();
    steps.push(more);
    let whole = episode.sealed();
    matches(&Memory::from(whole.clone()));
    let mut without = whole.clone();
    without.receipts.remove(whole.step("more"));
    without.seal();
    fails(&Memory::from(without), Phase::Completeness, "more");
    let mut twice = whole.clone();
    let mut again = twice.receipts[whole.step("more")].clone();
    again.insert("receipt_id".to_owned(), json!("r_again"));
    twice.receipts.insert(whole.step("more") + 1, again);
    twice.seal();
    fails(&Memory::from(twice), Phase::Completeness, "more");
    let mut traceless = Memory::from(whole.clone());
    traceless.files.remove("recorded_traces/more.json");
    fails(&traceless, Phase::Completeness, "recorded_traces/more.json");
    let mut other = Memory::from(whole);
    other.put("recorded_traces/more.json", "2");
    let found = judge(&other);
    assert_eq!(found.verdict, Verdict::Diverge);
    assert_eq!((&*found.divergences[0].step_id, &found.divergences[0].observed), ("more", &hash(&json!(2))));
}
