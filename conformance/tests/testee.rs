//! The binary as a testee: over a pipe it answers what it answers in this process, with receipts.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{BufRead as _, BufReader, Read as _, Write as _},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use assize_corpus::{
    handler::InProcess,
    operation::{self, Kind},
    store::{self, Store},
    testee::{Answer, Output, Request, Testee as _},
    trial,
    vector::{Case, Corpus},
};
use assize_verifier::{digest::Digest, operation::names};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::support::program;

/// Cases of each operation that go over the pipe.
const SAMPLE: usize = 80;

/// A running testee.
struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    schema: jsonschema::Validator,
}

impl Session {
    fn start() -> Self {
        let mut child = program(env!("CARGO_BIN_EXE_assize"))
            .arg("testee")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let schema = store::embedded("contracts/interface/protocol.schema.json").unwrap();
        let schema = jsonschema::validator_for(&serde_json::from_slice(schema).unwrap()).unwrap();
        Self { child, input, output, schema }
    }

    fn send(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        // A session that was ended early reads no further.
        let _ = input.write_all(line.as_bytes()).and_then(|()| input.write_all(b"\n"));
    }

    /// The next frame, which has the shape of its contract.
    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let frame: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        assert!(self.schema.is_valid(&frame), "{line}");
        frame
    }

    fn ask(&mut self, frame: &Value) -> Value {
        self.send(&frame.to_string());
        self.receive()
    }

    fn greet(&mut self) -> Value {
        self.ask(&hello(8 << 20))
    }

    /// Closes the input and returns what is left: exit code, standard output, standard error.
    fn end(mut self) -> (i32, String, String) {
        drop(self.input.take());
        let (mut out, mut err) = (String::new(), String::new());
        self.output.read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        (self.child.wait().unwrap().code().unwrap(), out, err)
    }
}

fn hello(line: usize) -> Value {
    json!({
        "t": "hello", "proto": [1, 1], "run": "r", "suite": {"rev": "", "sha256": "0".repeat(64)},
        "limits": {"line": line, "case_ms": 2000, "start_ms": 30000}, "unknown": {"members": ["are ignored"]},
    })
}

fn question(id: &str, request: &Request) -> Value {
    let docs: BTreeMap<_, _> = request
        .docs
        .iter()
        .map(|(name, bytes)| (name, json!({"b64": STANDARD.encode(bytes), "sha256": Digest::of(bytes).to_hex()})))
        .collect();
    let mut frame = json!({"t": "case", "id": id, "op": request.op, "args": request.args, "ms": 2000, "in": docs});
    if let Some(root) = &request.root {
        frame["root"] = root.to_str().unwrap().into();
    }
    frame
}

/// The answer that a frame carries.
fn carried(op: &str, frame: &Value) -> Answer {
    let accepts = frame["is"] == "accept";
    let operation = operation::table().find(op).unwrap();
    let out = frame.get("out").and_then(Value::as_object).into_iter().flatten().map(|(name, value)| {
        let output = match operation.kind(accepts, name).unwrap() {
            Kind::Doc => Output::Doc(value.as_str().unwrap().to_owned()),
            Kind::Bytes => Output::Bytes(STANDARD.decode(value.as_str().unwrap()).unwrap()),
            Kind::Value => Output::Value(value.clone()),
        };
        (name.clone(), output)
    });
    let out = out.collect();
    if accepts {
        return Answer::Accept { out };
    }
    let codes: BTreeSet<_> =
        frame["codes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()).collect();
    Answer::Reject { codes, out }
}

/// Cases spread over the whole of each operation's vectors.
fn sample(corpus: &Corpus) -> Vec<&Case> {
    let mut cases = Vec::new();
    for op in names() {
        let all: Vec<_> = corpus.cases.values().filter(|case| case.op == op).collect();
        assert!(!all.is_empty(), "{op}");
        cases.extend(all.iter().step_by((all.len() / SAMPLE).max(1)).copied());
    }
    cases
}

#[test]
fn answers_over_the_pipe_as_in_this_process() {
    let corpus = Corpus::load(&Store::embedded());
    let cases = sample(&corpus);
    assert!(cases.len() >= 500, "{}", cases.len());
    let mut session = Session::start();
    let greeting = session.greet();
    assert_eq!((&greeting["t"], &greeting["in_flight"]), (&"hello".into(), &64.into()));
    let declared: Vec<_> = greeting["ops"].as_object().unwrap().keys().map(String::as_str).collect();
    let table: BTreeSet<_> = names().collect();
    assert_eq!(declared, table.into_iter().collect::<Vec<_>>());
    let (mut served, mut chain) = (0, "0".repeat(64));
    for (number, case) in cases.into_iter().enumerate() {
        let Ok(prepared) = trial::prepare(case) else { continue };
        let id = format!("k-{number:04x}");
        let frame = session.ask(&question(&id, &prepared.request));
        assert_eq!((&frame["t"], &frame["id"]), (&"answer".into(), &id.as_str().into()), "{}: {frame}", case.id);
        // A folder of its own: some operations write into theirs.
        let here = trial::prepare(case).unwrap();
        assert_eq!(carried(&case.op, &frame), InProcess.answer(&here.request), "{}", case.id);
        let seen: BTreeMap<_, _> =
            prepared.request.docs.iter().map(|(name, bytes)| (name, Digest::of(bytes).to_hex())).collect();
        assert_eq!(frame["seen"], json!(seen), "{}", case.id);
        served += 1;
        chain = Digest::of(format!("{chain}\n{id}\n{}", frame["is"].as_str().unwrap()).as_bytes()).to_hex();
        if number % 100 == 0 {
            assert_eq!(session.ask(&json!({"t": "ping", "n": number})), json!({"t": "pong", "n": number}));
        }
    }
    assert_eq!(session.ask(&json!({"t": "bye"})), json!({"t": "bye", "served": served, "chain": chain}));
    assert_eq!(session.end(), (0, String::new(), String::new()));
}

fn request(op: &str, args: Value, docs: &[(&str, &[u8])]) -> Request {
    let docs = docs.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    Request { op: op.to_owned(), args: args.as_object().unwrap().clone(), docs, root: None }
}

#[test]
fn faults_and_unsupported_are_no_answers() {
    let mut session = Session::start();
    session.greet();
    let lawful = request("canon.bytes", json!({"profile": "episode"}), &[("doc", b"[1]")]);
    let mut bent = question("a", &lawful);
    bent["in"]["doc"]["sha256"] = "0".repeat(64).into();
    let frame = session.ask(&bent);
    assert_eq!((&frame["t"], &frame["kind"], &frame["id"]), (&"fault".into(), &"receipt".into(), &"a".into()));
    bent["in"]["doc"]["b64"] = "!".into();
    bent["id"] = "a2".into();
    assert!(session.ask(&bent)["message"].as_str().unwrap().contains("in.doc: b64 does not decode"));
    let unknown = session.ask(&question("b", &request("reply.poem", json!({}), &[])));
    assert_eq!(unknown, json!({"t": "unsupported", "id": "b", "feature": "reply.poem"}));
    let absent = session.ask(&question("c", &request("canon.bytes", json!({"profile": "episode"}), &[])));
    assert_eq!((&absent["is"], &absent["codes"]), (&"reject".into(), &json!(["A_INPUT"])));
    let bye = session.ask(&json!({"t": "bye"}));
    assert_eq!(bye["served"], 1);
    assert_eq!(session.end().0, 0);
}

#[test]
fn a_document_of_megabytes_is_answered() {
    let mut session = Session::start();
    session.greet();
    let text = format!("[{}1]", "\"0123456789abcdef\", ".repeat(300_000));
    let large = request("canon.bytes", json!({"profile": "sovereign"}), &[("doc", text.as_bytes())]);
    let frame = question("a", &large);
    assert!(frame.to_string().len() > 7 << 20);
    let answered = session.ask(&frame);
    assert_eq!(answered["seen"]["doc"], Digest::of(text.as_bytes()).to_hex());
    assert_eq!(carried("canon.bytes", &answered), InProcess.answer(&large));
    assert_eq!(session.end().0, 0);
}

#[test]
fn refuses_what_it_does_not_speak() {
    let mut session = Session::start();
    let mut later = hello(1000);
    later["proto"] = json!([2, 9]);
    assert_eq!(session.ask(&later), json!({"t": "refuse", "why": "proto", "supported": [1]}));
    assert_eq!(session.end(), (0, String::new(), String::new()));
}

#[test]
fn the_end_of_input_is_no_fault() {
    let mut session = Session::start();
    session.greet();
    assert_eq!(session.end(), (0, String::new(), String::new()));
    assert_eq!(Session::start().end(), (0, String::new(), String::new()));
}

#[test]
fn garbage_ends_the_session_with_a_message() {
    let long = "x".repeat(5000);
    for (line, message) in [
        ("garbage", "no complete frame"),
        ("", "no complete frame"),
        ("{\"t\":\"case\"", "no complete frame"),
        ("{\"t\":\"dance\"}", "unknown t \"dance\""),
        ("{\"t\":\"case\",\"id\":7}", "no case frame"),
        ("{\"t\":\"ping\"}", "no ping frame"),
        (&long, "longer than limits.line, 4096 bytes"),
    ] {
        let mut session = Session::start();
        session.ask(&hello(4096));
        session.send(line);
        let (code, out, err) = session.end();
        assert_eq!((code, out.as_str()), (3, ""), "{line}");
        assert!(err.contains("protocol error in line 2: ") && err.contains(message), "{err}");
        assert!(!err.contains("panicked"), "{err}");
    }
    let mut session = Session::start();
    session.send(r#"{"t":"bye"}"#);
    let (code, _, err) = session.end();
    assert!(code == 3 && err.contains("`bye` before hello"), "{err}");
}
