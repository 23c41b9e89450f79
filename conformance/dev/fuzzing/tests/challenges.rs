//! Challenges, judged by second sources that share no code with the verifier nor with the makers.
//!
//! A challenge with a wrong expectation would condemn an innocent. Python answers those of the canonical forms, of both modes of
//! comparison, of packs that are made, of contracts and receipts of episodes, of recorders and audits, and of the authority, kernel and reply
//! systems; a contract of the sovereign system is judged by its sealed schema. Of a pack in another layout, Python says that nothing
//! differs which is bound, and of one with a file more, that this is all.
//! What none of them answers is only held against the built-in verifier, in the corpus's own tests; no operation
//! is without a second source for some of its challenges.
//!
//! `ASSIZE_CHALLENGE_SEEDS` says how many seeds are drawn.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use assize_corpus::agreement::{Outcome, Terms, asserted, judge};
use assize_corpus::challenge::{ALL, every_challenge};
use assize_corpus::node::Node;
use assize_corpus::observe::observed;
use assize_corpus::store::{self, Store};
use assize_corpus::testee::{Answer, Output};
use assize_corpus::vector::{Agreement, Case, Corpus, Entry, Verdict};
use assize_fuzzing::oracles::authority::in_terms;
use assize_fuzzing::oracles::canonical_forms::{Form, SecondSource};
use assize_fuzzing::oracles::reply::wrapped;
use assize_fuzzing::oracles::{law_mode, sovereign};
use assize_oracle::kernel::Question;
use assize_oracle::{Canonical, Files, PythonProfile, authority, canonical, comparator, episode, kernel, reply};
use assize_verifier::canon::Profile;
use jsonschema::{Registry, Validator};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The relation of packs, of which a second source can tell that nothing differs which their answer rests on.
const LAYOUT: &str = "other-layout-of-pack";
/// The relation of packs that adds what no part of a pack binds.
const UNSIGNED: &str = "further-unsigned-file";

/// What a second source answers; nothing where it has no say.
fn answer(case: &Case) -> Option<Answer> {
    match case.op.as_str() {
        "canon.bytes" => canon(case),
        "sovereign.compare" if law_mode::knows(case) => law_mode::of_case(case).ok(),
        "sovereign.compare" => reference(case),
        "sovereign.report_id" | "sovereign.decision_id" | "sovereign.registry_digest" => identity(case),
        op if op.starts_with("authority.") => assize_fuzzing::oracles::authority::oracle(&case.request(None))
            .ok()
            .filter(|answer| *answer != Answer::reject("A_LIMIT")),
        op if sovereign::knows(op) => {
            sovereign::of_case(case).ok().filter(|answer| *answer != Answer::reject("A_LIMIT"))
        }
        "sovereign.contract" => contract(case),
        "sovereign.deny_code" => deny_code(case),
        "sovereign.order" => order(case),
        "episode.contract" => episode_contract(case),
        "episode.hashes" | "episode.receipt" => assize_fuzzing::oracles::episode::oracle(&case.request(None)).ok(),
        "episode.pack" => made(case),
        op if op.starts_with("kernel.") => home(case),
        "reply.wrap" => wrapped(&case.request(None)).ok(),
        op if op.starts_with("reply.") => said(case),
        _ => None,
    }
}

/// What the second maker answers, and what would be seen of a pack that is as its own.
fn made(case: &Case) -> Option<Answer> {
    let request = case.request(None);
    let file = |entry: &Entry| match entry {
        Entry::File(document) => Some(document.bytes()),
        _ => None,
    };
    let files = case.files.iter().map(|(path, entry)| (path.clone(), file(entry))).collect();
    let text = |name: &str| request.args.get(name)?.as_str();
    let (now, private_key) = (text("now")?, text("private_key")?);
    let question =
        assize_oracle::episode::Question { contract: request.docs.get("contract")?, files: &files, now, private_key };
    let made = assize_oracle::episode::make(&question, None).ok()?;
    let outputs = match made.answer {
        authority::OracleAnswer::Reject(codes) => {
            return Some(Answer::Reject { codes, out: [("pack".to_owned(), Output::Value(Value::Null))].into() });
        }
        authority::OracleAnswer::Accept(outputs) => outputs,
    };
    let value = |text: &String| serde_json::from_str::<Value>(text).ok();
    let (statuses, hashes) = made.steps?;
    let mut pack = serde_json::json!({
        "verdict": "MATCH", "errors": made.faults.iter().map(Vec::len).sum::<usize>(), "contract_as_given": true,
        "inputs_as_given": true, "signed_by_key": true, "statuses": value(&statuses)?, "output_hashes": value(&hashes)?,
    });
    let mut out = BTreeMap::new();
    for (name, text) in &outputs {
        pack.as_object_mut()?.insert(name.clone(), value(text)?);
        out.insert(name.clone(), Output::Value(value(text)?));
    }
    out.insert("pack".to_owned(), Output::Value(pack));
    Some(Answer::Accept { out })
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|octet| format!("{octet:02x}")).collect()
}

/// Python's writer for two profiles, another library's for the others; what is refused is predicted from Python's own reading.
fn canon(case: &Case) -> Option<Answer> {
    let octets = case.inputs.get("doc")?.bytes();
    let profile = match case.args.get("profile")?.as_str()? {
        "jcs" => Profile::Episode,
        name => Profile::ALL.into_iter().find(|profile| profile.name() == name)?,
    };
    Some(match SecondSource::read(&octets).ok()?.form(profile).ok()?? {
        Form::Bytes(octets) => {
            let digest = Value::from(sha256(&octets));
            Answer::accept([("bytes".to_owned(), Output::Bytes(octets)), ("sha256".to_owned(), Output::Value(digest))])
        }
        Form::Unreadable => Answer::reject("A_JSON"),
        Form::Refused(_) if profile == Profile::Sovereign => Answer::reject("E_CANONICALIZATION_ERROR"),
        Form::Refused(_) => Answer::reject("A_VALUE"),
    })
}

/// The sealed comparator.
fn reference(case: &Case) -> Option<Answer> {
    if case.args.get("mode")?.as_str()? != "reference"
        || case.inputs.contains_key("registry")
        || case.inputs.contains_key("stage_order")
    {
        return None;
    }
    let mut files = BTreeMap::new();
    for (path, entry) in &case.files {
        let Entry::File(document) = entry else { return None };
        files.insert(path.clone(), document.bytes());
    }
    let (a, b) = (case.inputs.get("bundle_a")?.bytes(), case.inputs.get("bundle_b")?.bytes());
    let question = comparator::Case { bundle_a: &a, bundle_b: &b, stage_order: None, files: Files::Memory(&files) };
    match comparator::compare(&question).ok()? {
        comparator::Outcome::Report(octets) => {
            Some(Answer::accept([("report".to_owned(), Output::Doc(String::from_utf8(octets).ok()?))]))
        }
        comparator::Outcome::Abort(class) => {
            let out = [("exception".to_owned(), Output::Value(class.to_string().into()))].into();
            Some(Answer::Reject { codes: ["ABORT".to_owned()].into(), out })
        }
    }
}

/// Python's canonical form of a record with its own id null, through another SHA-256.
fn identity(case: &Case) -> Option<Answer> {
    let (document, output) = match case.op.as_str() {
        "sovereign.report_id" => ("report", "report_id"),
        "sovereign.decision_id" => ("record", "decision_id"),
        _ => ("registry", "digest"),
    };
    // What has no id is judged elsewhere, by the reasons that the rulings give.
    if case.expect.is == Verdict::Reject {
        return None;
    }
    let mut value: Value = serde_json::from_slice(&case.inputs.get(document)?.bytes()).ok()?;
    // A record is digested in members that have to be there, a report with its rows in order: neither is put right here.
    let rows = value.get("mismatches").and_then(Value::as_array).map_or(0, Vec::len);
    if output == "decision_id" {
        let schema = schema("contracts/sovereign/capability-decision-record.schema.json");
        let members = schema["properties"].as_object()?;
        value.as_object_mut()?.retain(|name, _| members.contains_key(name));
        if value.as_object()?.len() != members.len() {
            return None;
        }
    }
    if rows > 1 {
        return None;
    }
    match output {
        "decision_id" => drop(value.as_object_mut()?.remove(output)),
        "report_id" => drop(value.as_object_mut()?.insert(output.to_owned(), Value::Null)),
        _ => {}
    }
    for row in value.get_mut("mismatches").and_then(Value::as_array_mut).into_iter().flatten() {
        row.as_object_mut()?.insert("diagnostic".to_owned(), Value::Null);
    }
    let text = serde_json::to_string(&value).ok()?;
    match canonical(PythonProfile::Sovereign, text.as_bytes()).ok()? {
        Canonical::Bytes(octets) => Some(Answer::accept([(output.to_owned(), Output::Value(sha256(&octets).into()))])),
        _ => None,
    }
}

fn schema(path: &str) -> Value {
    serde_json::from_slice(store::embedded(path).expect("a schema")).expect("JSON")
}

/// The sealed and written schemas, by another library.
static CONTRACTS: LazyLock<BTreeMap<&str, Validator>> = LazyLock::new(|| {
    const NAMES: [&str; 7] = [
        "capability-decision-record",
        "error-codes",
        "kernel-issue",
        "replay-bundle",
        "replay-report",
        "stage-order",
        "turn-result",
    ];
    let schemas = NAMES.map(|name| (name, schema(&format!("contracts/sovereign/{name}.schema.json"))));
    let mut registry = Registry::new();
    for (_, schema) in &schemas {
        registry = registry.add(schema["$id"].as_str().expect("an id"), schema.clone()).expect("a schema");
    }
    let registry = registry.prepare().expect("schemas");
    let build =
        |schema: &Value| jsonschema::options().with_registry(&registry).offline().build(schema).expect("a schema");
    schemas.iter().map(|(name, schema)| (*name, build(schema))).collect()
});

/// A contract of the sovereign system, where the text is JSON for everyone.
fn contract(case: &Case) -> Option<Answer> {
    let text = String::from_utf8(case.inputs.get("doc")?.bytes()).ok()?;
    let value: Value = plain(&text)?;
    let validator = CONTRACTS.get(case.args.get("contract")?.as_str()?)?;
    Some(if validator.is_valid(&value) { Answer::accept::<String>([]) } else { Answer::reject("A_SCHEMA") })
}

/// The value of a text without a repeated name, half a pair, a number that this reader changes, or one that is an integer by its value
/// and not by its token.
fn plain(text: &str) -> Option<Value> {
    fn has_other_numbers(node: &Node) -> bool {
        const LARGEST: i64 = 9_007_199_254_740_991;
        match node {
            Node::Number(token) => token.parse::<i64>().map_or(true, |number| number.abs() > LARGEST),
            Node::Array(items) => items.iter().any(has_other_numbers),
            Node::Object(members) => members.values().any(has_other_numbers),
            _ => false,
        }
    }
    let node = Node::parse(text).ok()?;
    let value: Value = serde_json::from_str(text).ok()?;
    (Node::from(&value) == node && !has_other_numbers(&node)).then_some(value)
}

/// The schema of an episode contract; which further law a lawful shape breaks is not asked.
fn episode_contract(case: &Case) -> Option<Answer> {
    static CONTRACT: LazyLock<Validator> = LazyLock::new(|| {
        jsonschema::options()
            .offline()
            .build(&schema("contracts/episode/episode-contract.schema.json"))
            .expect("a schema")
    });
    let value = plain(&String::from_utf8(case.inputs.get("contract")?.bytes()).ok()?)?;
    let valid = CONTRACT.is_valid(&value);
    let unlawful = case.expect.codes.iter().any(|code| code.starts_with("episode/"));
    match (valid, unlawful) {
        (false, _) => Some(Answer::reject("A_SCHEMA")),
        (true, true) => None,
        (true, false) => Some(Answer::accept::<String>([])),
    }
}

/// The first of the three conditions that holds.
fn deny_code(case: &Case) -> Option<Answer> {
    const PRECEDENCE: [&str; 3] = ["E_SIDE_EFFECT_UNDECLARED", "E_CAPABILITY_DENIED", "E_PERMISSION_DENIED"];
    let conditions: Vec<String> = serde_json::from_slice(&case.inputs.get("conditions")?.bytes()).ok()?;
    if !conditions.iter().all(|condition| PRECEDENCE.contains(&condition.as_str())) {
        return None;
    }
    let first = PRECEDENCE.iter().find(|code| conditions.iter().any(|condition| condition == *code));
    Some(Answer::accept([("deny_code".to_owned(), Output::Value(first.copied().into()))]))
}

/// Rows by the five members of the law, then by their digests, null first; for rows that are well formed.
fn order(case: &Case) -> Option<Answer> {
    let stages = schema("contracts/sovereign/stage-order-v1.json");
    let stages: Vec<&str> = stages["stage_order"].as_array()?.iter().filter_map(Value::as_str).collect();
    if case.expect.is == Verdict::Reject || case.inputs.contains_key("stage_order") {
        return None;
    }
    let mut rows: Vec<Value> = serde_json::from_slice(&case.inputs.get("mismatches")?.bytes()).ok()?;
    let text = |row: &Value, name: &str| row[name].as_str().map(str::to_owned);
    rows.sort_by_cached_key(|row| {
        let stage = stages.iter().position(|stage| row["stage_name"] == *stage).unwrap_or(stages.len());
        let ordinal = row["ordinal"].to_string();
        (
            text(row, "turn_id"),
            stage,
            (ordinal.len(), ordinal),
            text(row, "surface"),
            text(row, "path"),
            text(row, "expected_digest"),
            text(row, "actual_digest"),
        )
    });
    // Another reader's floats are not the tokens of the text.
    let whole = rows.iter().all(|row| row["ordinal"].is_u64());
    let text = serde_json::to_string(&rows).ok()?;
    whole.then(|| Answer::accept([("mismatches".to_owned(), Output::Doc(text))]))
}

/// The answer to a pack, if in another layout nothing of it differs that is bound: it is then the answer to the first.
fn layout(case: &Case, base: &Case) -> Option<Answer> {
    let files = |case: &Case| -> Option<BTreeMap<String, Vec<u8>>> {
        let file = |(path, entry): (&String, &Entry)| match entry {
            Entry::File(document) => Some((path.clone(), document.bytes())),
            _ => None,
        };
        case.files.iter().map(file).collect()
    };
    let (before, after) = (files(base)?, files(case)?);
    let same = episode::same_but_for_layout(&before, &after).expect("the oracle");
    assert!(same, "{}: another pack", base.id);
    Some(asserted(base, &base.expect))
}

/// The answer to a pack of which nothing differs but what lies in the folder that EP-14 has ignored.
fn unsigned(case: &Case, base: &Case) -> Option<Answer> {
    let signed = |case: &Case| -> Option<BTreeMap<String, Vec<u8>>> {
        let signed = case.files.iter().filter(|(path, _)| !path.starts_with("_unsigned/"));
        let file = |(path, entry): (&String, &Entry)| match entry {
            Entry::File(document) => Some((path.clone(), document.bytes())),
            _ => None,
        };
        signed.map(file).collect()
    };
    assert_eq!(signed(base)?, signed(case)?, "{}: another pack", base.id);
    Some(asserted(base, &base.expect))
}

/// What is bound by bytes or by value is told from what is laid out otherwise.
#[test]
fn another_pack_is_told_from_another_layout() {
    let pack = |changed: &[(&str, &str)]| -> BTreeMap<String, Vec<u8>> {
        let files = [
            ("pack_manifest.json", r#"{"files":{"inputs/a.json":1,"recorded_traces/listed.json":1}}"#),
            ("episode_contract.json", r#"{"environment":{"model_version_hint":"m"},"n":1}"#),
            ("inputs/a.json", "[1]"),
            ("recorded_traces/a.json", r#"{"a":1,"b":2}"#),
            ("recorded_traces/listed.json", "[1]"),
        ];
        let laid = files.iter().chain(changed).map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec()));
        laid.collect()
    };
    let same = |changed: &[(&str, &str)]| episode::same_but_for_layout(&pack(&[]), &pack(changed)).expect("the oracle");
    for layout in [
        ("recorded_traces/a.json", r#"{ "b": 2, "\u0061": 1.0 }"#),
        ("episode_contract.json", r#"{"n": 1, "environment": {"model_version_hint": null}}"#),
        ("episode_contract.json", r#"{"n":1,"environment":{}}"#),
    ] {
        assert!(same(&[layout]), "{layout:?}");
    }
    for other in [
        ("recorded_traces/a.json", r#"{"a":1,"b":3}"#),
        ("recorded_traces/listed.json", "[ 1 ]"),
        ("recorded_traces/more.json", "[1]"),
        ("inputs/a.json", "[ 1 ]"),
        ("episode_contract.json", r#"{"environment":{"model_version_hint":"m"},"n":2}"#),
        ("episode_contract.json", r#"{"environment":{"model_version_hint":1},"n":1}"#),
        ("pack_manifest.json", "{}"),
    ] {
        assert!(!same(&[other]), "{other:?}");
    }
}

fn home(case: &Case) -> Option<Answer> {
    let documents = case.inputs.iter().map(|(name, document)| (name.clone(), document.bytes())).collect();
    let mut files = BTreeMap::new();
    for (path, entry) in &case.files {
        let content = match entry {
            Entry::File(document) => Some(document.bytes()),
            Entry::Directory => None,
            _ => return None,
        };
        files.insert(path.clone(), content);
    }
    let args = Value::Object(case.args.clone()).to_string();
    let question = Question { op: &case.op, args: &args, documents: &documents, files: &files };
    Some(in_terms(&case.op, kernel::ask(&question).expect("the oracle")).expect("outputs of the operation"))
}

fn said(case: &Case) -> Option<Answer> {
    let document = case.inputs.values().next()?.bytes();
    let answer: Value = serde_json::from_str(&reply::answer(&case.op, &document).expect("the oracle")).ok()?;
    let members = answer["out"].as_object()?;
    let out = members.iter().map(|(name, value)| (name.clone(), Output::Value(value.clone()))).collect();
    Some(match answer["is"].as_str()? {
        "accept" => Answer::Accept { out },
        _ => {
            let codes = answer["codes"].as_array()?.iter();
            Answer::Reject { codes: codes.filter_map(|code| code.as_str().map(str::to_owned)).collect(), out }
        }
    })
}

/// Judged challenges of the rarest relation for each seed, and never fewer: it holds for some eleven cases, of which a draw may miss some.
const RAREST: usize = 8;

/// Samples of every relation and maker, and where seeds are asked for at least [`RAREST`] of each for every one of them.
#[test]
fn no_challenge_is_wrong_by_a_second_source() {
    let asked = std::env::var("ASSIZE_CHALLENGE_SEEDS").ok();
    let seeds: usize = asked.as_ref().map_or(1, |count| count.parse().expect("a number of seeds"));
    let corpus = Corpus::load(&Store::embedded());
    let (mut judged, mut unjudged) = (BTreeMap::<&str, usize>::new(), BTreeMap::<(&str, String), usize>::new());
    let (mut wrong, mut pairs) = (Vec::new(), BTreeSet::new());
    for seed in 0..seeds {
        let seed = format!("second source {seed}");
        // Without the gate every seventh case is asked.
        for case in corpus.cases.values().skip(seed.len() % 7).step_by(if asked.is_some() { 1 } else { 7 }) {
            for challenge in every_challenge(case, &seed) {
                let mut case = challenge.case;
                let answer = match (challenge.relation, corpus.cases.get(&challenge.base)) {
                    (LAYOUT, Some(base)) => layout(&case, base),
                    (UNSIGNED, Some(base)) => unsigned(&case, base),
                    _ => answer(&case),
                };
                let Some(answer) = answer else {
                    *unjudged.entry((challenge.relation, case.op)).or_default() += 1;
                    continue;
                };
                // A testee may be let off with the verdict alone; the expectation is held to its every word.
                if case.agreement == Agreement::Verdict && case.op.starts_with("authority.") {
                    case.agreement = Agreement::Located;
                }
                pairs.insert((challenge.relation, case.op.clone()));
                *judged.entry(challenge.relation).or_default() += 1;
                // What the harness sees in an answer it sees in this one too; no second source has a folder.
                let answer = if case.wants_root() { answer } else { observed(&case.request(None), answer) };
                let judgement = judge(&case, &answer, &Terms::default());
                if judgement.outcome != Outcome::Pass {
                    let places: Vec<_> = judgement.mismatches.iter().map(ToString::to_string).collect();
                    wrong.push(format!(
                        "{} of {}: {}\n  {}",
                        challenge.relation,
                        challenge.base,
                        judgement.outcome,
                        places.join("\n  ")
                    ));
                }
            }
        }
    }
    println!("judged: {judged:?}\nwithout a second source: {unjudged:?}");
    assert!(wrong.is_empty(), "{} of {judged:?} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    let none: BTreeSet<_> =
        ALL.iter().map(|relation| relation.name).filter(|name| !judged.contains_key(name)).collect();
    assert!(none.is_empty(), "{none:?} of {judged:?}");
    if asked.is_none() {
        return;
    }
    let without: BTreeSet<_> = unjudged.keys().filter(|pair| !pairs.contains(*pair)).collect();
    assert!(without.is_empty(), "no second source answers {without:?}");
    println!("{} judged", judged.values().sum::<usize>());
    let rare: Vec<_> = judged.iter().filter(|(_, count)| **count < RAREST * seeds).collect();
    assert!(rare.is_empty(), "{rare:?} of {seeds} seeds, where at least {RAREST} of each are due");
}
