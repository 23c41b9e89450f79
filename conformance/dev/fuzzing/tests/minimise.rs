//! What is stored of a find, handed to `assize minimise`: the question there is the one that the target judged.
use std::{fs, path::Path};

use assize::minimise::input::{Ask, InputError, Start};
use assize_corpus::testee::Request;
use assize_corpus::vector::Entry;
use assize_fuzzing::oracles::authority::{dag, request};
use assize_fuzzing::{documents::Documents, find::Find, targets};
use serde_json::Value;

const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../fuzz");

/// A way to ask for a question, and the question with its files.
type Asked = (Ask, Request, Vec<(String, Vec<u8>)>);

/// Every committed find, and every committed seed as the find that it would be.
fn finds() -> Vec<Find> {
    let files = |folder: &str, target: &str| {
        let found = fs::read_dir(Path::new(FUZZ).join(folder).join(target)).into_iter().flatten();
        found.map(|file| fs::read(file.unwrap().path()).unwrap()).collect::<Vec<_>>()
    };
    let mut finds = Vec::new();
    for target in targets::ALL {
        let seeds = files("seeds", target.name);
        assert!(!seeds.is_empty(), "{}", target.name);
        for octets in seeds {
            finds.push((target.decode)(&octets).unwrap());
        }
        for text in files("regressions", target.name) {
            finds.push(serde_json::from_slice(&text).unwrap());
        }
    }
    finds
}

/// What a find can be asked for; nothing where it asks no operation.
fn asked(find: &Find) -> Option<Vec<Asked>> {
    let documents = &find.documents;
    let octets = |name: &str| documents.octets(name).unwrap();
    let with = |mut request: Request, name: &str, value: &str| {
        request.args.insert(name.to_owned(), value.into());
        request
    };
    let below = |prefix: &str| documents.below(prefix).unwrap().into_iter().collect::<Vec<_>>();
    let ask = |op: &str| Ask { op: Some(op.to_owned()), ..Ask::default() };
    let part = |part: &str| Ask { part: Some(part.to_owned()), ..Ask::default() };
    let form = |profile: &str| {
        let other = Ask { args: [("profile".to_owned(), "episode".into())].into_iter().collect(), ..Ask::default() };
        let question = |profile| with(request("canon.bytes", "doc", octets("text")), "profile", profile);
        vec![(Ask::default(), question(profile), vec![]), (other, question("episode"), vec![])]
    };
    let pair = |ask: Ask, prefix: &str, mode: &str| {
        let mut compare = request("sovereign.compare", "bundle_a", octets(&format!("{prefix}bundle_a")));
        compare.docs.insert("bundle_b".to_owned(), octets(&format!("{prefix}bundle_b")));
        (ask, with(compare, "mode", mode), below(&format!("{prefix}files/")))
    };
    let pack = |ask: Ask, prefix: &str| {
        let verify =
            Request { op: "episode.verify".to_owned(), args: Default::default(), docs: Default::default(), root: None };
        (ask, verify, below(prefix))
    };
    Some(match find.target.as_str() {
        "canon_idempotent" => form("episode"),
        "canon_vs_python" => form("sovereign"),
        "json_reader_vs_python" => form("authority"),
        "compare_vs_comparator" => vec![pair(Ask::default(), "", "reference")],
        "law_mode_total" => {
            let equivalent = documents.octets("retold/bundle_a").is_ok();
            let equivalent = equivalent.then(|| pair(part("retold"), "retold/", "law"));
            [pair(Ask::default(), "", "law")].into_iter().chain(equivalent).collect()
        }
        "episode_verify" => vec![pack(Ask::default(), "after/"), pack(part("before"), "before/")],
        "dag" => {
            let run_id = String::from_utf8(octets("run_id")).unwrap();
            vec![(Ask::default(), dag(&run_id, octets("operations")), vec![])]
        }
        "ledger" => {
            let told: Value = serde_json::from_slice(&octets("told")).unwrap();
            let mut replay = request("authority.replay", "records", octets("records"));
            replay.args = told.get("assumed").and_then(Value::as_object).unwrap().clone();
            vec![
                (Ask::default(), request("authority.chain", "records", octets("records")), vec![]),
                (ask("authority.replay"), replay, vec![]),
                (ask("authority.run"), request("authority.run", "inputs", octets("inputs")), vec![]),
            ]
        }
        "kernel_scenario" => {
            vec![(Ask::default(), request("kernel.scenario", "operations", octets("operations")), vec![])]
        }
        "reply_envelope" => vec![
            (Ask::default(), request("reply.envelope", "envelope", octets("envelope")), vec![]),
            (ask("reply.code"), request("reply.code", "code", octets("code")), vec![]),
        ],
        "reply_registry" => vec![
            (Ask::default(), request("reply.registry", "registry", octets("registry")), vec![]),
            (ask("reply.source"), request("reply.source", "source", octets("source")), vec![]),
        ],
        "reply_trace" => vec![
            (Ask::default(), request("reply.trace", "trace", octets("trace")), vec![]),
            (ask("reply.build"), request("reply.build", "script", octets("build")), vec![]),
            (ask("reply.wrap"), request("reply.wrap", "script", octets("wrap")), vec![]),
        ],
        "relations" => {
            // The question of another target, whose documents stand beside what says so.
            let told: Value = serde_json::from_slice(&octets("rewritten")).unwrap();
            let question = &told["question"];
            let members = |name: &str| question.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
            let docs = members("docs").into_iter().map(|(name, place)| (name, octets(place.as_str().unwrap())));
            let op = question["op"].as_str().unwrap().to_owned();
            let request = Request { op, args: members("args"), docs: docs.collect(), root: None };
            vec![(Ask::default(), request, question["files"].as_str().map(below).unwrap_or_default())]
        }
        "certificate" | "protocol_frames" => return None,
        other => panic!("{other}: is it put to an operation?"),
    })
}

fn start(find: &Find, ask: &Ask) -> Result<Start, InputError> {
    Start::file("find.json", find.text().into_bytes(), ask)
}

#[test]
fn a_find_asks_what_its_target_judged() {
    for find in finds() {
        let Some(questions) = asked(&find) else {
            let refused = start(&find, &Ask::default()).unwrap_err().to_string();
            assert!(refused.contains("judges Assize itself"), "{refused}");
            continue;
        };
        for (ask, question, files) in questions {
            let case = start(&find, &ask).unwrap_or_else(|error| panic!("{}: {error}", find.target)).case;
            assert_eq!(case.request(None), question, "{}", find.target);
            let entry = |(path, entry): (String, Entry)| match entry {
                Entry::File(document) => (path, document.bytes()),
                other => panic!("{path}: {other:?}"),
            };
            assert_eq!(case.files.into_iter().map(entry).collect::<Vec<_>>(), files, "{}", find.target);
        }
    }
}

#[test]
fn a_find_without_its_documents_is_broken() {
    for mut find in finds() {
        find.documents = Documents::default();
        assert!(start(&find, &Ask::default()).is_err(), "{}", find.target);
    }
}
