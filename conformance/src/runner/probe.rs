//! Whether a declared limit is true: asked on it and one past it.
//!
//! Contract: `contracts/interface/protocol.md`, Capabilities. On the limit a rejection breaks a promise. Past it a rejection says
//! nothing, and an acceptance is judged as if no limit stood: a writer of wrong big integers cannot hide behind `max_integer`.

use assize_corpus::{
    agreement::{Judgement, Outcome},
    testee::Answer,
    vector::Case,
};
use serde::Serialize;

use super::Bench;
use crate::{
    protocol::{Capabilities, Introduction, Roots},
    testee::{Driver, Item, Response},
};

/// Nesting beyond which a limit is not probed: no corpus goes there, and a line has an end.
const DEEPEST: u64 = 100_000;
/// Digits beyond which a limit on integers is not probed.
const LONGEST: usize = 400;

/// One probe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Probe {
    /// The member of the declaration.
    pub capability: &'static str,
    /// The profile that was asked.
    pub profile: String,
    /// What was asked: on the limit, or past it.
    pub at: &'static str,
    /// What came of it.
    pub outcome: Outcome,
    /// What is wrong, where something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Probes every declared limit in every declared profile; nothing where none is declared.
pub(super) fn run(driver: &dyn Driver, introduction: &Introduction, bench: &Bench<'_>) -> Vec<Probe> {
    let questions: Vec<Question> = profiles(introduction)
        .into_iter()
        .flat_map(|profile| questions(&introduction.capabilities, &profile))
        .collect();
    let items: Vec<Item<'_>> =
        questions.iter().map(|question| Item { case: &question.case, alteration: None }).collect();
    let mut probes = Vec::new();
    driver.run(&items, "probes", &mut |place, response, _| {
        if let Some(question) = questions.get(place) {
            probes.push(question.judged(&response, bench));
        }
    });
    probes.sort_by(|a, b| (a.capability, &a.profile, a.at).cmp(&(b.capability, &b.profile, b.at)));
    probes
}

/// Which probes are due, as they are sorted: capability, profile, and where.
pub(super) fn due(introduction: &Introduction) -> Vec<(&'static str, String, &'static str)> {
    let profiles = profiles(introduction);
    let all = profiles.iter().flat_map(|profile| questions(&introduction.capabilities, profile));
    let mut due: Vec<_> = all.map(|question| (question.capability, question.profile, question.at)).collect();
    due.sort();
    due
}

fn profiles(introduction: &Introduction) -> Vec<String> {
    let ops = &introduction.ops;
    let table = assize_corpus::operation::table().find("canon.bytes");
    let values = table.into_iter().flat_map(|operation| &operation.args).filter(|argument| argument.name == "profile");
    let values = values.flat_map(|argument| argument.values.iter().flatten()).filter_map(|value| value.as_str());
    values.filter(|value| ops.has("canon.bytes", "profile", value)).map(str::to_owned).collect()
}

struct Question {
    capability: &'static str,
    profile: String,
    at: &'static str,
    case: Case,
}

impl Question {
    fn judged(&self, response: &Response, bench: &Bench<'_>) -> Probe {
        let Judgement { outcome, mismatches, note, .. } = match (response, self.at) {
            (Response::Answer(Answer::Reject { .. }), "on the limit") => {
                Judgement::noted(Outcome::BrokenPromise, "rejected on the declared limit")
            }
            (Response::Answer(Answer::Reject { .. }), _) => Judgement::noted(Outcome::NotApplicable, ""),
            _ => response.judged(&self.case, bench.terms),
        };
        let fails = !matches!(outcome, Outcome::Pass | Outcome::NotApplicable);
        let message = fails.then(|| note.or(mismatches.first().map(ToString::to_string)).unwrap_or_default());
        Probe { capability: self.capability, profile: self.profile.clone(), at: self.at, outcome, message }
    }
}

/// What to ask under one profile: each limit on it and one past it.
fn questions(declared: &Capabilities, profile: &str) -> Vec<Question> {
    let mut questions = Vec::new();
    let mut ask = |capability, at, text: String| {
        if let Some(case) = case(profile, &text) {
            questions.push(Question { capability, profile: profile.to_owned(), at, case });
        }
    };
    if declared.roots == Roots::Containers {
        ask("roots", "on the limit", "[]".to_owned());
        ask("roots", "past the limit", "true".to_owned());
    }
    if let Some(most) = declared.max_depth.filter(|most| *most < DEEPEST) {
        let nested = |depth: u64| {
            let depth = usize::try_from(depth).unwrap_or_default();
            format!("{}{}", "[".repeat(depth), "]".repeat(depth))
        };
        ask("max_depth", "on the limit", nested(most));
        ask("max_depth", "past the limit", nested(most + 1));
    }
    if let Some(digits) = declared.max_integer.as_deref().map(|digits| digits.trim_start_matches('0')) {
        let on = if digits.is_empty() { "0" } else { digits };
        for (at, digits) in [("on the limit", on.to_owned()), ("past the limit", next(on))] {
            if digits.len() <= LONGEST && is_plain(profile, &digits) {
                ask("max_integer", at, format!("[{digits}]"));
            }
        }
    }
    questions
}

/// Whether a profile writes these digits as they are: RFC 8785 and what is made from it only as far as doubles are exact.
fn is_plain(profile: &str, digits: &str) -> bool {
    const EXACT: &str = "9007199254740991";
    matches!(profile, "sovereign" | "authority") || (digits.len(), digits) <= (EXACT.len(), EXACT)
}

/// The next larger integer.
fn next(digits: &str) -> String {
    let mut letters: Vec<u8> = digits.bytes().collect();
    for letter in letters.iter_mut().rev() {
        if *letter < b'9' {
            *letter += 1;
            return String::from_utf8(letters).unwrap_or_default();
        }
        *letter = b'0';
    }
    format!("1{}", String::from_utf8(letters).unwrap_or_default())
}

/// A case that is written as it is read.
fn case(profile: &str, text: &str) -> Option<Case> {
    let case = serde_json::json!({
        "id": "canon/probe/limit",
        "op": "canon.bytes",
        "args": {"profile": profile},
        "spec": {"document": "The testee protocol", "section": "Capabilities"},
        "force": "spec",
        "rationale": "A declaration that is not true.",
        "flags": [],
        "provenance": "hand",
        "in": {"doc": {"text": text}},
        "expect": {"is": "accept", "out": {"bytes": {"text": text}}},
        "agreement": "located",
    });
    Case::parse("probe", case.to_string().as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_integer_carries() {
        for (digits, after) in [("0", "1"), ("9", "10"), ("199", "200"), ("9007199254740991", "9007199254740992")] {
            assert_eq!(next(digits), after);
        }
    }

    #[test]
    fn every_limit_is_asked_on_it_and_past_it() {
        let declared: Capabilities =
            serde_json::from_str(r#"{"roots":"containers","max_depth":2,"max_integer":"9007199254740991"}"#).unwrap();
        let asked = |profile: &str| -> Vec<(&str, &str, String)> {
            let text = |case: &Case| String::from_utf8(case.inputs["doc"].bytes()).unwrap();
            questions(&declared, profile).iter().map(|q| (q.capability, q.at, text(&q.case))).collect()
        };
        let common = [
            ("roots", "on the limit", "[]"),
            ("roots", "past the limit", "true"),
            ("max_depth", "on the limit", "[[]]"),
            ("max_depth", "past the limit", "[[[]]]"),
            ("max_integer", "on the limit", "[9007199254740991]"),
            ("max_integer", "past the limit", "[9007199254740992]"),
        ]
        .map(|(capability, at, text)| (capability, at, text.to_owned()));
        assert_eq!(asked("sovereign"), common);
        assert_eq!(asked("rfc8785"), common[..5]);
        assert!(questions(&Capabilities::default(), "sovereign").is_empty());
    }
}
