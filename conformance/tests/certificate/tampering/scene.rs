//! A run to be altered: a testee in Python over a small corpus, certified, and run again.

use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

use assize::{
    certificate::{Grounds, HarnessInfo, Tables},
    expectations::Expectations,
    selection::Selection,
    suite::Suite,
};
use assize_corpus::store::Store;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::super::run::SUITE;
use crate::support::{PATIENT, run_in};

/// What of the corpus is asked, by the start of its ids; with the twins of that.
const ASKED: [&str; 8] = [
    "canon/rfc8785/appendix-b-3",
    "canon/rfc8785/appendix-b-m",
    "canon/rfc8785/depth-64-",
    "canon/rfc8785/depth-200-",
    "canon/i-json/duplicate-",
    "canon/sovereign/keys-",
    "canon/sovereign/token-",
    "canon/authority/keys-",
];
const WRONG: &str = "canon/rfc8785/appendix-b-333333333-32";
const CRASH: &str = "canon/rfc8785/appendix-b-333333333-33325";
const REMARK: &str = "canon/i-json/duplicate-empty-name";

/// The run.
pub(super) struct Scene {
    pub(super) statement: Value,
    pub(super) report: Value,
    pub(super) again: Value,
    pub(super) tables: Tables,
    pub(super) now: Timestamp,
    suite: Suite,
    known: Expectations,
}

impl Scene {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let corpus = folder.path().join("corpus");
        for id in asked() {
            let file = corpus.join(format!("{id}.json"));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::copy(source(&format!("../vectors/{id}.json")), file).unwrap();
        }
        fs::write(folder.path().join("testee.py"), testee()).unwrap();
        let known = format!("{}{}", known(WRONG, "WRONG-OUTPUT"), known(CRASH, "CRASH"));
        fs::write(folder.path().join("known.toml"), &known).unwrap();
        let json = |name: &str| serde_json::from_slice(&fs::read(folder.path().join(name)).unwrap()).unwrap();
        let run = |report: &str| {
            let given = ["certify", "--config", PATIENT, "--corpus", "corpus", "--expectations", "known.toml"];
            let more = [
                "--seed",
                "5",
                "--challenges",
                "3",
                "--statement",
                "s.json",
                "--report",
                report,
                "--subject",
                "testee.py",
                "--",
                "python3",
                "testee.py",
            ];
            run_in(folder.path(), &[&given[..], &more].concat(), b"").exits(0);
            json(report)
        };
        let report: Value = run("r.json");
        let statement = json("s.json");
        let again = run("again.json");
        let begun: Timestamp = report["run"]["started"].as_str().unwrap().parse().unwrap();
        let store = Store::folder(&corpus).unwrap();
        let mut suite = Suite::load(&store).unwrap();
        suite.challenge("5", Some(3), &Selection::default());
        Self {
            tables: Tables::new(&suite, &store).unwrap(),
            known: Expectations::parse("known.toml", known.as_bytes()).unwrap(),
            now: begun + SignedDuration::from_hours(24),
            statement,
            report,
            again,
            suite,
        }
    }

    pub(super) fn grounds(&self) -> Grounds<'_> {
        Grounds { suite: &self.suite, tables: &self.tables, expectations: Some(&self.known), now: self.now }
    }

    pub(super) fn harness(&self) -> HarnessInfo {
        serde_json::from_value(self.statement["predicate"]["assize"]["harness"].clone()).unwrap()
    }
}

fn source(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn asked() -> BTreeSet<String> {
    let cases = &LazyLock::force(&SUITE).corpus.cases;
    let mut asked = BTreeSet::new();
    let mut left: Vec<&String> = cases.keys().filter(|id| ASKED.iter().any(|start| id.starts_with(start))).collect();
    while let Some(id) = left.pop() {
        if asked.insert(id.clone()) {
            left.extend(&cases[id].twin);
        }
    }
    asked
}

fn known(case: &str, class: &str) -> String {
    format!("[[failure]]\ncases = [{case:?}]\noutcome = {class:?}\nreason = \"r\"\nlink = \"l\"\n")
}

/// A writer that is honest but for three inputs.
fn testee() -> String {
    let text = |id: &str| String::from_utf8(SUITE.corpus.cases[id].inputs["doc"].bytes()).unwrap();
    format!(
        r#"
import hashlib, os, sys
sys.dont_write_bytecode = True
sys.path[:0] = [{shims:?}, {bank:?}]
from atp import Session, accept, base64_text, reject
from honest_canonical import FRAMES, RFC8785, SOVEREIGN

sys.setrecursionlimit(FRAMES)
RULES = {{"rfc8785": RFC8785, "sovereign": SOVEREIGN}}

def answer(request):
    text = request.docs["doc"].decode("utf-8", "replace")
    profile = request.args["profile"]
    if profile == "rfc8785" and text == {wrong:?}:
        return accept(bytes=base64_text(b"3"), sha256=hashlib.sha256(b"3").hexdigest())
    if profile == "rfc8785" and text == {crash:?}:
        print("gone", file=sys.stderr, flush=True)
        os._exit(3)
    if profile == "rfc8785" and text == {remark:?}:
        return reject("A_LIMIT")
    return RULES[profile].answer(request)

ops = {{"canon.bytes": {{"profile": ["rfc8785", "sovereign"]}}}}
shim = {{"name": "shim", "version": "1"}}
sys.exit(Session("altered", "1", ops, answer, shim=shim, capabilities={{"max_depth": 100}}).run())
"#,
        shims = source("shims"),
        bank = source("tests/wrong_testees"),
        wrong = text(WRONG),
        crash = text(CRASH),
        remark = text(REMARK),
    )
}
