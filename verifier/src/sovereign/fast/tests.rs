#![allow(clippy::string_slice, reason = "texts of these tests are cut where they are ASCII")]

use super::super::compare::compare_surfaces;
use super::super::laws::registry_lock;
use super::*;
use crate::canon::compose;
use crate::json::Document;
use crate::sovereign::model::breach::Side as Of;
use crate::sovereign::model::report::Cell;
use crate::sovereign::turn::Context;

const DIGEST: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// A turn as writers write it: white space, members in an order of their own, records of each outcome, escapes, issues
/// that come twice.
fn turn() -> String {
    let record = |ordinal: u32, outcome: &str, deny: &str, info: &str, reason: &str, provenance: &str| {
        format!(
            r#"{{"contract_version":"kernel_api/v1","decision_id":"{DIGEST}","run_id":"r","turn_id":"t","tool_name":"f\u0073","action":"w\n","ordinal":{ordinal},"stage":"capability","outcome":"{outcome}","deny_code":{deny},"info_code":{info},"reason":{reason},"provenance":{provenance}}}"#
        )
    };
    let provenance = format!(r#"{{"policy_source":"p","policy_digest":"{DIGEST}","rule_id":"r"}}"#);
    let records = [
        record(1, "allowed", "null", "null", "null", &provenance),
        record(0, "denied", "\"E_CAPABILITY_DENIED\"", "null", "null", "null"),
        record(10, "skipped", "null", "\"I_CAPABILITY_SKIPPED\"", "\"module_missing\"", "null"),
        record(9, "unresolved", "\"E_CAPABILITY_NOT_RESOLVED\"", "null", "null", "null"),
    ];
    let issue = |location: &str, details: &str| {
        format!(
            r#"{{"contract_version":"kernel_api/v1","level":"FAIL","stage":"policy","code":"E_X","location":"{location}","message":"a float 1.5, \ud800","details":{details}}}"#
        )
    };
    let deep = r#"{"n":1180591620717411303424,"m":[{"a":-1,"b":["\ud83d\ude00",null,true]},{"a":2}],"ü":{},"e":[]}"#;
    let issues =
        [issue("/a/b", deep), issue("/a~1", "{}"), issue("/a/b", deep), issue("/\\u0061", r#"{"message":"x"}"#)];
    format!(
        r#" {{"events":["x",1.0,-0],"transition":{{"prior_state_digest":null,"proposed_state_digest":"{DIGEST}","inputs_digest":"{DIGEST}","other_digest":"{DIGEST}","diff_summary":{{"x":1.5,"x":2}}}},
        "capabilities":{{"mode":"enabled","decisions":[{}],"denied_count":1.5}},"issues":[{}],"run_id":"r"}}
"#,
        records.join(" , "),
        issues.join(",")
    )
}

fn with<T>(judged: impl FnOnce(&Judge<'_>, &Context<'_>) -> T) -> T {
    let (stages, registry) = (StageOrder::load(None).expect("sealed"), registry_lock::local(None).expect("sealed"));
    let judge = Judge::new(&stages, &registry).expect("the contract has straight-line checks");
    judged(&judge, &Context { turn_id: "t", side: Of::A, stages: &stages, registry: &registry, records: None })
}

fn is_settled(a: &str, b: &str) -> bool {
    with(|judge, _| judge.compare((a.as_bytes(), b.as_bytes()), &mut Memory::default()).is_some())
}

/// Without this, nobody would notice that lawful turns take the long way.
#[test]
fn a_lawful_turn_is_settled() {
    let turn = turn();
    assert!(is_settled(&turn, &turn));
    let same = |from: &str, to: &str| {
        let other = turn.replacen(from, to, 1);
        assert_ne!(other, turn);
        with(|judge, _| match judge.compare((turn.as_bytes(), other.as_bytes()), &mut Memory::default()) {
            Some(Known::Equal) => true,
            Some(Known::Turns(_)) => false,
            None => panic!("{to}"),
        })
    };
    assert!(same("\"events\":[", "\"events\":[{},"));
    assert!(same("\"run_id\":\"r\"}\n", "\"run_id\":\"s\"}\n\n"));
    assert!(same("\"denied_count\":1.5", "\"denied_count\":{}"));
    for (from, to) in [
        ("a float", "another"),
        ("\"tool_name\":\"f\\u0073\"", "\"tool_name\":\"fs\""),
        ("\"ordinal\":9", "\"ordinal\":8"),
        ("other_digest", "an_other_digest"),
        ("\"prior_state_digest\":null", &format!("\"prior_state_digest\":\"{DIGEST}\"")),
        ("\"details\":{}", "\"details\":{\"x\":0}"),
    ] {
        assert!(!same(from, to), "{to}");
    }
}

/// What the walk takes for a lawful turn, and what the exact walk takes.
#[test]
fn a_turn_is_taken_as_the_exact_walk_takes_it() {
    let text = turn();
    let other = "{\"transition\":{},\"capabilities\":{\"decisions\":[]},\"issues\":[]}".replace(
        "{}",
        &format!(
            "{{\"prior_state_digest\":null,\"proposed_state_digest\":\"{DIGEST}\",\"inputs_digest\":\"{DIGEST}\"}}"
        ),
    );
    with(|judge, context| {
        let mut memory = Memory::default();
        let Some(Known::Turns(taken)) = judge.compare((text.as_bytes(), other.as_bytes()), &mut memory) else {
            panic!("lawful turns that differ");
        };
        for (taken, text) in taken.iter().zip([&text, &other]) {
            let document = Document::parse(text.as_bytes(), &Dialect::LAW).expect("JSON");
            let exact = Turn::take(&document, context);
            assert_eq!(exact.breaches, []);
            assert_eq!(taken.transition, exact.transition);
            assert_eq!(taken.canonical, exact.canonical);
            let records = |turn: &Turn<'_>| -> Vec<_> {
                let bytes = |record: &Record| turn.canonical[record.span.0..record.span.1].to_vec();
                turn.records.iter().map(|record| (record.ordinal.clone(), bytes(record))).collect()
            };
            assert_eq!(records(taken), records(&exact));
            let issues = |turn: &Turn<'_>| -> Vec<_> { turn.issues.iter().map(|issue| format!("{issue:?}")).collect() };
            assert_eq!(issues(taken), issues(&exact));
        }
        assert_eq!((taken[0].records.len(), taken[0].issues.len()), (4, 4));
    });
}

/// Issues that are left out make no difference: lists of few that are much alike, some of them spelled otherwise.
#[test]
fn turns_that_differ_give_the_rows_of_the_exact_walk() {
    let pool = [
        r#"{"stage":"policy","location":"/a","code":"E_X","details":{"n":1},"level":"FAIL"}"#,
        r#"{"stage":"policy","location":"/a","code":"E_X","details":{"n":1},"level":"WARN"}"#,
        r#"{"stage":"policy","location":"/a","code":"E_X","details":{},"level":"FAIL"}"#,
        r#"{"level":"FAIL","details":{"n":1},"code":"E\u005fX","location":"\/a","stage":"polic\u0079"}"#,
        r#"{"stage":"policy","location":"/b","code":"E_X","details":{"\u006e":1},"level":"FAIL"}"#,
        r#"{"stage":"lsi","location":"/a","code":"E_X","details":{"n":1},"level":"FAIL","message":"x"}"#,
    ];
    let turn = |issues: &[&str]| {
        let digests =
            format!("\"prior_state_digest\":null,\"proposed_state_digest\":\"{DIGEST}\",\"inputs_digest\":null");
        let list = issues.join(",");
        format!(r#"{{"transition":{{{digests}}},"capabilities":{{"decisions":[]}},"issues":[{list}]}}"#)
    };
    let mut state: u64 = 1;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    };
    let mut tally = [0; 3];
    with(|judge, context| {
        let mut memory = Memory::default();
        for _ in 0..600 {
            let list: Vec<&str> = (0..below(12)).map(|_| pool[below(pool.len())]).collect();
            let mut other = list.clone();
            for _ in 0..below(3) {
                let (end, issue) = (other.len(), pool[below(pool.len())]);
                match below(4) {
                    0 => other.insert(below(end + 1), issue),
                    1 if end > 0 => other.swap(0, end - 1),
                    _ if end > 0 => other[below(end)] = issue,
                    _ => {}
                }
            }
            let [a, b] = [list, other].map(|list| turn(&list));
            let documents = [&a, &b].map(|text| Document::parse(text.as_bytes(), &Dialect::LAW).expect("JSON"));
            let exact = documents.each_ref().map(|document| Turn::take(document, context));
            assert!(exact.iter().all(|turn| turn.breaches.is_empty()));
            let rows = |[a, b]: &[Turn<'_>; 2]| {
                let mut rows = Vec::new();
                compare_surfaces(&Cell::Name("t"), a, b, &mut rows);
                rows.iter().map(|row| format!("{row:?}")).collect::<Vec<_>>()
            };
            let known = judge.compare((a.as_bytes(), b.as_bytes()), &mut memory);
            let found = match known.expect("lawful turns") {
                Known::Equal => Vec::new(),
                Known::Turns(turns) => {
                    tally[0] += usize::from(turns[0].issues.len() < exact[0].issues.len());
                    rows(&turns)
                }
            };
            assert_eq!(found, rows(&exact), "{a}\n{b}");
            tally[if found.is_empty() { 1 } else { 2 }] += 1;
        }
    });
    assert!(tally.iter().all(|times| *times > 50), "{tally:?}");
}

/// Whatever one token of a lawful turn becomes: what the walk settles has no breach.
#[test]
fn what_is_settled_breaks_nothing() {
    let text = turn();
    let near = [&DIGEST[1..], &DIGEST.replace('f', "F"), "E_UNKNOWN_CODE", "a\\u0009", "\\ud800", "policy", "message"];
    let others: Vec<String> = [
        "null",
        "true",
        "0",
        "1",
        "-0",
        "1.5",
        "NaN",
        "1e2",
        "{}",
        "[]",
        "[1.5]",
        "{\"a\":1,\"a\":2}",
        "18446744073709551616",
    ]
    .map(String::from)
    .into_iter()
    .chain(near.map(|near| String::from_utf8(compose::string(near)).expect("UTF-8").replace("\\\\", "\\")))
    .collect();
    let mut judged = [0; 3];
    with(|judge, context| {
        let mut memory = Memory::default();
        for (start, end) in tokens(&text) {
            let doubled = format!("{0},{0}", &text[start..end]);
            for other in others.iter().map(String::as_str).chain([doubled.as_str(), ""]) {
                let changed = format!("{}{other}{}", &text[..start], &text[end..]);
                let settled = judge.compare((changed.as_bytes(), changed.as_bytes()), &mut memory).is_some();
                let lawful = Document::parse(changed.as_bytes(), &Dialect::LAW).is_ok_and(|document| {
                    let off = |place: &crate::json::JsonPointer| !safe_boundary::is_canonical_surface(place);
                    document.constant_where(off).is_none() && Turn::take(&document, context).breaches.is_empty()
                });
                assert!(lawful || !settled, "{changed}");
                judged[usize::from(lawful) + usize::from(settled)] += 1;
            }
        }
    });
    let [unlawful, left, settled] = judged;
    assert!(unlawful > 2_000 && settled > 500 && left * 10 < settled, "{judged:?}");
}

/// Scalars and names, as far as a text without quotes in strings goes.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = match rest.as_bytes()[0] {
            b'{' | b'}' | b'[' | b']' | b',' | b':' | b' ' | b'\n' => {
                at += 1;
                continue;
            }
            b'"' => rest[1..].find('"').expect("a closing quote") + 2,
            _ => rest.find([',', '}', ']']).expect("an end"),
        };
        found.push((at, at + length));
        at += length;
    }
    found
}
