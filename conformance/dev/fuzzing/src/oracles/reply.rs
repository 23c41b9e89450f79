//! The reply operations, asked of the verifier and of the Python oracle.
//!
//! Spec: Canonical Reply System Architecture (Final); rulings RE-25 to RE-43.
//!
//! What no ruling settles is not compared, and the oracle tells what that is: laws that may be named at a place or not, the class
//! or the blame of a finding, a refusal of input beside a judgement. Never compared are the texts of advice, where it stands that
//! codes were removed without a list of the retired, and how many aliases it is given for.

use std::collections::BTreeSet;

use assize_corpus::handler;
use assize_corpus::testee::{Answer, Output, Request};
use assize_oracle::reply;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// What the oracle says to a request.
#[derive(Debug, Clone, Deserialize)]
pub struct OracleAnswer {
    is: String,
    #[serde(default)]
    codes: BTreeSet<String>,
    out: Map<String, Value>,
    /// Laws, or `*` for every one, each with the place where it is open whether they are named.
    #[serde(default)]
    open: Vec<(String, String)>,
    /// Whether the input may as well be refused.
    #[serde(default)]
    refusable: bool,
}

/// A member of a finding or of advice.
fn member<'v>(value: &'v Value, name: &str) -> &'v str {
    value.get(name).and_then(Value::as_str).unwrap_or_default()
}

impl OracleAnswer {
    /// Asks the oracle.
    ///
    /// # Errors
    /// The oracle broke.
    pub fn to(request: &Request) -> Result<Self, String> {
        let document = request.docs.values().next().ok_or("no document")?;
        let text = reply::answer(&request.op, document).map_err(|error| format!("the oracle broke: {error}"))?;
        serde_json::from_str(&text).map_err(|error| format!("the oracle said {text}: {error}"))
    }

    /// Whether it is open that a finding, or advice, is given.
    fn is_open(&self, one: &Value) -> bool {
        let (law, pointer) = (member(one, "law"), member(one, "pointer"));
        self.open.iter().any(|(open, place)| (open == law || open == "*") && place == pointer)
    }

    /// Those of some findings, or of some advice, that are not open.
    fn settled<'v>(&self, all: Option<&'v Value>) -> Vec<&'v Value> {
        let all = all.and_then(Value::as_array).into_iter().flatten();
        all.filter(|one| !self.is_open(one)).collect()
    }

    /// Demands the verifier's answer.
    ///
    /// # Errors
    /// What differs.
    pub fn demand(&self, verifier: &Answer) -> Result<(), &'static str> {
        let (accepted, codes, out) = match verifier {
            Answer::Accept { out } => (true, BTreeSet::new(), out),
            Answer::Reject { codes, out } => (false, codes.clone(), out),
            Answer::Fault { .. } | Answer::Unsupported { .. } => return Err("no judgement"),
        };
        let is_input = |codes: &BTreeSet<String>| codes.iter().any(|code| code.starts_with("A_"));
        if is_input(&codes) || is_input(&self.codes) {
            // The interpreter's limits are not the verifier's.
            let limit = self.codes.contains("A_LIMIT");
            let refused = self.refusable && codes.len() == 1 && codes.contains("A_INPUT");
            return if codes == self.codes || limit || refused { Ok(()) } else { Err("the refusal of the input") };
        }
        let value = |name: &str| match out.get(name) {
            Some(Output::Value(value)) => Some(value),
            _ => None,
        };
        let findings = value("findings").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let laws: BTreeSet<_> = findings.iter().map(|finding| member(finding, "law").to_owned()).collect();
        if codes != laws || accepted != laws.is_empty() {
            return Err("a verdict other than the laws of the findings");
        }
        let found = self.settled(value("findings"));
        // A trace ends where it is illegal, so that nothing is known of what stands after an open fault.
        if self.out.contains_key("first_illegal") && !accepted && found.is_empty() {
            return Ok(());
        }
        let expected = self.settled(self.out.get("findings"));
        if found.len() != expected.len() || !expected.iter().zip(&found).all(|(want, give)| within(want, give)) {
            return Err("the findings");
        }
        match (self.is == "accept", accepted) {
            (false, true) => Err("the verdict"),
            // What is open may be unlawful, and nothing else is said of it then.
            (true, false) => Ok(()),
            (false, false) => self.same_values(&value),
            (true, true) => {
                let advice = |all: Option<&Value>| self.settled(all).into_iter().map(advised).collect::<BTreeSet<_>>();
                if advice(self.out.get("advice")) != advice(value("advice")) {
                    return Err("the advice");
                }
                self.same_values(&value)
            }
        }
    }

    /// Demands every output but findings and advice.
    fn same_values<'v>(&self, value: &impl Fn(&str) -> Option<&'v Value>) -> Result<(), &'static str> {
        let others = self.out.iter().filter(|(name, _)| !["findings", "advice"].contains(&name.as_str()));
        for (name, expected) in others {
            let same = match (value(name), expected) {
                (Some(Value::String(give)), Value::String(want)) => one_mark(give) == one_mark(want),
                (give, want) => give == Some(want),
            };
            if !same {
                return Err("an output");
            }
        }
        Ok(())
    }
}

/// Whether a finding has every member that is expected of it. Replaced surrogates may be as many as their bytes.
fn within(expected: &Value, found: &Value) -> bool {
    let members = expected.as_object().into_iter().flatten();
    members.into_iter().all(|(name, want)| match (want, found.get(name)) {
        (Value::String(want), Some(Value::String(give))) => one_mark(want) == one_mark(give),
        (want, give) => give == Some(want),
    })
}

fn one_mark(text: &str) -> String {
    let mut marked = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter != '\u{fffd}' || !marked.ends_with('\u{fffd}') {
            marked.push(letter);
        }
    }
    marked
}

/// What is compared of a piece of advice: the law, and the place where a ruling says it.
fn advised(one: &Value) -> (String, String) {
    let (law, pointer) = (member(one, "law"), member(one, "pointer"));
    let placed = !["reply/code-never-reused", "reply/legacy-retired"].contains(&law);
    (law.to_owned(), if placed { one_mark(pointer) } else { String::new() })
}

/// Asks both sides, and demands one answer, of which it gives the verifier's.
///
/// # Errors
/// Both answers, where they differ; or the oracle broke.
pub fn agree(request: &Request) -> Result<Answer, String> {
    let (oracle, verifier) = (OracleAnswer::to(request)?, handler::answer(request));
    match oracle.demand(&verifier) {
        Ok(()) => Ok(verifier),
        Err(what) => Err(format!("{}: {what}\noracle:   {oracle:?}\nverifier: {verifier:?}", request.op)),
    }
}

/// Asks both sides what leaves a wrapper. Trace ids and durations are nobody's to foresee, so that the envelopes have to be lawful and of
/// two invocations, and tell of the reply that the oracle expects.
///
/// # Errors
/// What differs; or the oracle broke.
pub fn agree_wrapped(request: &Request) -> Result<Answer, String> {
    let (oracle, verifier) = (OracleAnswer::to(request)?, handler::answer(request));
    let told = oracle.out.get("told").cloned();
    let same = match (&told, &verifier) {
        (Some(told), Answer::Accept { out }) => told_by(told, request, out.get("envelopes")),
        (None, Answer::Reject { .. }) => oracle.demand(&verifier),
        _ => Err("the verdict"),
    };
    match same {
        Ok(()) => Ok(verifier),
        Err(what) => Err(format!("{}: {what}\noracle:   {oracle:?}\nverifier: {verifier:?}", request.op)),
    }
}

fn told_by(told: &Value, request: &Request, envelopes: Option<&Output>) -> Result<(), &'static str> {
    let Some(Output::Value(Value::Array(texts))) = envelopes else { return Err("no envelopes") };
    let script = request.docs.values().next().map(|script| String::from_utf8_lossy(script)).unwrap_or_default();
    let mut ids = BTreeSet::new();
    for text in texts {
        let text = text.as_str().ok_or("an envelope that is not text")?;
        let envelope: Value = serde_json::from_str(text).map_err(|_| "an envelope that is not JSON")?;
        let code = envelope.pointer("/error/code").cloned().unwrap_or_default();
        let crash = told.get("crash").is_some();
        let as_told = |name: &str| envelope.get(name) == told.get(name);
        if !as_told("reply_type") || !crash && !as_told("data") {
            return Err("another reply");
        }
        let codes = told.get("codes").and_then(Value::as_array).filter(|codes| !codes.is_empty());
        let lawful = match codes {
            Some(codes) => codes.contains(&code),
            None if crash => true,
            None => {
                told.get("reply_type") == Some(&Value::from("S")) && code.is_null() || Some(&code) == told.get("code")
            }
        };
        if !lawful {
            return Err("another code");
        }
        // A registry may declare areas, of which an envelope alone knows nothing.
        let asked = super::authority::request("reply.envelope", "envelope", text.as_bytes());
        let judged = OracleAnswer::to(&asked).map_err(|_| "an envelope that the oracle cannot judge")?;
        let declared: BTreeSet<_> = ["reply/area-registered".to_owned()].into();
        if judged.is != "accept" && !(judged.codes == declared && told.get("declares") == Some(&Value::Bool(true))) {
            return Err("an unlawful envelope");
        }
        let meta = |name: &str| envelope.pointer(&format!("/meta/{name}"));
        let id = meta("trace_id").and_then(Value::as_str).unwrap_or_default().to_owned();
        if id.is_empty() || script.contains(&id) || !meta("duration_ms").is_some_and(Value::is_u64) {
            return Err("the metadata");
        }
        ids.insert(id);
    }
    if ids.len() == 2 && texts.len() == 2 { Ok(()) } else { Err("not two envelopes of two invocations") }
}

/// What a second wrapper sends: two envelopes that tell of the reply which the oracle expects, with metadata of its own.
///
/// # Errors
/// The oracle broke.
pub fn wrapped(request: &Request) -> Result<Answer, String> {
    let oracle = OracleAnswer::to(request)?;
    let Some(told) = oracle.out.get("told") else {
        return Ok(Answer::Reject { codes: oracle.codes, out: Default::default() });
    };
    let kind = member(told, "reply_type");
    let (status, succeeds) = match kind {
        "S" => ("success", true),
        "I" => ("invalid", false),
        "D" => ("denied", false),
        _ => ("error", false),
    };
    // Of a crash any code of an error tells that the registry knows, if there is one.
    let code = told.get("code").or_else(|| told.pointer("/codes/0")).cloned().unwrap_or_else(|| "MCP-SYS-E-001".into());
    let error = if succeeds { Value::Null } else { json!({ "code": code }) };
    let data = told.get("data").filter(|data| !data.is_null()).cloned().unwrap_or_else(|| json!({}));
    let envelope = |run: u8| {
        let meta = json!({"trace_id": format!("second-source-{run}"), "duration_ms": 0});
        json!({"status": status, "reply_type": kind, "data": data, "meta": meta, "error": error}).to_string()
    };
    Ok(Answer::accept([("envelopes".to_owned(), Output::Value(json!([envelope(1), envelope(2)])))]))
}

/// Demands one answer of the verifier to a document in two spellings, texts of advice included.
///
/// # Errors
/// Both answers, where they differ.
pub fn same_in(op: &str, name: &str, answer: &Answer, respelt: &[u8]) -> Result<(), String> {
    let again = handler::answer(&super::authority::request(op, name, respelt));
    if again == *answer {
        return Ok(());
    }
    let text = respelt.escape_ascii();
    Err(format!("{op}: another spelling, another answer\n{text}\none:   {answer:?}\nother: {again:?}"))
}
