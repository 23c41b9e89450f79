//! The resolved form says what the corpus says: over every vector, checks and agreement come to the same answer.
//!
//! The checks are evaluated here by a reader of a few lines, as an emitted suite would; the other side is the corpus's own
//! comparison. Answers are the expected ones, and each of them changed in one place.

use std::collections::{BTreeMap, BTreeSet};

use assize_corpus::{
    agreement::{Outcome, Terms, is_registered, judge},
    node::Node,
    operation::{self, Kind},
    store::{self, Store},
    testee::{Answer, Output},
    vector::{Case, Corpus, Expect, Verdict},
};
use assize_generators::resolve::{self, Check, Demand, Resolved};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

/// An answer as one tree: documents stand in it parsed, bytes in base64.
struct View<'a> {
    tree: Node,
    out: &'a BTreeMap<String, Output>,
}

impl<'a> View<'a> {
    fn new(answer: &'a Answer) -> Self {
        let (is, codes, out) = match answer {
            Answer::Accept { out } => ("accept", BTreeSet::new(), out),
            Answer::Reject { codes, out } => ("reject", codes.clone(), out),
            other => panic!("{other:?}"),
        };
        let node = |output: &Output| match output {
            // What is not a document has no places.
            Output::Doc(text) => Node::parse(text).unwrap_or(Node::Null),
            Output::Bytes(bytes) => Node::Text(STANDARD.encode(bytes)),
            Output::Value(value) => Node::parse(&value.to_string()).unwrap(),
        };
        let members = [
            ("is", Node::Text(is.to_owned())),
            ("codes", Node::Array(codes.into_iter().map(Node::Text).collect())),
            ("out", Node::Object(out.iter().map(|(name, output)| (name.clone(), node(output))).collect())),
        ];
        Self { tree: Node::Object(members.map(|(name, node)| (name.to_owned(), node)).into()), out }
    }

    fn at(&self, pointer: &str) -> Option<&Node> {
        let mut node = &self.tree;
        for name in pointer.split('/').skip(1).map(|name| name.replace("~1", "/").replace("~0", "~")) {
            node = match node {
                Node::Object(members) => members.get(&name)?,
                Node::Array(items) => items.get(name.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        Some(node)
    }

    fn holds(&self, check: &Check) -> bool {
        if let Demand::Text(text) = &check.demand {
            let output = check.pointer.strip_prefix("/out/").and_then(|name| self.out.get(name));
            return matches!(output, Some(Output::Doc(doc)) if doc == text);
        }
        if check.demand == Demand::Spelled(true) {
            let output = check.pointer.strip_prefix("/out/").and_then(|name| self.out.get(name));
            return matches!(output, Some(Output::Doc(doc)) if Node::parse(doc).is_ok_and(|node| node.canonical() == *doc));
        }
        let Some(node) = self.at(&check.pointer) else {
            return false;
        };
        match (&check.demand, node) {
            (Demand::Canonical(text), node) => *node == Node::parse(text).unwrap(),
            (Demand::Codes(codes), Node::Array(items)) => {
                items.iter().filter_map(Node::text).eq(codes.iter().map(String::as_str))
            }
            (Demand::Registered(codes), Node::Array(items)) => items
                .iter()
                .filter_map(Node::text)
                .filter(|code| is_registered(code))
                .eq(codes.iter().map(String::as_str)),
            (Demand::Base64(text), node) => node.text() == Some(text),
            (Demand::Length(length), Node::Array(items)) => items.len() == *length,
            (Demand::Object(_), Node::Object(_)) => true,
            (Demand::Within(names), Node::Object(members)) => members.keys().all(|name| names.contains(name)),
            _ => false,
        }
    }
}

fn conforms(case: &Resolved, answer: &Answer) -> bool {
    let view = View::new(answer);
    case.expect.iter().any(|checks| checks.iter().all(|check| view.holds(check)))
}

/// The answer that an expectation spells out.
fn spelled_out(case: &Case, expect: &Expect) -> Answer {
    let operation = operation::table().find(&case.op).unwrap();
    let accepts = expect.is == Verdict::Accept;
    let output = |(name, expected): (&String, &assize_corpus::vector::Expected)| {
        let output = match operation.kind(accepts, name).unwrap() {
            Kind::Doc => Output::Doc(expected.node.canonical()),
            Kind::Bytes => Output::Bytes(expected.bytes().unwrap()),
            Kind::Value => Output::Value(serde_json::from_str(expected.raw.get()).unwrap()),
        };
        (name.clone(), output)
    };
    let out = expect.out.iter().map(output).collect();
    if accepts { Answer::Accept { out } } else { Answer::Reject { codes: expect.codes.clone(), out } }
}

type Outputs = BTreeMap<String, Output>;

/// The answer with other outputs.
fn with(answer: &Answer, change: impl FnOnce(&mut Outputs)) -> Answer {
    let mut changed = answer.clone();
    match &mut changed {
        Answer::Accept { out } | Answer::Reject { out, .. } => change(out),
        other => panic!("{other:?}"),
    }
    changed
}

/// Every value that differs from this one in one place.
fn one_place(value: &Value) -> Vec<Value> {
    let mut changed = vec![match value {
        Value::Null => json!(false),
        Value::Bool(flag) => json!(!flag),
        Value::Number(number) if number.is_f64() => json!(7),
        Value::Number(_) => json!(7.5),
        Value::String(text) => json!(format!("{text}x")),
        Value::Array(_) => json!({}),
        Value::Object(_) => json!([]),
    }];
    match value {
        Value::Array(items) => {
            changed.push(Value::Array(items.iter().cloned().chain([json!({"more": 1})]).collect()));
            for (index, item) in items.iter().enumerate() {
                for other in one_place(item) {
                    let mut items = items.clone();
                    items[index] = other;
                    changed.push(Value::Array(items));
                }
            }
        }
        Value::Object(members) => {
            let mut more = members.clone();
            more.insert("more".to_owned(), Value::Null);
            changed.push(Value::Object(more));
            for (name, member) in members {
                let mut fewer = members.clone();
                fewer.remove(name);
                changed.push(Value::Object(fewer));
                for other in one_place(member) {
                    let mut members = members.clone();
                    members.insert(name.clone(), other);
                    changed.push(Value::Object(members));
                }
            }
        }
        _ => {}
    }
    changed
}

/// Answers that are near to this one.
fn near(answer: &Answer) -> Vec<Answer> {
    let (Answer::Accept { out } | Answer::Reject { out, .. }) = answer else { return Vec::new() };
    let mut changed = vec![with(answer, |out| drop(out.insert("more".to_owned(), Output::Value(json!(1)))))];
    changed.push(match answer {
        Answer::Accept { out } => Answer::Reject { codes: ["A_JSON".to_owned()].into(), out: out.clone() },
        _ => Answer::Accept { out: out.clone() },
    });
    if let Answer::Reject { codes, .. } = answer {
        let more = codes.iter().cloned().chain(["A_MORE".to_owned()]).collect();
        changed.push(Answer::Reject { codes: more, out: out.clone() });
        changed.push(Answer::Reject { codes: BTreeSet::new(), out: out.clone() });
    }
    for (name, output) in out {
        changed.push(with(answer, |out| drop(out.remove(name))));
        let others: Vec<Output> = match output {
            Output::Bytes(bytes) => vec![Output::Bytes([bytes.as_slice(), b" "].concat()), Output::Bytes(Vec::new())],
            Output::Value(value) => one_place(value).into_iter().map(Output::Value).collect(),
            Output::Doc(text) => {
                let mut others = vec![Output::Doc(format!("{text} ")), Output::Doc("{".to_owned())];
                // Large documents are changed in a few of their places.
                let value = serde_json::from_str(text).unwrap();
                let places = one_place(&value);
                let step = 1 + places.len() / 20;
                others.extend(places.iter().step_by(step).map(|other| Output::Doc(other.to_string())));
                others
            }
        };
        let step = 1 + others.len() / 30;
        for other in others.into_iter().step_by(step) {
            changed.push(with(answer, |out| drop(out.insert(name.clone(), other))));
        }
    }
    changed
}

#[test]
fn checks_and_agreement_come_to_the_same_answer() {
    let corpus = Corpus::load(&Store::embedded());
    let (mut passed, mut failed) = (0_usize, 0_usize);
    for case in corpus.cases.values() {
        let resolved = Resolved::new(case, operation::table()).unwrap();
        for expect in case.answers() {
            let expected = spelled_out(case, expect);
            assert!(conforms(&resolved, &expected), "{}: its own answer", case.id);
            for answer in near(&expected) {
                let passes = judge(case, &answer, &Terms::default()).outcome == Outcome::Pass;
                assert_eq!(conforms(&resolved, &answer), passes, "{}: {answer:?}", case.id);
                *if passes { &mut passed } else { &mut failed } += 1;
            }
        }
    }
    println!("{passed} changed answers that still conform, {failed} that do not");
    assert!(passed > 1_000 && failed > 20_000, "{passed} {failed}");
}

#[test]
fn every_resolved_case_has_the_shape_of_its_schema_and_is_ascii() {
    let schema = serde_json::from_slice(store::embedded("contracts/interface/resolved.schema.json").unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for case in Corpus::load(&Store::embedded()).cases.values() {
        let text = resolve::json(&Resolved::new(case, operation::table()).unwrap()).unwrap();
        assert!(text.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{}", case.id);
        let errors: Vec<String> =
            validator.iter_errors(&serde_json::from_str(&text).unwrap()).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", case.id);
    }
    let broken = json!({"id": "a/b/c"});
    assert!(!validator.is_valid(&broken));
}
