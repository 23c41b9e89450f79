//! Challenges in a run: a testee that knows the whole corpus by heart does not pass.
//!
//! `ASSIZE_CHALLENGES` says how many seeds are tried.

use std::collections::BTreeMap;

use assize_corpus::{
    agreement::{Terms, asserted, judge},
    challenge::{Count, challenge_set},
    node::Node,
    store::Store,
    testee::Answer,
    vector::{Case, Corpus, Entry, Weight},
};

use crate::support::run;

/// What two questions have in common that a table takes for one.
type Key = fn(&Case) -> String;

/// The question as it is.
fn as_asked(case: &Case) -> String {
    written(case, |bytes| format!("{bytes:?}"), |name| name.to_owned())
}

/// The question without order of members, escapes, white space, ids, digests, and names of files.
fn normalised(case: &Case) -> String {
    let mut ids = BTreeMap::new();
    let mut number = |text: &str| {
        let next = ids.len();
        format!("#{}", ids.entry(text.to_owned()).or_insert(next))
    };
    let mut text = format!("{} {}", case.op, Value(&case.args));
    for document in case.inputs.values() {
        text += &normal(&document.bytes(), &mut number);
    }
    for entry in case.files.values() {
        text += &match entry {
            Entry::File(document) => normal(&document.bytes(), &mut number),
            other => format!("{other:?}"),
        };
    }
    text
}

struct Value<'a>(&'a serde_json::Map<String, serde_json::Value>);

impl std::fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A run id among the arguments is an id too.
        self.0.iter().filter(|(name, _)| *name != "run_id").try_for_each(|(name, value)| write!(f, "{name}={value} "))
    }
}

fn written(case: &Case, bytes: impl Fn(&[u8]) -> String, name: impl Fn(&str) -> String) -> String {
    let documents: Vec<_> = case.inputs.values().map(|document| bytes(&document.bytes())).collect();
    let file = |entry: &Entry| match entry {
        Entry::File(document) => bytes(&document.bytes()),
        other => format!("{other:?}"),
    };
    let files: Vec<_> = case.files.iter().map(|(path, entry)| (name(path), file(entry))).collect();
    format!("{} {:?} {documents:?} {files:?}", case.op, case.args)
}

/// A document with every text replaced by the place of its first appearance.
fn normal(bytes: &[u8], number: &mut impl FnMut(&str) -> String) -> String {
    fn renamed(node: &Node, number: &mut impl FnMut(&str) -> String) -> Node {
        match node {
            // Short words of a specification are kept, or every table would take all documents of one shape for one.
            Node::Text(text) if text.bytes().any(|byte| byte == b'-' || byte.is_ascii_digit()) => {
                Node::Text(number(text))
            }
            Node::Array(items) => Node::Array(items.iter().map(|item| renamed(item, number)).collect()),
            Node::Object(members) => {
                Node::Object(members.iter().map(|(name, node)| (name.clone(), renamed(node, number))).collect())
            }
            other => other.clone(),
        }
    }
    match std::str::from_utf8(bytes).ok().and_then(|text| Node::parse(text).ok()) {
        Some(node) => renamed(&node, number).canonical(),
        None => format!("{bytes:?}"),
    }
}

/// A table of the whole corpus does not pass a set of challenges: it fails by specifications, whatever it takes for one.
#[test]
fn a_table_of_the_corpus_fails() {
    let corpus = Corpus::load(&Store::embedded());
    let seeds: usize = std::env::var("ASSIZE_CHALLENGES").map_or(3, |count| count.parse().unwrap());
    for (name, key) in [("as asked", as_asked as Key), ("normalised", normalised)] {
        let table: BTreeMap<String, Answer> =
            corpus.cases.values().map(|case| (key(case), asserted(case, &case.expect))).collect();
        let answer = |case: &Case| table.get(&key(case)).cloned().unwrap_or_else(|| Answer::accept::<String>([]));
        let known = corpus.cases.values().filter(|case| judge(case, &answer(case), &Terms::default()).holds()).count();
        assert!(known * 100 > corpus.cases.len() * 85, "{name}: the table passes {known} of {}", corpus.cases.len());
        for seed in 0..seeds {
            let set = challenge_set(&corpus, &seed.to_string(), Count::Fifth);
            let mut laws: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
            for challenge in &set {
                let case = &challenge.case;
                let law = laws.entry(case.law()).or_default();
                law.1 += 1;
                law.0 += usize::from(judge(case, &answer(case), &Terms::default()).force == Some(Weight::Spec));
            }
            let failed: usize = laws.values().map(|(failed, _)| failed).sum();
            println!("{name}, seed {seed}: {failed} of {} fail by a specification", set.len());
            assert!(failed * 10 > set.len(), "{name}, seed {seed}: {failed} of {}: {laws:?}", set.len());
        }
    }
}

/// The set that is written is the one that a run adds, and a run over it alone asks nothing else.
#[test]
fn a_written_set_is_the_one_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let set = folder.path().join("set");
    let set = set.to_str().unwrap();
    run(&["challenge", "--seed", "7", "--each", "2", "--out", set]).exits(0);
    let alone = run(&["certify", "--corpus", set, "--format", "json"]).exits(0).json();
    let added = run(&["certify", "--seed", "7", "--challenges", "2", "--format", "json"]).exits(0).json();
    assert_eq!(added["result"]["challenges"]["seed"], "7");
    let ids = |report: &serde_json::Value| -> Vec<String> {
        let cases = report["result"]["cases"].as_array().unwrap();
        let ids = cases.iter().map(|case| case["id"].as_str().unwrap().to_owned());
        ids.filter(|id| id.contains("/challenge-")).collect()
    };
    assert_eq!(ids(&alone), ids(&added));
    assert_eq!(alone["result"]["cases"].as_array().unwrap().len(), ids(&alone).len());
    assert_eq!(added["result"]["challenges"]["cases"], ids(&added).len());
    run(&["challenge", "--seed", "7", "--each", "2", "--out", set]).exits(3);
}

/// A challenge that fails is made again by the command that its failure names.
#[test]
fn a_challenge_runs_alone() {
    let all =
        ["certify", "--level", "canonical-form-sovereign", "--challenges", "30", "--seed", "9", "--format", "json"];
    let report = run(&all).json();
    let cases = report["result"]["cases"].as_array().unwrap();
    let last =
        cases.iter().filter_map(|case| case["id"].as_str()).filter(|id| id.ends_with("-30")).next_back().unwrap();
    let again = ["certify", "--filter", last, "--challenges", "30", "--seed", "9", "--format", "json"];
    let again = run(&again).json();
    assert_eq!(again["result"]["cases"].as_array().unwrap().len(), 1);
    assert_eq!(again["result"]["cases"][0]["outcome"], "PASS");
}

/// A beacon and a digest make one seed; another beacon, or another digest, makes another.
#[test]
fn neither_side_chooses_the_seed_of_a_beacon() {
    let folder = tempfile::tempdir().unwrap();
    let said = |beacon: &str, digest: &str| {
        let set = folder.path().join(format!("{beacon}{digest}"));
        let args =
            ["challenge", "--beacon", beacon, "--testee-digest", digest, "--each", "1", "--out", set.to_str().unwrap()];
        let text = run(&args).exits(0).text().to_owned();
        text.split("seed ").nth(1).unwrap().split(':').next().unwrap().to_owned()
    };
    let (zeros, ones) = ("0".repeat(64), "1".repeat(64));
    let seeds = [said("a", &zeros), said("a", &ones), said("b", &zeros)];
    assert!(seeds.iter().all(|seed| seed.len() == 64));
    assert!(seeds[0] != seeds[1] && seeds[0] != seeds[2] && seeds[1] != seeds[2]);
    let refused = ["challenge", "--beacon", "a", "--out", "x"];
    run(&refused).exits(64);
}

/// Single cases are asked alone, unless challenges are asked for.
#[test]
fn narrow_runs_ask_none_by_default() {
    let args = ["certify", "--filter", "canon/sovereign/array-one", "--format", "json"];
    // One case gives a law no grade.
    assert!(run(&args).exits(3).json()["result"].get("challenges").is_none());
    let law = ["certify", "--filter", "canon/sovereign", "--challenges", "3", "--format", "json"];
    let report = run(&law).exits(0).json();
    let cases = report["result"]["cases"].as_array().unwrap().clone();
    assert_eq!(cases.iter().filter(|case| case["id"].as_str().unwrap().contains("/challenge-")).count(), 3);
    run(&["certify", "--challenges", "0"]).exits(64);
}
