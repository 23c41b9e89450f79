//! What builders and wrappers of the reply system made: replies by themselves, and envelopes of two invocations.
//!
//! Spec: Canonical Reply System Architecture (Final), 7, 8 and 11; rulings RE-29, RE-38, RE-40, RE-43.

use std::collections::{BTreeMap, BTreeSet};

use assize_verifier::{operation::Root, reply};
use serde_json::{Map, Value, json};

use crate::testee::{Answer, Output, Request};

/// What is seen of the replies of a builder: for each the laws that its code breaks, and the members that a reply does not have, by the
/// law that each breaks. A call that raised has null. Nothing is seen of more replies than there were calls.
pub(super) fn build(request: &Request, _: &dyn Root, answer: &Answer) -> BTreeMap<String, Output> {
    let Some(Value::Array(results)) = accepted(answer, "results") else { return BTreeMap::new() };
    let script = Script::of(request);
    if results.len() > script.calls().count() {
        return BTreeMap::new();
    }
    let seen: Vec<Value> = results.iter().map(|result| built(result, &script)).collect();
    output(seen.into())
}

fn built(result: &Value, script: &Script) -> Value {
    let Some(members) = result.as_object().filter(|_| result.get("got").is_some_and(|got| got == "reply")) else {
        return Value::Null;
    };
    let mut further: BTreeMap<&str, Vec<&str>> =
        [SEPARATION, TRANSPORT, SHAPE].map(|law| (law, Vec::new())).into_iter().collect();
    for name in members.keys().filter(|name| !["got", "reply_type", "code", "data"].contains(&name.as_str())) {
        further.entry(law_of(name)).or_default().push(name);
    }
    json!({"code": code(members, script), "further": further})
}

const SEPARATION: &str = "reply/envelope-separation";
const TRANSPORT: &str = "reply/reply-transport-free";
const SHAPE: &str = "reply/reply-shape";

/// The law that a reply with a member of this name breaks.
fn law_of(name: &str) -> &'static str {
    const TIMES: [&str; 7] = ["time", "timestamp", "ts", "date", "duration", "elapsed", "created"];
    match name {
        "status" | "meta" | "error" => SEPARATION,
        "message" | "trace" | "trace_id" => TRANSPORT,
        name if TIMES.contains(&name) || ["_ms", "_at", "_time"].iter().any(|end| name.ends_with(end)) => TRANSPORT,
        _ => SHAPE,
    }
}

/// The laws that the code of a reply breaks.
fn code(reply: &Map<String, Value>, script: &Script) -> BTreeSet<String> {
    let Some(code) = reply.get("code").and_then(Value::as_str) else { return [SHAPE.to_owned()].into() };
    let (read, found) = reply::code(code.as_bytes());
    let mut laws = script.laws(&found, code);
    let kind = code.split('-').nth(2);
    if (read.is_some() || laws.is_empty()) && kind != reply.get("reply_type").and_then(Value::as_str) {
        laws.insert("reply/type-agrees".to_owned());
    }
    laws
}

/// How often the tool of a script runs inside its wrapper.
const RUNS: usize = 2;

/// What is seen of the envelopes of a wrapper: each by itself, and the metadata of both. Nothing is seen of any other number of them: the
/// tool ran twice, and what it costs to look must not be the choice of whoever is looked at.
pub(super) fn wrap(request: &Request, _: &dyn Root, answer: &Answer) -> BTreeMap<String, Output> {
    let Some(Value::Array(envelopes)) = accepted(answer, "envelopes") else { return BTreeMap::new() };
    if envelopes.len() != RUNS {
        return BTreeMap::new();
    }
    let script = Script::of(request);
    let envelopes: Vec<Seen> = envelopes.iter().map(|text| Seen::of(text.as_str(), &script)).collect();
    let ids: Vec<&str> = envelopes.iter().filter_map(|seen| seen.meta("trace_id")?.as_str()).collect();
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    let places = script.given().chain(envelopes.iter().filter_map(|seen| seen.value.get("data")));
    let durations: Vec<&Value> = envelopes.iter().filter_map(|seen| seen.meta("duration_ms")).collect();
    let numbers = durations.iter().filter(|duration| duration.is_number()).count() == envelopes.len();
    output(json!({
        "envelopes": envelopes.iter().map(Seen::told).collect::<Vec<_>>(),
        "trace_ids": {
            "texts": ids.len() == envelopes.len(),
            "empty": ids.contains(&""),
            "distinct": distinct.len() == ids.len() && ids.len() == envelopes.len(),
            "leaked": !distinct.is_empty() && holds(places, |spelled| distinct.contains(spelled)),
        },
        "durations": {"numbers": numbers, "negative": envelopes.iter().any(Seen::is_back_in_time)},
    }))
}

/// One envelope.
struct Seen {
    /// Null where the text is not JSON.
    value: Value,
    laws: BTreeSet<String>,
    code: Option<String>,
    registered: Option<bool>,
    negative: bool,
}

impl Seen {
    fn of(text: Option<&str>, script: &Script) -> Self {
        let text = text.unwrap_or_default();
        let value: Value = serde_json::from_str(text).unwrap_or_default();
        let code = value.pointer("/error/code").and_then(Value::as_str).map(str::to_owned);
        let (laws, negative) = match reply::envelope(text.as_bytes()) {
            Err(why) => (why.codes().into_iter().map(str::to_owned).collect(), false),
            Ok(found) => {
                // A number with this finding is one that is less than nothing, however small.
                let at = |breach: &reply::Breach| breach.finding.pointer.as_str() == "/meta/duration_ms";
                let negative =
                    found.findings.iter().any(at) && meta(&value, "duration_ms").is_some_and(Value::is_number);
                (script.laws(&found, code.as_deref().unwrap_or_default()), negative)
            }
        };
        let registered = code.as_deref().and_then(|code| script.is_registered(code));
        Self { value, laws, code, registered, negative }
    }

    fn meta(&self, name: &str) -> Option<&Value> {
        meta(&self.value, name)
    }

    fn is_back_in_time(&self) -> bool {
        self.negative
    }

    /// What it tells, without what differs from run to run.
    fn told(&self) -> Value {
        let data = self.value.get("data").map(|data| if data.is_null() { json!({}) } else { data.clone() });
        json!({
            "reply_type": self.value.get("reply_type").filter(|kind| kind.is_string()),
            "code": self.code,
            "registered": self.registered,
            "data": data,
            "laws": self.laws,
        })
    }
}

fn meta<'v>(envelope: &'v Value, name: &str) -> Option<&'v Value> {
    envelope.get("meta")?.get(name)
}

/// Whether this holds of a text or of the spelling of a number somewhere in these values; each is asked about once.
fn holds<'v>(places: impl Iterator<Item = &'v Value>, mut is: impl FnMut(&str) -> bool) -> bool {
    let mut pending: Vec<&Value> = places.collect();
    while let Some(value) = pending.pop() {
        match value {
            Value::String(text) if is(text) => return true,
            Value::Number(number) if is(&number.to_string()) => return true,
            Value::Array(items) => pending.extend(items),
            Value::Object(members) => pending.extend(members.values()),
            _ => {}
        }
    }
    false
}

/// What was asked.
struct Script(Value);

impl Script {
    fn of(request: &Request) -> Self {
        let document = request.docs.get("script").map(Vec::as_slice).unwrap_or_default();
        Self(serde_json::from_slice(document).unwrap_or_default())
    }

    /// The newest of its registries.
    fn registry(&self) -> Option<&Value> {
        self.0.pointer("/registry/registries/0")
    }

    /// The laws of findings, without that of areas where the registry declares the area of the code.
    fn laws(&self, found: &reply::Judgement, code: &str) -> BTreeSet<String> {
        let slugs = found.laws().into_iter().map(|law| law.slug().to_owned());
        let declared = code.split('-').nth(1).is_some_and(|area| self.declares(area));
        slugs.filter(|slug| slug != "reply/area-registered" || !declared).collect()
    }

    fn declares(&self, area: &str) -> bool {
        let word = !area.is_empty() && area.bytes().all(|letter| letter.is_ascii_uppercase());
        let named = |declared: &Value| {
            let documented =
                declared.get("document").and_then(Value::as_str).is_some_and(|document| !document.is_empty());
            documented && declared.get("area").is_some_and(|name| name == area)
        };
        word && !["OPEN", "CLOSE"].contains(&area) && self.of_registry("areas").any(named)
    }

    fn is_registered(&self, code: &str) -> Option<bool> {
        self.registry()?;
        let active = self.of_registry("active").any(|row| row.get("code").is_some_and(|held| held == code));
        Some(active && !self.of_registry("retired").any(|retired| retired == code))
    }

    fn of_registry(&self, list: &str) -> impl Iterator<Item = &Value> {
        self.registry().and_then(|registry| registry.get(list)?.as_array()).into_iter().flatten()
    }

    /// What the tool and the builder were given.
    fn given(&self) -> impl Iterator<Item = &Value> {
        self.0.get("arguments").into_iter().chain(self.calls().filter_map(|call| call.get("data")))
    }

    fn calls(&self) -> impl Iterator<Item = &Value> {
        self.0.get("calls").and_then(Value::as_array).into_iter().flatten()
    }
}

/// An output of an acceptance.
fn accepted<'a>(answer: &'a Answer, name: &str) -> Option<&'a Value> {
    let Answer::Accept { out } = answer else { return None };
    match out.get(name)? {
        Output::Value(value) => Some(value),
        _ => None,
    }
}

fn output(seen: Value) -> BTreeMap<String, Output> {
    [("observed".to_owned(), Output::Value(seen))].into()
}

#[cfg(test)]
mod tests {
    use assize_verifier::operation::NoFiles;

    use super::*;

    fn ask(op: &str, script: &Value, name: &str, said: Value) -> Value {
        let request = Request {
            op: op.to_owned(),
            args: Map::new(),
            docs: [("script".to_owned(), script.to_string().into_bytes())].into(),
            root: None,
        };
        let answer = Answer::accept([(name, Output::Value(said))]);
        let Answer::Accept { mut out } = crate::observe::observed(&request, answer) else { panic!("an acceptance") };
        match out.remove("observed") {
            Some(Output::Value(seen)) => seen,
            other => panic!("{other:?}"),
        }
    }

    fn registry() -> Value {
        json!({"registries": [{
            "active": [{"code": "WA-PACK-I-001"}, {"code": "MCP-SYS-E-001"}], "retired": ["MCP-SYS-E-001"],
            "areas": [{"area": "PACK", "document": "d"}, {"area": "VOID", "document": ""}, {"area": "OPEN", "document": "d"}]
        }]})
    }

    #[test]
    fn replies_are_judged_by_themselves() {
        let called = |script: &Value| {
            let mut script = script.clone();
            script["calls"] = json!([{"method": "success"}, {"method": "success"}]);
            script
        };
        let one = |members: Value, script: &Value| {
            let mut reply = json!({"got": "reply", "reply_type": "I", "code": "WA-RES-I-001", "data": null});
            reply.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
            ask("reply.build", &called(script), "results", json!([{"got": "raised"}, reply]))[1].clone()
        };
        let none = json!({});
        let lawful = json!({"code": [], "further": {SEPARATION: [], TRANSPORT: [], SHAPE: []}});
        assert_eq!(one(json!({}), &none), lawful);
        assert_eq!(ask("reply.build", &called(&none), "results", json!([{"got": "raised"}])), json!([null]));
        let further = one(
            json!({"status": 1, "meta": 1, "error": 1, "message": 1, "trace": 1, "trace_id": 1, "duration_ms": 1, "time": 1,
                   "made_at": 1, "layer": 1}),
            &none,
        );
        assert_eq!(further["further"][SEPARATION], json!(["error", "meta", "status"]));
        assert_eq!(
            further["further"][TRANSPORT],
            json!(["duration_ms", "made_at", "message", "time", "trace", "trace_id"])
        );
        assert_eq!(further["further"][SHAPE], json!(["layer"]));
        let laws = |code: Value, script: &Value| one(json!({"code": code}), script)["code"].clone();
        assert_eq!(laws(json!("WA-RES-S-001"), &none), json!(["reply/type-agrees"]));
        assert_eq!(laws(json!("WA-RES-D-001"), &none), json!(["reply/layer-type-matrix"]));
        assert_eq!(laws(json!("wa"), &none), json!(["reply/code-shape"]));
        assert_eq!(laws(json!(null), &none), json!([SHAPE]));
        assert_eq!(laws(json!("WA-PACK-I-001"), &none), json!(["reply/area-registered"]));
        let with = json!({"registry": registry()});
        assert_eq!(laws(json!("WA-PACK-I-001"), &with), json!([]));
        assert_eq!(laws(json!("WA-PACK-S-001"), &with), json!(["reply/type-agrees"]));
        assert_eq!(laws(json!("WA-VOID-I-001"), &with), json!(["reply/area-registered"]));
        let open = laws(json!("WA-OPEN-I-001"), &with);
        assert_eq!(open, json!(["reply/area-registered", "reply/contract-area-gate"]));
    }

    fn envelope(kind: &str, id: Value, duration: &str) -> String {
        let error = if kind == "S" { "null" } else { r#"{"code": "MCP-SYS-E-001"}"# };
        let status = if kind == "S" { "success" } else { "error" };
        format!(
            r#"{{"status": "{status}", "reply_type": "{kind}", "data": null, "meta": {{"trace_id": {id}, "duration_ms": {duration}}}, "error": {error}}}"#
        )
    }

    fn two(script: &Value, ids: [Value; 2], duration: &str) -> Value {
        let envelopes = ids.map(|id| envelope("E", id, duration));
        ask("reply.wrap", script, "envelopes", json!(envelopes))
    }

    #[test]
    fn envelopes_are_judged_and_what_is_their_own_is_left_out() {
        let seen = two(&json!({"registry": registry()}), [json!("a"), json!("b")], "1.5");
        let told = json!({"reply_type": "E", "code": "MCP-SYS-E-001", "registered": false, "data": {}, "laws": []});
        assert_eq!(seen["envelopes"], json!([told, told]));
        assert_eq!(seen["durations"], json!({"numbers": true, "negative": false}));
        assert_eq!(seen["trace_ids"], json!({"texts": true, "empty": false, "distinct": true, "leaked": false}));
        let none = json!({"reply_type": null, "code": null, "registered": null, "data": null, "laws": ["A_JSON"]});
        assert_eq!(ask("reply.wrap", &json!({}), "envelopes", json!(["{", 7]))["envelopes"], json!([none, none]));
        let seen = ask("reply.wrap", &json!({}), "envelopes", json!([envelope("S", json!("a"), "0"), "{"]));
        assert_eq!(seen["envelopes"][0]["reply_type"], "S");
        assert_eq!(seen["envelopes"][1], none);
        assert_eq!(seen["trace_ids"]["texts"], false);
        assert_eq!(seen["trace_ids"]["distinct"], false);
        assert_eq!(seen["durations"]["numbers"], false);
    }

    #[test]
    fn trace_ids_are_texts_of_one_invocation_and_of_nothing_that_was_given() {
        let ids = |one: Value, other: Value| two(&json!({}), [one, other], "1")["trace_ids"].clone();
        assert_eq!(ids(json!("a"), json!("a"))["distinct"], false);
        assert_eq!(ids(json!(""), json!("b"))["empty"], true);
        assert_eq!(ids(json!(1), json!(2))["texts"], false);
        assert_eq!(ids(json!(null), json!("b"))["distinct"], false);
        for given in [
            json!({"arguments": {"deep": [{"id": "a"}]}}),
            json!({"arguments": {"a": 77}}),
            json!({"calls": [{"method": "success"}, {"method": "success", "data": {"id": "a"}}]}),
        ] {
            let seen = two(&given, [json!("a"), json!("77")], "1");
            assert_eq!(seen["trace_ids"]["leaked"], true, "{given}");
        }
        // A name is not a value, and a part of a text not the text.
        let seen = two(&json!({"arguments": {"a": "ab"}}), [json!("a"), json!("b")], "1");
        assert_eq!(seen["trace_ids"]["leaked"], false);
    }

    #[test]
    fn what_is_given_is_walked_once_however_many_ids_there_are() {
        let places = [json!([0, -1, 2.5, {"0": "a"}]), json!(["b", null, true, [[], {"c": "c"}]])];
        let mut asked = Vec::new();
        let mut note = |spelled: &str| {
            asked.push(spelled.to_owned());
            false
        };
        assert!(!holds(places.iter(), &mut note));
        asked.sort_unstable();
        assert_eq!(asked, ["-1", "0", "2.5", "a", "b", "c"]);
        assert!(holds(places.iter(), |spelled| ["c", "d"].contains(&spelled)));
    }

    #[test]
    fn nothing_is_seen_of_more_or_fewer_than_there_were_runs() {
        let request = Request { op: "reply.wrap".to_owned(), args: Map::new(), docs: BTreeMap::new(), root: None };
        let seen = |count: usize| {
            let envelopes: Vec<String> = (0..count).map(|id| envelope("S", json!(format!("k{id}")), "1")).collect();
            wrap(&request, &NoFiles, &Answer::accept([("envelopes", Output::Value(json!(envelopes)))])).len()
        };
        assert_eq!([0, 1, 2, 3, 200].map(seen), [0, 0, 1, 0, 0]);
    }

    #[test]
    fn nothing_is_seen_of_more_replies_than_there_were_calls() {
        let docs = [("script".to_owned(), br#"{"calls": [{"method": "success"}]}"#.to_vec())];
        let request = Request { op: "reply.build".to_owned(), args: Map::new(), docs: docs.into(), root: None };
        let seen = |count: usize| {
            let results = vec![json!({"got": "reply"}); count];
            build(&request, &NoFiles, &Answer::accept([("results", Output::Value(json!(results)))])).len()
        };
        assert_eq!([0, 1, 2, 200].map(seen), [1, 1, 0, 0]);
    }

    #[test]
    fn durations_are_numbers_and_never_less_than_nothing() {
        let seen = |duration: &str| two(&json!({}), [json!("a"), json!("b")], duration)["durations"].clone();
        assert_eq!(seen("-1"), json!({"numbers": true, "negative": true}));
        assert_eq!(seen("-1e-400"), json!({"numbers": true, "negative": true}));
        assert_eq!(seen("-0"), json!({"numbers": true, "negative": false}));
        assert_eq!(seen("\"12\""), json!({"numbers": false, "negative": false}));
        assert_eq!(seen("true"), json!({"numbers": false, "negative": false}));
    }

    #[test]
    fn an_answer_without_what_is_looked_at_shows_nothing() {
        let request = Request { op: "reply.wrap".to_owned(), args: Map::new(), docs: BTreeMap::new(), root: None };
        assert_eq!(wrap(&request, &NoFiles, &Answer::reject("A_INPUT")), BTreeMap::new());
        assert_eq!(
            wrap(&request, &NoFiles, &Answer::accept([("envelopes", Output::Doc("[]".to_owned()))])),
            BTreeMap::new()
        );
        assert_eq!(
            build(&request, &NoFiles, &Answer::accept([("results", Output::Value(json!("x")))])),
            BTreeMap::new()
        );
    }
}
