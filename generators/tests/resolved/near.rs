//! Answers that are near to the right one, and forces that no vector has.

use std::collections::BTreeMap;

use assize_corpus::{
    node::{Node, push},
    operation::{Kind, Operation},
    testee::{Answer, Output},
    vector::{Case, Expect, Expected, Forces, Verdict},
};
use serde_json::{Value, json};

/// The answer that an expectation spells out.
pub(super) fn spelled_out(operation: &Operation, expect: &Expect) -> Answer {
    let accepts = expect.is == Verdict::Accept;
    let output = |(name, expected): (&String, &Expected)| {
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
            for member in [json!(null), json!([]), json!({}), json!([[]])] {
                let mut more = members.clone();
                more.insert("more".to_owned(), member);
                changed.push(Value::Object(more));
            }
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

/// Answers that are near to this one: each differs in one place, or in its spelling and one place.
pub(super) fn near(answer: &Answer) -> Vec<Answer> {
    let (Answer::Accept { out } | Answer::Reject { out, .. }) = answer else { return Vec::new() };
    let mut changed = vec![with(answer, |out| drop(out.insert("more".to_owned(), Output::Value(json!(1)))))];
    changed.extend(other_verdicts(answer));
    if let Answer::Reject { codes, .. } = answer {
        let more = ["A_MORE", "E_MORE", "law/more", "ABORT"].map(str::to_owned);
        for code in codes.iter().cloned().chain(more) {
            let mut others = codes.clone();
            if !others.remove(&code) {
                others.insert(code);
            }
            changed.push(Answer::Reject { codes: others, out: out.clone() });
        }
        changed.push(Answer::Reject { codes: ["E_OTHER".to_owned()].into(), out: out.clone() });
    }
    for (name, output) in out {
        changed.push(with(answer, |out| drop(out.remove(name))));
        let others = other_outputs(output);
        // Large documents are changed in some of their places.
        let step = 1 + others.len() / 30;
        for other in others.into_iter().step_by(step) {
            changed.push(with(answer, |out| drop(out.insert(name.clone(), other))));
        }
    }
    changed
}

fn other_verdicts(answer: &Answer) -> Vec<Answer> {
    let codes = |code: &str| [code.to_owned()].into();
    match answer {
        Answer::Accept { out } => vec![
            Answer::Reject { codes: codes("A_JSON"), out: out.clone() },
            Answer::Reject { codes: codes("E_OTHER"), out: Outputs::new() },
        ],
        Answer::Reject { out, .. } => {
            vec![Answer::Accept { out: out.clone() }, Answer::Accept { out: Outputs::new() }]
        }
        other => panic!("{other:?}"),
    }
}

fn other_outputs(output: &Output) -> Vec<Output> {
    match output {
        Output::Bytes(bytes) => {
            let text = String::from_utf8_lossy(bytes).into_owned();
            vec![
                Output::Bytes([bytes.as_slice(), b" "].concat()),
                Output::Bytes(Vec::new()),
                Output::Value(json!(text)),
                Output::Doc(text),
            ]
        }
        Output::Value(value) => {
            let mut others = vec![Output::Doc(value.to_string()), Output::Bytes(value.to_string().into_bytes())];
            others.extend(one_place(value).into_iter().map(Output::Value));
            others
        }
        Output::Doc(text) => {
            let value: Value = serde_json::from_str(text).unwrap();
            let mut others = vec![
                Output::Doc(format!("{text} ")),
                Output::Doc("{".to_owned()),
                Output::Value(value.clone()),
                Output::Bytes(text.clone().into_bytes()),
            ];
            let places = one_place(&value);
            let step = 1 + places.len() / 20;
            for (index, other) in places.iter().step_by(step).enumerate() {
                let space = if index % 2 == 0 { "" } else { " " };
                others.push(Output::Doc(format!("{other}{space}")));
            }
            others
        }
    }
}

/// The case with forces that are drawn for places of its answers, the same ones every time.
pub(super) fn drawn(case: &Case, operation: &Operation) -> Case {
    let mut draw = Draw::new(&case.id);
    let mut places = Vec::new();
    for expect in case.answers() {
        for (name, expected) in &expect.out {
            let mut pointer = "/out".to_owned();
            push(&mut pointer, name);
            // Nothing lies below bytes.
            if operation.kind(expect.is == Verdict::Accept, name) == Some(Kind::Bytes) {
                places.push(pointer);
            } else {
                listed(&expected.node, &mut pointer, &mut places);
            }
        }
    }
    let mut forces = json!({"/is": draw.force()});
    for _ in 0..8.min(places.len()) {
        let mut steps: Vec<&str> = places[draw.below(places.len())].split('/').collect();
        for step in steps.iter_mut().skip(3) {
            if draw.below(3) == 0 {
                *step = "*";
            }
        }
        forces[steps.join("/")] = draw.force();
    }
    let mut case = case.clone();
    case.force = serde_json::from_value::<Forces>(forces).unwrap();
    case
}

/// Every place of a value, and one more below each container.
fn listed(node: &Node, pointer: &mut String, places: &mut Vec<String>) {
    places.push(pointer.clone());
    let length = pointer.len();
    let below: Vec<(String, Option<&Node>)> = match node {
        Node::Object(members) => {
            let more = [("more".to_owned(), None)];
            members.iter().map(|(name, member)| (name.clone(), Some(member))).chain(more).collect()
        }
        Node::Array(items) => {
            let more = [(items.len().to_string(), None)];
            items.iter().enumerate().map(|(index, item)| (index.to_string(), Some(item))).chain(more).collect()
        }
        _ => Vec::new(),
    };
    for (name, node) in below {
        push(pointer, &name);
        match node {
            Some(node) => listed(node, pointer, places),
            None => places.push(pointer.clone()),
        }
        pointer.truncate(length);
    }
}

/// Numbers that follow from a name (xorshift over FNV-1a).
struct Draw(u64);

impl Draw {
    fn new(name: &str) -> Self {
        let hash = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(name.bytes().fold(0xcbf2_9ce4_8422_2325, hash) | 1)
    }

    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap()).unwrap()
    }

    fn force(&mut self) -> Value {
        json!(["spec", "interface", "ruling X-1", "ruling X-2", "permitted"][self.below(5)])
    }
}
