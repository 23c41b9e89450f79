//! Applies one check.

use std::collections::BTreeSet;

use super::{
    case::{Check, Demand},
    judge::Mismatch,
};
use crate::{
    base64,
    call::Answer,
    json::{self, Value, quoted},
    question::Output,
};

/// Nothing if the check holds.
pub(super) fn examine(check: &Check, answer: &Answer) -> Option<Mismatch> {
    let tokens = json::tokens(&check.pointer);
    let found = || find(answer, &tokens);
    let (holds, expected, actual) = match &check.demand {
        Demand::Codes(codes) => same_set(codes, &answer.codes),
        Demand::Registered(codes) => same_set(codes, &registered(&answer.codes)),
        Demand::Bytes(bytes) => match output(answer, &tokens) {
            Some(Output::Bytes(found)) => (found == bytes, shown(bytes), shown(found)),
            _ => (false, shown(bytes), "no such output".to_owned()),
        },
        Demand::Text(text) => match output(answer, &tokens) {
            Some(Output::Doc(found)) => (found == text, text.clone(), found.clone()),
            _ => (false, text.clone(), "no such output".to_owned()),
        },
        Demand::Canonical(text) => {
            let expected = json::parse(text);
            let (value, actual) = apart(found());
            (value.is_some() && value == expected.ok(), text.clone(), actual)
        }
        Demand::Spelled => {
            let (value, actual) = apart(found());
            let is_doc = tokens.len() == 2 && matches!(output(answer, &tokens), Some(Output::Doc(_)));
            let holds = is_doc && value.is_some_and(|value| value.canonical() == actual);
            (holds, "the canonical text of its own value".to_owned(), actual)
        }
        Demand::Within(names) => {
            let (value, actual) = apart(found());
            // That an object has to stand there is another check's business, as it is with arrays.
            let holds = match value {
                Some(Value::Object(members)) => members.keys().all(|name| names.contains(name)),
                _ => true,
            };
            (holds, format!("no names but {}", list(names)), actual)
        }
        Demand::Filled(names) => {
            let (value, actual) = apart(found());
            let holds = match value {
                Some(Value::Object(members)) => {
                    members.iter().all(|(name, member)| names.contains(name) || is_empty(member))
                }
                _ => true,
            };
            (holds, format!("nothing but {} that holds something", list(names)), actual)
        }
        Demand::Most(most) => {
            let (value, actual) = apart(found());
            let holds = if let Some(Value::Array(items)) = value { items.len() <= *most } else { true };
            (holds, format!("no more than {most} items"), actual)
        }
        Demand::Absent => {
            let found = found();
            let holds = matches!(found, Found::Absent(_));
            (holds, "nothing".to_owned(), apart(found).1)
        }
        Demand::Empty => {
            let (value, actual) = apart(found());
            (value.is_none_or(|value| is_empty(&value)), "nothing that holds something".to_owned(), actual)
        }
        Demand::Array => {
            let (value, actual) = apart(found());
            (matches!(value, Some(Value::Array(_))), "an array".to_owned(), actual)
        }
        Demand::Object => {
            let (value, actual) = apart(found());
            (matches!(value, Some(Value::Object(_))), "an object".to_owned(), actual)
        }
    };
    let (pointer, force) = (check.pointer.clone(), check.force.clone());
    (!holds).then_some(Mismatch { pointer, force, expected, actual })
}

/// Whether a value is an array or an object that holds nothing.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

fn same_set(expected: &[String], actual: &[String]) -> (bool, String, String) {
    let set = |codes: &[String]| codes.iter().cloned().collect::<BTreeSet<_>>();
    (set(expected) == set(actual), list(expected), list(actual))
}

/// Those codes that a specification registers: none of the protocol's own, and no law's name.
fn registered(codes: &[String]) -> Vec<String> {
    let own = |code: &str| code.starts_with("A_") || code.contains('/') || code == "ABORT";
    codes.iter().filter(|code| !own(code)).cloned().collect()
}

fn list(names: &[String]) -> String {
    let names: BTreeSet<&String> = names.iter().collect();
    let names: Vec<String> = names.into_iter().map(|name| quoted(name)).collect();
    format!("[{}]", names.join(","))
}

fn shown(bytes: &[u8]) -> String {
    format!("{} (\"{}\")", base64::encode(bytes), bytes.escape_ascii())
}

fn output<'a>(answer: &'a Answer, tokens: &[String]) -> Option<&'a Output> {
    answer.out.0.get(tokens.last()?)
}

/// What stands at a place of an answer.
enum Found {
    /// A value with its text.
    Value(Value, String),
    /// Nothing stands there.
    Absent(String),
    /// What stands there is no JSON.
    Broken(String),
}

fn apart(found: Found) -> (Option<Value>, String) {
    match found {
        Found::Value(value, text) => (Some(value), text),
        Found::Absent(why) | Found::Broken(why) => (None, why),
    }
}

/// Goes on inside an output only where the place lies there, so that a broken document fails no check of another one.
fn find(answer: &Answer, tokens: &[String]) -> Found {
    let inside_an_output = tokens.len() > 1 && tokens.first().is_some_and(|token| token == "out");
    let Some((name, rest)) = tokens.get(1..).and_then(<[String]>::split_first).filter(|_| inside_an_output) else {
        return inside(&envelope(answer), tokens);
    };
    match answer.out.0.get(name) {
        None => Found::Absent(format!("nothing stands there: there is no output {name}")),
        Some(Output::Bytes(bytes)) => inside(&quoted(&base64::encode(bytes)), rest),
        Some(Output::Doc(text) | Output::Value(text)) => inside(text, rest),
    }
}

fn inside(text: &str, tokens: &[String]) -> Found {
    match json::parse(text) {
        Err(error) => Found::Broken(format!("{error}: {text}")),
        Ok(value) if tokens.is_empty() => Found::Value(value, text.to_owned()),
        Ok(value) => match value.find(tokens) {
            Some(found) => Found::Value(found.clone(), found.canonical()),
            None => Found::Absent(format!("nothing stands there, in {text}")),
        },
    }
}

/// An answer as it travels, but for what the outputs hold.
fn envelope(answer: &Answer) -> String {
    let out: Vec<String> = answer.out.0.keys().map(|name| format!("{}:null", quoted(name))).collect();
    format!("{{\"is\":\"{}\",\"codes\":{},\"out\":{{{}}}}}", answer.is, list(&answer.codes), out.join(","))
}
