//! The reply targets reach every law that they can break, and the verifier gives the oracle's answers.
//!
//! `ASSIZE_RUNS` sets the number of inputs of each target (default 5,000), `ASSIZE_SEED` the stream. With fewer than about
//! 5,000 some laws are too rare for the tests.
use std::collections::BTreeMap;

use assize_corpus::handler;
use assize_corpus::testee::{Answer, Output, Request};
use assize_fuzzing::oracles::authority::request;
use assize_fuzzing::oracles::reply::{OracleAnswer, agree};
use assize_fuzzing::target::Target;
use assize_fuzzing::targets::{ReplyEnvelope, ReplyRegistry, ReplyTrace};
use assize_inputs::seed::noise;
use serde_json::{Value, json};

use crate::stream::setting;

/// Checks the inputs of a seeded stream, and counts the words of the verifier's answers to what they ask.
fn tally<T: Target>(asks: impl Fn(T::Input) -> Vec<Request>) -> BTreeMap<String, u64> {
    let first = setting("ASSIZE_SEED", 1) << 32;
    let mut tally = BTreeMap::new();
    for seed in 0..setting("ASSIZE_RUNS", 5_000) {
        let octets = noise(first + seed, (seed % 1_400) as usize);
        let input = T::decode(&octets).expect("every string stands for an input");
        T::check(&input).unwrap_or_else(|why| panic!("{why}"));
        for request in asks(input) {
            let words: Vec<String> = match handler::answer(&request) {
                Answer::Accept { out }
                    if out.get("advice").is_none_or(|advice| *advice == Output::Value(json!([]))) =>
                {
                    vec!["accept".to_owned()]
                }
                Answer::Accept { out } => {
                    let Output::Value(advice) = &out["advice"] else { panic!("{out:?}") };
                    let laws = advice.as_array().unwrap().iter().map(|one| one["law"].as_str().unwrap());
                    laws.map(|law| format!("advice {law}")).collect()
                }
                Answer::Reject { codes, .. } => codes.into_iter().collect(),
                other => panic!("{other:?}"),
            };
            words.iter().for_each(|word| *tally.entry(format!("{} {word}", request.op)).or_default() += 1);
        }
    }
    tally
}

/// Fails unless every one of these words was said often enough to mean something.
fn demand(tally: &BTreeMap<String, u64>, op: &str, words: &[&str]) {
    for word in words {
        let key = if word.starts_with("A_") || *word == "accept" {
            format!("{op} {word}")
        } else {
            match word.strip_prefix("advice ") {
                Some(law) => format!("{op} advice reply/{law}"),
                None => format!("{op} reply/{word}"),
            }
        };
        let times = tally.get(&key).copied().unwrap_or_default();
        assert!(times >= 5, "{key}: {times} times in {tally:#?}");
    }
}

/// What a code can break wherever it stands.
const CODE: [&str; 7] = [
    "code-shape",
    "layer-closed",
    "area-registered",
    "contract-area-gate",
    "type-closed",
    "layer-type-matrix",
    "accept",
];

#[test]
fn envelopes_reach_every_law_and_are_answered_alike() {
    let tally = tally::<ReplyEnvelope>(|input| {
        vec![
            request("reply.code", "code", input.code),
            request("reply.action", "envelope", input.envelope.as_slice()),
            request("reply.envelope", "envelope", input.envelope),
        ]
    });
    demand(&tally, "reply.code", &CODE);
    demand(&tally, "reply.code", &["advice number-from-one"]);
    demand(&tally, "reply.action", &["accept", "envelope-members", "type-closed", "A_JSON"]);
    demand(&tally, "reply.envelope", &CODE);
    let laws = ["envelope-members", "status-agrees", "error-agrees", "type-agrees", "no-auxiliary-outcome", "A_JSON"];
    demand(&tally, "reply.envelope", &laws);
    demand(&tally, "reply.envelope", &["advice envelope-members", "advice status-agrees", "advice number-from-one"]);
}

#[test]
fn registries_reach_every_law_and_are_answered_alike() {
    let tally = tally::<ReplyRegistry>(|input| {
        vec![
            request("reply.registry", "registry", input.registry.document),
            request("reply.source", "source", input.source.document),
        ]
    });
    demand(&tally, "reply.registry", &CODE);
    demand(
        &tally,
        "reply.registry",
        &[
            "code-unique",
            "code-never-reused",
            "single-registry",
            "code-registered",
            "legacy-retired",
            "axes-distinct",
            "type-agrees",
            "area-not-tool-name",
            "A_JSON",
            "A_INPUT",
            "advice code-never-reused",
            "advice legacy-retired",
            "advice type-agrees",
        ],
    );
    demand(&tally, "reply.source", &CODE);
    let laws = [
        "code-registered",
        "type-agrees",
        "builder-api",
        "no-forbidden-methods",
        "single-builder",
        "terminal-return",
        "no-raw-return",
        "A_JSON",
        "A_INPUT",
    ];
    demand(&tally, "reply.source", &laws);
}

#[test]
fn traces_reach_every_law_and_are_answered_alike() {
    let tally = tally::<ReplyTrace>(|input| {
        vec![
            request("reply.trace", "trace", input.trace.document),
            request("reply.build", "script", input.build.document),
            request("reply.wrap", "script", input.wrap.document),
        ]
    });
    demand(&tally, "reply.trace", &CODE);
    let laws = [
        "one-outcome",
        "reply-shape",
        "type-agrees",
        "single-builder",
        "builder-api",
        "no-forbidden-methods",
        "terminal-freeze",
        "terminal-return",
        "wrapper-pure",
        "crash-is-error",
        "no-raw-return",
        "A_JSON",
        "A_INPUT",
    ];
    demand(&tally, "reply.trace", &laws);
    demand(&tally, "reply.build", &["accept", "A_JSON", "A_INPUT"]);
    demand(&tally, "reply.wrap", &["accept", "A_JSON", "A_INPUT"]);
}

/// Scripts come to every end of a call: replies of each type, and calls that raise with the builder open and frozen.
#[test]
fn scripts_reach_every_end() {
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 0..setting("ASSIZE_RUNS", 5_000) {
        let input =
            ReplyTrace::decode(&noise(seed, (seed % 1_400) as usize)).expect("every string stands for an input");
        let Answer::Accept { out } = handler::answer(&request("reply.build", "script", input.build.document)) else {
            continue;
        };
        let Output::Value(results) = &out["results"] else { panic!("{out:?}") };
        let mut frozen = false;
        for result in results.as_array().unwrap() {
            let kind = result["reply_type"].as_str().unwrap_or(if frozen { "frozen" } else { "raised" });
            *ends.entry(kind.to_owned()).or_default() += 1;
            frozen |= ["I", "D", "E"].contains(&kind);
        }
        *ends.entry(format!("mutated {:?}", out["mutated"])).or_default() += 1;
    }
    for kind in ["S", "I", "D", "E", "raised", "frozen", "mutated Value(Bool(false))", "mutated Value(Null)"] {
        assert!(ends.get(kind).is_some_and(|times| *times >= 5), "{kind}: {ends:?}");
    }
}

const ENVELOPE: &str =
    r#"{"status":"error","reply_type":"I","data":null,"meta":{"trace_id":"","duration_ms":1},"error":null}"#;

/// A verifier that answers wrongly is caught: another law, place, class or verdict, advice that is missing, a crash.
#[test]
fn a_wrong_answer_is_a_disagreement() {
    let question = request("reply.envelope", "envelope", ENVELOPE);
    let right = agree(&question).unwrap();
    let oracle = OracleAnswer::to(&question).unwrap();
    let Answer::Reject { codes, out } = &right else { panic!("{right:?}") };
    assert_eq!(codes.len(), 2);
    let Output::Value(Value::Array(findings)) = &out["findings"] else { panic!("{out:?}") };
    let with = |findings: Vec<Value>| {
        let codes = findings.iter().map(|finding| finding["law"].as_str().unwrap().to_owned()).collect();
        Answer::Reject { codes, out: [("findings".to_owned(), Output::Value(findings.into()))].into() }
    };
    assert_eq!(oracle.demand(&with(findings.clone())), Ok(()));
    for (member, wrong) in
        [("law", "reply/type-agrees"), ("pointer", "/meta"), ("class", "gap"), ("severity", "warning")]
    {
        let mut findings = findings.clone();
        findings[0][member] = wrong.into();
        assert_eq!(oracle.demand(&with(findings)), Err("the findings"), "{member}");
    }
    assert!(oracle.demand(&with(findings[..1].to_vec())).is_err());
    assert!(
        oracle.demand(&Answer::Reject { codes: ["reply/error-agrees".to_owned()].into(), out: out.clone() }).is_err()
    );
    assert!(oracle.demand(&Answer::accept([("advice", Output::Value(json!([])))])).is_err());
    assert!(oracle.demand(&Answer::reject("A_JSON")).is_err());
    let fault = Answer::Fault { kind: "panic".to_owned(), message: String::new() };
    assert!(oracle.demand(&fault).is_err());

    let lawful = request(
        "reply.envelope",
        "envelope",
        ENVELOPE.replace(r#""error":null"#, r#""error":{"code":"WA-RES-I-000"}"#).replace(r#""""#, r#""t""#),
    );
    let Answer::Accept { mut out } = agree(&lawful).unwrap() else { panic!("a lawful envelope") };
    let Output::Value(Value::Array(advice)) = out["advice"].clone() else { panic!("{out:?}") };
    assert_eq!(advice.len(), 2);
    out.insert("advice".to_owned(), Output::Value(advice[..1].to_vec().into()));
    assert_eq!(OracleAnswer::to(&lawful).unwrap().demand(&Answer::Accept { out }), Err("the advice"));

    let trace = request("reply.trace", "trace", r#"{"steps":[{"op":"work","what":"w"},{"op":"return","raw":"dict"}]}"#);
    let Answer::Reject { codes, mut out } = agree(&trace).unwrap() else { panic!("a raw return") };
    out.insert("first_illegal".to_owned(), Output::Value(json!(0)));
    assert_eq!(OracleAnswer::to(&trace).unwrap().demand(&Answer::Reject { codes, out }), Err("an output"));
}

/// What no ruling settles may be answered in either way, and in no third one.
#[test]
fn what_is_open_may_be_answered_in_either_way() {
    let null = request("reply.registry", "registry", r#"{"registries":[{"active":[],"retired":null}]}"#);
    let oracle = OracleAnswer::to(&null).unwrap();
    assert_eq!(oracle.demand(&handler::answer(&null)), Ok(()));
    assert_eq!(oracle.demand(&Answer::reject("A_INPUT")), Ok(()));
    assert!(oracle.demand(&Answer::reject("A_JSON")).is_err());
    let finding = |law: &str, pointer: &str| {
        let out = json!([{"law": law, "class": "meaning", "pointer": pointer, "severity": "error"}]);
        Answer::Reject { codes: [law.to_owned()].into(), out: [("findings".to_owned(), Output::Value(out))].into() }
    };
    // In lower case it may be a legacy code, and is not one that is registered either way.
    let lower = request("reply.registry", "registry", r#"{"registries":[{"active":[],"aliases":{"db-x":"y"}}]}"#);
    let oracle = OracleAnswer::to(&lower).unwrap();
    assert_eq!(oracle.demand(&finding("reply/code-registered", "/registries/0/aliases/db-x")), Ok(()));
    assert!(oracle.demand(&finding("reply/legacy-retired", "/registries/0/aliases/db-x")).is_err());
    let ill = request("reply.envelope", "envelope", ENVELOPE.replace(r#""I""#, "7").replace(r#""""#, r#""t""#));
    let oracle = OracleAnswer::to(&ill).unwrap();
    for law in ["reply/type-closed", "reply/envelope-members"] {
        assert_eq!(oracle.demand(&finding(law, "/reply_type")), Ok(()), "{law}");
    }
    assert!(oracle.demand(&finding("reply/type-closed", "/status")).is_err());
    assert_eq!(oracle.demand(&Answer::accept([("advice", Output::Value(json!([])))])), Err("the verdict"));
}
