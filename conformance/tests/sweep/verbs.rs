//! Every kind, lawful and broken: a row says what the verb says of the artefact alone.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{copied, manifest, rows, sweep, timeless};
use crate::support::run_in;

/// Kind, paths, options, and the command line of the verb for the same.
pub(super) const ASKED: [(&str, &str, &str, &str); 25] = [
    ("pair", "pair/expected.json pair/equal.json", "", "bundle compare"),
    ("pair", "pair/expected.json pair/divergent.json", "", "bundle compare"),
    ("pair", "pair/expected.json pair/float.json", "", "bundle compare"),
    ("pair", "pair/expected.json pair/equal.json", "mode=reference root=pair", "bundle compare"),
    ("pair", "pair/expected.json pair/divergent.json", "mode=reference root=pair", "bundle compare"),
    ("pair", "pair/expected.json pair/equal.json", "registry=reply/lawful.json", "bundle compare"),
    ("turn", "pair/turn-expected.json", "", "bundle audit"),
    ("turn", "pair/turn-float.json", "", "bundle audit"),
    ("turn", "pair/turn-expected.json", "profile=decision-id/published", "bundle audit"),
    ("pack", "pack/lawful", "", "pack verify"),
    ("pack", "pack/diverged", "", "pack verify"),
    ("pack", "pack/broken", "", "pack verify"),
    ("pack", "pack/lawful", "pack-only=true", "pack verify"),
    ("pack", "pack/lawful", "now=2036-01-01T00:00:00Z numbers=assay", "pack verify"),
    ("ledger", "ledger/lawful.jsonl", "", "ledger verify"),
    ("ledger", "ledger/broken.jsonl", "layout=lines", "ledger verify"),
    ("run", "ledger/lawful.jsonl", "", "ledger replay"),
    ("run", "ledger/lawful.jsonl", "source=llm confidence=0.5", "ledger replay"),
    ("home", "home/lawful", "", "kernel audit"),
    ("home", "home/broken", "", "kernel audit"),
    ("home", "home/lawful", "before=before.json", "kernel audit"),
    ("registry", "revisions.json", "", "kernel registry"),
    ("envelope", "reply/lawful.json", "", "reply envelope"),
    ("envelope", "reply/broken.json", "", "reply envelope"),
    ("trace", "call/broken.json", "", "reply trace"),
];

pub(super) fn scene() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copied(Path::new(super::EXAMPLES), folder.path());
    let before = run_in(folder.path(), &["kernel", "snapshot", "home/broken"], b"").exits(0);
    fs::write(folder.path().join("before.json"), before.stdout).unwrap();
    let revisions = json!([{"version": "1.0.0", "codes": {"E_A": "x"}}, {"version": "1.0.1", "codes": {}}]);
    fs::write(folder.path().join("revisions.json"), revisions.to_string()).unwrap();
    folder
}

fn options(text: &str) -> BTreeMap<String, String> {
    let options = text.split_whitespace().map(|option| option.split_once('=').unwrap());
    options.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

pub(super) fn line(kind: &str, paths: &str, given: &str) -> Value {
    let paths: Vec<_> = paths.split(' ').collect();
    match options(given) {
        none if none.is_empty() => json!({"kind": kind, "paths": paths}),
        options => json!({"kind": kind, "paths": paths, "options": options}),
    }
}

/// What a verb's own document lists: the laws of findings that decided, and how many findings there are.
fn listed(verb: &str, document: &Value) -> (BTreeMap<String, u64>, u64) {
    let findings: Vec<Value> = match verb {
        "bundle compare" => document["mismatches"].as_array().unwrap().clone(),
        "ledger verify" | "ledger replay" => match &document["breach"] {
            Value::Null => Vec::new(),
            breach => vec![breach["finding"].clone()],
        },
        "pack verify" => document["packs"][0]["findings"].as_array().unwrap().clone(),
        _ => document["findings"].as_array().unwrap().clone(),
    };
    let decided: Vec<_> = findings.iter().filter(|finding| finding["severity"] != "warning").collect();
    let mut laws = BTreeMap::new();
    for finding in &decided {
        let law = finding["law"].as_str().or(finding["diagnostic"]["law"].as_str());
        if let Some(law) = law {
            *laws.entry(law.to_owned()).or_default() += 1;
        }
    }
    (laws, decided.len() as u64)
}

/// What the verb calls its verdict, where its document has a word for it.
fn word(verb: &str, document: &Value) -> Option<String> {
    let word = match verb {
        "bundle compare" => &document["status"],
        "pack verify" => &document["packs"][0]["verdict"],
        _ => return None,
    };
    Some(word.as_str().unwrap().to_owned())
}

#[test]
fn a_row_says_what_the_verb_says() {
    let folder = scene();
    let lines: Vec<_> = ASKED.iter().map(|(kind, paths, options, _)| line(kind, paths, options)).collect();
    manifest(folder.path(), "m.jsonl", &lines);
    sweep(folder.path(), &["m.jsonl", "--out", "out", "--jobs", "3"]).exits(3);
    let rows = rows(&folder.path().join("out"));
    assert_eq!(rows.len(), ASKED.len());
    let mut exits = BTreeMap::<_, u32>::new();
    for ((kind, paths, given, verb), row) in ASKED.iter().zip(&rows) {
        let mut args: Vec<String> = verb.split(' ').chain(paths.split(' ')).map(str::to_owned).collect();
        args.extend(options(given).into_iter().map(|(name, value)| match value.as_str() {
            "true" => format!("--{name}"),
            value => format!("--{name}={value}"),
        }));
        args.extend(["--format".to_owned(), "json".to_owned()]);
        let ran = run_in(folder.path(), &args.iter().map(String::as_str).collect::<Vec<_>>(), b"");
        assert_eq!((row["kind"].as_str(), row["exit_code"].as_i64()), (Some(*kind), Some(ran.code.into())), "{row}");
        *exits.entry(ran.code).or_default() += 1;
        if ran.stdout.is_empty() {
            assert_eq!(row["verdict"], "unreadable", "{args:?}");
            assert!(ran.stderr.contains(row["error"].as_str().unwrap()), "{row} {}", ran.stderr);
            continue;
        }
        let document = ran.json();
        let (laws, count) = listed(verb, &document);
        assert_eq!((&row["laws"], row["findings"].as_u64()), (&json!(laws), Some(count)), "{args:?}");
        assert_eq!(row["first"].is_null(), count == 0, "{row}");
        if let Some(word) = word(verb, &document) {
            assert_eq!(row["verdict"], word, "{args:?}");
        }
        for (name, digest) in row["digests"].as_object().unwrap() {
            let path = match (name.as_str(), paths.split_once(' ')) {
                ("a", Some((a, _))) => a,
                ("b", Some((_, b))) => b,
                ("turn" | "ledger" | "registry" | "envelope" | "trace", None) => *paths,
                ("pack" | "home" | "turns" | "turns_a" | "turns_b" | "before" | "registry", _) => continue,
                other => panic!("{other:?}"),
            };
            let sum = Sha256::digest(fs::read(folder.path().join(path)).unwrap());
            let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(digest.as_str(), Some(hex.as_str()), "{path}");
        }
        assert!(!row["digests"].as_object().unwrap().is_empty(), "{row}");
    }
    assert!(exits.keys().copied().eq([0, 1, 2, 3]) && exits[&0] > 8 && exits[&1] > 8, "{exits:?}");
}

#[test]
fn a_table_and_a_folder_ask_the_same() {
    let folder = scene();
    let lines: Vec<_> = ["broken", "diverged", "lawful"]
        .map(|name| line("pack", &format!("pack/{name}"), "now=2036-01-01T00:00:00Z"))
        .into();
    manifest(folder.path(), "m.jsonl", &lines);
    fs::write(
        folder.path().join("m.csv"),
        "path,kind,now,path2\npack/broken,pack,2036-01-01T00:00:00Z,\n\"pack/diverged\",pack,2036-01-01T00:00:00Z,\npack/lawful,pack,2036-01-01T00:00:00Z,\n",
    )
    .unwrap();
    sweep(folder.path(), &["m.jsonl", "--out", "of-lines"]).exits(2);
    sweep(folder.path(), &["m.csv", "--out", "of-table"]).exits(2);
    // What is kept lies in the folder itself, and is passed over.
    let args = "--folder . --kind pack --pattern pack/* --set now=2036-01-01T00:00:00Z --out results/of-folder";
    sweep(folder.path(), &args.split(' ').collect::<Vec<_>>()).exits(2);
    let bare = |out: &str| {
        let mut rows = rows(&folder.path().join(out));
        for row in &mut rows {
            for name in ["id", "ms", "line", "options"] {
                row.as_object_mut().unwrap().remove(name);
            }
        }
        rows
    };
    let due = bare("of-lines");
    assert_eq!(due.iter().map(|row| row["exit_code"].as_u64().unwrap()).collect::<Vec<_>>(), [2, 1, 0]);
    assert_eq!(bare("of-table"), due);
    assert_eq!(bare("results/of-folder"), due);
    // Once written down, the list is that of the sweep.
    copied(&folder.path().join("pack/lawful"), &folder.path().join("pack/another"));
    sweep(folder.path(), &args.split(' ').collect::<Vec<_>>()).exits(2);
    assert_eq!(bare("results/of-folder"), due);
    sweep(folder.path(), &[&args.split(' ').collect::<Vec<_>>()[..], &["--restart"]].concat()).exits(2);
    assert_eq!(bare("results/of-folder").len(), 4);
    let args = "--folder pair --kind pair --pattern e* --against float.json --out pairs";
    sweep(folder.path(), &args.split(' ').collect::<Vec<_>>()).exits(3);
    let pairs: Vec<_> = rows(&folder.path().join("pairs")).iter().map(|row| row["paths"].clone()).collect();
    assert_eq!(pairs, [json!(["equal.json", "float.json"]), json!(["expected.json", "float.json"])]);
}

#[test]
fn rows_do_not_depend_on_how_many_are_judged_at_a_time() {
    let folder = scene();
    let lines: Vec<_> = ASKED.iter().cycle().take(60).map(|(kind, paths, given, _)| line(kind, paths, given)).collect();
    manifest(folder.path(), "m.jsonl", &lines);
    for jobs in ["1", "7"] {
        sweep(folder.path(), &["m.jsonl", "--out", jobs, "--jobs", jobs]).exits(3);
    }
    assert_eq!(timeless(&folder.path().join("1")), timeless(&folder.path().join("7")));
}
